"""Local response normalisation across channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast
from gradwire.blocks.elementwise import Exp, Log, Square
from gradwire.blocks.support.tensorflow_kernels import is_narrow
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling


def _neighbours_spec(x: TensorSpec, *, radius: int) -> TensorSpec:
    if radius < 0:
        raise ParameterError(f"radius must be at least 0, not {radius}")
    if x.ndim == 0:
        raise ShapeError("a scalar has no neighbours")
    return x


@block(
    "Gradient parts",
    infer=_neighbours_spec,
    sums_products=True,
    formula=r"y_c = \textstyle\sum_{|d - c| \le r} x_d",
    gradient_formula=r"\bar x_c = \textstyle\sum_{|d - c| \le r} \bar y_d",
)
def SumOfNeighbours(x: Array, *, radius: int) -> Array:
    """Each element plus its neighbours along the last axis, up to `radius` places away."""
    total = x.copy()
    for distance in range(1, min(radius, x.shape[-1] - 1) + 1):
        total[..., distance:] += x[..., :-distance]
        total[..., :-distance] += x[..., distance:]
    return total


@SumOfNeighbours.gradient
def sum_of_neighbours_gradient(g: Any, x: Any, y: Any, *, radius: int) -> Any:
    return SumOfNeighbours(g, radius=radius)


def _responded(input: TensorSpec, *, depth_radius: int, bias: float, alpha: float, beta: float) -> TensorSpec:
    if input.ndim != 4:
        raise ShapeError(f"input {list(input.shape)} must have four axes: batch, rows, columns, channels")
    if depth_radius < 0:
        raise ParameterError(f"depth_radius must be at least 0, not {depth_radius}")
    return input


def _in_torch(input: str, depth_radius: int, bias: float, alpha: float, beta: float) -> str:
    """torch.nn.functional.local_response_norm({input}, 2 * {depth_radius} + 1, {alpha}, {beta}, {bias})"""
    size = 2 * depth_radius + 1
    moved = f"{input}.permute(0, 3, 1, 2), {size}, alpha={alpha} * {size}, beta={beta}, k={bias}"
    return f"torch.nn.functional.local_response_norm({moved}).permute(0, 2, 3, 1)"


def _in_jax(input: str, depth_radius: int, bias: float, alpha: float, beta: float) -> str:
    """{input} * ({bias} + {alpha} * jax.lax.reduce_window({input} ** 2, {depth_radius})) ** -{beta}"""
    window = (1, 1, 1, 2 * depth_radius + 1)
    squares = f'jax.lax.reduce_window({input} ** 2, 0.0, jax.lax.add, {window}, (1, 1, 1, 1), "SAME")'
    return f"{input} * ({bias} + {alpha} * {squares}) ** (-{beta})"


@block(
    "Normalization",
    infer=_responded,
    formula=r"y_c = x_c / n_c^{\beta},\quad n_c = b + \alpha \textstyle\sum_{|d - c| \le r} x_d^2",
    gradient_formula=r"\bar x_c = \bar y_c / n_c^{\beta} - 2 \alpha \beta x_c "
    r"\textstyle\sum_{|d - c| \le r} \bar y_d y_d / n_d",
    source="tf.nn.local_response_normalization; Krizhevsky et al., ImageNet Classification, 2012",
    spelling=Spelling(
        "",
        "tf.nn.local_response_normalization({input}, {depth_radius}, {bias}, {alpha}, {beta})",
        _in_torch,
        _in_jax,
    ).only_where("tensorflow", is_narrow),
)
def LRN(input: Array, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5) -> Array:
    """Each element over a power of the sum of squares of the channels around it, up to `depth_radius` away.

    Unlike in PyTorch, `alpha` is not divided by the number of channels. float16 is computed in float32.
    """
    wide = input.astype(np.promote_types(input.dtype, np.float32), copy=False)
    norm = SumOfNeighbours.function(np.square(wide), radius=depth_radius) * wide.dtype.type(alpha) + wide.dtype.type(
        bias
    )
    return (wide * norm ** wide.dtype.type(-beta)).astype(input.dtype, copy=False)


@LRN.gradient
def lrn_gradient(g: Any, input: Any, y: Any, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    if input.dtype == np.float16:
        wide = [Cast(item, dtype="float32") for item in (g, input, y)]
        how = {"depth_radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}
        return Cast(lrn_gradient(*wide, **how), dtype="float16")
    norm = SumOfNeighbours(Square(input), radius=depth_radius) * alpha + bias
    shared = SumOfNeighbours(g * y / norm, radius=depth_radius)
    return g * Exp(Log(norm) * -beta) - input * (2 * alpha * beta) * shared
