"""A line to be read: what does not fit into it is told by a tip."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from app.look.theme import font
from app.look.tips import literal_tip
from app.panels.parameter_editors import FIELD_HEIGHT


class ReadField(QLineEdit):
    """A line that can be read and copied but not edited.

    Where it has no room, an ellipsis stands for its middle until the keyboard is there, and a tip has the whole.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setFont(font("mono", 11.5))
        self.setFixedHeight(FIELD_HEIGHT)
        self.textChanged.connect(self._tell_all)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Another room may be enough."""
        super().resizeEvent(event)
        self._tell_all()

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """As much of the text as there is room for."""
        if self.hasFocus() or not self._is_short_of_room():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        room = self._room()
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room.width())
            side = int(Qt.AlignmentFlag.AlignVCenter)
            self.style().drawItemText(
                painter, room, side, self.palette(), self.isEnabled(), shown, self.foregroundRole()
            )

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        # Qt leaves so much free on both sides of the text, and has no name for it.
        return contents.adjusted(2, 0, -2, 0)

    def _is_short_of_room(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()) > self._room().width()

    def _tell_all(self) -> None:
        self.setToolTip(literal_tip(self.text()) if self._is_short_of_room() else "")
