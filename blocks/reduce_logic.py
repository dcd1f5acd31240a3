"""Reductions of truth values along axes, and how many elements are not zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.reduce import in_torch, reduced_shape, reduction, spelled
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BOOLEAN, UNSHARED, block
from gradwire.engine.blocktypes.parameters import Axes, DtypeName
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


@reduction(r"y = \forall_i\, x_i", NO_GRADIENT, spelled("np.all", "reduce_all", "all"), BOOLEAN, differentiable="never")
def ReduceAll(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The truth of all elements along `axis` together; of no elements it is true. No gradient passes."""
    return np.all(x, axis=axis, keepdims=keepdims)


@reduction(r"y = \exists_i\, x_i", NO_GRADIENT, spelled("np.any", "reduce_any", "any"), BOOLEAN, differentiable="never")
def ReduceAny(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The truth of any element along `axis`; of no elements it is false. No gradient passes."""
    return np.any(x, axis=axis, keepdims=keepdims)


def _counts(x: TensorSpec, *, axis: Axes, keepdims: bool, dtype: str) -> TensorSpec:
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), DTYPES[dtype])


def _sums(module: str) -> Callable[..., str]:
    @documented(f"{module}.sum({{x}} != 0, axis={{axis}}, keepdims={{keepdims}}).astype({{dtype}})")
    def write(x: str, axis: Axes, keepdims: bool, dtype: str) -> str:
        total = call(f"{module}.sum", f"{x} != 0", axis=axis, keepdims=keepdims)
        return f"{total}.astype({dtype!r})"

    return write


@documented("tf.math.count_nonzero({x}, axis={axis}, keepdims={keepdims}, dtype={dtype})")
def _count_in_tensorflow(x: str, axis: Axes, keepdims: bool, dtype: str) -> str:
    return call("tf.math.count_nonzero", x, axis=axis, keepdims=keepdims, dtype=None if dtype == "int64" else dtype)


@documented("torch.sum({x} != 0, dim={axis}, keepdim={keepdims}).to(torch.{dtype})")
def _count_in_torch(x: str, axis: Axes, keepdims: bool, dtype: str, specs: Sequence[TensorSpec]) -> str:
    total = in_torch("sum")(f"{x} != 0", axis, keepdims, specs) or f"({x} != 0)"
    return f"{total}.to(torch.{dtype})"


@block(
    "Reduce",
    differentiable="never",
    infer=_counts,
    accepts=UNSHARED,
    formula=r"y = \textstyle\sum_i [x_i \ne 0]",
    gradient_formula=NO_GRADIENT,
    source="tf.math.count_nonzero",
    spelling=Spelling(_sums("np"), _count_in_tensorflow, _count_in_torch, _sums("jnp")),
)
def CountNonzero(x: Array, *, axis: Axes = None, keepdims: bool = False, dtype: DtypeName = "int64") -> Array:
    """The number of elements along `axis` that are not zero; NaN is not, minus zero is. No gradient passes."""
    return np.sum(x != 0, axis=axis, keepdims=keepdims, dtype=np.int64).astype(DTYPES[dtype])
