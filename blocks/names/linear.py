"""Products of vectors and matrices, lengths, and distances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.names.axes import counted_axis
from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import Operand, Tensor, apply, as_real, as_tensor, cast, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library


@named("matmul", "np.matmul(x1, x2)", "torch.matmul(input, other)", "jnp.matmul(a: x, b: y)", is_method=True)
def matmul(x: Operand, y: Operand) -> Tensor:
    """The matrix product; either may be a vector, and leading axes broadcast.

    Raises: CallError for a single number and for sizes that do not fit.
    """
    a, b = together(as_tensor(x), as_tensor(y))
    if not a.ndim or not b.ndim:
        raise CallError("a matrix product takes vectors and matrices, not single numbers; use *")
    if a.dtype.kind == "b":
        raise CallError("a matrix product takes numbers, not masks (bool); cast one of them")
    inner = a.shape[-1], b.shape[0] if b.ndim == 1 else b.shape[-2]
    if inner[0] != inner[1]:
        raise CallError(f"{list(a.shape)} and {list(b.shape)} do not fit: {inner[0]} columns, but {inner[1]} rows")
    if a.ndim == 1 and b.ndim == 1:
        return _apply("ReduceSum", _apply("Multiply", a, b))
    if b.ndim == 1:
        return _apply("MatVec", a, b)
    if a.ndim == 1:
        return _apply("MatVec", b, a, transpose_a=True)
    return _apply("MatMul", a, b)


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


@named(
    "_matmul",
    "tf.matmul(a: x, b: y, transpose_a=False, transpose_b=False)",
    block="MatMul",
)
def matmul_with_flags(x: Operand, y: Operand, *, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The matrix product, of either matrix transposed if asked."""
    flipped = [_apply("MatrixTranspose", item) if flag else item for item, flag in ((x, transpose_a), (y, transpose_b))]
    return matmul(*flipped)


@named("mm", "torch.mm(input, mat2)", is_method=True)
def mm(x: Operand, y: Operand) -> Tensor:
    """The product of two matrices."""
    return matmul(_of_rank("mm", x, 2), _of_rank("mm", y, 2))


@named("bmm", "torch.bmm(input, mat2)", is_method=True)
def bmm(x: Operand, y: Operand) -> Tensor:
    """The products of two batches of matrices."""
    return matmul(_of_rank("bmm", x, 3), _of_rank("bmm", y, 3))


@named("mv", "torch.mv(input, vec)", block="MatVec", is_method=True)
def mv(x: Operand, y: Operand) -> Tensor:
    """The product of a matrix and a vector."""
    return matmul(_of_rank("mv", x, 2), _of_rank("mv", y, 1))


@named("dot", "np.dot|jnp.dot(a: x, b: y)", "torch.dot(input, tensor: y)", is_method=True)
def dot(x: Operand, y: Operand) -> Tensor:
    """The product of two vectors or matrices.

    Raises: CallError above two axes, where NumPy pairs all rows with all columns.
    """
    if max(as_tensor(x).ndim, as_tensor(y).ndim) > 2:
        raise CallError("dot of more than two axes pairs all rows with all columns in NumPy; use matmul or tensordot")
    return matmul(x, y)


@named("outer", "np.outer|jnp.outer(a: x, b: y)", "torch.outer|torch.ger(input, vec2)", is_method=True)
def outer(x: Operand, y: Operand) -> Tensor:
    """Each element of one vector times each of another."""
    a, b = together(_of_rank("outer", x, 1), _of_rank("outer", y, 1))
    column = _apply("ExpandDims", a, axis=1)
    return _apply("LogicalAnd" if a.dtype.kind == "b" else "Multiply", column, b)


def _of_rank(name: str, x: Operand, rank: int) -> Tensor:
    found = as_tensor(x)
    if found.ndim != rank:
        raise CallError(f"{name} takes a tensor of {rank} axes here, not {list(found.shape)}; use matmul")
    return found


@named(
    "einsum",
    "np.einsum|jnp.einsum(subscripts: equation, *operands: x)",
    "torch.einsum(equation, *operands: x)",
    "tf.einsum(equation, *inputs: x)",
    block="Einsum",
)
def einsum(equation: str, *x: Operand) -> Tensor:
    """Products summed as the letters say: `einsum("ij,jk->ik", a, b)`."""
    if not isinstance(equation, str):
        raise CallError('einsum takes its letters first: einsum("ij,jk->ik", a, b)')
    operands = x[0] if len(x) == 1 and isinstance(x[0], list | tuple) else x
    found: Tensor = apply("Einsum", *operands, equation=equation.replace(" ", ""))
    return found


Axes = int | list[int] | tuple[int, ...] | None
Order = int | float | str | None


