"""The tag above the block whose turn it is in step mode: what it says and where it lies."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from app.canvas.mirror import Mirror
from app.canvas.progress import Turn
from app.canvas.shapes import text_width
from app.words import tr

HEIGHT, GAP, PAD, PX = 20.0, 7.0, 20.0, 11


def unit_of(scale: float) -> float:
    """How large what step mode draws is: as 1 px at 100 %, or on the screen where that is larger."""
    return max(1.0, 0.9 / scale)


def tag_text(number: int) -> str:
    """What the tag of a step says."""
    return tr("step {number} · current", number=number)


def tag_box(width: float, number: int, unit: float) -> QRectF:
    """Where the tag lies, from the top left corner of a block of a width."""
    wide = (text_width("ui", PX, 600, tag_text(number)) + PAD) * unit
    return QRectF(width / 2 - wide / 2, -(GAP + HEIGHT) * unit, wide, HEIGHT * unit)


def tag_on_page(mirror: Mirror, scale: float) -> QRectF | None:
    """Where the tag lies on the page shown; None where the current block is not on it."""
    marks = {} if mirror.progress is None else mirror.progress.marks
    for block_id, mark in marks.items():
        if mark.turn is Turn.CURRENT and block_id in mirror.rows:
            rect = mirror.rect(block_id)
            return tag_box(rect.width(), mark.number, unit_of(scale)).translated(rect.topLeft())
    return None
