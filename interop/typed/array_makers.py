"""The functions that an expression of arrays may call: their results are measured before they are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array

# What an expression computes with: numbers of Python, lists of them, arrays.
Value = Any
# Units: multiplications; a matrix product of this many takes about a second.
MOST_PRODUCTS: Final = 10**9
# float64, the largest dtype.
MOST_ELEMENTS: Final = LIMITS.tensor_bytes // 8


def checked_size(shape: Sequence[int]) -> tuple[int, ...]:
    """Returns a shape whose array is within the limits.

    Raises: ParameterError if a size is no whole number or negative, or the array would be too large.
    """
    sizes = tuple(_whole(size) for size in shape)
    if any(size < 0 for size in sizes):
        raise ParameterError(f"has a negative size in {list(sizes)}")
    if len(sizes) > LIMITS.rank:
        raise ParameterError(f"may have at most {LIMITS.rank} axes")
    if math.prod(sizes) > MOST_ELEMENTS:
        raise ParameterError(f"would have {math.prod(sizes):,} numbers; at most {MOST_ELEMENTS:,} are allowed")
    return sizes


def shape_given(given: Sequence[Value], named: Value = None) -> tuple[int, ...]:
    """Returns the shape of arguments: sizes one by one, or one list of them."""
    if named is not None:
        given = [named]
    if len(given) == 1 and isinstance(given[0], list | tuple):
        return checked_size(given[0])
    return checked_size(given)


def _whole(size: Value) -> int:
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        raise ParameterError(f"needs whole numbers as sizes, not {str(size)[:20]}")
    return int(size)


def _zeros(*sizes: Value, shape: Value = None, size: Value = None) -> Array:
    return np.zeros(shape_given(sizes, shape if shape is not None else size))


def _ones(*sizes: Value, shape: Value = None, size: Value = None) -> Array:
    return np.ones(shape_given(sizes, shape if shape is not None else size))


def _full(shape: Value = (), fill_value: Value = 0, *, dims: Value = None, value: Value = None) -> Array:
    return np.full(shape_given((), shape if dims is None else dims), _one(fill_value if value is None else value))


def _one(value: Value) -> Value:
    if np.ndim(value) or value is None:
        raise ParameterError("needs one number where it has several or none")
    return value


def _eye(n: Value, m: Value = None, *, num_rows: Value = None, num_columns: Value = None) -> Array:
    rows, columns = checked_size([n, next(item for item in (m, num_columns, n) if item is not None)])
    return np.eye(rows, columns)


def _linspace(start: Value, stop: Value = None, num: Value = 50, *, steps: Value = None, end: Value = None) -> Array:
    (count,) = checked_size([num if steps is None else steps])
    return np.linspace(_one(start), _one(stop if end is None else end), count)


def _logspace(start: Value, stop: Value, num: Value = 50, *, steps: Value = None) -> Array:
    (count,) = checked_size([num if steps is None else steps])
    return np.logspace(_one(start), _one(stop), count)


def _arange(*bounds: Value, start: Value = 0, end: Value = None, step: Value = 1) -> Array:
    if len(bounds) == 1 and end is None:
        bounds = (start, *bounds)
    first, last, by = [*bounds, *[start, end, step][len(bounds) :]]
    if not by or not all(np.isfinite([first, last, by])):
        raise ParameterError("needs a range of finite numbers with a step that is not 0")
    checked_size([max(0, math.ceil((last - first) / by))])
    return np.arange(first, last, by)


def _repeat(x: Value, repeats: Value) -> Array:
    checked_size([np.size(x) * max(0, _whole(repeats))])
    return np.repeat(x, repeats)


def _tile(x: Value, reps: Value) -> Array:
    checked_size([np.size(x) * math.prod(_whole(item) for item in np.atleast_1d(reps))])
    return np.tile(x, reps)


def _diag(x: Value) -> Array:
    array = np.asarray(x)
    if array.ndim == 1:
        checked_size([array.size, array.size])
    return np.diag(array)


def _reshape(x: Value, *shape: Value) -> Array:
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    array = np.asarray(x)
    try:
        return array.reshape([_whole(size) for size in sizes])
    except ValueError as error:
        raise ParameterError(f"has {array.size} numbers, which do not fill the shape {list(sizes)}") from error


def _reduced(apply: Callable[..., Array]) -> Callable[..., Array]:
    def reduce(x: Value, axis: Value = None, *, dim: Value = None) -> Array:
        return apply(x, axis=axis if dim is None else dim)

    return reduce


def product(x: Value, y: Value) -> Array:
    """Returns the matrix product, where it is no work of many seconds.

    Raises: ParameterError if it is.
    """
    a, b = np.asarray(x), np.asarray(y)
    columns_of_all = b.size // max(1, b.shape[-2] if b.ndim > 1 else b.size)
    if a.size * columns_of_all > MOST_PRODUCTS:
        raise ParameterError("multiplies matrices that are too large")
    rows, columns = a.shape[:-1], b.shape[-1:] if b.ndim > 1 else ()
    checked_size([*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *rows[-1:], *columns])
    found: Array = np.matmul(a, b)
    return found


MAKERS: Final[Mapping[str, Callable[..., Array]]] = {
    "zeros": _zeros,
    "ones": _ones,
    "full": _full,
    "fill": _full,
    "eye": _eye,
    "identity": _eye,
    "linspace": _linspace,
    "logspace": _logspace,
    "arange": _arange,
    "range": _arange,
    "repeat": _repeat,
    "tile": _tile,
    "diag": _diag,
    "reshape": _reshape,
    "transpose": lambda x: np.transpose(x),
    "ravel": lambda x: np.ravel(x),
    "flatten": lambda x: np.ravel(x),
    "sum": _reduced(np.sum),
    "mean": _reduced(np.mean),
    "prod": _reduced(np.prod),
    "max": _reduced(np.max),
    "min": _reduced(np.min),
    "cumsum": _reduced(np.cumsum),
    "outer": lambda x, y: product(np.reshape(x, (-1, 1)), np.reshape(y, (1, -1))),
    "dot": product,
    "matmul": product,
}
_ELEMENTWISE = (
    *("sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "abs", "sign", "square", "floor", "ceil", "round"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "degrees", "radians"),
    *("maximum", "minimum", "power", "negative", "reciprocal"),
)
_OTHER_NAMES = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "pow": "power",
    "neg": "negative",
    "absolute": "abs",
    "rint": "round",
}
ELEMENTWISE: Final[Mapping[str, Callable[..., Array]]] = {
    **{name: getattr(np, name) for name in _ELEMENTWISE},
    **{name: getattr(np, meant) for name, meant in _OTHER_NAMES.items()},
}


def _normal(rng: np.random.Generator, *given: Value, loc: Value = 0, scale: Value = 1, size: Value = None) -> Array:
    """Draws as NumPy's `normal(loc, scale, size)` does."""
    loc, scale, size = [*given, *[loc, scale, size][len(given) :]]
    return rng.normal(loc, scale, shape_given((), size))


def _uniform(rng: np.random.Generator, *given: Value, low: Value = 0, high: Value = 1, size: Value = None) -> Array:
    low, high, size = [*given, *[low, high, size][len(given) :]]
    return rng.uniform(low, high, shape_given((), size))


def _standard_normal(rng: np.random.Generator, *sizes: Value, size: Value = None, shape: Value = None) -> Array:
    return rng.standard_normal(shape_given(sizes, size if size is not None else shape))


def _standard_uniform(rng: np.random.Generator, *sizes: Value, size: Value = None, shape: Value = None) -> Array:
    return rng.random(shape_given(sizes, size if size is not None else shape))


def _integers(rng: np.random.Generator, low: Value, high: Value = None, size: Value = ()) -> Array:
    first, last = (0, low) if high is None else (low, high)
    if not first < last:
        raise ParameterError("draws whole numbers from an empty range")
    return rng.integers(first, last, shape_given((), size))


RANDOM: Final[Mapping[str, Callable[..., Array]]] = {
    "randn": _standard_normal,
    "standard_normal": _standard_normal,
    "rand": _standard_uniform,
    "random": _standard_uniform,
    "normal": _normal,
    "uniform": _uniform,
    "randint": _integers,
    "integers": _integers,
}
