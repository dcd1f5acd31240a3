"""Traces: a graph of expressions, whose blocks have names that differ."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library


def test_blocks_are_called_as_their_types_and_counted() -> None:
    x, exp = constant(np.ones(2)), library["Exp"]
    first = exp(exp(exp(x)))
    given = exp(first, name="Exp_2")
    assert set(trace([library["Tanh"](exp(given))]).graph.pages[0].blocks) == {
        "Constant",
        "Exp",
        "Exp_1",
        "Exp_2",
        "Exp_3",
        "Exp_4",
        "Tanh",
    }


@pytest.mark.parametrize(("name", "sentence"), [("one", "Two blocks are called"), ("2nd", "cannot be the name")])
def test_names_that_are_given_differ_and_are_words(name: str, sentence: str) -> None:
    exp = library["Exp"]
    with pytest.raises(GradwireError, match=sentence):
        trace([exp(exp(constant(np.ones(2)), name="one"), name=name)])
