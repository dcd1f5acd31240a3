"""Functions of each element that need more than their block: bounds, roundings, softmax and running sums."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import (
    Operand,
    Tensor,
    apply,
    as_float,
    as_real,
    as_tensor,
    cast,
    common_dtype,
    is_number,
)
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library

_OF_ONE = "exp log log1p expm1 sqrt rsqrt sin cos tan tanh sinh cosh sigmoid relu square sign erf erfc"
METHODS = frozenset(f"{_OF_ONE} isnan isinf isfinite arcsin arccos arctan asin acos atan logsigmoid".split())
"""The functions of one tensor by the blocks' spellings that are methods, too."""


def _whole_numbers(name: str, block: str, *signatures: str) -> None:
    """Declares a rounding: whole numbers stay as they are."""

    def rounded(x: Operand) -> Tensor:
        found = as_tensor(x)
        result: Tensor = found if found.dtype.kind != "f" else apply(block, found)
        return result

    rounded.__doc__ = library[block].summary
    named(name, *signatures, block=block, is_method=True)(rounded)


_whole_numbers("floor", "Floor", "np.floor(x, out=None)", "torch.floor(input)", "tf.floor|tf.math.floor|jnp.floor(x)")
_whole_numbers("ceil", "Ceil", "np.ceil(x, out=None)", "torch.ceil(input)", "tf.math.ceil|jnp.ceil(x)")


@named(
    "round",
    "np.round|np.around(a, decimals=0, out=None)",
    "torch.round(input, *, decimals=0)",
    "tf.round(x)",
    "jnp.round(a, decimals=0, out=None)",
    block="Round",
    is_method=True,
)
def round_(x: Operand, decimals: int = 0) -> Tensor:
    """Each element rounded to whole numbers, or to `decimals`; halves go to the even neighbour."""
    found = as_tensor(x)
    if found.dtype.kind == "b":
        raise CallError("round is for numbers, not for masks (bool)")
    if found.dtype.kind in "iu":
        return found if decimals >= 0 else cast(round_(cast(found, np.float64), decimals), found.dtype)
    wide = as_float(found)
    if not decimals:
        return apply("Round", wide)
    scale = np.asarray(10.0 ** abs(decimals), wide.dtype)
    there, back = ("Multiply", "Divide") if decimals > 0 else ("Divide", "Multiply")
    return library[back](library["Round"](library[there](wide, scale)), scale)


@named(
    "reciprocal",
    "np.reciprocal(x, out=None)",
    "torch.reciprocal(input)",
    "tf.math.reciprocal|jnp.reciprocal(x)",
    block="Reciprocal",
    is_method=True,
)
def reciprocal(x: Operand) -> Tensor:
    """One divided by each element.

    Raises: CallError for integers, of which NumPy gives 0 and PyTorch fractions.
    """
    if as_tensor(x).dtype.kind != "f":
        raise CallError("reciprocal of integers is 0 in NumPy and a fraction in PyTorch; write 1 / x")
    found: Tensor = library["Reciprocal"](as_tensor(x))
    return found


@named(
    "clip",
    "np.clip(a, a_min=None, a_max=None, out=None, *, min: low=None, max: high=None)",
    "torch.clip(input, min=None, max=None)",
    "jnp.clip(arr, min=None, max=None)",
    "tf.clip_by_value(t: x, clip_value_min, clip_value_max)",
    block="ClipByValue",
    is_method=True,
)
@named("clamp", "torch.clamp(input, min=None, max=None)", block="ClipByValue", is_method=True)
def clip(x: Operand, low: Operand = None, high: Operand = None) -> Tensor:
    """Each element, but at least `low` and at most `high`; where they cross, `high` as in NumPy and PyTorch."""
    if low is None and high is None:
        raise CallError("clip takes a lower bound, an upper bound or both")
    bounds = [item for item in (low, high) if item is not None]
    dtype = common_dtype((x, *bounds))
    found = cast(x, dtype)
    limits = [cast(as_tensor(item, dtype if is_number(item) else None), dtype) for item in bounds]
    if len(limits) == 1:
        return library["Maximum" if high is None else "Minimum"](found, *limits)
    if all(is_number(item) for item in bounds) and low <= high:
        return library["ClipByValue"](found, *limits)
    return library["Minimum"](library["Maximum"](found, limits[0]), limits[1])


def _axis_of_softmax(name: str, x: Tensor, axis: int | None) -> int:
    """Returns the axis; unsaid it is the last one, where all frameworks that take none agree.

    Raises: CallError above two axes, where they do not.
    """
    if axis is None and x.ndim > 2:
        raise CallError(f"{name} of {x.ndim} axes needs its axis: write dim=-1 for the last one")
    return -1 if axis is None else axis


def _softmax(name: str, block: str, x: Operand, axis: int | None, dtype: object) -> Tensor:
    found = as_real(x) if dtype is None else cast(x, dtype)
    result: Tensor = library[block](found, axis=_axis_of_softmax(name, found, axis))
    return result


def _of_softmax(name: str) -> list[str]:
    return [
        f"torch.{name}(input, dim, dtype=None)",
        f"F.{name}|torch.nn.functional.{name}(input, dim=None, _stacklevel=3, dtype=None)",
        f"tf.nn.{name}(logits, axis=-1)",
        f"jax.nn.{name}(x, axis=-1)",
    ]


