"""Whole numbers near a tensor's elements. No gradient passes: it would be zero wherever it exists."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.elementwise import called
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import NUMBER, block


@block(
    "Elementwise",
    differentiable="never",
    formula=r"y = \lfloor x \rfloor",
    gradient_formula=NO_GRADIENT,
    spelling=called("floor"),
)
def Floor(x: Array) -> Array:
    """The greatest whole number that is not above x; NaN and infinities stay as they are. No gradient passes."""
    return np.floor(x)


@block(
    "Elementwise",
    differentiable="never",
    accepts=NUMBER,
    formula=r"y = \mathrm{round}(x)",
    gradient_formula=NO_GRADIENT,
    spelling=called("round"),
)
def Round(x: Array) -> Array:
    """The nearest whole number, halves to the even one: 0.5 and -0.5 give 0, 1.5 and 2.5 give 2.

    No gradient passes. For a straight-through gradient add StopGradient(Round(x) - x) to x.
    """
    return np.round(x)


@block(
    "Elementwise",
    differentiable="never",
    formula=r"y = \lceil x \rceil",
    gradient_formula=NO_GRADIENT,
    spelling=called("ceil", "math.ceil"),
)
def Ceil(x: Array) -> Array:
    """The least whole number that is not below x; NaN and infinities stay as they are. No gradient passes."""
    return np.ceil(x)


@block(
    "Elementwise",
    differentiable="never",
    formula=r"y = \mathrm{rint}(x)",
    gradient_formula=NO_GRADIENT,
    spelling=called("rint", "math.rint", "round"),
)
def Rint(x: Array) -> Array:
    """The nearest whole number, halves to the even one; like Round, but for floating point only. No gradient passes."""
    return np.rint(x)
