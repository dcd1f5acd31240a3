"""Products and quotients in which a zero wins, whatever the other factor is."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.arithmetic import quotient
from blocks.comparison import Cast, NotEqual
from blocks.elementwise import Square
from engine.block_type import NUMBER, Declaration, Spelling, block
from engine.tensor_spec import Array


def guarded(formula: str, gradient_formula: str, spelling: Spelling) -> Declaration:
    """The declaration of a function of two tensors that is 0 where x is 0."""
    return block(
        "Special functions", outputs=("z",), formula=formula, gradient_formula=gradient_formula, spelling=spelling
    )


def zero_where_zero(x: Array, result: Array) -> Array:
    """The result, but 0 wherever x is 0."""
    return np.where(x == 0, np.zeros((), result.dtype), result)


def _is_nonzero(x: Any) -> Any:
    return Cast(NotEqual(x, 0), dtype=x.dtype.name)


@block(
    "Arithmetic",
    infer=quotient,
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = y = 0 \,?\, 0 : x / y",
    gradient_formula=r"\bar x = y = 0 \,?\, 0 : \bar z / y,\quad \bar y = y = 0 \,?\, 0 : -x\,\bar z / y^2",
    source="tf.math.divide_no_nan",
    spelling=Spelling(
        "np.where({y} == 0, 0, {x} / {y})",
        "tf.math.divide_no_nan({x}, {y})",
        "torch.where({y} == 0, 0, {x} / {y})",
        "jnp.where({y} == 0, 0, {x} / {y})",
    ),
)
def DivNoNan(x: Array, y: Array) -> Array:
    """The quotient of two tensors, but 0 wherever y is 0; both gradients are 0 there. Integers give float64."""
    x, y = (x, y) if x.dtype.kind == "f" else (x.astype(np.float64), y.astype(np.float64))
    return zero_where_zero(y, x / y)


@DivNoNan.gradient
def div_no_nan_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return DivNoNan(g, y), g * DivNoNan(DivNoNan(-x, y), y)


@guarded(
    r"z = x = 0 \,?\, 0 : x / y",
    r"\bar x = x = 0 \,?\, 0 : \bar z / y,\quad \bar y = -x\,\bar z / y^2",
    Spelling(
        "np.where({x} == 0, 0, {x} / {y})",
        "tf.math.xdivy({x}, {y})",
        "torch.where({x} == 0, 0, {x} / {y})",
        "jnp.where({x} == 0, 0, {x} / {y})",
    ),
)
def Xdivy(x: Array, y: Array) -> Array:
    """The quotient of two tensors, but 0 wherever x is 0, whatever y is, NaN too.

    Where x is 0 it gets no gradient, as in TensorFlow, though the slope is 1 / y.
    """
    return zero_where_zero(x, x / y)


@Xdivy.gradient
def xdivy_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g * Xdivy(_is_nonzero(x), y), g * Xdivy(-x, Square(y))


@guarded(
    r"z = x = 0 \,?\, 0 : x \ln y",
    r"\bar x = x = 0 \,?\, 0 : \ln(y)\,\bar z,\quad \bar y = x = 0 \,?\, 0 : x\,\bar z / y",
    Spelling(
        "np.where({x} == 0, 0, {x} * np.log({y}))",
        "tf.math.xlogy({x}, {y})",
        "torch.where({x} == 0, 0, {x} * torch.log({y}))",
        "jnp.where({x} == 0, 0, {x} * jnp.log({y}))",
    ),
)
def Xlogy(x: Array, y: Array) -> Array:
    """The product of x and the logarithm of y, but 0 wherever x is 0: a term of an entropy.

    That holds for every y, also NaN (where SciPy, PyTorch and JAX give NaN), and there neither gets a gradient.
    """
    return zero_where_zero(x, x * np.log(y))


@Xlogy.gradient
def xlogy_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g * Xlogy(_is_nonzero(x), y), g * Xdivy(x, y)


@guarded(
    r"z = x = 0 \,?\, 0 : x \ln(1 + y)",
    r"\bar x = x = 0 \,?\, 0 : \ln(1 + y)\,\bar z,\quad \bar y = x = 0 \,?\, 0 : x\,\bar z / (1 + y)",
    Spelling(
        "np.where({x} == 0, 0, {x} * np.log1p({y}))",
        "tf.math.xlog1py({x}, {y})",
        "torch.where({x} == 0, 0, {x} * torch.log1p({y}))",
        "jnp.where({x} == 0, 0, {x} * jnp.log1p({y}))",
    ),
)
def Xlog1py(x: Array, y: Array) -> Array:
    """The product of x and the logarithm of 1 + y, exact also for a small y, but 0 wherever x is 0.

    That holds for every y, also NaN (where SciPy, PyTorch and JAX give NaN), and there neither gets a gradient.
    """
    return zero_where_zero(x, x * np.log1p(y))


@Xlog1py.gradient
def xlog1py_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g * Xlog1py(_is_nonzero(x), y), g * Xdivy(x, y + 1)
