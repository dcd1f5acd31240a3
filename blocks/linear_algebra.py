"""Matrix products, einsum, and the bias that is added to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.reduce import ReduceSum
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.spelling import Spelling, documented


def _matrix(shape: Shape, is_transposed: bool) -> tuple[int, int]:
    rows, columns = shape[-2:]
    return (columns, rows) if is_transposed else (rows, columns)


def _product(a: TensorSpec, b: TensorSpec, *, transpose_a: bool, transpose_b: bool) -> TensorSpec:
    for name, spec in (("a", a), ("b", b)):
        if spec.ndim < 2:
            raise ShapeError(f"{name} has shape {list(spec.shape)}, but a matrix has at least two axes")
    (rows, inner), (needed, columns) = _matrix(a.shape, transpose_a), _matrix(b.shape, transpose_b)
    if inner != needed:
        raise ShapeError(f"a has {inner} columns but b has {needed} rows")
    return TensorSpec((*broadcast_shapes((a.shape[:-2], b.shape[:-2])), rows, columns), a.dtype)


def _multiplied(transposed: str) -> Callable[..., str]:
    """Returns the spelling of `@` with this template for transposing the last two axes."""

    @documented("{a} @ {b}")
    def write(a: str, b: str, transpose_a: bool, transpose_b: bool) -> str:
        left = transposed.format(a) if transpose_a else a
        return f"{left} @ {transposed.format(b) if transpose_b else b}"

    return write


@block(
    "Linear algebra",
    infer=_product,
    outputs=("product",),
    accepts=NUMBER,
    sums_products=True,
    formula=r"C = A B",
    gradient_formula=r"\bar A = \bar C B^{\top},\quad \bar B = A^{\top} \bar C",
    spelling=Spelling(
        _multiplied("np.swapaxes({}, -1, -2)"),
        "tf.matmul({a}, {b}, transpose_a={transpose_a}, transpose_b={transpose_b})",
        _multiplied("torch.swapaxes({}, -1, -2)"),
        _multiplied("jnp.swapaxes({}, -1, -2)"),
    ),
)
def MatMul(a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """The product of matrices, either transposed first if asked; leading axes are batches and broadcast.

    Also known as bmm, mm and dot.
    """
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    return np.matmul(a, b)


@MatMul.gradient
def matmul_gradient(g: Any, a: Any, b: Any, product: Any, *, transpose_a: bool, transpose_b: bool) -> Any:
    if transpose_a:
        of_a = MatMul(b, g, transpose_a=transpose_b, transpose_b=True)
    else:
        of_a = MatMul(g, b, transpose_b=not transpose_b)
    if transpose_b:
        return of_a, MatMul(g, a, transpose_a=True, transpose_b=transpose_a)
    return of_a, MatMul(a, g, transpose_a=not transpose_a)


Format = Literal["NHWC", "NCHW", "N...C", "NC..."]


def _channel_axis(ndim: int, data_format: Format) -> int:
    return 1 if data_format.startswith("NC") else ndim - 1


def _added(value: TensorSpec, bias: TensorSpec, *, data_format: Format) -> TensorSpec:
    if bias.ndim != 1 or value.ndim < 2:
        raise ShapeError(
            f"it adds a vector to a tensor of rank 2 or more, not {list(bias.shape)} to {list(value.shape)}"
        )
    channels = value.shape[_channel_axis(value.ndim, data_format)]
    if bias.shape[0] != channels:
        raise ShapeError(f"bias has {bias.shape[0]} elements but value has {channels} channels")
    return value


def _plus_channels(value: str, bias: str, data_format: Format, specs: Sequence[TensorSpec]) -> str:
    """{value} + {bias}"""
    ndim = specs[0].ndim
    after = ndim - 1 - _channel_axis(ndim, data_format)
    return f"{value} + {bias}" + (f".reshape({(-1, *[1] * after)})" if after else "")


@block(
    "Linear algebra",
    infer=_added,
    accepts=NUMBER,
    formula=r"y = x + b",
    gradient_formula=r"\bar x = \bar y,\quad \bar b = \textstyle\sum_{\text{all but channels}} \bar y",
    spelling=Spelling(
        _plus_channels, "tf.nn.bias_add({value}, {bias}, data_format={data_format})", _plus_channels, _plus_channels
    ),
)
def BiasAdd(value: Array, bias: Array, *, data_format: Format = "NHWC") -> Array:
    """A vector added to the channels of a tensor: the last axis, or the second with `data_format` NCHW or NC...."""
    if _channel_axis(value.ndim, data_format) == 1:
        return value + bias.reshape(-1, *[1] * (value.ndim - 2))
    if value.ndim == 2:
        return value + bias
    # Few channels are a short loop, with much ado for each pixel; those of a row of pixels are a long one.
    *outer, columns, channels = value.shape
    rows = value.reshape((*outer, columns * channels))
    return (rows + np.broadcast_to(bias, (columns, channels)).reshape(columns * channels)).reshape(value.shape)


@BiasAdd.gradient
def bias_add_gradient(g: Any, value: Any, bias: Any, y: Any, *, data_format: Format) -> Any:
    channels = _channel_axis(value.ndim, data_format)
    return g, ReduceSum(g, axis=tuple(axis for axis in range(value.ndim) if axis != channels))
