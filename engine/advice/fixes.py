"""Edits from which fixes are made. New blocks have no place; the window assigns one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Graph, Port, Wire
from gradwire.engine.graph.lookup import block_of, page_of

EPSILON = 1e-12


class Sketch:
    """Builder of an edited graph: adds blocks to one page and connects their ports."""

    def __init__(self, graph: Graph, page: str) -> None:
        self.graph, self._page = graph, page

    def add(self, type_name: str, *sources: Port, **parameters: object) -> Port:
        """Adds a block with these ports wired to its inputs in order; returns its first output."""
        self.graph, block_id = edits.add_block(self.graph, self._page, type_name, parameters=parameters)
        block_type = library[type_name]
        for name, source in zip(block_type.input_names(len(sources)), sources, strict=False):
            self.connect(source, Port(block_id, name))
        return Port(block_id, block_type.output_names(1)[0])

    def constant(self, number: float, dtype: str) -> Port:
        """Adds a scalar constant and returns its output."""
        return self.add("Constant", value=np.array(number, dtype))

    def connect(self, source: Port, target: Port) -> None:
        """Connects two ports, replacing any wire that ended there."""
        self.graph = edits.connect(self.graph, self._page, source, target)

    def source(self, target: Port) -> Port:
        """Returns the port that is wired to an input.

        Raises: EditError if there is none.
        """
        wire = page_of(self.graph, self._page).wires.get(target)
        if wire is None:
            raise EditError(f"There is no wire to {target} any more.")
        return wire.source

    def wires_from(self, port: Port) -> list[Wire]:
        """Returns the current wires from a port."""
        return list(page_of(self.graph, self._page).wires_from(port))

    def move(self, wires: Iterable[Wire], source: Port) -> None:
        """Moves the sources of wires to another port."""
        for wire in wires:
            self.connect(source, wire.target)

    def drop_dead(self, block_id: str) -> None:
        """Removes a block that nothing uses, and then those that fed it alone; sources of data and variables stay."""
        waiting = [block_id]
        while waiting:
            page, dead = page_of(self.graph, self._page), waiting.pop()
            is_source = not any(target.block == dead for target in page.wires)
            is_used = any(wire.source.block == dead for wire in page.wires.values())
            if dead in page.blocks and not is_used and (not is_source or page.blocks[dead].type == "Constant"):
                waiting += {wire.source.block for wire in page.wires.values() if wire.target.block == dead}
                self.graph = edits.remove_blocks(self.graph, self._page, [dead])

    def drop_unused(self, *ids: str) -> None:
        """Removes those of some blocks that nothing uses, with the constants that only they used."""
        page = page_of(self.graph, self._page)
        fed = (wire.source.block for wire in page.wires.values() if wire.target.block in ids)
        left = list(dict.fromkeys([*ids, *(item for item in fed if page.blocks[item].type == "Constant")]))
        while left:
            page = page_of(self.graph, self._page)
            used = {wire.source.block for wire in page.wires.values()}
            idle = [block_id for block_id in left if block_id in page.blocks and block_id not in used]
            if not idle:
                break
            self.graph = edits.remove_blocks(self.graph, self._page, idle)
            left = [block_id for block_id in left if block_id not in idle]


def stop_wires(graph: Graph, page: str, targets: tuple[Port, ...]) -> Graph:
    """Returns the graph with a StopGradient before some input ports, one for all that read the same tensor."""
    sketch = Sketch(graph, page)
    stops: dict[Port, Port] = {}
    for target in targets:
        source = sketch.source(target)
        if source not in stops:
            stops[source] = sketch.add("StopGradient", source)
        sketch.connect(stops[source], target)
    return sketch.graph


def stop_port(graph: Graph, page: str, source: Port) -> Graph:
    """Returns the graph with a StopGradient after an output port, for all its readers."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(source)
    sketch.move(wires, sketch.add("StopGradient", source))
    return sketch.graph


