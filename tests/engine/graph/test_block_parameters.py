"""Values and starts of sources: only a Variable may have a start, and an unknown type has neither."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.graph.block_parameters import can_start, value_of, with_value
from gradwire.engine.graph.graph import Block


@pytest.mark.parametrize(
    ("kind", "expected"), [("Variable", True), ("Input", False), ("Add", False), ("no.Such", False)]
)
def test_only_a_variable_can_start(kind: str, expected: bool) -> None:
    assert can_start(Block("x", kind)) is expected


def test_a_value_takes_the_place_of_a_start() -> None:
    started = Block("x", "Variable", parameters={"shape": (2,), "start": {"kind": "ones"}})
    found = value_of(started)
    assert found is not None and (found == [1, 1]).all()
    assert with_value(started, 5.0).parameters == {"value": 5.0}


def test_a_start_that_does_not_fit_gives_no_numbers() -> None:
    assert value_of(Block("x", "Variable", parameters={"shape": (-2,), "start": {"kind": "ones"}})) is None
    assert value_of(Block("x", "no.Such", parameters={"start": {"kind": "ones"}})) is None
    number = np.ones(1)
    assert value_of(Block("x", "no.Such", parameters={"value": number})) is number
