"""Numbers behind the root of a zero: the factors of a product, or the terms of a sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge, steps_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.tensor_spec import Array, Shape, broadcast_axes
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.causes.zero_roots import ZeroRoots

Index = tuple[int, ...]


@dataclass(frozen=True)
class Factor:
    """Port on which a block's derivative depends; the value is None if no single element corresponds."""

    port: str
    value: float | None


@dataclass(frozen=True)
class Sum:
    """Terms that add up to `rest`: `absolute` is the sum of their sizes, `largest` the greatest if it is known."""

    rest: float
    absolute: float
    largest: float | None

    @property
    def ratio(self) -> float:
        """Relative remainder of the terms."""
        return abs(self.rest) / self.absolute if self.absolute else 0.0


def factors_of(
    root: Root, zeros: ZeroRoots, lowered: Lowered, results: Results, shape: Shape, index: Index
) -> tuple[Factor, ...]:
    """Returns the ports whose values are factors of a root's derivative, with those values at one element.

    Shapes: `shape` is that of the gradient in which `index` is.
    """
    if root.edge is None:
        return ()
    names, found = _names(root.edge.application), {}
    is_mixed = root.step is not None and root.step.type.sums_products
    for leaf in _leaves(root, root.edge, zeros, lowered):
        if leaf in names and (array := results[leaf]) is not None:
            found[names[leaf]] = Factor(names[leaf], _element(array, () if is_mixed else shape, index))
    return tuple(found.values())


def sum_of(root: Root, zeros: ZeroRoots, lowered: Lowered, results: Results) -> Sum | None:
    """Returns the sum of a root of kind `cancelled`, at its first element."""
    if root.edge is None:
        return _sum_of_edges(root, zeros, lowered, results)
    step = root.step
    rest = None if step is None else results[step.outputs[0]]
    terms = () if step is None else zeros.step(step).terms()
    if step is None or rest is None or not terms:
        return None
    index = first(zeros.holding(step.outputs[0], root))
    return Sum(float(rest[index]), float(terms[0][index]), _largest(step, zeros, index))


def first(marks: Array) -> Index:
    """Returns the index of the first element that is marked."""
    return tuple(int(place) for place in np.unravel_index(int(np.argmax(marks)), marks.shape))


def _sum_of_edges(root: Root, zeros: ZeroRoots, lowered: Lowered, results: Results) -> Sum | None:
    assert root.port is not None
    total = lowered.backward.totals[root.port]
    index = first(zeros.holding(total, root))
    parts = [results[lowered.backward.edges[edge]] for edge in zeros.arriving(root.port)]
    sizes = [abs(float(part[index])) for part in parts if part is not None]
    whole = results[total]
    return Sum(float(whole[index]), sum(sizes), max(sizes)) if whole is not None and sizes else None


def _largest(step: Application, zeros: ZeroRoots, index: Index) -> float | None:
    terms = zeros.value(step.inputs[0])
    if step.type is not SumTo or terms is None:
        return None
    shape = step.outputs[0].shape
    return float(np.abs(terms).max(axis=broadcast_axes(shape, terms.shape)).reshape(shape)[index])


def _names(application: Application) -> dict[Expression, str]:
    """Maps expressions to the names of a block's ports; an input that is connected twice has the first name."""
    block_type, inputs, outputs = application.type, application.inputs, application.outputs
    named = [*zip(inputs, block_type.input_names(len(inputs)), strict=True)]
    named += zip(outputs, block_type.output_names(len(outputs)), strict=True)
    names: dict[Expression, str] = {}
    for item, name in named:
        if item is not None:
            names.setdefault(item, name)
    return names


def _leaves(root: Root, edge: Edge, zeros: ZeroRoots, lowered: Lowered) -> list[Expression]:
    """Returns the values from which the factors of a root are computed: those of its step, or of its edge."""
    steps = dict.fromkeys(steps_of(edge, lowered.backward, dict.fromkeys(lowered.backward.order)))
    starts = [item for step in ([root.step] if root.step else steps) for item in step.inputs if item is not None]
    waiting, found = [item for item in starts if not zeros.is_gradient(item)], []
    while waiting:
        item = waiting.pop(0)
        if item.application in steps:
            waiting.extend(before for before in item.application.inputs if before is not None)
        else:
            found.append(item)
    return found


def _element(array: Array, shape: Shape, index: Index) -> float | None:
    """Returns the value for an element of a gradient: the one at its place, or the common value of all."""
    if array.size and (array == array.flat[0]).all():
        return float(array.flat[0])
    if array.ndim <= len(shape) and all(
        own in (1, whole) for own, whole in zip(array.shape[::-1], shape[::-1], strict=False)
    ):
        return float(np.broadcast_to(array, shape)[index])
    return None
