"""A typeset formula among widgets."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.appearance import Appearance
from app.look.formulas import formula_picture, statements
from app.look.theme import font

PX = 17.0
GAP = 6


class FormulaView(QWidget):
    """A formula, one statement a line, smaller where it would not fit; its LaTeX where that cannot be typeset."""

    def __init__(self, latex: str, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._parts = appearance, statements(latex)
        self.setObjectName(name)
        self.setAccessibleName(latex)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as the widest line."""
        sizes = [self._size(part) for part in self._parts]
        return QSize(max(size.width() for size in sizes), sum(size.height() + GAP for size in sizes) - GAP)

    def minimumSizeHint(self) -> QSize:
        """Lines shrink where there is less room."""
        return QSize(1, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lines below each other, in the colour of text."""
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
