from __future__ import annotations

import dataclasses
from functools import reduce

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.paths import LISTED, Paths, cancelling_pairs, count_paths, paths_from
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import x
from tests.recorded import graph_of_recording, load, make_graph, recorded_graphs
from tests.sweeps import a_third_of
from tests.test_laws import graphs, law


def softmax(is_stopped: bool, x: tuple[float, ...] = (1.0, 3.0, 3.0)) -> Graph:
    """Returns the softmax of three logits: x, its maximum subtracted, weights 1, 2, 3."""
    blocks = [
        Block("x", "Variable", parameters={"value": np.array(x)}),
        Block("w", "Constant", parameters={"value": np.array([1.0, 2.0, 3.0])}),
        Block("mx", "ReduceMax"), Block("z", "Subtract"), Block("e", "Exp"), Block("s", "ReduceSum"),
        Block("d", "Divide"), Block("m", "Multiply"), Block("loss", "Loss"),
    ]  # fmt: skip
    wires = [
        ("x.y", "z.x"), ("x.y", "mx.x"), ("z.z", "e.x"), ("e.y", "d.x"), ("e.y", "s.x"), ("s.y", "d.y"),
        ("d.z", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x"),
    ]  # fmt: skip
    if not is_stopped:
        return make_graph(blocks, [*wires, ("mx.y", "z.y")])
    return make_graph([*blocks, Block("sg", "StopGradient")], [*wires, ("mx.y", "sg.x"), ("sg.y", "z.y")])


def paths(graph: Graph, name: str) -> Paths:
    return paths_from(run_graph(graph), PortName(*f"main/{name}".rsplit(".", 1)))


def ladder(rungs: int) -> Graph:
    """Returns x, then `rungs` sums of a tensor with itself: 2 ** rungs paths."""
    blocks = [Block("n0", "Input", parameters={"value": np.array(1.0)}), Block("loss", "Loss")]
    blocks += [Block(f"n{row}", "Add") for row in range(1, rungs + 1)]
    outputs = ["n0.y", *(f"n{row}.z" for row in range(1, rungs + 1))]
    wires = [(outputs[row], f"n{row + 1}.{port}") for row in range(rungs) for port in "xy"]
    return make_graph(blocks, [*wires, (outputs[-1], "loss.x")])


def test_the_input_of_the_softmax_has_four_paths() -> None:
    found = paths(softmax(False), "x.y")
    assert (found.total, found.cut, len(found.branches)) == (4, 0, 4)


def test_the_two_paths_of_the_tied_maximum_cancel() -> None:
    found = paths(softmax(False), "mx.y")
    amounts = sorted(float(branch.contribution) for branch in found.branches)
    assert amounts == pytest.approx([-2.4049315925, 2.4049315925], abs=1e-10)
    assert cancelling_pairs([branch.contribution for branch in found.branches]) == [(0, 1)]


def test_each_tied_element_gets_half_of_a_path_through_the_maximum() -> None:
    through = [branch for branch in paths(softmax(False), "x.y").branches if "main/mx" in branch.blocks]
    amounts = sorted(branch.contribution.tolist() for branch in through)
    assert amounts[0] == pytest.approx([0, -1.2024657962, -1.2024657962], abs=1e-10)
    assert amounts[1] == pytest.approx([0, 1.2024657962, 1.2024657962], abs=1e-10)


def test_paths_through_a_stop_are_cut_and_keep_what_they_would_carry() -> None:
    found = paths(softmax(True), "x.y")
    assert (found.total, found.cut) == (2, 2)
    cut = [branch for branch in found.branches if branch.cuts]
    assert [branch.cuts for branch in cut] == [("main/sg",)] * 2
    amounts = sorted(float(branch.contribution[1]) for branch in cut)
    assert amounts == pytest.approx([-1.2024657962, 1.2024657962], abs=1e-10)


def test_a_path_names_its_blocks_and_wires() -> None:
    branch = paths(softmax(False), "mx.y").branches[0]
    assert branch.blocks == tuple(f"main/{name}" for name in ("z", "e", "d", "m", "loss"))
    assert branch.links[0] == Link(PortName("main/mx", "y"), PortName("main/z", "y")) and len(branch.links) == 5


def test_paths_along_a_wire_begin_with_it() -> None:
    link = Link(PortName("main/x", "y"), PortName("main/mx", "x"))
    found = paths_from(run_graph(softmax(False)), link)
    assert found.total == 2 and all(branch.links[0] == link for branch in found.branches)


def test_more_paths_than_can_be_walked_are_counted() -> None:
    found = paths(ladder(60), "n0.y")
    assert found.total == 2**60
    assert [(branch.count, float(branch.contribution)) for branch in found.branches] == [(2**59, float(2**59))] * 2


def test_a_branch_is_taken_apart_at_its_next_fork() -> None:
    run = run_graph(ladder(60))
    found = paths_from(run, PortName("main/n0", "y"), {(0,), (0, 1)})
    assert [branch.choices for branch in found.branches] == [(0, 0), (0, 1, 0), (0, 1, 1), (1,)]
    assert sum(branch.count for branch in found.branches) == 2**60


def test_a_loss_that_another_loss_reads_ends_paths_too() -> None:
    blocks = [Block("x", "Input", parameters={"value": np.array(3.0)}), Block("one", "Loss"), Block("two", "Loss")]
    found = paths(make_graph(blocks, [("x.y", "one.x"), ("one.y", "two.x")]), "x.y")
    assert sorted(branch.blocks for branch in found.branches) == [("main/one",), ("main/one", "main/two")]
    assert sum(float(branch.contribution) for branch in found.branches) == 2.0


def assert_paths_add_up(graph: Graph) -> None:
    """Asserts that the paths from each source, a block's output without inputs, add up to its gradient."""
    run = run_graph(graph)
    counts = count_paths(run.lowered)
    for name, port in run.snapshot.ports.items():
        if run.lowered.inferred.expanded.instances[name.path].inputs:
            continue
        if counts.get(name, 0) > LISTED or port.gradient is None or not np.isfinite(port.gradient).all():
            continue
        found = paths_from(run, name).open_branches
        assert len(found) == counts.get(name, 0)
        parts = [branch.contribution for branch in found if branch.contribution is not None]
        assert len(parts) == len(found)
        total = reduce(np.add, parts, np.zeros_like(port.gradient))
        scale = 1 + sum(np.abs(part).max(initial=0) for part in parts)
        if np.isfinite(scale):
            precision = 1e-9 if port.gradient.dtype == np.float64 else 1e-4
            np.testing.assert_allclose(total, port.gradient, rtol=0, atol=precision * scale, err_msg=str(name))


@pytest.mark.long
@law
@given(graphs())
def test_paths_add_up_to_the_gradient(graph: Graph) -> None:
    assert_paths_add_up(graph)


@pytest.mark.parametrize(
    "name", a_third_of(name for name in recorded_graphs()[::6] if not name.startswith("random_250"))
)
def test_paths_of_recorded_graphs_add_up(name: str) -> None:
    assert_paths_add_up(graph_of_recording(load("graphs", name)))


def test_what_the_loss_does_not_depend_on_has_no_paths() -> None:
    graph = softmax(True)
    page = graph.pages[0]
    spare = Block("spare", "Input", parameters={"value": np.array(1.0)})
    wider = dataclasses.replace(page, blocks={**page.blocks, "spare": spare})
    assert paths(dataclasses.replace(graph, pages=(wider,)), "spare.y") == Paths(0, 0, ())


def test_an_unknown_place_has_no_paths_with_or_without_stops() -> None:
    assert paths(softmax(True), "none.y") == paths(softmax(False), "none.y") == Paths(0, 0, ())
    wire = Link(PortName("main/x", "y"), PortName("main/none", "x"))
    assert paths_from(run_graph(softmax(True)), wire) == Paths(0, 0, ())


@pytest.mark.parametrize("rungs", [6, 7])
def test_64_paths_are_listed_and_more_are_grouped(rungs: int) -> None:
    found = paths(ladder(rungs), "n0.y")
    assert found.total == 2**rungs and len(found.branches) == (64 if rungs == 6 else 2)
    assert sum(branch.count for branch in found.branches) == 2**rungs
    assert sum(float(branch.contribution) for branch in found.branches) == 2**rungs


@pytest.mark.parametrize("rungs", [6, 7])
def test_64_cut_paths_are_listed_and_more_are_counted(rungs: int) -> None:
    graph = ladder(rungs)
    page = graph.pages[0]
    wires = [(str(wire.source), str(wire.target)) for wire in page.wires.values() if str(wire.target) != "loss.x"]
    wires += [(f"n{rungs}.z", "stop.x"), ("stop.y", "loss.x")]
    found = paths(make_graph([*page.blocks.values(), Block("stop", "StopGradient")], wires), "n0.y")
    assert (found.total, found.cut, len(found.branches)) == (0, 2**rungs, 64 if rungs == 6 else 0)
    assert {branch.cuts for branch in found.branches} == ({("main/stop",)} if rungs == 6 else set())


@pytest.mark.parametrize(
    ("second", "pairs"), [(-1.0, [(0, 1)]), (-1.0 - 1e-12, []), (-1.0 - 1e-14, [(0, 1)]), (1.0, [])]
)
def test_contributions_cancel_up_to_64_rounding_errors(second: float, pairs: list[tuple[int, int]]) -> None:
    assert cancelling_pairs([np.array([1.0, 0.0]), np.array([second, 0.0])]) == pairs
    # Each belongs to one pair; zeros and what is unknown to none.
    both = [np.array(1.0), np.array(0.0), None, np.array(second), np.array(0.0), np.array(second)]
    assert cancelling_pairs(both) == [(0, 3) for _ in pairs]
    assert cancelling_pairs([np.array(np.inf), np.array(-np.inf)]) == []


def test_paths_through_blocks_of_several_results_add_up() -> None:
    values = np.array([[1.0, 4.0, 2.0], [3.0, -1.0, 0.5]])
    blocks = [Block("x", "Variable", parameters={"value": values}), Block("loss", "Loss"), Block("p", "Multiply")]
    blocks += [
        Block("m", "Moments", parameters={"axes": [1]}),
        Block("s", "Split", parameters={"num_or_size_splits": 2}),
    ]
    blocks += [Block("a", "Add"), Block("e", "Exp"), Block("q", "Multiply"), Block("b", "Add")]
    wires = [("x.y", "m.x"), ("m.mean", "p.x"), ("m.variance", "p.y"), ("p.z", "a.x"), ("m.mean", "a.y")]
    wires += [("x.y", "s.x"), ("s.y_0", "q.x"), ("s.y_1", "e.x"), ("e.y", "q.y"), ("q.z", "b.x")]
    graph = make_graph([*blocks, Block("t", "ReduceSum")], [*wires, ("a.z", "t.x"), ("t.y", "b.y"), ("b.z", "loss.x")])
    assert_paths_add_up(graph)
    assert paths(graph, "x.y").total == 5


@pytest.mark.parametrize("count", range(1, 12))
def test_as_many_paths_are_listed_as_there_are_wires(count: int) -> None:
    line = x(2.0).then("e", "Exp").then("a", "AddN", *["e.y"] * (count - 1))
    found = paths_from(run_graph(line.loss()), PortName("main/x", "y"))
    assert len(found.branches) == count
    assert all(branch.contribution == pytest.approx(np.exp(2)) for branch in found.branches)
