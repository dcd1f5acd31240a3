"""A shake is three turns within 600 ms, told by the times of the events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from gradwire.app.canvas.input.gestures.shake import LEAST_PX, Shake


def is_shake(places: list[tuple[float, float]], every: int) -> bool:
    shake = Shake(QPointF(*places[0]))
    return any(shake.goes_on(QPointF(*place), every * step) for step, place in enumerate(places[1:], start=1))


@pytest.mark.parametrize(
    ("places", "every", "expected"),
    [
        ([(0, 0), (40, 0), (0, 0), (40, 0), (0, 0)], 100, True),
        ([(0, 0), (0, 40), (0, 0), (0, 40), (0, 0)], 100, True),
        ([(0, 0), (40, 0), (0, 0), (40, 0)], 100, False),
        ([(0, 0), (40, 0), (0, 0), (40, 0), (0, 0)], 300, True),
        ([(0, 0), (40, 0), (0, 0), (40, 0), (0, 0)], 301, False),
        ([(0, 0), (40, 0), (80, 0), (120, 0), (160, 0)], 10, False),
        ([(0, 0), (40, 0), (40 - LEAST_PX + 1, 0), (40, 0), (40 - LEAST_PX + 1, 0), (40, 0)], 10, False),
        ([(0, 0), (40, 0), (40, 40), (0, 40), (0, 0), (40, 0)], 10, False),
    ],
)
def test_turns_are_counted(places: list[tuple[float, float]], every: int, expected: bool) -> None:
    assert is_shake(places, every) is expected
