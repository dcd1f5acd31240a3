from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.autodiff.backward import backward_pass
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.blocktypes.plan import run as run_plan
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.stop_effects import (
    StopEffect,
    Verdict,
    effect_of_stop,
    effect_on_wire,
    with_stop,
)
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.explain.test_paths import softmax
from tests.gallery import example
from tests.recorded import graph_of_recording, load, make_graph
from tests.test_laws import cases_of, graphs, law

X = PortName("main/x", "y")


def stop_paths(run: Evaluation) -> list[str]:
    """Returns the paths of all StopGradient blocks, in topological order."""
    instances = run.lowered.inferred.expanded.instances
    return [path for path, instance in instances.items() if instance.role is Role.STOP]


def source(name: str, value: object) -> Block:
    return Block(name, "Input", parameters={"value": np.array(value, float)})


def effect(graph: Graph, stop: str = "sg") -> StopEffect:
    return effect_of_stop(run_graph(graph), f"main/{stop}")


def changed(found: StopEffect) -> set[str]:
    """Returns the ports and wires that change beyond rounding."""
    return {str(change.place) for change in found.real if isinstance(change.place, PortName)}


def test_the_stop_of_the_softmax_has_no_effect_and_removes_two_of_four_paths() -> None:
    found = effect(softmax(True))
    assert found.verdict is Verdict.CANCELS
    assert (found.removed, found.paths, found.real) == (2, 4, ())
    assert 0 < found.largest <= 2e-16


def test_the_same_is_said_of_a_stop_that_is_not_there_yet() -> None:
    link = Link(PortName("main/mx", "y"), PortName("main/z", "y"))
    found = effect_on_wire(run_graph(softmax(False)), link)
    assert (found.verdict, found.removed, found.paths, found.real) == (Verdict.CANCELS, 2, 4, ())
    assert link in [change.place for change in found.changes]


def temporal_difference(is_stopped: bool) -> Graph:
    """Returns the loss of TD learning: half the square of r + 0.9 v' - v, with v and v' elements of w."""
    blocks = [
        source("r", 1.0), source("v", 0.5), source("next", 1.0), Block("g", "Constant", parameters={"value": 0.9}),
        Block("scaled", "Multiply"), Block("target", "Add"), Block("delta", "Subtract"), Block("square", "Square"),
        Block("half", "Constant", parameters={"value": 0.5}), Block("m", "Multiply"), Block("loss", "Loss"),
    ]  # fmt: skip
    wires = [
        ("next.y", "scaled.x"), ("g.y", "scaled.y"), ("r.y", "target.x"), ("scaled.z", "target.y"), ("v.y", "delta.y"),
        ("delta.z", "square.x"), ("square.y", "m.x"), ("half.y", "m.y"), ("m.z", "loss.x"),
    ]  # fmt: skip
    if not is_stopped:
        return make_graph(blocks, [*wires, ("target.z", "delta.x")])
    return make_graph([*blocks, Block("sg", "StopGradient")], [*wires, ("target.z", "sg.x"), ("sg.y", "delta.x")])


def test_the_stop_of_a_target_withholds_what_the_paper_says() -> None:
    found = effect(temporal_difference(True))
    assert (found.verdict, found.removed) == (Verdict.CHANGES, found.paths)
    amounts = {str(change.place): (float(change.before), float(change.after)) for change in found.real}
    assert amounts["main/next.y"] == pytest.approx((0, 1.26))
    assert "main/v.y" not in amounts


def test_the_largest_difference_comes_first() -> None:
    found = effect(temporal_difference(True))
    sizes = [change.largest for change in found.changes]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == pytest.approx(1.4)


def test_a_stop_put_on_a_wire_changes_the_reverse_of_one_taken_away() -> None:
    link = Link(PortName("main/target", "z"), PortName("main/delta", "x"))
    put = effect_on_wire(run_graph(temporal_difference(False)), link)
    taken = effect(temporal_difference(True))
    ports = {change.place: change for change in taken.changes if isinstance(change.place, PortName)}
    for change in put.changes:
        if change.place in ports:
            assert (change.before, change.after) == (ports[change.place].after, ports[change.place].before)
    assert link in [change.place for change in put.real]


def chain_of_stops(*kinds: str) -> Graph:
    """Returns x times 2, then a chain of blocks named n0, n1 ..., then the loss."""
    names = [f"n{row}" for row in range(len(kinds))]
    blocks = [source("x", [1.0, 2.0]), *(Block(name, kind) for name, kind in zip(names, kinds, strict=True))]
    ends = ["x.y", *(f"{name}.y" for name in names)]
    wires = [(ends[row], f"{name}.x") for row, name in enumerate(names)]
    return make_graph([*blocks, Block("loss", "Loss")], [*wires, (ends[-1], "loss.x")])


def test_a_stop_with_another_one_behind_it_is_redundant() -> None:
    found = effect(chain_of_stops("StopGradient", "Exp", "StopGradient"), "n2")
    assert (found.verdict, found.by) == (Verdict.BLOCKED_BEHIND, ("main/n0",))
    assert "main/x.y" not in changed(found)


