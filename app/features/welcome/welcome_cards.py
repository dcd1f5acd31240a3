"""The right side of the welcome page: the examples as cards, and the key to the patterns of wires."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QStyle,
    QWidget,
)

from gradwire.app.base.examples import example_names, example_path, example_texts, example_topic
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.features.welcome.example_topics import TopicSegment, topic_color, topic_text
from gradwire.app.features.welcome.welcome_rows import CardButton
from gradwire.app.kit.wire_key import WireKey
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_elided, draw_ring, inked, smooth
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, add_items, make_column, make_label, make_row, named, scrolling

CARD, PICTURE_HEIGHT = QSize(264, 206), 106
# Sizes of cards and focus rings: the ring lies in a margin around the card.
_RING, _GAP = 5, 20
_WIDE, _NARROW, _HIGH = 40, 28, 720
# The least width of the hint beside or above the key.
_LEAST_HINT = 260
_FAR = 1_000_000
_STEPS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Home: (-_FAR, 0),
    Qt.Key.Key_End: (_FAR, 0),
}
MakePicture = Callable[[Path, QSize, Appearance, float], QPixmap]


class ExamplesArea(QWidget):
    """A scrolling heading with cards, and the key below. `chosen(str)` carries the name of an example."""

    chosen = Signal(str)

    def __init__(self, appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__()
        named(self, "welcome_examples", look="canvas", attribute=Qt.WidgetAttribute.WA_StyledBackground)
        self._grid = _Grid(appearance, make_picture)
        self._grid.chosen.connect(self.chosen)
        self._key = _KeyBox(appearance)
        segment = TopicSegment()
        segment.chosen.connect(self._grid.show_topic)
        content = named(QWidget(), look="canvas")
        sentence = make_label(tr("Each one opens as a copy, already evaluated. Change it freely."), wraps=True)
        self._cards = make_column(make_label(tr("Examples"), look="heading"), 4, sentence, inside=content, spacing=0)
        add_items(self._cards, 18, segment, 20 - _RING, self._grid, STRETCH)
        self._below = make_column(self._key)
        make_column((scrolling(content), 1), self._below, inside=self, margins=0, spacing=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reduces the margins of a narrow window, and hides the key in a low one to leave space for cards."""
        super().resizeEvent(event)
        side = _WIDE if self.width() >= 800 else _NARROW
        # The scroll bar takes its width from the margin, so that as many cards fit as without it.
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self._cards.setContentsMargins(side, 46, side - bar, 32 - _RING)
        is_high = self.height() >= _HIGH
        self._key.setVisible(is_high)
        self._below.setContentsMargins(side, 16 if is_high else 0, side, 28 if is_high else 0)


