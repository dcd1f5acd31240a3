"""Tensors made from numbers, gradients as tensors, and dtypes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import Operand, Tensor, as_tensor, cast, dtype_name
from gradwire.engine.base.errors import CallError
from gradwire.engine.base.tensor_spec import check_fits
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library


def _shape(name: str, sizes: tuple[object, ...], dtype: object) -> tuple[int, ...]:
    """Returns sizes given one by one or as one tuple, if a tensor of them can be made."""
    items = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], list | tuple) else sizes
    if not all(isinstance(item, int | np.integer) and not isinstance(item, bool) and item >= 0 for item in items):
        raise CallError(f"{name} takes whole sizes of at least 0, not {', '.join(map(str, sizes))}")
    shape = tuple(map(int, items))
    check_fits(shape, np.dtype(dtype_name(dtype)))
    return shape


_OF_SIZES = "torch.{0}(*size: shape, dtype=None, requires_grad=False)"


@named(
    "zeros",
    "np.zeros|jnp.zeros(shape, dtype=None)",
    _OF_SIZES.format("zeros"),
    "tf.zeros(shape, dtype='float32')",
    block="Zeros",
)
def zeros(*shape: Any, dtype: object = None) -> Tensor:
    """Zeros of a shape, float64 unless another dtype is asked for."""
    return _filled("Zeros", "zeros", shape, dtype)


@named(
    "ones",
    "np.ones|jnp.ones(shape, dtype=None)",
    _OF_SIZES.format("ones"),
    "tf.ones(shape, dtype='float32')",
    block="Ones",
)
def ones(*shape: Any, dtype: object = None) -> Tensor:
    """Ones of a shape, float64 unless another dtype is asked for."""
    return _filled("Ones", "ones", shape, dtype)


def _filled(block: str, name: str, shape: tuple[Any, ...], dtype: object) -> Tensor:
    kind = "float64" if dtype is None else dtype_name(dtype)
    found: Tensor = library[block](shape=_shape(name, shape, kind), dtype=kind)
    return found


@named(
    "full",
    "np.full|jnp.full(shape, fill_value, dtype=None)",
    "torch.full(size: shape, fill_value, *, dtype=None)",
    "tf.fill(dims: shape, value: fill_value)",
)
def full(shape: Any, fill_value: Operand, dtype: object = None) -> Tensor:
    """One number in every place of a shape."""
    value = as_tensor(fill_value) if dtype is None else cast(as_tensor(fill_value), dtype)
    sizes = _shape("full", shape if isinstance(shape, tuple) else (shape,), value.dtype)
    source = value if isinstance(value, Expression) else constant(value)
    found: Tensor = library["Fill"](source, dims=sizes)
    return found


@named(
    "zeros_like",
    "np.zeros_like|jnp.zeros_like(a, dtype=None)",
    "torch.zeros_like(input, *, dtype=None)",
    "tf.zeros_like(input, dtype=None)",
    block="ZerosLike",
)
def zeros_like(x: Operand, dtype: object = None) -> Tensor:
    """Zeros in the shape and dtype of a tensor."""
    found: Tensor = library["ZerosLike"](as_tensor(x))
    return found if dtype is None else cast(found, dtype)


@named(
    "ones_like",
    "np.ones_like|jnp.ones_like(a, dtype=None)",
    "torch.ones_like(input, *, dtype=None)",
    "tf.ones_like(input, dtype=None)",
    block="OnesLike",
)
def ones_like(x: Operand, dtype: object = None) -> Tensor:
    """Ones in the shape and dtype of a tensor."""
    found: Tensor = library["OnesLike"](as_tensor(x))
    return found if dtype is None else cast(found, dtype)


@named("full_like", "np.full_like|jnp.full_like(a, fill_value)", "torch.full_like(input, fill_value)")
def full_like(x: Operand, fill_value: Operand) -> Tensor:
    """One number in every place of a tensor's shape, in its dtype."""
    found = as_tensor(x)
    return full(found.shape, cast(as_tensor(fill_value), found.dtype))


