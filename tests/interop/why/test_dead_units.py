"""Units of layers that receive no gradient while others do."""

from __future__ import annotations

import numpy as np

from gradwire.interop.why.dead_units import dead_units

WEIGHT = np.ones((4, 3))
BIAS = np.ones(4)


def rows(array: np.ndarray, *dead: int) -> np.ndarray:
    found = array.copy()
    found[list(dead)] = 0
    return found


def test_units_without_a_gradient_are_named() -> None:
    gradients = {"fc.weight": rows(WEIGHT, 1, 3), "fc.bias": rows(BIAS, 1, 3)}
    (said,) = dead_units(gradients)
    assert said.startswith("2 of 4 units of fc (1, 3) receive no gradient")
    (said,) = dead_units({"weight": rows(np.ones((9, 2, 2)), *range(7)), "bias": rows(np.ones(9), *range(7))})
    assert said.startswith("7 of 9 units of the layer (0, 1, 2, 3, 4, ...)")


def test_a_layer_that_learns_as_a_whole_or_not_at_all_has_no_dead_units() -> None:
    pairs = [(WEIGHT, BIAS), (rows(WEIGHT, 1), BIAS), (WEIGHT, rows(BIAS, 1)), (0 * WEIGHT, 0 * BIAS)]
    for weight, bias in pairs:
        assert [*dead_units({"fc.weight": weight, "fc.bias": bias})] == []
    # Rows of an embedding that no input has chosen are no units.
    assert [*dead_units({"table.weight": rows(WEIGHT, 1), "fc.weight": None, "fc.bias": BIAS})] == []
