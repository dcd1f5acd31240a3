"""The wires and inputs whose gradient changes in another state of the stops, beyond rounding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from gradwire.app.live.readings.readings import Results, Table, WireReading
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array

_CLOSE, _NEARLY_ZERO = 1e-9, 1e-12
_Name = TypeVar("_Name")
_Codes = np.ndarray[Any, np.dtype[np.uint8]]
_Flags = np.ndarray[Any, np.dtype[np.bool_]]


def differs(reading: WireReading, other: WireReading) -> bool:
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
    names = list(results.wire_rows)
    statuses = results.wire_status, other.wire_status
    return _changed(names, (results.wire_rows, other.wire_rows), (results.wires, other.wires), statuses)


def changed_ports(results: Results, names: Iterable[PortName]) -> list[PortName]:
    """Returns those of some ports whose gradient changes in the other state."""
    other = results.compared
    if other is None:
        return []
    statuses = results.port_status, other.port_status
    tables = results.gradients, other.gradients
    return _changed(list(names), (results.port_rows, other.port_rows), tables, statuses)


def _changed(
    names: list[_Name],
    rows: tuple[Mapping[_Name, int], Mapping[_Name, int]],
    tables: tuple[Table, Table],
    statuses: tuple[_Codes, _Codes],
) -> list[_Name]:
    known = [name for name in names if name in rows[0] and name in rows[1]]
    own, others = (np.array([found[name] for name in known], np.intp) for found in rows)
    norms = tables[0].rows["norm"][own], tables[1].rows["norm"][others]
    first = tables[0].first[own], tables[1].first[others]
    found = (statuses[0][own] != statuses[1][others]) | _are_apart(norms, first)
    return [name for name, changes in zip(known, found.tolist(), strict=True) if changes]


def _are_apart(norms: tuple[Array, Array], first: tuple[Array, Array]) -> _Flags:
    """Returns which gradients differ beyond rounding. Shapes: norms (n,), first elements (n, any)."""
    scale = np.fmax(np.where(np.isfinite(norms[0]), norms[0], 0), np.where(np.isfinite(norms[1]), norms[1], 0))
    with np.errstate(invalid="ignore"):
        near = np.abs(first[0] - first[1]) <= np.maximum(_CLOSE * np.abs(first[1]), _NEARLY_ZERO * scale[:, None])
        is_far = np.abs(norms[0] - norms[1]) > _CLOSE * scale
    is_same = near | (first[0] == first[1]) | (np.isnan(first[0]) & np.isnan(first[1]))
    found: _Flags = ~is_same.all(axis=1) | is_far
    return found
