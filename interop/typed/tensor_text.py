"""Tensors as text: nested lists and NumPy's own format, read and written; tables are in `table_text`."""

from __future__ import annotations

import re
import sys
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.number_text import MINUS, is_number
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.typed.array_expressions import NoExpression, computed
from gradwire.interop.typed.exact_arrays import array_of, natural_array
from gradwire.interop.typed.tensor_parser import DEEPEST, read_printed

# 1.234,50 with a decimal comma: its parts would read as two numbers.
_GROUPED = re.compile(r"\s*[+-]?\d{1,3}(?:\.\d{3})+,\d*\s*", re.ASCII)


class Source(NamedTuple):
    """A tensor of a text, and whether the text says that it trains; None if it does not say."""

    array: Array
    trains: bool | None


def read_source(text: str, dtype: np.dtype[Any] | None = None) -> Source:
    """Reads a tensor from nested lists such as `[[1, nan], [3, inf]]`, or as a framework prints it.

    Its dtype is the one that the text names, else `dtype`, else float64, or bool if all elements are true or false.
    Raises: ParameterError if it is no tensor, or the dtype cannot hold it.
    """
    printed = read_printed(text)
    if printed.is_typed:
        dtype = natural_array(printed.numbers).dtype
    array = array_of(printed.numbers, dtype)
    if array.ndim > DEEPEST:
        raise ParameterError(f"may have at most {DEEPEST} axes")
    return Source(array, printed.trains)


def read_array(text: str, dtype: np.dtype[Any] | None = None) -> Array:
    """Reads a tensor as `read_source` does."""
    return read_source(text, dtype).array


def read_typed(text: str, point: str, dtype: np.dtype[Any] | None = None) -> Array:
    """Reads a tensor as `read_source` does, or computes one: `zeros((2, 8))`, `sqrt(2)`, `1/3`.

    A single number may have the decimal sign `point`.
    Raises: ParameterError as `read_source` does, if points group digits, or if something is not computed.
    """
    if point == "," and _GROUPED.fullmatch(text):
        raise ParameterError(f'groups digits in "{text.strip()[:20]}"; write the number without the points')
    text = with_point(text, point)
    try:
        return read_array(text, dtype)
    except ParameterError as error:
        try:
            found = computed(text)
        except NoExpression:
            raise error from None
    return found.array if found.is_typed else array_of(found.array, dtype)


def read_nested(text: str) -> object:
    """Reads a number, true, false, or a list of those in brackets.

    Raises: ParameterError if it is anything else.
    """
    return _plain(read_printed(text).numbers)


def with_point(text: str, point: str) -> str:
    """Returns a single number with a decimal point in place of `point`; any other text unchanged."""
    if text.count(point) != 1:
        return text
    changed = text.strip().replace(MINUS, "-").replace(point, ".")
    return changed if is_number(changed) else text


def array_text(array: Array) -> str:
    """Returns nested lists with the shortest text of each element that reads back as the same number."""
    if array.ndim:
        return f"[{', '.join(map(array_text, array))}]"
    item = array[()]
    return str(item).lower() if array.dtype.kind == "b" else number_text(item)


def number_text(number: object) -> str:
    """Returns the shortest text that reads back as the same number, without a trailing `.0` except in `-0.0`."""
    text = str(number)
    return text if text == "-0.0" else text.removesuffix(".0")


def numpy_text(array: Array) -> str:
    """Returns all elements as a line of Python that makes the same array with NumPy."""
    numbers = np.array2string(
        array,
        separator=", ",
        threshold=sys.maxsize,
        max_line_width=100,
        prefix="np.array(",
        formatter={"all": _python_number},
    )
    shape = f".reshape({array.shape})" if not array.size and array.ndim > 1 else ""
    return f"np.array({numbers if array.size else '[]'}, dtype=np.{_numpy_name(array)}){shape}"


def _python_number(item: Any) -> str:  # Any: a scalar of any dtype
    text = str(item)
    return text if np.isfinite(item) else text.replace("nan", "np.nan").replace("inf", "np.inf")


def _numpy_name(array: Array) -> str:
    return "bool_" if array.dtype.kind == "b" else array.dtype.name


def _plain(nested: object) -> object:
    """Returns numbers without arrays among them."""
    if isinstance(nested, list):
        return [_plain(item) for item in nested]
    return nested.tolist() if isinstance(nested, np.ndarray) else nested
