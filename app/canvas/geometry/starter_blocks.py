"""The field and the three blocks that an empty page offers, and their places."""

from __future__ import annotations

from PySide6.QtCore import QRectF

WIDTH, HEIGHT, STEP = 144.0, 86.0, 272.0
FIELD_WIDTH = 520.0
TITLES = ("Input", "Exp", "Loss")


def text_box() -> QRectF:
    """Returns the rectangle of the field for a formula, above the blocks. Units: px at 100 %."""
    whole = starter_box()
    return QRectF(whole.center().x() - FIELD_WIDTH / 2, whole.top() - 140, FIELD_WIDTH, 40)


def starter_box() -> QRectF:
    """Returns the rectangle around the three blocks. Units: px at 100 %."""
    return QRectF(0, 0, STEP * 2 + WIDTH, HEIGHT)
