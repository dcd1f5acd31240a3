"""Results after an edit of blocks and wires: only the rows that the edit touched are read again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from gradwire.app.live.readings.pictures import Pictures
from gradwire.app.live.readings.readings import Results, Table, table_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.port_index_update import PortIndexDiff
from gradwire.engine.evaluation.status_table import StatusTable

_Name = TypeVar("_Name", PortName, Link)
_Value = TypeVar("_Value")


def followed(
    first: Results,
    run: Evaluation,
    status_table: StatusTable,
    index_diff: PortIndexDiff,
    inferred_before: tuple[Problem, ...],
) -> Results:
    """Updates the results of the previous graph for other ports and wires; `status_table` already has their rows.

    Causes, ties, origins and notices of rows and blocks that the edit did not touch stay.
    """
    port_index, ports, wires = run.structure.port_index, status_table.ports, status_table.wires
    port_places = {ports.rows[name]: port_index.ports[name] for name in index_diff.ports}
    wire_places = {wires.rows[link]: port_index.wires[link] for link in index_diff.wires}
    values = {row: None if place.value is None else run.results[place.value] for row, place in port_places.items()}
    port_gradients = {row: run.gradient(place) for row, place in port_places.items()}
    wire_gradients = {row: run.gradient(place) for row, place in wire_places.items()}
    other_ports = {*port_places, *(first.port_rows[name] for name in index_diff.ports_gone)}
    other_wires = {*wire_places, *(first.wire_rows[link] for link in index_diff.wires_gone)}
    return dataclasses.replace(
        first,
        port_rows=_rows_of(ports.rows, first.port_rows),
        wire_rows=_rows_of(wires.rows, first.wire_rows),
        values=_with_rows(first.values, len(ports.values), values),
        gradients=_with_rows(first.gradients, len(ports.values), port_gradients),
        wires=_with_rows(first.wires, len(wires.values), wire_gradients),
        port_by=_without(first.port_by, other_ports) | {row: item.by for row, item in port_places.items() if item.by},
        wire_by=_without(first.wire_by, other_wires) | {row: item.by for row, item in wire_places.items() if item.by},
        withheld=_without(first.withheld, other_wires)
        | {row: 0.0 for row, place in wire_places.items() if place.withheld is not None},
        problems=(*run.lowered.inferred.problems, *_notices(first, index_diff, inferred_before)),
        inner=_without(first.inner, other_ports),
        port_origins=_without(first.port_origins, other_ports),
        wire_origins=_without(first.wire_origins, other_wires),
        port_zeros=_without(first.port_zeros, other_ports),
        wire_zeros=_without(first.wire_zeros, other_wires),
        port_ties=_without(first.port_ties, other_ports),
        wire_ties=_without(first.wire_ties, other_wires),
    )


def _notices(first: Results, index_diff: PortIndexDiff, inferred_before: tuple[Problem, ...]) -> list[Problem]:
    """Returns the notices about the numbers of blocks that an edit did not touch."""
    touched = {name.path for name in (*index_diff.ports, *index_diff.ports_gone)}
    return [item for item in first.problems if item.at not in touched and item not in inferred_before]


def _rows_of(rows: Mapping[_Name, int], before: Mapping[_Name, int]) -> Mapping[_Name, int]:
    """Returns the same object as before if the names have the same rows, so that caches of lookups stay valid."""
    return before if rows == before else dict(rows)


def _without(before: Mapping[int, _Value], rows: set[int]) -> dict[int, _Value]:
    return {row: value for row, value in before.items() if row not in rows}


def _with_rows(table: Table, count: int, arrays: Mapping[int, Array | None]) -> Table:
    """Returns a table with this many rows, some of them read from arrays."""
    places, read = list(arrays), table_of(list(arrays.values()))
    added = count - len(table.rows)
    rows = np.concatenate([table.rows, np.zeros(added, table.rows.dtype)])
    first = np.concatenate([table.first, np.zeros((added, table.first.shape[1]))])
    rows[places], first[places] = read.rows, read.first
    moments = _without(table.moments, set(places)) | {places[row]: item for row, item in read.moments.items()}
    shapes, dtypes = [*table.shapes, *[None] * added], [*table.dtypes, *[""] * added]
    for row, shape, dtype in zip(places, read.shapes, read.dtypes, strict=True):
        shapes[row], dtypes[row] = shape, dtype
    pictures = _with_pictures(table.thumbnails, places, read.thumbnails)
    return Table(rows, first, tuple(shapes), tuple(dtypes), pictures, moments)


def _with_pictures(before: Pictures, rows: Sequence[int], read: Pictures) -> Pictures:
    if not read and before.places.keys().isdisjoint(rows):
        return before
    start = len(before.cells)
    places = _without(before.places, set(rows))
    places |= {rows[index]: (start + at, shape) for index, (at, shape) in read.places.items()}
    return Pictures(places, np.concatenate([before.cells, read.cells]))
