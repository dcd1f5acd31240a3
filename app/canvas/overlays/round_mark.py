"""The round of a training that the canvas shows, named beside the legend."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent

from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_panel, inked, smooth
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget

HEIGHT, PAD = 26, 10


class RoundMark(ThemedWidget):
    """The number of rounds behind all values, results and pictures on the canvas; hidden where there were none."""

    def __init__(self, canvas: Canvas, appearance: Appearance, round_of: Callable[[], int]) -> None:
        super().__init__(appearance, canvas, "round_mark", attribute=Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._round_of = round_of
        self.text = ""
        self.hide()

    def refresh(self) -> None:
        """Takes over the round that is shown now."""
        n = self._round_of()
        text = tr("Round {round}", round=f"{n:,}") if n else ""
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self.update()
        scale = self._appearance.text_scale
        width = QFontMetrics(self._font()).horizontalAdvance(text) + round(2 * PAD * scale)
        self.setFixedSize(width, round(HEIGHT * scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the number."""
        theme, box = self._appearance.theme, QRectF(self.rect())
        with smooth(self) as painter:
            draw_panel(painter, theme, box)
            inked(painter, theme.color("text.primary"), font=self._font())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text)

    def _font(self) -> QFont:
        return font("mono", 10.5 * self._appearance.text_scale, 500)
