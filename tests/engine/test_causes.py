"""The root causes of zero gradients: each on graphs where it is one, and on near misses where it is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given

from app.examples import example_names, example_path
from app.results_json import snapshot_json
from engine.cause import Cause
from engine.evaluate import evaluate, run_graph
from engine.expand import PortName
from engine.files import load as load_file
from engine.graph import Block, Graph
from engine.library import library
from engine.snapshot import PortResult, Snapshot, WireResult
from engine.status import Status
from engine.why_zero import Kind, why_zero
from tests.engine.edit_sequences import page_from
from tests.engine.test_statuses import softmax, source
from tests.recorded import graph_of_case, graph_of_recording, load, make_graph, recorded_graphs, recorded_types
from tests.test_laws import graphs, law


@dataclass
class Line:
    """A graph that is being written down block by block; `then` continues from the newest block."""

    blocks: list[Block] = field(default_factory=list)
    wires: list[tuple[str, str]] = field(default_factory=list)
    newest: str = ""

    def source(self, name: str, value: object, kind: str = "Input") -> Line:
        self.blocks.append(source(name, value, kind))
        self.newest = self.newest or f"{name}.y"
        return self

    def then(self, name: str, kind: str, *others: str, at: int = 0, **parameters: object) -> Line:
        """A block whose input number `at` is the newest output; `others` go to the other inputs, in order."""
        block_type = library[kind]
        arriving = [*others[:at], self.newest, *others[at:]]
        self.blocks.append(Block(name, kind, parameters=parameters))
        ports = block_type.input_names(len(arriving))
        self.wires += [(item, f"{name}.{port}") for item, port in zip(arriving, ports, strict=False)]
        self.newest = f"{name}.{block_type.output_names(1)[0]}"
        return self

    def on(self, port: str) -> Line:
        """Goes on from another port."""
        self.newest = port
        return self

    def loss(self, **parameters: object) -> Graph:
        return self.then("loss", "Loss", **parameters).graph()

    def graph(self) -> Graph:
        return make_graph(self.blocks, self.wires)


def x(value: object, kind: str = "Input") -> Line:
    return Line().source("x", value, kind)


def found(graph: Graph, name: str = "main/x.y") -> tuple[str, dict[str, int], str] | None:
    """The cause, its counts and its place of an output port; None where it has no cause."""
    zero = evaluate(graph).port(name).zero
    return None if zero is None else (str(zero.cause), {str(key): n for key, n in zero.details.items()}, zero.at)


def xor(w1: object, w2: object) -> Graph:
    """The network 2-2-1 with tanh on the four points of XOR, biases 0, mean cross entropy."""
    line = x([[0, 0], [0, 1], [1, 0], [1, 1]]).source("labels", [[0], [1], [1], [0]], "Constant")
    for name, value in (("w1", w1), ("b1", [0, 0]), ("w2", w2), ("b2", [0])):
        line.source(name, value, "Variable")
    line.then("m1", "MatMul", "w1.y").then("a1", "Add", "b1.y").then("h", "Tanh")
    line.then("m2", "MatMul", "w2.y").then("a2", "Add", "b2.y")
    return line.then("ce", "SigmoidCrossEntropyWithLogits", "labels.y", at=1).loss(reduction="mean")


FAR = np.array([800.0, -800.0])
SMALL = np.array([1e-30, 1e-30], np.float32)
MASK = np.array([True, False])

NAMED = {
    "cancelled, over a broadcast": (
        x(2).source("c", [3, -3], "Constant").then("m", "Multiply", "c.y").loss(),
        ("cancelled", {"cancelled": 1}, "main/m"),
    ),
    "cancelled, two wires": (
        x([2, 5]).then("n", "Negative").then("a", "Add", "x.y").loss(),
        ("cancelled", {"cancelled": 2}, "main/x"),
    ),
    "cancelled, in the rule of a softmax that is weighted alike": (
        x([1, 2, 3]).then("p", "Softmax").loss(),
        ("cancelled", {"cancelled": 3}, "main/p"),
    ),
    "cancelled, in every row of a softmax": (
        x([[1, 2, 3], [0.3, -1, 5]]).then("p", "Softmax").loss(reduction="mean"),
        ("cancelled", {"cancelled": 6}, "main/p"),
    ),
    "cancelled, behind the softmax": (
        x([1, 2, 3]).then("t", "Tanh").then("p", "Softmax").loss(),
        ("cancelled", {"cancelled": 3}, "main/p"),
    ),
    "cancelled, terms of a product of matrices": (
        x([[1, 2]]).source("w", [[1, -1], [1, 1]], "Constant").then("m", "MatMul", "w.y").loss(),
        ("cancelled", {"cancelled": 1}, "main/m"),
    ),
    "not_selected, left of Relu": (
        x([1, -1]).then("r", "Relu").loss(),
        ("not_selected", {"not_selected": 1}, "main/r"),
    ),
    "not_selected, smaller than the maximum": (
        x([1, 3, 2]).then("m", "ReduceMax").loss(),
        ("not_selected", {"not_selected": 2}, "main/m"),
    ),
    "not_selected, outside the slice": (
        x([1, 3, 2]).then("s", "Slice", begin=[0], size=[1]).loss(),
        ("not_selected", {"not_selected": 2}, "main/s"),
    ),
    "not_selected, not among the largest": (
        x([1, 3, 2]).then("t", "TopK", k=1).loss(),
        ("not_selected", {"not_selected": 2}, "main/t"),
    ),
    "not_selected, not the maximum of its window": (
        x(np.arange(4.0).reshape(1, 4, 1)).then("p", "MaxPool1D", ksize=2, strides=2, padding="VALID").loss(),
        ("not_selected", {"not_selected": 2}, "main/p"),
    ),
    "not_selected, clipped": (
        x([0.5, 3]).source("low", 0, "Constant").source("high", 1, "Constant")
        .then("c", "ClipByValue", "low.y", "high.y").loss(),
        ("not_selected", {"not_selected": 1}, "main/c"),
    ),
    "not_selected, a row that no index takes": (
        x([[1, 2], [3, 4]]).source("i", np.array([1, 1]), "Constant").then("g", "Gather", "i.y").loss(),
        ("not_selected", {"not_selected": 2}, "main/g"),
    ),
    "flat, the sign": (x([1, -2]).then("s", "Sign").loss(), ("flat", {"flat": 2}, "main/s")),
    "flat, before the sign": (
        x([1, -2]).then("e", "Exp").then("s", "Sign").loss(),
        ("flat", {"flat": 2}, "main/s"),
    ),
    "saturated, a logistic function of a large number": (
        x([0, 800]).then("s", "Sigmoid").loss(),
        ("saturated", {"saturated": 1}, "main/s"),
    ),
    "saturated, not yet zero": (x([0, 20]).then("s", "Sigmoid").loss(), ("saturated", {"saturated": 1}, "main/s")),
    "saturated, a hyperbolic tangent": (x(FAR).then("t", "Tanh").loss(), ("saturated", {"saturated": 2}, "main/t")),
    "saturated, a softmax that is sure": (
        x(FAR).source("w", [1, 2], "Constant").then("p", "Softmax").then("m", "Multiply", "w.y").loss(),
        ("saturated", {"saturated": 2}, "main/p"),
    ),
    "saturated, left of Elu": (x([1, -800]).then("e", "Elu").loss(), ("saturated", {"saturated": 1}, "main/e")),
    "zero_factor, the other operand": (
        x([1, 2]).source("w", [0, 3], "Constant").then("m", "Multiply", "w.y").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/m"),
    ),
    "zero_factor, a square before another block": (
        x([0, 1]).then("s", "Square").then("e", "Exp").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/s"),
    ),
    "zero_factor, a square that its own root multiplies": (
        x([0, 1]).then("s", "Square").then("m", "Multiply", "x.y").on("m.z").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/m"),
    ),
    "zero_factor, a product of three": (
        x([0, 0, 2]).then("p", "ReduceProd").loss(),
        ("zero_factor", {"zero_factor": 3}, "main/p"),
    ),
    "zero_factor, weights of the loss": (
        x([1, 2]).source("w", [0, 3], "Constant").then("loss", "Loss", "w.y").graph(),
        ("zero_factor", {"zero_factor": 1}, "main/loss"),
    ),
    "zero_factor, a power before another block": (
        x([0, 1]).source("n", 3, "Constant").then("p", "Pow", "n.y").then("e", "Exp").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/p"),
    ),
    "zero_factor, an exponent": (
        x([2, 2]).source("n", [0, 1], "Constant").then("p", "Pow", "n.y").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/p"),
    ),
    "zero_factor, a tensor times itself before another block": (
        x([0, 1]).then("m", "Multiply", "x.y").then("e", "Exp").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/m"),
    ),
    "zero_factor, a tensor times another that is made of it": (
        x([0, 1]).then("s", "Sin").then("m", "Multiply", "x.y").loss(),
        ("zero_factor", {"zero_factor": 1}, "main/m"),
    ),
    "underflow, far left of the exponential": (
        x([0, -800]).then("e", "Exp").loss(),
        ("underflow", {"underflow": 1}, "main/e"),
    ),
    "underflow, a product of small factors": (
        x(np.array([1, 1], np.float32)).source("w", SMALL, "Constant").then("a", "Multiply", "w.y")
        .then("b", "Multiply", "w.y").loss(),
        ("underflow", {"underflow": 2}, "main/a"),
    ),
    "at_optimum, a sum of squares": (x([0, 1]).then("s", "Square").loss(), ("at_optimum", {"at_optimum": 1}, "main/s")),
    "at_optimum, a tensor times itself": (
        x([0, 1]).then("m", "Multiply", "x.y").loss(),
        ("at_optimum", {"at_optimum": 1}, "main/m"),
    ),
    "at_optimum, a tensor times itself behind a dot": (
        x([0, 1]).then("dot", "Reroute").then("m", "Multiply", "x.y").loss(),
        ("at_optimum", {"at_optimum": 1}, "main/m"),
    ),
    "at_optimum, a power": (
        x([0, 1]).source("n", 2, "Constant").then("p", "Pow", "n.y").loss(),
        ("at_optimum", {"at_optimum": 1}, "main/p"),
    ),
    "at_optimum, the top of a wave": (
        x([0, 1]).then("c", "Cos").loss(),
        ("at_optimum", {"at_optimum": 1}, "main/c"),
    ),
    "at_optimum, weighted and averaged": (
        x([2, 2], "Variable").source("t", [2, 2], "Constant").source("w", [1, 3], "Constant")
        .then("d", "SquaredDifference", "t.y").then("m", "Multiply", "w.y").then("r", "ReduceMean").loss(),
        ("at_optimum", {"at_optimum": 2}, "main/d"),
    ),
    "at_optimum, a cross entropy that fits": (
        x([0, 0]).source("p", [0.5, 0.5], "Constant").then("c", "SigmoidCrossEntropyWithLogits", "p.y", at=1).loss(),
        ("at_optimum", {"at_optimum": 2}, "main/c"),
    ),
    "at_optimum, behind a network": (
        x([1, 2]).source("w", [2, 2], "Variable").then("m", "Multiply", "w.y").source("t", [2, 4])
        .then("e", "MeanSquaredError", "t.y").loss(),
        ("at_optimum", {"at_optimum": 2}, "main/e"),
    ),
    "at_optimum, averaged over what a mask leaves": (
        x([2, 2], "Variable").source("t", [2, 2], "Constant").source("mask", [1, 1], "Constant")
        .then("d", "SquaredDifference", "t.y").then("m", "Multiply", "mask.y").then("s", "ReduceSum")
        .on("mask.y").then("n", "ReduceSum").on("s.y").then("mean", "Divide", "n.y").loss(),
        ("at_optimum", {"at_optimum": 2}, "main/d"),
    ),
    "at_optimum, a huber loss": (
        x([2, 3]).source("t", [2, 3], "Constant").then("h", "Huber", "t.y", at=1).loss(),
        ("at_optimum", {"at_optimum": 2}, "main/h"),
    ),
    "at_optimum, the distance at its kink": (
        x([3]).source("t", [3], "Constant").then("s", "Subtract", "t.y").then("a", "Abs").loss(),
        ("at_optimum", {"at_optimum": 1}, "main/a"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_a_zero_is_named_and_placed(name: str) -> None:
    graph, expected = NAMED[name]
    assert found(graph) == expected


NEAR_MISSES = {
    "cancelled, terms that almost do": x(2).source("c", [3, -2.9], "Constant").then("m", "Multiply", "c.y").loss(),
    "cancelled, wires that almost do": x([2, 5]).source("c", 0.9, "Constant").then("m", "Multiply", "c.y")
    .then("s", "Subtract", "x.y").loss(),
    "cancelled, a softmax that is weighted nearly alike": x([1, 2, 3]).source("w", [1, 1, 1 + 1e-9], "Constant")
    .then("p", "Softmax").then("m", "Multiply", "w.y").loss(),
    "not_selected, right of Relu": x([1, 1e-300]).then("r", "Relu").loss(),
    "not_selected, maxima that tie": x([3, 3]).then("m", "ReduceMax").loss(),
    "not_selected, left of LeakyRelu": x([1, -1]).then("r", "LeakyRelu").loss(),
    "not_selected, sorted": x([3, 1, 2]).then("s", "Sort").loss(),
    "flat, a soft sign": x([1, -2]).then("s", "Softsign").loss(),
    "flat, the size": x([1, -2]).then("s", "Abs").loss(),
    "saturated, a logistic function of a moderate number": x([0, 15]).then("s", "Sigmoid").loss(),
    "saturated, right of Elu": x([1, 800]).then("e", "Elu").loss(),
    "zero_factor, a small factor": x([1, 2]).source("w", [1e-300, 3], "Constant").then("m", "Multiply", "w.y").loss(),
    "zero_factor, a product with one zero, seen from it": x([0]).source("c", [2, 3], "Constant")
    .then("j", "Concat", "c.y", axis=0).then("p", "ReduceProd").loss(),
    "underflow, small factors that float64 holds": x([1, 1]).source("w", SMALL.astype(float), "Constant")
    .then("a", "Multiply", "w.y").then("b", "Multiply", "w.y").loss(),
    "underflow, an exponential that is small": x([0, -700]).then("e", "Exp").loss(),
    "at_optimum, a square off its lowest point": x([1e-100, 1]).then("s", "Square").loss(),
    "at_optimum, a cross entropy that nearly fits": x([1e-9, 0.1]).source("p", [0.5, 0.5], "Constant")
    .then("c", "SigmoidCrossEntropyWithLogits", "p.y", at=1).loss(),
    "blocked, a way beside the stop": x([1, 2]).then("s", "StopGradient").then("m", "Multiply", "x.y").loss(),
    "blocked, a stop on the other operand": x([1, 2]).source("c", [3, 4]).then("s", "StopGradient")
    .on("c.y").then("t", "StopGradient").on("x.y").then("m", "Multiply", "t.y").loss(),
    "non_differentiable, past the rounding": x([1.5, -1]).then("f", "Round").then("d", "Subtract", "x.y")
    .then("s", "StopGradient").then("a", "Add", "x.y").loss(),
    "non_differentiable, a cast to another float": x([1.5, -1]).then("c", "Cast", dtype="float32").loss(),
    "no_path, by one of two ways": x([1, 2]).then("e", "Exp").on("x.y").then("s", "Sin").loss(),
    "no_path, by way of the weights of the loss": x([1, 2]).source("c", [1, 2])
    .on("c.y").then("loss", "Loss", "x.y").graph(),
    "no_gradient_dtype, in single precision": x(np.array([1, 2], np.float32)).then("e", "Exp").loss(),
    "no_gradient_dtype, in half precision": x(np.array([1, 2], np.float16)).then("e", "Exp").loss(),
}  # fmt: skip


def test_every_cause_has_two_graphs_where_it_is_named_and_two_near_misses() -> None:
    """GRADIENTS 2: the eleven reasons why a gradient can be zero."""
    cuts = [Status.BLOCKED, Status.NO_PATH, Status.NON_DIFFERENTIABLE, Status.NO_GRADIENT_DTYPE]
    named = Counter(name.partition(",")[0] for name in [*NAMED, *OTHER_STATUSES])
    missed = Counter(name.partition(",")[0] for name in NEAR_MISSES)
    assert named.keys() == missed.keys() == {*map(str, Cause), *map(str, cuts)} == eleven_columns().keys()
    assert min(named.values()) >= 2 and min(missed.values()) >= 2
    assert all(expected[0] == name.partition(",")[0] for name, (_, expected) in NAMED.items())


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_gradient_that_flows_everywhere_has_no_cause(name: str) -> None:
    port = evaluate(NEAR_MISSES[name]).port("main/x.y")
    assert (port.status, port.zero) == ("flow", None)


OTHER_STATUSES = {
    "blocked": x([1, -1]).then("s", "StopGradient").loss(),
    "blocked, further on": x([1, -1]).then("r", "Relu").then("s", "StopGradient").then("e", "Exp").loss(),
    "non_differentiable": x([1, -1]).then("f", "Floor").loss(),
    "non_differentiable, further on": x([1, -1]).then("r", "Relu").then("f", "Round").loss(),
    "no_path": x([1, -1]).then("r", "Relu").graph(),
    "no_path, beside the loss": x([1, 0]).source("c", [1, 2]).then("e", "Exp").on("c.y").loss(),
    "no_gradient_dtype": x(np.array([1, 0])).then("a", "Abs").graph(),
    "no_gradient_dtype, of a boolean": x(np.array([True, False])).then("n", "LogicalNot").graph(),
}


@pytest.mark.parametrize("name", OTHER_STATUSES)
def test_what_structure_decides_has_no_cause(name: str) -> None:
    port = evaluate(OTHER_STATUSES[name]).port("main/x.y")
    assert (port.status, port.zero) == (name.partition(",")[0], None)


@pytest.mark.parametrize("kind", ["StopGradient", "Floor"])
def test_a_zero_beside_a_cut_way_keeps_its_cause(kind: str) -> None:
    graph = x([0, 1]).then("cut", kind).then("m", "Multiply", "x.y").loss()
    assert found(graph) == ("zero_factor", {"zero_factor": 1}, "main/m")


def test_the_branch_that_where_does_not_choose_gets_nothing() -> None:
    line = x([1, 3]).source("c", MASK, "Constant").source("z", [5, 5])
    graph = line.then("w", "Where", "c.y", "z.y", at=1).loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/w")
    assert found(graph, "main/z.y") == ("not_selected", {"not_selected": 1}, "main/w")


def test_a_loser_behind_a_zero_is_put_down_to_the_zero() -> None:
    graph = x([-1, 2]).then("r", "Relu").source("w", [0, 0], "Constant").then("m", "Multiply", "w.y").loss()
    assert found(graph) == ("zero_factor", {"zero_factor": 2}, "main/m")


def test_mixed_zeros_are_counted_and_the_most_frequent_names_the_cause() -> None:
    line = x([-1, -2, 5, 1]).then("r", "Relu").source("w", [1, 1, 0, 1], "Constant").then("m", "Multiply", "w.y")
    assert found(line.loss()) == ("not_selected", {"not_selected": 2, "zero_factor": 1}, "main/r")


def test_of_equally_many_the_first_in_the_table_names_the_cause() -> None:
    line = x([-1, 5]).then("r", "Relu").source("w", [1, 0], "Constant").then("m", "Multiply", "w.y")
    assert found(line.loss()) == ("not_selected", {"not_selected": 1, "zero_factor": 1}, "main/r")


def test_stable_softmax_without_stop_cancels_in_the_subtraction() -> None:
    """GRADIENTS gallery 2: the sum down of the broadcast, at the block that repeats the maximum."""
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=False))
    for ends in (("main/x.y", "main/m.x"), ("main/m.y", "main/z.y")):
        zero = snapshot.wire(*ends).zero
        assert zero is not None
        assert (zero.cause, zero.at) == ("cancelled", "main/z")


def test_zero_weights_stop_a_network_for_three_reasons() -> None:
    """GRADIENTS gallery 6: everything is zero, above the second layer, in it, and over the batch."""
    snapshot = evaluate(xor(np.zeros((2, 2)), np.zeros((2, 1))))
    causes = {name: snapshot.port(f"main/{name}.y").zero for name in ("w1", "b1", "w2", "b2")}
    named = {name: (str(zero.cause), zero.at) for name, zero in causes.items() if zero is not None}
    above = ("zero_factor", "main/m2")
    assert named == {"w1": above, "b1": above, "w2": above, "b2": ("cancelled", "main/a2")}


def test_a_network_with_small_weights_has_no_zeros() -> None:
    snapshot = evaluate(xor([[0.5, -0.4], [0.3, 0.6]], [[0.7], [-0.8]]))
    assert {snapshot.port(f"main/{name}.y").status for name in ("w1", "b1", "w2", "b2")} == {"flow"}


def sigmoids(count: int, dtype: str) -> Graph:
    line = x(np.array(0.5, dtype))
    for index in range(count):
        line.then(f"s{index}", "Sigmoid")
    return line.loss()


def test_eighty_sigmoids_underflow_in_float32_alone() -> None:
    """GRADIENTS gallery 18: the true gradient is 1.4281e-52."""
    single, double = found(sigmoids(80, "float32")), evaluate(sigmoids(80, "float64")).port("main/x.y")
    assert single is not None
    assert single[:2] == ("underflow", {"underflow": 1})
    assert (double.status, double.zero) == ("flow", None)
    np.testing.assert_allclose(double.gradient, 1.4281e-52, rtol=1e-4)


def eleven_columns() -> dict[str, Line]:
    """A column for every reason why a gradient can be zero."""
    return {
        "blocked": x([1, 2]).then("f", "StopGradient"),
        "no_path": x([1, 2]).then("f", "Exp"),
        "non_differentiable": x([1.5, 2]).then("f", "Floor"),
        "flat": x([1, 2]).then("f", "Sign"),
        "not_selected": x([-1, -2]).then("f", "Relu"),
        "saturated": x([50, 60]).then("f", "Sigmoid"),
        "zero_factor": x([1, 2]).then("f", "Multiply", "zero.y"),
        "cancelled": x([1, 2]).then("n", "Negative").then("f", "Add", "x.y"),
        "underflow": x([-800, -900]).then("f", "Exp"),
        "at_optimum": x([2, 2]).then("f", "SquaredDifference", "two.y"),
        "no_gradient_dtype": x(np.array([1, 2])).then("f", "Cast", dtype="float64"),
    }


def eleven_zeros() -> Graph:
    """GRADIENTS gallery 24: all columns in one graph, one loss for each."""
    blocks: list[Block] = [source("two", [2, 2], "Constant"), source("zero", [0, 0], "Constant")]
    wires: list[tuple[str, str]] = []
    for name, column in eleven_columns().items():
        if name != "no_path":
            column.loss()
        own = {block.id for block in column.blocks}
        blocks += [Block(f"{name}_{item.id}", item.type, parameters=item.parameters) for item in column.blocks]
        ends = [[f"{name}_{end}" if end.split(".")[0] in own else end for end in pair] for pair in column.wires]
        wires += [(start, end) for start, end in ends]
    return make_graph(blocks, wires)


def test_eleven_zeros_have_eleven_names() -> None:
    snapshot = evaluate(eleven_zeros())
    named = {}
    for name, port in snapshot.ports.items():
        if name.path.endswith("_x"):
            named[name.path.removeprefix("main/").removesuffix("_x")] = str(
                port.zero.cause if port.zero else port.status
            )
            assert port.gradient is None or not port.gradient.any()
    assert named == {name: name for name in named}
    assert len(named) == 11


def test_a_row_of_softmax_that_all_of_the_loss_weighs_equally_cancels() -> None:
    zero = evaluate(x([0, 0]).then("p", "Softmax").loss()).port("main/x.y").zero
    assert zero is not None
    assert (zero.cause, zero.at) == ("cancelled", "main/p")


def test_the_derivative_in_a_gradients_block_has_the_place_of_that_block() -> None:
    line = x([0, 1]).then("s", "Square").then("q", "Square").then("d", "Gradients", "x.y")
    zero = evaluate(line.loss()).port("main/x.y").zero
    assert zero is not None
    assert zero.at == "main/d"


def positive_part(*, is_muted: bool = False) -> Graph:
    """A page that gives the positive part of what comes in, used once by the page main."""
    inside = [Block("start", "PageInput", parameters={"name": "in"}), Block("r", "Relu", is_muted=is_muted)]
    inside.append(Block("end", "PageOutput", parameters={"name": "out"}))
    used = page_from("half", inside, ("start.y", "r.x"), ("r.y", "end.x"))
    outside = [source("x", [-1, 2]), Block("use", "Page", parameters={"page": "half"}), Block("loss", "Loss")]
    return Graph(pages=(page_from("main", outside, ("x.y", "use.in"), ("use.out", "loss.x")), used))


def test_a_zero_inside_a_page_has_the_place_of_that_use() -> None:
    assert found(positive_part()) == ("not_selected", {"not_selected": 1}, "main/use/r")
    chain = why_zero(run_graph(positive_part()), PortName("main/x", "y"))
    assert (chain[-1].kind, chain[-1].at) == (Kind.NOT_SELECTED, ("main/use/r",))


def test_a_muted_block_makes_no_zeros() -> None:
    port = evaluate(positive_part(is_muted=True)).port("main/x.y")
    assert (port.status, port.zero) == ("flow", None)


def test_a_dot_on_a_wire_changes_no_cause() -> None:
    graph = x([-1, 2]).then("dot", "Reroute").then("r", "Relu").then("again", "Reroute").loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/r")


def test_a_tie_is_told_with_the_number_of_equals() -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=False))
    tie, none = snapshot.wire("main/x.y", "main/m.x").tie, snapshot.wire("main/x.y", "main/z.x").tie
    assert tie is not None
    assert (tie.at, tie.count, none) == ("main/m", 2, None)
    assert snapshot.port("main/x.y").tie == tie
    assert evaluate(softmax([1, 2, 3], is_stopped=False)).port("main/x.y").tie is None


def ones(*shape: int) -> Line:
    return x(np.ones(shape))


WINDOW = {"ksize": [2], "strides": [1], "padding": "VALID"}
TIES = {
    "of a maximum, all in one": (x([1, 3, 3, 3]).then("b", "ReduceMax"), 3),
    "of minima, by row": (x([[1, 1, 2], [5, 4, 4]]).then("b", "ReduceMin", axis=1), 4),
    "of a pair": (x([1, 2]).source("c", [1, 5]).then("b", "Maximum", "c.y"), 2),
    "of an element that is repeated": (x([1, 1, 2]).source("c", 1).then("b", "Minimum", "c.y"), 3),
    "of a tensor and itself": (x([1, 2]).then("b", "Maximum", "x.y"), 4),
    "at the cut of the greatest": (x([2, 2, 2, 1, 1]).then("b", "TopK", k=1), 3),
    "within the greatest": (x([2, 2, 1, 1]).then("b", "TopK", k=2), 2),
    "of what is sorted": (x([3, 1, 3, 1, 3]).then("b", "Sort"), 5),
    "in each of two windows": (ones(1, 3, 1).then("b", "MaxPool1D", **WINDOW), 4),
    "in a segment": (
        x([2, 2, 1]).source("i", np.array([0, 0, 1]), "Constant").then("b", "SegmentMax", "i.y"), 2
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIES)
def test_the_count_of_a_tie_is_that_of_the_elements_that_have_an_equal(name: str) -> None:
    """GRADIENTS 2: TIE_SPLIT(k) of k equal elements, whether a block shares among them or takes the first."""
    line, count = TIES[name]
    tie = evaluate(line.loss()).port("main/x.y").tie
    assert tie is not None
    assert (tie.at, tie.count) == ("main/b", count)


def test_a_tie_on_a_blocked_wire_shares_nothing_of_the_port() -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=True))
    assert snapshot.wire("main/x.y", "main/m.x").tie is not None
    assert snapshot.port("main/x.y").tie is None


def test_json_tells_cause_place_counts_and_tie() -> None:
    printed = snapshot_json("a.graph", evaluate(softmax([1, 3, 3], is_stopped=False)))
    wires = {(item["from"], item["to"]): item for item in printed["wires"]}  # type: ignore[attr-defined]
    wire = wires["main/x.y", "main/m.x"]
    assert (wire["cause"], wire["cause_at"], wire["details"]) == ("cancelled", "main/z", {"cancelled": 3})
    assert wire["tie"] == {"at": "main/m", "count": 2}
    assert "cause" not in wires["main/z.z", "main/e.x"]
    port = printed["ports"]["main/m.y"]  # type: ignore[index]
    assert (port["status"], port["cause"], port["details"]) == ("zero", "cancelled", {"cancelled": 1})


def results(snapshot: Snapshot) -> list[PortResult | WireResult]:
    return [*snapshot.ports.values(), *snapshot.wires.values()]


def assert_every_zero_is_explained(graph: Graph) -> None:
    """A zero gradient has a cause for every element, a flowing one for every element that is 0, others for none."""
    evaluation = run_graph(graph)
    for result in results(evaluation.snapshot):
        explained = 0 if result.zero is None else sum(result.zero.details.values())
        if result.status is Status.ZERO:
            assert result.gradient is not None
            assert explained == result.gradient.size
        elif result.status is Status.FLOW:
            assert result.gradient is not None
            assert explained >= np.count_nonzero(result.gradient == 0)
        else:
            assert result.zero is None
    for place in [*evaluation.snapshot.ports, *evaluation.snapshot.wires]:
        chain = why_zero(evaluation, place)
        assert [reason.kind.is_root for reason in chain] == [*[False] * (len(chain) - 1), True]
        assert chain[-1].at


@given(graphs())
@law
def test_every_zero_of_a_random_graph_has_a_root(graph: Graph) -> None:
    assert_every_zero_is_explained(graph)


@pytest.mark.parametrize("name", example_names())
def test_every_zero_of_an_example_has_a_root(name: str) -> None:
    assert_every_zero_is_explained(load_file(example_path(name)).graph)


@pytest.mark.parametrize("name", recorded_graphs())
def test_every_zero_of_a_recorded_graph_has_a_root(name: str) -> None:
    assert_every_zero_is_explained(graph_of_recording(load("graphs", name)))


@pytest.mark.parametrize("name", recorded_types())
def test_every_zero_of_a_recorded_case_has_a_root(name: str) -> None:
    for case in load("cases", name)["cases"]:
        assert_every_zero_is_explained(graph_of_case(name, case))


def test_a_chain_of_many_blocks_is_followed_to_its_end() -> None:
    line = x([0.5, -0.5])
    for index in range(3000):
        line.then(f"n{index}", "Negative")
    evaluation = run_graph(line.then("s", "Sign").loss())
    zero = evaluation.snapshot.port("main/x.y").zero
    assert zero is not None
    assert (zero.cause, zero.at) == (Cause.FLAT, "main/s")
    chain = why_zero(evaluation, next(iter(evaluation.snapshot.ports)))
    assert (chain[-1].kind, len(chain)) == (Kind.FLAT, 6002)


def test_an_infinite_divisor_is_a_factor_of_zero() -> None:
    """x / inf: the derivative 1 / inf is 0."""
    line = Line().source("x", [1.0, 2.0]).source("s", np.inf).then("p", "Divide", "s.y").then("loss", "Loss")
    zero = evaluate(line.graph()).wire("main/x.y", "main/p.x").zero
    assert zero is not None and (zero.cause, zero.at) == (Cause.ZERO_FACTOR, "main/p")


def test_a_choice_hands_on_the_zeros_of_what_it_takes_and_names_what_it_leaves() -> None:
    line = x([1, 2, 3]).source("c", 2).source("k", [0, 1, 1], "Constant")
    graph = line.then("m", "Maximum", "c.y").then("p", "Multiply", "k.y").loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/m")
    chosen = x([9, 9, 9]).source("k", [0, 1, 1], "Constant").source("c", [2, 2, 20])
    graph = chosen.then("m", "Maximum", "c.y").then("p", "Multiply", "k.y").loss()
    zero = evaluate(graph).port("main/x.y").zero
    assert zero is not None
    assert zero.details == {Cause.NOT_SELECTED: 1, Cause.ZERO_FACTOR: 1}


def test_factors_that_are_zero_or_too_small_are_told_apart_in_one_step() -> None:
    tiny = np.float32(1e-30)
    line = x(np.ones(3, np.float32)).source("a", np.array([tiny, 0, 1], np.float32), "Constant")
    line.source("b", np.array([tiny, 1, 0], np.float32), "Constant").then("p", "Multiply", "a.y").then(
        "q", "Multiply", "b.y"
    )
    zero = evaluate(line.loss()).port("main/x.y").zero
    assert zero is not None
    assert zero.details == {Cause.UNDERFLOW: 1, Cause.ZERO_FACTOR: 2}
