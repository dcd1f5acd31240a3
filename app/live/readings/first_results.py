"""The first results of a large graph: values, gradients and statuses in bulk; causes, ties and origins follow."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from app.live.notes import Note
from app.live.readings import Results, Table, causes_of, table_of
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.expression import Expression
from engine.glance import STATUS_ROW, Glance
from engine.graph import Graph
from engine.kept_values import KeptValues
from engine.outline import Place
from engine.status import Status
from engine.tensor_spec import Array

# From this many blocks on values can be seen some frames before gradients are known.
VERY_LARGE = 400
# In graphs of this many ports it takes some hundredths of a second to explain everything.
LARGE = 150


def is_very_large(graph: Graph) -> bool:
    """Whether the values of a graph that nothing has been seen of go before its gradients."""
    return sum(len(page.blocks) for page in graph.pages) >= VERY_LARGE


def is_told_in_steps(run: Evaluation) -> bool:
    """Whether explaining a run takes so long that its numbers go first; failures are explained at once."""
    lowered = run.lowered
    return len(lowered.ports) >= LARGE and not (run.results.failures or lowered.failed or lowered.prevented)


def values_of(run: Evaluation, revision: int) -> Results:
    """The values of a run that looks for no gradients: those of all ports and wires are not known yet."""
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
    """What the window can show of a run before anybody knows why."""
    outline, glance = run.structure.outline, Glance(run.structure)
    ports, wires = outline.ports.values(), outline.wires.values()
    return Results(
        revision,
        *_tables(run),
        glance.ports.statuses(run),
        glance.wires.statuses(run),
        {row: place.by for row, place in enumerate(ports) if place.by},
        {row: place.by for row, place in enumerate(wires) if place.by},
        _withheld(run),
        run.loss,
        tuple(run.lowered.inferred.problems),
        seconds,
        run.results.passes,
    )


def whole_results(run: Evaluation, revision: int, seconds: float) -> Results:
    """All that the window shows of a run."""
    snapshot = run.snapshot
    ports, wires = snapshot.ports.values(), snapshot.wires.values()
    return Results(
        revision,
        *_tables(run),
        np.array([STATUS_ROW[item.status] for item in ports], np.uint8),
        np.array([STATUS_ROW[item.status] for item in wires], np.uint8),
        {row: item.by for row, item in enumerate(ports) if item.by},
        {row: item.by for row, item in enumerate(wires) if item.by},
        _withheld(run),
        snapshot.loss,
        snapshot.problems,
        seconds,
        run.results.passes,
        **causes_of(snapshot),
    )


def renewed(known: Results, run: Evaluation, revision: int, seconds: float) -> Results:
    """What the window can show of a run of the same graph with other numbers; of causes what was known before."""
    causes = {field.name: getattr(known, field.name) for field in dataclasses.fields(known) if field.name in _CAUSES}
    return dataclasses.replace(first_results(run, revision, seconds), **causes)


# What numbers alone do not tell, in `Results`.
_CAUSES = (
    "problems", "inner", "port_origins", "wire_origins", "port_zeros", "wire_zeros", "port_ties", "wire_ties",
)  # fmt: skip


def _tables(run: Evaluation) -> tuple[Mapping[PortName, int], Mapping[Link, int], Table, Table, Table]:
    """The rows of ports and wires, with the numbers of values, gradients, and gradients of wires."""
    outline = run.structure.outline
    ports, wires = list(outline.ports.values()), list(outline.wires.values())
    return (
        {name: row for row, name in enumerate(outline.ports)},
        {link: row for row, link in enumerate(outline.wires)},
        _table(run, [place.value for place in ports], [_value(run, place) for place in ports]),
        _table(run, [place.gradient for place in ports], [_gradient(run, place) for place in ports]),
        _table(run, [place.gradient for place in wires], [_gradient(run, place) for place in wires]),
    )


def _value(run: Evaluation, place: Place) -> Array | Note | None:
    return None if place.value is None else _told(run, place.value)


def _gradient(run: Evaluation, place: Place) -> Array | Note | None:
    if place.value is None or not run.results.has(place.value):
        return None
    return run.gradient(place) if place.gradient is None else _told(run, place.gradient)


def _told(run: Evaluation, item: Expression) -> Array | Note | None:
    """An array, or the note that was made of it."""
    values, slot = run.results.values, run.results.plan.slots[item]
    note: Note | None = values.seen.get(slot) if isinstance(values, KeptValues) else None
    return values[slot] if note is None else note


def _withheld(run: Evaluation) -> dict[int, float]:
    """How large what arrives at StopGradients is; nothing may."""
    slots, totals, norms = run.structure.plan.slots, run.lowered.backward.totals, run.facts.survey["norm"]
    found = {}
    for row, place in enumerate(run.structure.outline.wires.values()):
        if place.withheld is not None and place.value is not None and run.results.has(place.value):
            total = totals.get(place.withheld)
            if total is None or run.results.has(total):
                found[row] = 0.0 if total is None else float(norms[slots[total]])
    return found


def _table(run: Evaluation, items: Iterable[Expression | None], tensors: Sequence[Array | Note | None]) -> Table:
    """The readings of some tensors by what is known of all slots; zeros that stand for nothing have no slot."""
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
