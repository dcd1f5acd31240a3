"""Tensors as text: nested lists and NumPy's own format, read and written; tables are in `table_text`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import DTYPES, Array

DEEPEST: Final = 16
NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_DIGITS_KEPT = 400
_NUMBER = re.compile(NUMBER, re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_TOKEN = re.compile(rf"\s*(?:([\[\](),])|(?:{NUMBER}|[+-]?[A-Za-z]+)(?![\w.+-]))", re.ASCII)
_WORDS: dict[str, object] = {"nan": math.nan, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_WORDS |= {"infinity": math.inf, "true": True, "false": False}
_CONSTANT = re.compile(r"\b(?:np|numpy|math)\.(?=nan\b|inf\b)")
_RESHAPE = re.compile(r"(.*)\.reshape\(\(?([\d,\s]*)\)?\)\s*", re.ASCII | re.DOTALL)
# `np.array([1., 2.], dtype=float32)` and the similar output of other frameworks.
_CALL = re.compile(r"\s*(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*\s*\((.*)\)\s*", re.ASCII | re.DOTALL)
_KEYWORD = re.compile(r"(.*?),\s*(\w+)\s*=\s*(\([\d,\s]*\)|[^,()]*)\s*", re.ASCII | re.DOTALL)


def read_array(text: str, dtype: np.dtype[Any] | None = None) -> Array:
    """Reads a tensor from nested lists such as `[[1, nan], [3, inf]]` or `array([1., 2.], dtype=float32)`.

    Its dtype is the one that the text names, else `dtype`, else float64, or bool if all elements are true or false.
    Raises: ParameterError if it is no tensor, or the dtype cannot hold it.
    """
    text, shape = _without_reshape(_CONSTANT.sub("", text))
    call = _CALL.fullmatch(text)
    if call is not None:
        text, named, printed = _without_keywords(call[1])
        dtype, shape = named or dtype, shape or printed
    array = array_of(read_nested(text), dtype)
    if shape is not None and math.prod(shape) == array.size:
        array = array.reshape(shape)
    return array


def array_of(nested: object, dtype: np.dtype[Any] | None = None) -> Array:
    """Returns a number or nested lists of numbers as a tensor.

    Raises: ParameterError if rows differ in length, or the dtype cannot hold a number.
    """
    try:
        array = np.asarray(nested)
    except ValueError as error:
        raise ParameterError("has rows of different lengths") from error
    if array.size and array.dtype.kind not in "fiub":
        raise ParameterError("holds a number that is too large")
    natural = np.dtype(np.bool_ if array.dtype.kind == "b" else np.float64)
    return held(array, natural if dtype is None else dtype)


def held(array: Array, dtype: np.dtype[Any]) -> Array:
    """Returns the same numbers in another dtype; floating point is rounded.

    Raises: ParameterError if the dtype cannot hold one of them; it names the first.
    """
    first = misfit(array, dtype)
    if first is None:
        with np.errstate(all="ignore"):
            return array.astype(dtype)
    place = f" at index {list(first)}" if first else ""
    raise ParameterError(f"holds a number that {dtype.name} cannot hold: {array[first]}{place}")


def misfit(array: Array, dtype: np.dtype[Any]) -> tuple[int, ...] | None:
    """Returns the index of the first number that a dtype cannot hold, or None; rounding decimals is allowed."""
    with np.errstate(all="ignore"):
        cast = array.astype(dtype)
        fits = np.isfinite(cast) == np.isfinite(array) if dtype.kind == "f" else cast == array
    return None if fits.all() else tuple(int(item) for item in np.argwhere(~fits)[0])


def read_nested(text: str) -> object:
    """Reads a number, true, false, or a list of those in brackets.

    Commas and the outermost brackets may be missing.
    Raises: ParameterError if it is anything else.
    """
    if "..." in text:
        raise ParameterError("was shortened with '...' where it was printed; copy the whole tensor")
    tokens = list(_tokens(text))
    value, end = _item(tokens, 0)
    if end == len(tokens):
        return value
    value, end = _item(["[", *tokens, "]"], 0)
    if end != len(tokens) + 2:
        raise ParameterError("has a closing bracket too many")
    return value


def read_scalar(text: str) -> object:
    """Reads one number, true or false; returns None if the text is none of them.

    Raises: ParameterError for a whole number with too many digits.
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _WHOLE.fullmatch(text):
        if len(text) > _DIGITS_KEPT:
            raise ParameterError("holds a number that is too large")
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


