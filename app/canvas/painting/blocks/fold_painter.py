"""Draws the layers of a fold: their gradients over depth, the largest step, and bars of weights and outputs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.fold_norms import FoldNorms, Step, fold_norms
from gradwire.app.canvas.geometry.folded_page import BARS, HINT, ShownFold
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import HEADER, PAD, ROW
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.blocks.loop_plot import draw_dots, heights, norm_scale
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.chart_pieces import draw_pieces, pieces_of
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, filled, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import fmt
from gradwire.engine.base.tensor_spec import Array

PORT, TICK, END = Style("ui", 11), Style("mono", 10, token="text.tertiary"), Style("mono", 12)
HEADING, STEP, WORDS = Style("ui", 12, 600), Style("ui", 12, 600, "warn"), Style("ui", 11, token="text.tertiary")
# The icon of a row of bars, the ring and the dots of the chart. Units: px at 100 %.
ICON, RING, DOT = 18.0, 11.0, 2.2
# The space between the numbers at the left edge of the chart and its first layer. Units: px at 100 %.
TICKS = 14.0
# A number that is as wide as any.
WIDEST = "8.8e−88"


class FoldPainter:
    """The painter of one fold, its corner at 0, 0."""

    def __init__(self, painter: QPainter, mirror: Mirror, look: Look, fold: ShownFold) -> None:
        self._painter, self._look, self._fold = painter, look, fold
        self._norms: FoldNorms = fold_norms(mirror, fold)
        self._token = "text.disabled" if look.is_stale else "grad.text"

    def draw(self) -> None:
        """Draws the chart, the bars, and what a click does."""
        self._draw_port_row()
        box = self._fold.chart_box
        gradients = self._norms.gradients
        if np.isfinite(gradients).any():
            self._draw_chart(norm_scale(gradients))
        else:
            draw_text(self._painter, self._look, box, CENTRE, tr("no gradient yet"), WORDS)
        row = QRectF(box.left(), box.bottom(), box.width(), BARS)
        value = "text.disabled" if self._look.is_stale else "value"
        count = len(self._fold.layers)
        rows = [("variable", f"{count} {name}", item, self._token) for name, item in self._norms.weights.items()]
        rows.append(("activation", tr("{count} out", count=count), self._norms.outputs, value))
        named = max(HEADING.width(text, self._look) for _, text, _, _ in rows) + 10
        for icon, text, norms, token in rows:
            self._draw_bars(row, icon, text, named, norms, token)
            row.translate(0, BARS)
        hint = QRectF(box.left(), row.top(), box.width(), HINT)
        text = tr("Click opens a layer, double-click all {count}.", count=count)
        if WORDS.width(text, self._look) <= hint.width():
            draw_text(self._painter, self._look, hint, LEFT, text, WORDS)

    def _draw_port_row(self) -> None:
        row = QRectF(12, HEADER + PAD, self._fold.shape.width - 24, ROW)
        first, last = (tr("layer {number}", number=layer) for layer in (self._fold.first, self._fold.last))
        draw_text(self._painter, self._look, row, LEFT, first, PORT)
        draw_text(self._painter, self._look, row, RIGHT, last, PORT)
        heading, sides = tr("|∂L| over depth"), max(PORT.width(text, self._look) for text in (first, last))
        if HEADING.width(heading, self._look) + 2 * (sides + 8) <= row.width():
            draw_text(self._painter, self._look, row, CENTRE, heading, HEADING)

    # The chart

    def _draw_chart(self, scale: Scale) -> None:
        painter, theme, plot, gradients = self._painter, self._look.theme, self._fold.plot, self._norms.gradients
        self._draw_ticks(scale, plot)
        across = plot.left() + np.arange(gradients.size) / max(gradients.size - 1, 1) * plot.width()
        down = heights(scale, plot, gradients)
        pieces = pieces_of(np.arange(gradients.size), gradients)
        lines = [(across[layers], down[layers]) for layers, _ in pieces.lines]
        alone = across[pieces.marks[0]], down[pieces.marks[0]]
        draw_pieces(painter, QPen(theme.color("grad.text"), 2.0), lines, alone)
        filled(painter, theme.color(self._token))
        draw_dots(painter, across, down, np.isfinite(gradients), DOT)
        ends = [self._draw_end(at, across, down) for at in (0, -1) if not math.isnan(gradients[at])]
        step = self._norms.largest_step
        if step is not None:
            self._draw_step(step, across, down, ends)

    def _draw_ticks(self, scale: Scale, plot: QRectF) -> None:
        painter, look, grow = self._painter, self._look, self._look.growth(TICK.px)
        count = int(plot.height() / (48 * grow))
        for tick in scale.ticks(count):
            (y,) = heights(scale, plot, np.array([tick])).tolist()
            if plot.top() - 1 <= y <= plot.bottom() + 1:
                painter.setPen(QPen(look.theme.color("border.subtle"), 1))
                painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
                room = QRectF(0, y - 8 * grow, plot.left() - TICKS - 4, 16 * grow)
                draw_number(painter, look, room, RIGHT, fmt(tick), TICK)
        layers, last = len(self._fold.layers), self._fold.last
        every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if layers / step * 40 * grow <= 420)
        begin = -(-(self._fold.first + every / 2) // every) * every
        marks = [self._fold.first, *range(int(begin), last + 1, every)]
        for number in marks if layers > 1 else []:
            x = plot.left() + (number - self._fold.first) / (layers - 1) * plot.width()
            box = QRectF(x - 24 * grow, self._fold.chart_box.bottom() - 15 * grow, 48 * grow, 14 * grow)
            draw_number(painter, look, box, CENTRE, str(number), TICK)

    def _draw_end(self, at: int, across: Array, down: Array) -> QRectF:
        """Writes the number at an end of the line, above it or where the line rises from there below; returns where."""
        text, grow = fmt(float(self._norms.gradients[at])), self._look.growth(END.px)
        width, height, plot = END.width(text, self._look), 16 * grow, self._fold.plot
        left = min(max(float(across[at]) - width / 2, plot.left() - TICKS), self._fold.shape.width - 6 - width)
        low, high = _span(across, down, left, left + width)
        is_below = float(np.nanmin(down)) < down[at] - 2 * height
        # Between the words above the chart and the numbers of the layers below it.
        highest, lowest = HEADER + PAD + ROW, self._fold.chart_box.bottom() - 16 * self._look.growth(TICK.px) - height
        top = min(high + 6, lowest) if is_below else max(low - 6 - height, highest)
        box = QRectF(left, top, width + 2, height)
        draw_text(self._painter, self._look, box, CENTRE, text, END.inked(self._token))
        return box

    def _draw_step(self, step: Step, across: Array, down: Array, ends: Sequence[QRectF]) -> None:
        """Draws a ring around the largest step, and beside the line its factor, in fewer words where room is short."""
        painter, look = self._painter, self._look
        middle = QPointF(across[step.layer - 1 : step.layer + 1].mean(), down[step.layer - 1 : step.layer + 1].mean())
        pen = QPen(look.theme.color("warn"), 1.6)
        inked(painter, pen, Qt.BrushStyle.NoBrush).drawEllipse(middle, RING, RING)
        words = {"factor": step.text, "layer": self._fold.first + step.layer}
        texts = tr("largest step: {factor} across layer {layer}", **words), tr("{factor} at layer {layer}", **words)
        for text in (*texts, step.text):
            box = self._beside_line(middle, STEP.width(text, look), across, down, ends)
            if box is None:
                continue
            y = box.top() + 2 if box.top() > middle.y() else box.bottom() - 2
            way = QLineF(middle, QPointF(min(max(middle.x(), box.left()), box.right()), y))
            if way.length() > RING:
                painter.setPen(QPen(look.theme.color("warn"), 1))
                painter.drawLine(QLineF(way.pointAt(RING / way.length()), way.p2()))
            draw_text(painter, look, box, CENTRE, text, STEP)
            return

    def _beside_line(
        self, middle: QPointF, width: float, across: Array, down: Array, ends: Sequence[QRectF]
    ) -> QRectF | None:
        """Returns a place in the chart for a text near a point, off the line and the numbers at its ends."""
        plot, height = self._fold.plot, 18 * self._look.growth(STEP.px)
        for beside in (middle.x() + 22, middle.x() - 22 - width, plot.left()):
            left = min(max(beside, plot.left()), plot.right() - width)
            low, high = _span(across, down, left - 8, left + width + 8)
            for top in (max(middle.y() + 18, high + 8), min(middle.y() - 18, low - 8) - height):
                box = QRectF(left, top, width + 2, height)
                is_inside = left >= plot.left() and plot.top() - 12 <= top <= plot.bottom() + 10 - height
                if is_inside and not any(box.intersects(end) for end in ends):
                    return box
        return None

    # Bars

    def _draw_bars(self, row: QRectF, icon: str, name: str, named: float, norms: Array, token: str) -> None:
        """Draws a row: its name in a width `named`, the first number, the bars, and the last number."""
        painter, look, theme = self._painter, self._look, self._look.theme
        color = theme.color("text.secondary")
        draw_icon(painter, icon, color, QRectF(row.left(), row.center().y() - 6, 12, 12))
        draw_text(painter, look, QRectF(row.left() + ICON, row.top(), named, row.height()), LEFT, name, HEADING)
        wide = TICK.width(WIDEST, look)
        first = QRectF(row.left() + ICON + named, row.top(), wide, row.height())
        last = QRectF(row.right() - wide, row.top(), wide, row.height())
        for box, number in ((first, norms[0]), (last, norms[-1])):
            if np.isfinite(number):
                draw_number(painter, look, box, LEFT if box is first else RIGHT, fmt(float(number)), TICK.inked(token))
        room = QRectF(first.right() + 8, row.top() + 6, last.left() - first.right() - 8, row.height() - 10)
        shares = np.zeros(norms.size)
        known = np.isfinite(norms)
        scale = norm_scale(norms)
        shares[known] = 0.1 + 0.9 * scale.share(norms[known]) * (norms[known] > 0)
        step = room.width() / norms.size
        filled(painter, theme.color(token))
        for at, share in enumerate(shares.tolist()):
            high = room.height() * share
            painter.drawRect(QRectF(room.left() + at * step, room.bottom() - high, max(step - 1, step / 2), high))


def _span(across: Array, down: Array, left: float, right: float) -> tuple[float, float]:
    """Returns the highest and the lowest point of a line between two places across."""
    near = down[(across >= left) & (across <= right)]
    return float(near.min(initial=math.inf)), float(near.max(initial=-math.inf))
