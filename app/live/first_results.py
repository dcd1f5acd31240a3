"""The first results of a large graph: values, gradients and statuses in bulk; causes, ties and origins follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.live.readings import Results, Table, table_of
from engine.evaluate import Evaluation
from engine.expression import Expression
from engine.glance import STATUS_ROW, Glance
from engine.graph import Graph
from engine.norms import norm_of
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
        table_of([run.results[value] for value in ports.values()]),
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
    ports, wires = list(outline.ports.values()), list(outline.wires.values())
    return Results(
        revision,
        {name: row for row, name in enumerate(outline.ports)},
        {link: row for row, link in enumerate(outline.wires)},
        _table(run, (place.value for place in ports), [_value(run, place) for place in ports]),
        _table(run, (place.gradient for place in ports), [run.gradient(place) for place in ports]),
        _table(run, (place.gradient for place in wires), [run.gradient(place) for place in wires]),
        glance.ports.statuses(run),
        glance.wires.statuses(run),
        {row: place.by for row, place in enumerate(ports) if place.by},
        {row: place.by for row, place in enumerate(wires) if place.by},
        {row: _norm(run, place.withheld) for row, place in enumerate(wires) if place.withheld is not None},
        run.loss,
        tuple(run.lowered.inferred.problems),
        seconds,
        run.results.passes,
    )


def _value(run: Evaluation, place: Place) -> Array | None:
    return None if place.value is None else run.results[place.value]


def _norm(run: Evaluation, output: Expression) -> float:
    """How large what arrives at a StopGradient is; nothing may."""
    total = run.lowered.backward.totals.get(output)
    array = None if total is None else run.results[total]
    return 0.0 if array is None else norm_of(array)


def _table(run: Evaluation, items: Iterable[Expression | None], arrays: Sequence[Array | None]) -> Table:
    """The readings of some arrays by what is known of all slots; zeros that stand for nothing have no slot."""
    slots, survey = run.structure.plan.slots, run.facts.survey
    places = [
        None if item is None else slots[item] for item, array in zip(items, arrays, strict=True) if array is not None
    ]
    found = np.zeros(len(places), survey.dtype)
    known = [(row, slot) for row, slot in enumerate(places) if slot is not None]
    if known:
        rows, taken = np.array(known, np.intp).T
        found[rows] = survey[taken]
    return table_of(arrays, found)
