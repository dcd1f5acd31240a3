"""Explanation of a NaN gradient that is 0 times an infinite slope: the product at its first element, and its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge, apply_rule, ones
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.evaluation.evaluate import Evaluation

ROWS = 6
Index = tuple[int, ...]


@dataclass(frozen=True)
class ProductRow:
    """Chain rule at one element of a block: its input, the incoming gradient, the slope, and their product."""

    index: Index
    x: float
    incoming: float
    slope: float
    result: float


@dataclass(frozen=True)
class Product:
    """Product 0 × ∞ by which the block `at` makes the gradient of its input `port` NaN.

    `rows` has the first such element, then its neighbours in order, at most `ROWS`; `broken` is the row of the product.
    `count` of `size` elements break. `cause` says why the incoming gradient is 0, and `by` at which block. `source` is
    the port that the input reads; `is_value_finite` says that the block's own output is finite.
    """

    at: str
    port: str
    source: PortName
    broken: ProductRow
    rows: tuple[ProductRow, ...]
    count: int
    size: int
    is_value_finite: bool
    cause: Cause | None = None
    by: str = ""


def infinite_slope(evaluation: Evaluation, place: PortName | Link) -> Product | None:
    """Returns the product that makes the gradient of a wire or port NaN; None if it breaks in another way.

    Cost: the derivative of one elementwise block.
    """
    snapshot = evaluation.snapshot
    found = snapshot.wires.get(place) if isinstance(place, Link) else snapshot.ports.get(place)
    origin = None if found is None else found.origin
    birth = None if origin is None else origin.backward
    if birth is None or not birth.port:
        return None
    target = PortName(birth.at, birth.port)
    edge = evaluation.lowered.edges.get(target)
    source = next((link.source for link in snapshot.wires if link.target == target), None)
    if edge is None or source is None or not edge.application.type.by_element or len(edge.application.outputs) != 1:
        return None
    return _product(evaluation, edge, target, source)


def _product(evaluation: Evaluation, edge: Edge, target: PortName, source: PortName) -> Product | None:
    output = edge.application.outputs[0]
    total = evaluation.lowered.backward.totals.get(output)
    incoming = None if total is None else evaluation.results[total]
    slopes, value = _slopes(evaluation, edge), evaluation.results[output]
    inputs = edge.application.inputs[edge.slot]
    x = None if inputs is None else evaluation.results[inputs]
    if incoming is None or slopes is None or x is None or value is None:
        return None
    broken = (incoming == 0) & np.isinf(slopes)
    if not broken.any():
        return None
    arrays = tuple(np.broadcast_to(array, output.shape) for array in (x, incoming, slopes))
    index = _index(int(np.argmax(broken)), broken.shape)
    cause, by = _cause(evaluation, output, index)
    return Product(
        target.path,
        target.port,
        source,
        _row(arrays, index),
        tuple(_row(arrays, _index(place, broken.shape)) for place in _places(broken)),
        int(broken.sum()),
        broken.size,
        bool(np.isfinite(value).all()),
        cause,
        by,
    )


def _slopes(evaluation: Evaluation, edge: Edge) -> Array | None:
    """Returns the derivative of an elementwise block by one input, in the shape of its output."""
    application = edge.application
    given = [None if item is None else evaluation.results[item] for item in application.inputs]
    arrays = [np.broadcast_to(array, application.outputs[0].shape) for array in given if array is not None]
    if len(arrays) < len(given):
        return None
    specs = [TensorSpec(output.shape, output.dtype) for output in application.outputs]
    alone = Application(application.type, tuple(map(constant, arrays)), application.parameters, specs)
    part = apply_rule(alone, [ones(spec) for spec in specs])[edge.slot]
    with np.errstate(all="ignore"):
        found = None if part is None else run(make_plan([part]))[part]
    return None if found is None else np.broadcast_to(found, application.outputs[0].shape)


def _places(broken: Array) -> range:
    """Returns the flat places of the rows: from the start if the first broken element is among them, else from it."""
    first = int(np.argmax(broken))
    start = 0 if first < ROWS else min(first, broken.size - ROWS)
    return range(start, min(start + ROWS, broken.size))


def _row(arrays: tuple[Array, ...], index: Index) -> ProductRow:
    x, incoming, slope = (float(array[index]) for array in arrays)
    with np.errstate(all="ignore"):
        return ProductRow(index, x, incoming, slope, float(np.multiply(incoming, slope)))


def _cause(evaluation: Evaluation, output: Expression, index: Index) -> tuple[Cause | None, str]:
    """Returns why the incoming gradient is 0 at an element, and the path of the block where it becomes 0."""
    for root in evaluation.zeros.of_total(output):
        if evaluation.zeros.marks(output, root)[index]:
            return root.cause, evaluation.lowered.owners[root.application]
    return None, ""


def _index(place: int, shape: tuple[int, ...]) -> Index:
    return tuple(int(number) for number in np.unravel_index(place, shape))
