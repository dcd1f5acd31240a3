"""The painted page as one pixmap, without a canvas: what it fits, scrolls and shows, and which parts are painted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap, QRegion

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.painting.cache import base_layer as module
from gradwire.app.canvas.painting.cache.base_layer import BaseLayer
from tests.app.canvas.pages import painted

pytestmark = pytest.mark.usefixtures("qapp")
SIZE, CAMERA = QSize(200, 100), Camera(1.0, 10, 20)


class Noting(BaseLayer):
    """A layer that notes the parts that it has to paint."""

    def __init__(self) -> None:
        self.painted: list[tuple[int, ...]] = []
        super().__init__(lambda _, part: self.painted.append(part.getRect()))


@pytest.fixture
def layer() -> Noting:
    return Noting()


def boxes(region: QRegion) -> list[tuple[int, ...]]:
    return sorted(rect.getRect() for rect in region)  # type: ignore[attr-defined]


def test_a_layer_fits_once_it_is_begun_until_it_is_discarded(layer: Noting) -> None:
    assert not layer.has_ratio(1.0) and not layer.fits(Camera()) and not layer.is_whole
    layer.begin(CAMERA, SIZE, 2.0)
    assert layer.has_ratio(2.0) and not layer.has_ratio(1.0)
    assert layer.fits(CAMERA) and not layer.fits(Camera(1.0, 10, 21))
    paper = QPixmap(SIZE)
    with QPainter(paper) as painter:
        assert layer.show(painter, CAMERA) == QRect(QPoint(), SIZE)
    layer.discard()
    assert not layer.has_ratio(2.0) and not layer.fits(CAMERA) and not layer.is_whole


@pytest.mark.parametrize(
    ("ratio", "way", "strips"),
    [
        (1.0, (0, 0), []),
        (1.0, (30, 0), [(0, 0, 30, 100)]),
        (1.0, (-30, 0), [(170, 0, 30, 100)]),
        (1.0, (0, -7), [(0, 93, 200, 7)]),
        (2.0, (10, 0), [(0, 0, 5, 100)]),
        (2.0, (0, 7), [(0, 0, 200, 4)]),  # half a px is painted as a whole one
        (2.0, (-10, 0), [(195, 0, 5, 100)]),
    ],
)
def test_a_scrolled_layer_lacks_strips(layer: Noting, ratio: float, way: tuple[int, int], strips: list[object]) -> None:
    layer.begin(CAMERA, SIZE, ratio)
    moved = CAMERA.moved(way[0] / ratio, way[1] / ratio)
    assert boxes(layer.scroll(moved, *way)) == strips
    assert layer.fits(moved)


@pytest.mark.parametrize(
    ("pieces", "painted_parts"),
    [
        ([(0, 0, 10, 10)], [(0, 0, 10, 10)]),
        # Two small pieces near to each other are painted as one rectangle, far from each other by themselves.
        ([(0, 0, 10, 10), (30, 30, 10, 10)], [(0, 0, 40, 40)]),
        ([(0, 0, 10, 10), (990, 990, 10, 10)], [(0, 0, 10, 10), (990, 990, 10, 10)]),
        # To begin a piece costs as much as 100,000 square px.
        ([(0, 0, 1000, 10), (0, 110, 1000, 10)], [(0, 0, 1000, 120)]),
        ([(0, 0, 1000, 10), (0, 111, 1000, 10)], [(0, 0, 1000, 10), (0, 111, 1000, 10)]),
    ],
)
def test_pieces_are_painted_alone_where_that_spares_enough(
    layer: Noting, pieces: list[tuple[int, ...]], painted_parts: list[tuple[int, ...]]
) -> None:
    layer.begin(CAMERA, QSize(1000, 1000), 1.0)
    region = QRegion()
    for piece in pieces:
        region += QRect(*piece)
    layer.paint(region)
    assert layer.painted == painted_parts


@pytest.mark.parametrize(
    ("camera", "covered"),
    [
        (CAMERA, (0, 0, 200, 100)),
        (Camera(1.0, 15, 13), (5, -7, 200, 100)),
        (Camera(2.0, 20, 40), (0, 0, 400, 200)),
        (Camera(0.5, 30, 50), (25, 40, 100, 50)),
    ],
)
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_another_camera_sees_what_is_painted_moved_and_scaled(
    layer: Noting, camera: Camera, covered: tuple[int, ...], ratio: float
) -> None:
    layer.begin(CAMERA, SIZE, ratio)
    found: list[QRect] = []

    def show(painter: QPainter) -> None:
        found.append(layer.show(painter, camera))

    painted(QSize(300, 200), show)
    assert found[0].getRect() == covered


def test_getting_ready_goes_on_for_one_camera_and_begins_anew_for_another(
    layer: Noting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that goes on by 4 ms at each look: 5 ms while the camera moves, 12 ms while it rests."""
    clock, begun = [0.0], [0]

    def tick() -> float:
        clock[0] += 0.004
        return clock[0]

    def prepare() -> Iterator[None]:
        begun[0] += 1
        for _ in range(6):
            yield

    monkeypatch.setattr(module.time, "perf_counter", tick)
    assert not layer.is_ready(CAMERA, prepare) and begun == [1]
    assert not layer.is_ready(Camera(2.0), prepare) and begun == [2]
    assert not layer.is_ready(Camera(2.0), prepare) and begun == [2]
    assert layer.is_ready(Camera(2.0), prepare) and begun == [2]
    assert not layer.is_ready(Camera(2.0), prepare) and begun == [3]
    layer.discard()
    assert not layer.is_ready(Camera(2.0), prepare) and begun == [4]