class _Grid(QWidget):
    """A grid of cards in as many columns as fit."""

    chosen = Signal(str)

    def __init__(self, appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__()
        self._all = [_Card(name, appearance, make_picture) for name in example_names()]
        self._cards = self._all
        for card in self._all:
            card.setParent(self)
            card.chosen.connect(self.chosen)
            card.moved.connect(self._move)
        # All cards have one size; the first card's size determines the positions.
        self._all[0].resized.connect(self._place)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return max(1, (self.width() + _GAP) // (self._step.width()))

    @property
    def _step(self) -> QSize:
        """The distance from one card to the next. Cards grow with the text size."""
        return self._all[0].size() + QSize(_GAP - 2 * _RING, _GAP - 2 * _RING)

    def show_topic(self, topic: str) -> None:
        """Shows only the cards of a topic; "" shows all."""
        self._cards = [card for card in self._all if topic in ("", card.topic)]
        for card in self._all:
            card.setVisible(card in self._cards)
        self._place()

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Moves each card to its position."""
        self._place()

    def _place(self) -> None:
        columns, step = self.columns, self._step
        for number, card in enumerate(self._cards):
            row, column = divmod(number, columns)
            card.move(column * step.width() - _RING, row * step.height())
        rows = -(-len(self._cards) // columns)
        self.setFixedHeight(rows * step.height() - _GAP + 2 * _RING if rows else 0)

    def _move(self, card: QWidget, right: int, down: int) -> None:
        place = next(number for number, item in enumerate(self._cards) if item is card)
        target = self._cards[min(max(place + right + down * self.columns, 0), len(self._cards) - 1)]
        target.setFocus(Qt.FocusReason.TabFocusReason)
        self._show_focused(target)

    def _show_focused(self, card: QWidget) -> None:
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        if parent is not None:
            parent.ensureWidgetVisible(card)


class _Card(CardButton):
    """An example. `moved(card, right, down)` asks to move the focus to another card."""

    chosen = Signal(str)
    resized = Signal()
    moved = Signal(object, int, int)

    def __init__(self, name: str, appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__(appearance)
        self._make_picture = make_picture
        self._path, self.topic = example_path(name), example_topic(name)
        title, self._subtitle = example_texts(self._path)
        self._picture: QPixmap | None = None
        # One picture between two repaints: the page shows at once, and the pictures follow.
        self._later = make_timer(self, self._make)
        size, hand = (CARD.width() + 2 * _RING, CARD.height() + 2 * _RING), Qt.CursorShape.PointingHandCursor
        named(self, f"example_{name}", tip=title, size=size, cursor=hand).setText(title)
        self.setAccessibleDescription(f"{topic_text(self.topic)}. {self._subtitle}")
        self.clicked.connect(partial(self.chosen.emit, name))
        appearance.changed.connect(self._forget_picture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles the keys: Enter opens, arrows go to a neighbour, Home and End to the first and the last."""
        step = _STEPS.get(event.key())
        if step is not None:
            self.moved.emit(self, *step)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the picture above, title and subtitle below."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            painter.scale(self._scale, self._scale)
            box = QRectF(_RING, _RING, CARD.width(), CARD.height())
            outline = QPainterPath()
            outline.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
            painter.fillPath(outline, theme.color("bg.hover" if self.underMouse() else "bg.raised"))
            painter.setClipPath(outline)
            self._paint_picture(painter, QRect(_RING, _RING, CARD.width(), PICTURE_HEIGHT))
            painter.setClipping(False)
            painter.setPen(QPen(theme.color("border.strong" if self.underMouse() else "border.default"), 1))
            painter.drawPath(outline)
            if self.hasFocus():
                draw_ring(painter, theme, box.adjusted(-_RING, -_RING, _RING, _RING), 13)
            self._paint_texts(painter, box.toRect().adjusted(14, PICTURE_HEIGHT, -14, -10))

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Drops the picture, which is drawn again at the new size."""
        self._forget_picture()
        self.resized.emit()

    def _forget_picture(self) -> None:
        self._picture = None
        self.update()

    @property
    def _scale(self) -> float:
        """The scale of the card, which grows with the text size."""
        return self.width() / (CARD.width() + 2 * _RING)

    def _paint_picture(self, painter: QPainter, room: QRect) -> None:
        theme = self._appearance.theme
        painter.fillRect(room, theme.color("bg.canvas"))
        painter.fillRect(QRect(room.left(), room.bottom(), room.width(), 1), theme.color("border.subtle"))
        if self._picture is not None:
            painter.drawPixmap(room.adjusted(0, 0, 0, -1), self._picture)
        else:
            self._later.start()

    def _paint_texts(self, painter: QPainter, room: QRect) -> None:
        theme = self._appearance.theme
        inked(painter, theme.color("text.primary"), font=font("ui", 13, 600))
        draw_elided(painter, room.adjusted(0, 12, 0, 0), self.text(), Qt.AlignmentFlag.AlignTop)
        inked(painter, theme.color("text.secondary"), font=font("ui", 12))
        _draw_two_lines(painter, room.adjusted(0, 33, 0, 0), self._subtitle)
        painter.fillRect(QRect(room.left(), room.bottom() - 9, 7, 7), theme.color(topic_color(self.topic)))
        inked(painter, theme.color("text.tertiary"), font=font("ui", 11))
        painter.drawText(room.adjusted(14, 0, 0, 2), Qt.AlignmentFlag.AlignBottom, topic_text(self.topic))

    def _make(self) -> None:
        size, ratio = QSize(CARD.width(), PICTURE_HEIGHT), self.devicePixelRatioF() * self._scale
        self._picture = self._make_picture(self._path, size, self._appearance, ratio)
        self.update()


def _draw_two_lines(painter: QPainter, room: QRect, text: str) -> None:
    """Paints a text in at most two lines, broken at a space; the rest is elided."""
    metrics, words = painter.fontMetrics(), text.split(" ")
    count = len(words)
    while count > 1 and metrics.horizontalAdvance(" ".join(words[:count])) > room.width():
        count -= 1
    painter.drawText(room, Qt.AlignmentFlag.AlignTop, " ".join(words[:count]))
    draw_elided(painter, room.translated(0, 17), " ".join(words[count:]), Qt.AlignmentFlag.AlignTop)


class _KeyBox(QFrame):
    """A box with the first step for beginners and the key to the patterns."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        named(self, "welcome_key").setMinimumWidth(_LEAST_HINT)
        self._shape = (True, 3)
        sentence = tr("Open the stable softmax, drag a slider in x, and watch both numbers on every wire.")
        title, hint = make_label(tr("First time here?"), look="strong"), make_label(sentence, wraps=True)
        texts = make_column(STRETCH, title, hint, STRETCH, spacing=4)
        self._key = WireKey(appearance)
        self._layout = make_row((texts, 1), self._key, inside=self, margins=(22, 14, 22, 14), spacing=16)

    def event(self, event: QEvent) -> bool:
        """Fits the key to a new width of the box or of a text."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Places the key beside the text or below it, in as many columns as fit."""
        margins = self._layout.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        is_beside = self._key.width_of(3) + self._layout.spacing() + _LEAST_HINT <= room
        columns = 3 if is_beside else next((count for count in (3, 2) if self._key.width_of(count) <= room), 1)
        if (is_beside, columns) != self._shape:
            self._shape = (is_beside, columns)
            direction = QBoxLayout.Direction
            self._layout.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
            self._key.arrange(columns)
