"""Truth values combined, and tests for numbers that are none. All give bool and pass no gradient."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.elementwise import called
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BOOLEAN, Declaration, block
from gradwire.engine.blocktypes.spelling import Spelling


def _combines(formula: str, spelling: Spelling) -> Declaration:
    return block(
        "Comparison",
        differentiable="never",
        outputs=("z",),
        accepts=BOOLEAN,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@_combines(r"z = x \wedge y", called("logical_and", arguments="{x}, {y}"))
def LogicalAnd(x: Array, y: Array) -> Array:
    """The truth of both inputs together: true if x and y are."""
    return np.logical_and(x, y)


@_combines(r"z = x \vee y", called("logical_or", arguments="{x}, {y}"))
def LogicalOr(x: Array, y: Array) -> Array:
    """The truth of either input: true if x or y is, or both are."""
    return np.logical_or(x, y)


@_combines(r"z = [x \ne y]", called("logical_xor", "math.logical_xor", arguments="{x}, {y}"))
def LogicalXor(x: Array, y: Array) -> Array:
    """The truth of exactly one input: true if x and y differ."""
    return np.logical_xor(x, y)


@block(
    "Comparison",
    differentiable="never",
    accepts=BOOLEAN,
    formula=r"y = \neg x",
    gradient_formula=NO_GRADIENT,
    spelling=called("logical_not"),
)
def LogicalNot(x: Array) -> Array:
    """The opposite of the input: true where it is false."""
    return np.logical_not(x)


def _truth(x: TensorSpec) -> TensorSpec:
    return TensorSpec(x.shape, DTYPES["bool"])


def _tests(formula: str, spelling: Spelling) -> Declaration:
    return block(
        "Comparison",
        differentiable="never",
        infer=_truth,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@_tests(r"y = [x \ne x]", called("isnan", "math.is_nan"))
def IsNan(x: Array) -> Array:
    """A test of each element for NaN, the result of an undefined operation such as 0/0."""
    return np.isnan(x)


@_tests(r"y = [|x| = \infty]", called("isinf", "math.is_inf"))
def IsInf(x: Array) -> Array:
    """A test of each element for infinity of either sign; false for NaN."""
    return np.isinf(x)


@_tests(r"y = [|x| < \infty]", called("isfinite", "math.is_finite"))
def IsFinite(x: Array) -> Array:
    """A test of each element for a number: neither infinite nor NaN."""
    return np.isfinite(x)
