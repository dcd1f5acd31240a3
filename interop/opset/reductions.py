"""Operators that make one number of several: sums, extremes, places, shares, sums so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.tensors import Tensor, axis_of, cast, kind, made
from gradwire.interop.opset.operators import Numbers, operator
from gradwire.interop.opset.shapes import integers

_INT: Final = np.dtype(np.int64)
# The block, and those before and behind it.
_REDUCTIONS: Final = {
    "ReduceSum": ("", "ReduceSum", ""), "ReduceMean": ("", "ReduceMean", ""), "ReduceMax": ("", "ReduceMax", ""),
    "ReduceMin": ("", "ReduceMin", ""), "ReduceProd": ("", "ReduceProd", ""),
    "ReduceLogSumExp": ("", "ReduceLogSumExp", ""), "ReduceL2": ("", "ReduceEuclideanNorm", ""),
    "ReduceL1": ("Abs", "ReduceSum", ""), "ReduceSumSquare": ("Square", "ReduceSum", ""),
    "ReduceLogSum": ("", "ReduceSum", "Log"),
}  # fmt: skip
_OF_MASKS: Final = {"ReduceMax": "ReduceAny", "ReduceMin": "ReduceAll"}


def _reduction(before: str, block: str, behind: str) -> Callable[..., Tensor]:
    def called(
        x: Tensor, places: Numbers | None = None, *, axes: list[int] | None = None, keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> Tensor:  # fmt: skip
        chosen = integers(axes if places is None else places) or None
        reduced = _OF_MASKS.get(block, block) if kind(x) == "b" else block
        found = made(before, x) if before else x
        if chosen is not None or not noop_with_empty_axes:
            found = made(reduced, found, axis=chosen, keepdims=bool(keepdims))
        elif block == "ReduceEuclideanNorm":
            found = made("Abs", x)
        return made(behind, found) if behind else found

    return called


for _name, _parts in _REDUCTIONS.items():
    operator(_name)(_reduction(*_parts))


def _extreme(block: str) -> Callable[..., Tensor]:
    def called(x: Tensor, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Tensor:
        place = axis_of(axis, x)
        turned = made("Reverse", x, axis=[place]) if select_last_index else x
        found = cast(made(block, turned, axis=place), _INT)
        if select_last_index:
            found = made("Subtract", np.asarray(x.shape[place] - 1, _INT), found)
        return made("ExpandDims", found, axis=place) if keepdims else found

    return called


operator("ArgMax")(_extreme("ArgMax"))
operator("ArgMin")(_extreme("ArgMin"))


def _along(x: Tensor, axis: int | None, opset: int, made_of: Callable[[Tensor, int], Any]) -> Tensor:
    """Returns what is made along an axis; before version 13 all axes from it on were one."""
    if opset >= 13:
        found: Tensor = made_of(x, axis_of(-1 if axis is None else axis, x))
        return found
    place = axis_of(1 if axis is None else axis, x)
    if place == x.ndim - 1:
        return made_of(x, place)  # type: ignore[no-any-return]
    flat = reshaped(x, [math.prod(x.shape[:place]), math.prod(x.shape[place:])])
    return reshaped(made_of(flat, 1), x.shape)


@operator("Softmax")
def _softmax(x: Tensor, *, axis: int | None = None, opset: int) -> Tensor:
    return _along(x, axis, opset, lambda item, place: made("Softmax", item, axis=place))


@operator("LogSoftmax")
def _log_softmax(x: Tensor, *, axis: int | None = None, opset: int) -> Tensor:
    return _along(x, axis, opset, lambda item, place: made("LogSoftmax", item, axis=place))


@operator("Hardmax")
def _hardmax(x: Tensor, *, axis: int | None = None, opset: int) -> Tensor:
    def hard(item: Tensor, place: int) -> Any:
        largest = made("ArgMax", item, axis=place)
        return made("OneHot", largest, depth=item.shape[place], axis=place, dtype=np.dtype(item.dtype).name)

    return _along(x, axis, opset, hard)


def _so_far(block: str) -> Callable[..., Tensor]:
    def called(x: Tensor, axis: Numbers, *, exclusive: int = 0, reverse: int = 0) -> Tensor:
        place = axis_of(int(axis.flat[0]), x)
        found: Tensor = made(block, x, axis=place, exclusive=bool(exclusive), reverse=bool(reverse))
        return found

    return called


operator("CumSum")(_so_far("Cumsum"))
operator("CumProd")(_so_far("Cumprod"))


@operator("TopK")
def _top(
    x: Tensor, count_given: Numbers | None = None, *, axis: int = -1, k: int = 0, largest: int = 1,
    sorted: int = 1,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    place = axis_of(axis, x)
    number = k if count_given is None else int(count_given.flat[0])
    moved = x if place == x.ndim - 1 else _swapped(x, place)
    if largest:
        values, places = made("TopK", moved, k=number, index_type="int64")
    else:
        order = made("ArgSort", moved, axis=-1, stable=True)
        places = cast(made("Slice", order, begin=[0] * x.ndim, size=[*moved.shape[:-1], number]), _INT)
        values = made("TakeAlongAxis", moved, places, axis=x.ndim - 1)
    if place == x.ndim - 1:
        return values, places
    return _swapped(values, place), _swapped(places, place)


def _swapped(x: Tensor, place: int) -> Tensor:
    order = list(range(x.ndim))
    order[place], order[-1] = order[-1], order[place]
    found: Tensor = made("Transpose", x, perm=order)
    return found
