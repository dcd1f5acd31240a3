"""What an edit changes in a graph's structure: steps of the plan, ports and wires, and nothing beside them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gradwire.engine.autodiff.infer_update import update_inference
from gradwire.engine.autodiff.status import find_cuts
from gradwire.engine.base.errors import CannotUpdate, EditError
from gradwire.engine.blocktypes.plan import Step
from gradwire.engine.edits import edits
from gradwire.engine.evaluation import rerun as rerun_module
from gradwire.engine.evaluation.evaluate import Structure, run_graph
from gradwire.engine.evaluation.lower_update import IncrementalLowering
from gradwire.engine.evaluation.plan_update import Splice
from gradwire.engine.evaluation.rerun import Rerun
from gradwire.engine.evaluation.status_table import STATUSES, StatusTable
from gradwire.engine.evaluation.update import IncrementalStructure
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x
from tests.engine.edit_sequences import port
from tests.engine.evaluation.test_update import KINDS, swapped
from tests.random_graphs import random_graph


def line() -> Line:
    """Returns exp(tanh(x) * w) + w ** 2 + x as one sum."""
    first = x([1.0, 2.0], "Variable").source("w", [0.5, 3.0], "Variable").then("t", "Tanh").then("m", "Multiply", "w.y")
    return first.then("e", "Exp").on("w.y").then("s", "Square").on("e.y").then("a", "AddN", "s.y", "x.y")


def connected(graph: Graph, source: str, target: str) -> Graph:
    return edits.connect(graph, "main", port(source), port(target))


def exchanged(graph: Graph, first: str, second: str) -> Graph:
    """Returns the graph with the first two terms of its sum exchanged."""
    return connected(connected(graph, first, "a.values_1"), second, "a.values_0")


GRAPH = line().loss()
TANH, SINE = "Constant Square Subtract Multiply", "Cos Multiply"
SQUARE = "Constant Multiply Multiply"
# Steps that go and come, ports and wires that change or come, ports and wires that go.
DIFFS: dict[str, tuple[Graph, str, str, str, str]] = {
    "another function": (swapped(GRAPH, "t", "Sin"), f"Tanh {TANH}", f"Sin {SINE}", "t.y x.y > m.x t.x", ">"),
    "one that gives its gradient on": (
        swapped(GRAPH, "e", "Negative"), "Exp Multiply", "Negative Negative", "e.y m.z > a.values_0 e.x", ">",
    ),
    "a stop, behind which x has one term left": (
        swapped(GRAPH, "t", "StopGradient"), f"Tanh {TANH} Add", "StopGradient", "t.y x.y > m.x t.x", ">",
    ),
    "a source that nothing reads": (edits.add_block(GRAPH, "main", "Input", id="new")[0], "", "", "new.y >", ">"),
    "a block beside the loss": (
        connected(edits.add_block(GRAPH, "main", "Sin", id="new")[0], "t.y", "new.x"),
        "", "Sin", "new.y t.y > new.x", ">",
    ),
    "one term less": (
        edits.disconnect(GRAPH, "main", port("a.values_2")),
        "AddN Add", "AddN", "a.z e.y s.y x.y > a.values_0 a.values_1 loss.x", "> a.values_2",
    ),
    "no square": (
        edits.remove_blocks(GRAPH, "main", ["s"]), f"Square {SQUARE} AddN Add", "AddN",
        "a.z e.y w.y x.y > a.values_0 a.values_1 loss.x", "s.y > a.values_1 a.values_2 s.x",
    ),
    "a name": (edits.set_label(GRAPH, "main", "t", "Hyperbola"), "", "", ">", ">"),
    "a place": (edits.move_blocks(GRAPH, "main", {"t": (1, 2)}), "", "", ">", ">"),
}  # fmt: skip


def kinds(steps: tuple[Step, ...], places: tuple[int, ...]) -> list[str]:
    return sorted(steps[place].application.type.name for place in places)


def ends(names: list[str]) -> str:
    return " ".join(sorted(name.removeprefix("main/") for name in names))


@pytest.mark.parametrize("name", DIFFS)
def test_an_edit_changes_what_depends_on_it_and_no_more(name: str) -> None:
    edited, gone, added, changed, lost = DIFFS[name]
    structure = run_graph(GRAPH).structure
    found = IncrementalStructure(structure).update(edited)
    assert found is not None
    splice, index = found.splice, found.index_diff
    assert kinds(structure.plan.steps, splice.gone) == sorted(gone.split())
    assert kinds(splice.plan.steps, splice.added) == sorted(added.split())
    new = ends([str(item) for item in index.ports]), ends([str(link.target) for link in index.wires])
    assert " > ".join(new).strip() == changed
    old = ends([str(item) for item in index.ports_gone]), ends([str(link.target) for link in index.wires_gone])
    assert " > ".join(old).strip() == lost


def assert_fits(steps: tuple[Step, ...], splice: Splice) -> None:
    """Asserts that old steps keep their order, and new ones stand behind a producer or at the start of a pass."""
    plan, added = splice.plan, set(splice.added)
    kept = [step.application for place, step in enumerate(steps) if place not in set(splice.gone)]
    assert kept == [step.application for place, step in enumerate(plan.steps) if place not in added]
    for place in splice.added:
        first = place
        while first - 1 in added and first != plan.forward:
            first -= 1
        before = {output for step in plan.steps[max(first - 1, 0) : place] for output in step.outputs}
        assert first in (0, plan.forward) or not before.isdisjoint(plan.steps[place].inputs)


def fan() -> Graph:
    """Returns the sum of sin(x), cos(x) and tanh(x), all behind an Identity, and of exp(x)."""
    first = x([1.0, 2.0], "Variable").then("i", "Identity").then("s", "Sin").on("i.y").then("c", "Cos").on("i.y")
    return first.then("t", "Tanh").on("x.y").then("e", "Exp").on("s.y").then("a", "AddN", "c.y", "t.y", "e.y").loss()


FAN = fan()
# Ports with another sum of gradients, wires lowered anew or with another one, and how many expressions come and go.
GRADIENTS: dict[str, tuple[Graph, str, str, int, int]] = {
    "the loss as a mean": (
        edits.set_parameter(FAN, "main", "loss", "reduction", "mean"),
        "", "loss.weights loss.x", 0, 0,
    ),
    "two other functions": (
        swapped(swapped(FAN, "s", "Exp"), "c", "Sin"),
        "", "c.x i.x s.x", 0, 0,
    ),
    "a stop, without which i and x have a term less": (
        swapped(FAN, "s", "StopGradient"),
        "i.y x.y", "i.x s.x", 3, 4,
    ),
    "a stop in place of the Identity": (
        swapped(FAN, "i", "StopGradient"),
        "x.y", "i.x", 1, 2,
    ),
    "a Negative in place of the Identity": (
        swapped(FAN, "i", "Negative"),
        "x.y", "i.x", 2, 2,
    ),
    "one more Identity, which passes on its part": (
        swapped(FAN, "s", "Identity"),
        "i.y x.y", "i.x s.x", 4, 4,
    ),
    "the order of more than two terms": (
        exchanged(FAN, "s.y", "c.y"),
        "i.y x.y", "a.values_0 a.values_1 a.values_2 a.values_3 i.x", 3, 3,
    ),
    "a wire around the Identity, which keeps the terms of x": (
        connected(FAN, "x.y", "s.x"),
        "i.y", "i.x s.x", 2, 2,
    ),
    "a longer path": (
        connected(FAN, "s.y", "c.x"),
        "i.y s.y x.y", "c.x i.x", 4, 4,
    ),
    "one term less": (
        edits.disconnect(FAN, "main", port("a.values_1")),
        "c.y i.y x.y", "a.values_0 a.values_1 a.values_2 a.values_3 c.x i.x", 3, 6,
    ),
    "one block less": (
        edits.remove_blocks(FAN, "main", ["c"]),
        "i.y x.y", "a.values_0 a.values_1 a.values_2 a.values_3 c.x i.x", 3, 7,
    ),
    "a term that comes without a block between": (
        connected(FAN, "i.y", "a.values_2"),
        "i.y t.y x.y", "a.values_0 a.values_1 a.values_2 a.values_3 i.x t.x", 3, 5,
    ),
    "the loss of another block, behind which most gradients end": (
        connected(FAN, "s.y", "loss.x"),
        "a.z c.y e.y i.y t.y x.y",
        "a.values_0 a.values_1 a.values_2 a.values_3 c.x e.x i.x loss.weights loss.x t.x", 3, 14,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GRADIENTS)
def test_only_sums_with_other_terms_are_added_up_again(name: str) -> None:
    edited, ports, wires, claimed, released = GRADIENTS[name]
    lowered = run_graph(FAN).lowered
    found = update_inference(lowered.inferred, edited)
    assert found is not None
    diff = IncrementalLowering(lowered, find_cuts(lowered.backward)).update(*found)
    assert (ends([*map(str, diff.ports)]), ends([*map(str, diff.wires)])) == (ports, wires)
    assert (len(diff.claimed), len(diff.released)) == (claimed, released)


def two_rows() -> Line:
    """Returns cos(sin(x)) and exp(tanh(x)), before anything adds them up."""
    return x([1.0, 2.0]).then("p", "Sin").then("q", "Cos").on("x.y").then("r", "Tanh").then("s", "Exp")


def test_what_reads_a_step_that_moves_on_moves_with_it() -> None:
    graph = two_rows().then("a", "AddN", "q.y", "p.y").loss()
    structure = run_graph(graph).structure
    steps = structure.plan.steps
    assert [step.application.type.name for step in steps[1:5]] == ["Sin", "Tanh", "Cos", "Exp"]
    found = IncrementalStructure(structure).update(connected(graph, "s.y", "p.x"))
    assert found is not None
    new = found.splice.plan
    order = ["Input", "Tanh", "Exp", "Sin", "Cos", "AddN", "Loss"]
    assert [step.application.type.name for step in new.steps[: new.forward]] == order
    assert {steps[place].application.type.name for place in found.splice.gone if place < 7} == {"Sin", "Cos"}
    assert_fits(steps, found.splice)


@pytest.mark.parametrize(("others", "gone"), [(["q.y"], "AddN"), (["q.y", "r.y"], "AddN Add Add")])
def test_of_terms_in_another_order_only_more_than_two_are_added_again(others: list[str], gone: str) -> None:
    line = x([1.0, 2.0])
    for name, kind in (("p", "Sin"), ("q", "Cos"), ("r", "Tanh")):
        line.on("x.y").then(name, kind)
    graph = line.on("p.y").then("a", "AddN", *others).loss()
    structure = run_graph(graph).structure
    found = IncrementalStructure(structure).update(exchanged(graph, "p.y", "q.y"))
    assert found is not None
    assert kinds(structure.plan.steps, found.splice.gone) == sorted(gone.split())
    assert kinds(found.splice.plan.steps, found.splice.added) == sorted(gone.split())


def test_a_gap_can_be_halved_256_times() -> None:
    graph, count = x([1.0]).loss(), 0
    structure = IncrementalStructure(run_graph(graph).structure)
    while True:
        graph = connected(edits.add_block(graph, "main", "Exp", id=f"new{count}")[0], "x.y", f"new{count}.x")
        found = structure.update(graph)
        if found is None:
            break
        # The newest one stands right behind its input.
        assert found.splice.added == (1,) and found.splice.plan.forward == 3 + count
        count += 1
    assert count == 256


@pytest.mark.parametrize(
    "graph",
    [
        x([1.0]).then("p", "PreventGradient").loss(),
        x([1.0, 2.0]).source("w", [1.0, 2.0, 3.0]).then("a", "Add", "w.y").loss(),
        # No gradient is hidden here, but one of the losses is.
        x([1.0]).then("l", "Loss").source("whole", np.array(3)).on("whole.y").then("e", "Exp").loss(),
        x([1.0, 2.0]).then("s", "ReduceSum").then("d", "Gradients", "x.y").on("s.y").loss(),
    ],
)
def test_a_graph_with_unknown_gradients_or_derivatives_is_not_followed(graph: Graph) -> None:
    with pytest.raises(CannotUpdate):
        IncrementalStructure(run_graph(graph).structure)


def test_a_table_of_statuses_follows_and_has_gaps_where_rows_are_gone() -> None:
    first = run_graph(GRAPH)
    rerun, table = Rerun(first), StatusTable(first.structure)
    for graph, has_gaps in (
        (swapped(GRAPH, "t", "StopGradient"), False),
        (edits.remove_blocks(GRAPH, "main", ["s"]), True),
        (GRAPH, True),
    ):
        found = rerun.update(graph)
        assert found is not None
        run, diff = found
        table.update(run.structure, diff)
        for column, results in ((table.ports, run.snapshot.ports), (table.wires, run.snapshot.wires)):
            codes = column.statuses(run)
            assert {name: STATUSES[codes[row]] for name, row in column.rows.items()} == {
                name: item.status for name, item in results.items()
            }
        assert table.has_gaps is has_gaps


@pytest.mark.parametrize(
    ("edited", "ports", "wires"),
    [
        (edits.disconnect(GRAPH, "main", port("a.values_2")), False, True),
        (edits.remove_blocks(edits.add_block(GRAPH, "main", "Input", id="new")[0], "main", ["new"]), True, False),
        (swapped(GRAPH, "t", "Sin"), False, False),
    ],
)
def test_ports_or_wires_alone_leave_gaps_too(edited: Graph, ports: bool, wires: bool) -> None:
    first = run_graph(edits.add_block(GRAPH, "main", "Input", id="new")[0] if ports else GRAPH)
    table, found = StatusTable(first.structure), Rerun(first).update(edited)
    assert found is not None and not table.has_gaps
    table.update(found[0].structure, found[1])
    assert (table.ports.has_gaps, table.wires.has_gaps, table.has_gaps) == (ports, wires, ports or wires)


def test_a_rerun_prepares_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Structure] = []

    def incremental(structure: Structure) -> IncrementalStructure:
        made.append(structure)
        return IncrementalStructure(structure)

    monkeypatch.setattr(rerun_module, "IncrementalStructure", incremental)
    rerun = Rerun(run_graph(GRAPH))
    rerun.prepare()
    for kind in ("Sin", "Cos"):
        assert rerun.update(swapped(GRAPH, "t", kind)) is not None
    assert len(made) == 1


@pytest.mark.parametrize("seed", range(20, 26))
def test_new_steps_stand_behind_their_producers(seed: int) -> None:
    choose, graph = random.Random(seed), random_graph(16, seed, reach=5)
    fits = 0
    for _ in range(12):
        run = run_graph(graph)
        try:
            incremental, edited = IncrementalStructure(run.structure), KINDS[choose.choice(list(KINDS))](graph, choose)
        except (EditError, CannotUpdate):
            continue
        if (found := incremental.update(edited)) is not None:
            assert_fits(run.structure.plan.steps, found.splice)
            fits, graph = fits + 1, edited
    assert fits
