"""The camera maps between page and screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gradwire.app.canvas.geometry.view.camera import VIEW_MARGIN, Camera, fitted, started_at, way_into_view

# Sums and products of numbers below 1e5.
NEAR = 1e-6
PLACES = st.floats(-5000, 5000)
SCALES = st.floats(0.1, 4.0)
CAMERAS = st.builds(Camera, SCALES, PLACES, PLACES)
POINTS = st.builds(QPointF, PLACES, PLACES)
RECTS = st.builds(QRectF, PLACES, PLACES, st.floats(1, 9000), st.floats(1, 9000))
VIEWS = st.builds(QSizeF, st.floats(200, 4000), st.floats(120, 3000))


def apart(a: QPointF, b: QPointF) -> float:
    return (a - b).manhattanLength()


@given(CAMERAS, POINTS)
def test_to_the_scene_and_back_is_the_same_point(camera: Camera, point: QPointF) -> None:
    assert apart(camera.to_view(camera.to_scene(point)), point) < NEAR


@given(CAMERAS, POINTS)
def test_a_painter_draws_where_the_camera_sees(camera: Camera, point: QPointF) -> None:
    assert apart(camera.transform().map(point), camera.to_view(point)) < NEAR


@given(CAMERAS, RECTS)
def test_a_rectangle_maps_corner_by_corner(camera: Camera, rect: QRectF) -> None:
    seen = camera.rect_to_view(rect)
    assert apart(seen.topLeft(), camera.to_view(rect.topLeft())) < NEAR
    assert apart(seen.bottomRight(), camera.to_view(rect.bottomRight())) < NEAR
    assert apart(camera.rect_to_scene(seen).bottomRight(), rect.bottomRight()) < NEAR


@given(CAMERAS, SCALES, POINTS)
def test_zooming_leaves_the_point_under_the_pointer(camera: Camera, scale: float, at: QPointF) -> None:
    # The offset is a whole number of px: half a px an axis.
    assert apart(camera.zoomed(scale, at).to_view(camera.to_scene(at)), at) <= 1 + NEAR


@given(CAMERAS, st.floats(1e-6, 1e6), POINTS)
def test_zooming_goes_up_to_four(camera: Camera, scale: float, at: QPointF) -> None:
    assert camera.zoomed(scale, at).scale == min(scale, 4)


@given(CAMERAS, SCALES, POINTS)
def test_a_zoom_leaves_whole_px(camera: Camera, scale: float, at: QPointF) -> None:
    found = camera.zoomed(scale, at)
    assert found.x == int(found.x) and found.y == int(found.y)


@given(CAMERAS, st.integers(-500, 500), st.integers(-500, 500), POINTS)
def test_dragging_moves_every_point_alike(camera: Camera, dx: int, dy: int, point: QPointF) -> None:
    moved = camera.moved(dx, dy)
    assert apart(moved.to_view(point), camera.to_view(point) + QPointF(dx, dy)) < NEAR
    assert moved.scale == camera.scale


@given(CAMERAS, POINTS, VIEWS)
def test_centring_brings_a_point_to_the_middle(camera: Camera, point: QPointF, view: QSizeF) -> None:
    found = camera.centred(point, view)
    assert found.scale == camera.scale
    assert apart(found.to_view(point), QPointF(view.width() / 2, view.height() / 2)) <= 1 + NEAR


@given(RECTS, VIEWS)
def test_fitting_shows_all_of_a_rectangle_with_a_margin(rect: QRectF, view: QSizeF) -> None:
    seen = fitted(rect, view).rect_to_view(rect)
    whole = QRectF(0, 0, view.width(), view.height())
    # At 200 by 120 px, the smallest canvas, an eighth of a side is left free.
    margin = min(24, view.width() / 8, view.height() / 8) - 1
    assert whole.adjusted(margin, margin, -margin, -margin).contains(seen)


@given(RECTS, VIEWS)
def test_fitting_is_as_large_as_it_may_be(rect: QRectF, view: QSizeF) -> None:
    camera = fitted(rect, view)
    seen = camera.rect_to_view(rect)
    fills = seen.width() >= view.width() - 49 or seen.height() >= view.height() - 49
    assert camera.scale == 1 or (camera.scale < 1 and fills)


@given(RECTS, VIEWS, st.floats(0.5, 3))
def test_fitting_goes_no_nearer_than_asked(rect: QRectF, view: QSizeF, largest: float) -> None:
    assert fitted(rect, view, largest).scale <= largest


@given(RECTS, VIEWS, PLACES, PLACES)
def test_a_start_leaves_nothing_empty_beside_a_page_that_is_larger(
    rect: QRectF, view: QSizeF, right: float, down: float
) -> None:
    room = QRectF(QPointF(0, 20), view)
    seen = started_at(rect, QPointF(right, down), room, 1.0).rect_to_view(rect)
    spans = ((seen.left(), seen.right(), 0, view.width()), (seen.top(), seen.bottom(), 20, 20 + view.height()))
    for low, high, start, end in spans:
        if high - low > end - start - 48:
            assert low <= start + 25 and high >= end - 25
        else:
            assert low - start == pytest.approx(end - high, abs=2)


@pytest.mark.parametrize("rect", [QRectF(), QRectF(5, 5, 0, 40)])
def test_nothing_is_fitted_at_100_percent(rect: QRectF) -> None:
    assert fitted(rect, QSizeF(400, 300)).scale == 1


@given(RECTS, VIEWS)
def test_the_way_into_view_is_the_shortest_one(seen: QRectF, view: QSizeF) -> None:
    way = way_into_view(seen, view)
    spans = ((seen.left(), seen.right(), way.x(), view.width()), (seen.top(), seen.bottom(), way.y(), view.height()))
    for low, high, moved, room in spans:
        margin = min(VIEW_MARGIN, room / 8)
        if high - low > room - 2 * margin:
            # Of what is too large the start is seen.
            assert margin - NEAR <= low + moved <= room - margin + NEAR
        elif low >= margin and high <= room - margin:
            assert moved == 0
        else:
            edge = margin - low if low < margin else room - margin - high
            assert moved == pytest.approx(edge)
