"""Tables of numbers as text: spreadsheets' clipboard format (tabs), and CSV with commas or semicolons."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from gradwire.app.base.tensor_text import array_of, number_text, read_scalar, with_point
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Array


def looks_nested(text: str) -> bool:
    """Returns whether a text is a nested list or a call such as `array([1., 2.])`, and so no table."""
    start = text.lstrip()[:40]
    return "[" in start or "(" in start


def read_table(text: str, dtype: np.dtype[Any] | None = None, point: str = ".") -> Array:
    """Reads a table of numbers as a matrix of `dtype`, by default float64.

    A table of true and false is bool by default.
    Raises: ParameterError as `table_numbers` does, and if the dtype cannot hold a number.
    """
    return array_of(table_numbers(text, point), dtype)


def table_numbers(text: str, point: str = ".") -> Array:
    """Reads a table of numbers as a matrix in its natural dtype; `point` is the decimal separator.

    It skips lines that start with #, and a first line without any number, which holds the names of the columns.
    Raises: ParameterError that names line and column, both counted from 1.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if _counts(line)]
    separator = _separator([line for _, line in lines])
    # If semicolons separate the cells, commas are decimal separators.
    point = "," if separator == ";" else point
    rows = [(number, _cells(line, separator)) for number, line in lines]
    if len(rows) > 1 and not any(_number(cell, point) is not None for cell in rows[0][1]):
        rows = rows[1:]
    if not rows:
        raise ParameterError("is empty: there is no number in it")
    return np.asarray(_numbers(rows, point))


def table_text(array: Array, separator: str = ",") -> str:
    """Returns a tensor as lines of cells: a vector as one column, higher ranks row after row."""
    matrix = array.reshape(-1, 1) if array.ndim < 2 else array.reshape(-1, array.shape[-1])
    return "".join(f"{separator.join(map(exact_text, row))}\n" for row in matrix)


def natural_shape(table: Array) -> Array:
    """Returns a table of one cell as a scalar, of one row or column as a vector, any other unchanged."""
    if table.size == 1:
        return table.reshape(())
    return table.reshape(-1) if 1 in table.shape else table


def exact_text(item: Any) -> str:  # Any: a scalar of any dtype
    """Returns an element in the shortest text that reads back as the same number."""
    return str(item).lower() if item.dtype.kind == "b" else number_text(item)


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _separator(lines: list[str]) -> str:
    """Returns the separator of the cells: the first of tab, semicolon and comma that occurs, else a space."""
    return next((item for item in "\t;," if any(item in line for line in lines)), " ")


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=separator))]
    except csv.Error as error:
        raise ParameterError("holds a cell that is too long or breaks its line") from error


def _number(cell: str, point: str) -> object:
    return read_scalar(with_point(cell, point))


def _numbers(rows: list[tuple[int, list[str]]], point: str) -> list[list[object]]:
    width = len(rows[0][1])
    found = []
    for number, cells in rows:
        if len(cells) != width:
            first = rows[0][0]
            raise ParameterError(f"has {len(cells)} cells in line {number} but {width} in line {first}")
        found.append([_checked(cell, point, number, column) for column, cell in enumerate(cells, 1)])
    return found


def _checked(cell: str, point: str, line: int, column: int) -> object:
    value = _number(cell, point)
    if value is None:
        what = f'holds "{cell[:20]}"' if cell else "has an empty cell"
        raise ParameterError(f"{what} in line {line}, column {column}, which is no number")
    return value
