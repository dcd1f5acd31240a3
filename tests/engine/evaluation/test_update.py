"""Incremental updates: after edits of blocks and wires all results equal those of a full evaluation, bit for bit."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.causes.term_sums import Sums
from gradwire.engine.causes.tolerances import Tolerances
from gradwire.engine.evaluation.evaluate import Evaluation, Structure, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.evaluation.status_table import StatusTable
from gradwire.engine.executors import arena, numpy_program
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x
from tests.engine.random_edits import EDITS
from tests.gallery import example, examples_of_each_wiring
from tests.random_graphs import random_graph
from tests.sweeps import a_third_of, long

# Swaps of block types that change nothing but the numbers.
OTHER = {
    "Tanh": "Sin", "Sin": "Sigmoid", "Sigmoid": "StopGradient", "StopGradient": "Identity", "Identity": "Exp",
    "Exp": "Sign", "Sign": "Negative", "Negative": "Tanh", "Add": "Multiply", "Multiply": "Subtract",
    "Subtract": "Maximum", "Maximum": "Add", "ReduceSum": "ReduceMax", "ReduceMax": "ReduceMean",
}  # fmt: skip


def swapped(graph: Graph, name: str, kind: str) -> Graph:
    """Returns the graph with a block of the first page as another type."""
    page = graph.pages[0]
    blocks = {**page.blocks, name: dataclasses.replace(page.blocks[name], type=kind)}
    return graph.with_page(dataclasses.replace(page, blocks=blocks))


def _swap(graph: Graph, choose: random.Random) -> Graph:
    name = choose.choice(list(graph.pages[0].blocks))
    kind = graph.pages[0].blocks[name].type
    return swapped(graph, name, OTHER.get(kind, kind))


KINDS = EDITS | {"swap": _swap}


def said(snapshot: Snapshot) -> tuple[Any, ...]:
    """Returns the content of a snapshot without the order of ports and problems; all NaN are equal."""
    ports = {name: _without_arrays(item) for name, item in snapshot.ports.items()}
    wires = {link: _without_arrays(item) for link, item in snapshot.wires.items()}
    return ports, wires, Counter(map(repr, snapshot.problems)), repr(snapshot.loss)


def _without_arrays(item: Any) -> dict[str, Any]:
    return {
        name: (value.shape, value.dtype, np.where(np.isnan(value), np.nan, value).tobytes())
        if isinstance(value, np.ndarray)
        else repr(value)
        for name, value in vars(item).items()
    }


def assert_same(found: Evaluation, graph: Graph) -> None:
    whole = run_graph(graph)
    assert said(found.snapshot) == said(whole.snapshot)
    # Compares the status tables, too, with the sums that may cancel as known after all edits.
    status_table, ports = StatusTable(found.structure), StatusTable(whole.structure).ports.statuses(whole)
    by_name = dict(zip(whole.structure.port_index.ports, ports.tolist(), strict=True))
    assert (
        dict(zip(found.structure.port_index.ports, status_table.ports.statuses(found).tolist(), strict=True)) == by_name
    )
    assert (
        dict(found.tolerances.rounded()).keys()
        == dict(Tolerances(found.lowered, found.results, found.facts).rounded()).keys()
    )
    assert_needed(found.structure)
    sums, fresh = found.structure.sums, Sums(found.lowered, found.structure.plan)
    assert (+sums.parts, +sums.totals, sums.places) == (fresh.parts, fresh.totals, fresh.places)
    assert {item: edges for item, edges in sums.arriving.items() if edges} == fresh.arriving


def assert_needed(structure: Structure) -> None:
    """Asserts that a plan has what ports and gradients need, each in its pass, behind its inputs, and no more."""
    lowered, plan = structure.lowered, structure.plan
    ports, giving = lowered.forward_ports()
    fresh = make_plan(ports, then=[*lowered.backward.totals.values(), *lowered.backward.edges.values(), *giving])
    passes = [{step.application for step in part.steps[: part.forward]} for part in (plan, fresh)]
    assert passes[0] == passes[1]
    assert {step.application for step in plan.steps} == {step.application for step in fresh.steps}
    assert plan.slots.keys() == fresh.slots.keys()
    done = set[int]()
    for step in plan.steps:
        assert done.issuperset(slot for slot in step.inputs if slot is not None)
        done.update(step.outputs)
    assert done == set(plan.slots.values())


def follow_edits(graph: Graph, seed: int, count: int) -> Counter[bool]:
    """Carries out some random edits in sequence; counts incremental updates and full evaluations."""
    choose, seen = random.Random(seed), Counter[bool]()
    try:
        rerun = Rerun(run_graph(graph))
    except BlockError:
        # The graph cannot run at all.
        return Counter([False])
    for _ in range(count):
        try:
            edited = KINDS[choose.choice(list(KINDS))](graph, choose)
        except EditError:
            continue
        if edited is graph or new_values(graph, edited) is not None:
            continue
        found = rerun.update(edited)
        seen[found is not None] += 1
        if found is None:
            # Undoes an error that hides gradients.
            rerun = Rerun(run_graph(graph))
        else:
            graph = edited
            assert_same(found[0], graph)
    return seen


@pytest.mark.parametrize("program", ["compiled or not", long("bound calls")])
@pytest.mark.parametrize("seed", a_third_of(range(4)))
def test_edited_graphs_say_what_they_say_from_the_start(seed: int, program: str) -> None:
    modules = {"compiled or not": arena, "bound calls": numpy_program}
    names = ("Program", "survey", "spread")
    with patch.multiple(arena, **{name: getattr(modules[program], name) for name in names}):
        seen = follow_edits(random_graph(40, seed), seed, 40)
    assert seen[True] > 8


@pytest.mark.parametrize("seed", range(100, 106))
def test_small_graphs_say_what_they_say_from_the_start(seed: int) -> None:
    """In these, ends, sums and empty pages are met more often."""
    assert follow_edits(random_graph(8, seed), seed, 20).total() > 0


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring(), 1))
def test_edited_examples_say_what_they_say_from_the_start(name: str) -> None:
    assert follow_edits(example(name), 1, 8).total() > 0


BOTH = ["Add", "Subtract", "Multiply", "Divide", "Maximum", "SquaredDifference", "Atan2", "DivNoNan", "Pow"]
# Each with each, in an order in which every third pair has all of them at either place.
PAIRS = [(first, BOTH[(row + step) % len(BOTH)]) for row, first in enumerate(BOTH) for step in range(len(BOTH))]


@pytest.mark.parametrize(("first", "second"), a_third_of(PAIRS))
def test_a_block_of_two_inputs_can_become_any_other(first: str, second: str) -> None:
    """Some rules give both inputs one gradient, some make one of the other, and some two."""
    graph = (
        x([0.5, 1.5], "Variable").source("w", [2.0, 0.75], "Variable").then("f", first, "w.y").then("e", "Exp").loss()
    )
    rerun = Rerun(run_graph(graph))
    for kind in (second, first, "Multiply"):
        edited = swapped(graph, "f", kind)
        found = rerun.update(edited)
        assert found is not None
        assert_same(found[0], edited)


@pytest.mark.parametrize(("first", "second"), a_third_of(PAIRS[: 3 * len(BOTH)], 1))
def test_a_block_that_reads_one_wire_twice_or_a_broadcast_can_become_any_other(first: str, second: str) -> None:
    for line in (
        x([0.5, 1.5], "Variable").then("i", "Identity").then("f", first, "i.y"),
        x([0.5, 1.5], "Variable").source("w", 2.0, "Variable").then("f", first, "w.y"),
        x(0.5, "Variable").source("w", [2.0, 0.5], "Variable").then("f", first, "w.y").then("g", first, "x.y"),
    ):
        graph = line.then("e", "Exp").loss()
        rerun, edited = Rerun(run_graph(graph)), swapped(graph, "f", second)
        for wanted in (edited, graph):
            found = rerun.update(wanted)
            if first != second:
                assert found is not None
            if found is not None:
                assert_same(found[0], wanted)
