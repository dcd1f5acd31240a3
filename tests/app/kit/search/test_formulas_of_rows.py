"""The short formulas of the palette: in the language of the window, and in letters that the font has."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QRawFont

from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.look.theme import ASSETS
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types


@pytest.mark.parametrize(
    ("name", "formula"), [("Variable", "trainable"), ("PreventGradient", "∂ → error"), ("StopGradient", "∂ → 0")]
)
def test_what_has_no_formula_has_a_word(name: str, formula: str) -> None:
    assert short_formula(library[name]) == formula


def test_the_font_of_the_formulas_has_their_letters(qapp: object) -> None:
    mono = QRawFont(str(ASSETS / "fonts" / "JetBrainsMono-Regular.ttf"), 11)
    letters = set("".join(short_formula(item) for item in placeable_types()))
    assert [letter for letter in sorted(letters) if not mono.supportsCharacter(ord(letter))] == []
