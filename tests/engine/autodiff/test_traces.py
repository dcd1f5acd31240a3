"""Traces: a graph of expressions, whose blocks have names that differ."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
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


def test_numbers_of_names_pass_those_that_are_taken() -> None:
    x = gw.Input([1.0], name="x")
    first = gw.Exp(gw.Exp(gw.Exp(x), name="Exp_1"))
    graph = gw.graph(gw.Exp(first), gw.Square(first), gw.Square(x))
    assert list(graph.page("main").blocks) == ["x", "Exp", "Exp_1", "Exp_2", "Exp_3", "Square", "Square_1"]


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [("a" * 64, True), ("a" * 65, False), ("a_1", True), ("_a", False), ("", False), ("a-b", False), ("a b", False)],
)
def test_a_block_has_a_name_of_at_most_64_letters(text: str, is_allowed: bool) -> None:
    if is_allowed:
        assert list(gw.graph(gw.Input([1.0], name=text)).page("main").blocks) == [text]
    else:
        with pytest.raises(gw.GradwireError, match="cannot be the name of a block"):
            gw.graph(gw.Input([1.0], name=text))


def test_a_block_keeps_what_differs_from_its_defaults_alone() -> None:
    x = gw.Input([[1.0, 2.0]], name="x")
    graph = gw.graph(gw.ReduceSum(x, name="all"), gw.ReduceSum(x, axis=1, keepdims=True, name="rows"))
    blocks = graph.page("main").blocks
    assert dict(blocks["all"].parameters) == {}
    assert set(blocks["rows"].parameters) == {"axis", "keepdims"}
