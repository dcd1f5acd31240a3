"""The short formulas at the ends of rows: correct, and short."""

from __future__ import annotations

import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types
from gradwire.interop.search.short_formulas import LONGEST_FORMULA, plain_formula
from tests.blocks.contract.contract import in_one_test


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("Add", "x + y"),
        ("AddN", "Σ v"),
        ("Asinh", "arsinh x"),
        ("Betainc", ""),
        ("BooleanMask", "x[m]"),
        ("Bucketize", "Σ [b ≤ x]"),
        ("Ceil", "ceil(x)"),
        ("Cosh", "cosh x"),
        ("CumulativeLogsumexp", "ln Σ e^x"),
        ("Digamma", "ψ(x)"),
        ("Equal", "x = y"),
        ("Exp", "e^x"),
        ("Expm1", "e^x − 1"),
        ("Eye", "i = j"),
        ("FloorDiv", "floor(x / y)"),
        ("Gelu", "x Φ(x)"),
        ("IsNan", "x ≠ x"),
        ("L2Loss", "1/2 Σ x²"),
        ("Less", "x < y"),
        ("Lgamma", "ln |Γ(x)|"),
        ("Log1p", "ln(1 + x)"),
        ("LogicalAnd", "x and y"),
        ("LogicalNot", "not x"),
        ("LogicalOr", "x or y"),
        ("LogSigmoid", "−ln(1+e^−x)"),
        ("LogSoftmax", "x − ln Σ e^x"),
        ("MatrixDeterminant", "det(x)"),
        ("MatrixInverse", "x^−1"),
        ("MatrixTranspose", "x^T"),
        ("Maximum", "max(x, y)"),
        ("MeanSquaredError", "(y − ŷ)²"),
        ("Multiply", "x · y"),
        ("Negative", "−x"),
        ("Ones", "1"),
        ("Pow", "x^y"),
        ("RandomNormal", "μ + σ ε"),
        ("Reciprocal", "1 / x"),
        ("ReduceAll", "all"),
        ("ReduceEuclideanNorm", "√(Σ x²)"),
        ("ReduceLogSumExp", "ln Σ e^x"),
        ("ReduceMax", "max"),
        ("ReduceStd", "std"),
        ("ReduceVariance", "var"),
        ("Relu", "max(x, 0)"),
        ("Reshape", "reshape(x)"),
        ("Rsqrt", "1 / √x"),
        ("ScatterDiv", "r / ∏ u"),
        ("SegmentSum", "Σ x"),
        ("Sigmoid", "1/(1+e^−x)"),
        ("Sign", "sign(x)"),
        ("Silu", "x σ(β x)"),
        ("Softmax", "e^x / Σ e^x"),
        ("Softplus", "ln(1 + e^x)"),
        ("Softsign", "x/(1+|x|)"),
        ("Sqrt", "√x"),
        ("Square", "x²"),
        ("SquaredDifference", "(x − y)²"),
        ("StopGradient", "∂ → 0"),
        ("Tanh", "tanh x"),
        ("Where", "c ? x : y"),
        ("Zeta", "ζ(x, y)"),
    ],
    ids=lambda item: str(item).replace("|", "bar"),
)
def test_short_formulas(name: str, formula: str) -> None:
    assert plain_formula(library[name]) == formula


@pytest.mark.parametrize(
    "name",
    ["ApplyAdam", "Cross", "DivNoNan", "Hinge", "Huber", "InTopK", "LeakyRelu", "Meshgrid", "TotalVariation"],
)
def test_what_says_nothing_without_its_indices_or_is_long_is_left_out(name: str) -> None:
    assert plain_formula(library[name]) == ""


@in_one_test(placeable_types())
def test_no_short_formula_is_long_or_has_latex_in_it(item: BlockType) -> None:
    formula = plain_formula(item)
    assert len(formula) <= LONGEST_FORMULA
    assert not set(formula) & set("\\{}_")
