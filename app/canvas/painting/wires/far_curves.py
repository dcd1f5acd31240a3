"""Draws curved wires from far away, as thin lines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.geometry.curves import from_afar
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Rows, segments
from gradwire.app.canvas.painting.arrays import draw_lines
from gradwire.app.canvas.painting.cache.sprites import Grain
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.wire_painter import with_width
from gradwire.app.canvas.painting.wires.wire_strokes import chosen_rows, groups
from gradwire.app.look.wire_pens import plain_pen

# Of so many curves nobody sees how smooth each is.
CROWD = 2000


def draw_far_curves(painter: QPainter, mirror: Mirror, look: Look, wires: Rows, grain: Grain, width: int) -> None:
    """Draws some wires, those selected on top; the painter draws device pixels, as does `width`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(wires) < CROWD)
    for group, (pen, *_) in groups(mirror, look, wires):
        _draw_group(painter, mirror, group, grain, pen, width)
    chosen = chosen_rows(mirror, look, wires)
    if chosen:
        _draw_group(painter, mirror, np.array(chosen), grain, plain_pen(look.theme, "accent", width), width)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _draw_group(painter: QPainter, mirror: Mirror, wires: Rows, grain: Grain, pen: QPen, width: int) -> None:
    painter.setPen(with_width(pen, width))
    points = from_afar(mirror.points[wires])
    seen = grain.pixels(points.reshape(-1, 2)).reshape(points.shape).astype(float)
    if pen.style() is Qt.PenStyle.SolidLine:
        draw_lines(painter, segments(seen).reshape(-1, 4))
    else:
        # Dashes begin anew with each line, but not along a polyline.
        for line in seen.tolist():
            painter.drawPolyline([QPointF(x, y) for x, y in line])
