"""Results after an edit of blocks and wires: only the rows that the edit touched are read again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from gradwire.app.live.readings.pictures import Pictures
from gradwire.app.live.readings.readings import Name, Places, Results, Table, table_of
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.port_index_update import PortIndexDiff
from gradwire.engine.evaluation.status_table import Column, StatusTable

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
    other_ports = {*port_places, *(first.ports.row_of[name] for name in index_diff.ports_gone)}
    other_wires = {*wire_places, *(first.wires.row_of[link] for link in index_diff.wires_gone)}
    return dataclasses.replace(
        first,
        ports=_followed(first.ports, run, ports, port_places, other_ports),
        wires=_followed(first.wires, run, wires, wire_places, other_wires),
        values=_with_rows(first.values, len(ports.values), values),
        withheld=_without(first.withheld, other_wires)
        | {row: 0.0 for row, place in wire_places.items() if place.withheld is not None},
        problems=(*run.lowered.inferred.problems, *_notices(first, index_diff, inferred_before)),
        inner=_without(first.inner, other_ports),
    )


def _followed(
    before: Places[Name], run: Evaluation, column: Column[Name], places: Mapping[int, PortEntry], others: set[int]
) -> Places[Name]:
    """Updates ports or wires whose rows are now those of a column; of the `others` nothing is known but `places`."""
    gradients = {row: run.gradient(place) for row, place in places.items()}
    return Places(
        # The same object as before if the names have the same rows, so that caches of lookups stay valid.
        before.row_of if column.rows == before.row_of else dict(column.rows),
        _with_rows(before.gradients, len(column.values), gradients),
        before.statuses,
        _without(before.by, others) | {row: place.by for row, place in places.items() if place.by},
        _without(before.origins, others),
        _without(before.zeros, others),
        _without(before.ties, others),
    )


def _notices(first: Results, index_diff: PortIndexDiff, inferred_before: tuple[Problem, ...]) -> list[Problem]:
    """Returns the notices about the numbers of blocks that an edit did not touch."""
    touched = {name.path for name in (*index_diff.ports, *index_diff.ports_gone)}
    return [item for item in first.problems if item.at not in touched and item not in inferred_before]


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
