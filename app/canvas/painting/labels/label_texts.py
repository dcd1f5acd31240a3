"""The texts of labels, made from the readings of a run."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr
from gradwire.app.canvas.painting.labels.labels import GradientText, Label
from gradwire.app.live.readings.amounts import broken_text
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.live.readings.stop_changes import differs
from gradwire.app.look.numbers import fmt, fmt_list, shape_words
from gradwire.app.look.status_texts import status_label
from gradwire.app.look.statuses import LOOKS, TIE
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

# How many elements are written out, and how many from close by.
FEW, MANY = 4, 8
# How many digits numbers have on a wire.
DIGITS = 3
# The statuses whose labels show the numbers of the gradient.
_COUNTED = (Status.NONFINITE, Status.ZERO, Status.FLOW)
# The pattern of these wires says all.
_UNSAID = (Status.NO_PATH, Status.NO_GRADIENT_DTYPE)


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
    value, brief = "", ""
    if reading.value is not None:
        value, brief = value_text(reading.value, count, (DIGITS, DIGITS)), _brief(reading.value, count)
    if not has_gradient:
        return Label(value, None, brief)
    gradient = _gradient(reading, count, is_stale)
    if other is not None and gradient is not None:
        gradient = _with_other(gradient, reading, other)
    return Label(value, gradient, brief)


def _brief(reading: Reading, count: int) -> str:
    """Returns a tensor where there is little room: few elements in fewer digits, NaN, or the shape; "" for a number."""
    if reading.size <= count:
        return fmt_list(reading.first) if reading.size > 1 and reading.dtype != "bool" else ""
    if reading.nan or reading.infinite:
        return "NaN" if reading.nan else "inf"
    return f"×{grouped(reading.size)}" if reading.size in (reading.shape or ()) else shape_words(reading.shape)


def summary_text(reading: Reading, count: int) -> str:
    """Returns a value in one line, as panels and cards say it: its elements if there are few, else its spread."""
    is_large = reading.size > count and reading.dtype != "bool" and reading.is_finite
    return tr("spread {spread}", spread=fmt(reading.spread)) if is_large else value_text(reading, count)


def value_text(reading: Reading, count: int, digits: tuple[int, int] = (4, 2)) -> str:
    """Returns a value in one line: its elements if there are few, else its shape.

    `digits` are those of a single number and of each of several.
    """
    if reading.dtype == "bool" and reading.size <= count:
        return " ".join("T" if item else "F" for item in reading.first)
    if reading.dtype == "bool":
        count_true = grouped(round(reading.total))
        return tr("{name} {count} of {size}", name=tr("true"), count=count_true, size=grouped(reading.size))
    if reading.size == 1:
        return fmt(reading.first[0], digits[0])
    if 0 < reading.size <= count:
        return fmt_list(reading.first, digits[1])
    if reading.size == 0:
        return tr("empty")
    return _broken(reading) if reading.nan or reading.infinite else shape_words(reading.shape)


def _gradient(reading: PlaceReading, count: int, is_stale: bool) -> GradientText | None:
    status, gradient = reading.status, reading.gradient
    if status in _UNSAID or (status is Status.UNKNOWN and reading.value is not None):
        return None
    if is_stale and gradient is not None:
        return GradientText(tr("old {number}", number=fmt(gradient.norm, DIGITS)), Status.FLOW)
    if gradient is None and status in _COUNTED:
        status = Status.UNKNOWN
    if gradient is None or status not in _COUNTED:
        is_boxed = bool(LOOKS[status].border)
        return GradientText(status_label(status), status, is_boxed=is_boxed, number="0" if is_boxed else "")
    if status is Status.NONFINITE:
        return GradientText(_broken(gradient), status, is_boxed=True, number="NaN" if gradient.nan else "inf")
    if status is Status.ZERO:
        mark = "" if reading.zero is None else reading.zero.cause
        return GradientText(status_label(status, gradient.norm), status, mark=mark)
    return _flowing(gradient, count)._replace(mark=_flow_mark(reading))


def _flow_mark(reading: PlaceReading) -> str:
    """Returns the glyph beside a gradient that flows: for a tie, or for a block that lets hardly anything through."""
    if reading.tie is not None:
        return TIE
    return Cause.SATURATED if reading.zero is not None and reading.zero.cause is Cause.SATURATED else ""


def _flowing(gradient: Reading, count: int) -> GradientText:
    if gradient.size == 0:
        return GradientText(tr("empty"), Status.FLOW)
    if gradient.size == 1:
        return GradientText(fmt(gradient.first[0], DIGITS), Status.FLOW)
    size = fmt(gradient.norm, DIGITS)
    if count >= MANY and gradient.size <= count:
        return GradientText(fmt_list(gradient.first, DIGITS), Status.FLOW, number=size)
    return GradientText(size, Status.FLOW, bars=gradient.first if gradient.has_all else ())


def _with_other(gradient: GradientText, reading: PlaceReading, other: PlaceReading) -> GradientText:
    """Adds the gradient without StopGradient, as in `0 blocked → −0.151`."""
    if not differs(reading, other) or other.gradient is None:
        return gradient
    after = other.gradient.first[0] if other.gradient.size == 1 else other.gradient.norm
    text = fmt(after, DIGITS) if other.status is not Status.ZERO else status_label(other.status)
    if other.status is Status.NONFINITE:
        text = _broken(other.gradient)
    both = f"{gradient.text} → {text}"
    brief = f"{gradient.number or gradient.text}→{text.replace(' ', '')}"
    return gradient._replace(text=both, is_boxed=True, bars=(), number=brief)


def _broken(reading: Reading) -> str:
    return fmt(reading.first[0]) if reading.size == 1 else broken_text(reading)
