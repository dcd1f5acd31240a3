"""A hover card: a small panel over the canvas with the numbers of a wire, a port or a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.overlays.cards.card_bars import bars_height, draw_bars
from gradwire.app.canvas.overlays.cards.card_facts import CardFacts, Row
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import LEFT, RIGHT, draw_panel, inked
from gradwire.app.look.formulas import formula_picture
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ThemedWidget, make_tool

NARROWEST, WIDEST, RADIUS = 286, 330, 10.0
PAD, HEAD, ROW, GAP, BUTTON = 12.0, 22.0, 18.0, 6.0, 22
CELL_GAP, LABEL_LEAST, LABEL_MOST, FORMULA_PX = 8.0, 56.0, 96.0, 14.0
_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class _Part(NamedTuple):
    """One part of a card, from top to bottom: how high it is, and what draws it into its box."""

    height: float
    draw: Callable[[QPainter, QRectF], None]


class Card(ThemedWidget):
    """A card with `facts`.

    A click pins it, `pinned`; a pinned card has a button, `closed`. `touched` tells that the pointer has come or gone.
    """

    pinned = Signal()
    closed = Signal()
    touched = Signal(bool)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "hover_card", cursor=Qt.CursorShape.PointingHandCursor)
        self.facts = CardFacts("", "")
        size, focus = (BUTTON, BUTTON), Qt.FocusPolicy.NoFocus
        self._button = make_tool(self.closed, self, name="hover_card_close", tip=tr("Close"), size=size, focus=focus)
        self._button.hide()

    @property
    def is_pinned(self) -> bool:
        """Whether it stays."""
        return not self._button.isHidden()

    def pin(self) -> None:
        """Makes it stay."""
        self._button.setIcon(icon(self._appearance.theme, "close"))
        self._button.show()
        self.unsetCursor()
        self._fit()
        self.pinned.emit()

    def show_facts(self, facts: CardFacts) -> None:
        """Shows other facts; it only ever grows wider, so that it does not tremble while numbers change."""
        if facts != self.facts:
            self.facts = facts
            self.setAccessibleName(facts.title)
            self.setAccessibleDescription(facts.text)
            self._fit()

    # Size

    def _fit(self) -> None:
        narrowest = max(NARROWEST, self.width() if self.width() <= WIDEST else 0)
        width = min(max(narrowest, round(_needed(self.facts) + (BUTTON if self.is_pinned else 0))), WIDEST)
        height = sum(part.height for part in self._parts(width)) + 2 * PAD - 4
        self.resize(QSize(width, round(height)))
        self._button.move(width - BUTTON - 6, 6)
        self.update()

    def _parts(self, width: float) -> list[_Part]:
        facts, theme = self.facts, self._appearance.theme
        inner, aside = width - 2 * PAD, BUTTON - 4 if self.is_pinned else 0
        parts = [_Part(HEAD, lambda painter, box: _draw_head(painter, theme, box.adjusted(0, 0, -aside, 0), facts))]
        label, cell = columns(facts.rows, inner)
        parts += [_row_part(theme, row, label, cell) for row in facts.rows]
        if high := bars_height(facts.stacks):
            parts.append(_Part(high, lambda painter, box: draw_bars(painter, theme, box, facts.stacks)))
        if facts.formula or facts.foot:
            parts.append(self._formula_part(inner))
        return parts + [_sentence_part(theme, text, inner) for text in facts.sentences]

    def _formula_part(self, width: float) -> _Part:
        theme, facts = self._appearance.theme, self.facts
        foot = _mono_width(facts.foot) + 12 if facts.foot else 0.0
        ink, ratio = theme.color("text.secondary"), self.devicePixelRatioF()
        picture = formula_picture(facts.formula, ink, FORMULA_PX, ratio) if facts.formula else None
        size = picture.deviceIndependentSize() if picture is not None else QSizeF()
        shrink = min(1.0, (width - foot) / size.width()) if size.width() > 0 else 1.0

        def draw(painter: QPainter, box: QRectF) -> None:
            if picture is not None:
                high = size.height() * shrink
                painter.drawImage(QRectF(box.left(), box.center().y() - high / 2, size.width() * shrink, high), picture)
            _draw_text(painter, theme, box, facts.foot, "grad.text", RIGHT)

        return _Part(max(ROW, size.height() * shrink) + GAP, draw)

    # Painting and the pointer

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Draws the panel with its parts below each other."""
        theme = self._appearance.theme
        with QPainter(self) as painter:
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
            border = "border.strong" if self.is_pinned else "border.default"
            draw_panel(painter, theme, QRectF(self.rect()), border, RADIUS)
            top = PAD - 4
            for part in self._parts(self.width()):
                part.draw(painter, QRectF(PAD, top, self.width() - 2 * PAD, part.height))
                top += part.height

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pins the card."""
        if event.button() is Qt.MouseButton.LeftButton and not self.is_pinned:
            self.pin()
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tells that the pointer has come to read it."""
        self.touched.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Tells that the pointer has gone."""
        self.touched.emit(False)


def _needed(facts: CardFacts) -> float:
    """Returns how wide the head and the rows would like to be."""
    head = text_width("ui", 12, 600, facts.title) + 16 + _mono_width(facts.right)
    label, cell = _wanted(facts.rows)
    texts = [cell * len(row.cells) if len(row.cells) > 1 else _mono_width(row.cells[0]) for row in facts.rows]
    return max([head, *(label + text for text in texts)]) + 2 * PAD


def columns(rows: Sequence[Row], width: float) -> tuple[float, float]:
    """Returns how wide the labels of rows are, and each of several numbers: labels are shortened before numbers are."""
    label, cell = _wanted(rows)
    count = max((len(row.cells) for row in rows), default=1)
    label = min(label, max(width - count * cell, LABEL_LEAST)) if count > 1 else label
    return label, min(cell, (width - label) / count)


def _wanted(rows: Sequence[Row]) -> tuple[float, float]:
    label = min(max((text_width("ui", 11, 400, row.label) for row in rows), default=0.0) + 8, LABEL_MOST)
    cells = [_mono_width(cell) for row in rows if len(row.cells) > 1 for cell in row.cells]
    return label, max(cells, default=0.0) + CELL_GAP


def _mono_width(text: str) -> float:
    return text_width("mono", 11, 400, text)


def _draw_head(painter: QPainter, theme: Theme, box: QRectF, facts: CardFacts) -> None:
    _draw_text(painter, theme, box, facts.right, "text.tertiary", RIGHT)
    room = box.width() - _mono_width(facts.right) - 10
    title = QFontMetricsF(font("ui", 12, 600)).elidedText(facts.title, Qt.TextElideMode.ElideMiddle, room)
    inked(painter, theme.color("text.primary"), font=font("ui", 12, 600)).drawText(box, LEFT, title)


def _row_part(theme: Theme, row: Row, label: float, cell: float) -> _Part:
    def draw(painter: QPainter, box: QRectF) -> None:
        if row.is_total:
            painter.setPen(QPen(theme.color("border.default"), 1))
            painter.drawLine(QPointF(box.left(), box.top() + 2.5), QPointF(box.right(), box.top() + 2.5))
            box = box.adjusted(0, 5, 0, 0)
        inked(painter, theme.color(row.token if row.label.startswith("∂L") else "text.secondary"), font=font("ui", 11))
        shown = QFontMetricsF(font("ui", 11)).elidedText(row.label, Qt.TextElideMode.ElideMiddle, label - 4)
        painter.drawText(box, LEFT, shown)
        numbers = box.adjusted(label, 0, 0, 0)
        each = cell if len(row.cells) > 1 else numbers.width()
        for index, text in enumerate(reversed(row.cells)):
            right = numbers.right() - index * each
            _draw_text(painter, theme, QRectF(right - each, box.top(), each, box.height()), text, row.token, RIGHT)

    return _Part(ROW + (5 if row.is_total else 0), draw)


def _sentence_part(theme: Theme, text: str, width: float) -> _Part:
    metrics = QFontMetricsF(font("ui", 11))
    height = metrics.boundingRect(QRectF(0, 0, width, 2000), _WRAP, text).height()

    def draw(painter: QPainter, box: QRectF) -> None:
        inked(painter, theme.color("text.secondary"), font=font("ui", 11))
        painter.drawText(box.adjusted(0, 4, 0, 4), _WRAP, text)

    return _Part(height + GAP, draw)


def _draw_text(painter: QPainter, theme: Theme, box: QRectF, text: str, token: str, flags: Qt.AlignmentFlag) -> None:
    inked(painter, theme.color(token), font=font("mono", 11))
    shown = QFontMetricsF(font("mono", 11)).elidedText(text, Qt.TextElideMode.ElideRight, box.width() + 1)
    painter.drawText(box, flags, shown)
