"""The rows of a card for a value and a gradient: numbers in columns, a list, a sum, or the words of the status."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.canvas.overlays.cards.card_facts import _gradient_rows, _value_rows
from gradwire.app.canvas.painting.monitors.picture_question import _choices
from gradwire.app.live.explanation.explanation import Explanation
from gradwire.app.live.readings.readings import reading_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array


def cells(status: Status, *numbers: float) -> tuple[str, ...]:
    gradient = reading_of(np.array(numbers)) if numbers else None
    (row,) = _gradient_rows(Explanation(PortName("main/x", "y"), "main/x", None, status, gradient=gradient))
    return row.cells


@pytest.mark.parametrize(
    ("status", "numbers", "shown"),
    [
        (Status.FLOW, (1.0, -2.0), ("+1", "−2")),
        (Status.FLOW, (1.0, 2.0, 3.0, 4.0), ("+1", "+2", "+3", "+4")),
        (Status.FLOW, (0.0, 1.0, 2.0, 3.0, 4.0), ("0 1 2 3 4   Σ +10",)),
        (Status.FLOW, tuple(map(float, range(8))), ("0 1 2 3 4 5 6 7   Σ +28",)),
        (Status.FLOW, tuple(map(float, range(9))), ("Σ +36",)),
        (Status.FLOW, (), ("?",)),
        (Status.NONFINITE, (float("nan"), 1.0), ("NaN", "+1")),
        (Status.ZERO, (0.0, 0.0), ("0", "0")),
        (Status.ZERO, (1e-20,), ("≈ 0",)),
        (Status.ZERO, (), ("?",)),
        (Status.BLOCKED, (0.0, 0.0), ("0 blocked",)),
        (Status.NO_PATH, (1.0,), ("no path",)),
        (Status.UNKNOWN, (1.0,), ("?",)),
    ],
)
def test_a_gradient_has_numbers_only_where_they_tell_something(
    status: Status, numbers: tuple[float, ...], shown: tuple[str, ...]
) -> None:
    assert cells(status, *numbers) == shown


def test_what_is_withheld_has_a_row_and_a_dtype_without_gradients_none() -> None:
    name = PortName("main/x", "y")
    rows = _gradient_rows(Explanation(name, "main/x", None, Status.BLOCKED, withheld=2.0))
    assert [(row.label, row.cells) for row in rows] == [("∂L", ("0 blocked",)), ("withheld", ("size 2",))]
    assert _gradient_rows(Explanation(name, "main/x", None, Status.NO_GRADIENT_DTYPE, withheld=2.0)) == ()


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        (None, [("value", ("?",))]),
        (np.array([1.0, -2.0]), [("value", ("1", "−2"))]),
        (np.array([True, False]), [("value", ("T F",))]),
        (np.arange(8.0), [("value", ("0 1 2 3 4 5 6 7",))]),
        (np.arange(9.0), [("value", ("spread 2.582",)), ("range", ("0 … 8",))]),
        (np.full(9, np.nan), [("value", ("NaN 9 of 9",)), ("range", ("–",))]),
        (np.arange(20) > 5, [("value", ("true 14 of 20",))]),
    ],
)
def test_a_value_is_its_numbers_or_what_there_is_to_say(
    value: Array | None, rows: list[tuple[str, tuple[str, ...]]]
) -> None:
    found = _value_rows(None if value is None else reading_of(value))
    assert [(row.label, row.cells) for row in found] == rows


def test_amounts_are_the_elements_or_their_sum() -> None:
    (four,) = _value_rows(reading_of(np.arange(4.0)))
    five, *_ = _value_rows(reading_of(np.arange(5.0)))
    assert (four.amounts, five.amounts) == ((0, 1, 2, 3), (10,))


def test_classes_lead_by_their_distance_to_the_best_other() -> None:
    chosen, leads = _choices(np.array([[0.2, 0.5, 0.3], [0.9, 0.1, 0.4]]), 0.0)
    assert chosen.tolist() == [1, 0]
    np.testing.assert_allclose(leads, [[-0.3, 0.2, -0.2], [0.5, -0.8, -0.5]])
    chosen, leads = _choices(np.array([[0.2, 0.5], [0.9, 0.1]]), 0.0)
    assert chosen.tolist() == [1, 0]
    np.testing.assert_allclose(leads, [[0.3], [-0.8]])
    chosen, leads = _choices(np.array([[0.5], [0.4], [0.6]]), 0.5)
    assert chosen.tolist() == [0, 0, 1]
    np.testing.assert_allclose(leads, [[0], [-0.1], [0.1]])
