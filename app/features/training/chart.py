"""A chart of some series over the rounds of a training, with a name at the end of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.features.training.chart_axes import TITLE, Frame, Titles, draw_axes, draw_titles, frame_in
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_line import mixed
from gradwire.app.look.chart_pieces import Pieces, draw_marks, draw_pieces, pieces_of
from gradwire.app.look.chart_scale import Scale, scale_of
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, inked, kept
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import named
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
# The share of its colour that a line behind others keeps: transparency takes ten times as long.
FAINT = 0.24
# Names at the ends of lines take at most this share of the width.
NAMES_SHARE = 0.3


@dataclass(frozen=True)
class Line:
    """A series with the name at its end, the token of its colour, and whether it lies behind the others.

    `place` is that among the lines of its colour: it decides pattern and shade. `joined` says which numbers have the
    one before them as neighbour: only those are joined by a line. What is no number of the title `is_other`: it has
    an axis of its own, at the right.
    """

    name: str
    rounds: Array
    numbers: Array
    token: str = "value"
    is_faint: bool = False
    place: int = 0
    joined: Array | None = None
    is_other: bool = False

    @property
    def has_neighbours(self) -> bool:
        """Whether any two numbers are joined by a line."""
        joined = np.diff(self.rounds) == 1 if self.joined is None else self.joined
        return bool(joined.any())

    def text_at(self, n: int) -> str:
        """Returns the number in round n, or the one measured last before it with its round; "" where there is none."""
        place = int(np.searchsorted(self.rounds, n, "right")) - 1
        if place < 0:
            return ""
        number, measured = fmt(float(self.numbers[place])), int(self.rounds[place])
        return number if measured == n else tr("{number} in {round}", number=number, round=f"{measured:,}")


@dataclass(frozen=True)
class Contents:
    """The series of a chart with a title; `nothing` is the sentence where there are no numbers.

    A `band` of numbers is shaded. A chart of shares has a linear scale from 0 to 1. The axis of rounds has the `span`
    of these lines, unless charts share one. `other_title` names the axis at the right, which may be linear always.
    """

    title: str
    lines: Sequence[Line] = ()
    nothing: str = ""
    band: tuple[float, float] | None = None
    is_share: bool = False
    span: tuple[int, int] | None = None
    other_title: str = ""
    has_linear_others: bool = False


class Chart(QWidget):
    """A chart with a title. `pointed(int)` carries the round under the pointer, -1 when it leaves."""

    pointed = Signal(int)

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._shown = appearance, Contents("")
        self._drawn: Sequence[tuple[Line, Pieces]] = ()
        self._is_log, self._marked = True, -1
        # The chart without its mark as it was drawn last; null where something has changed since.
        self._picture = QPixmap()
        named(self, name).setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 90)
        appearance.changed.connect(self._draw_anew)
        appearance.texts_changed.connect(self._draw_anew)

    def sizeHint(self) -> QSize:
        """Returns a small size: the chart expands into free space."""
        return QSize(320, 150)

    def show_contents(self, shown: Contents) -> None:
        """Shows some series."""
        lines = [line for line in shown.lines if line.rounds.size]
        self._shown = replace(shown, lines=lines, span=shown.span or span_of(lines))
        self._drawn = [(line, _reduced(line, *self.span)) for line in lines]
        self.setAccessibleName(shown.title)
        ends = [f"{line.name} {fmt(float(line.numbers[-1]))}" for line in lines if not line.is_faint]
        self.setAccessibleDescription("; ".join(ends) or shown.nothing)
        self._draw_anew()

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last round of the axis."""
        return self._shown.span or (0, 1)

    def set_log(self, is_log: bool) -> None:
        """Chooses a logarithmic or a linear axis."""
        self._is_log = is_log
        self._draw_anew()

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
            painter.drawPixmap(0, 0, self._drawn_picture())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_mark(painter, QRectF(self.rect()))

    # Drawing

    def _draw_anew(self, *_: object) -> None:
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
                self._draw_still(painter, QRectF(self.rect()))
        return self._picture

    def _scale_of(self, is_other: bool) -> Scale | None:
        """Returns the scale of the lines of one axis, and of the band, if there are any."""
        drawn = [pieces for line, pieces in self._drawn if line.is_other is is_other]
        numbers = [item for pieces in drawn for _, item in (*pieces.lines, pieces.marks)]
        band = [np.array(self._shown.band)] if self._shown.band is not None and numbers and not is_other else []
        return scale_of([*numbers, *band], self._is_log and not (is_other and self._shown.has_linear_others))

    @property
    def _scale(self) -> float:
        return self._appearance.text_scale

    def _frame(self, whole: QRectF) -> Frame | None:
        others = self._scale_of(is_other=True)
        is_share = self._shown.is_share and bool(self._shown.lines)
        numbers = Scale(0.0, 1.0) if is_share else self._scale_of(is_other=False) or others
        if numbers is None:
            return None
        widths = (text_width("mono", 10 * self._scale, 400, line.name) for line in self._shown.lines)
        names = min(max(widths, default=0.0) + 12, whole.width() * NAMES_SHARE)
        return frame_in(whole, self.span, (numbers, others), names, self._scale)

    @property
    def _titles(self) -> Titles:
        token = next((line.token for line in self._shown.lines if line.is_other), "text.secondary")
        return Titles(self._shown.title, self._shown.other_title, token)

    def draw(self, painter: QPainter, whole: QRectF) -> None:
        """Draws the chart into a room of a picture."""
        self._draw_still(painter, whole)
        self._draw_mark(painter, whole)

    def _draw_still(self, painter: QPainter, whole: QRectF) -> None:
        """Draws all but the mark, which follows the pointer."""
        theme, frame = self._appearance.theme, self._frame(whole)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_titles(painter, theme, whole, frame, self._titles, self._scale)
        if frame is None:
            inked(painter, theme.color("text.tertiary"), font=font("ui", 11 * self._scale))
            box = whole.adjusted(0, TITLE * self._scale, 0, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self._shown.nothing)
            return
        self._draw_band(painter, theme, frame)
        draw_axes(painter, theme, frame, self._titles.token)
        with kept(painter):
            painter.setClipRect(frame.room.adjusted(-1, -2, 1, 2))
            for line, pieces in self._drawn:
                self._draw_line(painter, theme, frame, line, pieces)
        self._draw_names(painter, theme, frame, whole)

    def _draw_band(self, painter: QPainter, theme: Theme, frame: Frame) -> None:
        if self._shown.band is None:
            return
        shares = np.clip(frame.numbers.share(np.array(self._shown.band)), 0, 1) * frame.room.height()
        bottom, top = (frame.room.bottom() - float(share) for share in shares)
        color = QColor(theme.color("ok"))
        color.setAlphaF(0.13)
        painter.fillRect(QRectF(frame.room.left(), top, frame.room.width(), bottom - top), color)

    def _draw_line(self, painter: QPainter, theme: Theme, frame: Frame, line: Line, pieces: Pieces) -> None:
        scale, columns = _scale_in(frame, line), max(int(frame.room.width()), 1)
        seen = pieces.reduced(frame.rounds.low, frame.rounds.high, columns)
        lines = (frame.points(scale, *part) for part in seen.lines)
        draw_pieces(painter, _pen(theme, line), lines, frame.points(scale, *seen.marks), line.place)

    def _draw_names(self, painter: QPainter, theme: Theme, frame: Frame, whole: QRectF) -> None:
        """Writes the name of each line at its end, moved apart where they would overlap."""
        high = 13 * self._scale
        ends = [
            (float(frame.points(_scale_in(frame, line), line.rounds[-1:], line.numbers[-1:])[1][0]), line)
            for line in self._shown.lines
            if line.name and not line.is_faint and np.isfinite(float(line.numbers[-1]))
        ]
        painter.setFont(font("ui", 10.5 * self._scale))
        metrics, left = QFontMetricsF(painter.font()), frame.room.right() + 6 + frame.beside
        tops = apart([end - high / 2 for end, _ in ends], high, frame.room.top(), frame.room.bottom())
        for y, (_, line) in zip(tops, ends, strict=True):
            if y is not None:
                box = QRectF(left, y, whole.right() - left, high)
                text = metrics.elidedText(line.name, Qt.TextElideMode.ElideMiddle, box.width())
                inked(painter, theme.color(line.token)).drawText(box, LEFT, text)

    def _draw_mark(self, painter: QPainter, whole: QRectF) -> None:
        """Draws the round that is marked, if any, with its number in the title and those of the lines beside it."""
        if self._marked < 0:
            return
        theme, frame = self._appearance.theme, self._frame(whole)
        inked(painter, theme.color("text.secondary"), font=font("mono", 10.5 * self._scale))
        title = QRectF(whole.left(), whole.top(), whole.width(), TITLE * self._scale)
        text = tr("round {round}", round=f"{self._marked:,}")
        painter.drawText(title, CENTRE, text)
        if frame is None:
            return
        x = frame.room.left() + float(frame.rounds.share(np.array(self._marked))) * frame.room.width()
        if not frame.room.left() - 1 <= x <= frame.room.right() + 1:
            return
        painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(x, frame.room.top(), x, frame.room.bottom()))
        self._draw_reading(painter, theme, frame, x)

    def _draw_reading(self, painter: QPainter, theme: Theme, frame: Frame, x: float) -> None:
        """Draws a box beside the mark with the number of each line there, and a sample of its pattern."""
        rows = [(line, text) for line in self._shown.lines if line.name and (text := line.text_at(self._marked))]
        high, sample = 14 * self._scale, 18 * self._scale
        room = int((frame.room.height() - 8) // high)
        if not rows or room < 1:
            return
        rows = rows[:room]
        painter.setFont(font("ui", 10.5 * self._scale))
        metrics = QFontMetricsF(painter.font())
        names = min(max(metrics.horizontalAdvance(line.name) for line, _ in rows), 0.4 * frame.room.width())
        digits = max(text_width("mono", 10.5 * self._scale, 400, text) for _, text in rows)
        size = QSizeF(sample + names + digits + 26, len(rows) * high + 8)
        left = x + 8 if x + 8 + size.width() <= frame.room.right() else x - 8 - size.width()
        box = QRectF(QPointF(max(left, frame.room.left()), frame.room.top() + 2), size)
        inked(painter, QPen(theme.color("border.subtle"), 1), theme.color("bg.overlay")).drawRoundedRect(box, 4, 4)
        for place, (line, text) in enumerate(rows):
            row = QRectF(box.left() + 8, box.top() + 4 + place * high, box.width() - 16, high)
            y = row.center().y()
            if line.has_neighbours:
                painter.setPen(_pen(theme, line))
                painter.drawLine(QLineF(row.left(), y, row.left() + sample, y))
            else:
                draw_marks(painter, _color(theme, line), [QPointF(row.left() + sample / 2, y)], line.place)
            inked(painter, theme.color("text.secondary"), font=font("ui", 10.5 * self._scale))
            name = metrics.elidedText(line.name, Qt.TextElideMode.ElideMiddle, names)
            painter.drawText(row.adjusted(sample + 5, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)
            inked(painter, theme.color("text.primary"), font=font("mono", 10.5 * self._scale))
            painter.drawText(row, RIGHT, text)


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


def _color(theme: Theme, line: Line) -> QColor:
    share = FAINT if line.is_faint else 1 - SHADES[line.place % len(SHADES)]
    return mixed(theme.color(line.token), theme.color(GROUND), share)


def _pen(theme: Theme, line: Line) -> QPen:
    pen = QPen(_color(theme, line), 1 if line.is_faint else 1.8)
    pattern = PATTERNS[line.place % len(PATTERNS)]
    if pattern and not line.is_faint:
        pen.setDashPattern(pattern)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def span_of(lines: Sequence[Line]) -> tuple[int, int]:
    """Returns the first and the last round of some lines."""
    ends = [number for line in lines if line.rounds.size for number in (int(line.rounds[0]), int(line.rounds[-1]))]
    return (min(ends), max(ends)) if ends else (0, 1)


def _reduced(line: Line, first: int, last: int) -> Pieces:
    return pieces_of(line.rounds, line.numbers, line.joined).reduced(first, last + 1, COLUMNS)


def _scale_in(frame: Frame, line: Line) -> Scale:
    """Returns the scale of the axis that a line belongs to."""
    return (line.is_other and frame.others) or frame.numbers
