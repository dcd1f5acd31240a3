"""The pens of wires: a pipe as wide as the gradient is large, or the pattern of its status."""

from __future__ import annotations

import functools

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from gradwire.app.look.statuses import LOOKS
from gradwire.app.look.theme import Theme
from gradwire.engine.autodiff.status import Status

PIPE_MIN, PIPE_MAX, CORE = 3.0, 8.0, 1.3


def pen(color: QColor, width: float, *dashes: float) -> QPen:
    """Returns a flat pen; dashes in px. Round caps cost ten times as much."""
    made = QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
    if dashes:
        made.setDashPattern([dash / width for dash in dashes])
    return made


@functools.lru_cache(maxsize=512)
def status_pens(theme: Theme, status: Status) -> tuple[QPen, ...]:
    """Returns the strokes of a wire that carries no gradient, the lowest first; the casing is not among them."""
    return tuple(pen(theme.color(item.token), item.width, *item.dashes) for item in LOOKS[status].strokes)


@functools.lru_cache(maxsize=8192)
def flow_pens(theme: Theme, t: float, sign: int | None, has_core: bool) -> tuple[QPen, ...]:
    """Returns the strokes of a wire that carries a gradient of magnitude `t`; `sign` where colours show it."""
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
