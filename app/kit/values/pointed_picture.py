"""The pictures of a tensor that say what is under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import CENTRE, inked
from gradwire.app.look.widgets import ThemedWidget


class PointedPicture(ThemedWidget):
    """A picture of a tensor. `pointed(str)` carries index and value of what is under the pointer, else ""."""

    pointed = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None, name: str, height: int) -> None:
        super().__init__(appearance, parent, name, height=height)
        self.setMouseTracking(True)

    def text_at(self, at: QPointF) -> str:
        """Returns index and value of the element at a point, "" if there is none."""
        raise NotImplementedError

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emits the element under the pointer."""
        self.pointed.emit(self.text_at(event.position()))

    def leaveEvent(self, _: QEvent) -> None:
        """Emits that no element is under the pointer."""
        self.pointed.emit("")

    def say_nothing(self, painter: QPainter) -> None:
        """Writes that there is nothing to show."""
        inked(painter, self._appearance.theme.color("text.tertiary"))
        painter.drawText(self.rect(), CENTRE, tr("Nothing to show"))
