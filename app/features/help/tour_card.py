"""A card that points at a part of the window: a sentence, some buttons, and a ring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QWidget

from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.widgets import ThemedWidget, make_button, make_column, make_label, make_row, show_or_hide

WIDTH, BEAK, GAP, EDGE = 270, 9, 8, 8
Answer = tuple[str, str, Callable[[], object]]


class TourCard(QFrame):
    """A card beside its target in the window, on the side with most room.

    `name` begins the names of its parts, `token` is the colour of its edge. A bubble is as wide as its one line, and
    has no ring around its target.
    """

    def __init__(self, appearance: Appearance, window: QWidget, name: str = "tour", is_bubble: bool = False) -> None:
        super().__init__(window)
        self._appearance, self._window, self.token = appearance, window, "accent"
        self.setObjectName(f"{name}_card")
        self._beak = QPoint()
        self._ring = None if is_bubble else _Ring(appearance, window)
        self._place = make_label(parent=self, name=f"{name}_place", look="quiet")
        look = "strong" if is_bubble else ""
        self._sentence = make_label(parent=self, name=f"{name}_sentence", wraps=not is_bubble, look=look)
        if not is_bubble:
            self._sentence.setFixedWidth(WIDTH)
        self._answers, margins = make_row(spacing=6), (BEAK + 16, BEAK + 14, BEAK + 16, BEAK + 14)
        self._layout = make_column(self._place, self._sentence, self._answers, inside=self, margins=margins, spacing=8)
        appearance.changed.connect(self.update)
        self.hide()

    def say(self, place: str, sentence: str, answers: Sequence[Answer]) -> None:
        """Shows a sentence with buttons (text, object name, callback); the last one is the default."""
        show_or_hide(self._place, place)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{place}: {sentence}" if place else sentence)
        empty(self._answers)
        for number, (text, name, call) in enumerate(answers):
            button = make_button(text, call, self, name=name, look="primary" if number == len(answers) - 1 else "")
            self._answers.addWidget(button)
            if not number and len(answers) > 1:
                self._answers.addStretch(1)

    def take_focus(self) -> None:
        """Moves the keyboard to the default button."""
        item = self._answers.itemAt(self._answers.count() - 1)
        if item is not None and (button := item.widget()) is not None:
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    def point_at(self, target: QRect) -> None:
        """Moves beside a rectangle of the window, or over its middle if the rectangle is empty."""
        room = self._window.rect()
        if self._ring is not None:
            self._ring.surround(target)
        self._layout.activate()
        # As wide as sentence and buttons need: both grow with the text size.
        width = self._layout.totalMinimumSize().width()
        # A bubble's one line has the same height in any width.
        wraps = self._layout.hasHeightForWidth()
        self.resize(width, self._layout.totalHeightForWidth(width) if wraps else self._layout.totalSizeHint().height())
        self.move(self._corner(target, room))
        self._beak = target.center() - self.pos()
        self.show()
        self.raise_()
        self.update()

    def hideEvent(self, _: object) -> None:
        """Hides the ring with the card."""
        if self._ring is not None:
            self._ring.hide()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints a rounded box with a beak towards the target."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            box = QRectF(self.rect()).adjusted(BEAK + 0.5, BEAK + 0.5, -BEAK - 0.5, -BEAK - 0.5)
            inked(painter, QPen(theme.color(self.token), 1.2), theme.color("bg.overlay")).drawRoundedRect(box, 10, 10)
            beak = _beak(box, QPointF(self._beak))
            if beak is not None:
                painter.drawPolyline(beak)
                inked(painter, Qt.PenStyle.NoPen).drawPolygon(beak)

    def _corner(self, target: QRect, room: QRect) -> QPoint:
        """Returns the card's position: below, above, right or left of its target, else over its lower edge."""
        width, height = self.width(), self.height()
        across = min(max(target.center().x() - width // 2, EDGE), room.right() - width - EDGE)
        down = min(max(target.center().y() - height // 2, EDGE), room.bottom() - height - EDGE)
        if target.isEmpty():
            return QPoint(across, down)
        if target.bottom() + GAP + height < room.bottom():
            return QPoint(across, target.bottom() + GAP)
        if target.top() - GAP - height > room.top():
            return QPoint(across, target.top() - GAP - height)
        if target.right() + GAP + width < room.right():
            return QPoint(target.right() + GAP, down)
        if target.left() - GAP - width > room.left():
            return QPoint(target.left() - GAP - width, down)
        return QPoint(across, max(target.bottom() - height - GAP, EDGE))


class _Ring(ThemedWidget):
    """A ring around the target; the mouse passes through it."""

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(appearance, window, "tour_ring", attribute=Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, target: QRect) -> None:
        """Shows the ring around a rectangle of the window."""
        self.setGeometry(target.adjusted(-4, -4, 4, 4))
        self.setVisible(not target.isEmpty())
        self.raise_()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the ring."""
        with smooth(self) as painter:
            painter.setPen(QPen(self._appearance.theme.color("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)


def _beak(box: QRectF, target: QPointF) -> QPolygonF | None:
    """Returns a triangle on the side of the box nearest to the target; None if the box covers the target."""
    x = min(max(target.x(), box.left() + 24), box.right() - 24)
    y = min(max(target.y(), box.top() + 20), box.bottom() - 20)
    half, inside = BEAK - 1.0, 1.0
    if not box.top() <= target.y() <= box.bottom():
        edge, out = (box.top(), -1) if target.y() < box.top() else (box.bottom(), 1)
        base = edge - inside * out
        return QPolygonF([QPointF(x - half, base), QPointF(x, edge + half * out), QPointF(x + half, base)])
    if not box.left() <= target.x() <= box.right():
        edge, out = (box.left(), -1) if target.x() < box.left() else (box.right(), 1)
        base = edge - inside * out
        return QPolygonF([QPointF(base, y - half), QPointF(edge + half * out, y), QPointF(base, y + half)])
    return None
