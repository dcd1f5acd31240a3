"""Comparisons, choices and conversions. Comparisons give bool and pass no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import ANY, BOOLEAN, NUMBER, UNSHARED, Declaration, Dtypes, block
from gradwire.engine.blocktypes.parameters import DtypeName
from gradwire.engine.blocktypes.spelling import Spelling

NO_GRADIENT = r"\text{none: the output does not change with the input}"


def _compares(formula: str, accepts: Dtypes, name: str, torch: str, symbol: str) -> Declaration:
    """Declares a comparison, bool of the common shape; `name` is its function but in PyTorch, whose names are short."""
    calls = (f"{library}({{x}}, {{y}})" for library in (f"tf.{name}", f"torch.{torch}", f"jnp.{name}"))
    return block(
        "Comparison",
        differentiable="never",
        infer=lambda x, y: TensorSpec(broadcast_shapes((x.shape, y.shape)), DTYPES["bool"]),
        outputs=("z",),
        accepts=accepts,
        formula=f"z = [x {formula} y]",
        gradient_formula=NO_GRADIENT,
        spelling=Spelling(f"{{x}} {symbol} {{y}}", *calls),
    )


@_compares("=", ANY, "equal", "eq", "==")
def Equal(x: Array, y: Array) -> Array:
    """The truth of x = y for each pair of elements; NaN equals nothing, not even itself."""
    return np.equal(x, y)


@_compares(r"\ne", ANY, "not_equal", "ne", "!=")
def NotEqual(x: Array, y: Array) -> Array:
    """The truth of x ≠ y for each pair of elements; NaN differs from everything, even itself, and the two zeros are
    equal.
    """
    return np.not_equal(x, y)


@_compares(">", NUMBER, "greater", "gt", ">")
def Greater(x: Array, y: Array) -> Array:
    """Comparison of two elements: true where x is greater than y, false where either is NaN."""
    return np.greater(x, y)


@_compares(r"\ge", NUMBER, "greater_equal", "ge", ">=")
def GreaterEqual(x: Array, y: Array) -> Array:
    """Comparison of two elements: true where x is at least y, false where either is NaN."""
    return np.greater_equal(x, y)


@_compares("<", NUMBER, "less", "lt", "<")
def Less(x: Array, y: Array) -> Array:
    """Comparison of two elements: true where x is less than y, false where either is NaN."""
    return np.less(x, y)


@_compares(r"\le", NUMBER, "less_equal", "le", "<=")
def LessEqual(x: Array, y: Array) -> Array:
    """Comparison of two elements: true where x is at most y, false where either is NaN."""
    return np.less_equal(x, y)


def _chosen(condition: TensorSpec, x: TensorSpec, y: TensorSpec) -> TensorSpec:
    return TensorSpec(broadcast_shapes((condition.shape, x.shape, y.shape)), x.dtype)


@block(
    "Comparison",
    infer=_chosen,
    outputs=("z",),
    accepts={"condition": BOOLEAN, "x": ANY, "y": ANY},
    formula=r"z = c \,?\, x : y",
    gradient_formula=r"\bar x = c \,?\, \bar z : 0,\quad \bar y = c \,?\, 0 : \bar z",
    spelling=Spelling(
        "np.where({condition}, {x}, {y})",
        "tf.where({condition}, {x}, {y})",
        "torch.where({condition}, {x}, {y})",
        "jnp.where({condition}, {x}, {y})",
    ),
)
def Where(condition: Array, x: Array, y: Array) -> Array:
    """The element of x where the condition holds, else that of y.

    The side that is not chosen receives a gradient of exactly 0. If that side's own derivative is infinite, 0 times
    infinity still makes NaN further back: choose a safe input before the dangerous operation as well.

    Also known as select.
    """
    return np.where(condition, x, y)


@Where.gradient
def where_gradient(g: Any, condition: Any, x: Any, y: Any, z: Any) -> Any:
    return None, Where(condition, g, 0), Where(condition, 0, g)


@block(
    "Comparison",
    infer=lambda x, *, dtype: TensorSpec(x.shape, DTYPES[dtype]),
    accepts=UNSHARED,
    formula=r"y = \mathrm{dtype}(x)",
    gradient_formula=r"\bar x = \mathrm{Cast}(\bar y) \text{ between floating-point dtypes, else none}",
    spelling=Spelling("{x}.astype({dtype})", "tf.cast({x}, {dtype})", "{x}.to(torch.{dtype!s})", "{x}.astype({dtype})"),
)
def Cast(x: Array, *, dtype: DtypeName) -> Array:
    """The same values in another dtype. Floating point becomes integer by dropping the fraction.

    No gradient passes to or from integers and bool; NaN becomes true and minus zero false.
    """
    return x.astype(DTYPES[dtype])


@Cast.gradient
def cast_gradient(g: Any, x: Any, y: Any, *, dtype: str) -> Any:
    return Cast(g, dtype=x.dtype.name)


@block(
    "Comparison",
    differentiable="never",
    infer=lambda x: x,
    accepts=ANY,
    formula=r"y = 0",
    gradient_formula=NO_GRADIENT,
    spelling=Spelling("np.zeros_like({x})", "tf.zeros_like({x})", "torch.zeros_like({x})", "jnp.zeros_like({x})"),
)
def ZerosLike(x: Array) -> Array:
    """Zeros of the shape and dtype of the input."""
    return np.zeros_like(x)


@block(
    "Comparison",
    differentiable="never",
    infer=lambda x: x,
    accepts=ANY,
    formula=r"y = 1",
    gradient_formula=NO_GRADIENT,
    spelling=Spelling("np.ones_like({x})", "tf.ones_like({x})", "torch.ones_like({x})", "jnp.ones_like({x})"),
)
def OnesLike(x: Array) -> Array:
    """Ones of the shape and dtype of the input; true for bool."""
    return np.ones_like(x)
