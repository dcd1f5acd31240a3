"""VJP of one application: the gradient of one input from a gradient at one of its outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import arrange_inputs
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.primitives import SumTo

Values = Callable[[Expression], Array | None]


class PullBack:
    """Cached VJP along edges; paths that meet with the same gradient call a rule once.

    A rule called with arrays computes at once, so nothing before the edge is computed again.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        # Last result of each application's rule, with its arguments; an application may have thousands of inputs.
        self._last: dict[Application, tuple[Expression, Array, _Parts | None]] = {}

    def along(self, edge: Edge, output: Expression, g: Array) -> Array | None:
        """Returns an edge's gradient for `g` at one output of its application and zeros at the others.

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
    """Results of a rule for each input, and the requested ones in the shapes of the inputs."""

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
    """Returns the gradients of all inputs, those of a variadic port one by one."""
    flat: list[object] = []
    for part in made if isinstance(made, tuple) else (made,):
        flat.extend(part) if isinstance(part, list) else flat.append(part)
    return flat
