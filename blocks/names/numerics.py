"""Functions of numbers that are compositions of a few blocks, and joining by rows and columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.joining import concat, stack
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Operand, Tensor, as_float, as_real, as_tensor, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


@named(
    "logaddexp",
    "np.logaddexp(x1: x, x2: y)",
    "jnp.logaddexp(x1: x, x2: y)",
    "torch.logaddexp(input, other)",
)
def logaddexp(x: Operand, y: Operand) -> Tensor:
    """The logarithm of the sum of two exponentials, without overflow."""
    a, b = together(as_float(x), as_float(y))
    return _apply("Add", a, _apply("Softplus", _apply("Subtract", b, a)))


def _of_logarithm(name: str, base: float) -> None:
    def function(x: Operand) -> Tensor:
        logarithm = _apply("Log", as_float(x))
        return operate("divide", logarithm, math.log(base))

    function.__doc__ = f"The logarithm to base {base:g}."
    named(name, f"np.{name}|jnp.{name}(x)", f"torch.{name}(input)", is_method=True)(function)


_of_logarithm("log2", 2)
_of_logarithm("log10", 10)


@named("exp2", "np.exp2|jnp.exp2(x)", "torch.exp2(input)", is_method=True)
def exp2(x: Operand) -> Tensor:
    """Two to the power of each element."""
    return operate("power", 2.0, as_float(x))


@named("hypot", "np.hypot|jnp.hypot(x1: x, x2: y)", "torch.hypot(input, other)")
def hypot(x: Operand, y: Operand) -> Tensor:
    """The length of the vector of two numbers, element by element."""
    a, b = together(as_float(x), as_float(y))
    return _apply("Sqrt", _apply("Add", _apply("Square", a), _apply("Square", b)))


@named("lerp", "torch.lerp(input, end: y, weight)", is_method=True)
def lerp(x: Operand, y: Operand, weight: Operand) -> Tensor:
    """From `x` at weight 0 to `y` at weight 1 on a straight line."""
    return operate("add", x, operate("multiply", weight, operate("subtract", y, x)))


@named("addmm", "torch.addmm(input, mat1: y, mat2: z, *, beta=1, alpha=1)", is_method=True)
def addmm(x: Operand, y: Operand, z: Operand, *, beta: Operand = 1, alpha: Operand = 1) -> Tensor:
    """`beta * x + alpha * (y @ z)`."""
    product = operate("matmul", y, z)
    scaled = product if alpha == 1 else operate("multiply", alpha, product)
    return operate("add", x if beta == 1 else operate("multiply", beta, x), scaled)


@named("expit", "scipy.special.expit(x)", "jax.scipy.special.expit(x)", "torch.special.expit(input)", block="Sigmoid")
def expit(x: Operand) -> Tensor:
    """The logistic function."""
    return _apply("Sigmoid", as_float(x))


@named("average", "np.average|jnp.average(a: x, axis=None, weights=None)")
def average(x: Operand, axis: Any = None, weights: Operand = None) -> Tensor:
    """The mean, weighted by `weights` if they are given."""
    found = as_real(x)
    if weights is None:
        return _apply("ReduceMean", found, axis=axis)
    heavy = operate("multiply", found, weights)
    total = _apply("ReduceSum", as_tensor(weights), axis=axis if as_tensor(weights).ndim == found.ndim else None)
    return operate("divide", _apply("ReduceSum", heavy, axis=axis), total)


@named(
    "layer_norm",
    "torch.nn.functional.layer_norm(input, normalized_shape: shape, weight=None, bias=None, eps=1e-5)",
    block="LayerNormalization",
)
def layer_norm(
    x: Operand, shape: Sequence[int], weight: Operand = None, bias: Operand = None, eps: float = 1e-5
) -> Tensor:
    """The last axes with their mean taken out and divided by their deviation, then scaled and shifted."""
    found = as_float(x)
    sizes = list(shape) if isinstance(shape, list | tuple) else [shape]
    if list(found.shape[-len(sizes) :]) != sizes:
        raise CallError(f"layer_norm: the last axes of {list(found.shape)} are not {sizes}")
    gamma, beta = (
        np.full(sizes, number, found.dtype) if item is None else item for item, number in ((weight, 1), (bias, 0))
    )
    axes = list(range(-len(sizes), 0))
    return _apply("LayerNormalization", *together(found, gamma, beta), axis=axes, epsilon=eps)


@named("embedding", "torch.nn.functional.embedding(input: index, weight: x)", block="Gather")
def embedding(x: Operand, index: Operand) -> Tensor:
    """The rows of a table at some places."""
    return _apply("Gather", as_tensor(x), as_tensor(index), axis=0)


@named("vstack", "np.vstack|jnp.vstack(tup: x)", "torch.vstack(tensors)")
def vstack(x: Sequence[Any]) -> Tensor:
    """Vectors as the rows of a matrix, or matrices below each other."""
    return stack(x, 0) if all(as_tensor(item).ndim == 1 for item in x) else concat(x, 0)


@named("hstack", "np.hstack|jnp.hstack(tup: x)", "torch.hstack(tensors)")
def hstack(x: Sequence[Any]) -> Tensor:
    """Vectors behind each other, or matrices beside each other."""
    return concat(x, 0 if all(as_tensor(item).ndim == 1 for item in x) else 1)


@named("column_stack", "np.column_stack|jnp.column_stack(tup: x)", "torch.column_stack(tensors)")
def column_stack(x: Sequence[Any]) -> Tensor:
    """Vectors as the columns of a matrix."""
    if not all(as_tensor(item).ndim == 1 for item in x):
        return concat(x, 1)
    return stack(x, 1)


def _parts(x: Operand, sizes: object, axis: int) -> tuple[Any, ...]:
    found = library["Split"](as_tensor(x), num_or_size_splits=sizes, axis=axis)
    return tuple(found) if isinstance(found, tuple | list) else (found,)


@named(
    "_torch_split",
    "torch.split(tensor, split_size_or_sections: sizes, dim=0)",
    methods=["torch.split(split_size: sizes, dim=0)"],
)
def split_by_sizes(x: Operand, sizes: Any, axis: int = 0) -> tuple[Any, ...]:
    """Parts of these sizes; one size stands for all but a smaller last one, as in PyTorch."""
    whole = as_tensor(x).shape[axis]
    if isinstance(sizes, int):
        if sizes < 1:
            raise CallError("split takes a size of at least 1")
        sizes = [min(sizes, whole - start) for start in range(0, whole, sizes)]
    return _parts(x, list(sizes), axis)


@named("chunk", "torch.chunk(input, chunks, dim=0)", is_method=True)
def chunk(x: Operand, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """So many parts of the same size, the last one smaller if need be, as in PyTorch."""
    return split_by_sizes(x, -(-as_tensor(x).shape[axis] // max(chunks, 1)), axis)


@named("_np_split", "np.split|jnp.split|np.array_split(ary: x, indices_or_sections: sections, axis=0)")
def split_by_count(x: Operand, sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """So many equal parts, or parts that end at these places, as in NumPy."""
    if isinstance(sections, int):
        return _parts(x, sections, axis)
    ends = [*sections, as_tensor(x).shape[axis]]
    return _parts(x, np.diff([0, *ends]).tolist(), axis)
