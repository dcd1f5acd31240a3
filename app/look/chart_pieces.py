"""A series in pieces: lines through what was measured without a gap, and marks where a number stands alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gradwire.app.look.chart_line import draw_series
from gradwire.app.look.chart_scale import reduced
from gradwire.app.look.drawing import filled
from gradwire.engine.base.tensor_spec import Array

# Radius of a mark. Units: px.
MARK = 1.8
# Corners of marks, seen from their middle: a disc of this size has no need of more. Units: radii.
_DISC = tuple((math.cos(turn * math.pi / 6), math.sin(turn * math.pi / 6)) for turn in range(12))
_DIAMOND = ((0, -1.6), (1.6, 0), (0, 1.6), (-1.6, 0))
_LYING, _STANDING = ((-2, -0.5), (2, -0.5), (2, 0.5), (-2, 0.5)), ((-0.5, -2), (0.5, -2), (0.5, 2), (-0.5, 2))
_SQUARE = ((-1.1, -1.1), (1.1, -1.1), (1.1, 1.1), (-1.1, 1.1))
_UP, _DOWN = ((0, -1.6), (1.5, 1.2), (-1.5, 1.2)), ((0, 1.6), (1.5, -1.2), (-1.5, -1.2))
SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (_DISC, _DIAMOND, _SQUARE, _UP, _LYING, _DOWN, _STANDING)


class Pieces(NamedTuple):
    """Lines, and marks of numbers whose neighbours were not measured, as rounds and numbers each."""

    lines: tuple[tuple[Array, Array], ...]
    marks: tuple[Array, Array]

    def reduced(self, first: float, last: float, columns: int) -> Pieces:
        """Returns pieces with at most their extremes in each of so many columns of pixels between two rounds.

        Marks have the extremes in each of their own widths: more of them would cover each other.
        """
        lines = tuple(reduced(*line, first, last, columns) for line in self.lines)
        return Pieces(lines, reduced(*self.marks, first, last, max(int(columns / (2 * MARK)), 1)))


def pieces_of(rounds: Array, numbers: Array, joined: Array | None = None) -> Pieces:
    """Returns the pieces of a series; without `joined` neighbours are those whose rounds follow each other.

    Numbers that are not finite are left out, and nothing is drawn across them.
    """
    if joined is None:
        joined = np.diff(rounds, prepend=rounds[:1]) == 1
    known = np.isfinite(numbers)
    is_tied = joined & known & np.append(False, known[:-1])[: known.size]
    starts = np.flatnonzero(~is_tied)
    ends = np.append(starts[1:], rounds.size)
    is_long = ends - starts > 1
    lines = tuple(
        (rounds[start:end], numbers[start:end])
        for start, end in zip(starts[is_long].tolist(), ends[is_long].tolist(), strict=True)
    )
    alone = starts[~is_long]
    alone = alone[known[alone]]
    return Pieces(lines, (rounds[alone], numbers[alone]))


def draw_pieces(
    painter: QPainter, pen: QPen, lines: Iterable[tuple[Array, Array]], marks: tuple[Array, Array], place: int = 0
) -> None:
    """Draws lines through points, and a mark of the shape of a `place` for each number that stands alone. Units: px."""
    for x, y in lines:
        draw_series(painter, x, y, pen)
    # Marks in one pixel look like one.
    places = np.unique(np.rint(np.stack(marks, 1)), axis=0)
    draw_marks(painter, pen.color(), [QPointF(x, y) for x, y in places.tolist()], place)


def draw_marks(painter: QPainter, color: QColor, places: Sequence[QPointF], place: int) -> None:
    """Draws marks: discs, or shapes by which lines of one colour are told apart."""
    filled(painter, color)
    polygon = QPolygonF([QPointF(x * MARK, y * MARK) for x, y in SHAPES[place % len(SHAPES)]])
    for at in places:
        painter.drawPolygon(polygon.translated(at))
