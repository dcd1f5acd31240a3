"""Tensors made of numbers: the same one everywhere, or evenly spaced ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from blocks.reduce import ReduceSum
from blocks.shape import Reshape
from blocks.spelled_for import spelled_for
from engine.block_type import ANY, Declaration, Role, block
from engine.errors import ParameterError, ShapeError
from engine.parameters import Axis, DtypeName, IntList
from engine.spelling import Spelling, documented
from engine.tensor_spec import DTYPES, Array, Shape, TensorSpec, broadcast_shapes, normalize_axis

SHOWN = r"\text{shown, and passed to nothing}"


def check_shape(shape: Shape, name: str = "shape") -> None:
    """Raises: ParameterError for a negative size."""
    if min(shape, default=0) < 0:
        raise ParameterError(f"{name} must have sizes of at least 0, not {list(shape)}")


def _of_shape(*, shape: Shape, dtype: str) -> TensorSpec:
    check_shape(shape)
    return TensorSpec(shape, DTYPES[dtype])


def _filled(number: int, name: str) -> Declaration:
    """The declaration of sources that hold one number everywhere."""
    return block(
        "Sources",
        infer=_of_shape,
        role=Role.SOURCE,
        formula=f"y_i = {number}",
        gradient_formula=SHOWN,
        source=f"tf.{name}",
        spelling=Spelling(
            f"np.{name}({{shape}}, {{dtype}})",
            f"tf.{name}({{shape}}, tf.{{dtype!s}})",
            f"torch.{name}({{shape}}, dtype=torch.{{dtype!s}})",
            f"jnp.{name}({{shape}}, {{dtype}})",
        ),
    )


@_filled(0, "zeros")
def Zeros(*, shape: IntList, dtype: DtypeName = "float32") -> Array:
    """A tensor of zeros."""
    return np.zeros(shape, DTYPES[dtype])


@_filled(1, "ones")
def Ones(*, shape: IntList, dtype: DtypeName = "float32") -> Array:
    """A tensor of ones."""
    return np.ones(shape, DTYPES[dtype])


def _is_scalar(value: TensorSpec) -> bool:
    return value.ndim == 0


def _repeated(value: TensorSpec, *, dims: Shape) -> TensorSpec:
    check_shape(dims, "dims")
    if value.shape not in ((), (1,)):
        raise ShapeError(f"value must be a scalar, not of shape {list(value.shape)}")
    return TensorSpec(dims, value.dtype)


@block(
    "Sources",
    infer=_repeated,
    accepts=ANY,
    formula=r"y_i = \mathrm{value}",
    gradient_formula=r"\bar v = \textstyle\sum_i \bar y_i",
    source="tf.fill",
    spelling=Spelling(
        "np.full({dims}, {value})",
        "tf.fill({dims}, {value})",
        spelled_for("{value}.expand({dims})", _is_scalar),
        spelled_for("jnp.full({dims}, {value})", _is_scalar),
    ),
)
def Fill(value: Array, *, dims: IntList) -> Array:
    """A tensor with the same number everywhere, which may be computed: it gets the sum of all gradients."""
    return np.full(dims, value)


@Fill.gradient
def fill_gradient(g: Any, value: Any, y: Any, *, dims: Shape) -> Any:
    return Reshape(ReduceSum(g), shape=value.shape)


def _steps(start: float, limit: float | None, delta: float, dtype: str | None) -> tuple[float, float, str, int]:
    """Start, step and dtype of a range, and how many numbers it has."""
    if limit is None:
        start, limit = 0.0, start
    if delta == 0:
        raise ParameterError("delta must not be 0")
    if (limit - start) * delta < 0:
        raise ParameterError(f"from {start:g} there is no way to {limit:g} in steps of {delta:g}")
    are_whole = all(number.is_integer() for number in (start, limit, delta))
    kind, count = dtype or ("int32" if are_whole else "float32"), math.ceil((limit - start) / delta)
    if DTYPES[kind].kind != "f":
        _check_whole(start, start + max(count - 1, 0) * delta, kind, are_whole)
    return start, delta, kind, count


def _check_whole(first: float, last: float, dtype: str, are_whole: bool) -> None:
    """Whether a range can be one of whole numbers."""
    if dtype == "bool" or not are_whole:
        raise ParameterError(f"a range of {dtype} cannot hold start, limit and delta: take float64")
    limits = np.iinfo(dtype)
    if not limits.min <= min(first, last) <= max(first, last) <= limits.max:
        raise ParameterError(f"numbers from {first:g} to {last:g} do not fit into {dtype}")


def _range_spec(*, start: float, limit: float | None, delta: float, dtype: str | None) -> TensorSpec:
    _, _, kind, count = _steps(start, limit, delta, dtype)
    return TensorSpec((count,), DTYPES[kind])


def _spaced(counted: str, cast: str) -> Callable[..., str]:
    """Spells a range as its first number plus steps, in its dtype: that rounds as TensorFlow does."""

    @documented(f"{counted.partition('(')[0]}({{start}}, {{limit}}, {{delta}})")
    def write(start: float, limit: float | None, delta: float, dtype: str | None) -> str:
        first, step, kind, count = _steps(start, limit, delta, dtype)
        numbers = [int(number) if DTYPES[kind].kind != "f" else number for number in (first, step)]
        steps = cast.format(counted.format(count), dtype=kind)
        return f"{steps} * {numbers[1]} + {numbers[0]}"

    return write


@block(
    "Sources",
    infer=_range_spec,
    role=Role.SOURCE,
    formula=r"y_i = \mathrm{start} + i \cdot \mathrm{delta} < \mathrm{limit}",
    gradient_formula=SHOWN,
    source="tf.range",
    spelling=Spelling(
        _spaced("np.arange({})", "{}.astype('{dtype}')"),
        _spaced("tf.range({})", "tf.cast({}, tf.{dtype})"),
        _spaced("torch.arange({})", "{}.to(torch.{dtype})"),
        _spaced("jnp.arange({})", "{}.astype('{dtype}')"),
    ),
)
def Range(*, start: float, limit: float | None = None, delta: float = 1.0, dtype: DtypeName | None = None) -> Array:
    """Numbers from `start` in steps of `delta` up to and without `limit`.

    Without a limit they run from 0 up to `start`. Without a dtype they are int32 if all three are whole numbers, else
    float32. A step in the wrong direction is an error, as in TensorFlow.
    """
    first, step, kind, count = _steps(start, limit, delta, dtype)
    number = DTYPES[kind].type
    return number(first) + np.arange(count).astype(DTYPES[kind]) * number(step)


def _between(start: TensorSpec, stop: TensorSpec, *, num: int, axis: int) -> TensorSpec:
    if num < 0:
        raise ParameterError(f"num must be at least 0, not {num}")
    shape = broadcast_shapes((start.shape, stop.shape))
    place = normalize_axis(axis, len(shape) + 1)
    return TensorSpec((*shape[:place], num, *shape[place:]), start.dtype)


def _weights(num: int, place: int, ndim: int, dtype: Any) -> Array:
    """How much of the stop is in each number, along an axis of a tensor of this rank."""
    shares = np.arange(num) / max(num - 1, 1)
    return shares.astype(dtype).reshape(-1, *[1] * (ndim - 1 - place))


@block(
    "Sources",
    infer=_between,
    formula=r"y_i = a + \tfrac{i}{n - 1}(b - a)",
    gradient_formula=r"\bar a = \textstyle\sum_i (1 - \tfrac{i}{n - 1})\,\bar y_i,"
    r"\quad \bar b = \textstyle\sum_i \tfrac{i}{n - 1}\,\bar y_i",
    source="tf.linspace",
    spelling=Spelling(
        "np.linspace({start}, {stop}, {num}, axis={axis})",
        "tf.linspace({start}, {stop}, {num}, axis={axis})",
        "",
        "jnp.linspace({start}, {stop}, {num}, axis={axis})",
    ),
)
def LinSpace(start: Array, stop: Array, *, num: int, axis: Axis = 0) -> Array:
    """So many evenly spaced numbers from `start` to `stop`, both included, along a new axis.

    A single number is `start`. Both ends may be tensors, and get gradients.
    """
    spec = _between(TensorSpec(start.shape, start.dtype), TensorSpec(stop.shape, stop.dtype), num=num, axis=axis)
    place = normalize_axis(axis, spec.ndim)
    first, last = (np.expand_dims(np.broadcast_to(end, _without(spec.shape, place)), place) for end in (start, stop))
    steps = np.arange(num).astype(start.dtype).reshape(-1, *[1] * (spec.ndim - 1 - place))
    y = first + steps * ((last - first) / start.dtype.type(max(num - 1, 1)))
    if num > 1:
        # The last number is the stop itself, whatever rounding makes of the steps.
        np.moveaxis(y, place, 0)[-1] = np.moveaxis(last, place, 0)[0]
    return y


def _without(shape: Shape, place: int) -> Shape:
    return shape[:place] + shape[place + 1 :]


@LinSpace.gradient
def lin_space_gradient(g: Any, start: Any, stop: Any, y: Any, *, num: int, axis: int) -> Any:
    place = normalize_axis(axis, y.ndim)
    share = _weights(num, place, y.ndim, start.dtype)
    return ReduceSum(g * (1 - share), axis=place), ReduceSum(g * share, axis=place)
