"""Lines of a chart, painted column by column where numbers are many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from gradwire.app.look.chart_line import covered, draw_series, polygon

SIZE = 60


@given(st.floats(5, 50), st.floats(0.1, 9.0), st.integers(3, 40))
def test_a_level_line_covers_its_width_in_each_column(height: float, width: float, count: int) -> None:
    x = np.arange(10 * count) / 10
    found = covered(x, np.full(x.size, height), width)
    between = np.maximum(found.last - found.first - 1, 0)
    areas = found.first_share + between + found.last_share * (found.last > found.first)
    np.testing.assert_array_equal(found.columns, np.arange(count))
    np.testing.assert_allclose(areas, width, rtol=1e-9)


@given(st.lists(st.floats(5, 50), min_size=20, max_size=20))
def test_a_column_is_covered_from_its_lowest_to_its_highest_point(heights: list[float]) -> None:
    y = np.array(heights)
    found = covered(np.repeat(np.arange(5), 4) + 0.5, y, 1.0)
    for column, points in enumerate(y.reshape(5, 4)):
        before = y[max(4 * column - 1, 0)]
        assert found.first[column] == np.floor(min(points.min(), before) - 0.5)
        assert found.last[column] == np.ceil(max(points.max(), before) + 0.5) - 1


def painted(ratio: float, pen: QPen, x: np.ndarray, y: np.ndarray, is_whole: bool) -> np.ndarray:
    """Returns the brightness of a picture with a line: by us, or as one outline by Qt."""
    image = QImage(round(SIZE * ratio), round(SIZE * ratio), QImage.Format.Format_Grayscale8)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.black)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(2.25, 1.5)
        if is_whole:
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF([QPointF(*place) for place in zip(x.tolist(), y.tolist(), strict=True)]))
        else:
            draw_series(painter, x, y, pen)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()] / 255


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_dense_line_lies_where_qt_draws_its_outline(ratio: float) -> None:
    x = np.linspace(3, 50, 400)
    y = 28 + 5 * np.sin(x / 9)
    pen = QPen(QColor("white"), 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    ours, whole = (painted(ratio, pen, x, y, is_whole) for is_whole in (False, True))
    assert abs(ours.sum() - whole.sum()) < 0.2 * whole.sum()
    # Where Qt covers a pixel wholly, we cover it mostly; where it leaves all around a pixel out, we do too.
    assert ours[whole > 0.99].min() > 0.5
    near = np.pad(whole, 1)
    shifted = [
        near[row : row + whole.shape[0], column : column + whole.shape[1]] for row in range(3) for column in range(3)
    ]
    assert ours[np.max(shifted, axis=0) == 0].max() == 0


def test_dashes_leave_out_whole_columns() -> None:
    pen = QPen(QColor("white"), 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([3.0, 2.0])
    x = np.linspace(0, 50, 400)
    found = painted(1.0, pen, x, np.full(x.size, 20.0), is_whole=False).max(axis=0)
    # Drawn for 6 px, left out for 4, from where the line begins.
    shown = found[3:50] > 0
    assert 0.5 < shown.mean() < 0.7
    lengths = np.diff(np.flatnonzero(np.diff(np.concatenate([[False], shown, [False]]).astype(np.int8))))
    assert set(lengths[1:-1].tolist()) <= {3, 4, 5, 6, 7}


PLACES = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(PLACES, PLACES), max_size=20))
def test_a_polygon_has_the_numbers_as_they_are(places: list[tuple[float, float]]) -> None:
    x, y = np.array(places).reshape(-1, 2).T
    assert [point.toTuple() for point in polygon(x, y)] == places
