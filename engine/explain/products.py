"""The chain rule at one element of an elementwise block, as a product with numbers: why a gradient is 0 or NaN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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
    """Product by which the block `at` makes the gradient of its input `port`: 0 × ∞ or a slope that breaks it.

    `row` is that of the first such element, `rows` has it and its neighbours in order, at most `ROWS`.
    `count` of `size` elements are like it. `cause` says why the incoming gradient is 0, and `by` at which block.
    `source` is the port that the input reads; `is_value_finite` says that the block's own output is finite.
    """

    at: str
    port: str
    source: PortName
    row: ProductRow
    rows: tuple[ProductRow, ...]
    count: int
    size: int
    is_value_finite: bool
    cause: Cause | None = None
    by: str = ""


def nan_product(evaluation: Evaluation, place: PortName | Link) -> Product | None:
    """Returns the product that breaks the gradient of a wire or port; None if it breaks in another way.

    Cost: the derivative of one elementwise block.
    """
    snapshot = evaluation.snapshot
    found = snapshot.wires.get(place) if isinstance(place, Link) else snapshot.ports.get(place)
    origin = None if found is None else found.origin
    birth = None if origin is None else origin.backward
    if birth is None or not birth.port:
        return None
    target = PortName(birth.at, birth.port)
    source = next((link.source for link in snapshot.wires if link.target == target), None)
    factors = None if source is None else _factors(evaluation, target)
    if source is None or factors is None:
        return None
    broken = (factors.incoming == 0) & np.isinf(factors.slopes)
    if not broken.any():
        broken = np.isfinite(factors.incoming) & np.isinf(factors.slopes)
    return _product(evaluation, factors, Link(source, target), broken, int(np.argmax(broken))) if broken.any() else None


def zero_product(evaluation: Evaluation, link: Link) -> Product | None:
    """Returns the product that makes the gradient of a wire 0, where it is one at each element; else None.

    Its row is where the block's slope withholds most, else where a zero arrives. Cost: the derivative of one
    elementwise block.
    """
    factors = _factors(evaluation, link.target)
    if factors is None or not factors.slopes.size:
        return None
    is_flat = factors.slopes == 0
    if not (is_flat | (factors.incoming == 0)).all():
        return None
    withheld = np.where(is_flat, np.abs(factors.incoming), 0)
    chosen = int(np.argmax(withheld)) if withheld.any() else int(np.argmin(is_flat))
    return _product(evaluation, factors, link, is_flat | ~is_flat, chosen)


class _Factors(NamedTuple):
    edge: Edge
    x: Array
    incoming: Array
    slopes: Array


def _factors(evaluation: Evaluation, target: PortName) -> _Factors | None:
    """Returns what an elementwise block multiplies at an input, in the shape of its output; None for other blocks."""
    edge = evaluation.lowered.edges.get(target)
    if edge is None or not edge.application.type.by_element or len(edge.application.outputs) != 1:
        return None
    output, given = edge.application.outputs[0], edge.application.inputs[edge.slot]
    total = evaluation.lowered.backward.totals.get(output)
    # Where no gradient arrives, 0 does.
    incoming = np.zeros(()) if total is None else evaluation.results[total]
    slopes, x = _slopes(evaluation, edge), None if given is None else evaluation.results[given]
    if incoming is None or slopes is None or x is None:
        return None
    return _Factors(edge, *(np.broadcast_to(array, output.shape) for array in (x, incoming, slopes)))


def _product(evaluation: Evaluation, factors: _Factors, link: Link, like: Array, chosen: int) -> Product | None:
    """Returns the product at an element; `like` it are others."""
    output, arrays = factors.edge.application.outputs[0], factors[1:]
    value = evaluation.results[output]
    if value is None:
        return None
    index = _index(chosen, like.shape)
    cause, by = _cause(evaluation, output, index)
    return Product(
        link.target.path,
        link.target.port,
        link.source,
        _row(arrays, index),
        tuple(_row(arrays, _index(place, like.shape)) for place in _places(chosen, like.size)),
        int(like.sum()),
        like.size,
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
    rule = application.type.rule
    part = None if rule is None else apply_rule(alone, [ones(spec) for spec in specs])[edge.slot]
    with np.errstate(all="ignore"):
        # Without a part, as at a StopGradient, nothing flows.
        found = np.zeros(()) if part is None else run(make_plan([part]))[part]
    return None if found is None else np.broadcast_to(found, application.outputs[0].shape)


def _places(first: int, size: int) -> range:
    """Returns the flat places of the rows: from the start if the chosen element is among them, else from it."""
    start = 0 if first < ROWS else min(first, size - ROWS)
    return range(start, min(start + ROWS, size))


def _row(arrays: tuple[Array, ...], index: Index) -> ProductRow:
    x, incoming, slope = (float(array[index]) for array in arrays)
    with np.errstate(all="ignore"):
        return ProductRow(index, x, incoming, slope, float(np.multiply(incoming, slope)))


def _cause(evaluation: Evaluation, output: Expression, index: Index) -> tuple[Cause | None, str]:
    """Returns why the incoming gradient is 0 at an element, and the path of the block where it becomes 0."""
    is_reached = output in evaluation.lowered.backward.totals
    for root in evaluation.zeros.of_total(output) if is_reached else ():
        if evaluation.zeros.marks(output, root)[index]:
            return root.cause, evaluation.lowered.owners[root.application]
    return None, ""


def _index(place: int, shape: tuple[int, ...]) -> Index:
    return tuple(int(number) for number in np.unravel_index(place, shape))
