"""Parts that layers share: operands as expressions, their Variables with seeds and names, activations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.tensor_spec import Array, Shape, as_array
from gradwire.engine.blocktypes.expression import Expression, topological_order
from gradwire.engine.blocktypes.library import library

Operand = Expression | ArrayLike
Activation = Literal["linear", "relu", "tanh", "sigmoid", "softmax", "gelu", "elu", "selu", "silu", "softplus"]
StartName = Literal["glorot_uniform", "glorot_normal", "he_normal", "orthogonal", "normal", "uniform", "zeros", "ones"]
_BLOCKS = {
    "relu": "Relu",
    "tanh": "Tanh",
    "sigmoid": "Sigmoid",
    "softmax": "Softmax",
    "gelu": "Gelu",
    "elu": "Elu",
    "selu": "Selu",
    "silu": "Silu",
    "softplus": "Softplus",
}


class Weights:
    """Maker of the Variables of one layer. Those that draw numbers get one seed after the other.

    Without a seed the first one is the number of Variables that the inputs depend on, so that layers one behind the
    other begin differently.
    """

    def __init__(self, inputs: Iterable[Expression], seed: int | None, name: str | None) -> None:
        self._inputs, self._name = list(inputs), name
        self._dtype = next((item.dtype for item in self._inputs if item.spec.is_differentiable), np.dtype(np.float64))
        self._bytes = 0
        self._seed = _variables_before(self._inputs) if seed is None else seed

    def variable(self, part: str, shape: Shape, start: str, *, trainable: bool = True) -> Expression:
        """Returns a Variable with a start; its name is that of the layer and of the part.

        Raises: ParameterError if the layer becomes larger than a file.
        """
        self._bytes += math.prod(shape) * np.dtype(np.float64).itemsize
        if self._bytes > LIMITS.tensors_bytes:
            raise ParameterError(f"its weights together may have at most {size_text(LIMITS.tensors_bytes)}")
        settings: dict[str, Any] = {"kind": start}  # Any: a kind, a seed and a dtype
        if self._dtype != np.float64:
            settings["dtype"] = self._dtype.name
        if start not in ("zeros", "ones"):
            settings["seed"] = self.next_seed()
        found: Expression = library["Variable"](
            shape=shape, start=settings, trainable=trainable, name=self.name_of(part)
        )
        return found

    def next_seed(self) -> int:
        """Returns a seed that nothing else of the layer has."""
        self._seed += 1
        return self._seed - 1

    def name_of(self, part: str) -> str | None:
        """Returns the name of a block of the layer; None where the layer has none."""
        return None if self._name is None else f"{self._name}_{part}" if self._name else part


def operand(value: Operand, least: int = 1, name: str = "x") -> Expression:
    """Returns an input of a layer as an expression.

    Raises: ShapeError if it has fewer axes than the layer needs.
    """
    found: Expression = value if isinstance(value, Expression) else library["Constant"](value=as_array(value))
    if found.ndim < least:
        raise ShapeError(f"{name} needs at least {least} axes, not the shape {list(found.shape)}")
    return found


def activated(x: Expression, activation: str) -> Expression:
    """Returns x behind an activation; `linear` is none.

    Raises: ParameterError if there is no such activation.
    """
    if activation == "linear":
        return x
    if activation not in _BLOCKS:
        raise ParameterError(f"activation must be one of {', '.join(get_args(Activation))}, not {activation}")
    found: Expression = library[_BLOCKS[activation]](x)
    return found


def check_counts(**counts: int) -> None:
    """Checks sizes of a layer by their names.

    Raises: ParameterError if one is below 1.
    """
    for name, count in counts.items():
        if count < 1:
            raise ParameterError(f"{name} must be at least 1, not {count}")


def product(x: Expression, kernel: Expression) -> Expression:
    """Returns the product over the last axis of x, which may be a vector, and the first of a matrix."""
    found: Expression = x @ kernel if x.ndim > 1 else library["Tensordot"](x, kernel, axes=1)
    return found


def parts(x: Expression, count: int) -> tuple[Expression, ...]:
    """Returns the last axis of x in equal parts."""
    found: tuple[Expression, ...] = library["Split"](x, num_or_size_splits=count, axis=-1)
    return found


def fixed(value: Array) -> Expression:
    """Returns a Constant."""
    found: Expression = library["Constant"](value=value)
    return found


def _variables_before(inputs: Iterable[Expression]) -> int:
    return sum(application.type.is_variable for application in topological_order(inputs))
