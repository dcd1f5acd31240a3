"""The way of a page out of the way: all that was seen still is, moved no farther and made no smaller than it must."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMarginsF, QRectF

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.refit import MARGIN, given_way

WINDOW = QRectF(0, 100, 1366, 600)


def around(rect: QRectF, room: QRectF) -> bool:
    """Whether a rectangle lies in a room, but for the half px to which a camera is rounded."""
    return room.adjusted(-1, -1, 1, 1).contains(rect)


def test_what_has_room_stays_where_it_is() -> None:
    area, camera = QRectF(50, 150, 900, 400), Camera()
    assert given_way(camera, area, WINDOW, QRectF(0, 100, 1066, 600)) == camera


def test_what_lacks_room_on_one_side_moves_by_what_is_missing() -> None:
    area = QRectF(200, 150, 900, 400)
    # The area ends at 1100; it has to end a margin before 1066.
    assert given_way(Camera(), area, WINDOW, QRectF(0, 100, 1066, 600)) == Camera(1.0, 1066 - MARGIN - 1100, 0)


def test_what_is_too_wide_shrinks_to_the_room() -> None:
    area = QRectF(50, 150, 1200, 400)
    camera = given_way(Camera(), area, WINDOW, QRectF(0, 100, 1066, 600))
    assert camera.scale == pytest.approx((1066 - 2 * MARGIN) / 1200)
    seen = camera.rect_to_view(area)
    assert (seen.left(), seen.right()) == pytest.approx((MARGIN, 1066 - MARGIN), abs=0.5)


def test_what_stood_at_the_edge_may_stand_there_again() -> None:
    area = QRectF(0, 100, 1366, 600)
    camera = given_way(Camera(), area, WINDOW, QRectF(0, 100, 1366, 300))
    assert camera.scale == pytest.approx(0.5)
    seen = camera.rect_to_view(area)
    assert (seen.top(), seen.bottom()) == pytest.approx((100, 400), abs=0.5)


@given(
    st.tuples(st.floats(0, 600), st.floats(100, 400), st.floats(20, 760), st.floats(20, 300)),
    st.tuples(st.floats(0, 300), st.floats(0, 150), st.floats(0, 500), st.floats(0, 350)),
    st.floats(0.3, 2),
)
def test_what_was_seen_still_is(
    place: tuple[float, float, float, float], taken: tuple[float, float, float, float], scale: float
) -> None:
    camera, (left, top, right, bottom) = Camera(scale, 10, 20), taken
    area, room = camera.rect_to_scene(QRectF(*place)), WINDOW.adjusted(left, top, -right, -bottom)
    found = given_way(camera, area, WINDOW, room)
    assert around(found.rect_to_view(area), room)
    assert found.scale <= camera.scale
    if around(camera.rect_to_view(area), room.adjusted(MARGIN + 1, MARGIN + 1, -MARGIN - 1, -MARGIN - 1)):
        assert found == camera


def test_below_a_page_stays_room_for_the_names_of_its_blocks() -> None:
    area = QRectF(100, 100, 400, 500)
    for below in (MARGIN, 40.0):
        free = QMarginsF(MARGIN, MARGIN, MARGIN, below)
        camera = given_way(Camera(), area, WINDOW, QRectF(0, 0, 1366, 560), free)
        seen = camera.rect_to_view(area)
        assert 560 - seen.bottom() == pytest.approx(below, abs=1)
