"""Painters with their ink in one call, for all that draws."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPaintDevice, QPainter, QPen

Pen = QPen | QColor | Qt.PenStyle | Qt.GlobalColor
Brush = QBrush | QColor | Qt.BrushStyle | Qt.GlobalColor


def smooth(device: QPaintDevice) -> QPainter:
    """Returns a painter whose lines have smooth edges."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


@contextmanager
def kept(painter: QPainter) -> Iterator[None]:
    """Gives a painter back the pen, brush, font, place and clip that it has now, even after a mistake."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()


def inked(painter: QPainter, pen: Pen | None = None, brush: Brush | None = None, font: QFont | None = None) -> QPainter:
    """Returns a painter after it has taken another pen, brush or font."""
    if font is not None:
        painter.setFont(font)
    if pen is not None:
        painter.setPen(pen)
    if brush is not None:
        painter.setBrush(brush)
    return painter


def filled(painter: QPainter, brush: Brush) -> QPainter:
    """Returns a painter that fills shapes without an outline."""
    return inked(painter, Qt.PenStyle.NoPen, brush)
