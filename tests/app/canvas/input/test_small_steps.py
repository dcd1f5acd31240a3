"""Numbers that input is turned into: steps of a drag, the pace near an edge, and cameras on their way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.flight import between
from gradwire.app.canvas.input.edge_scroll import EdgeScroll
from gradwire.app.canvas.input.gestures.scrub import round_step
from tests.app.canvas.pages import scrolls


@pytest.mark.parametrize(
    ("step", "rounded"),
    [(0.1, 0.1), (0.19, 0.1), (0.2, 0.2), (0.49, 0.2), (0.5, 0.5), (0.99, 0.5), (1, 1), (30, 20)],
)
def test_a_step_is_the_next_of_1_2_5_below(step: float, rounded: float) -> None:
    assert round_step(step) == pytest.approx(rounded)


@pytest.mark.parametrize(
    ("pointer", "way"),
    [
        ((100, 100), None),
        ((24, 100), None),
        ((23, 100), (1, 0)),
        ((12, 100), (9, 0)),
        ((0, 100), (18, 0)),
        ((-50, 100), (18, 0)),
        ((276, 100), None),
        ((288, 100), (-9, 0)),
        ((400, 100), (-18, 0)),
        ((100, 12), (0, 9)),
        ((100, 188), (0, -9)),
        ((0, 188), (18, -9)),
    ],
)
def test_near_an_edge_the_page_moves_the_faster_the_nearer(
    qtbot: QtBot, pointer: tuple[float, float], way: tuple[int, int] | None
) -> None:
    """Within 24 px, up to 18 px a tick."""
    parent = EdgeScroll(None)  # type: ignore[arg-type]  # it lives as long as the test
    parent.watch(QPointF(*pointer), QSize(300, 200))
    assert scrolls(parent) is (way is not None)
    if way is not None:
        with qtbot.waitSignal(parent.scrolled) as moved:
            pass
        assert moved.args == [QPoint(*way)]
        parent.watch(QPointF(150, 100), QSize(300, 200))
        assert not scrolls(parent)
    parent.watch(QPointF(0, 0), QSize(300, 200))
    parent.stop()
    assert not scrolls(parent)


def test_on_the_way_one_point_of_the_view_stays_still_and_zooming_is_even() -> None:
    start, end = Camera(1.0, 0, 0), Camera(4.0, -300, -150)
    assert between(start, end, 0) == start and between(start, end, 1) == end
    half = between(start, end, 0.5)
    # Half of a zoom by four is one by two; the point at 100, 50 is where it was.
    assert half == Camera(2.0, -100, -50)
    for share in (0.2, 0.5, 0.8):
        still = between(start, end, share).to_view(QPointF(100, 50))
        assert still.x() == pytest.approx(100, abs=1) and still.y() == pytest.approx(50, abs=1)
    assert between(Camera(1.0, 10, 20), Camera(1.0, 30, 60), 0.25) == Camera(1.0, 15, 30)
