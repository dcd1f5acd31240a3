"""Operations that make one number of several: sums, extremes, places, statistics, sums so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, cast, kind, made

_INT = np.dtype("int64")
_REDUCTIONS = {
    "ReduceSum": ("sum.default", "sum.dim_IntList"),
    "ReduceMean": ("mean.default", "mean.dim"),
    "ReduceMax": ("amax.default", "max.default"),
    "ReduceMin": ("amin.default", "min.default"),
    "ReduceProd": ("prod.default", "prod.dim_int"),
    "ReduceLogSumExp": ("logsumexp.default",),
    "ReduceAll": ("all.default", "all.dim", "all.dims"),
    "ReduceAny": ("any.default", "any.dim", "any.dims"),
}


def axes(dim: Any) -> Any:
    """Returns axes as blocks take them: None, and an empty list, are all of them."""
    return None if dim is None or dim == [] else dim


def _reduction(block: str) -> Callable[..., Tensor]:
    def called(self: Tensor, dim: Any = None, keepdim: bool = False, dtype: np.dtype[Any] | None = None) -> Tensor:
        if dtype is not None:
            self = cast(self, dtype)
        elif block in ("ReduceSum", "ReduceProd") and kind(self) != "f":
            self = cast(self, _INT)
        elif block in ("ReduceAll", "ReduceAny") and kind(self) != "b":
            self = made("NotEqual", self, number(0, self))
        found: Tensor = made(block, self, axis=axes(dim), keepdims=keepdim)
        return found

    return called


for _block, _targets in _REDUCTIONS.items():
    operation(*_targets)(_reduction(_block))


def _place(block: str, self: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    flat, axis = (reshaped(self, [-1]), 0) if dim is None else (self, axis_of(dim, self))
    found = cast(made(block, flat, axis=axis), _INT)
    if keepdim:
        found = reshaped(found, [1] * self.ndim) if dim is None else made("ExpandDims", found, axis=axis)
    return found


@operation("argmax.default")
def _largest_at(self: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    return _place("ArgMax", self, dim, keepdim)


@operation("argmin.default")
def _least_at(self: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    return _place("ArgMin", self, dim, keepdim)


def _extreme(block: str) -> Callable[..., tuple[Tensor, Tensor]]:
    def called(self: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
        # PyTorch gives the gradient to the returned place alone.
        places = _place(block, self, dim, True)
        values: Tensor = made("TakeAlongAxis", self, places, axis=axis_of(dim, self))
        if keepdim:
            return values, places
        first, second = (made("Squeeze", item, axis=[axis_of(dim, self)]) for item in (values, places))
        return first, second

    return called


operation("max.dim")(_extreme("ArgMax"))
operation("min.dim")(_extreme("ArgMin"))


@operation("var.correction", "var.default", "var.dim")
def variance(
    self: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, correction: float | None = 1
) -> Tensor:
    """Returns the variance; by default the sum of squares over one less than the count."""
    places = range(self.ndim) if axes(dim) is None else [dim] if isinstance(dim, int) else dim
    chosen = [axis_of(axis, self) for axis in places]
    count = math.prod(self.shape[axis] for axis in chosen)
    less = (1 if correction is None else correction) if unbiased else 0
    found: Tensor = made("ReduceVariance", self, axis=chosen, keepdims=keepdim)
    if count <= less:
        # 0 / 0, so that what is NaN has a reason.
        found = made("Divide", made("Multiply", found, number(count, self)), number(0, self))
    elif less:
        found = made("Multiply", found, number(count / (count - less), self))
    return found


@operation("std.correction", "std.default", "std.dim")
def _deviation(self: Tensor, **how: Any) -> Tensor:
    found: Tensor = made("Sqrt", variance(self, **how))
    return found


@operation("var_mean.correction", "var_mean.dim", "var_mean.default")
def _variance_and_mean(self: Tensor, dim: Any = None, keepdim: bool = False, **how: Any) -> tuple[Tensor, Tensor]:
    mean: Tensor = made("ReduceMean", self, axis=axes(dim), keepdims=keepdim)
    return variance(self, dim, keepdim=keepdim, **how), mean


@operation("std_mean.correction", "std_mean.dim", "std_mean.default")
def _deviation_and_mean(self: Tensor, dim: Any = None, keepdim: bool = False, **how: Any) -> tuple[Tensor, Tensor]:
    found, mean = _variance_and_mean(self, dim, keepdim, **how)
    return made("Sqrt", found), mean


@operation("aminmax.default")
def _extremes(self: Tensor, dim: int | None = None, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    least, largest = (made(block, self, axis=dim, keepdims=keepdim) for block in ("ReduceMin", "ReduceMax"))
    return least, largest


@operation("nansum.default")
def _known_sum(self: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    known = made("Where", made("IsNan", self), number(0.0, self), self)
    found: Tensor = made("ReduceSum", known, axis=axes(dim), keepdims=keepdim)
    return found


@operation("logcumsumexp.default")
def _log_so_far(self: Tensor, dim: int) -> Tensor:
    top = made("StopGradient", made("ReduceMax", self, axis=[dim], keepdims=True))
    sums = made("Cumsum", made("Exp", made("Subtract", self, top)), axis=axis_of(dim, self))
    found: Tensor = made("Add", made("Log", sums), top)
    return found


@operation("cumsum.default")
def _so_far(self: Tensor, dim: int, dtype: np.dtype[Any] | None = None) -> Tensor:
    if dtype is not None or kind(self) != "f":
        self = cast(self, dtype or _INT)
    found: Tensor = made("Cumsum", self, axis=axis_of(dim, self))
    return found


@operation("linalg_vector_norm.default", "norm.ScalarOpt_dim", "norm.Scalar", "linalg_norm.default")
def norm(
    self: Tensor,
    ord: Any = 2,
    p: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """Returns the norm of vectors: of order 1, 2, infinity, or the count of what is not 0."""
    order, where = 2 if ord is None and p is None else p if p is not None else ord, axes(dim)
    how = {"axis": where, "keepdims": keepdim}
    if order == 2:
        found: Tensor = made("Sqrt", made("ReduceSum", made("Square", self), **how))
    elif order == 1:
        found = made("ReduceSum", made("Abs", self), **how)
    elif order in (math.inf, -math.inf):
        found = made("ReduceMax" if order > 0 else "ReduceMin", made("Abs", self), **how)
    elif order == 0:
        found = made("ReduceSum", cast(made("NotEqual", self, number(0.0, self)), np.dtype(self.dtype)), **how)
    else:
        powers = made("ReduceSum", made("Pow", made("Abs", self), number(float(order), self)), **how)
        found = made("Pow", powers, number(1 / order, self))
    return found


@operation("softmax.int", "_softmax.default")
def softmax(self: Tensor, dim: int, dtype: Any = None, half_to_float: bool = False) -> Tensor:
    """Returns shares that add up to 1 along an axis."""
    found: Tensor = made("Softmax", self if dtype is None else cast(self, dtype), axis=dim)
    return found


@operation("log_softmax.int", "_log_softmax.default")
def _log_softmax(self: Tensor, dim: int, dtype: Any = None, half_to_float: bool = False) -> Tensor:
    found: Tensor = made("LogSoftmax", self if dtype is None else cast(self, dtype), axis=dim)
    return found


@operation("topk.default")
def _largest(self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    axis = axis_of(dim, self)
    if axis != self.ndim - 1 or not largest:
        raise ModelRefusal("topk along another axis than the last, or of the smallest, has no block")
    values, places = made("TopK", self, k=k)
    return values, cast(places, _INT)


@operation("sort.default", "sort.stable")
def _sorted(self: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    axis = axis_of(dim, self)
    direction = "DESCENDING" if descending else "ASCENDING"
    places = cast(made("ArgSort", self, axis=axis, direction=direction), _INT)
    return made("TakeAlongAxis", self, places, axis=axis), places


@operation("normalize.default")
def _normalized(self: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    size = made("Maximum", norm(self, p, dim=[dim], keepdim=True), number(eps, self))
    found: Tensor = made("Divide", self, size)
    return found


def mean_of(self: Tensor, reduction: int) -> Tensor:
    """Returns a loss by PyTorch's number of a reduction: 0 none, 1 the mean, 2 the sum."""
    if reduction == 0:
        return self
    found: Tensor = made("ReduceMean" if reduction == 1 else "ReduceSum", self)
    return found
