"""Operators element by element: arithmetic, comparisons, functions of one tensor, activations, choices."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, kind, made
from gradwire.interop.opset.operators import Numbers, operator

_OF_ONE: Final = {
    "Abs": "Abs", "Neg": "Negative", "Exp": "Exp", "Log": "Log", "Sqrt": "Sqrt", "Reciprocal": "Reciprocal",
    "Floor": "Floor", "Ceil": "Ceil", "Round": "Rint", "Sign": "Sign", "Relu": "Relu", "Tanh": "Tanh",
    "Sigmoid": "Sigmoid", "Softplus": "Softplus", "Softsign": "Softsign", "Erf": "Erf", "Sin": "Sin", "Cos": "Cos",
    "Tan": "Tan", "Asin": "Asin", "Acos": "Acos", "Atan": "Atan", "Sinh": "Sinh", "Cosh": "Cosh", "Asinh": "Asinh",
    "Acosh": "Acosh", "Atanh": "Atanh", "Not": "LogicalNot", "IsNaN": "IsNan", "Det": "MatrixDeterminant",
}  # fmt: skip
_OF_TWO: Final = {
    "Add": "Add", "Sub": "Subtract", "Mul": "Multiply", "And": "LogicalAnd", "Or": "LogicalOr", "Xor": "LogicalXor",
    "Equal": "Equal", "Greater": "Greater", "Less": "Less", "GreaterOrEqual": "GreaterEqual",
    "LessOrEqual": "LessEqual",
}  # fmt: skip
_OF_MANY: Final = {"Sum": "Add", "Max": "Maximum", "Min": "Minimum"}


def number(value: Any, like: Tensor) -> Tensor:
    """Returns a number in the dtype of a tensor."""
    found: Tensor = np.asarray(value, like.dtype)
    return found


def written(x: Tensor) -> Array | None:
    """Returns the numbers that are written in the file or given for an input; None for those that are computed."""
    if isinstance(x, Expression):
        application = x.application
        return np.asarray(application.parameters["value"]) if application.type.is_input else None
    return x


def _of_one(block: str) -> Callable[..., Tensor]:
    def called(x: Tensor) -> Tensor:
        found: Tensor = made(block, x)
        return found

    return called


def _beside(a: Tensor, b: Tensor, axis: int | None) -> Tensor:
    """Returns the second operand as the first versions broadcast it: its axes begin at an axis of the first."""
    if axis is None or not b.ndim:
        return b
    return reshaped(b, [*b.shape, *[1] * (a.ndim - axis % a.ndim - b.ndim)])


def _of_two(block: str) -> Callable[..., Tensor]:
    def called(a: Tensor, b: Tensor, *, broadcast: int = 0, axis: int | None = None) -> Tensor:
        found: Tensor = made(block, a, _beside(a, b, axis))
        return found

    return called


def _of_many(block: str) -> Callable[..., Tensor]:
    def called(*x: Tensor) -> Tensor:
        found: Tensor = reduce(lambda a, b: made(block, a, b), x)
        return found

    return called


for _name, _block in _OF_ONE.items():
    operator(_name)(_of_one(_block))
for _name, _block in _OF_TWO.items():
    operator(_name)(_of_two(_block))
for _name, _block in _OF_MANY.items():
    operator(_name)(_of_many(_block))


@operator("Identity")
def _same(x: Tensor) -> Tensor:
    return x


@operator("OptionalHasElement")
def _is_there(x: Tensor | None = None) -> Tensor:
    return np.asarray(x is not None)


@operator("OptionalGetElement")
def _element(x: Tensor | None = None) -> Tensor:
    if x is None:
        raise ModelRefusal("its optional input is empty")
    return x


@operator("Mean")
def _mean(*x: Tensor) -> Tensor:
    total = _of_many("Add")(*x)
    found: Tensor = total if len(x) == 1 else made("Divide", total, number(len(x), total))
    return found


@operator("Div")
def _divided(a: Tensor, b: Tensor, *, broadcast: int = 0, axis: int | None = None) -> Tensor:
    # Whole numbers are divided towards 0.
    found: Tensor = made("Divide" if kind(a) == "f" else "TruncateDiv", a, _beside(a, b, axis))
    return found


@operator("Mod")
def _rest(a: Tensor, b: Tensor, *, fmod: int = 0) -> Tensor:
    found: Tensor = made("TruncateMod" if fmod else "FloorMod", a, b)
    return found


@operator("Pow")
def _power(a: Tensor, b: Tensor, *, broadcast: int = 0, axis: int | None = None) -> Tensor:
    b = _beside(a, b, axis)
    if kind(a) != "f" and kind(b) == "f":
        return cast(made("Pow", cast(a, np.dtype(b.dtype)), b), np.dtype(a.dtype))
    found: Tensor = made("Pow", a, cast(b, np.dtype(a.dtype)))
    return found


@operator("Where")
def _chosen(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    found: Tensor = made("Where", condition, x, y)
    return found


@operator("Cast")
def _cast(x: Tensor, *, to: np.dtype[Any], saturate: int = 1, round_mode: str = "") -> Tensor:
    return cast(x, to)


@operator("CastLike")
def _cast_like(x: Tensor, like: Tensor, *, saturate: int = 1, round_mode: str = "") -> Tensor:
    return cast(x, np.dtype(like.dtype))


@operator("IsInf")
def _is_infinite(x: Tensor, *, detect_negative: int = 1, detect_positive: int = 1) -> Tensor:
    if not detect_negative and not detect_positive:
        return np.zeros(x.shape, bool)
    found: Tensor = made("IsInf", x)
    if detect_negative and detect_positive:
        return found
    of_sign = made("Greater" if detect_positive else "Less", x, number(0, x))
    result: Tensor = made("LogicalAnd", found, of_sign)
    return result


@operator("Clip")
def _clipped(
    x: Tensor, low: Tensor | None = None, high: Tensor | None = None, *, min: float | None = None,
    max: float | None = None,
) -> Tensor:  # fmt: skip
    low = number(min, x) if min is not None else low
    high = number(max, x) if max is not None else high
    if _is_number(low, 0) and _is_number(high, 6) and kind(x) == "f":
        found: Tensor = made("Relu6", x)
    elif low is not None and high is not None:
        # Bounds in the wrong order: the upper one wins, which the block does otherwise.
        lowest, highest = written(low), written(high)
        is_turned = lowest is not None and highest is not None and bool((lowest > highest).any())
        found = made("Minimum", made("Maximum", x, low), high) if is_turned else made("ClipByValue", x, low, high)
    elif low is not None:
        found = made("Maximum", x, low)
    else:
        found = x if high is None else made("Minimum", x, high)
    return found


def _is_number(x: Tensor | None, wanted: float) -> bool:
    return isinstance(x, np.ndarray) and x.size == 1 and float(x.reshape(())) == wanted


@operator("Elu")
def _elu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    found: Tensor = made("Elu", x) if alpha == 1 else _below(x, made("Multiply", made("Expm1", x), number(alpha, x)))
    return found


def _below(x: Tensor, negative: Tensor) -> Tensor:
    """Returns the numbers, other ones where they are below 0."""
    found: Tensor = made("Where", made("Less", x, number(0, x)), negative, x)
    return found


@operator("Celu")
def _celu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    scale = number(alpha, x)
    found: Tensor = made("Multiply", scale, made("Elu", made("Divide", x, scale)))
    return found


@operator("LeakyRelu")
def _leaky(x: Tensor, *, alpha: float = 0.01) -> Tensor:
    found: Tensor = made("LeakyRelu", x, alpha=alpha)
    return found


@operator("PRelu")
def _parametric(x: Tensor, slope: Tensor) -> Tensor:
    if slope.ndim == 1 and x.ndim > 2 and slope.shape[0] == x.shape[1] != x.shape[-1]:
        # The first versions have a slope for each channel.
        slope = reshaped(slope, [-1, *[1] * (x.ndim - 2)])
    return _below(x, made("Multiply", x, slope))


_SELU: Final = (1.67326319217681884765625, 1.05070102214813232421875)


@operator("Selu")
def _selu(x: Tensor, *, alpha: float = _SELU[0], gamma: float = _SELU[1]) -> Tensor:
    if np.allclose((alpha, gamma), _SELU, rtol=1e-5):
        found: Tensor = made("Selu", x)
    else:
        found = made("Multiply", number(gamma, x), _below(x, made("Multiply", made("Expm1", x), number(alpha, x))))
    return found


@operator("Gelu")
def _gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    found: Tensor = made("Gelu", x, approximate=approximate == "tanh")
    return found


@operator("HardSigmoid")
def _hard_sigmoid(x: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    line = made("Add", made("Multiply", x, number(alpha, x)), number(beta, x))
    found: Tensor = made("ClipByValue", line, number(0, x), number(1, x))
    return found


@operator("HardSwish")
def _hard_swish(x: Tensor) -> Tensor:
    found: Tensor = made("Multiply", x, _hard_sigmoid(x, alpha=1 / 6, beta=0.5))
    return found


@operator("Mish")
def _mish(x: Tensor) -> Tensor:
    found: Tensor = made("Multiply", x, made("Tanh", made("Softplus", x)))
    return found


@operator("Swish")
def _swish(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    found: Tensor = made("Silu", x, beta=float(alpha))
    return found


@operator("SwiGLU")
def _gated(x: Tensor, gate: Tensor, *, alpha: float = 1.0) -> Tensor:
    found: Tensor = made("Multiply", _swish(x, alpha=alpha), gate)
    return found


@operator("ThresholdedRelu")
def _above(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    found: Tensor = made("Where", made("Greater", x, number(alpha, x)), x, number(0, x))
    return found


@operator("Shrink")
def _shrunk(x: Tensor, *, bias: float = 0.0, lambd: float = 0.5) -> Tensor:
    shift, border = number(bias, x), number(lambd, x)
    upper = made("Where", made("Greater", x, border), made("Subtract", x, shift), number(0, x))
    found: Tensor = made("Where", made("Less", x, made("Negative", border)), made("Add", x, shift), upper)
    return found


@operator("Dropout")
def _dropout(
    x: Tensor, rate: Numbers | None = None, is_training: Numbers | None = None, *, ratio: float = 0.5, is_test: int = 1,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    share = ratio if rate is None else float(rate.flat[0])
    is_active = not is_test or (is_training is not None and bool(is_training.flat[0]))
    if is_active and share:
        raise ModelRefusal("dropout is active; export the model for inference, with model.eval()")
    return x, np.ones(x.shape, bool)
