"""Draws wires: a pipe as wide as the gradient is large, or the pattern of its status; and the labels beside them."""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.glyphs import draw_arrow, draw_component_bars, draw_status
from gradwire.app.canvas.painting.labels.labels import (
    ARROW,
    BARS,
    GAP,
    MARGIN,
    PX,
    ROW_HEIGHT,
    Form,
    GradientText,
    Label,
    Placed,
    gradient_width,
    label_width,
)
from gradwire.app.canvas.painting.look import Level, Look, Overlay
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.look.causes import draw_mark, mark_token
from gradwire.app.look.theme import Theme, font
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUSES

PIPE_MIN, PIPE_MAX, CORE = 3.0, 8.0, 1.3
LADDER, ZERO_GAP, ZERO_LINE = 9.0, 6.4, 1.2
PLATE = 0.88
_NO_PEN = Qt.PenStyle.NoPen
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
    """The painter of one page's wires and their labels, in scene coordinates."""

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

    def _sign(self, row: int) -> int:
        total = float(self._mirror.wire_total[row])
        return (total > 0) - (total < 0)

    def has_signs(self, row: int) -> bool:
        """Returns whether minus signs stand along a wire."""
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
        self.draw_label_ground(placed, scale)
        self.draw_label_numbers(placed, scale)

    def draw_label_ground(self, placed: Placed, scale: float) -> None:
        """Draws all of a label but what changes with each number; `ground_key` of the label stands for it."""
        label, form = placed.label, placed.form
        self._go_to(placed, scale)
        if form is Form.DOT:
            self._draw_dot(label)
        elif form <= Form.BRIEF and label.value:
            self._draw_value_plate(label.value)
        if form is not Form.DOT and label.gradient is not None:
            self._draw_gradient_plate(label.gradient, form)
        self._painter.restore()

    def draw_label_numbers(self, placed: Placed, scale: float) -> None:
        """Draws the texts and bars of a label."""
        label, form = placed.label, placed.form
        self._go_to(placed, scale)
        if form <= Form.BRIEF and label.value:
            box = _value_box(label.value).adjusted(MARGIN + ARROW, 0, 0, 0)
            self._draw_text(box, label.value, self._value_color())
        if form is not Form.DOT and label.gradient is not None:
            self._draw_gradient_numbers(label.gradient, form)
        self._painter.restore()

    def _go_to(self, placed: Placed, scale: float) -> None:
        self._painter.save()
        self._painter.translate(placed.x, placed.y)
        self._painter.scale(scale, scale)

    def _draw_dot(self, label: Label) -> None:
        token = "value" if label.gradient is None else _GRADIENT_TOKENS[label.gradient.status]
        self._painter.setPen(_NO_PEN)
        self._painter.setBrush(self._theme.color(token))
        self._painter.drawEllipse(QPointF(0, 0), 2.5, 2.5)

    def _value_color(self) -> QColor:
        return self._theme.color("text.tertiary" if self._look.is_stale else "value")

    def _gradient_color(self, status: Status) -> QColor:
        return self._theme.color("text.tertiary" if self._look.is_stale else _GRADIENT_TOKENS[status])

    def _draw_value_plate(self, text: str) -> None:
        box = _value_box(text)
        self._draw_plate(box)
        at = QPointF(box.left() + MARGIN, box.center().y())
        draw_arrow(self._painter, at, self._value_color(), to_right=True)

    def _draw_gradient_plate(self, gradient: GradientText, form: Form) -> None:
        box = _gradient_box(gradient, form)
        if gradient.is_boxed and form is not Form.BARS:
            self._draw_box(box, gradient.status)
        else:
            self._draw_plate(box)
        if form is not Form.BARS:
            at = QPointF(box.left() + MARGIN, box.center().y())
            self._draw_glyphs(at, gradient, self._gradient_color(gradient.status))

    def _draw_glyphs(self, at: QPointF, gradient: GradientText, color: QColor) -> None:
        """Draws the glyph of the status, or of the cause of a zero."""
        if not gradient.mark or gradient.has_second_mark:
            draw_status(self._painter, at, color, gradient.status)
            at = at + QPointF(ARROW, 0)
        if gradient.mark:
            mark_color = color if self._look.is_stale else self._theme.color(mark_token(gradient.mark))
            draw_mark(self._painter, at, mark_color, gradient.mark)

    def _draw_gradient_numbers(self, gradient: GradientText, form: Form) -> None:
        box, color = _gradient_box(gradient, form), self._gradient_color(gradient.status)
        if form is not Form.BARS:
            before = MARGIN + gradient.glyphs * ARROW
            self._draw_text(box.adjusted(before, 0, 0, 0), gradient.shown(form), color, gradient.is_boxed)
        if gradient.bars:
            left = -11 if form is Form.BARS else box.right() - MARGIN - 22
            draw_component_bars(self._painter, QRectF(left, GAP + 2, 22, 11), gradient.bars, color)

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
        self._painter.setPen(_NO_PEN)
        self._painter.setBrush(_plate_color(self._theme))
        self._painter.drawRoundedRect(box, 4, 4)

    def _draw_box(self, box: QRectF, status: Status) -> None:
        theme = self._theme
        border = {Status.BLOCKED: "text.primary", Status.NONFINITE: "alarm"}.get(status, "wire.zero")
        self._painter.setPen(QPen(theme.color(border), 1))
        self._painter.setBrush(theme.color("alarm.bg" if status is Status.NONFINITE else "bg.canvas"))
        self._painter.drawRoundedRect(box.adjusted(0.5, 0, -0.5, 0), 4, 4)


def _value_box(text: str) -> QRectF:
    width = label_width(text) + ARROW + 2 * MARGIN
    return QRectF(-width / 2, -GAP - ROW_HEIGHT, width, ROW_HEIGHT)


def _gradient_box(gradient: GradientText, form: Form) -> QRectF:
    width = BARS + 2 * MARGIN if form is Form.BARS else gradient_width(gradient, form)
    return QRectF(-width / 2, GAP, width, ROW_HEIGHT)


@functools.lru_cache(maxsize=8)
def _plate_color(theme: Theme) -> QColor:
    color = QColor(theme.color("bg.canvas"))
    color.setAlphaF(PLATE)
    return color
