"""Heat maps: painted as one image on a screen, as shapes into files, and both look alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPicture, QPolygonF

from gradwire.app.canvas.painting.blocks.heat_map import draw_heat, heat_colors
from gradwire.app.look.theme import Theme, theme
from tests.app.drawn_shapes import recorded

SIZE, BOX = 90, QRectF(2.6, 3.2, 80, 60)
CELLS = np.array([[1.0, -2.0, 0.5, 0.0], [-0.25, np.nan, 2.0, -1.0], [np.inf, -np.inf, 0.1, -0.1]])


@pytest.fixture(scope="module")
def dark(qapp: object) -> Theme:
    return theme("dark")


def rgb(image: QImage) -> np.ndarray:
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), :3].astype(float)


def painted(dark: Theme, scale: float, ratio: float, is_ours: bool) -> np.ndarray:
    """Returns a picture of the cells: ours, or rectangles and triangles by Qt."""
    image = QImage(round(SIZE * ratio), round(SIZE * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(dark.color("bg.canvas"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0.3, 0.45)
        painter.scale(scale, scale)
        if is_ours:
            draw_heat(painter, dark, BOX, CELLS)
            return rgb(image)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(dark.color("bg.canvas"))
        width, height = BOX.width() / 4, BOX.height() / 3
        for (row, column), item in np.ndenumerate(CELLS):
            cell = QRectF(BOX.left() + column * width, BOX.top() + row * height, width - 1, height - 1)
            color = dark.diverging(item / 2) if np.isfinite(item) else dark.color("alarm")
            painter.fillRect(cell, color)
            if np.isfinite(item) and item < 0:
                corner, notch = cell.topRight(), 0.35 * min(width, height)
                painter.drawPolygon(QPolygonF([corner, corner - QPointF(notch, 0), corner + QPointF(0, notch)]))
    return rgb(image)


@pytest.mark.parametrize(("scale", "ratio"), [(1.0, 1.0), (0.43, 1.0), (1.0, 2.0), (0.8, 1.5)])
def test_an_image_of_cells_looks_like_rectangles_with_notches(dark: Theme, scale: float, ratio: float) -> None:
    apart = np.abs(painted(dark, scale, ratio, is_ours=True) - painted(dark, scale, ratio, is_ours=False)).max(axis=2)
    # Slanted edges of the notches are shaded otherwise by Qt.
    assert np.mean(apart > 8) < 0.01
    assert apart.max() < 70


@given(arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.floats(allow_nan=False)))
def test_colors_are_those_of_the_scale_by_the_largest_size(cells: np.ndarray) -> None:
    dark = theme("dark")
    finite = np.abs(cells[np.isfinite(cells)])
    top = finite.max(initial=0.0) or 1.0
    for item, found in zip(cells.ravel(), heat_colors(dark, cells).reshape(-1, 4), strict=True):
        color = dark.diverging(item / top) if np.isfinite(item) else dark.color("alarm")
        assert QColor(*map(int, found)) == QColor(color.red(), color.green(), color.blue(), 255)


@pytest.mark.parametrize("box", [QRectF(1, 1, 0.4, 0.4), QRectF(1, 1, 2, 0), QRectF(1, 1, -3, 2), QRectF()])
def test_cells_without_room_paint_nothing_else(dark: Theme, box: QRectF) -> None:
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(QColor("black"))
    with QPainter(image) as painter:
        draw_heat(painter, dark, box, np.ones((3, 3)))
    painted = rgb(image)
    painted[1, 1] = 0
    assert not painted.any()


def test_files_keep_cells_as_shapes_with_notches_where_they_are_negative(dark: Theme) -> None:
    """Cells of 20 by 20 px have a gap of 1 px, and notches of 7 px at their upper right corners."""
    picture = QPicture()
    with QPainter(picture) as painter, recorded() as found:
        draw_heat(painter, dark, QRectF(10, 30, 40, 40), np.array([[1.0, -1.0], [np.nan, 0.0]]))
    boxes = [line.rpartition(" on ")[0] for line in found if line.startswith("fill")]
    assert boxes == [f"fill {x} {y} 19 19" for x, y in ((10, 30), (30, 30), (10, 50), (30, 50))]
    colors = [line.rpartition(" ")[2] for line in found if line.startswith("fill")]
    assert colors[2] == "alarm" and len(set(colors)) == 4
    assert [line for line in found if not line.startswith("fill")] == ["polygon 49 30 42 30 49 37 on bg.canvas"]
