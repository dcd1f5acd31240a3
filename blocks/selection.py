"""Blocks that choose between tensors by their size, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import GreaterEqual, LessEqual, Where
from gradwire.blocks.support.extremes import first_of_equals
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, Observation, block
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.blocktypes.spelling import Spelling


def _choosing(name: str, relation: str) -> Spelling:
    """Returns the spelling of a choice that gives equal elements to x; a NaN in either is the result, and from y."""
    return Spelling(
        # Of equal numbers NumPy takes the second one.
        f"np.{name}({{y}}, {{x}})",
        f"tf.{name}({{x}}, {{y}})",
        f"torch.where({{x}} {relation} {{y}}, {{x}}, torch.{name}({{x}}.detach(), {{y}}))",
        f"jnp.where({{x}} {relation} {{y}}, {{x}}, {{y}} + "
        "jax.lax.stop_gradient(jnp.where(jnp.isnan({x}), {x}, 0)))",
    )


def _chosen_gradient(relation: str) -> str:
    return rf"\bar x = x {relation} y \,?\, \bar z : 0,\quad \bar y = x {relation} y \,?\, 0 : \bar z"


@block(
    "Elementwise",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = \max(x, y)",
    gradient_formula=_chosen_gradient(r"\ge"),
    spelling=_choosing("maximum", ">="),
)
def Maximum(x: Array, y: Array) -> Array:
    """The greater of two elements; NaN if either is NaN.

    Of equal elements the first input, x, receives all of the gradient (PyTorch and JAX give half to each). Where either
    is NaN, y receives it.
    """
    return first_of_equals(np.maximum, x, y)


@Maximum.gradient
def maximum_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return _split(g, GreaterEqual(x, y))


@block(
    "Elementwise",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = \min(x, y)",
    gradient_formula=_chosen_gradient(r"\le"),
    spelling=_choosing("minimum", "<="),
)
def Minimum(x: Array, y: Array) -> Array:
    """The smaller of two elements; NaN if either is NaN.

    Of equal elements the first input, x, receives all of the gradient (PyTorch and JAX give half to each). Where either
    is NaN, y receives it.
    """
    return first_of_equals(np.minimum, x, y)


@Minimum.gradient
def minimum_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return _split(g, LessEqual(x, y))


def _split(g: Any, is_first: Any) -> tuple[Any, Any]:
    return Where(is_first, g, 0), Where(is_first, 0, g)


@Maximum.observe
@Minimum.observe
def observe_equal_pairs(x: Array, y: Array, z: Array) -> Observation | None:
    hit = (x == y).astype(np.intp)
    count = int(hit.sum())
    if count == 0 or x.dtype.kind != "f":
        return None
    pairs = "pair" if count == 1 else "pairs"
    # An element that is repeated may have several equals, and is one all the same.
    equals = sum(np.count_nonzero(SumTo(hit, shape=item.shape)) for item in (x, y))
    return Observation("tie", f"{count} equal {pairs}: the first input x receives the gradient.", int(equals))


def _clipped(x: TensorSpec, clip_min: TensorSpec, clip_max: TensorSpec) -> TensorSpec:
    shape = broadcast_shapes((x.shape, clip_min.shape, clip_max.shape))
    if shape != x.shape:
        raise ShapeError(f"the bounds may be repeated to the shape of x, {list(x.shape)}, but they need {list(shape)}")
    return x


@block(
    "Elementwise",
    infer=_clipped,
    accepts=NUMBER,
    formula=r"y = \max(\min(x, c_{\max}), c_{\min})",
    gradient_formula=(
        r"t = \min(x, c_{\max}),\quad \bar t = t \ge c_{\min} \,?\, \bar y : 0,\quad \bar c_{\min} = \bar y - \bar t,"
        r"\quad \bar x = x \le c_{\max} \,?\, \bar t : 0,\quad \bar c_{\max} = \bar t - \bar x"
    ),
    spelling=Spelling(
        "np.maximum(np.minimum({x}, {clip_max}), {clip_min})",
        "tf.clip_by_value({x}, {clip_min}, {clip_max})",
        "torch.where(torch.minimum({x}, {clip_max}) >= {clip_min}, torch.where({x} <= {clip_max}, {x}, {clip_max}), "
        "torch.maximum(torch.minimum({x}, {clip_max}).detach(), {clip_min}))",
        "jnp.where(jnp.minimum({x}, {clip_max}) >= {clip_min}, jnp.where({x} <= {clip_max}, {x}, {clip_max}), "
        "jnp.maximum(jax.lax.stop_gradient(jnp.minimum({x}, {clip_max})), {clip_min}))",
    ).noted("where x or clip_max is NaN, clip_min receives 0, in Gradwire the whole gradient", "jax"),
)
def ClipByValue(x: Array, clip_min: Array, clip_max: Array) -> Array:
    """Each element of x, moved to the nearer bound if it lies outside; the bounds may be smaller tensors than x.

    An element at a bound keeps its gradient; outside, the bound that replaced it receives it. If clip_min is above
    clip_max, every element becomes clip_min, which receives all of the gradient (PyTorch and JAX choose clip_max). NaN
    stays NaN, and its gradient goes to clip_min.

    Also known as clip and clamp.
    """
    return np.maximum(np.minimum(x, clip_max), clip_min)


@ClipByValue.gradient
def clip_by_value_gradient(g: Any, x: Any, clip_min: Any, clip_max: Any, y: Any) -> Any:
    below = Minimum(x, clip_max)
    inner, of_min = maximum_gradient(g, below, clip_min, y)
    of_x, of_max = minimum_gradient(inner, x, clip_max, below)
    return of_x, of_min, of_max
