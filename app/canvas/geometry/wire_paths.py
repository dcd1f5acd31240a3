"""Points of wires as painter paths."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from gradwire.app.canvas.geometry.curves import cubics, is_curve
from gradwire.app.canvas.geometry.routing import RADIUS, Points


def path_of(points: Points) -> QPainterPath:
    """Returns the path of a wire, a curve or one with rounded corners. Shapes: `points` (28, 2) or (6, 2)."""
    return curve_path(points) if is_curve(points) else rounded(points)


def curve_path(points: Points) -> QPainterPath:
    """Returns the path of a curve. Shapes: `points` (28, 2)."""
    path = QPainterPath(QPointF(*points[0]))
    for _, first, second, end in cubics(points).tolist():
        path.cubicTo(*first, *second, *end)
    return path


def rounded(points: Points) -> QPainterPath:
    """Returns the path of a wire with rounded corners. Shapes: `points` (6, 2)."""
    corners = [QPointF(x, y) for x, y in points.tolist()]
    kept = [corners[0]]
    for corner in corners[1:]:
        if (corner - kept[-1]).manhattanLength() > 0.01:
            kept.append(corner)
    path = QPainterPath(kept[0])
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        into, out = corner - before, after - corner
        length_in, length_out = math.hypot(into.x(), into.y()), math.hypot(out.x(), out.y())
        radius = min(RADIUS, length_in / 2, length_out / 2)
        path.lineTo(corner - into * (radius / length_in))
        path.quadTo(corner, corner + out * (radius / length_out))
    path.lineTo(kept[-1])
    return path