@named("softmax", *_of_softmax("softmax"), block="Softmax", is_method=True)
def softmax(x: Operand, axis: int | None = None, *, dtype: object = None) -> Tensor:
    """Exponentials divided by their sum along an axis; the last one of a vector or matrix, if none is given."""
    return _softmax("softmax", "Softmax", x, axis, dtype)


@named("log_softmax", *_of_softmax("log_softmax"), block="LogSoftmax", is_method=True)
def log_softmax(x: Operand, axis: int | None = None, *, dtype: object = None) -> Tensor:
    """The logarithm of softmax, without overflow."""
    return _softmax("log_softmax", "LogSoftmax", x, axis, dtype)


def _running(name: str, block: str, x: Operand, axis: int | None, dtype: object) -> Tensor:
    found = as_tensor(x)
    if axis is None and found.ndim > 1:
        raise CallError(f"{name} without an axis flattens in NumPy and is refused by PyTorch; say the axis")
    small = found.dtype.kind in "biu"
    numbers = cast(found, dtype) if dtype is not None else cast(found, np.int64) if small else found
    result: Tensor = library[block](numbers, axis=axis or 0)
    return result


def _of_running(name: str) -> list[str]:
    return [
        f"np.{name}|jnp.{name}(a, axis=None, dtype=None, out=None)",
        f"torch.{name}(input, dim, *, dtype=None)",
        f"tf.{name}|tf.math.{name}(x, axis=0)",
    ]


@named("cumsum", *_of_running("cumsum"), block="Cumsum", is_method=True)
def cumsum(x: Operand, axis: int | None = None, *, dtype: object = None) -> Tensor:
    """The sum of all elements up to each one, along an axis."""
    return _running("cumsum", "Cumsum", x, axis, dtype)


@named("cumprod", *_of_running("cumprod"), block="Cumprod", is_method=True)
def cumprod(x: Operand, axis: int | None = None, *, dtype: object = None) -> Tensor:
    """The product of all elements up to each one, along an axis."""
    return _running("cumprod", "Cumprod", x, axis, dtype)


@named("detach", "torch.detach(input)", block="StopGradient", is_method=True)
def detach(x: Operand) -> Tensor:
    """The tensor, through which no gradient flows back."""
    found: Tensor = library["StopGradient"](as_tensor(x))
    return found


@named(
    "gelu",
    "torch.nn.functional.gelu(input, approximate='none')",
    "tf.nn.gelu(features, approximate=False)",
    "jax.nn.gelu(x, approximate=True)",
    block="Gelu",
)
def gelu(x: Operand, approximate: bool | str = False) -> Tensor:
    """The Gaussian error linear unit, exact; `approximate=True` (or "tanh") gives its approximation by tanh."""
    if approximate not in (True, False, "none", "tanh"):
        raise CallError(f'gelu: approximate is True or False, or "none" or "tanh" as in PyTorch, not {approximate!r}')
    return apply("Gelu", as_float(x), approximate=approximate in (True, "tanh"))


@named(
    "leaky_relu",
    "torch.nn.functional.leaky_relu(input, negative_slope: alpha=0.01, inplace=False)",
    "jax.nn.leaky_relu(x, negative_slope: alpha=0.01)",
    "tf.nn.leaky_relu(features, alpha=0.2)",
    block="LeakyRelu",
)
def leaky_relu(x: Operand, alpha: float | None = None) -> Tensor:
    """Each element, or `alpha` times a negative one."""
    if alpha is None:
        raise CallError("leaky_relu has the slope 0.01 in PyTorch and 0.2 in TensorFlow; write alpha=0.01 or alpha=0.2")
    return apply("LeakyRelu", as_float(x), alpha=float(alpha))


@named(
    "silu",
    "torch.nn.functional.silu(input, inplace=False)",
    "jax.nn.silu|jax.nn.swish|keras.ops.swish(x)",
    "tf.nn.silu|tf.nn.swish(features, beta=1.0)",
    block="Silu",
    is_method=False,
)
def silu(x: Operand, beta: float = 1.0) -> Tensor:
    """Each element times its sigmoid, also called swish."""
    return apply("Silu", as_float(x), beta=float(beta))


@named(
    "softplus",
    "torch.nn.functional.softplus(input, beta=1.0, threshold: _threshold=20.0)",
    "tf.nn.softplus|tf.math.softplus|jax.nn.softplus(x)",
    block="Softplus",
)
def softplus(x: Operand, beta: float = 1.0, _threshold: float = 20.0) -> Tensor:
    """The logarithm of one plus the exponential; with `beta`, that of `beta` times x divided by `beta`."""
    found = as_float(x)
    if beta == 1:
        return library["Softplus"](found)
    scale = np.asarray(beta, found.dtype)
    return library["Divide"](library["Softplus"](library["Multiply"](found, scale)), scale)


@named("mish", "torch.nn.functional.mish(input, inplace=False)", "jax.nn.mish(x)")
def mish(x: Operand) -> Tensor:
    """Each element times the tanh of its softplus."""
    found = as_float(x)
    return library["Multiply"](found, library["Tanh"](library["Softplus"](found)))


@named(
    "dropout",
    "torch.nn.functional.dropout(input, p: rate=0.5, training=True, inplace=False)",
    "tf.nn.dropout(x, rate, noise_shape=None, seed=None)",
    block="Dropout",
)
def dropout(x: Operand, rate: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Zeros at random places, the rest scaled up; the numbers are ours, not those of a framework."""
    found = as_float(x)
    return library["Dropout"](found, rate=float(rate), seed=seed or 0) if training else found
