"""A chart of some series over the rounds of a training, with a name at the end of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_line import draw_series, mixed
from gradwire.app.look.chart_scale import Scale, reduced, scale_of
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.ticks import ticks
from gradwire.engine.base.tensor_spec import Array

AXIS, TOP, TITLE, GAP = 18, 6, 20, 8
# The lines of one chart differ by their pattern, not by their colour alone.
PATTERNS = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
# Names at the ends of lines take at most this share of the width.
NAMES_SHARE = 0.3
# The share of its colour that a line behind others keeps.
FAINT = 0.35


@dataclass(frozen=True)
class Line:
    """A series with the name at its end, the token of its colour, and whether it lies behind the others."""

    name: str
    rounds: Array
    numbers: Array
    token: str = "value"
    is_faint: bool = False


@dataclass(frozen=True)
class _Frame:
    room: QRectF
    rounds: Scale
    numbers: Scale

    def points(self, rounds: Array, numbers: Array) -> list[QPointF]:
        x = self.room.left() + self.rounds.share(rounds) * self.room.width()
        y = self.room.bottom() - np.clip(self.numbers.share(numbers), -0.1, 1.1) * self.room.height()
        return [QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)]


class Chart(QWidget):
    """A chart with a title. `pointed(int)` carries the round under the pointer, -1 when it leaves."""

    pointed = Signal(int)

    def __init__(self, appearance: Appearance, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._title = appearance, title
        self._lines: Sequence[Line] = ()
        self._is_log, self._marked, self._nothing = True, -1, ""
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 90)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns a small size: the chart expands into free space."""
        return QSize(320, 150)

    def show_lines(self, lines: Sequence[Line], nothing: str) -> None:
        """Shows some series, or the sentence `nothing` where there are no numbers."""
        self._lines, self._nothing = [line for line in lines if line.rounds.size], nothing
        ends = [f"{line.name} {fmt(float(line.numbers[-1]))}" for line in self._lines if not line.is_faint]
        self.setAccessibleDescription("; ".join(ends) or nothing)
        self.update()

    def set_log(self, is_log: bool) -> None:
        """Chooses a logarithmic or a linear axis."""
        self._is_log = is_log
        self.update()

    def mark(self, n: int) -> None:
        """Marks a round and shows the numbers there; -1 marks none."""
        self._marked = n
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emits the round under the pointer."""
        frame = self._frame(QRectF(self.rect()))
        if frame is None:
            return
        share = (event.position().x() - frame.room.left()) / max(frame.room.width(), 1)
        n = round(frame.rounds.low + min(max(share, 0), 1) * (frame.rounds.high - frame.rounds.low))
        self.pointed.emit(int(n))

    def leaveEvent(self, event: QEvent) -> None:
        """Emits that no round is under the pointer."""
        self.pointed.emit(-1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the chart."""
        with QPainter(self) as painter:
            self.draw(painter, QRectF(self.rect()))

    # Drawing

    @property
    def _scale(self) -> float:
        return self._appearance.text_scale

    def _frame(self, whole: QRectF) -> _Frame | None:
        numbers = scale_of([line.numbers for line in self._lines], self._is_log)
        if numbers is None:
            return None
        first = min(float(line.rounds[0]) for line in self._lines)
        last = max(float(line.rounds[-1]) for line in self._lines)
        texts = [fmt(tick) for tick in (*numbers.ticks(self._rows(whole)), numbers.high)]
        left = max(_width(text, 10 * self._scale) for text in texts) + GAP
        names = max((_width(line.name, 10 * self._scale) for line in self._lines if line.name), default=0.0)
        right = min(names + 12, whole.width() * NAMES_SHARE)
        top = (TITLE + TOP) * self._scale
        room = whole.adjusted(left + 4, top, -right, -AXIS * self._scale)
        return _Frame(room, Scale(first, max(last, first + 1)), numbers)

    def _rows(self, whole: QRectF) -> int:
        return max(2, int((whole.height() - (AXIS + TITLE + TOP) * self._scale) // (26 * self._scale)))

    def draw(self, painter: QPainter, whole: QRectF) -> None:
        """Draws the chart into a room, of this widget or of a picture."""
        theme, frame = self._appearance.theme, self._frame(whole)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_title(painter, theme, whole)
        if frame is None or frame.room.width() < 20 or frame.room.height() < 20:
            painter.setFont(font("ui", 11 * self._scale))
            painter.setPen(theme.color("text.tertiary"))
            box = whole.adjusted(0, TITLE * self._scale, 0, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self._nothing)
            return
        self._draw_axes(painter, theme, frame, whole)
        painter.save()
        painter.setClipRect(frame.room.adjusted(-1, -2, 1, 2))
        for number, line in enumerate(self._lines):
            self._draw_line(painter, theme, frame, line, number)
        painter.restore()
        self._draw_names(painter, theme, frame, whole)
        if self._marked >= 0:
            self._draw_mark(painter, theme, frame)

    def _draw_title(self, painter: QPainter, theme: Theme, whole: QRectF) -> None:
        painter.setFont(font("ui", 12 * self._scale, 600))
        painter.setPen(theme.color("text.primary"))
        box = QRectF(whole.left(), whole.top(), whole.width(), TITLE * self._scale)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._title)
        if self._marked >= 0:
            painter.setFont(font("mono", 10.5 * self._scale))
            painter.setPen(theme.color("text.secondary"))
            text = tr("round {round}", round=f"{self._marked:,}")
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_axes(self, painter: QPainter, theme: Theme, frame: _Frame, whole: QRectF) -> None:
        painter.setFont(font("mono", 10 * self._scale))
        room, high = frame.room, 16 * self._scale
        for tick in frame.numbers.ticks(self._rows(whole)):
            y = round(room.bottom() - float(frame.numbers.share(np.array(tick))) * room.height()) + 0.5
            painter.setPen(QPen(theme.color("border.subtle"), 1))
            painter.drawLine(QLineF(room.left(), y, room.right(), y))
            painter.setPen(theme.color("text.secondary"))
            box = QRectF(whole.left(), y - high / 2, room.left() - whole.left() - GAP, high)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, fmt(tick))
        for tick in ticks(frame.rounds.low, frame.rounds.high, max(2, int(room.width() // (72 * self._scale)))):
            if tick != round(tick):
                continue
            text = f"{round(tick):,}"
            half = _width(text, 10 * self._scale) / 2 + 2
            x = room.left() + float(frame.rounds.share(np.array(tick))) * room.width()
            x = min(max(x, whole.left() + half), whole.right() - half)
            box = QRectF(x - half, room.bottom() + 2, 2 * half, high)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_line(self, painter: QPainter, theme: Theme, frame: _Frame, line: Line, number: int) -> None:
        is_shown = np.isfinite(line.numbers) & ((line.numbers > 0) | (not frame.numbers.is_log))
        rounds, numbers = line.rounds[is_shown], line.numbers[is_shown]
        if not rounds.size:
            return
        columns = max(int(frame.room.width()), 1)
        points = frame.points(*reduced(rounds, numbers, frame.rounds.low, frame.rounds.high, columns))
        color, width, pattern = QColor(theme.color(line.token)), 1.8, PATTERNS[self._place(line, number)]
        if line.is_faint:
            # Transparency takes ten times as long.
            color, width, pattern = mixed(color, theme.color("bg.chrome"), FAINT), 1.0, PATTERNS[0]
        draw_series(painter, points, QPen(color, width, pattern), len(points) > columns)

    def _place(self, line: Line, number: int) -> int:
        """Returns the pattern of a line: its place among those of its colour."""
        before = (item for item in self._lines[:number] if item.token == line.token and not item.is_faint)
        return sum(1 for _ in before) % len(PATTERNS)

    def _draw_names(self, painter: QPainter, theme: Theme, frame: _Frame, whole: QRectF) -> None:
        """Writes the name of each line at its end, moved apart where they would overlap."""
        high = 13 * self._scale
        named = [line for line in self._lines if line.name and not line.is_faint]
        ends = {line.name: frame.points(line.rounds[-1:], line.numbers[-1:])[0].y() for line in named}
        painter.setFont(font("ui", 10.5 * self._scale))
        metrics, top = QFontMetricsF(painter.font()), frame.room.top()
        for line in sorted(named, key=lambda line: ends[line.name]):
            y = max(ends[line.name] - high / 2, top)
            if y + high > whole.bottom():
                break
            box = QRectF(frame.room.right() + 6, y, whole.right() - frame.room.right() - 6, high)
            painter.setPen(theme.color(line.token))
            text = metrics.elidedText(line.name, Qt.TextElideMode.ElideMiddle, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            top = y + high

    def _draw_mark(self, painter: QPainter, theme: Theme, frame: _Frame) -> None:
        x = frame.room.left() + float(frame.rounds.share(np.array(self._marked))) * frame.room.width()
        if not frame.room.left() - 1 <= x <= frame.room.right() + 1:
            return
        painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(x, frame.room.top(), x, frame.room.bottom()))


def _width(text: str, px: float) -> float:
    return QFontMetricsF(font("mono", px)).horizontalAdvance(text)
