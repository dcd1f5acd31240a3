"""Rounding is no gradient, and a small gradient is no rounding: running error bounds tell them apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
import gradwire.blocks  # fills the library
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes import running_errors
from gradwire.engine.causes.running_errors import RunningErrors, are_chosen, count_of_roundings
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun
from gradwire.engine.explain.checks.check import in_double, in_single
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.autodiff.test_statuses import softmax, source
from tests.engine.cause_graphs import Line, x
from tests.engine.explain.test_flow import chain
from tests.gallery import example
from tests.random_graphs import random_graph
from tests.recorded import make_graph

EXAMPLES = ["attention", "gan_nostop", "newton", "rnn20", "softmax_stable_nostop", "tanh_chain_80", "xor_221_good"]


def softmax_of(size: int) -> Graph:
    """Returns the stable softmax of `size` numbers, with a weight for each that may be changed as well."""
    blocks = [source("x", np.zeros(size)), source("w", np.zeros(size)), Block("m", "ReduceMax")]
    blocks += [Block("stop", "StopGradient"), Block("z", "Subtract"), Block("e", "Exp"), Block("s", "ReduceSum")]
    wires = [("x.y", "m.x"), ("m.y", "stop.x"), ("x.y", "z.x"), ("stop.y", "z.y"), ("z.z", "e.x"), ("e.y", "s.x")]
    wires += [("e.y", "p.x"), ("s.y", "p.y"), ("p.z", "loss.x"), ("w.y", "loss.weights")]
    return make_graph([*blocks, Block("p", "Divide"), Block("loss", "Loss")], wires)


class Softmaxes:
    """Stable softmaxes of one size; `status` is that of the wire out of the stop."""

    def __init__(self, size: int) -> None:
        self._graph = softmax_of(size)
        self._rerun = Rerun(run_graph(self._graph))

    def status(self, x: np.ndarray, w: np.ndarray) -> Status:
        found = self._rerun.run(self._graph, {("main", "x"): x, ("main", "w"): w})
        assert found is not None
        return found.tolerances.status_of_edge(found.lowered.edges[PortName("main/z", "y")])


def test_no_position_of_a_stable_softmax_makes_rounding_a_gradient() -> None:
    softmaxes, w = Softmaxes(3), np.array([1.0, 2.0, 3.0])
    positions = itertools.product(range(6), repeat=3)
    assert {softmaxes.status(np.array(x, float), w) for x in positions} == {Status.ZERO}


@pytest.mark.long
def test_no_random_stable_softmax_makes_rounding_a_gradient() -> None:
    numbers, found = np.random.default_rng(0), set[Status]()
    for size in (2, 3, 5, 20):
        softmaxes = Softmaxes(size)
        for _ in range(200):
            # Numbers and weights from nearly equal to far apart; a large offset makes the weights alike.
            spread, scale = 10 ** numbers.uniform(-2, 2.5, 2)
            x, w = numbers.normal(size=size) * spread, numbers.normal(size=size) * scale
            found.add(softmaxes.status(x, w + numbers.choice([0, 1, 1000])))
    assert found == {Status.ZERO}


@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax", "ReduceVariance", "ReduceStd"])
@pytest.mark.parametrize("change", [in_double, in_single])
def test_a_number_added_to_all_elements_has_no_gradient_where_only_differences_count(
    kind: str, change: Callable[[Graph], Graph]
) -> None:
    numbers = np.random.default_rng(2)
    for size in (2, 7, 40):
        x, w = numbers.normal(size=size) * 10 ** numbers.uniform(-2, 2), numbers.normal(size=size) + 100
        blocks = [source("x", x), source("c", 0.3), Block("a", "Add"), Block("k", kind), Block("loss", "Loss")]
        wires = [("x.y", "a.x"), ("c.y", "a.y"), ("a.z", "k.x"), ("k.y", "loss.x"), ("w.y", "loss.weights")]
        blocks.append(source("w", w if "oftmax" in kind else w[0], "Constant"))
        snapshot = run_graph(change(make_graph(blocks, wires))).snapshot
        assert snapshot.port("main/c.y").status is Status.ZERO
        assert snapshot.port("main/a.z").status is Status.FLOW


@pytest.mark.parametrize("change", [in_double, in_single])
def test_most_rows_of_a_large_batch_are_enough_to_look_at_it(change: Callable[[Graph], Graph]) -> None:
    """Some rows are far apart, so that their sums do not seem to cancel: their terms have done so before."""
    numbers, rows = np.random.default_rng(5), {"axis": -1, "keepdims": True}
    blocks = [source("x", numbers.normal(size=(16, 64, 64)) * 9), source("w", numbers.normal(size=(64, 7)))]
    blocks += [Block("m", "ReduceMax", parameters=rows), Block("stop", "StopGradient"), Block("z", "Subtract")]
    blocks += [Block("e", "Exp"), Block("s", "ReduceSum", parameters=rows), Block("p", "Divide")]
    wires = [("x.y", "m.x"), ("m.y", "stop.x"), ("x.y", "z.x"), ("stop.y", "z.y"), ("z.z", "e.x"), ("e.y", "s.x")]
    wires += [("e.y", "p.x"), ("s.y", "p.y"), ("p.z", "v.a"), ("w.y", "v.b"), ("v.product", "q.x"), ("q.y", "loss.x")]
    blocks += [Block("v", "MatMul"), Block("q", "Tanh"), Block("loss", "Loss")]
    snapshot = run_graph(change(make_graph(blocks, wires))).snapshot
    assert snapshot.wire("main/stop.y", "main/z.y").status is Status.ZERO


@pytest.mark.parametrize(
    ("x", "is_stopped"), [([1.0, 5.0, 3.0], True), ([1.0, 5.0, 5.0], True), ([1.0, 5.0, 3.0], False)]
)
def test_a_loss_times_a_tiny_number_changes_no_status(x: list[float], is_stopped: bool) -> None:
    """The gradients are 1e-30 of what they were, and just as sure; rounding is no surer."""
    whole = softmax(x, is_stopped=is_stopped)
    page = whole.pages[0]
    blocks = [*page.blocks.values(), source("tiny", 1e-30, "Constant"), Block("scaled", "Multiply")]
    wires = [(str(wire.source), str(wire.target)) for wire in page.wires.values() if str(wire.source) != "p.z"]
    wires += [("p.z", "scaled.x"), ("tiny.y", "scaled.y"), ("scaled.z", "loss.x")]
    small = run_graph(make_graph(blocks, wires)).snapshot.ports
    known = {name: result.status for name, result in run_graph(whole).snapshot.ports.items() if name.path != "main/p"}
    assert {name: small[name].status for name in known} == known


def test_eighty_tanhs_leave_a_gradient_that_flows() -> None:
    for start in (0.5, 3.0, 8.0):
        ports = run_graph(chain("Tanh", 80, start)).snapshot.ports.values()
        assert {port.status for port in ports} == {Status.FLOW}


def assert_as_in_double(graph: Graph) -> None:
    """Asserts that what flows in float64 is not called zero in float32, where it is not exactly 0."""
    double, single = (run_graph(change(graph)).snapshot for change in (in_double, in_single))
    for name, result in (double.ports | double.wires).items():
        if result.status is Status.FLOW:
            found = (single.ports | single.wires)[name]
            assert found.status is Status.FLOW or not np.any(found.gradient), name


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_gradient_of_an_example_is_lost_in_float32(name: str) -> None:
    assert_as_in_double(example(name))


def test_no_gradient_of_a_random_graph_is_lost_in_float32() -> None:
    assert_as_in_double(random_graph(200))


def deep(depth: int, width: int) -> Graph:
    """Returns a network of Relus whose softmax is sure of itself, so that its gradient has elements near zero."""
    numbers, last = np.random.default_rng(0), "x.y"
    blocks, wires = [source("x", numbers.normal(size=(4, width)))], []
    for index in range(depth):
        weights = numbers.normal(size=(width, width)) * 2 / np.sqrt(width)
        blocks += [source(f"w{index}", weights), Block(f"m{index}", "MatMul"), Block(f"r{index}", "Relu")]
        wires += [(last, f"m{index}.a"), (f"w{index}.y", f"m{index}.b"), (f"m{index}.product", f"r{index}.x")]
        last = f"r{index}.y"
    blocks += [source("t", np.eye(width)[:4], "Constant"), Block("ce", "SoftmaxCrossEntropyWithLogits")]
    wires += [(last, "ce.logits"), ("t.y", "ce.labels"), ("ce.loss", "loss.x")]
    return make_graph([*blocks, Block("loss", "Loss")], wires)


def test_no_gradient_of_a_deep_network_is_lost_in_float32() -> None:
    """Bounds ignore signs and grow faster than gradients: without an end they would exceed all of them."""
    assert_as_in_double(deep(15, 64))


def arrays(run: Evaluation) -> list[tuple[Expression, np.ndarray]]:
    """Returns the known numbers of a run, in the order of its plan."""
    found = ((item, run.results[item]) for item in run.results.plan.slots)
    return [(item, array) for item, array in found if array is not None and array.dtype.kind == "f"]


KINDS = ["Exp", "Tanh", "Sigmoid", "Softplus", "Softmax", "LogSoftmax", "ReduceMax", "ReduceMean", "Cumsum", "Sort"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_number_of_float32_is_further_from_float64_than_its_bound(kind: str) -> None:
    numbers = np.random.default_rng(1).normal(size=6).astype(np.float32)
    blocks = [source("x", numbers), Block("q", "Square"), Block("b", kind), Block("c", "Tanh"), Block("loss", "Loss")]
    graph = make_graph(blocks, [("x.y", "q.x"), ("q.y", "b.x"), ("b.y", "c.x"), ("c.y", "loss.x")])
    double, single = (run_graph(change(graph)) for change in (in_double, in_single))
    errors = RunningErrors(single.results)
    for (_, exact), (item, rounded) in zip(arrays(double), arrays(single), strict=True):
        bound = np.broadcast_to(errors.of(item), rounded.shape)
        assert (np.abs(rounded - exact) <= bound).all()
        # Only ten or twenty steps: a bound that is far above the errors would be of no use.
        assert (bound <= 2e-5 * max(1.0, np.abs(exact).max(initial=0))).all()


def test_a_bound_does_not_depend_on_what_was_asked_for_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_errors, "FOLLOWED", 30)
    run = run_graph(chain("Tanh", 3, np.linspace(-1, 1, 40)))
    items = [item for step in run.results.plan.steps for item in step.application.outputs]
    kept = RunningErrors(run.results)
    found = [kept.of(item) for item in items]
    assert any(item.any() for item in found)
    for item, bound in zip(items, found, strict=True):
        np.testing.assert_array_equal(bound, RunningErrors(run.results).of(item))


def test_the_gradients_of_a_deep_network_are_no_rounding_errors() -> None:
    """Worst cases multiply from layer to layer; in double precision the gradients are the same to four digits."""
    single, double = _deep_network("float32"), _deep_network("float64")
    for layer in range(12):
        found, exact = single.gradient(f"w{layer}"), double.gradient(f"w{layer}")
        assert found is not None and exact is not None
        assert np.abs(found - exact).max() < 1e-4 * np.abs(exact).max()
        assert single.status(f"w{layer}") == "flow"


def _deep_network(dtype: str) -> gw.Run:
    """Returns a run of layers with attention behind normalisations, as those of a transformer."""
    numbers = np.random.default_rng(0)

    def weights(name: str, *shape: int) -> Any:  # Any: expressions have operators
        return gw.Variable((numbers.normal(size=shape) / np.sqrt(shape[0])).astype(dtype), name=name)

    def normalised(x: Any) -> Any:
        apart = x - x.mean(-1, keepdim=True)
        return apart / (apart.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    x = weights("x", 16, 32)
    for layer in range(12):
        y = normalised(x)
        x = x + ((y @ weights(f"k{layer}", 32, 32)) @ y.t()).softmax(-1) @ y @ weights(f"v{layer}", 32, 32)
        x = x + (normalised(x) @ weights(f"w{layer}", 32, 64)).relu() @ weights(f"u{layer}", 64, 32)
    return gw.evaluate(gw.Loss(-(normalised(x) @ weights("head", 32, 50)).log_softmax(-1)[:, 0].mean(), name="loss"))


# Bounds, by their formulas

UNIT = 2.0**-53


def bound_of(line: Line, port: str) -> Array:
    run = run_graph(line.graph())
    return RunningErrors(run.results).of(run.lowered.ports[PortName(*f"main/{port}".split("."))])


def pair() -> Line:
    """Returns two tensors, of which the second is rounded once, by half a unit of its numbers."""
    return x([1.0, -3.0]).source("w", [0.5, 8.0]).source("v", [2.0, 0.25]).on("w.y").then("r", "Multiply", "v.y")


R = np.array([1.0, 2.0]) * UNIT
BOUNDS: dict[str, tuple[Line, str, Any]] = {
    "a source": (pair(), "x.y", 0),
    "a rounding": (pair(), "r.z", R),
    "a sum": (pair().then("a", "Add", "x.y"), "a.z", np.abs([2.0, -1.0]) * UNIT + R),
    "a product": (pair().then("m", "Multiply", "x.y"), "m.z", np.abs([1.0, -6.0]) * UNIT + np.array([1, 3]) * R),
    "what is moved": (pair().then("t", "Reverse", axis=[0]), "t.y", R[::-1]),
    "a function": (pair().then("e", "Exp"), "e.y", np.exp([1.0, 2.0]) * (2 * UNIT + R)),
    "the sum of two": (pair().then("s", "ReduceSum"), "s.y", 2 * 3 * UNIT + R.sum()),
    "the mean of two": (pair().then("s", "ReduceMean"), "s.y", (2 + 2) * 1.5 * UNIT + R.mean()),
    "a maximum": (pair().then("s", "ReduceMax"), "s.y", R[1]),
    "a product of rows": (
        pair().then("row", "Reshape", shape=[1, 2]).on("x.y").then("column", "Reshape", shape=[2, 1])
        .on("row.y").then("m", "MatMul", "column.y"),
        "m.product", [[(2 + 1) * (1 * 1 + 2 * 3) * UNIT + 1 * R[0] + 3 * R[1]]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_has_the_roundings_of_a_step_and_what_comes_with_its_inputs(name: str) -> None:
    line, port, expected = BOUNDS[name]
    np.testing.assert_allclose(bound_of(line, port), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "shapes", "parameters", "count"),
    [
        ("ReduceSum", [(9,)], {}, 9),
        ("ReduceSum", [(16,)], {}, 16),
        ("ReduceSum", [(100,)], {}, 4 * 10),
        ("ReduceSum", [(3, 5)], {"axis": [0]}, 3),
        ("ReduceMean", [(3, 5)], {"axis": [1]}, 5),
        ("ReduceSum", [(0,)], {}, 1),
        ("MatMul", [(2, 6), (6, 3)], {}, 6 + 1),
        ("MatMul", [(2, 400), (400, 3)], {}, 4 * 20 + 1),
    ],
)
def test_a_long_sum_counts_four_deviations_of_its_roundings(
    kind: str, shapes: list[tuple[int, ...]], parameters: dict[str, Any], count: float
) -> None:
    arrays = [np.full(shape, 7.0) for shape in shapes]
    application = library[kind].apply([constant(item) for item in arrays], library[kind].normalize(parameters))
    assert count_of_roundings(application, arrays) == pytest.approx(count)


@pytest.mark.parametrize(
    ("outputs", "chosen"),
    [([3.0, -1.0], True), ([0.0, -3.0], True), ([2.0, 1.0], True), ([3.0, 1.5], False), ([4.0], False), ([], True)],
)
def test_numbers_are_chosen_that_an_input_has_up_to_signs_or_zeros(outputs: list[float], chosen: bool) -> None:
    inputs = [np.array([1.0, -3.0]), None, np.array([7, 9]), np.array([[2.0]])]
    assert are_chosen([np.array(outputs)], inputs) is chosen
    assert are_chosen([np.array([5]), np.array(outputs)], inputs) is chosen


def last_sum_of(line: Line, port: str) -> Array:
    run = run_graph(line.graph())
    return RunningErrors(run.results).of_last_sum(run.lowered.ports[PortName(*f"main/{port}".split("."))])


def test_a_last_sum_has_the_roundings_of_its_terms() -> None:
    two = x([1.0, -3.0]).source("w", [0.5, 8.0])
    np.testing.assert_allclose(last_sum_of(two.then("a", "Subtract", "w.y"), "a.z"), UNIT * np.array([1.5, 11.0]))
    np.testing.assert_allclose(last_sum_of(two.then("t", "Reverse", axis=[0]), "t.y"), UNIT * np.array([11.0, 1.5]))
    np.testing.assert_allclose(last_sum_of(two.on("w.y").then("s", "ReduceSum"), "s.y"), 2 * UNIT * 8.5)
    for kind, port in (("Exp", "y"), ("Negative", "y")):
        assert not last_sum_of(two.on("x.y").then("f", kind), f"f.{port}").any()
        two.blocks.pop()
        two.wires.pop()
    assert not last_sum_of(two, "x.y").any()
