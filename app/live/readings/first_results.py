"""The first results of a large graph: values, gradients and statuses in bulk; causes, ties and origins follow."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from gradwire.app.live.readings.notes import Note
from gradwire.app.live.readings.readings import (
    Name,
    Places,
    Results,
    Table,
    explained,
    inner_readings,
    rows_of,
    table_of,
)
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.status_table import STATUS_ROW, Column, StatusTable
from gradwire.engine.executors.rematerialization import Rematerialization
from gradwire.engine.graph.graph import Graph

# From this many blocks on, the window shows values some frames before gradients are known.
VERY_LARGE = 400
# Explaining a graph of this many ports takes some hundredths of a second.
LARGE = 150


def is_very_large(graph: Graph) -> bool:
    """Returns whether the values of a graph that the window opens are sent before its gradients."""
    return sum(len(page.blocks) for page in graph.pages) >= VERY_LARGE


def is_told_in_steps(run: Evaluation) -> bool:
    """Returns whether explaining a run takes so long that its numbers go first; failures are explained at once."""
    lowered = run.lowered
    return len(lowered.ports) >= LARGE and not (run.results.failures or lowered.failed or lowered.prevented)


def values_of(run: Evaluation, revision: int) -> Results:
    """Returns the values of a run without a backward pass; the status of all ports and wires is unknown."""
    ports, links = run.lowered.ports, run.lowered.inferred.expanded.links
    values = _table(run, ports.values(), [_told(run, value) for value in ports.values()])
    problems = tuple(run.lowered.inferred.problems)
    return Results(revision, _unknown(ports), _unknown(links), values, {}, None, problems, passes=run.results.passes)


def _unknown(names: Collection[Name]) -> Places[Name]:
    statuses = np.full(len(names), STATUS_ROW[Status.UNKNOWN], np.uint8)
    return Places(rows_of(names), table_of([None] * len(names)), statuses)


def first_results(run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns everything that the window can show of a run before its causes are known."""
    port_index, status_table = run.structure.port_index, StatusTable(run.structure)
    return Results(
        revision,
        _first(run, port_index.ports, status_table.ports),
        _first(run, port_index.wires, status_table.wires),
        _values(run),
        _withheld(run),
        run.loss,
        tuple(run.lowered.inferred.problems),
        seconds,
        run.results.passes,
    )


def _first(run: Evaluation, index: Mapping[Name, PortEntry], column: Column[Name]) -> Places[Name]:
    by = {row: place.by for row, place in enumerate(index.values()) if place.by}
    return Places(rows_of(index), _gradients(run, index.values()), column.statuses(run), by)


def whole_results(run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns everything that the window shows of a run."""
    snapshot, port_index = run.snapshot, run.structure.port_index
    return Results(
        revision,
        explained(snapshot.ports, _gradients(run, port_index.ports.values())),
        explained(snapshot.wires, _gradients(run, port_index.wires.values())),
        _values(run),
        _withheld(run),
        snapshot.loss,
        snapshot.problems,
        seconds,
        run.results.passes,
        inner=inner_readings(snapshot),
    )


def renewed(known: Results, run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns the results of a run of the same graph with other numbers, with the causes that were known before."""
    first = first_results(run, revision, seconds)
    ports, wires = first.ports.with_causes_of(known.ports), first.wires.with_causes_of(known.wires)
    return dataclasses.replace(first, ports=ports, wires=wires, problems=known.problems, inner=known.inner)


def _values(run: Evaluation) -> Table:
    places = run.structure.port_index.ports.values()
    values = [None if place.value is None else _told(run, place.value) for place in places]
    return _table(run, [place.value for place in places], values)


def _gradients(run: Evaluation, places: Collection[PortEntry]) -> Table:
    return _table(run, [place.gradient for place in places], [_gradient(run, place) for place in places])


def _gradient(run: Evaluation, place: PortEntry) -> Array | Note | None:
    if place.value is None or not run.results.has(place.value):
        return None
    return run.gradient(place) if place.gradient is None else _told(run, place.gradient)


def _told(run: Evaluation, item: Expression) -> Array | Note | None:
    """Returns an array, or the note that replaced it."""
    values, slot = run.results.values, run.results.plan.slots[item]
    note: Note | None = values.seen.get(slot) if isinstance(values, Rematerialization) else None
    return values[slot] if note is None else note


def _withheld(run: Evaluation) -> dict[int, float]:
    """Returns the norm of the gradient that each StopGradient withholds."""
    slots, totals, norms = run.structure.plan.slots, run.lowered.backward.totals, run.facts.survey["norm"]
    found = {}
    for row, place in enumerate(run.structure.port_index.wires.values()):
        if place.withheld is not None and place.value is not None and run.results.has(place.value):
            total = totals.get(place.withheld)
            if total is None or run.results.has(total):
                found[row] = 0.0 if total is None else float(norms[slots[total]])
    return found


def _table(run: Evaluation, items: Iterable[Expression | None], tensors: Sequence[Array | Note | None]) -> Table:
    """Returns the readings of some tensors from the survey of all slots.

    Zeros that stand for no gradient have no slot.
    """
    slots, survey = run.structure.plan.slots, run.facts.survey
    places = [
        None if item is None else slots[item] for item, tensor in zip(items, tensors, strict=True) if tensor is not None
    ]
    found = np.zeros(len(places), survey.dtype)
    known = [(row, slot) for row, slot in enumerate(places) if slot is not None]
    if known:
        rows, taken = np.array(known, np.intp).T
        found[rows] = survey[taken]
    return table_of(tensors, found)
