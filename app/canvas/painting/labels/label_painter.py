"""Draws the labels of wires: plates, glyphs, texts, bars, and the leaders to those that stand apart."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from gradwire.app.canvas.geometry.page_arrays import box_rect
from gradwire.app.canvas.painting.glyphs import draw_component_bars
from gradwire.app.canvas.painting.labels.label_places import leader_end
from gradwire.app.canvas.painting.labels.labels import (
    DOT,
    GLYPH,
    PX,
    ROW_HEIGHT,
    Form,
    GradientText,
    Placed,
    Pose,
    row_margin,
)
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.drawing import LEFT, faded, filled, inked, scaled
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.statuses import LOOKS, MARKS
from gradwire.app.look.theme import font
from gradwire.engine.autodiff.status import Status

PLATE, LEADER = 0.92, 0.8


class LabelPainter:
    """The painter of labels in scene coordinates; `scale` is how large labels are in the scene."""

    def __init__(self, painter: QPainter, look: Look, scale: float) -> None:
        self._painter, self._look, self._theme, self._scale = painter, look, look.theme, scale

    def draw(self, placed: Placed) -> None:
        """Draws the label of a wire."""
        self.draw_ground(placed)
        self.draw_numbers(placed)

    def draw_ground(self, placed: Placed) -> None:
        """Draws all of a label but what changes with each number; `ground_key` of the label stands for it."""
        value, gradient = placed.boxes()
        with scaled(self._painter, QPointF(placed.x, placed.y), self._scale):
            if placed.pose is Pose.LEADER:
                self._draw_leader(placed)
            if value is not None:
                self._draw_plate(box_rect(value))
            if gradient is not None and placed.label.gradient is not None:
                self._draw_gradient_plate(box_rect(gradient), placed.label.gradient, placed.form)

    def draw_numbers(self, placed: Placed) -> None:
        """Draws the texts and bars of a label."""
        label, form, (value, gradient) = placed.label, placed.form, placed.boxes()
        with scaled(self._painter, QPointF(placed.x, placed.y), self._scale):
            if value is not None:
                box = box_rect(value).adjusted(row_margin(form), 0, 0, 0)
                self._draw_text(box, label.value_shown(form), self._color("value"))
            if gradient is not None and label.gradient is not None:
                self._draw_gradient_numbers(box_rect(gradient), label.gradient, form)

    def _draw_leader(self, placed: Placed) -> None:
        """Draws the line from the wire to the label, and the dot in which it begins."""
        widths = placed.label.widths(placed.form)
        rows = 1.0 if all(widths) else 0.5
        end = leader_end(placed.apart, max(widths) / 2, rows * ROW_HEIGHT)
        color = self._theme.color("text.tertiary")
        inked(self._painter, QPen(color, LEADER)).drawLine(QLineF(QPointF(0, 0), QPointF(*end)))
        filled(self._painter, color).drawEllipse(QPointF(0, 0), DOT, DOT)

    def _color(self, token: str) -> QColor:
        """Returns the color of a token; what is stale is grey."""
        return self._theme.color("text.tertiary" if self._look.is_stale else token)

    def _draw_gradient_plate(self, box: QRectF, gradient: GradientText, form: Form) -> None:
        if gradient.is_boxed:
            self._draw_box(box, gradient.status)
        else:
            self._draw_plate(box)
        if glyph := gradient.glyph(form):
            at = QPointF(box.left() + gradient.margin(form), box.center().y())
            draw_mark(self._painter, at, self._color(MARKS[glyph].token), glyph)

    def _draw_gradient_numbers(self, box: QRectF, gradient: GradientText, form: Form) -> None:
        color, margin = self._color(LOOKS[gradient.status].token), gradient.margin(form)
        before = margin + (GLYPH if gradient.glyph(form) else 0.0)
        self._draw_text(box.adjusted(before, 0, 0, 0), gradient.shown(form), color, gradient.is_boxed)
        if gradient.has_bars(form):
            bars = QRectF(box.right() - margin - 22, box.top() + 2, 22, 11)
            draw_component_bars(self._painter, bars, gradient.bars, color)

    def _draw_text(self, box: QRectF, text: str, color: QColor, is_bold: bool = False) -> None:
        # At half the size of a font of twice the size: Qt has no half px.
        with scaled(self._painter, QPointF(box.left(), box.center().y()), 0.5):
            inked(self._painter, color, font=font("mono", 2 * PX, 600 if is_bold else 500))
            self._painter.drawText(QRectF(0, -20, 4000, 40), LEFT, text)

    def _draw_plate(self, box: QRectF) -> None:
        filled(self._painter, faded(self._theme.color("bg.canvas"), PLATE)).drawRoundedRect(box, 4, 4)

    def _draw_box(self, box: QRectF, status: Status) -> None:
        edge, ground = self._theme.color(LOOKS[status].border or "wire.zero"), self._theme.color(LOOKS[status].ground)
        inked(self._painter, QPen(edge, 1), ground).drawRoundedRect(box.adjusted(0.5, 0, -0.5, 0), 4, 4)
