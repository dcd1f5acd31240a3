"""Operations that arrange elements: shapes, axes, parts, joints, padding."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.models.tensors import Tensor, axis_of, broadcast, cast, made


def reshaped(self: Tensor, shape: Sequence[int]) -> Tensor:
    """Returns the elements in another shape."""
    found: Tensor = self if tuple(shape) == tuple(self.shape) else made("Reshape", self, shape=list(shape))
    return found


@operation("view.default", "reshape.default", "_unsafe_view.default", "_reshape_alias.default")
def _viewed(self: Tensor, size: Sequence[int] | None = None, shape: Sequence[int] | None = None, **_: Any) -> Tensor:
    wanted = size if size is not None else shape
    assert wanted is not None
    return reshaped(self, wanted)


@operation("view_as.default", "reshape_as.default")
def _like(self: Tensor, other: Tensor) -> Tensor:
    return reshaped(self, other.shape)


@operation("permute.default")
def _permuted(self: Tensor, dims: Sequence[int]) -> Tensor:
    found: Tensor = made("Transpose", self, perm=[axis_of(dim, self) for dim in dims])
    return found


@operation("swapaxes.default")
def _swapped_axes(self: Tensor, axis0: int, axis1: int) -> Tensor:
    return swapped(self, axis0, axis1)


@operation("transpose.int", "swapdims.default")
def swapped(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """Returns the tensor with two axes exchanged."""
    order = list(range(self.ndim))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    found: Tensor = made("Transpose", self, perm=order)
    return found


@operation("t.default", "numpy_T.default", "mT.default", "matrix_H.default", "mH.default")
def transposed(self: Tensor) -> Tensor:
    """Returns each matrix with its rows as columns."""
    return self if self.ndim < 2 else swapped(self, -2, -1)


@operation("movedim.int", "movedim.intlist")
def _moved(self: Tensor, source: Any, destination: Any) -> Tensor:
    found: Tensor = made("Transpose", self, perm=_moved_axes(self.ndim, source, destination))
    return found


def _moved_axes(rank: int, source: Any, destination: Any) -> list[int]:
    sources, targets = ([item] if isinstance(item, int) else list(item) for item in (source, destination))
    places = {target % rank: origin % rank for origin, target in zip(sources, targets, strict=True)}
    rest = iter(axis for axis in range(rank) if axis not in places.values())
    return [places[axis] if axis in places else next(rest) for axis in range(rank)]


@operation("unsqueeze.default", "unsqueeze_.default")
def _expanded(self: Tensor, dim: int) -> Tensor:
    found: Tensor = made("ExpandDims", self, axis=dim)
    return found


@operation("squeeze.dim", "squeeze.default", "squeeze.dims", "squeeze_.dim")
def _squeezed(self: Tensor, dim: Any = None) -> Tensor:
    dims = range(self.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    ones = sorted({axis_of(axis, self) for axis in dims if self.ndim and self.shape[axis] == 1})
    found: Tensor = made("Squeeze", self, axis=ones) if ones else self
    return found


@operation("unflatten.int")
def _unflattened(self: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    place = axis_of(dim, self)
    return reshaped(self, [*self.shape[:place], *sizes, *self.shape[place + 1 :]])


@operation("flatten.using_ints")
def _flattened(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    first, last = axis_of(start_dim, self), axis_of(end_dim, self)
    return reshaped(self, [*self.shape[:first], math.prod(self.shape[first : last + 1]), *self.shape[last + 1 :]])


@operation("expand.default")
def _spread(self: Tensor, size: Sequence[int]) -> Tensor:
    lead = len(size) - self.ndim
    return broadcast(self, [self.shape[place - lead] if length == -1 else length for place, length in enumerate(size)])


@operation("expand_as.default")
def _spread_as(self: Tensor, other: Tensor) -> Tensor:
    return broadcast(self, other.shape)


@operation("meshgrid.default", "meshgrid.indexing")
def _grids(tensors: Sequence[Tensor], indexing: str = "ij") -> list[Tensor]:
    return list(made("Meshgrid", *tensors, indexing=indexing))


@operation("broadcast_tensors.default")
def _all_spread(tensors: Sequence[Tensor]) -> list[Tensor]:
    shape = np.broadcast_shapes(*(item.shape for item in tensors))
    return [broadcast(item, shape) for item in tensors]


@operation("repeat.default")
def _repeated(self: Tensor, repeats: Sequence[int]) -> Tensor:
    lead = reshaped(self, [*[1] * (len(repeats) - self.ndim), *self.shape])
    found: Tensor = made("Tile", lead, multiples=list(repeats))
    return found


@operation("tile.default")
def _tiled(self: Tensor, dims: Sequence[int]) -> Tensor:
    return _repeated(self, [*[1] * (self.ndim - len(dims)), *dims])


@operation("repeat_interleave.self_int")
def _interleaved(self: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None) -> Tensor:
    flat = self if dim is not None else reshaped(self, [-1])
    place = axis_of(dim or 0, flat)
    each = made("ExpandDims", flat, axis=place + 1)
    many = broadcast(each, [*flat.shape[: place + 1], repeats, *flat.shape[place + 1 :]])
    return reshaped(many, [*flat.shape[:place], flat.shape[place] * repeats, *flat.shape[place + 1 :]])


@operation("select.int")
def selected(self: Tensor, dim: int, index: int) -> Tensor:
    """Returns the part at one place of an axis, which is gone."""
    place = axis_of(dim, self)
    at = index % max(1, self.shape[place])
    begin = [at if axis == place else 0 for axis in range(self.ndim)]
    size = [1 if axis == place else -1 for axis in range(self.ndim)]
    found: Tensor = made("Squeeze", made("Slice", self, begin=begin, size=size), axis=[place])
    return found


@operation("slice.Tensor")
def sliced(self: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
    """Returns a part of one axis, as Python's slices give it."""
    place, rank = axis_of(dim, self), self.ndim
    first, last, _ = slice(start, end, step).indices(self.shape[place])
    if (first, last, step) == (0, self.shape[place], 1):
        return self

    def along(number: int, others: int) -> list[int]:
        return [number if axis == place else others for axis in range(rank)]

    if step == 1:
        found: Tensor = made("Slice", self, begin=along(first, 0), size=along(max(0, last - first), -1))
    else:
        mask = sum(1 << axis for axis in range(rank) if axis != place)
        masks = {"begin_mask": mask, "end_mask": mask}
        found = made("StridedSlice", self, begin=along(first, 0), end=along(last, 0), strides=along(step, 1), **masks)
    return found


