"""Logic on booleans, tests of numbers, and the reductions that go with them. No gradient passes through any."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.comparison import NO_GRADIENT, compared
from blocks.reduce import reduced, reduced_shape, spelled
from engine.block_type import ANY, BOOLEAN, FLOAT, UNSHARED, Declaration, Dtypes, Spelling, block
from engine.parameters import Axes, DtypeName
from engine.tensor_spec import DTYPES, Array, TensorSpec


def called(numpy: str, tensorflow: str = "", arguments: str = "{x}") -> Spelling:
    """The spelling of a function whose name is the same everywhere but perhaps in TensorFlow."""
    return Spelling(
        f"np.{numpy}({arguments})",
        f"tf.{tensorflow or numpy}({arguments})",
        f"torch.{numpy}({arguments})",
        f"jnp.{numpy}({arguments})",
    )


def decision(formula: str, spelling: Spelling) -> Declaration:
    """The declaration of a logical operation on two tensors of booleans."""
    return block(
        "Comparison",
        infer=compared,
        outputs=("z",),
        accepts=BOOLEAN,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@decision(r"z = x \wedge y", called("logical_and", arguments="{x}, {y}"))
def LogicalAnd(x: Array, y: Array) -> Array:
    """Whether both are true."""
    return np.logical_and(x, y)


@decision(r"z = x \vee y", called("logical_or", arguments="{x}, {y}"))
def LogicalOr(x: Array, y: Array) -> Array:
    """Whether at least one of two is true."""
    return np.logical_or(x, y)


@decision(r"z = x \ne y", called("logical_xor", "math.logical_xor", "{x}, {y}"))
def LogicalXor(x: Array, y: Array) -> Array:
    """Whether exactly one of two is true."""
    return np.logical_xor(x, y)


def trial(formula: str, spelling: Spelling, accepts: Dtypes = FLOAT) -> Declaration:
    """The declaration of a test of each element: bool of the same shape."""
    return block(
        "Comparison",
        infer=lambda x: TensorSpec(x.shape, DTYPES["bool"]),
        accepts=accepts,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@trial(r"y = \neg x", called("logical_not"), BOOLEAN)
def LogicalNot(x: Array) -> Array:
    """True for false and false for true."""
    return np.logical_not(x)


@trial(r"y = [x \text{ is not a number}]", called("isnan", "math.is_nan"))
def IsNan(x: Array) -> Array:
    """Whether an element is NaN, the only number that does not equal itself."""
    return np.isnan(x)


@trial(r"y = [|x| = \infty]", called("isinf", "math.is_inf"))
def IsInf(x: Array) -> Array:
    """Whether an element is plus or minus infinity; NaN is not."""
    return np.isinf(x)


@trial(r"y = [|x| < \infty]", called("isfinite", "math.is_finite"))
def IsFinite(x: Array) -> Array:
    """Whether an element is neither infinite nor NaN."""
    return np.isfinite(x)


def _ones_of(x: Any, dtype: Any) -> str:
    """torch.ones_like({x}, dtype=torch.{dtype!s})"""
    return f"torch.ones_like({x})" if dtype is None else f"torch.ones_like({x}, dtype=torch.{dtype})"


@block(
    "Comparison",
    infer=lambda x, *, dtype: TensorSpec(x.shape, DTYPES[dtype] if dtype else x.dtype),
    accepts=ANY,
    formula=r"y = 1",
    gradient_formula=NO_GRADIENT,
    spelling=Spelling(
        "np.ones_like({x}, dtype={dtype})",
        "tf.ones_like({x}, dtype={dtype})",
        _ones_of,
        "jnp.ones_like({x}, dtype={dtype})",
    ),
)
def OnesLike(x: Array, *, dtype: DtypeName | None = None) -> Array:
    """Ones of the shape of the input, and of its dtype unless another is given."""
    return np.ones_like(x, dtype=dtype)


def verdict(formula: str, spelling: Spelling) -> Declaration:
    """The declaration of a reduction of booleans."""
    return block(
        "Reduce",
        infer=reduced,
        accepts=BOOLEAN,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@verdict(r"y = \bigwedge_i x_i", spelled("np.all", "reduce_all", "all"))
def ReduceAll(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Whether all elements along `axis` are true; of nothing, all are."""
    return np.all(x, axis=axis, keepdims=keepdims)


@verdict(r"y = \bigvee_i x_i", spelled("np.any", "reduce_any", "any"))
def ReduceAny(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Whether any element along `axis` is true; of nothing, none is."""
    return np.any(x, axis=axis, keepdims=keepdims)


def _count(x: TensorSpec, *, axis: Axes, keepdims: bool, dtype: str) -> TensorSpec:
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), DTYPES[dtype])


@block(
    "Reduce",
    infer=_count,
    accepts=UNSHARED,
    formula=r"y = \textstyle\sum_i [x_i \ne 0]",
    gradient_formula=NO_GRADIENT,
    spelling=Spelling(
        "np.sum({x} != 0, axis={axis}, keepdims={keepdims}).astype({dtype})",
        "tf.math.count_nonzero({x}, axis={axis}, keepdims={keepdims}, dtype={dtype})",
        "torch.sum({x} != 0, dim={axis}, keepdim={keepdims}).to(torch.{dtype!s})",
        "jnp.sum({x} != 0, axis={axis}, keepdims={keepdims}).astype({dtype})",
    ),
)
def CountNonzero(x: Array, *, axis: Axes = None, keepdims: bool = False, dtype: DtypeName = "int64") -> Array:
    """How many elements along `axis` are not zero, or true; NaN counts."""
    return np.sum(x != 0, axis=axis, keepdims=keepdims, dtype=np.int64).astype(DTYPES[dtype])
