"""Reductions along axes: sums, means, extremes, and where they stand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.names.entry import Function, named
from gradwire.blocks.names.promotion import (
    Operand,
    Tensor,
    as_mask,
    as_real,
    as_tensor,
    cast,
    is_number,
    together,
)
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library

Axes = int | list[int] | tuple[int, ...] | None


def axes_given(name: str, axis: object, keepdims: object) -> dict[str, Any]:
    """Returns the axes and whether they stay, as blocks take them.

    Raises: CallError for what are no axes: another tensor, a dtype in the place of `keepdims`.
    """
    if not isinstance(keepdims, bool | np.bool_):
        raise CallError(f"{name}: keepdim is True or False, not {keepdims!r}; say which argument it is by its name")
    items = axis if isinstance(axis, list | tuple) else [axis]
    if not all(item is None or (isinstance(item, int | np.integer) and not isinstance(item, bool)) for item in items):
        raise CallError(f"{name}: an axis is a whole number, not {axis!r}")
    given = tuple(map(int, axis)) if isinstance(axis, list | tuple) else None if axis is None else int(axis)  # type: ignore[call-overload]
    return {"axis": given, "keepdims": bool(keepdims)}


def _signatures(numpy: str, torch: str, tensorflow: str, *, dtype: bool = False) -> list[str]:
    more = ", dtype=None" if dtype else ""
    return [
        f"{numpy}(a, axis=None{more}, out=None, keepdims=False)",
        f"{numpy.replace('np.', 'jnp.').replace('|np.', '|jnp.')}(a, axis=None{more}, out=None, keepdims=False)",
        f"{torch}(input, dim=None, keepdim=False, *{more or ', out=None'})",
        f"{tensorflow}(input_tensor, axis=None, keepdims=False)",
    ]


def _summing(block: str, x: Operand, dtype: object, **how: Any) -> Tensor:
    """Returns a sum or product in `dtype`; of masks and of small integers it is int64, as in PyTorch."""
    found = as_tensor(x)
    if dtype is not None:
        found = cast(found, dtype)
    elif found.dtype.kind in "biu":
        found = cast(found, np.int64)
    result: Tensor = library[block](found, **how)
    return result


@named("sum", *_signatures("np.sum", "torch.sum", "tf.reduce_sum", dtype=True), block="ReduceSum", is_method=True)
def sum_(x: Operand, axis: Axes = None, keepdims: bool = False, *, dtype: object = None) -> Tensor:
    """The sum of all elements, or along axes; masks are counted."""
    return _summing("ReduceSum", x, dtype, **axes_given("sum", axis, keepdims))


@named("prod", *_signatures("np.prod", "torch.prod", "tf.reduce_prod", dtype=True), block="ReduceProd", is_method=True)
def prod(x: Operand, axis: Axes = None, keepdims: bool = False, *, dtype: object = None) -> Tensor:
    """The product of all elements, or along axes."""
    return _summing("ReduceProd", x, dtype, **axes_given("prod", axis, keepdims))


@named("mean", *_signatures("np.mean", "torch.mean", "tf.reduce_mean", dtype=True), block="ReduceMean", is_method=True)
def mean(x: Operand, axis: Axes = None, keepdims: bool = False, *, dtype: object = None) -> Tensor:
    """The mean of all elements, or along axes; of integers and masks it is float64."""
    found = as_tensor(x) if dtype is None else cast(x, dtype)
    result: Tensor = library["ReduceMean"](as_real(found), **axes_given("mean", axis, keepdims))
    return result


def _extreme(block: str, of_masks: str, name: str, x: Operand, axis: object, keepdims: object) -> Tensor:
    found, how = as_tensor(x), axes_given(name, axis, keepdims)
    axes = range(found.ndim) if how["axis"] is None else np.atleast_1d(how["axis"])
    if any(-found.ndim <= item < found.ndim and found.shape[item] == 0 for item in axes):
        raise CallError(f"{name}: there are no elements of which one could be chosen")
    result: Tensor = library[of_masks if found.dtype.kind == "b" else block](found, **how)
    return result


@named(
    "amax",
    "np.amax|np.max|jnp.amax|jnp.max(a, axis=None, out=None, keepdims=False)",
    "torch.amax(input, dim=(), keepdim=False, *, out=None)",
    "tf.reduce_max(input_tensor, axis=None, keepdims=False)",
    block="ReduceMax",
    is_method=True,
)
def amax(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The largest element, or that along axes; equal ones share the gradient."""
    return _extreme("ReduceMax", "ReduceAny", "amax", x, None if axis == () else axis, keepdims)


