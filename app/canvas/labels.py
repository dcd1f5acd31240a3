"""What stands beside the wires, and where: no two labels overlap, none lies on a block."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.canvas.look import Level
from app.canvas.routing import Points, horizontal_runs
from app.canvas.shapes import text_width
from app.live.readings import Reading, WireReading
from app.look.numbers import fmt, fmt_list
from app.words import tr
from engine.graph import Wire
from engine.status import Status

PX, SMALLEST = 10.5, 9.5
ROW_HEIGHT, GAP, MARGIN = 15.0, 8.0, 5.0
ARROW, BARS, OVERHANG = 12.0, 26.0, 16.0
VANISHING, EXPLODING = 1e-7, 1e3
_ELEMENTS = {Level.FULL: 4, Level.DETAIL: 8}


def label_width(text: str, is_bold: bool = False) -> float:
    """How wide a text of a label is; measured at twice the size, for Qt has no half px."""
    return text_width("mono", 2 * PX, 600 if is_bold else 500, text) / 2


class Form(enum.IntEnum):
    """How much of a label found room."""

    BOTH = 0
    GRADIENT = 1
    BARS = 2
    DOT = 3


class GradientText(NamedTuple):
    """The gradient row of a label: its words, whether they are boxed, and the components to show as bars."""

    text: str
    status: Status
    is_boxed: bool = False
    bars: tuple[float, ...] = ()


@dataclass(frozen=True)
class Label:
    """The texts of one wire; `gradient` None for integers and in views without gradients."""

    value: str
    gradient: GradientText | None

    def allows(self, form: Form) -> bool:
        """Whether there is anything to show in a form."""
        if form is Form.GRADIENT:
            return bool(self.value) and self.gradient is not None
        return form is not Form.BARS or (self.gradient is not None and bool(self.gradient.bars))

    def size(self, form: Form) -> tuple[float, float, float]:
        """Width, height above the wire and height below it. Units: px at 100 %."""
        above = label_width(self.value) + ARROW + 2 * MARGIN if self.value else 0.0
        below = gradient_width(self.gradient) if self.gradient else 0.0
        if form is Form.DOT:
            return 7.0, 3.5, 3.5
        if form is Form.BARS:
            return BARS + 2 * MARGIN, 0.0, GAP + ROW_HEIGHT
        if form is Form.GRADIENT:
            return below, 0.0, GAP + ROW_HEIGHT
        return (
            max(above, below),
            (GAP + ROW_HEIGHT) if self.value else 0.0,
            (GAP + ROW_HEIGHT) if self.gradient else 0.0,
        )


@dataclass(frozen=True)
class Placed:
    """A label with the middle of its place on the wire. Units: px at 100 %."""

    label: Label
    form: Form
    x: float
    y: float
    width: float


def gradient_width(gradient: GradientText) -> float:
    """The width of the gradient row. Units: px at 100 %."""
    bars = BARS if gradient.bars else 0.0
    return label_width(gradient.text, gradient.is_boxed) + ARROW + bars + 2 * MARGIN


def label_of(
    reading: WireReading | None, level: Level, has_gradient: bool, is_stale: bool, other: WireReading | None = None
) -> Label:
    """The texts of a wire; `other` is what it carries without StopGradient, shown where it differs."""
    if reading is None:
        return Label("", GradientText("?", Status.UNKNOWN) if has_gradient else None)
    if level is Level.COMPACT:
        return Label("", _compact(reading, is_stale) if has_gradient else None)
    count = _ELEMENTS.get(level, 4)
    value = value_text(reading.value, count) if reading.value is not None else ""
    if not has_gradient:
        return Label(value, None)
    gradient = _gradient(reading, count, is_stale)
    if other is not None and gradient is not None:
        gradient = _with_other(gradient, reading, other)
    return Label(value, gradient)


def value_text(reading: Reading, count: int = 4) -> str:
    """A value in one line: its elements if there are few, else its shape and spread."""
    if reading.dtype == "bool":
        if reading.size <= count:
            return " ".join("T" if item else "F" for item in reading.first)
        return f"{_shape(reading)} {round(reading.total)} {tr('true')}"
    if reading.size == 1:
        return fmt(reading.first[0])
    if 0 < reading.size <= count:
        return fmt_list(reading.first)
    if reading.size == 0:
        return f"{_shape(reading)} {tr('empty')}"
    if reading.nan or reading.infinite:
        return f"{_shape(reading)} {_broken(reading)}"
    spread = max(reading.norm**2 / reading.size - reading.mean**2, 0.0) ** 0.5 if reading.norm < 1e150 else 0.0
    return f"{_shape(reading)} σ {fmt(spread)}"


def _gradient(reading: WireReading, count: int, is_stale: bool) -> GradientText | None:
    status, gradient = reading.status, reading.gradient
    if status is Status.NO_GRADIENT_DTYPE:
        return None
    if is_stale and gradient is not None:
        return GradientText(tr("old {number}", number=fmt(gradient.norm)), Status.FLOW)
    if status is Status.BLOCKED:
        return GradientText(tr("0 blocked"), status, is_boxed=True)
    if status is Status.NON_DIFFERENTIABLE:
        return GradientText(tr("0 no derivative"), status, is_boxed=True)
    if status is Status.NO_PATH:
        return GradientText(tr("no path"), status)
    if status is Status.UNKNOWN or gradient is None:
        return GradientText("?", Status.UNKNOWN)
    if status is Status.NONFINITE:
        return GradientText(_broken(gradient), status, is_boxed=True)
    if status is Status.ZERO:
        return GradientText("∂L 0" if gradient.norm == 0 else "∂L ≈ 0", status)
    return _flowing(gradient, count)


def _flowing(gradient: Reading, count: int) -> GradientText:
    if gradient.size == 1:
        return GradientText(f"∂L {fmt(gradient.first[0])}{_extreme(gradient.norm)}", Status.FLOW)
    if gradient.size == 0:
        return GradientText(f"∂L {tr('empty')}", Status.FLOW)
    if count >= 8 and gradient.size <= count:
        return GradientText(f"∂L {fmt_list(gradient.first)}", Status.FLOW)
    bars = gradient.first if gradient.has_all else ()
    return GradientText(f"|∂L| {fmt(gradient.norm)}{_extreme(gradient.norm)}", Status.FLOW, bars=bars)


def _compact(reading: WireReading, is_stale: bool) -> GradientText | None:
    full = _gradient(reading, 0, is_stale)
    if full is None or reading.gradient is None or is_stale:
        return full
    if full.status is Status.NONFINITE:
        return GradientText("NaN" if reading.gradient.nan else "inf", full.status, is_boxed=True)
    if full.status is not Status.FLOW:
        return full
    number = reading.gradient.first[0] if reading.gradient.size == 1 else reading.gradient.norm
    return GradientText(fmt(number), Status.FLOW)


def _with_other(gradient: GradientText, reading: WireReading, other: WireReading) -> GradientText:
    """`0 blocked → −0.151`: what StopGradient gives, and what comes without."""
    if not differs(reading, other) or other.gradient is None:
        return gradient
    after = other.gradient.first[0] if other.gradient.size == 1 else other.gradient.norm
    text = fmt(after) if other.status is not Status.ZERO else "≈ 0"
    if other.status is Status.NONFINITE:
        text = _broken(other.gradient)
    return GradientText(f"{gradient.text} → {text}", gradient.status, is_boxed=True)


def differs(reading: WireReading, other: WireReading) -> bool:
    """Whether a wire carries something else without StopGradient, beyond rounding."""
    if reading.status is not other.status:
        return True
    if reading.gradient is None or other.gradient is None:
        return reading.gradient is not other.gradient
    a, b = np.array(reading.gradient.first), np.array(other.gradient.first)
    scale = max((norm for norm in (reading.gradient.norm, other.gradient.norm) if norm < np.inf), default=0.0)
    close = np.allclose(a, b, rtol=1e-9, atol=1e-12 * scale, equal_nan=True)
    return not close or abs(reading.gradient.norm - other.gradient.norm) > 1e-9 * scale


def _extreme(norm: float) -> str:
    return " ↓" if 0 < norm < VANISHING else " ↑" if norm > EXPLODING else ""


def _broken(reading: Reading) -> str:
    if reading.size == 1:
        return fmt(reading.first[0])
    if not reading.nan:
        return tr("{name} {count} of {size}", name="inf", count=reading.infinite, size=reading.size)
    said = tr("{name} {count} of {size}", name="NaN", count=reading.nan, size=reading.size)
    return said + (f", inf {reading.infinite}" if reading.infinite else "")


def _shape(reading: Reading) -> str:
    return "×".join(map(str, reading.shape or ()))


class LabelLayout:
    """Places labels, and keeps their places while values change, so that they do not jump."""

    def __init__(self) -> None:
        self._key: object = None
        self._kept: dict[Wire, Placed] = {}
        self._taken = Taken()

    def place(
        self,
        key: object,
        wires: Iterable[tuple[Wire, Points]],
        label: Callable[[Wire], Label],
        obstacles: Points,
        lines: Points,
        scale: float,
    ) -> dict[Wire, Placed]:
        """Where the labels of some wires stand, the most important wire first.

        `key` stands for what moves wires or blocks; while it is the same, places are kept. `obstacles` are blocks
        and what else must not be covered, as left, top, right, bottom; `lines` are straight pieces of wires, which
        are avoided where possible. `scale` is how large labels are in the scene.
        Shapes: corner points (6, 2), `obstacles` (n, 4), `lines` (m, 4).
        """
        if key != self._key:
            self._key, self._kept, self._taken = key, {}, Taken()
        found: dict[Wire, Placed] = {}
        waiting: list[tuple[Wire, Points, Label, Form]] = []
        for wire, points in wires:
            text, known = label(wire), self._kept.get(wire)
            if known is not None and text.allows(known.form) and text.size(known.form)[0] <= known.width:
                found[wire] = Placed(text, known.form, known.x, known.y, known.width)
            else:
                # What has once been shortened stays short until something moves: it must not flicker.
                self._taken.free(wire)
                waiting.append((wire, points, text, known.form if known is not None else Form.BOTH))
        if waiting:
            placer = _Placer(obstacles, lines, scale, self._taken)
            for wire, points, text, form in waiting:
                place = placer.find(wire, points, text, form)
                if place is not None:
                    found[wire] = place
        self._kept |= found
        return found


class Taken:
    """The rectangles that labels take up: left, top, right, bottom."""

    def __init__(self) -> None:
        self._rects = np.zeros((64, 4))
        self._rows: dict[Wire, int] = {}
        self._free: list[int] = []

    @property
    def rects(self) -> Points:
        """All rectangles; free rows lie nowhere. Shapes: (n, 4)."""
        return self._rects[: len(self._rows) + len(self._free)]

    def take(self, wire: Wire, rect: tuple[float, float, float, float]) -> None:
        """Marks the place of one label."""
        row = self._free.pop() if self._free else len(self._rows)
        if row == len(self._rects):
            self._rects = np.concatenate([self._rects, np.zeros_like(self._rects)])
        self._rects[row] = rect
        self._rows[wire] = row

    def free(self, wire: Wire) -> None:
        """Gives the place of a label up."""
        row = self._rows.pop(wire, None)
        if row is not None:
            self._rects[row] = (np.inf, np.inf, -np.inf, -np.inf)
            self._free.append(row)


class _Placer:
    """Finds free places along the level runs of wires."""

    def __init__(self, obstacles: Points, lines: Points, scale: float, taken: Taken) -> None:
        self._blocks = obstacles
        low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
        self._lines = np.concatenate([low - 1.5, high + 1.5], axis=1)
        self._taken = taken
        self._scale = scale

    def find(self, wire: Wire, points: Points, label: Label, longest: Form) -> Placed | None:
        """The first free place along the level runs of a wire, in ever shorter forms from `longest` on."""
        if not label.value and label.gradient is None:
            return None
        runs = horizontal_runs(points)
        for form in (form for form in Form if form >= longest and label.allows(form)):
            width = label.size(form)[0]
            for avoids_lines in (True, False):
                for left, right, y in runs:
                    for x in self._middles(left, right, width):
                        placed = Placed(label, form, x, y, width)
                        if self._is_free(placed, avoids_lines):
                            self._taken.take(wire, self._rect(placed))
                            return placed
        return None

    def _middles(self, left: float, right: float, width: float) -> list[float]:
        """The middle of a run, then places to both sides of it."""
        middle, slack = (left + right) / 2, (right - left - width * self._scale) / 2
        # A label may stand out over the corner of its own wire a little.
        steps = np.linspace(0, slack, 4)[1:] if slack > OVERHANG else np.array([OVERHANG / 2, OVERHANG])
        return [middle, *(middle + sign * step for step in steps for sign in (-1, 1))]

    def _rect(self, placed: Placed) -> tuple[float, float, float, float]:
        width, above, below = placed.label.size(placed.form)
        half = max(width, placed.width) / 2 * self._scale
        return placed.x - half, placed.y - above * self._scale, placed.x + half, placed.y + below * self._scale

    def _is_free(self, placed: Placed, avoids_lines: bool) -> bool:
        left, top, right, bottom = self._rect(placed)
        if _hits(self._taken.rects, left, top, right, bottom) or _hits(self._blocks, left, top, right, bottom):
            return False
        if not avoids_lines:
            return True
        middle, half = placed.y, 4.0
        return not (
            _hits(self._lines, left, top, right, min(middle - half, bottom))
            or _hits(self._lines, left, max(middle + half, top), right, bottom)
        )


def _hits(rects: Points, left: float, top: float, right: float, bottom: float) -> bool:
    if bottom <= top:
        return False
    across = (rects[:, 0] < right) & (rects[:, 2] > left)
    return bool((across & (rects[:, 1] < bottom) & (rects[:, 3] > top)).any())
