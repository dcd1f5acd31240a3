"""Draws wires: a pipe as wide as the gradient is large, or the pattern of its status."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Level, Look, Overlay
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.look.drawing import inked
from gradwire.app.look.wire_pens import flow_pens, pen, plain_pen, status_pens
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUSES


def with_width(pen: QPen, width: float) -> QPen:
    """Returns a pen of another width."""
    made = QPen(pen)
    made.setWidthF(width)
    return made


class WirePainter:
    """The painter of one page's wires, in scene coordinates."""

    def __init__(self, painter: QPainter, mirror: Mirror, look: Look) -> None:
        self._painter, self._mirror, self._look, self._theme = painter, mirror, look, look.theme

    def draw(self, row: int) -> None:
        """Draws one wire."""
        path = self._mirror.path(row)
        painter = self._painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for item in self.strokes(row):
            inked(painter, item).drawPath(path)
        self.draw_signs(row)

    def strokes(self, row: int) -> tuple[QPen, ...]:
        """Returns all strokes of a wire, the lowest first: what shows that it is selected, its casing, and its pens."""
        return self.framed(self.pens(row), row)

    def framed(self, pens: tuple[QPen, ...], row: int) -> tuple[QPen, ...]:
        """Returns some strokes of a wire with what lies below them."""
        theme, look, wire = self._theme, self._look, self._mirror.wires[row]
        width = max(item.widthF() for item in pens)
        casing = plain_pen(theme, "bg.canvas", width + (4 if look.level >= Level.COMPACT else 2))
        if look.selection.wires and wire in look.selection.wires:
            return (plain_pen(theme, "accent", width + 6), casing, *pens)
        if wire == look.hovered.wire:
            return (plain_pen(theme, "border.strong", width + 6), casing, *pens)
        return (casing, *pens)

    def pens(self, row: int) -> tuple[QPen, ...]:
        """Returns the strokes of a wire above its casing."""
        if self._mirror.wire_breaks[row] and row not in self._mirror.broken:
            return self.breaking_pens()
        status = None if row in self._mirror.broken else STATUSES[self._mirror.wire_status[row]]
        return self.pens_of(status, magnitude(self._mirror, row), self._sign(row))

    def pens_of(self, status: Status | None, t: float, sign: int) -> tuple[QPen, ...]:
        """Returns the strokes of all wires of a status, None if they are broken, and of a magnitude and sign."""
        theme, look = self._theme, self._look
        if status is None:
            return (plain_pen(theme, "error", 2, 4, 4),)
        if look.overlay is Overlay.OFF:
            return (plain_pen(theme, "wire.value", 1.8),)
        if look.is_stale:
            return status_pens(theme, Status.UNKNOWN)
        if status is not Status.FLOW:
            return status_pens(theme, status)
        if look.overlay is Overlay.LABELS:
            return (plain_pen(theme, "wire.value", 1.8),)
        return flow_pens(theme, t, sign if look.overlay is Overlay.SIGN else None, look.level > Level.SHAPE)

    def breaking_pens(self) -> tuple[QPen, ...]:
        """Returns the strokes of a wire whose value is NaN or infinite, whatever its gradient is."""
        return status_pens(self._theme, Status.UNKNOWN if self._look.is_stale else Status.NONFINITE)

    def _sign(self, row: int) -> int:
        total = float(self._mirror.wire_total[row])
        return (total > 0) - (total < 0)

    def has_signs(self, row: int) -> bool:
        """Returns whether minus signs stand along a wire."""
        is_flow = STATUSES[self._mirror.wire_status[row]] is Status.FLOW and not self._mirror.wire_breaks[row]
        return self._look.overlay is Overlay.SIGN and is_flow and self._sign(row) < 0 and not self._look.is_stale

    def draw_signs(self, row: int) -> None:
        """Draws a minus every 24 px along a wire whose gradient is negative, where the sign is shown."""
        if not self.has_signs(row):
            return
        path = self._mirror.path(row)
        self._painter.setPen(pen(self._theme.color("bg.canvas"), 3))
        for at in np.arange(12, path.length(), 24).tolist():
            middle = path.pointAtPercent(path.percentAtLength(at))
            self._painter.drawLine(middle - QPointF(3.5, 0), middle + QPointF(3.5, 0))
