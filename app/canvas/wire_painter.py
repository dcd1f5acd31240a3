"""Draws wires: a pipe as wide as the gradient is large, or the pattern of its status; and the labels beside them."""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.canvas.glyphs import draw_arrow, draw_component_bars, draw_status
from app.canvas.labels import (
    ARROW,
    BARS,
    GAP,
    MARGIN,
    PX,
    ROW_HEIGHT,
    Form,
    GradientText,
    Placed,
    gradient_width,
    label_width,
)
from app.canvas.look import Level, Look, Overlay
from app.canvas.mirror import Mirror
from app.look.causes import draw_mark, mark_token
from app.look.theme import Theme, font
from engine.glance import STATUSES
from engine.status import Status

PIPE_MIN, PIPE_MAX, CORE = 3.0, 8.0, 1.3
LADDER, ZERO_GAP, ZERO_LINE = 9.0, 6.4, 1.2
PLATE = 0.88
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_GRADIENT_TOKENS = {
    Status.FLOW: "grad.text",
    Status.ZERO: "text.secondary",
    Status.BLOCKED: "text.primary",
    Status.NON_DIFFERENTIABLE: "text.secondary",
    Status.NO_PATH: "text.tertiary",
    Status.NONFINITE: "alarm",
    Status.UNKNOWN: "text.tertiary",
}


def pen(color: QColor, width: float, *dashes: float) -> QPen:
    """A flat pen; dashes in px. Round caps cost ten times as much."""
    made = QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
    if dashes:
        made.setDashPattern([dash / width for dash in dashes])
    return made


@functools.lru_cache(maxsize=512)
def status_pens(theme: Theme, status: Status) -> tuple[QPen, ...]:
    """The strokes of a wire that carries no gradient, the lowest first; the casing is not among them."""
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
    """The strokes of a wire that carries a gradient of magnitude `t`; `sign` where colours tell it."""
    width = PIPE_MIN + (PIPE_MAX - PIPE_MIN) * t
    color = theme.ramp(t)
    if sign is not None:
        color = theme.color("text.secondary") if sign == 0 else theme.diverging(sign * 0.9)
    strokes = (pen(color, width),)
    return (*strokes, pen(theme.color("bg.canvas"), CORE)) if width >= 4 and has_core else strokes


@functools.lru_cache(maxsize=1024)
def plain_pen(theme: Theme, token: str, width: float, *dashes: float) -> QPen:
    """A pen of a token's colour."""
    return pen(theme.color(token), width, *dashes)


