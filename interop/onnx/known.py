"""Numbers of expressions that decide about shapes, computed from the inputs that are given."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.interop.models.tensors import Tensor


class Known:
    """The numbers of expressions, each computed once."""

    def __init__(self) -> None:
        self._results: dict[Application, tuple[Array, ...]] = {}

    def numbers(self, x: Tensor) -> Array:
        """Returns the numbers of a tensor. Cost: one run of what it depends on and was not asked for before."""
        if not isinstance(x, Expression):
            return x
        for application in topological_order([x], self._results):
            given = [None if item is None else self._of(item) for item in application.inputs]
            result = application.type(*given, **application.parameters) if given else application.parameters["value"]
            self._results[application] = result if isinstance(result, tuple) else (np.asarray(result),)
        return self._of(x)

    def _of(self, x: Expression) -> Array:
        return np.asarray(self._results[x.application][x.index])


def depends_on_inputs(x: object) -> bool:
    """Returns whether a tensor would be another one with other inputs."""
    return isinstance(x, Expression) and any(item.type.is_input for item in topological_order([x]))
