"""Tensors that follow from a few numbers: one value everywhere, or values at equal distances."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT, ZerosLike
from gradwire.blocks.reduce import ReduceSum
from gradwire.blocks.shape import Split
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, NUMBER, Declaration, block
from gradwire.engine.blocktypes.parameters import Axis, DtypeName, IntList, Number
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.blocktypes.spelling import Spelling, documented


def _sizes(name: str, sizes: tuple[int, ...]) -> Shape:
    if any(size < 0 for size in sizes):
        raise ParameterError(f"{name} must have sizes of at least 0, not {list(sizes)}")
    return sizes


def _filled(value: TensorSpec, *, dims: tuple[int, ...]) -> TensorSpec:
    if value.ndim:
        raise ShapeError(f"value {list(value.shape)} must be a scalar")
    return TensorSpec(_sizes("dims", dims), value.dtype)


@block(
    "Sources",
    infer=_filled,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x",
    gradient_formula=r"\bar x = \textstyle\sum_i \bar y_i",
    source="tf.fill",
    spelling=Spelling(
        "np.full({dims}, {value})",
        "tf.fill({dims}, {value})",
        "torch.broadcast_to({value}, {dims})",
        "jnp.full({dims}, {value})",
    ),
)
def Fill(value: Array, *, dims: IntList) -> Array:
    """A tensor of this shape with a scalar in every place; the scalar receives the sum of all gradients."""
    return np.full_like(value, value, order="C", shape=dims)


@Fill.gradient
def fill_gradient(g: Any, value: Any, y: Any, *, dims: tuple[int, ...]) -> Any:
    return SumTo(g, shape=())


def _uniform(*, shape: tuple[int, ...], dtype: str) -> TensorSpec:
    return TensorSpec(_sizes("shape", shape), DTYPES[dtype])


def uniform(name: str, number: str) -> Declaration:
    """Returns the declaration of tensors of nothing but one number."""
    return block(
        "Sources",
        differentiable="never",
        infer=_uniform,
        formula=rf"y_i = {number}",
        gradient_formula=NO_GRADIENT,
        source=f"tf.{name}",
        spelling=Spelling(
            f"np.{name}({{shape}}, {{dtype}})",
            f"tf.{name}({{shape}}, tf.{{dtype!s}})",
            f"torch.{name}({{shape}}, dtype=torch.{{dtype!s}})",
            f"jnp.{name}({{shape}}, {{dtype}})",
        ),
    )


@uniform("zeros", "0")
def Zeros(*, shape: IntList, dtype: DtypeName = "float32") -> Array:
    """Nothing but zeros; as bool, nothing but false."""
    return np.zeros(shape, DTYPES[dtype])


@uniform("ones", "1")
def Ones(*, shape: IntList, dtype: DtypeName = "float32") -> Array:
    """Nothing but ones; as bool, nothing but true."""
    return np.ones(shape, DTYPES[dtype])


RangeName = Literal["float64", "float32", "float16", "int64", "int32"]


def _bounds(start: float, limit: float | None, delta: float, dtype: str | None) -> tuple[list[Any], np.dtype[Any]]:
    """Start, limit and delta as numbers of the dtype, and the dtype.

    Raises: ParameterError for a number that the dtype cannot hold.
    """
    given = [0 if limit is None else start, start if limit is None else limit, delta]
    whole = [number for number in given if isinstance(number, int)]
    is_narrow = all(-(2**31) <= number < 2**31 for number in whole)
    kind = DTYPES[dtype or ("float32" if len(whole) < len(given) else "int32" if is_narrow else "int64")]
    if kind.kind == "f":
        with np.errstate(over="ignore"):
            return [kind.type(number) for number in given], kind
    room = np.iinfo(kind)
    for number in given:
        if not isinstance(number, int) or not room.min <= number <= room.max:
            raise ParameterError(f"{kind.name} must be a whole number from {room.min} to {room.max}, not {number}")
    return given, kind


def _count(start: Any, limit: Any, delta: Any) -> int:
    """Returns the count of numbers from `start` up to and without `limit`.

    Raises: ParameterError if no number of steps leads there.
    """
    if delta == 0:
        raise ParameterError("delta must not be 0")
    if start != limit and (start < limit) != (delta > 0):
        raise ParameterError(f"steps of {delta} do not lead from {start} to {limit}")
    if isinstance(start, int):
        return -(-(limit - start) // delta)
    with np.errstate(all="ignore"):
        steps = abs((limit - start) / delta)
    if not np.isfinite(steps):
        raise ParameterError(f"the number of steps of {delta} from {start} to {limit} is beyond its dtype")
    return math.ceil(steps)


def _range_spec(*, start: float, limit: float | None, delta: float, dtype: str | None) -> TensorSpec:
    numbers, kind = _bounds(start, limit, delta, dtype)
    return TensorSpec((_count(*numbers),), kind)


def _spelled_range(template: str) -> Any:
    """Returns a line for ranges; other frameworks count the steps in float64, unlike narrow dtypes."""

    @documented(template)
    def write(*, start: float, limit: float | None, delta: float, dtype: str | None) -> str:
        numbers, kind = _bounds(start, limit, delta, dtype)
        plain = [number if isinstance(number, int) else float(number) for number in numbers]
        if _count(*plain) != _count(*numbers):
            return ""
        return template.format(start=plain[0], limit=plain[1], delta=plain[2], dtype=kind.name)

    return write


@block(
    "Sources",
    differentiable="never",
    infer=_range_spec,
    formula=r"y_i = a + i\,d < b",
    gradient_formula=NO_GRADIENT,
    source="tf.range",
    spelling=Spelling(
        _spelled_range("np.arange({start}, {limit}, {delta}, '{dtype}')"),
        _spelled_range("tf.range({start}, {limit}, {delta}, tf.{dtype})"),
        _spelled_range("torch.arange({start}, {limit}, {delta}, dtype=torch.{dtype})"),
        _spelled_range("jnp.arange({start}, {limit}, {delta}, '{dtype}')"),
    ),
)
def Range(*, start: Number, limit: Number | None = None, delta: Number = 1, dtype: RangeName | None = None) -> Array:
    """Numbers from `start` in steps of `delta`, up to and without `limit`.

    Without a limit they run from 0 to `start`. Without a dtype they are int32 if all three numbers are whole and
    written without a point (int64 if that is too narrow for one), else float32. Steps that lead away from the limit
    are an error, as in TensorFlow.
    """
    numbers, kind = _bounds(start, limit, delta, dtype)
    steps = np.arange(_count(*numbers)).astype(kind)
    return numbers[0] + steps * numbers[2]


def _steps_between(start: TensorSpec, stop: TensorSpec, *, num: int, axis: int) -> TensorSpec:
    if num < 0:
        raise ParameterError(f"num must be at least 0, not {num}")
    ends = broadcast_shapes((start.shape, stop.shape))
    place = normalize_axis(axis, len(ends) + 1)
    return TensorSpec((*ends[:place], num, *ends[place:]), _divided(start.dtype))


def _divided(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the dtype of a quotient of numbers of this dtype."""
    return dtype if dtype.kind == "f" else np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)


