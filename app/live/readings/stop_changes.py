"""The wires and inputs whose gradient changes in another state of the stops, beyond rounding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradwire.app.live.readings.readings import Name, PlaceReading, Places, Results
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array

_CLOSE, _NEARLY_ZERO = 1e-9, 1e-12
_Flags = np.ndarray[Any, np.dtype[np.bool_]]


def differs(reading: PlaceReading, other: PlaceReading) -> bool:
    """Returns whether a wire carries something else in the other state, beyond rounding."""
    if reading.status is not other.status:
        return True
    if reading.gradient is None or other.gradient is None:
        return reading.gradient is not other.gradient
    norms = np.array([reading.gradient.norm]), np.array([other.gradient.norm])
    first = np.array([reading.gradient.first]), np.array([other.gradient.first])
    return bool(_are_apart(norms, first)[0])


def changed_wires(results: Results) -> list[Link]:
    """Returns the wires that change in the other state; none if there is no other state."""
    other = results.compared
    if other is None:
        return []
    return _changed(list(results.wires.row_of), results.wires, other.wires)


def changed_ports(results: Results, names: Iterable[PortName]) -> list[PortName]:
    """Returns those of some ports whose gradient changes in the other state."""
    other = results.compared
    if other is None:
        return []
    return _changed(list(names), results.ports, other.ports)


def _changed(names: list[Name], own: Places[Name], other: Places[Name]) -> list[Name]:
    known = [name for name in names if name in own.row_of and name in other.row_of]
    here, there = (np.array([places.row_of[name] for name in known], np.intp) for places in (own, other))
    norms = own.gradients.rows["norm"][here], other.gradients.rows["norm"][there]
    first = own.gradients.first[here], other.gradients.first[there]
    found = (own.statuses[here] != other.statuses[there]) | _are_apart(norms, first)
    return [name for name, changes in zip(known, found.tolist(), strict=True) if changes]


def _are_apart(norms: tuple[Array, Array], first: tuple[Array, Array]) -> _Flags:
    """Returns which gradients differ beyond rounding. Shapes: norms (n,), first elements (n, any)."""
    scale = np.fmax(np.where(np.isfinite(norms[0]), norms[0], 0), np.where(np.isfinite(norms[1]), norms[1], 0))
    with np.errstate(invalid="ignore"):
        gaps = np.abs(first[0] - first[1])
        # An infinite number has no neighbours: its share would be as infinite as any gap.
        near = np.isfinite(first[1]) & (gaps <= _CLOSE * np.abs(first[1])) | (gaps <= _NEARLY_ZERO * scale[:, None])
        is_far = np.abs(norms[0] - norms[1]) > _CLOSE * scale
    is_same = near | (first[0] == first[1]) | (np.isnan(first[0]) & np.isnan(first[1]))
    found: _Flags = ~is_same.all(axis=1) | is_far
    return found
