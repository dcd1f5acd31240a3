from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QPointF
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.flight import Flight, between
from gradwire.app.look.motion import set_moves

AT = QPointF(300, 200)


@pytest.fixture
def _moving(qapp: object) -> Iterator[None]:
    set_moves(True)
    yield
    set_moves(None)


def test_the_ends_of_the_way_are_the_cameras_themselves() -> None:
    start, end = Camera(0.5, 10, 20), Camera(2.0, -300, 40)
    assert between(start, end, 0.0) == start
    assert between(start, end, 1.0) == end


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_zooming_keeps_the_point_under_the_pointer(share: float) -> None:
    start = Camera(0.5, 10, 20)
    on_the_way = between(start, start.zoomed(2.0, AT), share)
    # Offsets are whole px.
    assert (on_the_way.to_view(start.to_scene(AT)) - AT).manhattanLength() <= 3


def test_half_of_the_way_to_four_times_the_scale_is_twice_the_scale() -> None:
    assert between(Camera(0.5), Camera(2.0), 0.5).scale == pytest.approx(1.0)


def test_without_motion_the_camera_is_there_at_once(qapp: object) -> None:
    seen: list[Camera] = []
    parent = QObject()
    flight = Flight(seen.append, parent)
    flight.go(Camera(), Camera(2.0, 5, 6))
    assert seen == [Camera(2.0, 5, 6)]
    assert flight.end is None


@pytest.mark.usefixtures("_moving")
def test_a_flight_ends_exactly_where_it_was_sent(qtbot: QtBot) -> None:
    seen: list[Camera] = []
    parent = QObject()
    flight = Flight(seen.append, parent)
    flight.go(Camera(), Camera(2.0, 50, 60), 30)
    assert flight.end == Camera(2.0, 50, 60)
    qtbot.waitUntil(lambda: flight.end is None)
    assert seen[-1] == Camera(2.0, 50, 60)


@pytest.mark.usefixtures("_moving")
def test_landing_leaves_the_camera_where_it_is(qtbot: QtBot) -> None:
    seen: list[Camera] = []
    parent = QObject()
    flight = Flight(seen.append, parent)
    flight.go(Camera(), Camera(2.0, 50, 60), 5000)
    flight.land()
    assert flight.end is None
    assert Camera(2.0, 50, 60) not in seen
