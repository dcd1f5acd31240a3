"""The first results of a large graph: values, gradients and statuses in bulk; causes, ties and origins follow."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from gradwire.app.live.readings.notes import Note
from gradwire.app.live.readings.readings import Results, Table, Tables, explained_results, table_of
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.status_table import STATUS_ROW, StatusTable
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
    unknown = STATUS_ROW[Status.UNKNOWN]
    return Results(
        revision,
        {name: row for row, name in enumerate(ports)},
        {link: row for row, link in enumerate(links)},
        _table(run, ports.values(), [_told(run, value) for value in ports.values()]),
        table_of([None] * len(ports)),
        table_of([None] * len(links)),
        np.full(len(ports), unknown, np.uint8),
        np.full(len(links), unknown, np.uint8),
        {},
        {},
        {},
        None,
        tuple(run.lowered.inferred.problems),
        passes=run.results.passes,
    )


def first_results(run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns everything that the window can show of a run before its causes are known."""
    port_index, status_table = run.structure.port_index, StatusTable(run.structure)
    ports, wires = port_index.ports.values(), port_index.wires.values()
    return Results(
        revision,
        *_tables(run),
        status_table.ports.statuses(run),
        status_table.wires.statuses(run),
        {row: place.by for row, place in enumerate(ports) if place.by},
        {row: place.by for row, place in enumerate(wires) if place.by},
        _withheld(run),
        run.loss,
        tuple(run.lowered.inferred.problems),
        seconds,
        run.results.passes,
    )


def whole_results(run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns everything that the window shows of a run."""
    return explained_results(run.snapshot, revision, _tables(run), _withheld(run), seconds, run.results.passes)


def renewed(known: Results, run: Evaluation, revision: int, seconds: float) -> Results:
    """Returns the results of a run of the same graph with other numbers, with the causes that were known before."""
    causes = {field.name: getattr(known, field.name) for field in dataclasses.fields(known) if field.name in _CAUSES}
    return dataclasses.replace(first_results(run, revision, seconds), **causes)


# The fields of `Results` that do not follow from the numbers alone.
_CAUSES = (
    "problems", "inner", "port_origins", "wire_origins", "port_zeros", "wire_zeros", "port_ties", "wire_ties",
)  # fmt: skip


def _tables(run: Evaluation) -> Tables:
    """Returns the rows of ports and wires, and the tables of values, gradients, and gradients of wires."""
    port_index = run.structure.port_index
    ports, wires = list(port_index.ports.values()), list(port_index.wires.values())
    return (
        {name: row for row, name in enumerate(port_index.ports)},
        {link: row for row, link in enumerate(port_index.wires)},
        _table(run, [place.value for place in ports], [_value(run, place) for place in ports]),
        _table(run, [place.gradient for place in ports], [_gradient(run, place) for place in ports]),
        _table(run, [place.gradient for place in wires], [_gradient(run, place) for place in wires]),
    )


def _value(run: Evaluation, place: PortEntry) -> Array | Note | None:
    return None if place.value is None else _told(run, place.value)


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
