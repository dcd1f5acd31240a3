"""Results after an edit of blocks and wires: the rows of what it touched are read anew, all others stay."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from app.live.pictures import Pictures
from app.live.readings import Results, Table, table_of
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.glance import Glance
from engine.problems import Problem
from engine.redraw import Redrawn
from engine.tensor_spec import Array

_Name = TypeVar("_Name", PortName, Link)
_Value = TypeVar("_Value")


def followed(
    first: Results, run: Evaluation, glance: Glance, redrawn: Redrawn, inferred_before: tuple[Problem, ...]
) -> Results:
    """The results of the graph before, with other ports and wires; `glance` has their rows already.

    Of causes, ties, origins and notices stays what was known of rows and blocks that nothing touched.
    """
    outline, ports, wires = run.structure.outline, glance.ports, glance.wires
    port_places = {ports.rows[name]: outline.ports[name] for name in redrawn.ports}
    wire_places = {wires.rows[link]: outline.wires[link] for link in redrawn.wires}
    values = {row: None if place.value is None else run.results[place.value] for row, place in port_places.items()}
    port_gradients = {row: run.gradient(place) for row, place in port_places.items()}
    wire_gradients = {row: run.gradient(place) for row, place in wire_places.items()}
    other_ports = {*port_places, *(first.port_rows[name] for name in redrawn.ports_gone)}
    other_wires = {*wire_places, *(first.wire_rows[link] for link in redrawn.wires_gone)}
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
        problems=(*run.lowered.inferred.problems, *_notices(first, redrawn, inferred_before)),
        inner=_without(first.inner, other_ports),
        port_origins=_without(first.port_origins, other_ports),
        wire_origins=_without(first.wire_origins, other_wires),
        port_zeros=_without(first.port_zeros, other_ports),
        wire_zeros=_without(first.wire_zeros, other_wires),
        port_ties=_without(first.port_ties, other_ports),
        wire_ties=_without(first.wire_ties, other_wires),
    )


def _notices(first: Results, redrawn: Redrawn, inferred_before: tuple[Problem, ...]) -> list[Problem]:
    """What was found in the numbers of blocks that an edit leaves as they are."""
    touched = {name.path for name in (*redrawn.ports, *redrawn.ports_gone)}
    return [item for item in first.problems if item.at not in touched and item not in inferred_before]


def _rows_of(rows: Mapping[_Name, int], before: Mapping[_Name, int]) -> Mapping[_Name, int]:
    """The same object as before where names have the same rows: then nothing is looked up anew."""
    return before if rows == before else dict(rows)


def _without(before: Mapping[int, _Value], rows: set[int]) -> dict[int, _Value]:
    return {row: value for row, value in before.items() if row not in rows}


def _with_rows(table: Table, count: int, arrays: Mapping[int, Array | None]) -> Table:
    """A table with so many rows, some of them read from arrays."""
    places, read = list(arrays), table_of(list(arrays.values()))
    added = count - len(table.rows)
    rows = np.concatenate([table.rows, np.zeros(added, table.rows.dtype)])
    first = np.concatenate([table.first, np.zeros((added, table.first.shape[1]))])
    rows[places], first[places] = read.rows, read.first
    means = _without(table.means, set(places)) | {places[row]: mean for row, mean in read.means.items()}
    shapes, dtypes = [*table.shapes, *[None] * added], [*table.dtypes, *[""] * added]
    for row, shape, dtype in zip(places, read.shapes, read.dtypes, strict=True):
        shapes[row], dtypes[row] = shape, dtype
    pictures = _with_pictures(table.thumbnails, places, read.thumbnails)
    return Table(rows, first, tuple(shapes), tuple(dtypes), pictures, means)


def _with_pictures(before: Pictures, rows: Sequence[int], read: Pictures) -> Pictures:
    if not read and before.places.keys().isdisjoint(rows):
        return before
    start = len(before.cells)
    places = _without(before.places, set(rows))
    places |= {rows[index]: (start + at, shape) for index, (at, shape) in read.places.items()}
    return Pictures(places, np.concatenate([before.cells, read.cells]))