@named(
    "amin",
    "np.amin|np.min|jnp.amin|jnp.min(a, axis=None, out=None, keepdims=False)",
    "torch.amin(input, dim=(), keepdim=False, *, out=None)",
    "tf.reduce_min(input_tensor, axis=None, keepdims=False)",
    block="ReduceMin",
    is_method=True,
)
def amin(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The smallest element, or that along axes; equal ones share the gradient."""
    return _extreme("ReduceMin", "ReduceAll", "amin", x, None if axis == () else axis, keepdims)


def _of_all_or_two(name: str, block: str, whole: Function) -> Function:
    def extreme(x: Operand, y: Operand = None, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
        is_axis = is_number(y) or isinstance(y, tuple)
        if axis is not None or is_axis:
            raise CallError(
                f"{name} with an axis is the values in NumPy, and a pair of values and places in PyTorch; "
                f"write a{name} for the values, arg{name} for the places"
            )
        found: Tensor = whole(x, None, keepdims) if y is None else library[block](*together(x, y))
        return found

    return extreme


@named("max", "torch.max(input, other=None, *, dim: axis=None, keepdim=False)", is_method=True)
def max_(x: Operand, y: Operand = None, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The largest of all elements, or the larger elements of two tensors; along an axis write `amax`."""
    return _of_all_or_two("max", "Maximum", amax)(x, y, axis=axis, keepdims=keepdims)


@named("min", "torch.min(input, other=None, *, dim: axis=None, keepdim=False)", is_method=True)
def min_(x: Operand, y: Operand = None, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The smallest of all elements, or the smaller elements of two tensors; along an axis write `amin`."""
    return _of_all_or_two("min", "Minimum", amin)(x, y, axis=axis, keepdims=keepdims)


def _spread(name: str, x: Operand, axis: Axes, keepdims: bool, correction: int | None) -> Tensor:
    """Returns the variance, divided by the count less the correction."""
    if correction is None:
        raise CallError(
            f"{name} divides by n in NumPy and by n - 1 in PyTorch; write correction=0 for n, correction=1 for n - 1"
        )
    found, how = as_real(x), axes_given(name, axis, keepdims)
    given = how["axis"]
    axes = range(found.ndim) if given is None else given if isinstance(given, tuple) else (given,)
    count = math.prod(found.shape[item] for item in axes)
    variance: Tensor = library["ReduceVariance"](found, **how)
    if not correction:
        return variance
    factor = np.asarray(count / (count - correction) if count > correction else np.inf, found.dtype)
    scaled: Tensor = library["Multiply"](variance, factor)
    return scaled


_OF_SPREAD = (
    "np.{0}|jnp.{0}(a, axis=None, dtype=None, out=None, ddof: correction=0, keepdims=False)",
    "torch.{0}(input, dim=None, unbiased=None, keepdim=False, *, correction=1)",
)


def _correction(correction: int | None, ddof: int | None, unbiased: bool | None) -> int | None:
    given = [int(item) for item in (correction, ddof, unbiased) if item is not None]
    if len(given) > 1 and unbiased is None:
        raise CallError("correction and ddof say the same; write one of them")
    return given[-1] if given else None


@named("var", *(item.format("var") for item in _OF_SPREAD), block="ReduceVariance", is_method=True)
def var(
    x: Operand,
    axis: Axes = None,
    *,
    keepdims: bool = False,
    correction: int | None = None,
    ddof: int | None = None,
    unbiased: bool | None = None,
) -> Tensor:
    """The variance; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 as in PyTorch."""
    return _spread("var", x, axis, keepdims, _correction(correction, ddof, unbiased))


@named("std", *(item.format("std") for item in _OF_SPREAD), block="ReduceStd", is_method=True)
def std(
    x: Operand,
    axis: Axes = None,
    *,
    keepdims: bool = False,
    correction: int | None = None,
    ddof: int | None = None,
    unbiased: bool | None = None,
) -> Tensor:
    """The standard deviation; `correction` (or `ddof`) is what is taken from the count: 0 as in NumPy, 1 in PyTorch."""
    taken = _correction(correction, ddof, unbiased)
    if taken == 0:
        found: Tensor = library["ReduceStd"](as_real(x), **axes_given("std", axis, keepdims))
        return found
    root: Tensor = library["Sqrt"](_spread("std", x, axis, keepdims, taken))
    return root


named("_reduce_variance", "tf.math.reduce_variance(input_tensor, axis=None, keepdims=False)", block="ReduceVariance")(
    lambda x, axis=None, keepdims=False: var(x, axis, keepdims=keepdims, correction=0)
)
named("_reduce_std", "tf.math.reduce_std(input_tensor, axis=None, keepdims=False)", block="ReduceStd")(
    lambda x, axis=None, keepdims=False: std(x, axis, keepdims=keepdims, correction=0)
)


@named(
    "logsumexp",
    "np.logsumexp|jax.nn.logsumexp|jax.scipy.special.logsumexp(a, axis=None, b=None, keepdims=False)",
    "torch.logsumexp(input, dim, keepdim=False, *, out=None)",
    "tf.reduce_logsumexp(input_tensor, axis=None, keepdims=False)",
    block="ReduceLogSumExp",
    is_method=True,
)
def logsumexp(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials, without overflow."""
    found: Tensor = library["ReduceLogSumExp"](as_real(x), **axes_given("logsumexp", axis, keepdims))
    return found


def _of_masks(block: str) -> Callable[[str, Operand, object, object], Tensor]:
    def reduce(name: str, x: Operand, axis: object, keepdims: object) -> Tensor:
        found: Tensor = library[block](as_mask(x), **axes_given(name, axis, keepdims))
        return found

    return reduce


@named("all", *_signatures("np.all", "torch.all", "tf.reduce_all"), block="ReduceAll", is_method=True)
def all_(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """True where all elements are true; numbers are true unless they are 0."""
    return _of_masks("ReduceAll")("all", x, axis, keepdims)


@named("any", *_signatures("np.any", "torch.any", "tf.reduce_any"), block="ReduceAny", is_method=True)
def any_(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """True where any element is true; numbers are true unless they are 0."""
    return _of_masks("ReduceAny")("any", x, axis, keepdims)


def _place(block: str, name: str, x: Operand, axis: int | None, keepdims: bool, nan: str = "first") -> Tensor:
    """Returns the first place of an extreme along an axis, or among all elements in order, as int64."""
    found, how = as_tensor(x), axes_given(name, axis, keepdims)
    numbers = cast(found, np.int64) if found.dtype.kind == "b" else found
    if axis is None:
        flat = numbers if numbers.ndim == 1 else library["Reshape"](numbers, shape=(-1,))
        place = cast(library[block](flat, axis=0, nan=nan), np.int64)
        return library["Reshape"](place, shape=(1,) * found.ndim) if keepdims else place
    if not isinstance(how["axis"], int):
        raise CallError(f"{name} takes one axis, not {axis!r}")
    counted = how["axis"]
    place = cast(library[block](numbers, axis=counted, nan=nan), np.int64)
    return library["ExpandDims"](place, axis=counted) if keepdims else place


_OF_PLACES = (
    "np.{0}|jnp.{0}(a, axis=None, out=None, *, keepdims=False)",
    "torch.{0}(input, dim=None, keepdim=False)",
)


@named(
    "argmax",
    *(item.format("argmax") for item in _OF_PLACES),
    block="ArgMax",
    is_method=True,
)
def argmax(x: Operand, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The first place of the largest element along an axis; without one, among all elements in order."""
    return _place("ArgMax", "argmax", x, axis, keepdims)


@named(
    "argmin",
    *(item.format("argmin") for item in _OF_PLACES),
    block="ArgMin",
    is_method=True,
)
def argmin(x: Operand, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The first place of the smallest element along an axis; without one, among all elements in order."""
    return _place("ArgMin", "argmin", x, axis, keepdims)


def _of_tensorflow(name: str, block: str) -> None:
    """Declares TensorFlow's function, which skips NaN."""

    def place(x: Operand, axis: int = 0) -> Tensor:
        return _place(block, name, x, axis, False, nan="skip")

    place.__doc__ = f"The place that {block} gives, which skips NaN."
    named(f"_{name}", f"tf.{name}|tf.math.{name}(input, axis=0)", block=block)(place)


_of_tensorflow("argmax", "ArgMax")
_of_tensorflow("argmin", "ArgMin")


@named(
    "count_nonzero",
    "np.count_nonzero|jnp.count_nonzero(a, axis=None, *, keepdims=False)",
    "torch.count_nonzero(input, dim=None)",
    "tf.math.count_nonzero(input, axis=None, keepdims=False)",
    block="CountNonzero",
)
def count_nonzero(x: Operand, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The number of elements that are not 0."""
    return sum_(as_mask(x), axis, keepdims)
