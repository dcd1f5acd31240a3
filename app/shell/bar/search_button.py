"""The field of the bar that opens the search."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.widgets import named


class SearchButton(QToolButton):
    """A button that looks like a field, as its press opens the field itself with its list."""

    def __init__(self, look: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._key = look, ""
        named(self, "search_button", says=tr("Search"), focus=Qt.FocusPolicy.TabFocus)
        self.setText(tr("Add, find, do …"))
        look.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Shows a key at the right end; "" shows none."""
        self._key = key
        self.update()

    def sizeHint(self) -> QSize:
        """Returns the fixed size."""
        return self.minimumSize()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints a field with a magnifying glass, the hint and the key."""
        theme, middle, side = self._look.theme, self.height() / 2, 14 * self._look.text_scale
        with smooth(self) as painter:
            is_marked = self.hasFocus() or self.underMouse()
            edge = QPen(theme.color("focus" if is_marked else "border.strong"), theme.line)
            box = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            inked(painter, edge, theme.color("bg.sunken")).drawRoundedRect(box, 6, 6)
            draw_icon(painter, "search", theme.color("text.secondary"), QRectF(9, middle - side / 2, side, side))
            inked(painter, theme.color("text.secondary"), font=self.font())
            room = self.width() - 20 - side - self.fontMetrics().horizontalAdvance(self.text())
            if room >= 0:
                hint = self.rect().adjusted(round(14 + side), 0, 0, 0)
                painter.drawText(hint, Qt.AlignmentFlag.AlignVCenter, self.text())
            if self._key and room >= 46:
                draw_key_chip(painter, theme, self._key, self.width() - 7, middle)
