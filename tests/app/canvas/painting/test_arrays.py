"""Drawing many lines and rectangles at once gives what drawing them one by one gives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QLineF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gradwire.app.canvas.painting.arrays import draw_lines, draw_rects, draw_whole_rects
from tests.app.canvas.pages import painted, pixels

pytestmark = pytest.mark.usefixtures("qapp")


def draw_lines_one_by_one(painter: QPainter, lines: np.ndarray) -> None:
    painter.drawLines([QLineF(*line) for line in lines.tolist() if line[:2] != line[2:]])


def draw_rects_one_by_one(painter: QPainter, rects: np.ndarray) -> None:
    painter.drawRects([QRectF(*rect) for rect in rects.tolist()])


def draw_whole_rects_one_by_one(painter: QPainter, corners: np.ndarray) -> None:
    painter.drawRects([QRect(left, top, right - left, bottom - top) for left, top, right, bottom in corners.tolist()])


Draw = Callable[[QPainter, np.ndarray], None]
PAIRS = [(draw_lines, draw_lines_one_by_one), (draw_rects, draw_rects_one_by_one)]
NAMES = ["lines", "rectangles"]
COORDINATES = st.integers(-20, 120).map(lambda number: number / 2)
ROWS = st.integers(0, 40).flatmap(lambda count: arrays(np.float64, (count, 4), elements=COORDINATES))


def picture(draw: Draw, rows: np.ndarray) -> np.ndarray:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(QColor("#ffcc00"), 1.5))
        painter.setBrush(QColor("#3366ff"))
        draw(painter, rows)

    return pixels(painted(QSize(64, 64), paint))


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@pytest.mark.parametrize(("at_once", "one_by_one"), PAIRS, ids=NAMES)
@given(rows=ROWS)
def test_at_once_is_pixel_for_pixel_one_by_one(at_once: Draw, one_by_one: Draw, rows: np.ndarray) -> None:
    assert np.array_equal(picture(at_once, rows), picture(one_by_one, rows))


@pytest.mark.parametrize(("at_once", "one_by_one"), PAIRS, ids=NAMES)
@pytest.mark.parametrize(
    "view",
    [
        lambda rows: rows[::3],
        lambda rows: rows[::-1],
        lambda rows: np.asfortranarray(rows),
        lambda rows: np.tile(rows, 2)[:, 2:6],
        lambda rows: rows.astype(np.float32),
        lambda rows: rows.round().astype(np.int64),
        lambda rows: rows[:1],
    ],
    ids=["every third", "backwards", "columns first", "inner columns", "float32", "integers", "one"],
)
def test_any_memory_layout_is_drawn_alike(at_once: Draw, one_by_one: Draw, view: Callable) -> None:
    rows = view(np.random.default_rng(3).uniform(0, 60, (30, 4)))
    assert np.array_equal(picture(at_once, rows), picture(one_by_one, rows))
    assert picture(at_once, rows).any(axis=2).sum() > 255 // 8


@pytest.mark.parametrize("draw", [draw_lines, draw_rects], ids=NAMES)
def test_nothing_draws_nothing(draw: Draw) -> None:
    assert np.array_equal(picture(draw, np.zeros((0, 4))), picture(lambda *_: None, np.zeros((0, 4))))


def test_lines_without_length_leave_no_mark() -> None:
    points = np.array([[10.0, 10.0, 10.0, 10.0], [30.0, 40.0, 30.0, 40.0]])
    assert np.array_equal(picture(draw_lines, points), picture(lambda *_: None, points))


@pytest.mark.parametrize("draw", [draw_lines, draw_rects], ids=NAMES)
def test_drawing_leaves_the_array_as_it_was(draw: Draw) -> None:
    rows = np.random.default_rng(4).uniform(0, 60, (20, 4))
    before = rows.copy()
    picture(draw, rows)
    assert np.array_equal(rows, before)


@pytest.mark.long
@settings(deadline=None, max_examples=40)
@given(rows=st.integers(0, 20).flatmap(lambda count: arrays(np.int64, (count, 4), elements=st.integers(-9, 70))))
def test_whole_rectangles_at_once_are_those_one_by_one(rows: np.ndarray) -> None:
    corners = np.concatenate([np.minimum(rows[:, :2], rows[:, 2:]), np.maximum(rows[:, :2], rows[:, 2:]) + 1], axis=1)
    pictures = [whole_picture(draw, corners) for draw in (draw_whole_rects, draw_whole_rects_one_by_one)]
    assert np.array_equal(*pictures)


def whole_picture(draw: Draw, corners: np.ndarray) -> np.ndarray:
    def paint(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#3366ff"))
        draw(painter, corners)

    return pixels(painted(QSize(64, 64), paint))
