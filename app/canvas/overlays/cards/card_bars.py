"""The parts of a gradient as stacked bars: what is positive to the right of zero, what is negative to the left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from gradwire.app.look.theme import Theme

BAR, SPACE, GAP = 7.0, 4.0, 1.0
# Parts beside each other differ in strength, for they may have the same sign.
_STRENGTHS = (0.95, 0.55)


class Segment(NamedTuple):
    """A part in a bar: which one it is, and from where to where it reaches. Units: those of the gradient."""

    part: int
    start: float
    end: float


def stack(parts: Sequence[float]) -> list[Segment]:
    """Returns the parts of one number, each put on those of its sign before it; parts of 0 take no room."""
    reach = {True: 0.0, False: 0.0}
    found = []
    for index, part in enumerate(parts):
        if part:
            start = reach[part > 0]
            reach[part > 0] = start + part
            found.append(Segment(index, start, start + part))
    return found


def bars_height(stacks: Sequence[Sequence[float]]) -> float:
    """Returns how high the bars of some numbers are together. Units: px."""
    return len(stacks) * (BAR + SPACE) + SPACE if any(_ends(stacks)) else 0.0


def draw_bars(painter: QPainter, theme: Theme, box: QRectF, stacks: Sequence[Sequence[float]]) -> None:
    """Draws one bar a number, to one scale, with a line at zero and a mark at the sum."""
    low, high = _ends(stacks)
    scale = box.width() / (high - low)
    zero = box.left() - low * scale
    for row, parts in enumerate(stacks):
        top = box.top() + SPACE + row * (BAR + SPACE)
        for part, start, end in stack(parts):
            left, right = sorted((zero + start * scale, zero + end * scale))
            color = theme.diverging(math.copysign(_STRENGTHS[part % len(_STRENGTHS)], end - start))
            painter.fillRect(QRectF(left, top, max(right - left - GAP, GAP), BAR), color)
        total = zero + sum(parts) * scale
        painter.fillRect(QRectF(total - 1, top - 1.5, 2, BAR + 3), theme.color("text.primary"))
    painter.setPen(QPen(theme.color("border.strong"), 1))
    bottom = box.top() + bars_height(stacks)
    painter.drawLine(QPointF(zero, box.top() + 1), QPointF(zero, bottom - 1))


def _ends(stacks: Sequence[Sequence[float]]) -> tuple[float, float]:
    ends = [segment.end for parts in stacks for segment in stack(parts)]
    return min([0.0, *ends]), max([0.0, *ends])
