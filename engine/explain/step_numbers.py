"""Numbers of one backward step, element by element: incoming gradients, inputs, outgoing gradients."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.back_steps import BackStep, Part

ROWS = 8


@dataclass(frozen=True)
class Column:
    """Some numbers of one tensor under its name: `role` is `arrives`, `value`, `sends`, or `part` of a sum.

    `total` is the sum of the parts, or the L2 norm of an outgoing gradient.
    """

    name: str
    role: str
    numbers: tuple[float, ...]
    total: float | None = None


@dataclass(frozen=True)
class NumberTable:
    """First rows of a step: `rows` names the elements, `size` is their total number."""

    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    size: int


@dataclass(frozen=True)
class _Tensor:
    name: str
    role: str
    array: Array
    total: float | None = None


def number_table(run: Evaluation, step: BackStep, count: int = ROWS) -> NumberTable:
    """Returns the numbers of a step, in common rows if its tensors have elements in common."""
    return _table([*_arriving(step), *_values(run, step.path), *_sent(run, step)], count)


def value_table(run: Evaluation, path: str, count: int = ROWS) -> NumberTable:
    """Returns the numbers of a block in the forward pass: its inputs and its outputs."""
    names = run.lowered.inferred.outputs.get(path, [])
    found = [(name, _value(run, PortName(path, name))) for name in names]
    outputs = [_Tensor(name, "arrives", value) for name, value in found if value is not None]
    return _table([*_values(run, path), *outputs], count)


def _table(tensors: Sequence[_Tensor], count: int) -> NumberTable:
    shape = _common(tensors)
    arrays = [item.array if shape is None else np.broadcast_to(item.array, shape) for item in tensors]
    size = max((array.size for array in arrays), default=0)
    columns = [
        Column(item.name, item.role, tuple(float(number) for number in itertools.islice(array.flat, count)), item.total)
        for item, array in zip(tensors, arrays, strict=True)
    ]
    return NumberTable(_row_names(shape, min(size, count)), tuple(columns), size)


def _arriving(step: BackStep) -> list[_Tensor]:
    return [
        _Tensor(name, "arrives", result.gradient)
        for name, result in step.arrives.items()
        if result.gradient is not None
    ]


def _values(run: Evaluation, path: str) -> list[_Tensor]:
    arrivals = run.lowered.inferred.inputs.get(path, [])
    found = [(item.target.port, _value(run, item.source)) for item in arrivals if item.source is not None]
    return [_Tensor(name, "value", value) for name, value in found if value is not None]


def _value(run: Evaluation, port: PortName) -> Array | None:
    result = run.snapshot.ports.get(port)
    return None if result is None else result.value


def _sent(run: Evaluation, step: BackStep) -> list[_Tensor]:
    return [
        _sent_by(run, part)
        for part in step.parts
        if part.link is not None and part.is_carried and part.gradient is not None
    ]


def _sent_by(run: Evaluation, part: Part) -> _Tensor:
    """Returns the gradient on a wire, or the terms if it is a sum over a broadcast."""
    assert part.link is not None and part.gradient is not None
    name, terms = part.link.target.port, _terms(run, part)
    if terms is not None and part.gradient.size == 1:
        return _Tensor(name, "part", terms, float(part.gradient.reshape(())))
    with np.errstate(all="ignore"):
        return _Tensor(name, "sends", part.gradient, norm_of(part.gradient))


def _terms(run: Evaluation, part: Part) -> Array | None:
    edge = None if part.link is None else run.lowered.edges.get(part.link.target)
    expression = None if edge is None else run.lowered.backward.edges.get(edge)
    if expression is None or expression.application.type is not SumTo:
        return None
    source = expression.application.inputs[0]
    return None if source is None else run.results[source]


def _common(tensors: Sequence[_Tensor]) -> Shape | None:
    """Returns the common elementwise shape of all tensors; None if there is none."""
    outputs: set[Shape] = {item.array.shape for item in tensors if item.role == "arrives"}
    others: set[Shape] = {item.array.shape for item in tensors if item.role != "arrives"}
    larger = {shape for shape in others if math.prod(shape) != 1}
    candidates = [*outputs, *(larger if all(math.prod(shape) == 1 for shape in outputs) else ())]
    ordered: list[Shape] = sorted(candidates, key=math.prod, reverse=True)
    for shape in ordered:
        if all(_fits(other, shape) for other in outputs | others):
            return shape
    return None


def _fits(shape: Shape, into: Shape) -> bool:
    try:
        return bool(np.broadcast_shapes(shape, into) == into)
    except ValueError:
        return False


def _row_names(shape: Shape | None, count: int) -> tuple[str, ...]:
    if shape is None or len(shape) < 2:
        return tuple(map(str, range(count))) if shape != () else ("",) * count
    return tuple(",".join(map(str, np.unravel_index(row, shape))) for row in range(count))