def test_a_stop_with_another_one_ahead_of_it_is_redundant() -> None:
    found = effect(chain_of_stops("StopGradient", "Exp", "StopGradient"), "n0")
    assert (found.verdict, found.by, found.changes) == (Verdict.BLOCKED_AHEAD, ("main/n2",), ())
    assert found.largest == 0


def test_a_stop_after_a_step_without_a_derivative_is_redundant() -> None:
    found = effect(chain_of_stops("Round", "StopGradient"), "n1")
    assert (found.verdict, found.by) == (Verdict.BLOCKED_BEHIND, ("main/n0",))


def test_a_stop_that_nothing_uses_says_so() -> None:
    graph = make_graph(
        [source("x", 1.0), Block("sg", "StopGradient"), Block("loss", "Loss")], [("x.y", "sg.x"), ("x.y", "loss.x")]
    )
    assert effect(graph).verdict is Verdict.UNUSED


def test_a_stop_that_does_not_lead_to_the_loss_says_so() -> None:
    blocks = [source("x", 1.0), Block("sg", "StopGradient"), Block("e", "Exp"), Block("loss", "Loss")]
    assert effect(make_graph(blocks, [("x.y", "sg.x"), ("sg.y", "e.x"), ("x.y", "loss.x")])).verdict is Verdict.NO_PATH


def test_a_muted_stop_says_so() -> None:
    graph = chain_of_stops("StopGradient")
    page = graph.pages[0]
    muted = {**page.blocks, "n0": dataclasses.replace(page.blocks["n0"], is_muted=True)}
    graph = dataclasses.replace(graph, pages=(dataclasses.replace(page, blocks=muted),))
    assert effect(graph, "n0").verdict is Verdict.MUTED


def test_a_stop_at_which_exactly_zero_arrives_says_so() -> None:
    blocks = [source("x", -1.0), Block("sg", "StopGradient"), Block("r", "Relu"), Block("loss", "Loss")]
    found = effect(make_graph(blocks, [("x.y", "sg.x"), ("sg.y", "r.x"), ("r.y", "loss.x")]))
    assert (found.verdict, found.changes) == (Verdict.NOTHING_ARRIVES, ())


def test_paths_that_cancel_exactly_are_told_from_nothing() -> None:
    blocks = [source("x", 2.0), Block("sg", "StopGradient"), Block("d", "Subtract"), Block("loss", "Loss")]
    found = effect(make_graph(blocks, [("x.y", "sg.x"), ("sg.y", "d.x"), ("sg.y", "d.y"), ("d.z", "loss.x")]))
    assert (found.verdict, found.removed, found.paths) == (Verdict.CANCELS, 2, 2)


def test_a_stop_thought_of_is_the_stop_that_is_inserted() -> None:
    run = run_graph(temporal_difference(False))
    for link in run.snapshot.wires:
        graph, _ = with_stop(run.graph, link)
        after = run_graph(graph).snapshot.ports
        for change in effect_on_wire(run, link).changes:
            if isinstance(change.place, PortName):
                np.testing.assert_array_equal(change.after, after[change.place].gradient)


def pulled_back(run: Evaluation, stop: str) -> dict[PortName, np.ndarray]:
    """Returns the withheld gradient pulled back to every port, by a backward pass from the stop's input."""
    lowered = run.lowered
    (application,) = (item for item, owner in lowered.owners.items() if owner == stop)
    withheld = lowered.backward.totals.get(application.outputs[0])
    if withheld is None:
        return {}
    backward = backward_pass({application.inputs[0]: withheld})
    results = run_plan(make_plan(backward.totals.values()))
    return {
        name: results[backward.totals[expression]]
        for name, expression in lowered.ports.items()
        if expression in backward.totals
    }


def assert_pulled_back(graph: Graph) -> Counter[str]:
    """Counts gradients that change without a stop, each by the pulled-back gradient that the stop withholds."""
    run, seen = run_graph(graph), Counter[str]()
    # A derivative inside the graph changes with the stops on its path, so values change, too.
    if any(library[block.type].role is Role.GRADIENTS for block in graph.pages[0].blocks.values()):
        return seen
    for stop in stop_paths(run):
        expected, found = pulled_back(run, stop), effect_of_stop(run, stop)
        differences = {change.place: change.difference for change in found.changes}
        for name, port in run.snapshot.ports.items():
            gradient = expected.get(name)
            if port.gradient is None or (gradient is not None and not np.abs(gradient).max() < 1e100):
                continue
            difference = differences.get(name, np.zeros_like(port.gradient))
            scale = 1 + np.abs(port.gradient).max(initial=0) + (0 if gradient is None else np.abs(gradient).max())
            np.testing.assert_allclose(difference, 0 if gradient is None else gradient, rtol=0, atol=1e-9 * scale)
            seen["changed"] += bool(np.abs(difference).max(initial=0) > 1e-6 * scale)
            seen["unchanged"] += gradient is None
    return seen


