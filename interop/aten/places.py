"""Operations that take elements from places, or put them there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, broadcast, cast, kind, made


def _counted(index: Tensor, length: int) -> Tensor:
    """Returns places counted from 0; negative ones count from the end."""
    if isinstance(index, np.ndarray):
        return np.where(index < 0, index + length, index)
    found: Tensor = made("FloorMod", index, number(length, index))
    return found


@operation("embedding.default")
def _embedded(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    if padding_idx >= 0:
        # The row of the padding word has no gradient.
        rows = np.broadcast_to((np.arange(weight.shape[0]) == padding_idx)[:, None], weight.shape)
        weight = made("Where", np.array(rows), made("StopGradient", weight), weight)
    found: Tensor = made("Gather", weight, indices, axis=0)
    return found


@operation("index.Tensor")
def _indexed(self: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    given = [(axis, index) for axis, index in enumerate(indices) if index is not None]
    if any(kind(index) == "b" for _, index in given):
        raise ModelRefusal("a selection by a mask has a size that depends on values; use torch.where")
    if len(given) == 1:
        axis, index = given[0]
        found: Tensor = made("Gather", self, _counted(index, self.shape[axis]), axis=axis)
        return found
    axes = [axis for axis, _ in given]
    first = axes[0]
    if axes != list(range(first, first + len(axes))):
        raise ModelRefusal("indices on axes that are not side by side have no block; permute first")
    shape = np.broadcast_shapes(*(index.shape for _, index in given))
    places = [broadcast(_counted(index, self.shape[axis]), shape) for axis, index in given]
    at = made("Stack", *(cast(item, np.dtype("int64")) for item in places), axis=-1)
    # The axes before the indexed ones wait behind them meanwhile.
    rest = list(range(first))
    moved = made("Transpose", self, perm=[*range(first, self.ndim), *rest]) if rest else self
    taken = made("GatherNd", moved, at)
    if rest:
        kept = taken.ndim - len(rest)
        taken = made("Transpose", taken, perm=[*range(kept, taken.ndim), *range(kept)])
    result: Tensor = taken
    return result


@operation("index_put.default", "index_put_.default")
def _put(self: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Tensor:
    """What stands at `self[indices]` is replaced, or added to."""
    given = [item for item in indices if item is not None]
    if len(given) < len(indices):
        raise ModelRefusal("an assignment behind a whole axis, x[:, index] = y, has no block; permute first")
    if any(kind(item) == "b" for item in given):
        return _put_by_mask(self, given, values, accumulate)
    shape = np.broadcast_shapes(*(item.shape for item in given))
    places = [broadcast(_counted(item, self.shape[axis]), shape) for axis, item in enumerate(given)]
    at = made("Stack", *(cast(item, np.dtype("int64")) for item in places), axis=-1)
    parts = broadcast(values, (*shape, *self.shape[len(given) :]))
    found: Tensor = made("TensorScatterNdAdd" if accumulate else "TensorScatterNdUpdate", self, at, parts)
    return found


def _put_by_mask(self: Tensor, given: Sequence[Tensor], values: Tensor, is_added: bool) -> Tensor:
    mask = given[0]
    if len(given) > 1 or int(np.prod(values.shape)) != 1:
        raise ModelRefusal("an assignment by a mask of more than one number has no block; use torch.where")
    mask = made("Reshape", mask, shape=[*mask.shape, *(1 for _ in self.shape[mask.ndim :])])
    new = made("Reshape", values, shape=[])
    found: Tensor = made("Where", mask, made("Add", self, new) if is_added else new, self)
    return found


@operation("index_select.default")
def _selected(self: Tensor, dim: int, index: Tensor) -> Tensor:
    found: Tensor = made("Gather", self, index, axis=axis_of(dim, self))
    return found


@operation("gather.default", "take_along_dim.default")
def _gathered(
    self: Tensor, index: Tensor | None = None, dim: int = 0, sparse_grad: bool = False, indices: Tensor | None = None
) -> Tensor:
    places, axis = index if index is not None else indices, axis_of(dim, self)
    assert places is not None
    size = [length if place == axis else places.shape[place] for place, length in enumerate(self.shape)]
    source = self if size == list(self.shape) else made("Slice", self, begin=[0] * self.ndim, size=size)
    found: Tensor = made("TakeAlongAxis", source, places, axis=axis)
    return found


@operation("index_add.default", "index_add_.default")
def _added_at(self: Tensor, dim: int, index: Tensor, source: Tensor, alpha: float = 1) -> Tensor:
    if axis_of(dim, self):
        raise ModelRefusal("index_add along another axis than the first has no block; permute first")
    parts = source if alpha == 1 else made("Multiply", source, number(alpha, source))
    found: Tensor = made("TensorScatterNdAdd", self, made("ExpandDims", index, axis=-1), parts)
    return found


@operation("scatter_add.default", "scatter_add_.default")
def _added_along(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _along(self, dim, index, src, "TensorScatterNdAdd")


@operation("scatter.src", "scatter.value", "scatter_.src", "scatter_.value")
def _put_along(self: Tensor, dim: int, index: Tensor, src: Tensor | None = None, value: float = 0) -> Tensor:
    parts = np.full(index.shape, value, self.dtype) if src is None else src
    return _along(self, dim, index, parts, "TensorScatterNdUpdate")


def _along(self: Tensor, dim: int, index: Tensor, parts: Tensor, block: str) -> Tensor:
    """Returns the tensor with parts at places along one axis; at the others a part stays where it is."""
    if parts.shape != index.shape:
        parts = made("Slice", parts, begin=[0] * parts.ndim, size=list(index.shape))
    grids = [np.broadcast_to(grid, index.shape) for grid in np.indices(index.shape, sparse=True)]
    places = [index if axis == axis_of(dim, self) else np.array(grid) for axis, grid in enumerate(grids)]
    at = made("Stack", *(cast(item, np.dtype("int64")) for item in places), axis=-1)
    found: Tensor = made(block, self, at, parts)
    return found


@operation("masked_select.default", "nonzero.default", "unique.default")
def _of_values(**_: Any) -> Tensor:
    raise ModelRefusal("the size of the result depends on values, which no model here may have; use torch.where")
