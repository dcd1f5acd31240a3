"""Draws a dot where wires of one output part; where wires only cross there is none."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.branches import Branches, find_branches
from gradwire.app.canvas.geometry.curves import is_curve
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.wire_strokes import importance, importance_color
from gradwire.engine.graph.graph import Port

# The radius of a dot, and the least on the screen. Units: px.
RADIUS, LEAST = 4.0, 3.5
# Pages with more wires are seen from so far that dots would hide them.
MANY = 1000


class BranchDots:
    """The dots of one page, found anew when a wire runs elsewhere."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._geometry = -1
        self._branches = Branches(np.zeros((0, 2)), np.zeros((0, 2), np.int64))

    def draw(self, painter: QPainter, look: Look, wires: Rows) -> None:
        """Draws the dots of some wires, each in the colour of the more important of the two wires that part there."""
        if not 1 < len(self._mirror.wires) <= MANY or is_curve(self._mirror.points):
            return
        found = self.branches()
        if not len(found.at):
            return
        ranks = importance(self._mirror, look, found.pairs.reshape(-1)).reshape(-1, 2)
        leading = found.pairs[np.arange(len(found.pairs)), ranks.argmax(axis=1)]
        seen = np.flatnonzero(np.isin(leading, wires))
        # At one point several pairs may part: the most important is drawn last.
        order = seen[np.argsort(ranks[seen].max(axis=1), kind="stable")]
        radius = max(RADIUS, LEAST / look.scale)
        painter.setPen(Qt.PenStyle.NoPen)
        for rank, (x, y) in zip(ranks[order].max(axis=1).tolist(), found.at[order].tolist(), strict=True):
            painter.setBrush(importance_color(self._mirror, look, rank))
            painter.drawEllipse(QPointF(x, y), radius, radius)

    def branches(self) -> Branches:
        """Returns the points at which wires part, and the pairs of their rows."""
        mirror = self._mirror
        if self._geometry != mirror.geometry:
            self._geometry = mirror.geometry
            numbers: dict[Port, int] = {}
            rows = np.flatnonzero(mirror.forks & (mirror.joins >= 0).all(axis=1))
            sources = [numbers.setdefault(mirror.wires[row].source, len(numbers)) for row in rows.tolist()]
            found = find_branches(mirror.points[rows], np.array(sources, np.int64))
            self._branches = found._replace(pairs=rows[found.pairs])
        return self._branches
