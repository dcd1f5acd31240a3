"""The plot of a slice: the loss as a curve, its present point, and the gradient as the tangent there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.features.slice.slice_text import spoken
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import CENTRE, RIGHT, draw_ring, filled, inked, kept, smooth
from gradwire.app.look.numbers import fmt, signed
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.ticks import ticks
from gradwire.app.look.widgets import ThemedWidget
from gradwire.engine.explain.slices import Slice

AXIS, TOP, BESIDE, LEAST_HEIGHT = 18, 8, 12, 48
# The tangent spans this share of the width. QPainter cannot draw larger numbers than FAR.
TANGENT, FAR = 0.4, 1e6
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


@dataclass(frozen=True)
class Frame:
    """A map from numbers to pixels: `room` spans the places `x` and the losses `y`, from low to high."""

    room: QRectF
    x: tuple[float, float]
    y: tuple[float, float]

    def point(self, place: float, loss: float) -> QPointF:
        """Returns the pixel position of a place and a loss."""
        across, up = _share(place, *self.x), _share(loss, *self.y)
        return QPointF(self.room.left() + across * self.room.width(), self.room.bottom() - up * self.room.height())


class SlicePlot(ThemedWidget):
    """The plot of a slice. `stepped(int)` asks for another element, `widened(int)` for another range.

    Left and right step; up, down and the wheel change the range.
    """

    stepped = Signal(int)
    widened = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        says, focus = tr("Curve of the loss"), Qt.FocusPolicy.StrongFocus
        super().__init__(appearance, parent, "slice_plot", says=says, focus=focus)
        self._slice: Slice | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(LEAST_HEIGHT)

    def sizeHint(self) -> QSize:
        """Returns a small size: the plot expands into free space."""
        return QSize(280, 120)

    def show_slice(self, slice: Slice, element: str, sentence: str) -> None:
        """Shows a slice along an element; screen readers read the sentence first."""
        self._slice = slice
        self.setAccessibleDescription(f"{sentence} {spoken(slice, element)}")
        self.update()

    @property
    def runs(self) -> list[list[tuple[float, float]]]:
        """The curve as places and losses, split at non-finite losses; it contains the present point exactly."""
        return [] if self._slice is None else _runs(self._slice)

    @property
    def frame(self) -> Frame | None:
        """The map from numbers to pixels; None if there is nothing to show."""
        if self._slice is None or not self.runs:
            return None
        low, high = _heights(self._slice)
        texts = [fmt(tick) for tick in ticks(low, high, self._rows)]
        wide = max((text_width("mono", 10 * self._scale, 400, text) for text in texts), default=0.0)
        room = QRectF(self.rect()).adjusted(wide + 16, TOP, -BESIDE, -AXIS * self._scale)
        places = self._slice.places
        return Frame(room, (float(places[0]), float(places[-1])), (low, high))

    @property
    def _rows(self) -> int:
        return max(2, int((self.height() - AXIS * self._scale - TOP) // (24 * self._scale)))

    # User input

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles the arrows, which step or change the range."""
        step, wider = _STEPS.get(Qt.Key(event.key()), (0, 0))
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not (step or wider):
            super().keyPressEvent(event)
        elif step:
            self.stepped.emit(step)
        else:
            self.widened.emit(wider)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Narrows the range if the wheel turns away from the user, as the canvas zooms in."""
        if event.angleDelta().y():
            self.widened.emit(-1 if event.angleDelta().y() > 0 else 1)
        event.accept()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the axes, the tangent below the curve, the present point, and the focus ring."""
        theme, frame = self._appearance.theme, self.frame
        with smooth(self) as painter:
            if frame is not None and self._slice is not None:
                self._paint_axes(painter, theme, frame)
                with kept(painter):
                    painter.setClipRect(frame.room.adjusted(-1, -4, 1, 4))
                    self._paint_lines(painter, theme, frame, self._slice)
                if math.isfinite(self._slice.loss):
                    _paint_point(painter, theme, frame, self._slice, self._scale)
            if self.hasFocus():
                draw_ring(painter, theme, QRectF(self.rect()), 4)

    def _paint_axes(self, painter: QPainter, theme: Theme, frame: Frame) -> None:
        room, high = frame.room, 16 * self._scale
        painter.setFont(font("mono", 10 * self._scale))
        for tick in ticks(*frame.y, self._rows):
            y = round(frame.point(frame.x[0], tick).y()) + 0.5
            painter.setPen(QPen(theme.color("border.subtle"), 1))
            painter.drawLine(QLineF(room.left(), y, room.right(), y))
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(QRectF(0, y - high / 2, room.left() - 8, high), RIGHT, fmt(tick))
        painter.setPen(theme.color("text.secondary"))
        for tick in ticks(*frame.x, max(2, int(room.width() // (64 * self._scale)))):
            half = text_width("mono", 10 * self._scale, 400, fmt(tick)) / 2 + 4
            x = min(max(frame.point(tick, frame.y[0]).x(), half), self.width() - half)
            painter.drawText(QRectF(x - half, room.bottom() + 2, 2 * half, high), CENTRE, fmt(tick))

    def _paint_lines(self, painter: QPainter, theme: Theme, frame: Frame, slice: Slice) -> None:
        inked(painter, QPen(theme.color("value"), 2), Qt.BrushStyle.NoBrush)
        for run in self.runs:
            points = [frame.point(*item) for item in run]
            painter.drawPolyline(QPolygonF(points))
            if len(points) == 1:
                painter.drawEllipse(points[0], 1, 1)
        if math.isfinite(slice.loss):
            if slice.true_slope is not None and not slice.is_tangent:
                painter.setPen(QPen(theme.color("text.secondary"), 1.5, Qt.PenStyle.DashLine))
                _paint_slope(painter, frame, slice, slice.true_slope)
            if math.isfinite(slice.slope):
                painter.setPen(QPen(theme.color("grad.text"), 2))
                _paint_slope(painter, frame, slice, slice.slope)


def _paint_slope(painter: QPainter, frame: Frame, slice: Slice, slope: float) -> None:
    """Paints a line of a slope through the present point."""
    reach = TANGENT / 2 * (frame.x[1] - frame.x[0])
    first, last = (frame.point(slice.at + side, slice.loss + side * slope) for side in (-reach, reach))
    painter.drawLine(first, last)


def _paint_point(painter: QPainter, theme: Theme, frame: Frame, slice: Slice, scale: float) -> None:
    """Paints the present point and labels its loss and slope; the labels avoid each other and the tangent."""
    at, room = frame.point(slice.at, slice.loss), frame.room
    painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(at.x(), at.y(), at.x(), room.bottom()))
    inked(painter, QPen(theme.color("value"), 2), theme.color("bg.app")).drawEllipse(at, 4.5, 4.5)
    painter.setFont(font("mono", 11 * scale))
    rises = slice.slope >= 0
    loss = tr("L = {loss}", loss=fmt(slice.loss))
    _label(painter, theme, room, loss, theme.color("value"), QPointF(at.x(), at.y() - 6 - 16 * scale), to_left=rises)
    texts = []
    if math.isfinite(slice.slope):
        texts.append((tr("slope {slope}", slope=signed(slice.slope)), "grad.text"))
    if slice.true_slope is not None and not slice.is_tangent:
        texts.append((tr("estimated slope {slope}", slope=signed(slice.true_slope)), "text.secondary"))
    for (text, token), (top, is_below) in zip(texts, label_tops(at.y(), room, scale), strict=False):
        place = QPointF(at.x(), top)
        _label(painter, theme, room, text, theme.color(token), place, to_left=rises is not is_below)


def label_tops(y: float, room: QRectF, scale: float = 1.0) -> list[tuple[float, bool]]:
    """Returns the possible tops of texts beside a point at `y`, best first, and whether each is below it.

    Texts above stand over the loss on its side of the tangent; tops outside the room come last.
    """
    below, above, line = y + 6, y - 6 - 16 * scale, 18 * scale
    places = [(below, True), (below + line, True), (above - line, False), (above - 2 * line, False)]
    return sorted(places, key=lambda place: not room.top() <= place[0] <= room.bottom() - 16 * scale)


def _label(
    painter: QPainter, theme: Theme, room: QRectF, text: str, color: QColor, at: QPointF, *, to_left: bool
) -> None:
    """Paints a text on a backdrop, at one side of a point and inside the room."""
    wide, high = painter.fontMetrics().horizontalAdvance(text) + 8, max(16, painter.fontMetrics().height() + 1)
    left = at.x() - wide - 8 if to_left else at.x() + 8
    box = QRectF(min(max(left, room.left()), room.right() - wide), at.y(), wide, high)
    box.moveTop(min(max(box.top(), room.top()), room.bottom() - high))
    ground = QColor(theme.color("bg.app"))
    ground.setAlphaF(0.88)
    filled(painter, ground).drawRoundedRect(box, 4, 4)
    inked(painter, color).drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _share(number: float, low: float, high: float) -> float:
    # Halved first: the difference of the ends may overflow.
    share = (number / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)
    return min(max(share, -FAR), FAR)


def _heights(slice: Slice) -> tuple[float, float]:
    """Returns the lowest and the highest loss, with a margin."""
    known = [*slice.losses[np.isfinite(slice.losses)].tolist(), *[slice.loss] * math.isfinite(slice.loss)]
    low, high = min(known), max(known)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = 0.1 * max(abs(low), abs(high)) or 1.0
    else:
        room = 0.08 * (high / 2 - low / 2) * 2
    return low - room, high + room


def _runs(slice: Slice) -> list[list[tuple[float, float]]]:
    """Returns the runs of places and losses between the gaps, jumps and poles."""
    breaks = iter([*slice.breaks, math.inf])
    following = next(breaks)
    pairs = {**dict(zip(slice.places.tolist(), slice.losses.tolist(), strict=True)), slice.at: slice.loss}
    runs: list[list[tuple[float, float]]] = [[]]
    for place in sorted(pairs):
        while place > following:
            # No line leads across a jump or a pole.
            runs += [[]] if runs[-1] else []
            following = next(breaks)
        if math.isfinite(pairs[place]):
            runs[-1].append((place, pairs[place]))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]