@pytest.mark.long
def test_what_a_stop_withholds_is_its_gradient_pulled_back() -> None:
    """Without one stop, g changes by J transposed times the withheld gradient, to 1e-9."""
    seen = cases_of(assert_pulled_back, "StopGradient")
    assert seen["changed"] > 40 and seen["unchanged"] > 40


@pytest.mark.long
@law
@given(graphs(("StopGradient",)))
def test_a_verdict_that_nothing_changes_is_true_of_the_sources(graph: Graph) -> None:
    run = run_graph(graph)
    for stop in stop_paths(run):
        found = effect_of_stop(run, stop)
        if found.verdict in (Verdict.CHANGES, Verdict.UNKNOWN):
            continue
        assert not changed(found) & {"main/a.y", "main/b.y"}


def test_a_stop_inside_a_derivative_changes_values_too() -> None:
    run = run_graph(graph_of_recording(load("graphs", "higher_x2_stop_x")))
    (stop,) = stop_paths(run)
    found = effect_of_stop(run, stop)
    assert found.verdict is Verdict.CHANGES and found.has_other_values


def test_a_stop_inside_a_constant_derivative_is_not_called_useless() -> None:
    blocks = [source("x", 2.0), Block("sg", "StopGradient"), Block("d", "Gradients"), Block("loss", "Loss")]
    graph = make_graph(blocks, [("x.y", "sg.x"), ("sg.y", "d.y"), ("x.y", "d.xs_0"), ("d.g_0", "loss.x")])
    found = effect(graph)
    assert (found.verdict, found.has_other_values, found.real) == (Verdict.CHANGES, True, ())


def effect_in(name: str) -> StopEffect:
    """Returns the effect of the only stop of an example."""
    run = run_graph(example(name))
    (stop,) = stop_paths(run)
    return effect_of_stop(run, stop)


@pytest.mark.parametrize("kind", ["plain", "tie", "big"])
def test_every_stable_softmax_of_the_gallery_could_do_without_its_stop(kind: str) -> None:
    found = effect_in(f"softmax_stable_{kind}_sg")
    assert (found.verdict, found.removed, found.paths) == (Verdict.CANCELS, 2, 4)
    assert found.largest <= 2e-16 and found.variables in ((), None)


@pytest.mark.parametrize(("name", "variables"), [("em_Q", {"a", "mu", "ls"}), ("adv_raw", {"w"}), ("adv_sign", set())])
def test_the_variables_that_a_stop_trains_otherwise_are_named(name: str, variables: set[str]) -> None:
    found = effect_in(f"{name}_stop")
    assert found.verdict is Verdict.CHANGES and {path.partition("/")[2] for path in found.variables or ()} == variables


@pytest.mark.parametrize("name", ["em_Q", "cd1", "adv_raw", "adv_l2", "adv_sign"])
def test_without_its_stop_an_example_has_the_gradients_of_the_one_without(name: str) -> None:
    other = run_graph(example(f"{name}_nostop")).snapshot.ports
    for change in effect_in(f"{name}_stop").changes:
        if isinstance(change.place, PortName) and change.place in other:
            np.testing.assert_allclose(change.after, other[change.place].gradient, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("size", [2, 8, 9, 10])
def test_what_a_stop_at_a_maximum_leaves_is_rounding_whatever_the_size(size: int) -> None:
    blocks = [source("x", np.linspace(0, 2, size) ** 2), source("w", np.arange(1, size + 1)), Block("mx", "ReduceMax")]
    blocks += [Block("sg", "StopGradient"), Block("z", "Subtract"), Block("e", "Exp"), Block("s", "ReduceSum")]
    wires = [("x.y", "mx.x"), ("mx.y", "sg.x"), ("x.y", "z.x"), ("sg.y", "z.y"), ("z.z", "e.x"), ("e.y", "s.x")]
    blocks += [Block("d", "Divide"), Block("m", "Multiply"), Block("loss", "Loss")]
    wires += [("e.y", "d.x"), ("s.y", "d.y"), ("d.z", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
    found = effect(make_graph(blocks, wires))
    assert (found.verdict, found.removed, found.paths, found.real) == (Verdict.CANCELS, 2, 4, ())


def test_a_stop_behind_a_path_that_is_cut_and_one_that_is_not_withholds_the_latter() -> None:
    """The square of x + floor(x): what is withheld is 2 (x + floor(x))."""
    blocks = [source("x", [0.5, 2.5]), Block("f", "Floor"), Block("a", "Add"), Block("sg", "StopGradient")]
    wires = [("x.y", "f.x"), ("f.y", "a.x"), ("x.y", "a.y"), ("a.z", "sg.x"), ("sg.y", "q.x"), ("q.y", "loss.x")]
    found = effect(make_graph([*blocks, Block("q", "Square"), Block("loss", "Loss")], wires))
    assert (found.verdict, found.by, found.removed, found.paths) == (Verdict.CHANGES, (), 1, 1)
    amounts = {str(item.place): (item.before.tolist(), item.after.tolist()) for item in found.real}
    assert amounts["main/x.y"] == ([0, 0], [1, 9])
