"""Draws points, curves, histograms, fits and boundaries of a block."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.axes import Axes, axes_in, draw_axes
from gradwire.app.canvas.painting.monitors.markers import draw_marks, token_of
from gradwire.app.canvas.painting.monitors.pictures import Boundary, Curves, Histogram, Points, Rounds
from gradwire.app.canvas.painting.monitors.pixels import image_of
from gradwire.app.look.chart_line import finite_runs, polygon
from gradwire.app.look.chart_pieces import draw_pieces, pieces_of
from gradwire.app.look.chart_scale import Scale, scale_of
from gradwire.app.look.drawing import faded, kept
from gradwire.engine.base.tensor_spec import Array

# Units: px at 100 %.
DOT, LINE, CONTOUR = 2.2, 1.8, 1.4
# Marks are smaller where they are many, so that they can be told apart.
SMALLEST_MARK, MARK, MARK_SHARE = 1.2, 2.8, 0.22
PATTERNS = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
# How strongly a boundary colours its classes: where they are close, and at most.
_FAINT, _STRONG = 0.10, 0.34
# Strength of a bar, and the room above the highest one as a share of it.
BAR, HEADROOM = 0.6, 0.06
# Colour of what a histogram is compared with.
COMPARED = "text.primary"
_UNKNOWN = Scale(-1.0, 1.0)


def draw_points(painter: QPainter, look: Look, box: QRectF, shown: Points, has_numbers: bool) -> None:
    """Draws points of the plane, each with the mark of its class."""
    at = shown.at[np.isfinite(shown.at).all(axis=1)]
    scales = [scale_of([at[:, axis]], is_log=False) or _UNKNOWN for axis in (0, 1)]
    axes = axes_in(look, box, scales[0], scales[1], has_numbers)
    draw_axes(painter, look, axes)
    _draw_marks(painter, look, axes, shown)


def draw_curves(painter: QPainter, look: Look, box: QRectF, shown: Curves, token: str, has_numbers: bool) -> None:
    """Draws lines, and dots beside them; the axes show all of both."""
    dots = np.zeros((0, 2)) if shown.dots is None else shown.dots[np.isfinite(shown.dots).all(axis=1)]
    x = scale_of([shown.x, dots[:, 0]], is_log=False) or _UNKNOWN
    known = shown.x[np.isfinite(shown.x)]
    if known.size and known.max() > known.min():
        x = Scale(float(known.min()), float(known.max()))
    y = scale_of([shown.y.ravel(), dots[:, 1]], is_log=False) or _UNKNOWN
    axes = axes_in(look, box, x, y, has_numbers)
    draw_axes(painter, look, axes)
    with kept(painter):
        painter.setClipRect(axes.room.adjusted(-4, -4, 4, 4), Qt.ClipOperation.IntersectClip)
        for number, line in enumerate(shown.y.T):
            draw_line(painter, look, axes, (shown.x, line), token, PATTERNS[number % len(PATTERNS)])
        draw_marks(painter, look.theme, axes.points(dots[:, 0], dots[:, 1]), DOT, None)


def draw_histogram(painter: QPainter, look: Look, box: QRectF, shown: Histogram, token: str, has_numbers: bool) -> None:
    """Draws shares as bars, and those to compare with as an outline of steps."""
    others = np.zeros(0) if shown.others is None else shown.others
    top = max(float(shown.shares.max(initial=0)), float(others.max(initial=0))) or 1.0
    x = Scale(float(shown.edges[0]), float(shown.edges[-1]))
    axes = axes_in(look, box, x, Scale(0.0, top * (1 + HEADROOM)), has_numbers)
    draw_axes(painter, look, axes)
    for left, right, share in zip(shown.edges[:-1], shown.edges[1:], shown.shares, strict=True):
        painter.fillRect(axes.box((left, 0.0), (right, share)), faded(look.theme.color(token), BAR))
    if shown.others is not None:
        steps = np.repeat(shown.edges, 2), np.concatenate([[0.0], np.repeat(shown.others, 2), [0.0]])
        draw_line(painter, look, axes, steps, COMPARED, Qt.PenStyle.SolidLine)


def draw_rounds(painter: QPainter, look: Look, box: QRectF, shown: Rounds, token: str, has_numbers: bool) -> None:
    """Draws a number over the rounds of a training: of many, the extremes in each column of pixels."""
    columns = max(2, int(box.width() * look.scale))
    first, last = float(shown.rounds[0]), float(shown.rounds[-1])
    pieces = pieces_of(shown.rounds, shown.numbers, shown.joined).reduced(first, last, columns)
    axes = axes_in(look, box, Scale(first, max(last, first + 1)), rounds_scale(shown), has_numbers)
    draw_axes(painter, look, axes)
    with kept(painter):
        painter.setClipRect(axes.room.adjusted(-2, -2, 2, 2), Qt.ClipOperation.IntersectClip)
        lines = (axes.places(x.astype(np.float64), y) for x, y in pieces.lines)
        draw_pieces(painter, QPen(look.theme.color(token), LINE), lines, axes.places(*pieces.marks))


def rounds_scale(shown: Rounds) -> Scale:
    """Returns the scale of the numbers of a training."""
    return scale_of([shown.numbers], shown.is_log) or _UNKNOWN


def draw_line(
    painter: QPainter, look: Look, axes: Axes, places: tuple[Array, Array], token: str, pattern: Qt.PenStyle
) -> None:
    """Draws a line through places, with gaps where they are not finite."""
    painter.setPen(QPen(look.theme.color(token), LINE, pattern, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for run in finite_runs(*places):
        painter.drawPolyline(polygon(*axes.places(*run)))


def draw_boundary(painter: QPainter, look: Look, box: QRectF, shown: Boundary, has_numbers: bool) -> None:
    """Draws the plane in the colours of its classes, stronger where they are clear, lines between them, and points."""
    axes = axes_in(look, box, Scale(shown.low[0], shown.high[0]), Scale(shown.low[1], shown.high[1]), has_numbers)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(axes.box(shown.low, shown.high), image_of(_shades(look, shown)))
    draw_axes(painter, look, axes)
    painter.setPen(QPen(look.theme.color("text.primary"), CONTOUR))
    ends = axes.points(shown.contour[:, [0, 2]].ravel(), shown.contour[:, [1, 3]].ravel())
    painter.drawLines([QLineF(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)])
    _draw_marks(painter, look, axes, shown.points)


def _shades(look: Look, shown: Boundary) -> Array:
    """Returns the colours of the plane, the highest row first. Shapes: (rows, columns, 4)."""
    colors = [look.theme.color(token_of(number)) for number in range(int(shown.classes.max()) + 1)]
    table = np.array([(color.red(), color.green(), color.blue()) for color in colors], np.float64)
    alpha = 255 * (_FAINT + (_STRONG - _FAINT) * np.sqrt(shown.margins))
    return np.concatenate([table[shown.classes], alpha[..., np.newaxis]], axis=2)[::-1]


def _draw_marks(painter: QPainter, look: Look, axes: Axes, shown: Points) -> None:
    known = np.isfinite(shown.at).all(axis=1)
    each = math.sqrt(axes.room.width() * axes.room.height() / max(len(shown.at), 1))
    radius = min(max(MARK_SHARE * each, SMALLEST_MARK), MARK)
    groups: list[tuple[int | None, Array]] = [(None, np.asarray(known))]
    if shown.classes is not None:
        groups = [(number, known & (shown.classes == number)) for number in np.unique(shown.classes).tolist()]
    for number, rows in groups:
        at: list[QPointF] = axes.points(shown.at[rows, 0], shown.at[rows, 1])
        draw_marks(painter, look.theme, at, radius, number)
