"""A read-only line; a tip shows a text that does not fit."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from gradwire.app.kit.controls.form_parts import draw_elided
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import named


class ReadField(QLineEdit):
    """A line that users can read and copy but not edit.

    If the text does not fit, it is elided in the middle until the line has the keyboard focus.
    A tip shows the whole text.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, font=font("mono", 11.5), height=FIELD_HEIGHT)
        self.setReadOnly(True)
        self.textChanged.connect(self._tell_all)

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Updates the tip: the text may fit into the new width."""
        super().resizeEvent(event)
        self._tell_all()

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Paints the text, elided if it does not fit."""
        if self.hasFocus() or not self._is_short_of_room():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            draw_elided(painter, self, self._room(), Qt.AlignmentFlag.AlignVCenter)

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        # Qt leaves this margin on both sides of the text, and has no name for it.
        return contents.adjusted(2, 0, -2, 0)

    def _is_short_of_room(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()) > self._room().width()

    def _tell_all(self) -> None:
        self.setToolTip(literal_tip(self.text()) if self._is_short_of_room() else "")
