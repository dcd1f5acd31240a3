"""Diagonals of matrices. Leading axes are batches; diagonal `k` lies above the main one, or below if negative.

A pair `k` stands for all diagonals from the lower to the upper one. They are held as the rows of a table, the upper one
first; `align` says, first for those above the main diagonal and then for those below, at which end of its row a shorter
diagonal stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import ZerosLike
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.parameters import Sizes
from gradwire.engine.blocktypes.spelling import Spelling, call

Align = Literal["RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"]
Diagonals = int | tuple[int, ...]


def matrix_sizes(name: str, x: TensorSpec) -> tuple[int, int]:
    """Returns the numbers of rows and columns.

    Raises: ShapeError if it is no matrix.
    """
    if x.ndim < 2:
        raise ShapeError(f"{name} has shape {list(x.shape)}, but a matrix has at least two axes")
    rows, columns = x.shape[-2:]
    return rows, columns


def _ends(k: Diagonals) -> tuple[int, int]:
    ends = (k, k) if isinstance(k, int) else k * 2 if len(k) == 1 else k
    if len(ends) != 2 or ends[0] > ends[1]:
        raise ParameterError(f"k must be one diagonal, or the lower and the upper of several, not {list(ends)}")
    return ends[0], ends[1]


def _table_shape(rows: int, columns: int, low: int, high: int) -> Shape:
    """Returns the shape that holds these diagonals of a matrix; a single one is no table.

    Raises: ShapeError if the matrix has no such diagonal.
    """
    for end in (low, high):
        if end and not -rows < end < columns:
            raise ShapeError(f"a matrix of {rows} rows and {columns} columns has no diagonal {end}")
    longest = min(rows + min(high, 0), columns - max(low, 0))
    return (longest,) if low == high else (high - low + 1, longest)


def _places(rows: int, columns: int, table: Shape, low: int, high: int, align: Align) -> tuple[Array, Array, Array]:
    """Returns row and column of the matrix for each place of the table, and whether there is one.

    Shapes: all have that of the table.
    """
    diagonal = np.arange(high, low - 1, -1)[:, None]
    lengths = np.minimum(rows + np.minimum(diagonal, 0), columns - np.maximum(diagonal, 0))
    above, below = align.split("_")
    is_right = np.where(diagonal > 0, above == "RIGHT", (diagonal < 0) & (below == "RIGHT"))
    step = np.arange(table[-1]) - np.where(is_right, table[-1] - lengths, 0)
    row, column = step - np.minimum(diagonal, 0), step + np.maximum(diagonal, 0)
    is_inside = (step >= 0) & (step < lengths)
    return row.reshape(table), column.reshape(table), is_inside.reshape(table)


def _one_of(k: Diagonals) -> int | None:
    low, high = _ends(k)
    return low if low == high else None


def _padding(padding_value: float, specs: Sequence[TensorSpec]) -> float | None:
    """Returns the padding as TensorFlow's functions take it: only whole numbers fill integers."""
    is_whole = padding_value == int(padding_value) and (not specs or specs[0].dtype.kind != "f")
    return (int(padding_value) if is_whole else padding_value) if padding_value else None


def _taken(x: TensorSpec, *, k: Diagonals, padding_value: float, align: Align) -> TensorSpec:
    rows, columns = matrix_sizes("x", x)
    return TensorSpec((*x.shape[:-2], *_table_shape(rows, columns, *_ends(k))), x.dtype)


def _diagonal_view(function: str) -> Callable[..., str]:
    def write(x: str, k: Diagonals, padding_value: float, align: Align) -> str:
        one = _one_of(k)
        return "" if one is None else f"{function}({x}, {one}, -2, -1)"

    write.__doc__ = f"{function}({{x}}, {{k}}, -2, -1)"
    return write


def _part_in_tensorflow(
    x: str, k: Diagonals, padding_value: float, align: Align, specs: Sequence[TensorSpec] = ()
) -> str:
    """tf.linalg.diag_part({x}, k={k}, padding_value={padding_value}, align={align})"""
    return call("tf.linalg.diag_part", x, k=k, padding_value=_padding(padding_value, specs), align=align)


