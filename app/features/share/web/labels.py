"""The glyphs of labels in a page, and the rules of the labels that its script (`draw.js`) writes."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.shapes import font_metrics
from gradwire.app.canvas.painting.labels.labels import PX
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.svg.svg_styles import number
from gradwire.app.look.theme import Theme


def row_style() -> str:
    """Returns the rules of a label's rows that follow from its font: where the base line is."""
    large = font_metrics("mono", 2 * PX, 500)
    return f".l text{{transform:translateY({number((large.ascent() - large.descent()) / 4)}px)}}"


def marks(painter: SvgPainter, dress: Theme) -> dict[str, str]:
    """Returns the glyphs of all statuses, causes and ties as definitions by their names."""
    found = {}
    for mark in (mark for mark, look in MARKS.items() if any(look.glyph)):
        draw_mark(painter, QPointF(0, 0), dress.color(MARKS[mark].token), mark)
        found[mark] = f'<g id="m-{mark}">{painter.take()}</g>'
    return found
