"""The texts beside the wires, and the room that they need."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gradwire.app.base.translation import grouped, tr
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.painting.look import Level
from gradwire.app.live.readings.readings import Reading, WireReading
from gradwire.app.look.causes import TIE, cause_word
from gradwire.app.look.numbers import fmt, fmt_list, zero_text
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

PX, SMALLEST = 10.5, 9.5
ROW_HEIGHT, GAP, MARGIN = 15.0, 8.0, 5.0
ARROW, BARS = 12.0, 26.0
VANISHING, EXPLODING = 1e-7, 1e3
_ELEMENTS = {Level.FULL: 4, Level.DETAIL: 8}


def label_width(text: str, is_bold: bool = False) -> float:
    """Returns how wide a text of a label is; measured at twice the size, for Qt has no half px."""
    return text_width("mono", 2 * PX, 600 if is_bold else 500, text) / 2


class Form(enum.IntEnum):
    """How much of a label found room; a brief one has both rows, but no words for the cause of a zero."""

    BOTH = 0
    BRIEF = 1
    GRADIENT = 2
    BARS = 3
    DOT = 4


class GradientText(NamedTuple):
    """The gradient row of a label: its text, whether it is boxed, and the components to show as bars.

    `mark` names the glyph of a cause or of a tie, and `words` are the cause in words, where there is room.
    """

    text: str
    status: Status
    is_boxed: bool = False
    bars: tuple[float, ...] = ()
    mark: str = ""
    words: str = ""

    @property
    def has_second_mark(self) -> bool:
        """Whether the mark stands beside the arrow of a gradient that flows, not in its place."""
        return bool(self.mark) and self.status is Status.FLOW

    @property
    def glyphs(self) -> int:
        """How many glyphs stand before the text."""
        return 2 if self.has_second_mark else 1

    def shown(self, form: Form) -> str:
        """Returns the text that a form has room for."""
        return f"{self.text} {self.words}" if self.words and form is Form.BOTH else self.text


@dataclass(frozen=True)
class Label:
    """The texts of one wire; `gradient` None for integers and in views without gradients."""

    value: str
    gradient: GradientText | None

    def allows(self, form: Form) -> bool:
        """Returns whether there is anything to show in a form."""
        if form is Form.GRADIENT:
            return bool(self.value) and self.gradient is not None
        return form is not Form.BARS or (self.gradient is not None and bool(self.gradient.bars))

    def ground_key(self, form: Form) -> tuple[object, ...]:
        """Returns the key of its ground in a form, that is of everything but its texts and bars."""
        above = label_width(self.value) if self.value and form <= Form.BRIEF else None
        below = self.gradient
        if below is None:
            return form, above
        return form, above, gradient_width(below, form), below.status, below.is_boxed, below.mark, bool(below.bars)

    def forms(self, longest: Form) -> list[Form]:
        """Returns the forms from one on; the brief one is left out where there are no words to leave out."""
        has_words = self.gradient is not None and bool(self.gradient.words)
        forms = [form for form in Form if form >= longest and self.allows(form)]
        return [form for form in forms if form is not Form.BRIEF or has_words or form is longest]

    def size(self, form: Form) -> tuple[float, float, float]:
        """Returns its width, its height above the wire and its height below. Units: px at 100 %."""
        if form not in self._sizes:
            self._sizes[form] = self._size(form)
        return self._sizes[form]

    @functools.cached_property
    def _sizes(self) -> dict[Form, tuple[float, float, float]]:
        return {}

    def _size(self, form: Form) -> tuple[float, float, float]:
        above = label_width(self.value) + ARROW + 2 * MARGIN if self.value else 0.0
        below = gradient_width(self.gradient, form) if self.gradient else 0.0
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


class Placed(NamedTuple):
    """A label with the middle of its place on the wire. Units: px at 100 %."""

    label: Label
    form: Form
    x: float
    y: float
    width: float

    def rect(self, scale: float) -> tuple[float, float, float, float]:
        """Returns its left, top, right and bottom, labels being `scale` times as large as at 100 %."""
        width, above, below = self.label.size(self.form)
        half = max(width, self.width) / 2 * scale
        return self.x - half, self.y - above * scale, self.x + half, self.y + below * scale


def gradient_width(gradient: GradientText, form: Form) -> float:
    """Returns the width of the gradient row. Units: px at 100 %."""
    bars = BARS if gradient.bars else 0.0
    return label_width(gradient.shown(form), gradient.is_boxed) + gradient.glyphs * ARROW + bars + 2 * MARGIN


def label_of(
    reading: WireReading | None, level: Level, has_gradient: bool, is_stale: bool, other: WireReading | None = None
) -> Label:
    """Returns the texts of a wire; `other` is what it carries without StopGradient, shown where it differs."""
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
    """Returns a value in one line: its elements if there are few, else its shape and spread."""
    if reading.dtype == "bool":
        if reading.size <= count:
            return " ".join("T" if item else "F" for item in reading.first)
        return f"{_shape(reading)} {grouped(round(reading.total))} {tr('true')}"
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
        return _zero(reading, f"∂L {zero_text(gradient.norm)}")
    return _flowing(gradient, count)._replace(mark=_flow_mark(reading))


def _zero(reading: WireReading, text: str) -> GradientText:
    if reading.zero is None:
        return GradientText(text, reading.status)
    cause = reading.zero.cause
    return GradientText(text, reading.status, mark=cause, words=cause_word(cause))


def _flow_mark(reading: WireReading) -> str:
    """Returns the glyph beside a gradient that flows: for a tie, or for a block that lets hardly anything through."""
    if reading.tie is not None:
        return TIE
    return Cause.SATURATED if reading.zero is not None and reading.zero.cause is Cause.SATURATED else ""


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
        return full._replace(words="")
    number = reading.gradient.first[0] if reading.gradient.size == 1 else reading.gradient.norm
    return GradientText(fmt(number), Status.FLOW, mark=full.mark)


def _with_other(gradient: GradientText, reading: WireReading, other: WireReading) -> GradientText:
    """Adds the gradient without StopGradient, as in `0 blocked → −0.151`."""
    if not differs(reading, other) or other.gradient is None:
        return gradient
    after = other.gradient.first[0] if other.gradient.size == 1 else other.gradient.norm
    text = fmt(after) if other.status is not Status.ZERO else "≈ 0"
    if other.status is Status.NONFINITE:
        text = _broken(other.gradient)
    return GradientText(f"{gradient.text} → {text}", gradient.status, is_boxed=True, mark=gradient.mark)


def differs(reading: WireReading, other: WireReading) -> bool:
    """Returns whether a wire carries something else without StopGradient, beyond rounding."""
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
        return tr("{name} {count} of {size}", name="inf", count=grouped(reading.infinite), size=grouped(reading.size))
    said = tr("{name} {count} of {size}", name="NaN", count=grouped(reading.nan), size=grouped(reading.size))
    return said + (f", inf {grouped(reading.infinite)}" if reading.infinite else "")


def _shape(reading: Reading) -> str:
    return "×".join(map(str, reading.shape or ()))