@block(
    "Linear algebra",
    infer=_taken,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x_{i, i + k}",
    gradient_formula=r"\bar x = \mathrm{MatrixDiag}(\bar y)",
    source="tf.linalg.diag_part",
    spelling=Spelling(
        _diagonal_view("np.diagonal"),
        _part_in_tensorflow,
        _diagonal_view("torch.diagonal"),
        _diagonal_view("jnp.diagonal"),
    ),
)
def MatrixDiagPart(x: Array, *, k: Sizes = 0, padding_value: float = 0.0, align: Align = "RIGHT_LEFT") -> Array:
    """A diagonal of each matrix: `k` above the main one, or below it if negative.

    A pair `k`, the lower and the upper end, gives all diagonals between as the rows of a matrix, the upper one first.
    Shorter ones are filled up with `padding_value`; `align` says to which end those above the main diagonal and those
    below it are moved.
    """
    (rows, columns), ends = x.shape[-2:], _ends(k)
    table = _table_shape(rows, columns, *ends)
    row, column, is_inside = _places(rows, columns, table, *ends, align)
    padded = np.full((*x.shape[:-2], *table), padding_value, dtype=x.dtype)
    padded[..., is_inside] = x[..., row[is_inside], column[is_inside]]
    return padded


@MatrixDiagPart.gradient
def matrix_diag_part_gradient(g: Any, x: Any, y: Any, *, k: Diagonals, padding_value: float, align: Align) -> Any:
    return MatrixDiag(g, k=k, num_rows=x.shape[-2], num_cols=x.shape[-1], align=align)


def _sizes_around(x: TensorSpec, k: Diagonals, num_rows: int, num_cols: int) -> tuple[int, int]:
    """Returns the size of the matrix whose diagonals fill the table `x`: as given, else the smallest, square if free.

    Raises: ShapeError or ParameterError if there is none.
    """
    low, high = _ends(k)
    if x.ndim < (1 if low == high else 2):
        raise ShapeError(f"x has shape {list(x.shape)}, but diagonals need an axis, and several of them two")
    if low != high and x.shape[-2] != high - low + 1:
        raise ShapeError(f"x has {x.shape[-2]} rows, but there are {high - low + 1} diagonals from {low} to {high}")
    least = x.shape[-1] - min(high, 0), x.shape[-1] + max(low, 0)
    if num_rows == num_cols == -1:
        num_rows = num_cols = max(least)
    rows, columns = (
        smallest if size == -1 else size for size, smallest in zip((num_rows, num_cols), least, strict=True)
    )
    if rows < least[0] or columns < least[1] or (rows > least[0] and columns > least[1]):
        raise ParameterError(
            f"diagonals of {x.shape[-1]} elements need {least[0]} rows and at least {least[1]} columns, or at least "
            f"{least[0]} rows and {least[1]} columns, not {rows} and {columns}"
        )
    if x.shape[-1]:
        _table_shape(rows, columns, low, high)
    return rows, columns


def _surrounded(
    x: TensorSpec, *, k: Diagonals, num_rows: int, num_cols: int, padding_value: float, align: Align
) -> TensorSpec:
    lead = x.shape[:-1] if _one_of(k) is not None else x.shape[:-2]
    return TensorSpec((*lead, *_sizes_around(x, k, num_rows, num_cols)), x.dtype)


def _diag_in_tensorflow(
    x: str,
    k: Diagonals,
    num_rows: int,
    num_cols: int,
    padding_value: float,
    align: Align,
    specs: Sequence[TensorSpec] = (),
) -> str:
    """tf.linalg.diag({x}, k={k}, num_rows={num_rows}, num_cols={num_cols}, padding_value={padding_value})"""
    padding = _padding(padding_value, specs)
    return call("tf.linalg.diag", x, k=k, num_rows=num_rows, num_cols=num_cols, padding_value=padding, align=align)


def _square(function: str, of_batches: bool) -> Callable[..., str]:
    """Spells a function that gives square matrices filled up with zeros."""

    def write(*, x: str, k: Diagonals, specs: Sequence[TensorSpec] = (), **rest: object) -> str:
        is_plain = rest["num_rows"] == rest["num_cols"] == -1 and rest["padding_value"] == 0
        fits = is_plain and (of_batches or not specs or specs[0].ndim == 1)
        return f"{function}({x}, {_one_of(k)})" if fits and _one_of(k) is not None else ""

    write.__doc__ = f"{function}({{x}}, {{k}})"
    return write


