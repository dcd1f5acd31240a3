"""The switch of the bar that ignores every StopGradient."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.switches import TRACK, draw_switch
from gradwire.app.look.theme import font, size
from gradwire.app.look.widgets import named

# Units: px.
_EDGE, _ICON, _GAP, _BEFORE_TRACK, _RADIUS = 10, 14, 6, 10, 6


class StopSwitch(Switch):
    """A framed switch with the glyph and the name of StopGradient; amber while the stops are ignored.

    It `is_brief` when it has only its glyph.
    """

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, "StopGradient", parent)
        named(self, "stop_switch", height=int(size("control")), font=font("ui", 12, 600))
        self.is_brief = False

    def sizeHint(self) -> QSize:
        """Returns the size of the frame round glyph, name and track."""
        name = 0 if self.is_brief else self.name_width
        pictures = round((_ICON + TRACK.width()) * self._appearance.text_scale)
        return QSize(2 * _EDGE + _GAP + name + pictures, int(size("control")))

    @property
    def name_width(self) -> int:
        """The width that the name takes. Units: px."""
        return QFontMetrics(self.font()).horizontalAdvance(self.text()) + _BEFORE_TRACK

    def set_brief(self, is_brief: bool) -> None:
        """Drops the name where there is no room for it; the tooltip and the glyph stay."""
        if is_brief != self.is_brief:
            self.is_brief = is_brief
            self.updateGeometry()
            self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the frame, the glyph, the name and the track."""
        theme, is_alarming = self._appearance.theme, self.isEnabled() and not self.isChecked()
        text = theme.color("text.primary" if self.isEnabled() else "text.disabled")
        edge = "focus" if self.hasFocus() else "warn" if is_alarming else "border.default"
        with smooth(self) as painter:
            painter.setPen(QPen(theme.color(edge), 1.5 if is_alarming or self.hasFocus() else 1))
            painter.setBrush(theme.color("warn.bg" if is_alarming else "bg.app"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), _RADIUS, _RADIUS)
            glyph = theme.color("warn") if is_alarming else text
            side, track = _ICON * self._appearance.text_scale, TRACK * self._appearance.text_scale
            draw_icon(painter, "stopgrad", glyph, QRectF(_EDGE, (self.height() - side) / 2, side, side))
            painter.setPen(text)
            name = self.rect().adjusted(_EDGE + round(side) + _GAP, 0, 0, 0)
            if not self.is_brief:
                painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, self.text())
            corner = QPointF(self.width() - _EDGE - track.width(), (self.height() - track.height()) / 2)
            draw_switch(painter, theme, QRectF(corner, track), self.isChecked(), self.isEnabled())
