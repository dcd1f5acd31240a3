"""Tables of numbers as text: spreadsheets' clipboard format (tabs), and CSV with commas or semicolons."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.number_text import is_number
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.typed.exact_arrays import array_of
from gradwire.interop.typed.tensor_parser import read_scalar
from gradwire.interop.typed.tensor_text import number_text, read_nested, with_point

_NESTED = re.compile(r"\s*(?:[\[(<]|[A-Za-z_][\w.]*\(|Parameter containing:)", re.ASCII)
_WITH_COMMA = re.compile(r"[-+\N{MINUS SIGN}]?\d*,\d*(?:[eE][-+]?\d+)?", re.ASCII)
_GROUPED = re.compile(r"[-+\N{MINUS SIGN}]?[1-9]\d{0,2},\d{3}", re.ASCII)


def looks_nested(text: str) -> bool:
    """Returns whether a text is a nested list or a tensor such as `array([1., 2.])`, and so no table."""
    return _NESTED.match(text) is not None


def pasted_numbers(text: str, point: str = ".") -> Array:
    """Reads a table as `table_numbers` does; a single row of numbers between blanks may not be a difference, `3 -2`."""
    line = text.strip()
    if not line or any(mark in line for mark in '\n\t;,"'):
        return table_numbers(text, point)
    return np.atleast_2d(np.asarray(read_nested(line)))


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
    rows = [(number, _cells(line, separator)) for number, line in lines]
    if separator == "," == point and all(_WITH_COMMA.fullmatch(line.strip()) for _, line in lines):
        raise ParameterError(f'has "{lines[0][1].strip()[:20]}", one number or two; separate cells by semicolons')
    point = _decimal_sign([cell for _, cells in rows for cell in cells], separator, point)
    if len(rows) > 1 and not any(_number(cell, point) is not None for cell in rows[0][1]):
        rows = rows[1:]
    if not rows:
        raise ParameterError("is empty: there is no number in it")
    return np.asarray(_numbers(rows, point))


def table_text(array: Array, separator: str = ",") -> str:
    """Returns a tensor as lines of cells: a vector as one column, higher ranks row after row."""
    matrix = array.reshape(array.size, 1) if array.ndim < 2 else array.reshape(-1, array.shape[-1])
    return "".join(f"{separator.join(map(exact_text, row))}\n" for row in matrix)


def natural_shape(table: Array) -> Array:
    """Returns a table of one cell as a scalar, of one row or column as a vector, any other unchanged."""
    if table.size == 1:
        return table.reshape(())
    return table.ravel() if 1 in table.shape else table


def exact_text(item: Any) -> str:  # Any: a scalar of any dtype
    """Returns an element in the shortest text that reads back as the same number."""
    return str(item).lower() if item.dtype.kind == "b" else number_text(item)


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _separator(lines: list[str]) -> str:
    """Returns the separator of the cells: the first of tab, semicolon and comma that occurs, else a space."""
    return next((item for item in "\t;," if any(item in line for line in lines)), " ")


def _decimal_sign(cells: list[str], separator: str, usual: str) -> str:
    """Returns the decimal sign of all numbers in a table; `usual` is that of the user.

    Raises: ParameterError if the cells do not say whether a comma groups digits or begins decimals.
    """
    commas = [cell for cell in cells if _WITH_COMMA.fullmatch(cell)]
    points = [cell for cell in cells if "." in cell and is_number(cell)]
    if not commas or separator == ",":
        return "."
    if points:
        raise ParameterError(f'has "{commas[0][:20]}" and "{points[0][:20]}"; write all decimals with one sign')
    if separator == ";" or usual == "," or not all(_GROUPED.fullmatch(cell) for cell in commas):
        return ","
    raise ParameterError(f'has "{commas[0][:20]}", whose comma may group digits; write a point for decimals, else none')


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