def _are_floats(*ends: TensorSpec) -> bool:
    return all(end.is_differentiable for end in ends)


def _along(steps: Any, axis: int, y: Any) -> Array:
    """Returns a vector as a tensor that runs along an axis of `y` and has its dtype."""
    rest = y.ndim - 1 - normalize_axis(axis, y.ndim)
    return np.reshape(np.asarray(steps, y.dtype), (-1, *[1] * rest))


@documented("torch.lerp({start}, {stop}, torch.linspace(0, 1, {num}, dtype={start}.dtype))")
def _linspace_in_torch(*, start: str, stop: str, num: int, axis: int, specs: Any) -> str:
    """Returns PyTorch's line, whose linspace passes no gradient to tensors."""
    if any(spec.ndim or not spec.is_differentiable for spec in specs):
        return ""
    return f"torch.lerp({start}, {stop}, torch.linspace(0, 1, {num}, dtype=torch.{specs[0].dtype.name}))"


@block(
    "Sources",
    infer=_steps_between,
    accepts=NUMBER,
    formula=r"y_i = a + i\,\frac{b - a}{n - 1}",
    gradient_formula=r"\bar a = \textstyle\sum_i (1 - \tfrac{i}{n - 1})\,\bar y_i,\quad "
    r"\bar b = \textstyle\sum_i \tfrac{i}{n - 1}\,\bar y_i",
    source="tf.linspace",
    spelling=Spelling(
        spelled_for("np.linspace({start}, {stop}, {num}, axis={axis})", _are_floats),
        "tf.linspace({start}, {stop}, {num}, axis={axis})",
        _linspace_in_torch,
        spelled_for("jnp.linspace({start}, {stop}, {num}, axis={axis})", _are_floats),
    ).noted("an infinite bound gives NaN, in Gradwire infinities", "numpy", "jax"),
)
def LinSpace(start: Array, stop: Array, *, num: int, axis: Axis = 0) -> Array:
    """As many numbers at equal distances from `start` to `stop`, both included, along a new axis.

    A single one is the start. Start and stop are broadcast; a gradient reaches each in the share that it has in a
    number. Whole numbers give floating point, and their difference may overflow, as in TensorFlow.
    """
    start, stop = np.broadcast_arrays(start, stop)
    first, last = (np.expand_dims(end, axis).astype(_divided(end.dtype)) for end in (start, stop))
    gap = np.expand_dims(stop - start, axis).astype(first.dtype) / first.dtype.type(max(num - 1, 1))
    inner = first + gap * _along(np.arange(1, num - 1), axis, first)
    place = (*[slice(None)] * normalize_axis(axis, first.ndim), slice(num))
    return np.concatenate([first, inner, last], axis=axis)[place]


@LinSpace.gradient
def lin_space_gradient(g: Any, start: Any, stop: Any, y: Any, *, num: int, axis: int) -> Any:
    if num < 2:
        only = ReduceSum(g, axis=axis)
        return only, ZerosLike(only)
    first, inner, last = Split(g, num_or_size_splits=(1, num - 2, 1), axis=axis)
    share = ReduceSum(inner * _along(np.arange(1, num - 1) / (num - 1), axis, g), axis=axis)
    rest = ReduceSum(first, axis=axis) + ReduceSum(inner, axis=axis) - share
    return rest, ReduceSum(last, axis=axis) + share