@operation("narrow.default")
def _narrowed(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    return sliced(self, dim, start, start + length)


@operation("cat.default", "concat.default")
def _joined(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    # An empty vector joins with anything, as in older PyTorch.
    kept = [item for item in tensors if item.shape != (0,)] or list(tensors[:1])
    dtype = np.result_type(*(np.dtype(item.dtype) for item in kept))
    found: Tensor = made("Concat", *(cast(item, dtype) for item in kept), axis=dim) if len(kept) > 1 else kept[0]
    return found


@operation("stack.default")
def _stacked(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    found: Tensor = made("Stack", *tensors, axis=dim)
    return found


@operation("split.Tensor", "chunk.default", "split_with_sizes.default", "split.sizes")
def _split(
    self: Tensor, split_size: Any = None, dim: int = 0, chunks: int | None = None, split_sizes: Any = None
) -> list[Tensor]:
    length = self.shape[dim]
    sizes = split_size if isinstance(split_size, list) else split_sizes
    if sizes is None:
        width = split_size or max(1, -(-length // (chunks or 1)))
        sizes = [min(width, length - begin) for begin in range(0, length, width)] or [0]
    return list(made("Split", self, num_or_size_splits=list(sizes), axis=dim)) if len(sizes) > 1 else [self]


@operation("tensor_split.indices")
def _split_at(self: Tensor, indices: Sequence[int], dim: int = 0) -> list[Tensor]:
    length = self.shape[dim]
    bounds = [0, *(min(max(index + length * (index < 0), 0), length) for index in indices), length]
    parts = itertools.pairwise(bounds)
    return [sliced(self, dim, begin, max(begin, end)) for begin, end in parts]


@operation("tensor_split.sections")
def _split_evenly(self: Tensor, sections: int, dim: int = 0) -> list[Tensor]:
    each, more = divmod(self.shape[dim], sections)
    sizes = [each + 1] * more + [each] * (sections - more)
    return list(made("Split", self, num_or_size_splits=sizes, axis=dim)) if sections > 1 else [self]


@operation("unbind.int")
def _unbound(self: Tensor, dim: int = 0) -> list[Tensor]:
    return list(made("Unstack", self, axis=dim))


@operation("roll.default")
def _rolled(self: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> Tensor:
    if not dims:
        flat = made("Roll", reshaped(self, [-1]), shift=list(shifts), axis=[0])
        return reshaped(flat, self.shape)
    found: Tensor = made("Roll", self, shift=list(shifts), axis=list(dims))
    return found


@operation("flip.default")
def _flipped(self: Tensor, dims: Sequence[int]) -> Tensor:
    found: Tensor = made("Reverse", self, axis=list(dims))
    return found


@operation("diff.default")
def _differences(
    self: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    parts = [item for item in (prepend, self, append) if item is not None]
    found = _joined(parts, dim)
    for _ in range(n):
        later, earlier = sliced(found, dim, 1, None), sliced(found, dim, None, -1)
        if np.dtype(found.dtype).kind == "b":
            found = made("NotEqual", later, earlier)
        else:
            found = made("Subtract", later, earlier)
    return found


@operation("tril.default")
def _lower(self: Tensor, diagonal: int = 0) -> Tensor:
    return _band(self, lambda rows, columns: columns - rows <= diagonal)


@operation("triu.default")
def _upper(self: Tensor, diagonal: int = 0) -> Tensor:
    return _band(self, lambda rows, columns: columns - rows >= diagonal)


def _band(self: Tensor, holds: Any) -> Tensor:
    rows, columns = np.indices(self.shape[-2:])
    zeros = np.zeros((), self.dtype)
    found: Tensor = made("Where", np.asarray(holds(rows, columns)), self, zeros)
    return found


@operation("diag.default")
def _diag(self: Tensor, diagonal: int = 0) -> Tensor:
    return _diagonal(self, diagonal) if self.ndim == 2 else _embedded_diagonal(self, diagonal)


@operation("diag_embed.default")
def _embedded_diagonal(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    found: Tensor = made("MatrixDiag", self, k=offset)
    return found if (dim1, dim2) == (-2, -1) else _moved(found, [-2, -1], [dim1, dim2])


@operation("diagonal.default")
def _diagonal(self: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    axes = [axis_of(dim1, self), axis_of(dim2, self)]
    moved = made("Transpose", self, perm=[*(axis for axis in range(self.ndim) if axis not in axes), *axes])
    found: Tensor = made("MatrixDiagPart", moved, k=offset)
    return found
