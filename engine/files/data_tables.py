"""Tables as text (CSV, TSV): a column of labels, and columns of numbers."""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, MIB, size_text
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain

_MOST_COLUMNS, _MOST_CLASSES = 10_000, 100
_NOTHING = frozenset(("", "na", "n/a", "nan", "null", "none", "?"))


class Table(NamedTuple):
    """Numbers [rows, columns], labels [rows] as numbers or as indices of `classes`, and names of the columns."""

    numbers: Array
    labels: Array
    classes: tuple[str, ...]
    columns: tuple[str, ...]


def read_table(content: bytes, label: str, name: str) -> Table:
    """Returns a table; the label is the column of that name, else the last one; NaN is where a number is missing.

    A first row with a text in it has the names; without one they are 0, 1 and so on.
    Raises: FileError if it is no table of numbers.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in content:
        raise FileError(f"{name} is no table, or is damaged.")
    line = content[: MIB + 1].split(b"\n", 1)[0]
    if len(line) > MIB:
        raise FileError(f"{name} has a first line of more than {size_text(MIB)}.")
    try:
        heading = line.decode("utf-8").rstrip("\r")
        delimiter = max(",;\t", key=heading.count)
        columns = [item.strip() for item in next(csv.reader([heading], delimiter=delimiter), [])]
    except UnicodeDecodeError as error:
        raise FileError(f"{name} is no text in UTF-8.") from error
    except csv.Error as error:
        raise FileError(f"{name} is no table, or is damaged.") from error
    is_named = not all(_is_number(item) for item in columns)
    body = content[len(line) + 1 :] if is_named else content
    columns = columns if is_named else [str(number) for number in range(len(columns))]
    _check_columns(columns, body.count(b"\n") + 1, name)
    if label and label not in columns:
        raise FileError(f"{name} has no column {label}; there are {', '.join(columns[:8])}.")
    at = columns.index(label) if label else len(columns) - 1
    numbers, labels = _plain(body, delimiter, len(columns), at) or _mixed(body, delimiter, columns, at, name)
    if not len(labels):
        raise FileError(f"{name} has no rows.")
    rest = tuple(item for number, item in enumerate(columns) if number != at)
    values, classes = (labels, ()) if isinstance(labels, np.ndarray) else _indices(labels, name)
    return Table(numbers, values, classes, rest)


def _check_columns(columns: list[str], rows: int, name: str) -> None:
    if not 2 <= len(columns) <= _MOST_COLUMNS:
        raise FileError(f"{name} has {len(columns):,} columns; it must have from 2 to {_MOST_COLUMNS:,}.")
    if len(set(columns)) < len(columns):
        raise FileError(f"{name} has two columns of the same name.")
    if rows * len(columns) * 8 > LIMITS.tensor_bytes:
        raise FileError(f"{name} holds an array above {size_text(LIMITS.tensor_bytes)}.")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.lower() in _NOTHING
    return True


def _plain(body: bytes, delimiter: str, columns: int, at: int) -> tuple[Array, Array] | None:
    """Returns numbers and labels of a table of numbers alone, or None: NumPy reads a million rows in half a second."""
    if not body.strip() or b"#" in body[:4096]:
        return None
    try:
        found = np.loadtxt(io.BytesIO(body), delimiter=delimiter, ndmin=2, comments=None, encoding="utf-8")
    except (ValueError, UnicodeDecodeError):
        return None
    if found.shape[1] != columns:
        return None
    return np.delete(found, at, axis=1), found[:, at].copy()


def _mixed(body: bytes, delimiter: str, columns: list[str], at: int, name: str) -> tuple[Array, Array | list[str]]:
    """Returns numbers, and labels as numbers or texts."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(f"{name} is no text in UTF-8.") from error
    rows: list[list[float]] = []
    labels: list[str] = []
    try:
        for number, fields in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1):
            if not fields:
                continue
            if len(fields) != len(columns):
                raise FileError(f"{name} has {len(fields)} fields in row {number:,}, not {len(columns)}.")
            label = fields.pop(at).strip()
            if label.lower() in _NOTHING:
                raise FileError(f"{name} has no label in row {number:,}.")
            labels.append(label)
            rows.append([_number(field, number, name) for field in fields])
    except csv.Error as error:
        raise FileError(f"{name} is no table, or is damaged.") from error
    numbers = np.array(rows, np.float64).reshape(len(rows), len(columns) - 1)
    return numbers, _as_numbers(labels)


def _as_numbers(labels: list[str]) -> Array | list[str]:
    try:
        return np.array([float(item) for item in labels])
    except ValueError:
        return labels


def labels_of(texts: list[str], name: str) -> Array:
    """Returns labels as numbers, or as indices of the different texts in their order.

    Raises: FileError if there are too many.
    """
    labels = _as_numbers(texts)
    return labels if isinstance(labels, np.ndarray) else _indices(labels, name)[0]


def read_names(content: bytes, name: str) -> dict[str, str]:
    """Returns the last column of a table by its first one; a heading is a row like others.

    Raises: FileError if it is no table, or has a name twice.
    """
    found: dict[str, str] = {}
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        delimiter = max(",;\t", key=text[:4096].partition("\n")[0].count)
        for number, fields in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1):
            if fields and len(fields) < 2:
                raise FileError(f"{name} has {len(fields)} fields in row {number:,}, not a file and its label.")
            if fields and fields[0].strip() in found:
                raise FileError(f"{name} has two rows for {plain(fields[0].strip())}.")
            if fields:
                found[fields[0].strip()] = fields[-1].strip()
    except UnicodeDecodeError as error:
        raise FileError(f"{name} is no text in UTF-8.") from error
    except csv.Error as error:
        raise FileError(f"{name} is no table, or is damaged.") from error
    return found


def _number(field: str, row: int, name: str) -> float:
    text = field.strip()
    if text.lower() in _NOTHING:
        return float("nan")
    try:
        return float(text)
    except ValueError as error:
        raise FileError(f'{name} has the text "{text[:40]}" in row {row:,}, where a number should be.') from error


def _indices(labels: list[str], name: str) -> tuple[Array, tuple[str, ...]]:
    classes = sorted(set(labels))
    if len(classes) > _MOST_CLASSES:
        raise FileError(f"{name} has {len(classes):,} different labels, above {_MOST_CLASSES}.")
    places = {item: number for number, item in enumerate(classes)}
    return np.array([places[item] for item in labels], np.int64), tuple(classes)
