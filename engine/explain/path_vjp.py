"""One step back along one way: what an application makes, for one input, of a gradient at one of its outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.block_type import arrange_inputs
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.primitives import SumTo
from engine.tensor_spec import Array

Values = Callable[[Expression], Array | None]


class PullBack:
    """Goes one step back along edges, for many paths that meet: those that arrive alike ask a rule once.

    A rule called with arrays computes at once, so that nothing before the edge is computed again.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        # What the rule of each application made the last time, and of what: it may have thousands of inputs.
        self._last: dict[Application, tuple[Expression, Array, _Parts | None]] = {}

    def along(self, edge: Edge, output: Expression, g: Array) -> Array | None:
        """What comes back along an edge when `g` arrives at one output of its application and nothing at the others.

        None where a value that the rule needs is not known.
        """
        known = self._last.get(edge.application)
        if known is None or known[0] is not output or known[1] is not g:
            known = self._last[edge.application] = output, g, _pulled(edge.application, output, g, self._values)
        parts, source = known[2], edge.application.inputs[edge.slot]
        if parts is None:
            return None
        assert source is not None, "a gradient has come back along this edge"
        if edge.slot not in parts.fitted:
            parts.fitted[edge.slot] = _fitted(parts.made[edge.slot], source)
        return parts.fitted[edge.slot]


class _Parts(NamedTuple):
    """What a rule made for each input, and those of them that have been asked for in the shapes of the inputs."""

    made: list[object]
    fitted: dict[int, Array]


def _pulled(application: Application, output: Expression, g: Array, values: Values) -> _Parts | None:
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
        return _Parts(_made(application, output, g, inputs, outputs), {})


def _made(
    application: Application, output: Expression, g: Array, inputs: list[Array | None], outputs: list[Array | None]
) -> list[object]:
    block_type = application.type
    assert block_type.rule is not None, "a gradient has come back through this application"
    arriving = [
        g if item is output else np.broadcast_to(np.zeros((), item.dtype), item.shape) for item in application.outputs
    ]
    is_variadic = any(port.variadic for port in block_type.outputs)
    gs = tuple(arriving) if is_variadic or len(arriving) > 1 else arriving[0]
    ys = [tuple(outputs)] if is_variadic else outputs
    return _flat(block_type.rule(gs, *arrange_inputs(block_type, inputs), *ys, **application.parameters))


def _fitted(made: object, source: Expression) -> Array:
    part = np.asarray(made)
    if part.shape == source.shape:
        return part
    with np.errstate(all="ignore"):
        summed: Array = SumTo(part, shape=source.shape)
    return np.asarray(summed)


def _flat(made: object) -> list[object]:
    """The gradients of all inputs, those of a variadic port one by one."""
    flat: list[object] = []
    for part in made if isinstance(made, tuple) else (made,):
        flat.extend(part) if isinstance(part, list) else flat.append(part)
    return flat