class WirePainter:
    """Draws the wires of one page and their labels, in scene coordinates."""

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
        """All strokes of a wire, the lowest first: what shows that it is selected, its casing, and its pens."""
        return self.framed(self.pens(row), row)

    def framed(self, pens: tuple[QPen, ...], row: int) -> tuple[QPen, ...]:
        """Some strokes of a wire with what lies below them."""
        theme, look, wire = self._theme, self._look, self._mirror.wires[row]
        width = max(item.widthF() for item in pens)
        casing = plain_pen(theme, "bg.canvas", width + (4 if look.level >= Level.COMPACT else 2))
        if look.selection.wires and wire in look.selection.wires:
            return (plain_pen(theme, "accent", width + 6), casing, *pens)
        if look.hovered_wire is not None and wire == look.hovered_wire:
            return (plain_pen(theme, "border.strong", width + 6), casing, *pens)
        return (casing, *pens)

    def pens(self, row: int) -> tuple[QPen, ...]:
        """The strokes of a wire above its casing."""
        status = None if row in self._mirror.broken else STATUSES[self._mirror.wire_status[row]]
        return self.pens_of(status, self._mirror.magnitude(row), self._sign(row))

    def pens_of(self, status: Status | None, t: float, sign: int) -> tuple[QPen, ...]:
        """The strokes of all wires of a status, None if they are broken, and of a magnitude and sign."""
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

    def _sign(self, row: int) -> int:
        total = float(self._mirror.wire_total[row])
        return (total > 0) - (total < 0)

    def has_signs(self, row: int) -> bool:
        """Whether minus signs stand along a wire."""
        is_flow = STATUSES[self._mirror.wire_status[row]] is Status.FLOW
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

    # Labels

    def draw_label(self, placed: Placed, scale: float) -> None:
        """Draws the label of a wire; `scale` is how large labels are in the scene."""
        painter = self._painter
        painter.save()
        painter.translate(placed.x, placed.y)
        painter.scale(scale, scale)
        label = placed.label
        if placed.form is Form.DOT:
            token = "value" if label.gradient is None else _GRADIENT_TOKENS[label.gradient.status]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(token))
            painter.drawEllipse(QPointF(0, 0), 2.5, 2.5)
        else:
            if placed.form <= Form.BRIEF and label.value:
                self._draw_value_row(label.value)
            if label.gradient is not None:
                self._draw_gradient_row(label.gradient, placed.form)
        painter.restore()

    def _draw_value_row(self, text: str) -> None:
        width = label_width(text) + ARROW + 2 * MARGIN
        box = QRectF(-width / 2, -GAP - ROW_HEIGHT, width, ROW_HEIGHT)
        color = self._theme.color("text.tertiary" if self._look.is_stale else "value")
        self._draw_plate(box)
        draw_arrow(self._painter, QPointF(box.left() + MARGIN, box.center().y()), color, to_right=True)
        self._draw_text(box.adjusted(MARGIN + ARROW, 0, 0, 0), text, color)

    def _draw_gradient_row(self, gradient: GradientText, form: Form) -> None:
        color = self._theme.color(_GRADIENT_TOKENS[gradient.status])
        if self._look.is_stale:
            color = self._theme.color("text.tertiary")
        if form is Form.BARS:
            box = QRectF(-BARS / 2 - MARGIN, GAP, BARS + 2 * MARGIN, ROW_HEIGHT)
            self._draw_plate(box)
            draw_component_bars(self._painter, QRectF(-11, box.center().y() - 5.5, 22, 11), gradient.bars, color)
            return
        width = gradient_width(gradient, form)
        box = QRectF(-width / 2, GAP, width, ROW_HEIGHT)
        if gradient.is_boxed:
            self._draw_box(box, gradient.status)
        else:
            self._draw_plate(box)
        after = self._draw_glyphs(QPointF(box.left() + MARGIN, box.center().y()), gradient, color)
        self._draw_text(box.adjusted(after - box.left(), 0, 0, 0), gradient.shown(form), color, gradient.is_boxed)
        if gradient.bars:
            bars = QRectF(box.right() - MARGIN - 22, box.center().y() - 5.5, 22, 11)
            draw_component_bars(self._painter, bars, gradient.bars, color)

    def _draw_glyphs(self, at: QPointF, gradient: GradientText, color: QColor) -> float:
        """Draws the glyph of the status, or of the cause of a zero; gives where the text begins."""
        if not gradient.mark or gradient.has_second_mark:
            draw_status(self._painter, at, color, gradient.status)
            at = at + QPointF(ARROW, 0)
        if gradient.mark:
            mark_color = color if self._look.is_stale else self._theme.color(mark_token(gradient.mark))
            draw_mark(self._painter, at, mark_color, gradient.mark)
            at = at + QPointF(ARROW, 0)
        return at.x()

    def _draw_text(self, box: QRectF, text: str, color: QColor, is_bold: bool = False) -> None:
        painter = self._painter
        painter.save()
        painter.translate(box.left(), box.center().y())
        painter.scale(0.5, 0.5)
        painter.setFont(font("mono", 2 * PX, 600 if is_bold else 500))
        painter.setPen(color)
        painter.drawText(QRectF(0, -20, 4000, 40), _LEFT, text)
        painter.restore()

    def _draw_plate(self, box: QRectF) -> None:
        color = QColor(self._theme.color("bg.canvas"))
        color.setAlphaF(PLATE)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawRoundedRect(box, 4, 4)

    def _draw_box(self, box: QRectF, status: Status) -> None:
        theme = self._theme
        border = {Status.BLOCKED: "text.primary", Status.NONFINITE: "alarm"}.get(status, "wire.zero")
        self._painter.setPen(QPen(theme.color(border), 1))
        self._painter.setBrush(theme.color("alarm.bg" if status is Status.NONFINITE else "bg.canvas"))
        self._painter.drawRoundedRect(box.adjusted(0.5, 0, -0.5, 0), 4, 4)
