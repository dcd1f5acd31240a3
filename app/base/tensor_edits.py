"""The edits of the tensor table: functions from array to array. Impossible edits raise EditError."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gradwire.app.base.table_text import natural_shape
from gradwire.app.base.translation import tr
from gradwire.engine.base.errors import EditError, ParameterError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.typed.exact_arrays import held, misfit

Content = Literal["zeros", "ones", "range", "normal"]


@dataclass(frozen=True)
class Cells:
    """A rectangle of cells of the table shown: of a slice along the axes before the last two."""

    slice: tuple[int, ...]
    row: int
    column: int
    rows: int = 1
    columns: int = 1

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns


@dataclass(frozen=True)
class Fill:
    """The content to fill cells with: `first` and `second` are start and step of a range, or mean and deviation."""

    content: Content
    first: float = 0.0
    second: float = 1.0
    seed: int = 0

    def numbers(self, size: int) -> Array:
        """Returns this many numbers, always the same for the same fill."""
        if self.content == "range":
            return np.asarray(self.first + self.second * np.arange(size))
        if self.content == "normal":
            return np.random.default_rng(self.seed).normal(self.first, abs(self.second), size)
        return np.full(size, 1.0 if self.content == "ones" else 0.0)


def table_shape(array: Array) -> tuple[int, int]:
    """Returns rows and columns of the table of a tensor or slice; a vector is one column."""
    if array.ndim < 2:
        return array.size, 1
    return array.shape[-2], array.shape[-1]


def table_of(array: Array, index: tuple[int, ...]) -> Array:
    """Returns a view as a table: of a tensor, or of its slice at an index.

    The index counts along the axes before the last two.
    """
    if array.ndim < 2:
        return array.reshape(-1, 1)
    is_empty = 0 in array.shape[:-2]
    return np.zeros((0, array.shape[-1]), array.dtype) if is_empty else array[index]


def with_cells(array: Array, cells: Cells, numbers: Array) -> Array:
    """Returns the tensor with a rectangle of cells replaced, with floating point rounded to its dtype.

    Raises: EditError if the dtype cannot hold one of them; it names row and column.
    """
    changed = np.array(array, order="C")
    table = table_of(changed, cells.slice)
    part = numbers.reshape(cells.rows, cells.columns)
    table[cells.row : cells.row + cells.rows, cells.column : cells.column + cells.columns] = _held(part, array, cells)
    return changed


def filled(array: Array, fill: Fill, cells: Cells | None) -> Array:
    """Returns the tensor with some cells, or all elements, filled; whole numbers are rounded.

    Raises: EditError if the dtype cannot hold one of them.
    """
    numbers: Array = fill.numbers(array.size if cells is None else cells.size)
    if array.dtype.kind in "iu":
        numbers = np.rint(numbers)
    if cells is not None:
        return with_cells(array, cells, numbers)
    return _held(numbers, array, Cells((), 0, 0)).reshape(array.shape)


def pasted(array: Array, cells: Cells, table: Array) -> Array:
    """Returns the tensor with a table written from a cell on; a vector or matrix grows if needed.

    Raises: EditError if the table does not fit or the dtype cannot hold one of its numbers.
    """
    if array.ndim == 1 and table.shape[0] == 1:
        table = table.T
    rows, columns = table.shape
    if array.ndim < 2 and (columns > 1 or array.ndim == 0):
        if (cells.row, cells.column) != (0, 0):
            raise EditError(tr("A vector takes one row or one column of numbers, not a table of both."))
        return _held(natural_shape(table), array, cells)
    height, width = table_shape(array)
    needed = max(height, cells.row + rows), max(width, cells.column + columns)
    if needed != (height, width):
        if array.ndim > 2:
            text = tr("A slice of {rows} × {columns} has no room for {more_rows} × {more_columns} cells from "
                      "this cell on.",
                      rows=height, columns=width, more_rows=rows, more_columns=columns)  # fmt: skip
            raise EditError(text)
        array = resized(array, needed[:1] if array.ndim == 1 else needed)
    return with_cells(array, Cells(cells.slice, cells.row, cells.column, rows, columns), table)


def resized(array: Array, shape: tuple[int, ...]) -> Array:
    """Returns the tensor in another shape: the same elements in the same order if their number stays.

    Otherwise, for equal rank, each element stays at its index; for another rank, at its place in the order. New
    elements are 0.
    Raises: EditError if the shape is invalid or too large.
    """
    _check_room(shape, array.dtype)
    if math.prod(shape) == array.size:
        return array.reshape(shape)
    made = np.zeros(shape, array.dtype)
    if len(shape) == array.ndim:
        kept = tuple(slice(min(old, new)) for old, new in zip(array.shape, shape, strict=True))
        made[kept] = array[kept]
    else:
        count = min(array.size, made.size)
        made.reshape(-1)[:count] = array.reshape(-1)[:count]
    return made


def converted(array: Array, dtype: np.dtype[Any]) -> Array:
    """Returns the tensor in another dtype; floating point is rounded, whole numbers never.

    Raises: EditError if the dtype cannot hold one of its numbers; it names the first.
    """
    try:
        return held(array, dtype)
    except ParameterError as error:
        raise EditError(ParameterError(f"the tensor {error}").sentence) from error


def with_line(array: Array, axis: int, at: int) -> Array:
    """Returns the tensor with one more row (axis 0) or column (axis 1) of zeros in every slice.

    Raises: EditError if it would be too large.
    """
    array, axis = _with_table_axis(array, axis)
    shape = list(array.shape)
    shape[axis] += 1
    _check_room(tuple(shape), array.dtype)
    return np.insert(array, at, 0, axis=axis)


def without_lines(array: Array, axis: int, first: int, count: int) -> Array:
    """Returns the tensor without some rows (axis 0) or columns (axis 1) of its table, in every slice.

    Raises: EditError for a scalar, and for the only column of a vector.
    """
    if array.ndim == 0 or (array.ndim == 1 and axis == 1):
        raise EditError(tr("There is no row or column to remove here; change the shape instead."))
    return np.delete(array, slice(first, first + count), axis=axis if array.ndim == 1 else array.ndim - 2 + axis)


def _with_table_axis(array: Array, axis: int) -> tuple[Array, int]:
    """Returns a tensor whose table's rows or columns are an axis, and the number of that axis."""
    if array.ndim < 2 and axis == 1:
        return array.reshape(-1, 1), 1
    return (array.reshape(1), 0) if array.ndim == 0 else (array, 0 if array.ndim == 1 else array.ndim - 2 + axis)


def _held(numbers: Array, array: Array, cells: Cells) -> Array:
    first = misfit(numbers, array.dtype)
    if first is None:
        return held(numbers, array.dtype)
    row, column = (*first, 0, 0)[:2]
    place = {"row": row + cells.row, "column": column + cells.column}
    about = {**place, "dtype": array.dtype.name, "number": numbers[first]}
    text = tr("Row {row}, column {column}: {dtype} cannot hold {number}; choose another dtype first.", **about)
    raise EditError(text)


def _check_room(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if len(shape) > LIMITS.rank or any(item < 0 for item in shape):
        raise EditError(tr("A shape has at most {rank} sizes, none of them negative.", rank=LIMITS.rank))
    if math.prod(shape) * dtype.itemsize > LIMITS.tensor_bytes:
        raise EditError(tr("A tensor may have at most {size}.", size=size_text(LIMITS.tensor_bytes)))
