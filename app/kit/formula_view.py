"""A widget that shows a typeset formula."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.formulas import formula_picture, statements
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget

PX = 17.0
GAP = 6


class FormulaView(ThemedWidget):
    """A formula with one statement a line, shrunk to fit. If it cannot be typeset, its LaTeX is shown."""

    def __init__(self, latex: str, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(appearance, parent, name, says=latex)
        self.latex, self._parts = latex, statements(latex)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Returns the width of the widest line and the height of all lines."""
        sizes = [self._size(part) for part in self._parts]
        return QSize(max(size.width() for size in sizes), sum(size.height() + GAP for size in sizes) - GAP)

    def minimumSizeHint(self) -> QSize:
        """Returns the least size: lines shrink if space is short."""
        return QSize(1, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the lines below each other in the colour of text."""
        top = 0
        with QPainter(self) as painter:
            painter.setFont(font("mono", 12))
            painter.setPen(self._appearance.theme.color("text.primary"))
            for part in self._parts:
                size = self._size(part)
                shrink = min(1.0, self.width() / size.width())
                picture = self._picture(part, shrink)
                painter.save()
                painter.translate(0, top)
                painter.scale(shrink, shrink)
                if picture is not None:
                    painter.drawImage(QPointF(0, 0), picture)
                else:
                    painter.drawText(0, painter.fontMetrics().ascent(), part)
                painter.restore()
                top += size.height() + GAP

    def _picture(self, part: str, shrink: float = 1.0) -> QImage | None:
        color = self._appearance.theme.color("text.primary")
        return formula_picture(part, color, PX, self.devicePixelRatioF() * shrink)

    def _size(self, part: str) -> QSize:
        picture = self._picture(part)
        if picture is not None:
            return picture.deviceIndependentSize().toSize()
        metrics = QFontMetrics(font("mono", 12))
        return QSize(metrics.horizontalAdvance(part), metrics.height())
