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
    """A formula, one statement a line; its LaTeX where that cannot be typeset."""

    def __init__(self, latex: str, appearance: Appearance, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._parts = appearance, statements(latex)
        self.setObjectName(name)
        self.setAccessibleName(latex)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as the widest line."""
        sizes = [self._size(part) for part in self._parts]
        return QSize(max(size.width() for size in sizes), sum(size.height() + GAP for size in sizes) - GAP)

    def minimumSizeHint(self) -> QSize:
        """No line is ever cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lines below each other, in the colour of text."""
        painter, top = QPainter(self), 0
        painter.setFont(font("mono", 12))
        painter.setPen(self._appearance.theme.color("text.primary"))
        for part in self._parts:
            picture = self._picture(part)
            if picture is not None:
                painter.drawImage(QPointF(0, top), picture)
            else:
                painter.drawText(0, top + painter.fontMetrics().ascent(), part)
            top += self._size(part).height() + GAP

    def _picture(self, part: str) -> QImage | None:
        return formula_picture(part, self._appearance.theme.color("text.primary"), PX, self.devicePixelRatioF())

    def _size(self, part: str) -> QSize:
        picture = self._picture(part)
        if picture is not None:
            return picture.deviceIndependentSize().toSize()
        metrics = QFontMetrics(font("mono", 12))
        return QSize(metrics.horizontalAdvance(part), metrics.height())