def with_point(text: str, point: str) -> str:
    """Returns a single number with a decimal point in place of `point`; any other text unchanged."""
    if point == "." or text.count(point) != 1 or "." in text:
        return text
    changed = text.strip().replace("\N{MINUS SIGN}", "-").replace(point, ".")
    return changed if _NUMBER.fullmatch(changed) else text


def array_text(array: Array) -> str:
    """Returns nested lists with the shortest text of each element that reads back as the same number."""
    if array.ndim:
        return f"[{', '.join(map(array_text, array))}]"
    item = array[()]
    return str(item).lower() if array.dtype.kind == "b" else number_text(item)


def number_text(number: object) -> str:
    """Returns the shortest text that reads back as the same number, without a trailing `.0`."""
    return str(number).removesuffix(".0")


def numpy_text(array: Array) -> str:
    """Returns all elements as a line of Python that makes the same array with NumPy."""
    numbers = np.array2string(
        array,
        separator=", ",
        threshold=max(array.size, 1),
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


def _without_reshape(text: str) -> tuple[str, tuple[int, ...] | None]:
    match = _RESHAPE.fullmatch(text)
    return (text, None) if match is None else (match[1], _sizes(match[2]))


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(item) for item in re.findall(r"\d+", text))


def _without_keywords(text: str) -> tuple[str, np.dtype[Any] | None, tuple[int, ...] | None]:
    """Returns the first argument of a call, and the dtype and the shape that it names."""
    dtype, shape = None, None
    while (match := _KEYWORD.fullmatch(text)) is not None:
        head, rest = match[1], match[0][len(match[1]) :]
        for name, value in re.findall(r",\s*(\w+)\s*=\s*(\([\d,\s]*\)|[^,()]*)", rest):
            if name == "dtype":
                dtype = _dtype_called(value)
            elif name == "shape":
                shape = _sizes(value)
        text = head
    return text, dtype, shape


def _dtype_called(text: str) -> np.dtype[Any]:
    name = text.strip().strip("'\"").rpartition(".")[2]
    name = {"float": "float64", "int": "int64", "bool_": "bool", "double": "float64"}.get(name, name)
    if name not in DTYPES:
        raise ParameterError(f"has dtype {name[:20]}, which is not one of {', '.join(DTYPES)}")
    return DTYPES[name]


def _tokens(text: str) -> Iterator[object]:
    """Yields brackets and commas as text, everything else as its value."""
    text, at = text.replace("\N{MINUS SIGN}", "-").rstrip(), 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        scalar = None if match is None or match[1] else read_scalar(match[0].strip())
        if match is None or (scalar is None and not match[1]):
            raise ParameterError(f"must be numbers, in brackets for lists, {_found(text, at)}")
        yield match[1] or scalar
        at = match.end()


def _found(text: str, at: int) -> str:
    """Returns the wrong text at a position, with line and column if the text has several lines."""
    at += len(text[at:]) - len(text[at:].lstrip())
    wrong = f'not "{text[at:].strip()[:20]}"'
    if "\n" not in text:
        return wrong
    line, start = text.count("\n", 0, at), text.rfind("\n", 0, at)
    return f"{wrong} in line {line + 1}, column {at - start}"


def _item(tokens: list[object], at: int, depth: int = 0) -> tuple[object, int]:
    """Returns the value that starts at a token, and the position after it."""
    if at >= len(tokens) or depth > DEEPEST:
        raise ParameterError("lacks a closing bracket" if depth <= DEEPEST else f"may have at most {DEEPEST} axes")
    if not isinstance(tokens[at], str):
        return tokens[at], at + 1
    if tokens[at] not in ("[", "("):
        raise ParameterError(f'must be numbers, in brackets for lists, not "{tokens[at]}"')
    closing = "]" if tokens[at] == "[" else ")"
    items: list[object] = []
    at += 1
    while at < len(tokens) and tokens[at] != closing:
        item, at = _item(tokens, at, depth + 1)
        items.append(item)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise ParameterError("lacks a closing bracket")
    return items, at + 1
