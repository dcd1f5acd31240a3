"""Plain-text formulas, short enough for the right end of a row."""

from __future__ import annotations

import re

from gradwire.engine.base.number_text import MINUS
from gradwire.engine.blocktypes.block_type import BlockType

LONGEST_FORMULA = 12
# For types whose own formula is too long, or meaningless without its indices.
_OWN_FORMULAS = {
    "ApplyGradientDescent": f"w {MINUS} α g",
    "Atan2": "atan2(x, y)",
    "AvgPool1D": "mean",
    "AvgPool2D": "mean",
    "AvgPool3D": "mean",
    "BesselI0e": "",
    "BesselI1e": "",
    "BooleanMask": "x[m]",
    "Cast": "dtype",
    "Cholesky": "x = L L^T",
    "Concat": "x, y, ...",
    "Constant": "",
    "CountNonzero": "Σ [x ≠ 0]",
    "DynamicPartition": "x[k = p]",
    "Elu": "",
    "Erf": "erf x",
    "Erfc": f"1 {MINUS} erf x",
    "Gather": "x[k]",
    "GatherNd": "x[k]",
    "Gradients": "∂y / ∂x",
    "Hessian": "∂²y / ∂x²",
    "Jacobian": "∂y / ∂x",
    "Identity": "x",
    "InTopK": "",
    "Input": "x",
    "IsFinite": "|x| < ∞",
    "MatMul": "A · B",
    "MatVec": "A · b",
    "MaxPool1D": "max",
    "MaxPool2D": "max",
    "MaxPool3D": "max",
    "MeanAbsoluteError": f"|y {MINUS} ŷ|",
    "MeanSquaredError": f"(y {MINUS} ŷ)²",
    "Meshgrid": "",
    "Norm": "",
    "OneHot": "[k = x]",
    "RandomCategorical": "",
    "RandomNormal": "μ + σ ε",
    "RandomUniform": "U[a, b)",
    "RandomUniformInt": "U[a, b)",
    "Rank": "rank",
    "ReduceSum": "Σ",
    "Relu6": "",
    "Reroute": "",
    "ResizeBilinear": "",
    "SegmentMax": "max",
    "SegmentMean": "mean",
    "SegmentMin": "min",
    "SegmentProd": "∏ x",
    "Slice": "x[a:b]",
    "Squeeze": "",
    "StopGradient": "∂ → 0",
    "StridedSlice": "x[a:b:s]",
    "Tensordot": "Σ a b",
    "TotalVariation": "",
    "Trace": "",
    "TruncatedNormal": "μ + σ ε",
    "UnsortedSegmentMax": "max",
    "UnsortedSegmentMean": "mean",
    "UnsortedSegmentMin": "min",
    "UnsortedSegmentProd": "∏ x",
}
_LETTERS = {
    "partial": "∂",
    "Gamma": "Γ",
    "Phi": "Φ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "epsilon": "ε",
    "zeta": "ζ",
    "mu": "μ",
    "pi": "π",
    "psi": "ψ",
    "sigma": "σ",
    "infty": "∞",
    "ne": "≠",
    "le": "≤",
    "ge": "≥",
}
_LATEX = [
    (r"\\(textstyle|quad|big|,)", " "),
    (r"\\tfrac(\w)(\w)", r"\1/\2"),
    (r"\\sqrt\{(\w)\}", r"√\1"),
    (r"\\sqrt\{([^{}]*)\}", r"√(\1)"),
    (r"\\(mathrm|operatorname)\{(\w+)\}", r"\2"),
    (r"\\sum(_\{[^}]*\}|_\w)?", "Σ"),
    (r"\\prod(_\{[^}]*\}|_\w)?", "∏"),
    (r"\^\{?2\}?(?!\w)", "²"),
    (r"\\top", "T"),
    (r"\\lfloor (.*) \\rfloor", r"floor(\1)"),
    (r"\\lceil (.*) \\rceil", r"ceil(\1)"),
    (r"\\(ln|det|cos|sin|tan|cosh|sinh|tanh|arccos|arcsin|arctan|max|min)\b", r"\1"),
    (r"\\neg\b", "not"),
    (r"\\wedge\b", "and"),
    (r"\\vee\b", "or"),
    *((rf"\\{name}(?![a-z])", sign) for name, sign in _LETTERS.items()),
    (r"\\hat y", "ŷ"),
    (r"_\{[^}]*\}|_\w", ""),
    (r"\^\{([^{}]*)\}", r"^\1"),
    (r"^\[(.*)\]$", r"\1"),
    (r"-", MINUS),
    (r"\b([xy])\s+([xy])\b", r"\1 · \2"),
    (r"\s+", " "),
    (r"\( ", "("),
]
# The characters that the font JetBrains Mono has.
_ALLOWED = re.compile(rf"(?:[ -[\]-z|~∂Σ∏²·√→ŷ{MINUS}]|[{''.join(_LETTERS.values())}])*")


def plain_formula(item: BlockType) -> str:
    """Returns a formula of at most 12 characters, in signs that the window's font has; "" if none fits."""
    if item.name in _OWN_FORMULAS:
        return _OWN_FORMULAS[item.name]
    call = re.fullmatch(r"np\.(\w+)\(\{x\}.*\)", item.spelling.shown("numpy"))
    if item.category == "Reduce" and call and call[1] != "sqrt":
        return call[1]
    return _from_latex(item.formula)


def _from_latex(formula: str) -> str:
    text = formula.partition(" = ")[2].strip()
    if r"\quad" in text:
        return ""
    is_condition = text.startswith(("[", "("))
    for pattern, replacement in _LATEX:
        text = re.sub(pattern, replacement, text).strip()
    # Of `cosh x = (e^x + ...) / 2` only the name fits.
    text = text if is_condition else text.partition(" = ")[0]
    # A single letter has lost its indices, and with them its meaning.
    if not _ALLOWED.fullmatch(text) or re.fullmatch(r"[a-z]", text):
        return ""
    if len(text) > LONGEST_FORMULA and "?" not in text:
        text = text.replace(" ", "")
    return text if len(text) <= LONGEST_FORMULA else ""
