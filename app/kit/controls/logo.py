"""The logo, for the bar and the box about the program."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, kept, smooth
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import ThemedWidget


class Logo(ThemedWidget):
    """The logo, a wire with its port: the value comes from the left, the gradient from the right."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, size=(46, 46))

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the logo in its square."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            painter.scale(self.width() / 46, self.width() / 46)
            inked(painter, QPen(theme.color("border.default"), 1), theme.color("bg.raised"))
            painter.drawRoundedRect(QRectF(0.5, 0.5, 45, 45), 10, 10)
            draw_logo(painter, theme, QRectF(5, 5, 36, 36))


def draw_logo(painter: QPainter, theme: Theme, box: QRectF) -> None:
    """Draws the bare logo in a square box of any size."""
    with kept(painter):
        painter.translate(box.center())
        painter.scale(box.width() / 36, box.width() / 36)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for token, points in (
            ("value", [(-15, 0), (-6, 0)]),
            ("grad.text", [(15, 0), (8, 0)]),
            ("grad.text", [(11.2, -5.2), (6.5, 0), (11.2, 5.2)]),
        ):
            pen = QPen(theme.color(token), 4 if len(points) == 2 else 3.2)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            inked(painter, pen).drawPolyline([QPointF(*point) for point in points])
        inked(painter, QPen(theme.color("text.primary"), 3), theme.color("bg.raised"))
        painter.drawEllipse(QPointF(0, 0), 5.4, 5.4)
