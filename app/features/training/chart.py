"""A chart of some series over all rounds of a training, with the round shown, and the numbers under the pointer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_line import mixed
from gradwire.app.look.chart_pieces import Pieces, draw_pieces, pieces_of
from gradwire.app.look.chart_scale import LOG, Scale, scale_of
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, inked, kept
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.ticks import ticks
from gradwire.app.look.widgets import ThemedWidget
from gradwire.engine.base.tensor_spec import Array

# The token of the colour behind a chart.
GROUND = "bg.app"
# A series is reduced to its extremes in so many columns, about as many as it has on a screen.
COLUMNS = 2048
# The lines of one chart differ by their pattern, not by their colour alone.
# Units: widths of the line, drawn and left out in turn; nothing for a solid line.
PATTERNS = ((), (4, 2), (1, 2), (4, 2, 1, 2), (8, 2), (2, 1.5), (8, 2, 1, 2), (4, 2, 1, 2, 1, 2))
# Lines of one colour also differ by their share of the background, so that neighbours are told apart.
SHADES = (0.0, 0.35, 0.18)
# Room at the left of the lines, above and below them, of the titles, and of a name at the end of a line that has come
# to the last round. Units: px at texts of 100 %.
SIDE, TOP, BELOW, TITLE, NAMES = 56, 29, 36, 26, 54
# Lines have no room to be drawn in below this width or height. Units: px.
SMALLEST = 20


@dataclass(frozen=True)
class Line:
    """A series with its name and the token of its colour.

    `place` is that among the lines of its colour: it decides pattern and shade.
    """

    name: str
    rounds: Array
    numbers: Array
    token: str = "value"
    place: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether no round between its first and its last lacks a number."""
        return bool((np.diff(self.rounds) == 1).all())

    def text_at(self, n: int) -> str:
        """Returns the number in round n, or the one measured last before it with its round; "" where there is none."""
        place = int(np.searchsorted(self.rounds, n, "right")) - 1
        if place < 0:
            return ""
        number, measured = fmt(float(self.numbers[place])), int(self.rounds[place])
        return number if measured == n else tr("{number} in {round}", number=number, round=f"{measured:,}")


@dataclass(frozen=True)
class Contents:
    """The series of a chart with a title and a `note` behind it; `nothing` is the sentence where there are no numbers.

    The names of lines stand in a legend behind the title, else at their ends.
    """

    title: str
    lines: Sequence[Line] = ()
    nothing: str = ""
    note: str = ""
    is_log: bool = False
    has_legend: bool = False


@dataclass(frozen=True)
class Frame:
    """The room of the lines of a chart, and the scales of its axes."""

    room: QRectF
    rounds: Scale
    numbers: Scale

    def points(self, rounds: Array, numbers: Array) -> tuple[Array, Array]:
        """Returns the places of numbers."""
        y = self.room.bottom() - np.clip(self.numbers.share(numbers), -0.1, 1.1) * self.room.height()
        return self.across(rounds), y

    def across(self, rounds: Array) -> Array:
        """Returns the places of rounds."""
        return self.room.left() + self.rounds.share(rounds) * self.room.width()