def insert(graph: Graph, page: str, target: Port, type_name: str, parameters: Mapping[str, object]) -> Graph:
    """Returns the graph with a block before an input port."""
    sketch = Sketch(graph, page)
    sketch.connect(sketch.add(type_name, sketch.source(target), **parameters), target)
    return sketch.graph


def add_loss(graph: Graph, page: str, source: Port) -> Graph:
    """Returns the graph with a Loss after an output port."""
    sketch = Sketch(graph, page)
    sketch.add("Loss", source)
    return sketch.graph


def dissolve(graph: Graph, page: str, block_id: str) -> Graph:
    """Returns the graph without a block, its neighbours joined."""
    return wire_edits.dissolve_blocks(graph, page, block_id)[0]


def dissolve_all(graph: Graph, page: str, ids: tuple[str, ...]) -> Graph:
    """Returns the graph without several blocks, the neighbours of each joined."""
    for block_id in ids:
        graph = dissolve(graph, page, block_id)
    return graph


def bypass_block(graph: Graph, page: str, target: Port, output: Port) -> Graph:
    """Returns the graph with the source of one input in place of a block's output."""
    sketch = Sketch(graph, page)
    sketch.move(sketch.wires_from(output), sketch.source(target))
    sketch.drop_unused(output.block)
    return sketch.graph


def as_sigmoid(graph: Graph, page: str, softmax: str) -> Graph:
    """Returns the graph with a sigmoid in place of a softmax over one element."""
    sketch = Sketch(graph, page)
    sketch.move(sketch.wires_from(Port(softmax, "y")), sketch.add("Sigmoid", sketch.source(Port(softmax, "x"))))
    sketch.drop_unused(softmax)
    return sketch.graph


def as_log_softmax(graph: Graph, page: str, softmax: str, log: str, axis: int) -> Graph:
    """Returns the graph with LogSoftmax in place of the logarithm of a softmax."""
    return _fused(graph, page, "LogSoftmax", softmax, log, axis=axis)


def as_log_sigmoid(graph: Graph, page: str, sigmoid: str, log: str) -> Graph:
    """Returns the graph with LogSigmoid in place of the logarithm of a sigmoid."""
    return _fused(graph, page, "LogSigmoid", sigmoid, log)


def _fused(graph: Graph, page: str, type_name: str, inner: str, outer: str, **parameters: object) -> Graph:
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(outer, "y"))
    fused = sketch.add(type_name, sketch.source(Port(inner, "x")), **parameters)
    sketch.move(wires, fused)
    sketch.drop_unused(outer, inner)
    return sketch.graph


def as_log_one_minus_sigmoid(graph: Graph, page: str, sigmoid: str, rest: str, log: str) -> Graph:
    """Returns the graph with LogSigmoid of the negative in place of the logarithm of 1 minus a sigmoid."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(log, "y"))
    negative = sketch.add("Negative", sketch.source(Port(sigmoid, "x")))
    sketch.move(wires, sketch.add("LogSigmoid", negative))
    sketch.drop_unused(log, rest, sigmoid)
    return sketch.graph


def as_cross_entropy(graph: Graph, page: str, total: str, labels: Port, sigmoid: str, idle: tuple[str, ...]) -> Graph:
    """Returns the graph with -SigmoidCrossEntropyWithLogits in place of `y log p + (1 - y) log (1 - p)`."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(total, "z"))
    logits = sketch.source(Port(sigmoid, "x"))
    loss = sketch.add("SigmoidCrossEntropyWithLogits", sketch.source(labels), logits)
    sketch.move(wires, sketch.add("Negative", loss))
    sketch.drop_unused(total, *idle, sigmoid)
    return sketch.graph


def as_huber(graph: Graph, page: str, clip: str, square: Port, is_half_sum: bool, dtype: str) -> Graph:
    """Returns the graph with a Huber loss in place of the square of a clipped difference.

    For the difference d and its clipped value q it is q (2 d - q): the square inside the bounds, a line outside.
    """
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(square)
    d, q = sketch.source(Port(clip, "x")), Port(clip, "y")
    whole = sketch.add("Multiply", q, sketch.add("Subtract", sketch.add("Add", d, d), q))
    if is_half_sum:
        whole = sketch.add("Multiply", sketch.add("ReduceSum", whole), sketch.constant(0.5, dtype))
    sketch.move(wires, whole)
    sketch.drop_unused(square.block)
    return sketch.graph


