"""Fingers on a touch screen and a touch pad."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication

from gradwire.app.live.selection import Selection
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long

Native = Qt.NativeGestureType


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def way(user: Driver, start: QPointF, end: QPointF, steps: int = 4) -> list[tuple[QPointF]]:
    """Returns the path of one finger from one point of the scene to another."""
    a, b = user.points.view(start), user.points.view(end)
    return [(a + (b - a) * (step / steps),) for step in range(steps + 1)]


def test_one_finger_on_empty_canvas_pans(here: Driver) -> None:
    graph, camera, start = here.graph, here.canvas.camera, here.points.empty()
    here.hand.touch(*way(here, start, start + QPointF(60, 40)))
    assert (here.canvas.camera.x, here.canvas.camera.y) == (camera.x + 60, camera.y + 40)
    assert here.graph is graph


def test_a_tap_selects_a_block_a_wire_or_nothing(here: Driver) -> None:
    here.hand.touch((here.points.view(here.points.title("e")),))
    assert here.selection == Selection(frozenset(["e"]))
    here.hand.touch((here.points.view(here.points.on_wire(here.wire("s.x"))),), time=5000)
    assert here.selection == Selection(wires=frozenset([here.wire("s.x")]))
    here.hand.touch((here.points.view(here.points.empty()),), time=9000)
    assert here.selection == Selection()


def test_a_finger_drags_a_block_in_one_entry(here: Driver) -> None:
    graph, start = here.graph, here.points.title("e")
    here.hand.touch(*way(here, start, start + QPointF(32, 160)))
    assert here.block("e").at == (272, 160)
    here.undo()
    assert here.graph is graph


def test_a_finger_that_trembles_moves_nothing(here: Driver) -> None:
    graph, at = here.graph, here.points.view(here.points.title("e"))
    here.hand.touch((at,), (at + QPointF(4, 2),), (at + QPointF(-3, 1),))
    assert here.graph is graph


def test_a_finger_draws_a_wire_from_a_port(here: Driver) -> None:
    here.hand.touch(*way(here, here.points.port("c.y"), here.points.port("t.x")))
    assert "c.y > t.x" in here.wires()


def test_two_fingers_zoom_about_their_middle_and_pan(here: Driver) -> None:
    graph, middle = here.graph, QPointF(400, 300)
    scene, scale = here.canvas.camera.to_scene(middle), here.canvas.camera.scale
    apart = QPointF(50, 0)
    here.hand.touch((middle - apart, middle + apart), (middle - apart * 1.5, middle + apart * 1.5))
    assert here.canvas.camera.scale == pytest.approx(scale * 1.5)
    assert (here.points.view(scene) - middle).manhattanLength() < 2
    moved = QPointF(30, 20)
    before = here.canvas.camera
    here.hand.touch((middle - apart, middle + apart), (middle + moved - apart, middle + moved + apart))
    assert (here.canvas.camera.x - before.x, here.canvas.camera.y - before.y) == (30, 20)
    assert here.graph is graph


def test_a_second_finger_cancels_the_drag_of_the_first(here: Driver) -> None:
    graph, start = here.graph, here.points.title("e")
    first = way(here, start, start + QPointF(0, 160))
    here.hand.touch(*first, (first[-1][0], first[-1][0] + QPointF(100, 0)), first[-1])
    assert here.graph is graph
    assert not here.canvas.gestures.is_dragging


def test_two_taps_are_a_double_click(here: Driver) -> None:
    at = here.points.view(here.points.title("e"))
    here.hand.touch((at,), time=1000)
    here.hand.touch((at,), time=1100)
    here.popups.type_inline("growth")
    assert "growth" in here.page.blocks


def test_two_slow_taps_are_two_taps(here: Driver) -> None:
    at = here.points.view(here.points.title("e"))
    here.hand.touch((at,), time=1000)
    here.hand.touch((at,), time=4000)
    assert not here.popups.fields()


def test_a_finger_that_rests_opens_the_menu(here: Driver) -> None:
    at = here.points.view(here.points.title("e"))
    asked: list[QPoint] = []
    here.canvas.page_actions.menu_requested.connect(lambda place, _: asked.append(place))
    here.hand.touch((at,), (at,), rests=True)
    assert asked == [here.canvas.mapToGlobal(at.toPoint())]
    assert here.selection.blocks == {"e"}
    assert not here.canvas.gestures.is_dragging


def native(user: Driver, kind: Qt.NativeGestureType, value: float = 0, moved: QPointF | None = None) -> None:
    at = QPointF(400, 300)
    pad = QPointingDevice.primaryPointingDevice()
    delta = moved or QPointF()
    event = QNativeGestureEvent(kind, pad, 2, at, at, QPointF(user.canvas.mapToGlobal(at.toPoint())), value, delta)
    QApplication.sendEvent(user.canvas, event)


def test_a_pinch_on_a_pad_zooms_about_the_pointer(here: Driver) -> None:
    at = QPointF(400, 300)
    scene, scale = here.canvas.camera.to_scene(at), here.canvas.camera.scale
    native(here, Native.ZoomNativeGesture, 0.25)
    assert here.canvas.camera.scale == pytest.approx(scale * 1.25)
    assert (here.points.view(scene) - at).manhattanLength() < 2


def test_panning_and_tapping_twice_with_two_fingers_on_a_pad(here: Driver) -> None:
    camera = here.canvas.camera
    native(here, Native.PanNativeGesture, moved=QPointF(12, -7))
    assert (here.canvas.camera.x, here.canvas.camera.y) == (camera.x + 12, camera.y - 7)
    here.canvas.viewport.zoom_to(0.6)
    native(here, Native.SmartZoomNativeGesture)
    assert here.canvas.camera.scale == 1.0
