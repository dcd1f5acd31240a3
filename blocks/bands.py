"""Parts of tensors around their main diagonal: bands, traces, identity matrices, and diagonals over several axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.diagonals import MatrixDiag, matrix_sizes
from gradwire.blocks.shape import ExpandDims
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, NUMBER, Role, block
from gradwire.engine.blocktypes.parameters import DtypeName, IntList
from gradwire.engine.blocktypes.primitives import BroadcastTo
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


def _same_matrix(x: TensorSpec, *, num_lower: int, num_upper: int) -> TensorSpec:
    rows, columns = matrix_sizes("x", x)
    for name, count, most in (("num_lower", num_lower, rows), ("num_upper", num_upper, columns)):
        if count > most:
            raise ParameterError(f"{name} must be negative or at most {most}, the size of the matrix, not {count}")
    return x


def _triangles(module: str) -> Callable[..., str]:
    @documented(f"{module}.tril({module}.triu({{x}}, -{{num_lower}}), {{num_upper}})")
    def write(x: str, num_lower: int, num_upper: int) -> str:
        cut = x if num_lower < 0 else f"{module}.triu({x}, {-num_lower})"
        return cut if num_upper < 0 else f"{module}.tril({cut}, {num_upper})"

    return write


@block(
    "Linear algebra",
    infer=_same_matrix,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{i j} = x_{i j} \text{ in the band},\quad 0 \text{ elsewhere}",
    gradient_formula=r"\bar x_{i j} = \bar y_{i j} \text{ in the band},\quad 0 \text{ elsewhere}",
    source="tf.linalg.band_part",
    spelling=Spelling(
        _triangles("np"), "tf.linalg.band_part({x}, {num_lower}, {num_upper})", _triangles("torch"), _triangles("jnp")
    ),
)
def MatrixBandPart(x: Array, *, num_lower: int, num_upper: int) -> Array:
    """Matrices with zeros outside the band of `num_lower` diagonals below the main one and `num_upper` above it.

    A negative number keeps the whole triangle on its side: -1 and 0 give the lower triangle. What lies outside is 0
    even where the input is NaN or infinite.
    """
    rows, columns = x.shape[-2:]
    offset = np.arange(columns) - np.arange(rows)[:, None]
    is_kept = ((num_lower < 0) | (offset >= -num_lower)) & ((num_upper < 0) | (offset <= num_upper))
    return np.where(is_kept, x, x.dtype.type(0))


@MatrixBandPart.gradient
def matrix_band_part_gradient(g: Any, x: Any, y: Any, *, num_lower: int, num_upper: int) -> Any:
    return MatrixBandPart(g, num_lower=num_lower, num_upper=num_upper)


def _without_matrix(x: TensorSpec) -> TensorSpec:
    matrix_sizes("x", x)
    return TensorSpec(x.shape[:-2], x.dtype)


@block(
    "Linear algebra",
    infer=_without_matrix,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = \textstyle\sum_i x_{i i}",
    gradient_formula=r"\bar x_{i j} = [i = j]\, \bar y",
    source="tf.linalg.trace",
    spelling=Spelling(
        "np.trace({x}, axis1=-2, axis2=-1)",
        "tf.linalg.trace({x})",
        "torch.diagonal({x}, 0, -2, -1).sum(-1)",
        "jnp.trace({x}, axis1=-2, axis2=-1)",
    ),
)
def Trace(x: Array) -> Array:
    """The sum of the main diagonal of each matrix, square or not; that of an empty matrix is 0."""
    return np.trace(x, axis1=-2, axis2=-1, dtype=x.dtype)


@Trace.gradient
def trace_gradient(g: Any, x: Any, y: Any) -> Any:
    rows, columns = x.shape[-2:]
    repeated = BroadcastTo(ExpandDims(g, axis=-1), shape=(*g.shape, min(rows, columns)))
    return MatrixDiag(repeated, num_rows=rows, num_cols=columns)


def _doubled(x: TensorSpec) -> TensorSpec:
    if not 1 <= x.ndim <= 16:
        raise ShapeError(f"x has {x.ndim} axes; a tensor of 1 to 16 axes can be put on a diagonal")
    return TensorSpec(x.shape * 2, x.dtype)


def _reshaped_diagonal(module: str) -> str:
    return f"{module}.diag({{x}}.reshape(-1)).reshape({{x}}.shape * 2)"


@block(
    "Linear algebra",
    infer=_doubled,
    accepts=NUMBER,
    only_moves_data=True,
    formula=r"y_{i \dots, i \dots} = x_{i \dots}",
    gradient_formula=r"\bar x = \mathrm{TensorDiagPart}(\bar y)",
    source="tf.linalg.tensor_diag",
    spelling=Spelling(
        _reshaped_diagonal("np"), "tf.linalg.tensor_diag({x})", _reshaped_diagonal("torch"), _reshaped_diagonal("jnp")
    ),
)
def TensorDiag(x: Array) -> Array:
    """A tensor of twice the axes with the elements where both halves of the index are equal, and 0 elsewhere.

    A vector gives a diagonal matrix. There are no batches: every axis counts. Integers narrower than int32 are taken
    as well, which TensorFlow does not take here.
    """
    whole = np.zeros_like(x, order="C", shape=(x.size * x.size,))
    whole[:: x.size + 1] = x.reshape(-1)
    return whole.reshape(x.shape * 2)


@TensorDiag.gradient
def tensor_diag_gradient(g: Any, x: Any, y: Any) -> Any:
    return TensorDiagPart(g)


def _half(x: TensorSpec) -> TensorSpec:
    middle = x.ndim // 2
    if x.ndim == 0 or x.ndim % 2 or x.shape[:middle] != x.shape[middle:]:
        raise ShapeError(f"x has shape {list(x.shape)}, but the two halves of its axes must exist and have equal sizes")
    return TensorSpec(x.shape[:middle], x.dtype)


def _diagonal_of_halves(module: str) -> Callable[..., str]:
    @documented(f"{module}.diagonal({{x}})")
    def write(x: str, specs: Sequence[TensorSpec]) -> str:
        half: Shape = specs[0].shape[: specs[0].ndim // 2]
        count = math.prod(half)
        flat = x if len(half) == 1 else f"{x}.reshape({count}, {count})"
        return f"{module}.diagonal({flat})" + ("" if len(half) == 1 else f".reshape({half})")

    return write


@block(
    "Linear algebra",
    infer=_half,
    accepts=NUMBER,
    only_moves_data=True,
    formula=r"y_{i \dots} = x_{i \dots, i \dots}",
    gradient_formula=r"\bar x = \mathrm{TensorDiag}(\bar y)",
    source="tf.linalg.tensor_diag_part",
    spelling=Spelling(
        _diagonal_of_halves("np"),
        "tf.linalg.tensor_diag_part({x})",
        _diagonal_of_halves("torch"),
        _diagonal_of_halves("jnp"),
    ),
)
def TensorDiagPart(x: Array) -> Array:
    """The elements for which the first half of the index equals the second: of a square matrix, its diagonal.

    The first half of the axes must have the sizes of the second. Integers narrower than int32 are taken as well, which
    TensorFlow does not take here.
    """
    half = x.shape[: x.ndim // 2]
    count = math.prod(half)
    return np.diagonal(x.reshape(count, count)).reshape(half)


@TensorDiagPart.gradient
def tensor_diag_part_gradient(g: Any, x: Any, y: Any) -> Any:
    return TensorDiag(g)


def _identity_shape(
    *, num_rows: int, num_columns: int | None, batch_shape: tuple[int, ...] | None, dtype: str
) -> TensorSpec:
    shape = (*(batch_shape or ()), num_rows, num_rows if num_columns is None else num_columns)
    if min(shape) < 0:
        raise ParameterError(f"sizes must be at least 0, not {list(shape)}")
    return TensorSpec(shape, DTYPES[dtype])


def _identity(function: str, repeat: str, dtypes: str = "{!r}") -> Callable[..., str]:
    """Spells identity matrices with a function for one, and another for a batch of them."""

    @documented(f"{function}({{num_rows}}, {{num_columns}}, dtype={{dtype}})")
    def write(num_rows: int, num_columns: int | None, batch_shape: tuple[int, ...] | None, dtype: str) -> str:
        columns = num_rows if num_columns is None else num_columns
        one = f"{function}({num_rows}, {columns}, dtype={dtypes.format(dtype)})"
        return f"{repeat}({one}, {(*batch_shape, num_rows, columns)})" if batch_shape else one

    return write


def _identity_in_tensorflow(
    num_rows: int, num_columns: int | None, batch_shape: tuple[int, ...] | None, dtype: str
) -> str:
    """tf.eye({num_rows}, {num_columns}, batch_shape={batch_shape}, dtype={dtype})"""
    batch = None if batch_shape is None else list(batch_shape)
    return call("tf.eye", str(num_rows), num_columns=num_columns, batch_shape=batch, dtype=dtype)


@block(
    "Sources",
    differentiable="never",
    infer=_identity_shape,
    role=Role.SOURCE,
    formula=r"y_{i j} = [i = j]",
    gradient_formula=r"\text{shown, and passed to nothing}",
    source="tf.eye",
    spelling=Spelling(
        _identity("np.eye", "np.broadcast_to"),
        _identity_in_tensorflow,
        _identity("torch.eye", "torch.broadcast_to", "torch.{}"),
        _identity("jnp.eye", "jnp.broadcast_to"),
    ),
)
def Eye(
    *,
    num_rows: int,
    num_columns: int | None = None,
    batch_shape: IntList | None = None,
    dtype: DtypeName = "float32",
) -> Array:
    """Ones on the diagonal and zeros elsewhere, square without `num_columns`; `batch_shape` gives many of them."""
    one = np.eye(num_rows, num_columns, dtype=dtype)
    return np.broadcast_to(one, (*(batch_shape or ()), *one.shape))
