"""The results of a run as a table of its wires, for terminals, scripts and notebooks."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.base.text_columns import columns
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.evaluation.snapshot import Snapshot, WireResult

ELEMENTS_SHOWN = 6
HEADINGS = ("wire", "value", "gradient", "status")


def wire_table(snapshot: Snapshot, at_most: int | None = None) -> str:
    """Returns one line a wire: the value that flows right, the gradient that flows back along it, and its status.

    With `at_most` the table ends after so many wires and says how many more there are.
    """
    shown = islice(snapshot.wires.items(), at_most)
    table = columns([HEADINGS, *(_row(snapshot, link, wire) for link, wire in shown)])
    more = 0 if at_most is None else len(snapshot.wires) - at_most
    return f"{table}\n... and {more:,} more wires" if more > 0 else table


def loss_line(snapshot: Snapshot) -> str:
    """Returns the loss in one line."""
    if snapshot.loss is None:
        return "no loss"
    name = plain(snapshot.loss.name or "sum of all losses")
    return f"{name} = {'?' if snapshot.loss.value is None else array_text(snapshot.loss.value)}"


def array_text(array: Array) -> str:
    """Returns a small array with its numbers, a larger one with its shape and range; six digits."""
    if array.size <= ELEMENTS_SHOWN:
        return _nested(array)
    if array.dtype.kind == "b":
        return f"{spec_of(array)} with {int(array.sum())} true"
    return f"{spec_of(array)} from {_number(array.min())} to {_number(array.max())}"


def status_text(wire: WireResult) -> str:
    """Returns the status of a wire with its reason: the own gradient of a page, the cause of a zero, or the cuts."""
    text = str(wire.status)
    if wire.own is not None and not wire.by:
        text += f", own gradient of {wire.own}"
    if wire.status is Status.ZERO and wire.zero is not None:
        text += f": {wire.zero.cause.word} at {wire.zero.at}"
    if wire.by:
        text += f" by {', '.join(wire.by)}"
    if wire.withheld is not None and wire.status is Status.BLOCKED:
        text += f", which withholds {array_text(wire.withheld)}"
    return text


def _row(snapshot: Snapshot, link: Link, wire: WireResult) -> tuple[str, str, str, str]:
    source = snapshot.ports.get(link.source)
    held = None if source is None else source.value
    value = "?" if held is None else array_text(held)
    return f"{link.source} -> {link.target}", value, _gradient_text(wire), status_text(wire)


def _gradient_text(wire: WireResult) -> str:
    gradient = wire.gradient
    return "-" if gradient is None else array_text(gradient)


def _nested(array: Array) -> str:
    if array.ndim == 0:
        return _number(array[()])
    return "[" + " ".join(_nested(item) for item in array) + "]"


def _number(number: Any) -> str:  # Any: a scalar of whatever dtype
    if isinstance(number, np.bool_):
        return "true" if number else "false"
    # Adding 0 turns minus zero into zero: the sign of a zero is for the file, not for a reader.
    return str(number) if isinstance(number, np.integer) else f"{float(number) + 0:.6g}"
