"""A switch, which acts at once; a check box would wait for an OK."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.switches import TRACK, draw_switch
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named

_GAP, _RING = 8, 3


class Switch(QAbstractButton):
    """A track with a knob, and its text at the right; `toggled(bool)` carries the choice."""

    def __init__(self, appearance: Appearance, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        named(self, "switch", font=font("ui", 12), focus=Qt.FocusPolicy.StrongFocus)
        self.setCheckable(True)
        self.setText(text)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns the size of track and text, with space for the focus ring."""
        text = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(2 * _RING + TRACK.width() + (_GAP + text if text else 0), max(22, self.fontMetrics().height() + 4))

    def minimumSizeHint(self) -> QSize:
        """Returns the preferred size as the least."""
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the switch, a ring for the keyboard focus, and the text."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            track = QRectF(_RING, (self.height() - TRACK.height()) / 2, TRACK.width(), TRACK.height())
            draw_switch(painter, theme, track, self.isChecked(), self.isEnabled())
            if self.hasFocus():
                inked(painter, QPen(theme.color("focus"), 2), Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), 9.5, 9.5)
            painter.setPen(theme.color("text.secondary" if self.isEnabled() else "text.disabled"))
            room = self.rect().adjusted(round(track.right()) + _GAP, 0, 0, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
