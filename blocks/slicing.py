"""Parts of tensors, cut out by their places; the opposite puts a part into zeros, and the two are a closed pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.padding import Pad
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.parameters import IntList
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


def _ends(shape: Shape, begin: tuple[int, ...], size: tuple[int, ...]) -> Shape:
    """Returns the end of the part along each axis; a size of -1 reaches to the end of the tensor."""
    if len(begin) != len(shape) or len(size) != len(shape):
        raise ShapeError(f"begin {list(begin)} and size {list(size)} must hold a number for each axis of {list(shape)}")
    ends = []
    for axis, (start, count, whole) in enumerate(zip(begin, size, shape, strict=True)):
        end = whole if count == -1 else start + count
        if start < 0 or count < -1 or start > whole or end > whole:
            raise ShapeError(f"axis {axis} has {whole} elements, but {start} to {end} is asked for")
        ends.append(end)
    return tuple(ends)


def _cut_out(x: TensorSpec, *, begin: tuple[int, ...], size: tuple[int, ...]) -> TensorSpec:
    ends = _ends(x.shape, begin, size)
    return TensorSpec(tuple(end - start for start, end in zip(begin, ends, strict=True)), x.dtype)


@documented("{x}[{begin}:{begin}+{size}]")
def _indexed(x: str, begin: Shape, size: Shape, specs: Sequence[TensorSpec]) -> str:
    ends = _ends(specs[0].shape, begin, size)
    return f"{x}[{', '.join(f'{start}:{end}' for start, end in zip(begin, ends, strict=True)) or '...'}]"


@documented("tf.slice({x}, {begin}, {size})")
def _sliced_in_tensorflow(x: str, begin: Shape, size: Shape) -> str:
    return f"tf.slice({x}, {begin}, {size})" if begin else x


@block(
    "Shape",
    infer=_cut_out,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x_{\mathrm{begin} + i}",
    gradient_formula=r"\bar x = \bar y \text{ among zeros}",
    source="tf.slice",
    spelling=Spelling(_indexed, _sliced_in_tensorflow, _indexed, _indexed),
)
def Slice(x: Array, *, begin: IntList, size: IntList) -> Array:
    """The part that begins at `begin` and is as large as `size` says, where -1 means all the rest.

    A part that reaches over the edge is an error; the gradient of what is left out is 0.

    Also known as dynamic_slice and narrow.
    """
    ends = _ends(x.shape, begin, size)
    return x[tuple(slice(start, end) for start, end in zip(begin, ends, strict=True))]


@Slice.gradient
def slice_gradient(g: Any, x: Any, y: Any, *, begin: tuple[int, ...], size: tuple[int, ...]) -> Any:
    ends = _ends(x.shape, begin, size)
    return Pad(g, paddings=tuple((start, whole - end) for start, end, whole in zip(begin, ends, x.shape, strict=True)))


# What stands for one axis: an index of NumPy.
_Item = slice | int | None


def _items(ndim: int, begin: Shape, end: Shape, strides: Shape | None, masks: dict[str, int]) -> list[_Item]:
    """Returns the index of NumPy that tf.strided_slice means: in each mask bit i is about entry i."""
    steps = (1,) * len(begin) if strides is None else strides
    if not len(begin) == len(end) == len(steps):
        raise ShapeError(f"begin {list(begin)}, end {list(end)} and strides {list(steps)} must be equally long")
    if 0 in steps:
        raise ParameterError("strides must not hold 0")
    has = {name: [bool(mask >> place & 1) for place in range(len(begin))] for name, mask in masks.items()}
    if masks["ellipsis_mask"] & (masks["ellipsis_mask"] - 1):
        raise ParameterError("ellipsis_mask must name one entry at most")
    items: list[_Item] = []
    named = sum(not (a or b) for a, b in zip(has["ellipsis_mask"], has["new_axis_mask"], strict=True))
    if named > ndim:
        raise ShapeError(f"{named} entries are about axes, but the tensor has {ndim}")
    for place, (start, stop, step) in enumerate(zip(begin, end, steps, strict=True)):
        if has["ellipsis_mask"][place]:
            items += [slice(None)] * (ndim - named)
        elif has["new_axis_mask"][place]:
            items.append(None)
        elif has["shrink_axis_mask"][place]:
            if step < 0:
                raise ParameterError(f"stride {step} must be above 0 where one element is picked")
            items.append(start)
        else:
            items.append(
                slice(None if has["begin_mask"][place] else start, None if has["end_mask"][place] else stop, step)
            )
    return items + [slice(None)] * (ndim - sum(item is not None for item in items))


def _checked_items(shape: Shape, parameters: dict[str, Any]) -> tuple[_Item, ...]:
    masks = {name: value for name, value in parameters.items() if name.endswith("_mask")}
    items = _items(len(shape), parameters["begin"], parameters["end"], parameters["strides"], masks)
    axis = 0
    for item in items:
        if isinstance(item, int) and not -shape[axis] <= item < shape[axis]:
            raise ShapeError(f"index {item} is outside of axis {axis}, which has {shape[axis]} elements")
        axis += item is not None
    return tuple(items)


def _sliced_shape(shape: Shape, items: tuple[_Item, ...]) -> Shape:
    """Returns the shape that an index leaves, without an array."""
    sizes, found = iter(shape), []
    for item in items:
        if item is None:
            found.append(1)
        else:
            whole = next(sizes)
            if isinstance(item, slice):
                found.append(len(range(*item.indices(whole))))
    return tuple(found)


def _strided(x: TensorSpec, **parameters: Any) -> TensorSpec:
    return TensorSpec(_sliced_shape(x.shape, _checked_items(x.shape, parameters)), x.dtype)


@documented("{x}[{begin}:{end}:{strides}]")
def _strides_indexed(x: str, specs: Sequence[TensorSpec], **parameters: Any) -> str:
    return f"{x}[{', '.join(map(_index_text, _checked_items(specs[0].shape, parameters))) or '...'}]"


@documented("{x}[{begin}:{end}:{strides}]")
def _forward_indexed(x: str, specs: Sequence[TensorSpec], **parameters: Any) -> str:
    """Returns a line for PyTorch, which steps forward only."""
    items = _checked_items(specs[0].shape, parameters)
    is_backward = any(isinstance(item, slice) and item.step is not None and item.step < 0 for item in items)
    return "" if is_backward else _strides_indexed(x, specs=specs, **parameters)


def _index_text(item: _Item) -> str:
    if not isinstance(item, slice):
        return str(item)
    ends = ":".join("" if end is None else str(end) for end in (item.start, item.stop))
    return ends if item.step in (None, 1) else f"{ends}:{item.step}"


@documented("tf.strided_slice({x}, {begin}, {end}, {strides}, begin_mask={begin_mask}, end_mask={end_mask})")
def _strided_in_tensorflow(x: str, begin: Shape, end: Shape, strides: Shape | None, **masks: int) -> str:
    if not begin:
        return x
    given = {name: mask for name, mask in masks.items() if mask}
    return call("tf.strided_slice", x, str(begin), str(end), strides=strides, **given)


@block(
    "Shape",
    infer=_strided,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x_{\mathrm{begin} + i \cdot \mathrm{stride}}",
    gradient_formula=r"\bar x = \bar y \text{ among zeros}",
    source="tf.strided_slice",
    spelling=Spelling(
        _strides_indexed,
        _strided_in_tensorflow,
        _forward_indexed,
        _strides_indexed,
    ),
)
def StridedSlice(
    x: Array,
    *,
    begin: IntList,
    end: IntList,
    strides: IntList | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """The slice that Python's x[begin:end:stride, ...] gives, one entry an axis; places beyond the edge are cut off.

    In each mask bit i is about entry i: without a begin, without an end, an ellipsis, a new axis, or one element whose
    axis is left out. The gradient of what is left out is 0.
    """
    masks = {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask}
    masks |= {"new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}
    return x[tuple(_items(x.ndim, begin, end, strides, masks))]


@StridedSlice.gradient
def strided_slice_gradient(g: Any, x: Any, y: Any, **parameters: Any) -> Any:
    return SliceIntoZeros(g, shape=x.shape, **parameters)


def _put_back(g: TensorSpec, *, shape: Shape, **parameters: Any) -> TensorSpec:
    if min(shape, default=0) < 0:
        raise ParameterError(f"shape {list(shape)} may hold only sizes of at least 0")
    expected = _sliced_shape(shape, _checked_items(shape, parameters))
    if g.shape != expected:
        raise ShapeError(f"g has shape {list(g.shape)}, but this slice of {list(shape)} has {list(expected)}")
    return TensorSpec(shape, g.dtype)


@block(
    "Gradient parts",
    infer=_put_back,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{\mathrm{begin} + i \cdot \mathrm{stride}} = g_i",
    gradient_formula=r"\bar g = \mathrm{StridedSlice}(\bar y)",
)
def SliceIntoZeros(
    g: Array,
    *,
    shape: IntList,
    begin: IntList,
    end: IntList,
    strides: IntList | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """Zeros of a shape with a tensor at the places that StridedSlice would take from it: its gradient."""
    masks = {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask}
    masks |= {"new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}
    whole = np.zeros_like(g, order="C", shape=shape)
    whole[tuple(_items(len(shape), begin, end, strides, masks))] = g
    return whole


@SliceIntoZeros.gradient
def slice_into_zeros_gradient(h: Any, g: Any, y: Any, *, shape: Shape, **parameters: Any) -> Any:
    return StridedSlice(h, **parameters)