def vector_norm(x: Operand, order: int | float = 2, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Returns the length of all elements, or of vectors along axes."""
    found = as_real(x)
    how: dict[str, Any] = {"axis": tuple(axis) if isinstance(axis, list) else axis, "keepdims": bool(keepdims)}
    if order == 2:
        return _apply("Norm" if _is_one(axis) else "ReduceEuclideanNorm", found, **how)
    size = _apply("Abs", found)
    if order == 1:
        return _apply("ReduceSum", size, **how)
    if math.isinf(order):
        return _apply("ReduceMax" if order > 0 else "ReduceMin", size, **how)
    if order == 0:
        return _apply("ReduceSum", cast(_apply("NotEqual", found, np.zeros((), found.dtype)), found.dtype), **how)
    power = np.asarray(order, found.dtype)
    summed = _apply("ReduceSum", _apply("Pow", size, power), **how)
    return _apply("Pow", summed, np.asarray(1 / order, found.dtype))


def _is_one(axis: Axes) -> bool:
    return axis is None or isinstance(axis, int)


@named(
    "norm",
    'torch.norm(input, p: ord="fro", dim=None, keepdim=False, dtype=None)',
    "tf.norm(tensor: x, ord='euclidean', axis=None, keepdims=False)",
    block="Norm",
    is_method=True,
)
def norm(x: Operand, ord: Order = 2, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The length of all elements, or of the vectors along `axis`; `ord` 1, 2, inf or another number."""
    if ord in (None, "fro", "euclidean"):
        ord = 2
    if isinstance(ord, str | bool):
        raise CallError(f"norm takes a number as ord, or inf, not {ord!r}; for matrices there is linalg.norm")
    assert ord is not None
    return vector_norm(x, ord, axis, keepdims)


@named(
    "linalg.vector_norm",
    "torch.linalg.vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None)",
    "np.linalg.vector_norm(x, *, axis=None, keepdims=False, ord=2)",
)
def linalg_vector_norm(x: Operand, ord: int | float = 2, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The length of all elements, or of the vectors along `axis`."""
    return vector_norm(x, ord, axis, keepdims)


@named(
    "linalg.norm",
    "np.linalg.norm(x, ord=None, axis=None, keepdims=False)",
    "jnp.linalg.norm(x, ord=None, axis=None, keepdims=False)",
    "torch.linalg.norm(A: x, ord=None, dim=None, keepdim=False, *, out=None, dtype=None)",
)
def linalg_norm(x: Operand, ord: Order = None, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The norm of vectors or matrices as NumPy and PyTorch read it: of two axes and an `ord` it is a matrix norm."""
    found = as_real(x)
    axes = _counted(axis, found.ndim)
    if ord is None:
        return vector_norm(found, 2, axes, keepdims)
    pair = tuple(range(found.ndim)) if axes is None else axes if isinstance(axes, tuple) else (axes,)
    if len(pair) == 1 and isinstance(ord, str):
        raise CallError(f"linalg.norm of vectors takes a number as ord, not {ord!r}")
    if len(pair) == 1:
        return norm(found, ord, pair[0], keepdims)
    if len(pair) != 2:
        raise CallError(f"ord is for vectors and matrices, not for {len(pair)} axes; say which with axis")
    if ord == "fro":
        return vector_norm(found, 2, pair, keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        return _of_sums(found, float(ord), pair, keepdims)
    if ord == 2:
        return _apply("Norm", found, ord=2, axis=pair, keepdims=bool(keepdims))
    raise CallError(f"the matrix norm of order {ord!r} has no block; there are fro, 1, -1, 2, inf and -inf")


def _of_sums(x: Tensor, order: float, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Returns the largest or smallest sum of absolute values of columns (order 1) or rows (infinity)."""
    rows, columns = axes
    added, chosen = (rows, columns) if abs(order) == 1 else (columns, rows)
    sums = _apply("ReduceSum", _apply("Abs", x), axis=added, keepdims=True)
    best = _apply("ReduceMax" if order > 0 else "ReduceMin", sums, axis=chosen, keepdims=True)
    return best if keepdims else _apply("Squeeze", best, axis=axes)


def _counted(axis: Axes, rank: int) -> int | tuple[int, ...] | None:
    if axis is None:
        return None
    if isinstance(axis, list | tuple):
        axes = tuple(counted_axis(item, rank, "norm") for item in axis)
        if len(set(axes)) < len(axes):
            raise CallError(f"norm: {list(axis)} names an axis twice")
        return axes
    return counted_axis(axis, rank, "norm")


@named(
    "normalize",
    "torch.nn.functional.normalize(input, p=2.0, dim=1, eps=1e-12, out=None)",
)
def normalize(x: Operand, p: float = 2.0, axis: int = 1, eps: float = 1e-12) -> Tensor:
    """Vectors along `axis` divided by their length, or by `eps` if that is greater."""
    found = as_real(x)
    length = vector_norm(found, p, axis, keepdims=True)
    return _apply("Divide", found, _apply("Maximum", length, np.asarray(eps, found.dtype)))


@named(
    "cosine_similarity",
    "torch.nn.functional.cosine_similarity(x1: x, x2: y, dim=1, eps=1e-8)",
)
def cosine_similarity(x: Operand, y: Operand, axis: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine between vectors along `axis`, each length at least `eps`."""
    a, b = together(as_real(x), as_real(y))
    lengths = [_apply("Maximum", vector_norm(item, 2, axis), np.asarray(eps, a.dtype)) for item in (a, b)]
    return _apply("Divide", _apply("ReduceSum", _apply("Multiply", a, b), axis=axis), _apply("Multiply", *lengths))


@named("linear", "torch.nn.functional.linear(input, weight, bias=None)")
def linear(x: Operand, weight: Operand, bias: Operand = None) -> Tensor:
    """`x @ weight.T + bias`, as a layer of PyTorch computes it."""
    product = matmul(x, _apply("MatrixTranspose", as_tensor(weight)))
    return product if bias is None else _apply("Add", *together(product, bias))
