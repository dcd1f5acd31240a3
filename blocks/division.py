"""Whole quotients and remainders, rounded down or towards zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.comparison import NO_GRADIENT
from engine.block_type import NUMBER, Declaration, Spelling, block
from engine.errors import ValueProblem
from engine.tensor_spec import Array


def division(formula: str, gradient_formula: str, spelling: Spelling, source: str) -> Declaration:
    """The declaration that quotients and remainders share."""
    return block(
        "Arithmetic",
        outputs=("z",),
        accepts=NUMBER,
        formula=formula,
        gradient_formula=gradient_formula,
        spelling=spelling,
        source=source,
    )


def refuse_zero(y: Array) -> None:
    """Nothing if integers can be divided by `y`.

    Raises: ValueProblem if one of them is zero.
    """
    if y.dtype.kind != "f" and not y.all():
        raise ValueProblem("an integer cannot be divided by zero; cast both to floating point for infinity")


@division(
    r"z = \lfloor x / y \rfloor",
    NO_GRADIENT,
    Spelling(
        "",
        "tf.math.floordiv({x}, {y})",
        "torch.div({x}, {y}, rounding_mode='floor')",
        "jnp.floor_divide({x}, {y})",
    ),
    "tf.math.floordiv",
)
def FloorDiv(x: Array, y: Array) -> Array:
    """The quotient rounded down; no gradient passes.

    Floating point rounds the quotient that it has: 1.0 by 0.1 gives 10, as in TensorFlow, where Python, NumPy,
    PyTorch and JAX give 9. An integer cannot be divided by zero.
    """
    refuse_zero(y)
    return np.floor(x / y) if x.dtype.kind == "f" else x // y


@division(
    r"z = x - y \lfloor x / y \rfloor",
    r"\bar x = \bar z,\quad \bar y = -\lfloor x / y \rfloor\,\bar z",
    Spelling("np.mod({x}, {y})", "tf.math.floormod({x}, {y})", "torch.remainder({x}, {y})", "jnp.remainder({x}, {y})"),
    "tf.math.floormod",
)
def FloorMod(x: Array, y: Array) -> Array:
    """The remainder of FloorDiv: it has the sign of y. An integer cannot be divided by zero.

    The gradient is that between the jumps, with the quotient that FloorDiv gives.
    """
    refuse_zero(y)
    return np.mod(x, y)


@FloorMod.gradient
def floor_mod_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, g * -FloorDiv(x, y)


@division(
    r"z = \mathrm{trunc}(x / y)",
    NO_GRADIENT,
    Spelling("", "tf.truncatediv({x}, {y})", "torch.div({x}, {y}, rounding_mode='trunc')", ""),
    "tf.truncatediv",
)
def TruncateDiv(x: Array, y: Array) -> Array:
    """The quotient without its fraction, which rounds towards zero; no gradient passes.

    An integer cannot be divided by zero.
    """
    refuse_zero(y)
    # The remainder has the sign of x: without it the division comes out even, so rounding down changes nothing.
    return np.trunc(x / y) if x.dtype.kind == "f" else (x - np.fmod(x, y)) // y


@division(
    r"z = x - y\,\mathrm{trunc}(x / y)",
    r"\bar x = \bar z,\quad \bar y = -\mathrm{trunc}(x / y)\,\bar z",
    Spelling("np.fmod({x}, {y})", "tf.truncatemod({x}, {y})", "torch.fmod({x}, {y})", "jnp.fmod({x}, {y})"),
    "tf.truncatemod, which has no gradient: ours is that between the jumps",
)
def TruncateMod(x: Array, y: Array) -> Array:
    """The remainder of TruncateDiv: it has the sign of x. An integer cannot be divided by zero."""
    refuse_zero(y)
    return np.fmod(x, y)


@TruncateMod.gradient
def truncate_mod_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g, g * -TruncateDiv(x, y)