def guard(graph: Graph, page: str, where: str, target: Port, is_chosen: bool, dtype: str, safe: float) -> Graph:
    """Returns the graph with a Where before a dangerous input.

    It replaces the input by a safe number wherever the outer Where chooses the other side.
    """
    sketch = Sketch(graph, page)
    other, x = sketch.constant(safe, dtype), sketch.source(target)
    sides = (x, other) if is_chosen else (other, x)
    sketch.connect(sketch.add("Where", sketch.source(Port(where, "condition")), *sides), target)
    return sketch.graph


def guard_of_factor(graph: Graph, page: str, factor: Port, target: Port, dtype: str, safe: float) -> Graph:
    """Returns the graph with a Where before a dangerous input: a safe number wherever a later factor is 0."""
    sketch = Sketch(graph, page)
    condition = sketch.add("NotEqual", sketch.source(factor), sketch.constant(0.0, dtype))
    sketch.connect(sketch.add("Where", condition, sketch.source(target), sketch.constant(safe, dtype)), target)
    return sketch.graph


def as_xlogy(graph: Graph, page: str, product: str, log: str, slot: Port) -> Graph:
    """Returns the graph with Xlogy in place of a product with a logarithm, which enters it at `slot`."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(product, "z"))
    factor = sketch.source(Port(product, "y" if slot.name == "x" else "x"))
    sketch.move(wires, sketch.add("Xlogy", factor, sketch.source(Port(log, "x"))))
    sketch.drop_unused(product, log)
    return sketch.graph


def as_safe_quotient(graph: Graph, page: str, quotient: str) -> Graph:
    """Returns the graph with DivNoNan, which is 0 where a quotient divides by 0."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(quotient, "z"))
    sketch.move(wires, sketch.add("DivNoNan", *(sketch.source(Port(quotient, name)) for name in ("x", "y"))))
    sketch.drop_unused(quotient)
    return sketch.graph


def add_epsilon(graph: Graph, page: str, target: Port, dtype: str) -> Graph:
    """Returns the graph with a small number added to an input."""
    sketch = Sketch(graph, page)
    sketch.connect(sketch.add("Add", sketch.source(target), sketch.constant(epsilon_of(dtype), dtype)), target)
    return sketch.graph


def clip_below(graph: Graph, page: str, target: Port, dtype: str) -> Graph:
    """Returns the graph with an input clamped to a small positive minimum."""
    sketch = Sketch(graph, page)
    least = sketch.constant(epsilon_of(dtype), dtype)
    sketch.connect(sketch.add("Maximum", sketch.source(target), least), target)
    return sketch.graph


def shift_by_largest(graph: Graph, page: str, exp: str, axis: object) -> Graph:
    """Subtracts the largest element, along the axes of a softmax, before its Exp; a StopGradient keeps it apart."""
    sketch, target = Sketch(graph, page), Port(exp, "x")
    source = sketch.source(target)
    largest = sketch.add("ReduceMax", source, axis=axis, keepdims=axis is not None)
    sketch.connect(sketch.add("Subtract", source, sketch.add("StopGradient", largest)), target)
    return sketch.graph


def epsilon_of(dtype: str) -> float:
    """Returns a small positive number that a dtype can hold: 1e-12, or more if the dtype is narrower."""
    return max(EPSILON, float(np.finfo(dtype).smallest_normal))


def norm_with_epsilon(graph: Graph, page: str, norm: str, axis: object, keepdims: bool, dtype: str) -> Graph:
    """Returns the graph with a Euclidean norm written out, with a small number under the root."""
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(norm, "y"))
    squares = sketch.add("Square", sketch.source(Port(norm, "x")))
    total = sketch.add("ReduceSum", squares, axis=axis, keepdims=keepdims)
    sketch.move(wires, sketch.add("Sqrt", sketch.add("Add", total, sketch.constant(epsilon_of(dtype), dtype))))
    sketch.drop_unused(norm)
    return sketch.graph