class Chart(ThemedWidget):
    """A chart with a title. `pointed(int)` carries the round under the pointer, -1 when it leaves."""

    pointed = Signal(int)

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, name)
        self._shown = Contents("")
        self._drawn: Sequence[tuple[Line, Pieces]] = ()
        self._end, self._at, self._marked = 1, 0, -1
        # The chart without its mark as it was drawn last; null where something has changed since.
        self._picture = QPixmap()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)
        appearance.restyled.connect(self._draw_anew)

    def sizeHint(self) -> QSize:
        """Returns a small size: the chart expands into free space."""
        return QSize(320, 161)

    def show_contents(self, shown: Contents, end: int, at: int) -> None:
        """Shows some series over the rounds to the end; those behind the round shown are still to come."""
        self._shown = replace(shown, lines=[line for line in shown.lines if line.rounds.size])
        self._end, self._at = max(end, 1), at
        self._drawn = [(line, _reduced(line, self._end)) for line in self._shown.lines]
        self.setAccessibleName(shown.title)
        ends = [f"{line.name} {fmt(float(line.numbers[-1]))}" for line in self._shown.lines]
        self.setAccessibleDescription("; ".join(ends) or shown.nothing)
        self._draw_anew()

    def mark(self, n: int) -> None:
        """Marks a round and shows the numbers there; -1 marks none."""
        self._marked = n
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emits the round under the pointer."""
        frame = self._frame(QRectF(self.rect()))
        if frame is not None:
            share = (event.position().x() - frame.room.left()) / max(frame.room.width(), 1)
            self.pointed.emit(round(min(max(share, 0), 1) * self._end))

    def leaveEvent(self, event: QEvent) -> None:
        """Emits that no round is under the pointer."""
        self.pointed.emit(-1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the chart."""
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._drawn_picture())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_reading(painter, QRectF(self.rect()))

    # Drawing

    def _draw_anew(self) -> None:
        """Draws the chart before it is painted: while a training runs, the frame has the canvas to paint too."""
        self._picture = QPixmap()
        if self.isVisible():
            self._drawn_picture()
        self.update()

    def _drawn_picture(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._picture.size() != self.size() * ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self._appearance.theme.color(GROUND))
            with QPainter(self._picture) as painter:
                self.draw(painter, QRectF(self.rect()))
        return self._picture

    def _frame(self, whole: QRectF) -> Frame | None:
        numbers = [item for _, pieces in self._drawn for _, item in (*pieces.lines, pieces.marks)]
        found = scale_of(numbers, self._shown.is_log)
        side, top, below, names = (length * self._scale for length in (SIDE, TOP, BELOW, NAMES))
        room = whole.adjusted(side, top, -(SIDE / 4 if self._shown.has_legend else names), -below)
        if found is None or min(room.width(), room.height()) < SMALLEST:
            return None
        return Frame(room, Scale(0, self._end), rounded(found, numbers))

    def draw(self, painter: QPainter, whole: QRectF) -> None:
        """Draws all but the numbers under the pointer into a room."""
        theme, frame = self._appearance.theme, self._frame(whole)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_title(painter, theme, whole)
        if frame is None:
            inked(painter, theme.color("text.tertiary"), font=font("ui", 11 * self._scale))
            box = whole.adjusted(SIDE * self._scale, TOP * self._scale, -SIDE / 4, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self._shown.nothing)
            return
        self._draw_axes(painter, theme, frame, whole)
        self._draw_round(painter, theme, frame, self._at)
        with kept(painter):
            painter.setClipRect(frame.room.adjusted(-1, -2, 1, 2))
            for line, pieces in self._drawn:
                lines = (frame.points(*part) for part in pieces.lines)
                draw_pieces(painter, _pen(theme, line), lines, frame.points(*pieces.marks), line.place)
        if not self._shown.has_legend:
            self._draw_names(painter, theme, frame, whole)

    def _draw_title(self, painter: QPainter, theme: Theme, whole: QRectF) -> None:
        """Writes the title, and behind it its note or the legend."""
        scale, high = self._scale, TITLE * self._scale
        x = whole.left() + SIDE * scale
        inked(painter, theme.color("text.primary"), font=font("ui", 12 * scale, 600))
        painter.drawText(QRectF(x, whole.top(), whole.right() - x, high), LEFT, self._shown.title)
        x += text_width("ui", 12, 600, self._shown.title) * scale + 12
        painter.setFont(font("ui", 11 * scale))
        metrics = QFontMetricsF(painter.font())
        if self._shown.note:
            painter.setPen(theme.color("text.secondary"))
            note = metrics.elidedText(self._shown.note, Qt.TextElideMode.ElideRight, whole.right() - x)
            painter.drawText(QRectF(x, whole.top(), whole.right() - x, high), LEFT, note)
        for line in self._shown.lines if self._shown.has_legend else ():
            y = whole.top() + high / 2
            painter.setPen(_pen(theme, line))
            painter.drawLine(QLineF(x + 4, y, x + 4 + 20 * scale, y))
            x += 24 * scale + 6
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(QRectF(x, whole.top(), whole.right() - x, high), LEFT, line.name)
            x += metrics.horizontalAdvance(line.name) + 16

    def _draw_axes(self, painter: QPainter, theme: Theme, frame: Frame, whole: QRectF) -> None:
        """Writes the numbers of both axes, with lines through the room."""
        room, high, edge = frame.room, 16 * self._scale, theme.color("border.subtle")
        painter.setFont(font("mono", 10 * self._scale))
        painter.setPen(theme.color("text.secondary"))
        numbers, count = frame.numbers, max(2, int(room.height() // (20 * self._scale)))
        if numbers.kind == LOG:
            count = min(count, round(math.log10(numbers.high / numbers.low)))
        found = numbers.ticks(count)
        for tick in found if len(found) < 5 or numbers.is_log else found[::2]:
            y = round(room.bottom() - float(numbers.share(np.array(tick))) * room.height())
            painter.fillRect(QRectF(room.left(), y, room.width(), 1), edge)
            column = QRectF(whole.left(), y - high / 2, room.left() - whole.left() - 6, high)
            painter.drawText(column, RIGHT, fmt(tick))
        count = max(2, int(room.width() // (100 * self._scale)))
        for tick in filter(float.is_integer, ticks(0, self._end, count)):
            text = f"{round(tick):,}"
            half = text_width("mono", 10 * self._scale, 400, text) / 2
            x = float(frame.across(np.array(tick)))
            x = min(max(x, room.left() + half), room.right() - half)
            painter.drawText(QRectF(x - half, room.bottom() + 3, 2 * half, high), CENTRE, text)

    def _draw_round(self, painter: QPainter, theme: Theme, frame: Frame, n: int) -> None:
        x = round(float(frame.across(np.array(n)))) + 0.5
        if 0 < n <= self._end:
            painter.setPen(QPen(theme.color("text.tertiary"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(x, frame.room.top(), x, frame.room.bottom()))

    def _draw_names(self, painter: QPainter, theme: Theme, frame: Frame, whole: QRectF) -> None:
        """Writes the name of each line at its end, moved apart where they would overlap."""
        high = 13 * self._scale
        lines = [line for line in self._shown.lines if np.isfinite(float(line.numbers[-1]))]
        ends = [frame.points(line.rounds[-1:], line.numbers[-1:]) for line in lines]
        painter.setFont(font("ui", 11 * self._scale, 600))
        metrics = QFontMetricsF(painter.font())
        tops = apart([float(y[0]) - high / 2 for _, y in ends], high, frame.room.top(), frame.room.bottom())
        for top, (x, _), line in zip(tops, ends, lines, strict=True):
            if top is not None:
                box = QRectF(float(x[0]) + 8, top, whole.right() - float(x[0]) - 8, high)
                text = metrics.elidedText(line.name, Qt.TextElideMode.ElideMiddle, box.width())
                inked(painter, theme.color(line.token)).drawText(box, LEFT, text)

    def _draw_reading(self, painter: QPainter, whole: QRectF) -> None:
        """Draws the round under the pointer, and a box beside it with the number of each line there."""
        theme, frame = self._appearance.theme, self._frame(whole)
        if self._marked < 0 or frame is None:
            return
        self._draw_round(painter, theme, frame, self._marked)
        rows = [(line.name, text) for line in self._shown.lines if (text := line.text_at(self._marked))]
        rows = [(tr("round {round}", round=f"{self._marked:,}"), ""), *rows]
        high = 14 * self._scale
        rows = rows[: max(int((frame.room.height() - 8) // high), 1)]
        painter.setFont(font("ui", 10.5 * self._scale))
        names = max(QFontMetricsF(painter.font()).horizontalAdvance(name) for name, _ in rows)
        digits = max(text_width("mono", 10.5 * self._scale, 400, text) for _, text in rows)
        size = QSizeF(names + digits + 26, len(rows) * high + 8)
        x = float(frame.across(np.array(self._marked)))
        left = x + 8 if x + 8 + size.width() <= frame.room.right() else x - 8 - size.width()
        box = QRectF(QPointF(max(left, frame.room.left()), frame.room.top() + 2), size)
        inked(painter, QPen(theme.color("border.subtle"), 1), theme.color("bg.overlay")).drawRoundedRect(box, 4, 4)
        for place, (name, text) in enumerate(rows):
            row = QRectF(box.left() + 8, box.top() + 4 + place * high, box.width() - 16, high)
            inked(painter, theme.color("text.secondary"), font=font("ui", 10.5 * self._scale))
            painter.drawText(row, LEFT, name)
            inked(painter, theme.color("text.primary"), font=font("mono", 10.5 * self._scale))
            painter.drawText(row, RIGHT, text)


def rounded(scale: Scale, series: Sequence[Array]) -> Scale:
    """Returns a scale that ends at round numbers: powers of ten, or multiples that take in 0."""
    if scale.kind == LOG:
        first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
        return Scale(10.0**first, 10.0 ** max(last, first + 1), True) if first > -300 and last < 300 else scale
    if scale.is_log:
        return scale
    known = np.concatenate([item[np.isfinite(item)] for item in series])
    low, high = min(0.0, float(known.min())), max(0.0, float(known.max()))
    found = ticks(low, high, 4)
    if len(found) < 2:
        return scale
    step = found[1] - found[0]
    return Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step)


def apart(tops: Sequence[float], high: float, first: float, last: float) -> list[float | None]:
    """Returns the tops of names of one height between two bounds, moved as far as they would overlap.

    None for those that find no room, the lowest ones.
    """
    order = sorted(range(len(tops)), key=lambda number: tops[number])[: int((last - first) // high)]
    placed: dict[int, float] = {}
    top, bottom = first, last
    for number in order:
        placed[number] = max(tops[number], top)
        top = placed[number] + high
    for number in reversed(order):
        bottom = placed[number] = min(placed[number], bottom - high)
    return [placed.get(number) for number in range(len(tops))]


def _pen(theme: Theme, line: Line) -> QPen:
    color: QColor = mixed(theme.color(line.token), theme.color(GROUND), 1 - SHADES[line.place % len(SHADES)])
    pen, pattern = QPen(color, 1.8), PATTERNS[line.place % len(PATTERNS)]
    if pattern:
        pen.setDashPattern(pattern)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _reduced(line: Line, end: int) -> Pieces:
    # What was measured seldom is joined too: a line from number to number is easier to follow than marks.
    joined = np.arange(line.rounds.size) > 0
    return pieces_of(line.rounds, line.numbers, joined).reduced(0, end + 1, COLUMNS)
