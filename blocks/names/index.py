"""`x[...]`: places, slices, new axes and tensors of places, as NumPy reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.places import counted_places
from gradwire.blocks.names.promotion import Tensor, as_tensor, together
from gradwire.engine.base.errors import CallError, PlaceError
from gradwire.engine.base.tensor_spec import broadcast_shapes
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def index(x: Expression, key: object) -> Tensor:
    """Returns what an index picks.

    Integers, slices, None and ... make one slice; tensors and lists of places are gathered, as NumPy's are.
    Raises: PlaceError for a place beyond an axis, CallError for masks and what is no index.
    """
    items = _whole_key(x, key if isinstance(key, tuple) else (key,))
    is_tensor = [isinstance(item, Expression | np.ndarray | list) for item in items]
    if not any(is_tensor):
        return _sliced(x, items)
    # Beside tensors of places integers are such tensors, too.
    chosen = [tensor or _is_place(item) for item, tensor in zip(items, is_tensor, strict=True)]
    kept = [slice(None) if is_chosen else item for item, is_chosen in zip(items, chosen, strict=True)]
    places = [_places(item) for item, is_chosen in zip(items, chosen, strict=True) if is_chosen]
    axes = [number for number, is_chosen in enumerate(chosen) if is_chosen]
    return _gathered(_sliced(x, kept), places, axes)


def _is_place(item: object) -> bool:
    return isinstance(item, int | np.integer) and not isinstance(item, bool)


def _whole_key(x: Expression, key: tuple[Any, ...]) -> list[Any]:
    """Returns an index with an entry for each axis, new ones too: the ellipsis written out, known numbers as such.

    Raises: CallError for too many entries, and for what is no index.
    """
    items = [_checked(item) for item in key]
    count = sum(item is not None and item is not Ellipsis for item in items)
    if count > x.ndim:
        raise CallError(f"{count} indices are too many for a tensor of {x.ndim} axes")
    if sum(item is Ellipsis for item in items) > 1:
        raise CallError("an index has at most one ...")
    rest: list[Any] = [slice(None)] * (x.ndim - count)
    if not any(item is Ellipsis for item in items):
        return [*items, *rest]
    place = next(number for number, item in enumerate(items) if item is Ellipsis)
    return [*items[:place], *rest, *items[place + 1 :]]


def _checked(item: Any) -> Any:
    if item is None or item is Ellipsis or _is_place(item):
        return item
    if isinstance(item, slice):
        if not all(part is None or _is_place(part) for part in (item.start, item.stop, item.step)):
            raise CallError("a slice has whole numbers as bounds; a size that depends on values has no block here")
        if item.step == 0:
            raise CallError("a slice cannot have a step of 0")
        return item
    if isinstance(item, bool | np.bool_):
        raise CallError("a truth is no index; use a mask with where")
    if isinstance(item, Expression | np.ndarray | list | tuple):
        found = np.asarray(item, np.int64) if isinstance(item, list | tuple) and not item else as_tensor(item)
        if found.dtype.kind == "b":
            raise CallError(
                "a mask as an index gives a size that depends on values; multiply by it, use where, or BooleanMask"
            )
        if found.dtype.kind not in "iu":
            raise CallError(f"an index is a whole number, not {found.dtype.name}")
        return found
    raise CallError("an index is a whole number, a slice, None, ... or a tensor of places")


def _places(item: Any) -> Tensor:
    return np.asarray(item, np.int64) if _is_place(item) else as_tensor(item)


def _sliced(x: Tensor, items: list[Any]) -> Tensor:
    """Returns x[...] for integers, slices and new axes, one entry for each axis."""
    items = list(items)
    while items and items[-1] == slice(None):
        items.pop()
    if not items:
        return x
    masks: dict[str, Any] = {"begin_mask": 0, "end_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
    begin, end, strides, axis = [], [], [], 0
    for number, item in enumerate(items):
        first, last, step = 0, 0, 1
        if item is None:
            masks["new_axis_mask"] |= 1 << number
        elif isinstance(item, slice):
            first, last, step = int(item.start or 0), int(item.stop or 0), int(item.step or 1)
            masks["begin_mask"] |= (item.start is None) << number
            masks["end_mask"] |= (item.stop is None) << number
        else:
            size = x.shape[axis]
            if not -size <= item < size:
                raise PlaceError(f"index {item} is out of range: the axis has {size} elements")
            first, last = int(item) % size, int(item) % size + 1
            masks["shrink_axis_mask"] |= 1 << number
        axis += item is not None
        begin.append(first)
        end.append(last)
        strides.append(step)
    found: Tensor = library["StridedSlice"](x, begin=begin, end=end, strides=strides, **masks)
    return found


def _gathered(x: Tensor, places: list[Tensor], axes: list[int]) -> Tensor:
    """Returns the elements at tensors of places along axes; theirs stand where the first was, or in front if apart."""
    counted = [counted_places(item, x.shape[axis]) for item, axis in zip(places, axes, strict=True)]
    if len(axes) == 1:
        found: Tensor = library["Gather"](x, counted[0], axis=axes[0])
        return found
    others = [axis for axis in range(x.ndim) if axis not in axes]
    order = [*axes, *others]
    turned = x if order == sorted(order) else library["Transpose"](x, perm=order)
    shape = broadcast_shapes(item.shape for item in counted)
    wide = [item if item.shape == shape else library["BroadcastTo"](item, shape=shape) for item in together(*counted)]
    picked: Tensor = library["GatherNd"](turned, library["Stack"](*wide, axis=-1))
    is_apart = axes[-1] - axes[0] >= len(axes)
    front, rank = 0 if is_apart else axes[0], len(shape)
    if not front:
        return picked
    back = [*range(rank, rank + front), *range(rank), *range(rank + front, picked.ndim)]
    return library["Transpose"](picked, perm=back)
