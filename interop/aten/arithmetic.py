"""Operations element by element: arithmetic, comparisons, functions of one tensor, choices."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gradwire.interop.aten.operations import DECLARED, operation
from gradwire.interop.aten.tensors import DEFAULT, number, together
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, is_tensor, kind, made

_PAIRS = {
    "add": "Add", "sub": "Subtract", "mul": "Multiply", "maximum": "Maximum", "minimum": "Minimum", "atan2": "Atan2",
    "remainder": "FloorMod", "fmod": "TruncateMod", "eq": "Equal", "ne": "NotEqual", "gt": "Greater", "lt": "Less",
    "ge": "GreaterEqual", "le": "LessEqual", "logical_and": "LogicalAnd", "logical_or": "LogicalOr",
    "logical_xor": "LogicalXor", "bitwise_and": "LogicalAnd", "bitwise_or": "LogicalOr", "bitwise_xor": "LogicalXor",
}  # fmt: skip
_OF_ONE = {
    "exp": "Exp", "log": "Log", "log1p": "Log1p", "expm1": "Expm1", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "tanh": "Tanh",
    "sigmoid": "Sigmoid", "relu": "Relu", "relu6": "Relu6", "abs": "Abs", "neg": "Negative", "square": "Square",
    "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh",
    "cosh": "Cosh", "silu": "Silu", "erf": "Erf", "erfc": "Erfc", "sign": "Sign", "round": "Rint", "floor": "Floor",
    "ceil": "Ceil", "reciprocal": "Reciprocal", "log_sigmoid": "LogSigmoid", "lgamma": "Lgamma", "digamma": "Digamma",
    "isnan": "IsNan", "isinf": "IsInf", "isfinite": "IsFinite", "logical_not": "LogicalNot",
    "bitwise_not": "LogicalNot", "asinh": "Asinh", "acosh": "Acosh", "atanh": "Atanh", "selu": "Selu",
}  # fmt: skip
_LOGICAL = ("LogicalAnd", "LogicalOr", "LogicalXor", "LogicalNot")
_SPELLED = {"__and__": "LogicalAnd", "__or__": "LogicalOr", "__xor__": "LogicalXor"}
_FORMS = (".Tensor", ".Scalar", ".default", "_.Tensor", "_.Scalar", "_.default")


def _pair(block: str) -> Callable[..., Tensor]:
    def called(self: Any, other: Any, alpha: float = 1) -> Tensor:
        if block in _LOGICAL and any(is_tensor(item) and kind(item) != "b" for item in (self, other)):
            raise ModelRefusal("bits of whole numbers have no blocks; masks (bool) have")
        a, b = together(self, other)
        found: Tensor = made(block, a, b if alpha == 1 else made("Multiply", b, number(alpha, b)))
        return found

    return called


def _of_one(block: str) -> Callable[..., Tensor]:
    def called(self: Tensor, decimals: int = 0) -> Tensor:
        if decimals:
            raise ModelRefusal("rounding to decimals has no block")
        if block in _LOGICAL and kind(self) != "b":
            raise ModelRefusal("bits of whole numbers have no blocks; masks (bool) have")
        needs_float = kind(self) != "f" and block not in ("Abs", "Negative", "Square", "Sign", "Relu", *_LOGICAL)
        found: Tensor = made(block, cast(self, DEFAULT) if needs_float else self)
        return found

    return called


for _name, _block in _PAIRS.items():
    operation(*(_name + form for form in _FORMS))(_pair(_block))
for _name, _block in _SPELLED.items():
    operation(f"{_name}.Tensor", f"{_name}.Scalar")(_pair(_block))
for _name, _block in _OF_ONE.items():
    operation(f"{_name}.default", f"{_name}_.default")(_of_one(_block))


def _of_sizes(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **sizes: function(*sizes.values())


# Sizes are computed as numbers.
for _name in ("add", "sub", "mul", "floordiv", "mod", "neg", "truediv", "ge", "le", "gt", "lt", "eq", "ne", "pow"):
    DECLARED[f"_operator.{_name}"] = _of_sizes(getattr(operator, _name))


@operation("rsub.Scalar", "rsub.Tensor")
def _reversed(self: Tensor, other: Any, alpha: float = 1) -> Tensor:
    return _pair("Subtract")(other if is_tensor(other) else number(other, self), self, alpha)


@operation("div.Tensor", "div.Scalar", "div_.Tensor", "div_.Scalar", "true_divide.Tensor")
def divided(self: Any, other: Any) -> Tensor:
    """Returns the quotient; that of whole numbers is float32."""
    a, b = together(self, other)
    if kind(a) != "f":
        a, b = cast(a, DEFAULT), cast(b, DEFAULT)
    found: Tensor = made("Divide", a, b)
    return found


@operation("div.Tensor_mode", "div.Scalar_mode", "floor_divide.default")
def _divided_whole(self: Any, other: Any, rounding_mode: str | None = "floor") -> Tensor:
    if rounding_mode is None:
        return divided(self, other)
    a, b = together(self, other)
    if rounding_mode == "floor":
        found: Tensor = made("FloorDiv", a, b)
    elif kind(a) == "f":
        quotient = made("Divide", a, b)
        found = made(
            "Where", made("Less", quotient, number(0, quotient)), made("Ceil", quotient), made("Floor", quotient)
        )
    else:
        found = made("TruncateDiv", a, b)
    return found


@operation("pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar", "pow_.Scalar")
def _power(self: Any, exponent: Any) -> Tensor:
    found: Tensor = (
        made("Square", self) if not is_tensor(exponent) and exponent == 2 else made("Pow", *together(self, exponent))
    )
    return found


@operation("detach.default", "detach_.default")
def _detached(self: Tensor) -> Tensor:
    found: Tensor = made("StopGradient", self)
    return found


@operation(
    "contiguous.default", "clone.default", "alias.default", "lift_fresh_copy.default", "to.dtype", "to.dtype_layout",
    "_to_copy.default", "to.device", "to.other", "type_as.default", "positive.default",
)  # fmt: skip
def _converted(self: Tensor, dtype: np.dtype[Any] | None = None, other: Tensor | None = None) -> Tensor:
    wanted = dtype if other is None else other.dtype
    return self if wanted is None else cast(self, np.dtype(wanted))


@operation(
    "_assert_tensor_metadata.default", "_assert_scalar.default", "sym_constrain_range_for_size.default",
    "sym_constrain_range.default", "_assert_async.msg",
)  # fmt: skip
def _nothing(**_: Any) -> None:
    """Checks of PyTorch, which compute nothing."""


@operation("sym_size.int")
def _size(self: Tensor, dim: int) -> int:
    return self.shape[dim]


@operation("dropout.default", "dropout_.default", "alpha_dropout.default", "feature_dropout.default")
def _dropped(p: float, train: bool, input: Tensor | None = None, self: Tensor | None = None) -> Tensor:
    if train and p:
        raise ModelRefusal("dropout is active; call .eval() before the export")
    found = self if input is None else input
    assert found is not None
    return found


@operation("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def _chosen(condition: Tensor, self: Any, other: Any) -> Tensor:
    if not is_tensor(self) and not is_tensor(other):
        self, other = (np.asarray(item, DEFAULT if isinstance(item, float) else None) for item in (self, other))
    a, b = together(self, other)
    found: Tensor = made("Where", condition, a, b)
    return found


@operation("masked_fill.Scalar", "masked_fill_.Scalar", "masked_fill.Tensor", "masked_fill_.Tensor")
def _filled(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    found: Tensor = made("Where", mask, cast(number(value, self), np.dtype(self.dtype)), self)
    return found


@operation(
    "clamp.default", "clamp_.default", "clamp_min.default", "clamp_max.default", "clamp_min_.default", "clamp.Tensor"
)
def clamped(self: Tensor, min: Any = None, max: Any = None) -> Tensor:  # the schema's names
    """Returns numbers held between limits, each of which may be missing."""
    limits = [None if item is None else cast(number(item, self), np.dtype(self.dtype)) for item in (min, max)]
    low, high = limits
    if low is None or high is None:
        found: Tensor = made("Minimum", self, high) if low is None else made("Maximum", self, low)
    else:
        found = made("ClipByValue", self, low, high)
    return found


@operation("hardtanh.default", "hardtanh_.default")
def _hard_tanh(self: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    # The bounds of a clip have a gradient, those of Relu6 have none, as in PyTorch.
    found: Tensor = made("Relu6", self) if (min_val, max_val) == (0, 6) else clamped(self, min_val, max_val)
    return found


@operation("hardsigmoid.default", "hardsigmoid_.default")
def hard_sigmoid(self: Tensor) -> Tensor:
    """Returns a sigmoid of straight lines: 0 below -3, 1 above 3."""
    found: Tensor = made("Divide", made("Relu6", made("Add", self, number(3.0, self))), number(6.0, self))
    return found


@operation("hardswish.default", "hardswish_.default")
def _hard_swish(self: Tensor) -> Tensor:
    found: Tensor = made("Multiply", self, hard_sigmoid(self))
    return found


@operation("copy_.default")
def _copied(self: Tensor, src: Tensor) -> Tensor:
    return cast(broadcast(src, self.shape), np.dtype(self.dtype))


@operation("fill_.Scalar", "fill_.Tensor", "zero_.default", "fill.Scalar")
def _full_of(self: Tensor, value: Any = 0) -> Tensor:
    if not is_tensor(value):
        return np.full(self.shape, value, self.dtype)
    return broadcast(cast(value, np.dtype(self.dtype)), self.shape)


@operation("threshold.default", "threshold_.default")
def _above(self: Tensor, threshold: float, value: float) -> Tensor:
    is_above = made("Greater", self, number(threshold, self))
    found: Tensor = made("Where", is_above, self, number(value, self))
    return found


@operation("mish.default")
def _mish(self: Tensor) -> Tensor:
    found: Tensor = made("Multiply", self, made("Tanh", made("Softplus", self)))
    return found


@operation("trunc.default", "trunc_.default", "fix.default")
def truncated(self: Tensor) -> Tensor:
    """Returns whole numbers towards 0."""
    is_below = made("Less", self, number(0.0, self))
    found: Tensor = made("Where", is_below, made("Ceil", self), made("Floor", self))
    return found


@operation("frac.default")
def _fraction(self: Tensor) -> Tensor:
    found: Tensor = made("Subtract", self, truncated(self))
    return found


@operation("hardshrink.default")
def _cut_off(self: Tensor, lambd: float = 0.5) -> Tensor:
    is_far = made("Greater", made("Abs", self), number(lambd, self))
    found: Tensor = made("Where", is_far, self, number(0.0, self))
    return found


@operation("softshrink.default")
def _shrunk(self: Tensor, lambd: float = 0.5) -> Tensor:
    is_far = made("Greater", made("Abs", self), number(lambd, self))
    nearer = made("Subtract", self, made("Multiply", made("Sign", self), number(lambd, self)))
    found: Tensor = made("Where", is_far, nearer, number(0.0, self))
    return found


@operation("rrelu.default")
def _slope_of_middle(
    self: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, generator: Any = None
) -> Tensor:
    if training:
        raise ModelRefusal("rrelu draws its slopes; call .eval() before the export")
    return _leaky(self, (lower + upper) / 2)


@operation("xlogy.Tensor", "xlogy.Scalar_Other", "special_xlogy.default")
def _times_log(self: Any, other: Any) -> Tensor:
    found: Tensor = made("Xlogy", *together(self, other))
    return found


@operation("logit.default")
def _logit(self: Tensor, eps: float | None = None) -> Tensor:
    shares = self if eps is None else clamped(self, eps, 1 - eps)
    found: Tensor = made("Log", made("Divide", shares, made("Subtract", number(1.0, shares), shares)))
    return found


# Beyond it softplus(x) is x to the ninth digit.
_SOFTPLUS_IS_LINEAR: Final = 20


@operation("softplus.default")
def _softplus(self: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    scaled = self if beta == 1 else made("Multiply", self, number(beta, self))
    found: Tensor = made("Softplus", scaled)
    if beta != 1:
        found = made("Divide", found, number(beta, self))
    if threshold < _SOFTPLUS_IS_LINEAR:
        found = made("Where", made("Greater", scaled, number(threshold, self)), self, found)
    return found


@operation("celu.default", "celu_.default")
def _celu(self: Tensor, alpha: float = 1) -> Tensor:
    scaled = made("Divide", made("Minimum", self, number(0.0, self)), number(alpha, self))
    negative = made("Multiply", made("Expm1", scaled), number(alpha, self))
    found: Tensor = made("Where", made("Greater", self, number(0.0, self)), self, negative)
    return found


@operation("elu.default", "elu_.default")
def _elu(self: Tensor, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Tensor:
    if scale != 1 or input_scale != 1:
        raise ModelRefusal("elu with a scale has no block")
    negative = made("Expm1", made("Minimum", self, number(0.0, self)))
    if alpha == 1:
        found: Tensor = made("Elu", self)
    else:
        above = made("Greater", self, number(0.0, self))
        found = made("Where", above, self, made("Multiply", negative, number(alpha, self)))
    return found


@operation("leaky_relu.default", "leaky_relu_.default")
def _leaky(self: Tensor, negative_slope: float = 0.01) -> Tensor:
    found: Tensor = made("LeakyRelu", self, alpha=float(negative_slope))
    return found


@operation("prelu.default")
def _learned_slope(self: Tensor, weight: Tensor) -> Tensor:
    by_channel = (
        made("Reshape", weight, shape=[-1, *[1] * (self.ndim - 2)])
        if self.ndim > 1 and weight.shape != (1,)
        else weight
    )
    scaled = made("Multiply", self, broadcast(by_channel, self.shape))
    found: Tensor = made("Where", made("Greater", self, number(0.0, self)), self, scaled)
    return found


@operation("gelu.default")
def _gelu(self: Tensor, approximate: str = "none") -> Tensor:
    found: Tensor = made("Gelu", self, approximate=approximate == "tanh")
    return found


@operation("glu.default")
def _gated(self: Tensor, dim: int = -1) -> Tensor:
    first, second = made("Split", self, num_or_size_splits=2, axis=dim)
    found: Tensor = made("Multiply", first, made("Sigmoid", second))
    return found


@operation("lerp.Scalar", "lerp.Tensor")
def _between(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    step = made("Multiply", made("Subtract", end, self), number(weight, self))
    found: Tensor = made("Add", self, step)
    return found


@operation("addcdiv.default")
def _added_quotient(self: Tensor, tensor1: Tensor, tensor2: Tensor, value: float = 1) -> Tensor:
    quotient = made("Divide", tensor1, tensor2)
    found: Tensor = made("Add", self, quotient if value == 1 else made("Multiply", quotient, number(value, quotient)))
    return found


@operation("addcmul.default")
def _added_product(self: Tensor, tensor1: Tensor, tensor2: Tensor, value: float = 1) -> Tensor:
    product = made("Multiply", tensor1, tensor2)
    found: Tensor = made("Add", self, product if value == 1 else made("Multiply", product, number(value, product)))
    return found


@operation("nan_to_num.default")
def _known(self: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Tensor:
    found: Any = made("Where", made("IsNan", self), number(nan or 0.0, self), self)
    top = float(np.finfo(self.dtype).max)
    for value, limit in ((np.inf, top if posinf is None else posinf), (-np.inf, -top if neginf is None else neginf)):
        found = made("Where", made("Equal", found, number(value, self)), number(limit, self), found)
    result: Tensor = found
    return result
