"""The three blocks that an empty page offers, and their place."""

from __future__ import annotations

from PySide6.QtCore import QRectF

WIDTH, HEIGHT, STEP = 144.0, 86.0, 272.0
TITLES = ("Input", "Exp", "Loss")


def ghost_box() -> QRectF:
    """Returns the rectangle around the three blocks. Units: px at 100 %."""
    return QRectF(0, 0, STEP * 2 + WIDTH, HEIGHT)
