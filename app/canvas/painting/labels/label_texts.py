"""The texts of labels, made from the readings of a run."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr
from gradwire.app.canvas.painting.labels.labels import GradientText, Label
from gradwire.app.live.readings.amounts import broken_text
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.live.readings.stop_changes import differs
from gradwire.app.look.numbers import fmt, fmt_brief, fmt_list, shape_text
from gradwire.app.look.status_texts import cause_word, status_label
from gradwire.app.look.statuses import LOOKS, TIE
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

VANISHING, EXPLODING = 1e-7, 1e3
# How many elements are written out, and how many from close by.
FEW, MANY = 4, 8
# The statuses whose labels show the numbers of the gradient.
_COUNTED = (Status.NONFINITE, Status.ZERO, Status.FLOW)


def label_of(
    reading: PlaceReading | None,
    has_gradient: bool,
    is_stale: bool,
    other: PlaceReading | None = None,
    count: int = FEW,
) -> Label:
    """Returns the texts of a wire; `other` is what it carries without StopGradient, shown where it differs.

    Tensors of up to `count` elements are written out.
    """
    if reading is None:
        return Label("", GradientText(status_label(Status.UNKNOWN), Status.UNKNOWN) if has_gradient else None)
    value, shape = "", ""
    if reading.value is not None:
        value = value_text(reading.value, count)
        shape = _short_value(reading.value)
    if not has_gradient:
        return Label(value, None, shape)
    gradient = _gradient(reading, count, is_stale)
    if other is not None and gradient is not None:
        gradient = _with_other(gradient, reading, other)
    return Label(value, gradient, shape)


def _short_value(reading: Reading) -> str:
    """Returns the brief form of a tensor: NaN, its spread, or its shape where it has none; "" for a number."""
    if reading.size == 1:
        return ""
    if reading.nan or reading.infinite:
        return "NaN" if reading.nan else "inf"
    if reading.dtype == "bool" or not reading.size:
        return shape_text(reading.shape)
    return f"σ {fmt_brief(reading.spread)}"


def value_text(reading: Reading, count: int = FEW) -> str:
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
    return f"{_shape(reading)} σ {fmt(reading.spread)}"


def _gradient(reading: PlaceReading, count: int, is_stale: bool) -> GradientText | None:
    status, gradient = reading.status, reading.gradient
    if status is Status.NO_GRADIENT_DTYPE:
        return None
    if is_stale and gradient is not None:
        return GradientText(tr("old {number}", number=fmt(gradient.norm)), Status.FLOW)
    if gradient is None and status in _COUNTED:
        status = Status.UNKNOWN
    if gradient is None or status not in _COUNTED:
        is_boxed = bool(LOOKS[status].border)
        return GradientText(status_label(status), status, is_boxed=is_boxed, number="0" if is_boxed else "")
    if status is Status.NONFINITE:
        return GradientText(_broken(gradient), status, is_boxed=True, number="NaN" if gradient.nan else "inf")
    if status is Status.ZERO:
        return _zero(reading, status_label(status, gradient.norm))
    return _flowing(gradient, count)._replace(mark=_flow_mark(reading))


def _zero(reading: PlaceReading, text: str) -> GradientText:
    found = GradientText(f"∂L {text}", reading.status, number=text)
    if reading.zero is None:
        return found
    cause = reading.zero.cause
    return found._replace(mark=cause, words=cause_word(cause))


def _flow_mark(reading: PlaceReading) -> str:
    """Returns the glyph beside a gradient that flows: for a tie, or for a block that lets hardly anything through."""
    if reading.tie is not None:
        return TIE
    return Cause.SATURATED if reading.zero is not None and reading.zero.cause is Cause.SATURATED else ""


def _flowing(gradient: Reading, count: int) -> GradientText:
    if gradient.size == 0:
        return GradientText(f"∂L {tr('empty')}", Status.FLOW, number=tr("empty"))
    norm, extreme = fmt(gradient.norm), _extreme(gradient.norm)
    if gradient.size == 1:
        number = fmt(gradient.first[0])
        return GradientText(f"∂L {number}{extreme}", Status.FLOW, number=number)
    if count >= MANY and gradient.size <= count:
        return GradientText(f"∂L {fmt_list(gradient.first)}", Status.FLOW, number=norm)
    bars = gradient.first if gradient.has_all else ()
    return GradientText(f"|∂L| {norm}{extreme}", Status.FLOW, bars=bars, number=norm)


def _with_other(gradient: GradientText, reading: PlaceReading, other: PlaceReading) -> GradientText:
    """Adds the gradient without StopGradient, as in `0 blocked → −0.151`."""
    if not differs(reading, other) or other.gradient is None:
        return gradient
    after = other.gradient.first[0] if other.gradient.size == 1 else other.gradient.norm
    text = fmt(after) if other.status is not Status.ZERO else status_label(other.status)
    if other.status is Status.NONFINITE:
        text = _broken(other.gradient)
    both = f"{gradient.text} → {text}"
    brief = f"{gradient.number or gradient.text}→{text.replace(' ', '')}"
    return gradient._replace(text=both, is_boxed=True, bars=(), words="", number=brief)


def _extreme(norm: float) -> str:
    return " ↓" if 0 < norm < VANISHING else " ↑" if norm > EXPLODING else ""


def _broken(reading: Reading) -> str:
    return fmt(reading.first[0]) if reading.size == 1 else broken_text(reading)


def _shape(reading: Reading) -> str:
    return "×".join(map(str, reading.shape or ()))
