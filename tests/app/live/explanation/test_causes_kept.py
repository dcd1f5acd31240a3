"""No zero loses its cause, and no fix that mends is lost: counted over the examples and the recorded graphs.

The numbers were counted before the words of all causes moved into one table; nothing may become true by falling silent.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

import pytest

from gradwire.app.kit.why.why import why_of
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import results_of
from gradwire.app.live.why import WhyZero
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.graph.graph import Graph
from tests.gallery import example, example_names, examples_of_each_wiring, run_of_example
from tests.recorded import graph_of_recording, load, recorded_graphs, run_of_recording

CUT = (Status.BLOCKED, Status.NON_DIFFERENTIABLE)


def places(snapshot: Snapshot) -> Iterator[tuple[PortName | Link, PortResult | WireResult]]:
    """Yields all ports and wires with their results."""
    yield from snapshot.ports.items()
    yield from snapshot.wires.items()


def silent(snapshot: Snapshot) -> Iterator[str]:
    """Yields the gradients without their reason: zeros without a cause, cuts without a block, NaN without an origin."""
    for place, result in places(snapshot):
        is_zero = result.status is Status.ZERO and result.zero is None
        is_cut = result.status in CUT and not result.by
        is_nan = result.status is Status.NONFINITE and (result.origin is None or result.origin.first is None)
        if is_zero or is_cut or is_nan:
            yield f"{place} is {result.status}"


def counts(snapshot: Snapshot) -> Counter[str]:
    """Returns how many gradients have a reason of each kind."""
    found = Counter[str]()
    for _, result in places(snapshot):
        found["zero"] += result.status is Status.ZERO and result.zero is not None
        found["partly zero"] += result.status is not Status.ZERO and result.zero is not None
        found["cut"] += result.status in CUT and bool(result.by)
        found["not finite"] += result.status is Status.NONFINITE and result.origin is not None
    return found


def facts_of(graph: Graph, run: Evaluation) -> Facts:
    """Returns what the inspector knows of a run."""
    zeros = [place for place, result in places(run.snapshot) if result.zero is not None]
    chains = {WhyZero(place): WhyZero(place).answer(run) for place in zeros}
    expanded = infer_specs(graph).expanded
    return Facts(expanded, results_of(run.snapshot, 1), run.snapshot.problems, graph, chains)


def mended(graph: Graph, run: Evaluation) -> int:
    """Returns at how many places the fix that the inspector offers lets the gradient flow."""
    facts, count = facts_of(graph, run), 0
    for place, _ in places(run.snapshot):
        fix = why_of(facts, place).fix
        if fix is not None:
            after = dict(places(evaluate(fix.edit(graph, *fix.args))))
            count += place in after and after[place].status is Status.FLOW
    return count


@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_every_zero_cut_and_nan_of_an_example_has_its_reason(name: str) -> None:
    assert not list(silent(run_of_example(name).snapshot))


def test_a_zero_without_its_cause_would_be_found() -> None:
    snapshot = run_of_example("softmax_stable").snapshot
    wires = {link: dataclasses.replace(wire, zero=None, by=()) for link, wire in snapshot.wires.items()}
    assert len(list(silent(dataclasses.replace(snapshot, wires=wires)))) == 3


@pytest.mark.long
def test_the_examples_keep_their_causes_and_the_fixes_that_mend() -> None:
    graphs = {name: (example(name), run_of_example(name)) for name in example_names()}
    found = sum((counts(run.snapshot) for _, run in graphs.values()), Counter[str]())
    assert found == {"zero": 147, "partly zero": 273, "cut": 312, "not finite": 10}
    assert sum(mended(graph, run) for graph, run in graphs.values()) == 214


@pytest.mark.long
def test_the_recorded_graphs_keep_their_causes_and_the_fixes_that_mend() -> None:
    graphs = [(graph_of_recording(load("graphs", name)), run_of_recording(name)) for name in recorded_graphs()]
    assert not [fault for _, run in graphs for fault in silent(run.snapshot)]
    found = sum((counts(run.snapshot) for _, run in graphs), Counter[str]())
    assert found == {"zero": 160, "partly zero": 272, "cut": 1072, "not finite": 9}
    assert sum(mended(graph, run) for graph, run in graphs) == 603
