"""Whole quotients and what is left over, rounded down or toward zero; float by float as TensorFlow rounds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.elementwise import called
from gradwire.engine.base.errors import ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, Declaration, Differentiable, block
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.executors.recordable import holds


def _refuse_zeros(x: Array, y: Array) -> None:
    if y.dtype.kind != "f" and 0 not in broadcast_shapes((x.shape, y.shape)) and not holds(y != 0):
        raise ValueProblem("y holds 0, and integers cannot be divided by zero")


def _divides(
    formula: str, gradient_formula: str, source: str, spelling: Spelling, differentiable: Differentiable = "twice"
) -> Declaration:
    return block(
        "Arithmetic",
        differentiable=differentiable,
        outputs=("z",),
        accepts=NUMBER,
        formula=formula,
        gradient_formula=gradient_formula,
        source=source,
        spelling=spelling,
    )


def _rounded_down(module: str, exact_call: str, integers: str) -> Callable[..., str]:
    """Spells a quotient rounded down: of floats the floor of a rounded quotient unless it is exact."""

    @documented(f"{module}.floor({{x}} / {{y}})")
    def write(x: str, y: str, exact: bool, specs: Sequence[TensorSpec]) -> str:
        if specs[0].is_differentiable:
            return f"{exact_call}({x}, {y})" if exact else f"{module}.floor({x} / {y})"
        return integers.format(x=x, y=y)

    return write


@documented("tf.math.floordiv({x}, {y})")
def _in_tensorflow(x: str, y: str, exact: bool, specs: Sequence[TensorSpec]) -> str:
    return "" if exact and specs[0].is_differentiable else f"tf.math.floordiv({x}, {y})"


def _by_dtype(floats: str, integers: str) -> Callable[..., str]:
    """Spells a quotient by one of two templates; that of floating point is shown."""

    @documented(floats)
    def write(x: str, y: str, specs: Sequence[TensorSpec]) -> str:
        return (floats if specs[0].is_differentiable else integers).format(x=x, y=y)

    return write


@_divides(
    r"z = \lfloor x / y \rfloor",
    NO_GRADIENT,
    "tf.math.floordiv",
    Spelling(
        _rounded_down("np", "np.floor_divide", "{x} // {y}"),
        _in_tensorflow,
        _rounded_down("torch", "torch.floor_divide", "torch.floor_divide({x}, {y})"),
        _rounded_down("jnp", "jnp.floor_divide", "{x} // {y}"),
    ),
    differentiable="never",
)
def FloorDiv(x: Array, y: Array, *, exact: bool = False) -> Array:
    """The quotient rounded down. An integer cannot be divided by zero; no gradient passes.

    Of floating-point numbers it is the rounded quotient's floor, as in TensorFlow: 1 by 0.1 gives 10, and 1 by minus
    infinity gives -0. With `exact` the quotient itself is rounded down, as by `//` in Python, NumPy and PyTorch: 1 by
    0.1 gives 9 because 0.1 is a little more than a tenth, and 1 by minus infinity gives -1.
    """
    _refuse_zeros(x, y)
    return np.floor(x / y) if x.dtype.kind == "f" and not exact else np.floor_divide(x, y)


@_divides(
    r"z = x - y \lfloor x / y \rfloor",
    r"\bar x = \bar z,\quad \bar y = -\lfloor x / y \rfloor\,\bar z",
    "tf.math.floormod",
    called("mod", "math.floormod", "remainder", arguments="{x}, {y}").noted("a remainder of -0.0 becomes 0.0", "jax"),
)
def FloorMod(x: Array, y: Array) -> Array:
    """The remainder of x after taking out y as often as it fits, exactly; it has the sign of y.

    Zero as y gives NaN, and is refused for integers. The gradient of y takes the quotient from FloorDiv, as in
    TensorFlow, even where rounding makes that one more than fits: it is -10 for 1 and 0.1.
    """
    _refuse_zeros(x, y)
    return np.mod(x, y)


@FloorMod.gradient
def floor_mod_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, -g * FloorDiv(x, y)


@_divides(
    r"z = \mathrm{trunc}(x / y)",
    NO_GRADIENT,
    "tf.truncatediv",
    Spelling(
        _by_dtype("np.trunc({x} / {y})", "({x} - np.fmod({x}, {y})) // {y}"),
        "tf.truncatediv({x}, {y})",
        "torch.div({x}, {y}, rounding_mode='trunc')",
        _by_dtype("jnp.trunc({x} / {y})", "({x} - jnp.fmod({x}, {y})) // {y}"),
    ),
    differentiable="never",
)
def TruncateDiv(x: Array, y: Array) -> Array:
    """The quotient rounded toward zero. An integer cannot be divided by zero; no gradient passes."""
    _refuse_zeros(x, y)
    return np.trunc(x / y) if x.dtype.kind == "f" else np.floor_divide(x - np.fmod(x, y), y)


@_divides(
    r"z = x - y\,\mathrm{trunc}(x / y)",
    r"\bar x = \bar z,\quad \bar y = -\mathrm{trunc}(x / y)\,\bar z",
    "tf.truncatemod, which has no gradient",
    # TensorFlow cannot differentiate its own.
    Spelling("np.fmod({x}, {y})", "", "torch.fmod({x}, {y})", "jnp.fmod({x}, {y})"),
)
def TruncateMod(x: Array, y: Array) -> Array:
    """The remainder of x after the quotient rounded toward zero, exactly; it has the sign of x.

    Zero as y gives NaN, and is refused for integers. TensorFlow cannot differentiate it; here the gradient is the
    true one, as in PyTorch.
    """
    _refuse_zeros(x, y)
    return np.fmod(x, y)


@TruncateMod.gradient
def truncate_mod_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, -g * TruncateDiv(x, y)
