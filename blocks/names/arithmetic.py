"""Operators as functions: `torch.add(x, y)`, `np.power(x, 2)`, `tf.math.floormod(x, y)`."""

from __future__ import annotations

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Operand, Tensor, as_mask, as_tensor, is_number, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library

_TWO = "(x1, x2)"


@named(
    "add",
    "np.add(x1, x2, out=None)",
    "torch.add(input, other, *, alpha=1)",
    "tf.add|jnp.add(x, y)",
    block="Add",
    is_method=True,
)
def add(x: Operand, y: Operand, *, alpha: Operand = 1) -> Tensor:
    """The sum of two tensors; `alpha` times the second one, if it is given."""
    return operate("add", x, y if is_number(alpha) and alpha == 1 else operate("multiply", y, alpha))


@named(
    "sub",
    "np.subtract(x1, x2, out=None)",
    "torch.sub|torch.subtract(input, other, *, alpha=1)",
    "tf.subtract|jnp.subtract(x, y)",
    block="Subtract",
    is_method=True,
)
def sub(x: Operand, y: Operand, *, alpha: Operand = 1) -> Tensor:
    """The first tensor less the second one; `alpha` times the second one, if it is given."""
    return operate("subtract", x, y if is_number(alpha) and alpha == 1 else operate("multiply", y, alpha))


@named(
    "mul",
    "np.multiply(x1, x2, out=None)",
    "torch.mul|torch.multiply(input, other)",
    "tf.multiply|jnp.multiply(x, y)",
    block="Multiply",
    is_method=True,
)
def mul(x: Operand, y: Operand) -> Tensor:
    """The product of two tensors, element by element."""
    return operate("multiply", x, y)


@named(
    "div",
    "np.divide|np.true_divide(x1, x2, out=None)",
    "torch.div|torch.divide(input, other, *, rounding_mode=None)",
    "tf.divide|tf.truediv|jnp.divide|jnp.true_divide(x, y)",
    block="Divide",
    is_method=True,
)
def div(x: Operand, y: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """The quotient of two tensors; of integers it is float64. `rounding_mode` is None, "floor" or "trunc"."""
    if rounding_mode is None:
        return operate("divide", x, y)
    if rounding_mode == "floor":
        return operate("floor_divide", x, y)
    if rounding_mode != "trunc":
        raise CallError(f'rounding_mode is None, "floor" or "trunc", not {rounding_mode!r}')
    result: Tensor = library["TruncateDiv"](*together(x, y))
    return result


@named(
    "floor_divide", "np.floor_divide(x1, x2, out=None)", "torch.floor_divide(input, other)", "jnp.floor_divide(x, y)"
)
def floor_divide(x: Operand, y: Operand) -> Tensor:
    """The quotient rounded down, as `//` of NumPy rounds it."""
    return operate("floor_divide", x, y)


@named(
    "remainder",
    "np.mod|np.remainder(x1, x2, out=None)",
    "torch.remainder(input, other)",
    "jnp.mod|jnp.remainder|tf.math.mod|tf.math.floormod(x, y)",
    block="FloorMod",
    is_method=True,
)
def remainder(x: Operand, y: Operand) -> Tensor:
    """The remainder of the quotient rounded down, which has the sign of `y`; `%` of Python."""
    return operate("mod", x, y)


@named(
    "pow",
    "np.power|np.pow(x1, x2, out=None)",
    "torch.pow(input, exponent)",
    "tf.pow|jnp.power|jnp.pow(x, y)",
    block="Pow",
    is_method=True,
)
def pow_(x: Operand, y: Operand) -> Tensor:
    """The power of `x` to `y`, element by element."""
    return operate("power", x, y)


@named(
    "neg",
    "np.negative(x, out=None)",
    "torch.neg|torch.negative(input)",
    "tf.negative|jnp.negative(x)",
    block="Negative",
    is_method=True,
)
def neg(x: Operand) -> Tensor:
    """The negative of each element."""
    return operate("negative", x)


@named(
    "abs",
    "np.abs|np.absolute|np.fabs(x, out=None)",
    "torch.abs|torch.absolute(input)",
    "tf.abs|jnp.abs|jnp.absolute(x)",
    block="Abs",
    is_method=True,
)
def abs_(x: Operand) -> Tensor:
    """The absolute value of each element."""
    return operate("absolute", x)


def _compared(name: str, torch: str, block: str, summary: str) -> None:
    """Declares a comparison as a function."""

    def compare(x: Operand, y: Operand) -> Tensor:
        return operate(name, x, y)

    compare.__doc__ = f"True where {summary}."
    named(torch, f"np.{name}{_TWO}", f"torch.{torch}(input, other)", f"tf.{name}|jnp.{name}(x, y)", block=block)(
        compare
    )


_compared("equal", "eq", "Equal", "two tensors are equal")
_compared("not_equal", "ne", "NotEqual", "two tensors differ")
_compared("greater", "gt", "Greater", "the first tensor is greater")
_compared("greater_equal", "ge", "GreaterEqual", "the first tensor is greater or equal")
_compared("less", "lt", "Less", "the first tensor is less")
_compared("less_equal", "le", "LessEqual", "the first tensor is less or equal")


def _of_truths(name: str, operator: str, block: str, tensorflow: str) -> None:
    """Declares logic as a function; numbers count as true unless they are 0, as in NumPy and PyTorch."""

    def combine(x: Operand, y: Operand) -> Tensor:
        return operate(operator, as_mask(x), as_mask(y))

    combine.__doc__ = f"The logical {operator} of two masks; numbers are true unless they are 0."
    named(
        name, f"np.{name}{_TWO}", f"torch.{name}(input, other)", f"{tensorflow}.{name}|jnp.{name}(x, y)", block=block
    )(combine)


_of_truths("logical_and", "and", "LogicalAnd", "tf")
_of_truths("logical_or", "or", "LogicalOr", "tf")
_of_truths("logical_xor", "xor", "LogicalXor", "tf.math")


@named(
    "logical_not",
    "np.logical_not(x)",
    "torch.logical_not(input)",
    "tf.logical_not|jnp.logical_not(x)",
    block="LogicalNot",
)
def logical_not(x: Operand) -> Tensor:
    """a mask is false; numbers are true unless they are 0"""
    return operate("invert", as_mask(as_tensor(x)))
