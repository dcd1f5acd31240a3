"""The short formulas of the palette: correct, short, and in letters that the font has."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QRawFont

from gradwire.app.kit.search.short_formulas import LONGEST_FORMULA, short_formula
from gradwire.app.look.theme import ASSETS
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types
from tests.blocks.contract.contract import in_one_test


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("Add", "x + y"),
        ("Exp", "e^x"),
        ("ReduceMax", "max"),
        ("StopGradient", "∂ → 0"),
        ("Square", "x²"),
        ("Rsqrt", "1 / √x"),
        ("Ceil", "ceil(x)"),
        ("Cosh", "cosh x"),
        ("FloorDiv", "floor(x / y)"),
        ("IsNan", "x ≠ x"),
        ("Lgamma", "ln |Γ(x)|"),
        ("LogicalNot", "not x"),
        ("SegmentSum", "Σ x"),
        ("MatrixDeterminant", "det(x)"),
        ("RandomNormal", "μ + σ ε"),
        ("BooleanMask", "x[m]"),
    ],
)
def test_short_formulas(name: str, formula: str) -> None:
    assert short_formula(library[name]) == formula


@pytest.mark.parametrize("name", ["Huber", "InTopK", "TotalVariation", "ResizeBilinear", "Meshgrid", "ApplyAdam"])
def test_what_says_nothing_without_its_indices_or_is_long_is_left_out(name: str) -> None:
    assert short_formula(library[name]) == ""


@in_one_test(placeable_types())
def test_no_short_formula_is_long_or_has_latex_in_it(item: BlockType) -> None:
    formula = short_formula(item)
    assert len(formula) <= LONGEST_FORMULA
    assert not set(formula) & set("\\{}_")


def test_the_font_of_the_formulas_has_their_letters(qapp: object) -> None:
    mono = QRawFont(str(ASSETS / "fonts" / "JetBrainsMono-Regular.ttf"), 11)
    letters = set("".join(short_formula(item) for item in placeable_types()))
    assert [letter for letter in sorted(letters) if not mono.supportsCharacter(ord(letter))] == []
