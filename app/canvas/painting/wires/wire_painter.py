"""Draws wires: a pipe as wide as the gradient is large, or the pattern of its status."""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Level, Look, Overlay
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.look.theme import Theme
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUSES

PIPE_MIN, PIPE_MAX, CORE = 3.0, 8.0, 1.3
LADDER, ZERO_GAP, ZERO_LINE = 9.0, 6.4, 1.2


def pen(color: QColor, width: float, *dashes: float) -> QPen:
    """Returns a flat pen; dashes in px. Round caps cost ten times as much."""
    made = QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
    if dashes:
        made.setDashPattern([dash / width for dash in dashes])
    return made


@functools.lru_cache(maxsize=512)
def status_pens(theme: Theme, status: Status) -> tuple[QPen, ...]:
    """Returns the strokes of a wire that carries no gradient, the lowest first; the casing is not among them."""
    if status is Status.ZERO:
        outer = ZERO_GAP + ZERO_LINE
        return (
            pen(theme.color("wire.zero"), outer),
            pen(theme.color("bg.canvas"), outer - 2 * ZERO_LINE),
        )
    if status is Status.BLOCKED:
        return (pen(theme.color("wire.zero"), 2, 7, 5),)
    if status is Status.NON_DIFFERENTIABLE:
        return (pen(theme.color("wire.zero"), 2, 2, 4),)
    if status is Status.NO_PATH:
        return (pen(theme.color("wire.nopath"), 1.6, 1.6, 3.4),)
    if status is Status.NONFINITE:
        alarm = theme.color("alarm")
        return (pen(alarm, LADDER), pen(theme.color("bg.canvas"), LADDER - 2.4), pen(alarm, LADDER - 2.4, 5, 5))
    if status is Status.NO_GRADIENT_DTYPE:
        return (pen(theme.color("wire.value"), 1.8),)
    return (pen(theme.color("wire.nopath"), 1.8),)


@functools.lru_cache(maxsize=8192)
def flow_pens(theme: Theme, t: float, sign: int | None, has_core: bool) -> tuple[QPen, ...]:
    """Returns the strokes of a wire that carries a gradient of magnitude `t`; `sign` where colours tell it."""
    width = PIPE_MIN + (PIPE_MAX - PIPE_MIN) * t
    color = theme.ramp(t)
    if sign is not None:
        color = theme.color("text.secondary") if sign == 0 else theme.diverging(sign * 0.9)
    strokes = (pen(color, width),)
    return (*strokes, pen(theme.color("bg.canvas"), CORE)) if width >= 4 and has_core else strokes


@functools.lru_cache(maxsize=1024)
def plain_pen(theme: Theme, token: str, width: float, *dashes: float) -> QPen:
    """Returns a pen of a token's colour."""
    return pen(theme.color(token), width, *dashes)


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
            painter.setPen(item)
            painter.drawPath(path)
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
        if look.hovered_wire is not None and wire == look.hovered_wire:
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
        if self.has_signs(row):
            self._draw_minus_signs(self._mirror.path(row))

    def _draw_minus_signs(self, path: QPainterPath) -> None:
        length, at = path.length(), 12.0
        self._painter.setPen(pen(self._theme.color("bg.canvas"), 3))
        while at < length:
            middle = path.pointAtPercent(path.percentAtLength(at))
            self._painter.drawLine(middle - QPointF(3.5, 0), middle + QPointF(3.5, 0))
            at += 24
