"""Graphs for every cause of a zero gradient: some where it is the cause, and near misses."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.autodiff.test_statuses import source
from tests.recorded import make_graph


@dataclass
class Line:
    """Builder of a graph, block by block; `then` continues from the newest block."""

    blocks: list[Block] = field(default_factory=list)
    wires: list[tuple[str, str]] = field(default_factory=list)
    newest: str = ""

    def source(self, name: str, value: object, kind: str = "Input") -> Line:
        self.blocks.append(source(name, value, kind))
        self.newest = self.newest or f"{name}.y"
        return self

    def then(self, name: str, kind: str, *others: str, at: int = 0, **parameters: object) -> Line:
        """Adds a block whose input number `at` is the newest output; `others` go to the other inputs, in order."""
        block_type = library[kind]
        arriving = [*others[:at], self.newest, *others[at:]]
        self.blocks.append(Block(name, kind, parameters=parameters))
        ports = block_type.input_names(len(arriving))
        self.wires += [(item, f"{name}.{port}") for item, port in zip(arriving, ports, strict=False)]
        self.newest = f"{name}.{block_type.output_names(1)[0]}"
        return self

    def on(self, port: str) -> Line:
        """Continues from another port."""
        self.newest = port
        return self

    def loss(self, **parameters: object) -> Graph:
        return self.then("loss", "Loss", **parameters).graph()

    def graph(self) -> Graph:
        return make_graph(self.blocks, self.wires)


def applied(kind: str, *inputs: object, **parameters: object) -> Application:
    """Returns an application of a block type to expressions, or to arrays."""
    given = [item if isinstance(item, Expression) else constant(np.asarray(item)) for item in inputs]
    return library[kind].apply(given, library[kind].normalize(parameters))


def x(value: object, kind: str = "Input") -> Line:
    return Line().source("x", value, kind)


def xor(w1: object, w2: object) -> Graph:
    """Returns the network 2-2-1 with tanh on the four points of XOR, biases 0, mean cross entropy."""
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
    "cancelled, in the rule of a logarithm of a softmax, weighted as it is": (
        x([1, 2, 3]).source("w", [0.09003057317038046, 0.24472847105479764, 0.6652409557748218], "Constant")
        .then("p", "LogSoftmax").then("m", "Multiply", "w.y").loss(),
        ("cancelled", {"cancelled": 3}, "main/p"),
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


def sigmoids(count: int, dtype: str) -> Graph:
    line = x(np.array(0.5, dtype))
    for index in range(count):
        line.then(f"s{index}", "Sigmoid")
    return line.loss()


def eleven_columns() -> dict[str, Line]:
    """Returns a column for every cause of a zero gradient."""
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
    """Returns the table of all cases: all columns in one graph, one loss for each."""
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