def straight_through(graph: Graph, page: str, block_id: str) -> Graph:
    """Returns the graph with a straight-through estimator for a block: x + stopped(y - x)."""
    sketch = Sketch(graph, page)
    y, x = Port(block_id, "y"), sketch.source(Port(block_id, "x"))
    wires = sketch.wires_from(y)
    difference = sketch.add("StopGradient", sketch.add("Subtract", y, x))
    sketch.move(wires, sketch.add("Add", x, difference))
    return sketch.graph


def with_random_values(graph: Graph, page: str, variable: str, inputs: int, outputs: int) -> Graph:
    """Returns the graph with small reproducible random weights in a variable.

    Source: Glorot and Bengio 2010, uniform within sqrt(6 / (inputs + outputs)).
    """
    old = value_of(block_of(page_of(graph, page), variable))
    if old is None:
        raise EditError(f'There is no variable "{variable}" with weights any more.')
    limit = np.sqrt(6 / (inputs + outputs))
    drawn: Array = np.random.default_rng(0).uniform(-limit, limit, old.shape).round(4).astype(old.dtype)
    return edits.set_parameter(graph, page, variable, "value", drawn)


def scaled(graph: Graph, page: str, variables: tuple[str, ...], factor: float) -> Graph:
    """Returns the graph with the numbers of some variables multiplied by a factor."""
    for name in variables:
        old = value_of(block_of(page_of(graph, page), name))
        if old is None:
            raise EditError(f'There is no variable "{name}" with numbers any more.')
        graph = edits.set_parameter(graph, page, name, "value", (old * factor).astype(old.dtype))
    return graph


def bypass(graph: Graph, page: str, target: Port, logits: Port, idle: tuple[str, ...]) -> Graph:
    """Returns the graph with an input wired to the logits of a softmax or sigmoid, not to its probabilities."""
    sketch = Sketch(graph, page)
    sketch.connect(sketch.source(logits), target)
    sketch.drop_unused(*idle)
    return sketch.graph


def as_floorless_log(
    graph: Graph, page: str, log: str, guarded: Port, reader: Port, logits: Port, idle: tuple[str, ...], axis: int
) -> Graph:
    """Returns the graph with LogSoftmax in place of a softmax, whose logarithm had a floor.

    `reader` is the input that reads the softmax, `guarded` the one with the floor.
    """
    sketch = Sketch(graph, page)
    wires = sketch.wires_from(Port(log, "y"))
    sketch.connect(sketch.add("LogSoftmax", sketch.source(logits), axis=axis), reader)
    sketch.move(wires, sketch.source(guarded))
    sketch.drop_unused(log, *idle)
    return sketch.graph


def with_shape(graph: Graph, page: str, target: Port, shape: tuple[int, ...]) -> Graph:
    """Returns the graph with a Reshape before an input port."""
    return insert(graph, page, target, "Reshape", {"shape": list(shape)})


def as_leaky(graph: Graph, page: str, block_id: str, source: Port) -> Graph:
    """Returns the graph with a LeakyRelu in place of a block that is 0 for negative numbers."""
    sketch = Sketch(graph, page)
    output = library[block_of(page_of(graph, page), block_id).type].outputs[0].name
    wires = sketch.wires_from(Port(block_id, output))
    sketch.move(wires, sketch.add("LeakyRelu", sketch.source(source)))
    sketch.drop_unused(block_id)
    return sketch.graph


def as_straight_through(graph: Graph, page: str, output: Port, x: Port, q: Port) -> Graph:
    """Returns the graph with x + stopped(q - x) in place of an output; `x` and `q` are inputs that read them."""
    sketch = Sketch(graph, page)
    wires, source, chosen = sketch.wires_from(output), sketch.source(x), sketch.source(q)
    difference = sketch.add("StopGradient", sketch.add("Subtract", chosen, source))
    sketch.move(wires, sketch.add("Add", source, difference))
    sketch.drop_dead(output.block)
    return sketch.graph
