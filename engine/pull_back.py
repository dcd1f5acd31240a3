"""One step back along one way: what an application makes, for one input, of a gradient at one of its outputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.block_type import arrange_inputs
from engine.expression import Expression
from engine.gradients import Edge
from engine.primitives import SumTo
from engine.tensor_spec import Array

Values = Callable[[Expression], Array | None]


def pull_back(edge: Edge, output: Expression, g: Array, values: Values) -> Array | None:
    """What comes back along an edge when `g` arrives at one output of its application and nothing at the others.

    A rule called with arrays computes at once, so that nothing before the edge is computed again. None where a value
    that the rule needs is not known.
    """
    application = edge.application
    inputs = [None if item is None else values(item) for item in application.inputs]
    outputs = [values(item) for item in application.outputs]
    known = all(
        array is not None
        for array, item in zip([*inputs, *outputs], [*application.inputs, *application.outputs], strict=True)
        if item is not None
    )
    if not known:
        return None
    with np.errstate(all="ignore"):
        return _pulled(edge, output, g, inputs, outputs)


def _pulled(edge: Edge, output: Expression, g: Array, inputs: list[Array | None], outputs: list[Array | None]) -> Array:
    block_type, source = edge.application.type, edge.application.inputs[edge.slot]
    assert block_type.rule is not None and source is not None, "a gradient has come back along this edge"
    arriving = [
        g if item is output else np.broadcast_to(np.zeros((), item.dtype), item.shape)
        for item in edge.application.outputs
    ]
    is_variadic = any(port.variadic for port in block_type.outputs)
    gs = tuple(arriving) if is_variadic or len(arriving) > 1 else arriving[0]
    ys = [tuple(outputs)] if is_variadic else outputs
    made = block_type.rule(gs, *arrange_inputs(block_type, inputs), *ys, **edge.application.parameters)
    part = np.asarray(_flat(made)[edge.slot])
    if part.shape == source.shape:
        return part
    summed: Array = SumTo(part, shape=source.shape)
    return np.asarray(summed)


def _flat(made: object) -> list[object]:
    """The gradients of all inputs, those of a variadic port one by one."""
    flat: list[object] = []
    for part in made if isinstance(made, tuple) else (made,):
        flat.extend(part) if isinstance(part, list) else flat.append(part)
    return flat
