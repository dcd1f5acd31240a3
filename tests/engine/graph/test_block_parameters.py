"""Values and starts of sources: only a Variable may have a start, and an unknown type has neither."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.errors import EditError
from gradwire.engine.graph.block_parameters import can_start, exchanged, value_of, with_numbers, with_value
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


def test_a_value_and_a_start_replace_each_other() -> None:
    start = {"kind": "ones"}
    x = Block("x", "Variable", parameters={"value": np.zeros((2, 3), np.float32), "trainable": False})

    def set_one(name: str, **parameters: object) -> dict[str, object]:
        return dict(exchanged(x, name, parameters))

    assert set_one("start", **x.parameters, start=start) == {
        "shape": (2, 3), "start": {"dtype": "float32", "kind": "ones"}, "trainable": False,
    }  # fmt: skip
    assert set_one("shape", shape=(4,)) == {"shape": (4,), "start": {"kind": "zeros"}}
    assert set_one("value", value=1.0, shape=(2,), start=start) == {"value": 1.0}
    assert set_one("start", shape=(2,)) == {"value": x.parameters["value"]}
    whole = Block("x", "Variable", parameters={"value": np.zeros(2)})
    assert dict(exchanged(whole, "start", {**whole.parameters, "start": start})) == {"shape": (2,), "start": start}
    with pytest.raises(EditError, match="parameter value is missing"):
        set_one("value")


def test_other_parameters_and_other_sources_are_set_alone() -> None:
    started = Block("x", "Variable", parameters={"shape": (2,), "start": {"kind": "ones"}, "trainable": True})
    for block, name in ((started, "trainable"), (Block("x", "Input"), "value"), (Block("x", "no.Such"), "start")):
        given = {name: 1, "value": None}
        assert exchanged(block, name, given) is given


def test_numbers_are_written_out_in_place_of_a_start_that_fits() -> None:
    drawn = Block("x", "Variable", parameters={"shape": (2,), "start": {"kind": "ones"}})
    assert with_numbers(drawn).parameters.keys() == {"value"}
    for block in (
        Block("x", "Variable", parameters={"shape": (-2,), "start": {"kind": "ones"}}),
        Block("x", "Variable", parameters={"value": np.ones(1)}),
        Block("x", "Variable", parameters={"shape": (2,)}),
    ):
        assert with_numbers(block) is block
