"""Units of layers that receive no gradient while others do."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.interop.why.dead_units import dead_units

WEIGHT = np.ones((4, 3))
BIAS = np.ones(4)


def rows(array: np.ndarray, *dead: int) -> np.ndarray:
    found = array.copy()
    found[list(dead)] = 0
    return found


def test_units_without_a_gradient_are_named() -> None:
    gradients = {"fc.weight": rows(WEIGHT, 1, 3), "fc.bias": rows(BIAS, 1, 3)}
    ending = "no gradient from these inputs, as where a ReLU after them is always 0."
    assert [*dead_units(gradients)] == [f"2 of 4 units of fc (1, 3) receive {ending}"]
    assert [*dead_units({"weight": rows(WEIGHT, 2), "bias": rows(BIAS, 2)})] == [
        f"1 of 4 units of the layer (2) receives {ending}"
    ]
    many = {"weight": rows(np.ones((9, 2, 2)), *range(7)), "bias": rows(np.ones(9), *range(7))}
    assert [*dead_units(many)] == [f"7 of 9 units of the layer (0, 1, 2, 3, 4, ...) receive {ending}"]
    five = {"weight": rows(np.ones((9, 2)), *range(5)), "bias": rows(np.ones(9), *range(5))}
    assert [*dead_units(five)] == [f"5 of 9 units of the layer (0, 1, 2, 3, 4) receive {ending}"]


@pytest.mark.parametrize(
    "change",
    [
        {"bias": None},
        {"bias": np.zeros(())},
        {"bias": rows(np.ones(3), 1)},
        {"weight": None},
        {"weight": rows(np.ones(4), 1)},
    ],
)
def test_what_is_no_layer_with_a_bias_has_no_units(change: dict[str, np.ndarray | None]) -> None:
    pair: dict[str, np.ndarray | None] = {"weight": rows(WEIGHT, 1), "bias": rows(BIAS, 1)}
    assert len([*dead_units(pair)]) == 1
    assert [*dead_units(pair | change)] == []


def test_a_layer_of_which_more_is_known_is_left_out() -> None:
    pair = {"fc.weight": rows(WEIGHT, 1), "fc.bias": rows(BIAS, 1)}
    assert [[*dead_units(pair, {name})] for name in pair] == [[], []]
    assert len([*dead_units(pair, {"other.weight", "bias"})]) == 1


def test_a_layer_that_learns_as_a_whole_or_not_at_all_has_no_dead_units() -> None:
    pairs = [(WEIGHT, BIAS), (rows(WEIGHT, 1), BIAS), (WEIGHT, rows(BIAS, 1)), (0 * WEIGHT, 0 * BIAS)]
    for weight, bias in pairs:
        assert [*dead_units({"fc.weight": weight, "fc.bias": bias})] == []
    # Rows of an embedding that no input has chosen are no units.
    assert [*dead_units({"table.weight": rows(WEIGHT, 1), "fc.weight": None, "fc.bias": BIAS})] == []
