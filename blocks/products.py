"""Products of tensors other than matrices: matrix times vector, and sums over any axes of two tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from gradwire.blocks.diagonals import matrix_sizes
from gradwire.blocks.linear_algebra import MatMul
from gradwire.blocks.shape import ExpandDims, Reshape, Transpose
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, NUMBER, block
from gradwire.engine.blocktypes.parameters import IntList, Kind, kind_of
from gradwire.engine.blocktypes.spelling import Spelling, documented


def _flipped(x: TensorSpec) -> TensorSpec:
    rows, columns = matrix_sizes("x", x)
    return TensorSpec((*x.shape[:-2], columns, rows), x.dtype)


@block(
    "Linear algebra",
    infer=_flipped,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = x^{\top}",
    gradient_formula=r"\bar x = \bar y^{\top}",
    source="tf.linalg.matrix_transpose",
    spelling=Spelling(
        "np.swapaxes({x}, -1, -2)",
        "tf.linalg.matrix_transpose({x})",
        "torch.swapaxes({x}, -1, -2)",
        "jnp.swapaxes({x}, -1, -2)",
    ),
)
def MatrixTranspose(x: Array) -> Array:
    """Each matrix with its rows as columns; leading axes are batches and stay where they are."""
    return np.swapaxes(x, -1, -2)


@MatrixTranspose.gradient
def matrix_transpose_gradient(g: Any, x: Any, y: Any) -> Any:
    return MatrixTranspose(g)


def _applied(a: TensorSpec, b: TensorSpec, *, transpose_a: bool) -> TensorSpec:
    rows, columns = matrix_sizes("a", a)[:: -1 if transpose_a else 1]
    if b.ndim < 1 or b.shape[-1] != columns:
        raise ShapeError(f"a has {columns} columns, so b must be vectors of as many elements, not {list(b.shape)}")
    return TensorSpec((*broadcast_shapes((a.shape[:-2], b.shape[:-1])), rows), a.dtype)


def _on_column(module: str) -> Callable[..., str]:
    @documented("({a} @ {b}[..., None])[..., 0]")
    def write(a: str, b: str, transpose_a: bool) -> str:
        matrix = f"{module}.swapaxes({a}, -1, -2)" if transpose_a else a
        return f"({matrix} @ {b}[..., None])[..., 0]"

    return write


@block(
    "Linear algebra",
    infer=_applied,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y_i = \textstyle\sum_j A_{i j} b_j",
    gradient_formula=r"\bar A_{i j} = \bar y_i b_j,\quad \bar b = A^{\top} \bar y",
    source="tf.linalg.matvec",
    spelling=Spelling(
        _on_column("np"),
        "tf.linalg.matvec({a}, {b}, transpose_a={transpose_a})",
        _on_column("torch"),
        _on_column("jnp"),
    ),
)
def MatVec(a: Array, b: Array, *, transpose_a: bool = False) -> Array:
    """Matrices times vectors, the matrix transposed first if asked; leading axes are batches and broadcast."""
    matrix = np.swapaxes(a, -1, -2) if transpose_a else a
    return np.matmul(matrix, b[..., None])[..., 0]


@MatVec.gradient
def mat_vec_gradient(g: Any, a: Any, b: Any, y: Any, *, transpose_a: bool) -> Any:
    row, column = (b, g) if transpose_a else (g, b)
    of_a = MatMul(ExpandDims(row, axis=-1), ExpandDims(column, axis=-2))
    return of_a, MatVec(a, g, transpose_a=not transpose_a)


def _contraction(value: object) -> object:
    if not isinstance(value, list | tuple):
        return kind_of(int).check(value)
    if len(value) != 2:
        raise ParameterError("must be a number of axes, or the axes of a and the axes of b as two lists")
    return tuple(kind_of(IntList).check(item if isinstance(item, list | tuple) else [item]) for item in value)


# The editor for sizes reads numbers and lists, also nested ones.
Contraction = Annotated[int | tuple[tuple[int, ...], tuple[int, ...]], Kind("sizes", _contraction)]
Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _axes(a: Any, b: Any, axes: int | Pair) -> Pair:
    """Returns the axes of a and those of b that are summed, counted from the front.

    Raises: ParameterError or ShapeError if they are not there or do not fit together.
    """
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ParameterError(f"axes must be 0 to {min(a.ndim, b.ndim)}, the smaller rank, not {axes}")
        axes = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    of_a = tuple(normalize_axis(axis, a.ndim) for axis in axes[0])
    of_b = tuple(normalize_axis(axis, b.ndim) for axis in axes[1])
    if len(of_a) != len(of_b) or len(set(of_a)) < len(of_a) or len(set(of_b)) < len(of_b):
        raise ParameterError(f"axes {list(axes[0])} and {list(axes[1])} must be as many of a as of b, each named once")
    sizes = [a.shape[axis] for axis in of_a], [b.shape[axis] for axis in of_b]
    if sizes[0] != sizes[1]:
        raise ShapeError(f"the axes of a have the sizes {sizes[0]} but those of b {sizes[1]}")
    return of_a, of_b


def _kept(ndim: int, summed: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis for axis in range(ndim) if axis not in summed)


def _contracted(a: TensorSpec, b: TensorSpec, *, axes: int | Pair) -> TensorSpec:
    of_a, of_b = _axes(a, b, axes)
    kept: Shape = tuple(a.shape[axis] for axis in _kept(a.ndim, of_a))
    return TensorSpec((*kept, *(b.shape[axis] for axis in _kept(b.ndim, of_b))), a.dtype)


@block(
    "Linear algebra",
    infer=_contracted,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y_{i \dots j \dots} = \textstyle\sum_{k \dots} a_{i \dots k \dots} b_{k \dots j \dots}",
    gradient_formula=r"\bar a = \textstyle\sum_{j \dots} \bar y\, b,\quad \bar b = \textstyle\sum_{i \dots} a\, \bar y",
    source="tf.tensordot",
    spelling=Spelling(
        *(f"{module}.tensordot({{a}}, {{b}}, {{axes}})" for module in ("np", "tf", "torch", "jnp")),
    ).noted("a matrix of a single 0 makes 0 of infinity, in Gradwire NaN", "numpy"),
)
def Tensordot(a: Array, b: Array, *, axes: Contraction) -> Array:
    """The products of all elements of two tensors, summed over axes that both have.

    A number of axes stands for the last ones of a and the first ones of b; 0 sums nothing. Two lists name the axes of a
    and those of b that are summed together. What remains of a comes first in the result, then what remains of b. Axes
    that are summed together must have equal sizes (for TensorFlow it is enough that the products of the sizes agree).
    """
    of_a, of_b = _axes(a, b, axes)
    kept_a, kept_b = _kept(a.ndim, of_a), _kept(b.ndim, of_b)
    # NumPy's tensordot takes a matrix of one element for a number, and 0 times infinity for 0.
    product = np.matmul(_as_rows(a, kept_a, of_a), _as_rows(b, of_b, kept_b))
    return product.reshape((*(a.shape[axis] for axis in kept_a), *(b.shape[axis] for axis in kept_b)))


def _as_rows(x: Array, rows: tuple[int, ...], columns: tuple[int, ...]) -> Array:
    shape = tuple(math.prod(x.shape[axis] for axis in axes) for axes in (rows, columns))
    return x.transpose((*rows, *columns)).reshape(shape)


@Tensordot.gradient
def tensordot_gradient(g: Any, a: Any, b: Any, y: Any, *, axes: int | Pair) -> Any:
    of_a, of_b = _axes(a, b, axes)
    kept_a, kept_b = _kept(a.ndim, of_a), _kept(b.ndim, of_b)
    left, right = _as_matrix(a, kept_a, of_a), _as_matrix(b, of_b, kept_b)
    arriving = Reshape(g, shape=(left.shape[0], right.shape[1]))
    part_a, part_b = MatMul(arriving, right, transpose_b=True), MatMul(left, arriving, transpose_a=True)
    return _from_matrix(part_a, a, (*kept_a, *of_a)), _from_matrix(part_b, b, (*of_b, *kept_b))


def _as_matrix(x: Any, rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
    shape = tuple(math.prod(x.shape[axis] for axis in axes) for axes in (rows, columns))
    return Reshape(Transpose(x, perm=(*rows, *columns)), shape=shape)


def _from_matrix(matrix: Any, x: Any, order: tuple[int, ...]) -> Any:
    """Returns a matrix back in the shape of `x`, whose axes it holds in this order."""
    turned = Reshape(matrix, shape=tuple(x.shape[axis] for axis in order))
    return Transpose(turned, perm=tuple(order.index(axis) for axis in range(x.ndim)))
