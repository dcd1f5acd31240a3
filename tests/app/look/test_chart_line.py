"""Lines of a chart, painted column by column where numbers are many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPainter, QPen, QPicture, QPolygonF

from gradwire.app.look.chart_line import covered, draw_series, mixed, polygon
from tests.app.drawn_shapes import recorded

SIZE, FORMAT = 60, QImage.Format.Format_RGB32


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


def shapes(device: QPaintDevice, x: list[float], pen: QPen, scale: float = 1.0) -> list[str]:
    """Returns what is drawn for a line of height 5 through places, each by its kind and its ends."""
    with recorded() as lines, QPainter(device) as painter:
        painter.scale(scale, 1)
        draw_series(painter, np.array(x), np.full(len(x), 5.0), pen)
    return lines


THIN, THICK = QPen(QColor("#8ccbf5"), 1), QPen(QColor("#8ccbf5"), 2)


@pytest.mark.parametrize(
    ("x", "scale", "kind"),
    [
        ([0, 0.5], 1, "line"),
        ([0, 0.5, 1], 1, "image"),
        ([0, 1, 2.9], 1, "image"),
        ([0, 1.5, 3], 1, "line"),
        ([0, 1.5, 3], 0.9, "image"),
        ([0, 0.5, 1], 3, "line"),
    ],
)
def test_a_line_with_more_points_than_pixels_is_painted_as_an_image(x: list[float], scale: float, kind: str) -> None:
    assert [item.split()[0] for item in shapes(QImage(SIZE, SIZE, FORMAT), x, THIN, scale)] == [kind]
    # Elsewhere a thick one is drawn in pieces.
    picture = QPicture()
    assert [item.split()[0] for item in shapes(picture, x, THICK, scale)] == ["lines" if kind == "image" else "line"]
    assert [item.split()[0] for item in shapes(QPicture(), x, THIN, scale)] == ["line"]


def test_a_point_alone_is_a_disc_of_3_px() -> None:
    assert shapes(QImage(SIZE, SIZE, FORMAT), [7.0], THIN) == ["ellipse 5.5 3.5 3 3 1px value"]


def test_pieces_of_a_dashed_line_follow_its_dashes() -> None:
    """Dashes of 1, 1, 3 and 1 times the width of 2 px: drawn up to 2, and from 4 to 10."""
    pen = QPen(THICK)
    pen.setDashPattern([1.0, 1.0, 3.0, 1.0])
    (line,) = shapes(QPicture(), [place / 2 for place in range(29)], pen)
    starts = [float(item.split()[0]) for item in line.removeprefix("lines ").split(", ")]
    assert starts == [place / 2 for place in range(28) if place / 2 % 12 < 2 or 4 <= place / 2 % 12 < 10]


def test_a_colour_is_mixed_by_its_share() -> None:
    assert mixed(QColor("#ff0000"), QColor("#0000ff"), 0.2).name() == "#3300cc"


def test_a_dense_line_has_the_colour_of_its_pen_where_it_covers_a_pixel_and_a_share_of_it_elsewhere() -> None:
    """A line of 3 px around 10.25 reaches from 8.75 to 11.75."""
    image = QImage(20, 20, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        draw_series(painter, np.linspace(2, 18, 200), np.full(200, 10.25), QPen(QColor("#8ccbf5"), 3))
    found = [image.pixelColor(10, row) for row in range(20)]
    assert [color.alphaF() for color in found[7:13]] == pytest.approx([0, 0.25, 1, 1, 0.75, 0], abs=0.004)
    assert {found[row].name() for row in (9, 10)} == {"#8ccbf5"}
    assert [image.pixelColor(column, 10).alpha() for column in (1, 2, 17, 18, 19)] == [0, 255, 255, 255, 0]