@block(
    "Linear algebra",
    infer=_surrounded,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{i, i + k} = x_i",
    gradient_formula=r"\bar x = \mathrm{MatrixDiagPart}(\bar y)",
    source="tf.linalg.diag",
    spelling=Spelling(
        _square("np.diag", of_batches=False),
        _diag_in_tensorflow,
        _square("torch.diag_embed", of_batches=True),
        _square("jnp.diag", of_batches=False),
    ),
)
def MatrixDiag(
    x: Array,
    *,
    k: Sizes = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: float = 0.0,
    align: Align = "RIGHT_LEFT",
) -> Array:
    """Matrices with the vectors of the last axis on diagonal `k`, and `padding_value` elsewhere.

    They are square and as small as possible unless `num_rows` or `num_cols` is given; -1 stands for what is needed. A
    pair `k`, the lower and the upper end, takes the rows of the last two axes as diagonals, the upper one first;
    `align` says at which end of its row a shorter one stands, and what remains there is not used. Diagonals that lie
    outside the matrix are refused (TensorFlow leaves them out, and then has no gradient).
    """
    low, high = _ends(k)
    lead = x.shape[:-1] if low == high else x.shape[:-2]
    rows, columns = _sizes_around(TensorSpec(x.shape, x.dtype), k, num_rows, num_cols)
    row, column, is_inside = _places(rows, columns, x.shape[len(lead) :], low, high, align)
    whole = np.full((*lead, rows, columns), padding_value, dtype=x.dtype)
    whole[..., row[is_inside], column[is_inside]] = x[..., is_inside]
    return whole


@MatrixDiag.gradient
def matrix_diag_gradient(g: Any, x: Any, y: Any, *, k: Diagonals, align: Align, **_: object) -> Any:
    # An empty diagonal may lie outside the matrix, where none can be taken.
    return MatrixDiagPart(g, k=k, align=align) if x.shape[-1] else ZerosLike(x)


def _replaced(x: TensorSpec, diagonal: TensorSpec, *, k: Diagonals, align: Align) -> TensorSpec:
    expected = (*x.shape[:-2], *_table_shape(*matrix_sizes("x", x), *_ends(k)))
    if diagonal.shape != expected:
        raise ShapeError(f"diagonal has shape {list(diagonal.shape)}, but its place has {list(expected)}")
    return x


def _scattered(x: str, diagonal: str, k: Diagonals, align: Align) -> str:
    """torch.diagonal_scatter({x}, {diagonal}, {k}, -2, -1)"""
    return "" if _one_of(k) is None else f"torch.diagonal_scatter({x}, {diagonal}, {_one_of(k)}, -2, -1)"


@block(
    "Linear algebra",
    infer=_replaced,
    accepts=ANY,
    formula=r"y_{i, i + k} = d_i,\quad y_{i j} = x_{i j} \text{ elsewhere}",
    gradient_formula=r"\bar d_i = \bar y_{i, i + k},\quad \bar x = \bar y \text{ with 0 on the diagonal}",
    source="tf.linalg.set_diag",
    spelling=Spelling("", "tf.linalg.set_diag({x}, {diagonal}, k={k}, align={align})", _scattered, ""),
)
def MatrixSetDiag(x: Array, diagonal: Array, *, k: Sizes = 0, align: Align = "RIGHT_LEFT") -> Array:
    """The matrices with diagonal `k` replaced: it lies above the main one, or below it if negative.

    A pair `k`, the lower and the upper end, replaces all diagonals between by the rows of a matrix, the upper one
    first; `align` says at which end of its row a shorter one stands, and what remains there is not used.
    """
    (rows, columns), ends = x.shape[-2:], _ends(k)
    table = _table_shape(rows, columns, *ends)
    row, column, is_inside = _places(rows, columns, table, *ends, align)
    whole = x.copy()
    whole[..., row[is_inside], column[is_inside]] = diagonal[..., is_inside]
    return whole


@MatrixSetDiag.gradient
def matrix_set_diag_gradient(g: Any, x: Any, diagonal: Any, y: Any, *, k: Diagonals, align: Align) -> Any:
    nothing = np.zeros(diagonal.shape, diagonal.dtype)
    return MatrixSetDiag(g, nothing, k=k, align=align), MatrixDiagPart(g, k=k, align=align)
