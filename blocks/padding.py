"""Borders around tensors, elements repeated, and elements moved along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.indexing import ScatterGradient
from gradwire.blocks.shape import Reshape
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.parameters import Axis, Pairs, Sizes
from gradwire.engine.blocktypes.spelling import Spelling, call, documented

Mode = Literal["CONSTANT", "REFLECT", "SYMMETRIC"]
Borders = tuple[tuple[int, int], ...]


def _bordered(x: TensorSpec, *, paddings: Borders, mode: Mode, constant_values: float) -> TensorSpec:
    return TensorSpec(_shape_with_border(x.shape, paddings, mode), x.dtype)


def _shape_with_border(shape: Shape, paddings: Borders, mode: Mode) -> Shape:
    if len(paddings) != len(shape):
        raise ShapeError(f"paddings {_listed(paddings)} must hold a pair for each axis of {list(shape)}")
    for axis, (pair, size) in enumerate(zip(paddings, shape, strict=True)):
        if mode == "REFLECT" and not size:
            raise ShapeError(f"axis {axis} has no elements to reflect at")
        most = size - (mode == "REFLECT")
        if mode != "CONSTANT" and max(pair) > most:
            raise ShapeError(f"axis {axis} has {size} elements: a {mode} border may be at most {most} wide")
    return tuple(size + sum(pair) for size, pair in zip(shape, paddings, strict=True))


def _listed(paddings: Borders) -> list[list[int]]:
    return [list(pair) for pair in paddings]


@documented("np.pad({x}, {paddings}, {mode}, constant_values={constant_values})")
def _padded(x: str, paddings: Borders, mode: Mode, constant_values: float) -> str:
    return _pad_text("np", x, paddings, mode, constant_values)


@documented("jnp.pad({x}, {paddings}, {mode}, constant_values={constant_values})")
def _padded_in_jax(x: str, paddings: Borders, mode: Mode, constant_values: float) -> str:
    return _pad_text("jnp", x, paddings, mode, constant_values)


def _pad_text(module: str, x: str, paddings: Borders, mode: Mode, constant_values: float) -> str:
    if not paddings:
        return x
    more = f", constant_values={constant_values}" if mode == "CONSTANT" and constant_values else ""
    return f"{module}.pad({x}, {_listed(paddings)}, {mode.lower()!r}{more})"


@documented("tf.pad({x}, {paddings}, {mode}, constant_values={constant_values})")
def _padded_in_tensorflow(x: str, paddings: Borders, mode: Mode, constant_values: float) -> str:
    if not paddings:
        return x
    return f"tf.pad({x}, {_listed(paddings)}, {mode!r}, constant_values={constant_values})"


@documented("torch.nn.functional.pad({x}, {paddings}, value={constant_values})")
def _padded_in_torch(x: str, paddings: Borders, mode: Mode, constant_values: float) -> str:
    if mode != "CONSTANT" or not paddings:
        return ""
    flat = [number for pair in reversed(paddings) for number in pair]
    return f"torch.nn.functional.pad({x}, {flat}, value={constant_values})"


@block(
    "Shape",
    infer=_bordered,
    accepts=ANY,
    formula=r"y_{\mathrm{before} + i} = x_i",
    gradient_formula=r"\bar x_i = \textstyle\sum_{\text{copies of } x_i} \bar y",
    source="tf.pad",
    spelling=Spelling(_padded, _padded_in_tensorflow, _padded_in_torch, _padded_in_jax),
)
def Pad(x: Array, *, paddings: Pairs, mode: Mode = "CONSTANT", constant_values: float = 0.0) -> Array:
    """The tensor with a border, for each axis a pair of widths: before and after.

    CONSTANT fills it with `constant_values`, which has no gradient. REFLECT mirrors the tensor at its edge elements,
    SYMMETRIC beyond them; an element receives the gradients of all its mirror images.
    """
    if mode == "CONSTANT":
        shape = _shape_with_border(x.shape, paddings, mode)
        filled = np.full_like(x, x.dtype.type(constant_values), order="C", shape=shape)
        filled[_inner(x.shape, paddings)] = x
        return filled
    return np.pad(x, paddings, "reflect" if mode == "REFLECT" else "symmetric") if x.ndim else x


def _inner(shape: Shape, paddings: Borders) -> tuple[slice, ...]:
    return tuple(slice(before, before + size) for size, (before, _) in zip(shape, paddings, strict=True))


@Pad.gradient
def pad_gradient(g: Any, x: Any, y: Any, *, paddings: Borders, mode: Mode, constant_values: float) -> Any:
    return FoldBorders(g, paddings=paddings, mode=mode)


def _folded(g: TensorSpec, *, paddings: Borders, mode: Mode) -> TensorSpec:
    if len(paddings) != g.ndim:
        raise ShapeError(f"paddings {_listed(paddings)} must hold a pair for each axis of {list(g.shape)}")
    shape = tuple(size - sum(pair) for size, pair in zip(g.shape, paddings, strict=True))
    if min(shape, default=0) < 0:
        raise ShapeError(f"borders {_listed(paddings)} are wider than {list(g.shape)}")
    _shape_with_border(shape, paddings, mode)
    return TensorSpec(shape, g.dtype)


@block(
    "Gradient parts",
    infer=_folded,
    accepts=ANY,
    sums_products=True,
    formula=r"y_i = \textstyle\sum_{\text{images of } i} g",
    gradient_formula=r"\bar g = \mathrm{Pad}(\bar y)",
)
def FoldBorders(g: Array, *, paddings: Pairs, mode: Mode = "CONSTANT") -> Array:
    """A tensor without its border; a mirrored border is folded back and added to what it mirrors: it undoes Pad."""
    for axis, (before, after) in enumerate(paddings):
        lines = np.moveaxis(g, axis, 0)
        size = len(lines) - before - after
        kept = lines[before : before + size]
        if mode != "CONSTANT":
            kept = kept.copy()
            edge = int(mode == "REFLECT")
            kept[edge : edge + before] += lines[:before][::-1]
            kept[size - edge - after : size - edge] += lines[before + size :][::-1]
        g = np.moveaxis(kept, 0, axis)
    return g


@FoldBorders.gradient
def fold_borders_gradient(h: Any, g: Any, y: Any, *, paddings: Borders, mode: Mode) -> Any:
    return Pad(h, paddings=paddings, mode=mode)


def _shifts(shape: Shape, shift: Any, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    shifts, axes = ((item,) if isinstance(item, int) else item for item in (shift, axis))
    if len(shifts) != len(axes):
        raise ParameterError(f"shift {list(shifts)} and axis {list(axes)} must be equally long")
    return shifts, tuple(normalize_axis(item, len(shape)) for item in axes)


def _rolled(x: TensorSpec, *, shift: Any, axis: Any) -> TensorSpec:
    if x.ndim == 0:
        raise ShapeError("a scalar has no axis to roll along")
    _shifts(x.shape, shift, axis)
    return x


@block(
    "Shape",
    infer=_rolled,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x_{(i - s) \bmod n}",
    gradient_formula=r"\bar x_i = \bar y_{(i + s) \bmod n}",
    source="tf.roll",
    spelling=Spelling(
        "np.roll({x}, {shift}, {axis})",
        "tf.roll({x}, {shift}, {axis})",
        "torch.roll({x}, {shift}, {axis})",
        "jnp.roll({x}, {shift}, {axis})",
    ),
)
def Roll(x: Array, *, shift: Sizes, axis: Sizes) -> Array:
    """The elements moved by `shift` along each axis; what leaves at one end comes back at the other."""
    return np.roll(x, shift, axis)


@Roll.gradient
def roll_gradient(g: Any, x: Any, y: Any, *, shift: Any, axis: Any) -> Any:
    return Roll(g, shift=-shift if isinstance(shift, int) else tuple(-item for item in shift), axis=axis)


def _repetitions(size: int, repeats: int | tuple[int, ...]) -> tuple[int, ...]:
    counts = (repeats,) if isinstance(repeats, int) else repeats
    if len(counts) not in (1, size):
        raise ShapeError(f"repeats {list(counts)} must hold one number, or one for each of {size} elements")
    if min(counts, default=0) < 0:
        raise ParameterError(f"repeats {list(counts)} must hold numbers of at least 0")
    return counts * size if len(counts) == 1 and size != 1 else counts


def _line(x: Any, axis: int | None) -> tuple[Shape, int]:
    """Returns the shape in which things are repeated, and the axis: a flat list without an axis, and for a scalar."""
    shape = (math.prod(x.shape),) if axis is None or not x.ndim else x.shape
    return shape, normalize_axis(axis or 0, len(shape))


def _repeated(x: TensorSpec, *, repeats: Any, axis: int | None) -> TensorSpec:
    shape, place = _line(x, axis)
    total = sum(_repetitions(shape[place], repeats))
    return TensorSpec((*shape[:place], total, *shape[place + 1 :]), x.dtype)


def _repeated_in(function: str, counts: str, axis_name: str) -> Callable[..., str]:
    """Returns a line; only TensorFlow lets an axis be named for a scalar."""

    @documented(f"{function}({{x}}, {{repeats}}, {axis_name}={{axis}})")
    def write(x: str, repeats: Any, axis: int | None, specs: Sequence[TensorSpec]) -> str:
        times = str(repeats) if isinstance(repeats, int) else counts.format(list(repeats))
        return call(function, x, times, **{axis_name: axis if specs[0].ndim else None})

    return write


@block(
    "Shape",
    infer=_repeated,
    accepts=ANY,
    formula=r"y = (x_0, \dots, x_0, x_1, \dots, x_1, \dots)",
    gradient_formula=r"\bar x_i = \textstyle\sum_{\text{copies of } x_i} \bar y",
    source="tf.repeat",
    spelling=Spelling(
        _repeated_in("np.repeat", "{}", "axis"),
        "tf.repeat({x}, {repeats}, axis={axis})",
        _repeated_in("torch.repeat_interleave", "torch.tensor({})", "dim"),
        _repeated_in("jnp.repeat", "jnp.array({})", "axis"),
    ),
)
def Repeat(x: Array, *, repeats: Sizes, axis: Axis | None = None) -> Array:
    """Each element, or each slice along `axis`, several times in a row; without an axis the tensor is a flat list.

    `repeats` is one number for all, or one for each of them. A scalar counts as a vector of one element.
    """
    shape, place = _line(x, axis)
    return np.repeat(x.reshape(shape), repeats, axis=place)


@Repeat.gradient
def repeat_gradient(g: Any, x: Any, y: Any, *, repeats: Any, axis: int | None) -> Any:
    shape, place = _line(x, axis)
    sources = np.repeat(np.arange(shape[place], dtype=np.int64), repeats)
    return Reshape(ScatterGradient(g, sources, shape=shape, axis=place), shape=x.shape)