@named(
    "eye",
    "np.eye|jnp.eye(N: n, M: m=None, k=0, dtype=None)",
    "torch.eye(n, m=None, *, dtype=None)",
    "tf.eye(num_rows: n, num_columns: m=None, batch_shape=None, dtype='float32')",
    "np.identity|jnp.identity(n, dtype=None)",
    block="Eye",
)
def eye(n: int, m: int | None = None, dtype: object = None) -> Tensor:
    """A matrix with ones on its diagonal, float64 unless another dtype is asked for."""
    kind = "float64" if dtype is None else dtype_name(dtype)
    rows, columns = _shape("eye", (n, n if m is None else m), kind)
    found: Tensor = library["Eye"](num_rows=rows, num_columns=columns, dtype=kind)
    return found


@named(
    "arange",
    "np.arange|jnp.arange(start, stop: end=None, step=None, dtype=None)",
    "torch.arange(start, end=None, step=1, *, dtype=None)",
    "tf.range(start, limit: end=None, delta: step=1, dtype=None)",
    block="Range",
)
def arange(start: float, end: float | None = None, step: float | None = 1, *, dtype: object = None) -> Tensor:
    """Numbers from 0 or `start` up to but without `end`; int64 if all of them are whole, else float64."""
    first, last = (0, start) if end is None else (start, end)
    pace = 1 if step is None else step
    given = (first, last, pace)
    if any(isinstance(item, bool) or not isinstance(item, int | float | np.number) for item in given) or not pace:
        raise CallError("arange takes numbers, and a step other than 0; len(x) or x.shape[0] is the size of a tensor")
    whole = all(isinstance(item, int | np.integer) for item in given)
    kind = dtype_name(dtype) if dtype is not None else "int64" if whole else "float64"
    _shape("arange", (max(0, math.ceil((last - first) / pace)),), kind)
    if whole:
        found: Tensor = library["Range"](start=int(first), limit=int(last), delta=int(pace), dtype=kind)
        return found
    return constant(np.arange(first, last, pace).astype(kind))


@named(
    "linspace",
    "np.linspace|jnp.linspace(start, stop: end, num: steps=50)",
    "torch.linspace(start, end, steps, *, dtype=None)",
    "tf.linspace(start, stop: end, num: steps)",
)
def linspace(start: float, end: float, steps: int = 50, *, dtype: object = None) -> Tensor:
    """So many numbers at equal distances, from `start` to `end` inclusive."""
    _shape("linspace", (steps,), "float64")
    return constant(np.linspace(start, end, steps).astype("float64" if dtype is None else dtype_name(dtype)))


@named(
    "tensor",
    "torch.tensor|torch.as_tensor(data: x, *, dtype=None, device: _device=None, requires_grad=False)",
    "np.array|np.asarray|jnp.array|jnp.asarray(a, dtype=None, copy=True)",
    "tf.constant|tf.convert_to_tensor(value, dtype=None)",
    block="Constant",
)
def tensor(x: Any, dtype: object = None, requires_grad: bool = False, *, _device: object = None) -> Expression:
    """A Constant of numbers, float64 or int64 as written; with `requires_grad` a Variable, which training changes."""
    if isinstance(x, Expression):
        return x if dtype is None else cast(x, dtype)  # type: ignore[return-value]
    value = as_tensor(x)
    array = np.asarray(value if dtype is None else cast(value, dtype))
    made: Expression = library["Variable" if requires_grad else "Constant"](value=array)
    return made


@named(
    "grad",
    "torch.autograd.grad(outputs: y, inputs: xs, retain_graph=None, create_graph=False)",
    "tf.gradients(ys: y, xs)",
    block="Gradients",
)
def grad(y: Expression, xs: Any, *, create_graph: bool = True, retain_graph: bool | None = None) -> Any:
    """The gradient of the sum of `y` with respect to a tensor, as a tensor; a tuple for a list of them."""
    wanted = list(xs) if isinstance(xs, list | tuple) else [xs]
    if not isinstance(y, Expression) or not all(isinstance(item, Expression) for item in wanted):
        raise CallError("grad takes an expression, and those that it is computed from: grad(y, x)")
    found: tuple[Expression, ...] = library["Gradients"](y, *wanted)
    return found if isinstance(xs, list | tuple) else found[0]
