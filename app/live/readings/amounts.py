"""The amount of a gradient in a few characters, as explanations, steps and tables write it."""

from __future__ import annotations

from collections.abc import Callable

from gradwire.app.base.translation import grouped, tr
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt, fmt_list, fmt_statistic
from gradwire.app.look.status_texts import status_label
from gradwire.app.look.statuses import CUT
from gradwire.engine.autodiff.status import Status

# One line shows at most this many elements of a tensor.
ELEMENTS = 4


def norm_text(reading: Reading) -> str:
    """Returns the norm of a tensor: `norm 0.349`."""
    return tr("size {norm}", norm=fmt_statistic(reading.norm, reading.is_finite))


def amount_text(reading: Reading) -> str:
    """Returns a tensor's only number, else its norm."""
    return fmt(reading.first[0]) if reading.size == 1 else norm_text(reading)


def amount_clause(gradient: Reading) -> str:
    """Returns a gradient's only number, else its norm in words."""
    return amount_text(gradient) if gradient.size == 1 else tr("a gradient of size {norm}", norm=fmt(gradient.norm))


def broken_text(reading: Reading) -> str:
    """Returns how much of a tensor is not finite: `NaN 2 of 3`."""
    name, count = ("NaN", reading.nan) if reading.nan else ("inf", reading.infinite)
    said = tr("{name} {count} of {size}", name=name, count=grouped(count), size=grouped(reading.size))
    return said + (f", inf {grouped(reading.infinite)}" if reading.nan and reading.infinite else "")


def elements_text(reading: Reading) -> str:
    """Returns a tensor's elements if they are few, else its norm."""
    return fmt_list(reading.first) if 1 < reading.size <= ELEMENTS else amount_text(reading)


def gradient_text(status: Status, reading: Reading | None, spelled: Callable[[Reading], str] = amount_text) -> str:
    """Returns a gradient in the words of its status, or its amount where it has one."""
    if status in (*CUT, Status.NO_PATH, Status.NO_GRADIENT_DTYPE, Status.UNKNOWN):
        return status_label(status)
    if reading is None:
        return status_label(Status.UNKNOWN)
    return status_label(status, reading.norm) if status is Status.ZERO else spelled(reading)
