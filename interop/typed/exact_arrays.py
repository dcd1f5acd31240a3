"""Numbers as arrays of a dtype, and the refusal of numbers that the dtype cannot hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Array


def array_of(nested: object, dtype: np.dtype[Any] | None = None) -> Array:
    """Returns a number or nested lists of numbers as a tensor; without a dtype it is float64, or bool for truths.

    Raises: ParameterError if rows differ in length, or the dtype cannot hold a number.
    """
    array = natural_array(nested)
    natural = np.dtype(np.bool_ if array.dtype.kind == "b" else np.float64)
    dtype = natural if dtype is None else dtype
    if dtype.kind in "iu" and array.dtype.kind == "f":
        # Beside a decimal, NumPy makes float64 of whole numbers, which would round those above 2**53.
        array = np.asarray(nested, object)
    return held(array, dtype)


def natural_array(nested: object) -> Array:
    """Returns numbers in the dtype that NumPy gives them.

    Raises: ParameterError if rows differ in length, or a whole number is larger than any dtype holds.
    """
    try:
        array = np.asarray(nested)
    except ValueError as error:
        raise ParameterError("has rows of different lengths") from error
    if array.size and array.dtype.kind not in "fiub":
        raise ParameterError("holds a number that is too large")
    return array


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
    fits = _fits(array, dtype)
    return None if fits.all() else tuple(int(item) for item in np.argwhere(~fits)[0])


def _fits(array: Array, dtype: np.dtype[Any]) -> Array:
    if dtype.kind in "iu":
        return _fits_whole(array, np.iinfo(dtype))
    with np.errstate(all="ignore"):
        cast = array.astype(dtype)
        return np.asarray(np.isfinite(cast) == np.isfinite(array) if dtype.kind == "f" else cast == array)


def _fits_whole(array: Array, limits: np.iinfo[Any]) -> Array:
    """Returns which numbers are whole and within limits; a cast beyond them differs between processors."""
    numbers = array.astype(np.float64) if array.dtype.kind in "fb" else array
    with np.errstate(invalid="ignore"):
        # One above the largest is a power of two, which float64 has exactly.
        return np.asarray((numbers % 1 == 0) & (numbers >= limits.min) & (numbers < limits.max + 1))
