"""Truth values combined, and tests for numbers that are none. All give bool and pass no gradient."""

from __future__ import annotations

import numpy as np

from blocks.comparison import NO_GRADIENT
from blocks.elementwise import called
from engine.block_type import BOOLEAN, Declaration, block
from engine.spelling import Spelling
from engine.tensor_spec import DTYPES, Array, TensorSpec


def _combines(formula: str, spelling: Spelling) -> Declaration:
    return block(
        "Comparison",
        outputs=("z",),
        accepts=BOOLEAN,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        spelling=spelling,
    )


@_combines(r"z = x \wedge y", called("logical_and", arguments="{x}, {y}"))
def LogicalAnd(x: Array, y: Array) -> Array:
    """Whether both are true."""
    return np.logical_and(x, y)


@_combines(r"z = x \vee y", called("logical_or", arguments="{x}, {y}"))
def LogicalOr(x: Array, y: Array) -> Array:
    """Whether at least one is true."""
    return np.logical_or(x, y)


@_combines(r"z = [x \ne y]", called("logical_xor", "math.logical_xor", arguments="{x}, {y}"))
def LogicalXor(x: Array, y: Array) -> Array:
    """Whether exactly one is true."""
    return np.logical_xor(x, y)


@block(
    "Comparison",
    accepts=BOOLEAN,
    formula=r"y = \neg x",
    gradient_formula=NO_GRADIENT,
    spelling=called("logical_not"),
)
def LogicalNot(x: Array) -> Array:
    """Whether the input is false."""
    return np.logical_not(x)


def _truth(x: TensorSpec) -> TensorSpec:
    return TensorSpec(x.shape, DTYPES["bool"])


def _tests(formula: str, spelling: Spelling) -> Declaration:
    return block("Comparison", infer=_truth, formula=formula, gradient_formula=NO_GRADIENT, spelling=spelling)


@_tests(r"y = [x \ne x]", called("isnan", "math.is_nan"))
def IsNan(x: Array) -> Array:
    """Whether an element is NaN, the result of an undefined operation such as 0/0."""
    return np.isnan(x)


@_tests(r"y = [|x| = \infty]", called("isinf", "math.is_inf"))
def IsInf(x: Array) -> Array:
    """Whether an element is infinite, of either sign; false for NaN."""
    return np.isinf(x)


@_tests(r"y = [|x| < \infty]", called("isfinite", "math.is_finite"))
def IsFinite(x: Array) -> Array:
    """Whether an element is a number: neither infinite nor NaN."""
    return np.isfinite(x)
