"""Arithmetic of two tensors, element by element with broadcasting."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gradwire.engine.base.errors import MissingInputError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.spelling import Spelling


@block(
    "Arithmetic",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x + y",
    gradient_formula=r"\bar x = \bar z,\quad \bar y = \bar z",
    spelling=Spelling(*["{x} + {y}"] * 4),
    is_arithmetic=True,
)
def Add(x: Array, y: Array) -> Array:
    """The sum of two tensors; a repeated input receives the gradient summed over the repeated axes."""
    return x + y


@Add.gradient
def add_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, g


@block(
    "Arithmetic",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x - y",
    gradient_formula=r"\bar x = \bar z,\quad \bar y = -\bar z",
    spelling=Spelling(*["{x} - {y}"] * 4),
    is_arithmetic=True,
)
def Subtract(x: Array, y: Array) -> Array:
    """The difference of two tensors."""
    return x - y


@Subtract.gradient
def subtract_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, -g


@block(
    "Arithmetic",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x\,y",
    gradient_formula=r"\bar x = y\,\bar z,\quad \bar y = x\,\bar z",
    spelling=Spelling(*["{x} * {y}"] * 4),
    is_arithmetic=True,
)
def Multiply(x: Array, y: Array) -> Array:
    """The product of two tensors, element by element."""
    return x * y


@Multiply.gradient
def multiply_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g * y, g * x


def _quotient(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    dtype = x.dtype if x.is_differentiable else np.dtype(np.float64)
    return TensorSpec(broadcast_shapes((x.shape, y.shape)), dtype)


@block(
    "Arithmetic",
    infer=_quotient,
    by_element=True,
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x / y",
    gradient_formula=r"\bar x = \bar z / y,\quad \bar y = -\bar z \cdot x / y^2",
    spelling=Spelling(*["{x} / {y}"] * 4),
    is_arithmetic=True,
)
def Divide(x: Array, y: Array) -> Array:
    """The quotient of two tensors; integers give float64.

    Division by zero gives infinity, and zero by zero gives NaN; where y is 0 the gradient of y is NaN or infinite, even
    if the incoming gradient is 0.
    """
    quotient = np.true_divide(x, y)
    return quotient if x.dtype.kind == "f" else quotient.astype(np.float64)


@Divide.gradient
def divide_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g / y, g * ((-x / y) / y)


@block(
    "Arithmetic",
    accepts=NUMBER,
    formula=r"y = -x",
    gradient_formula=r"\bar x = -\bar y",
    only_moves_data=True,
    spelling=Spelling(*["-{x}"] * 4),
)
def Negative(x: Array) -> Array:
    """Each element with the opposite sign."""
    return np.negative(x)


@Negative.gradient
def negative_gradient(g: Any, x: Any, y: Any) -> Any:
    return -g


def _equal_shapes(*values: TensorSpec) -> TensorSpec:
    if not values:
        raise MissingInputError("AddN needs at least one tensor to add")
    for index, spec in enumerate(values):
        if spec.shape != values[0].shape:
            raise ShapeError(f"values_0 has shape {list(values[0].shape)} but values_{index} has {list(spec.shape)}")
    return values[0]


def _added(values: list[str]) -> str:
    """sum([{values}]), from the first value on"""
    return f"({' + '.join(values)})"


@block(
    "Arithmetic",
    infer=_equal_shapes,
    outputs=("z",),
    accepts=NUMBER,
    sums_products=True,
    formula=r"z = \sum_i v_i",
    gradient_formula=r"\bar v_i = \bar z",
    spelling=Spelling(_added, "tf.add_n([{values}])", _added, _added),
)
def AddN(*values: Array) -> Array:
    """The sum of any number of tensors of one shape; unlike Add it repeats nothing.

    Each receives the whole gradient.
    """
    return functools.reduce(np.add, values)


@AddN.gradient
def add_n_gradient(g: Any, values: Any, z: Any) -> Any:
    return [g] * len(values)
