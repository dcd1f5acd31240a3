"""Formulas are typeset, and Qt draws them in the requested colour; those of the library are, with the help on it."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from gradwire.app.look.formulas import formula_picture, formula_svg, statements
from gradwire.app.look.theme import ThemeName, theme
from tests.app.canvas.pages import pixels

pytestmark = pytest.mark.usefixtures("qapp")

BLACK = QColor("#000000")


def picture(latex: str, color: QColor = BLACK, ratio: float = 1.0) -> QImage:
    made = formula_picture(latex, color, 17.0, ratio)
    assert made is not None, latex
    return made


def ink(latex: str) -> np.ndarray:
    """Returns the mask of a formula's inked pixels. Shapes: (height, width)."""
    found: np.ndarray = pixels(picture(latex))[..., 3] > 64
    return found


@pytest.mark.parametrize(
    "latex",
    [
        r"\mathrm{softmax}(x)",
        r"\operatorname{atan2}(x, y)",
        r"\text{none: nothing flows}",
        r"\bar x = \hat y",
        r"\tfrac12 \textstyle\sum_i x_i^2",
        r"\begin{cases} x & x > 0 \\ -\alpha x & \text{else} \end{cases}",
        r"\left( \frac{x}{\sqrt{y}} \right)^\top",
        r"\lVert x \rVert \ne \lfloor y \rfloor",
        r"x \,?\, y : \dots",
    ],
)
def test_what_formulas_are_made_of_leaves_ink(latex: str) -> None:
    # A single letter of 17 px covers about twenty pixels.
    assert ink(latex).sum() > 60


@pytest.mark.parametrize("latex", ["", r"\frac{1}", r"\nonsense{x}", "x_{", r"\left( x", r"\begin{cases} x", "&", "^"])
def test_what_is_no_formula_has_no_picture(latex: str) -> None:
    assert formula_svg(latex, 17.0) == ""
    assert formula_picture(latex, BLACK, 17.0) is None


def test_a_bar_is_drawn_above_its_letter() -> None:
    barred, plain = ink(r"\bar x"), ink("x")
    assert barred.shape[0] > plain.shape[0]
    assert barred[: barred.shape[0] - plain.shape[0]].any()


def test_a_fraction_has_a_line_between_its_parts() -> None:
    rows = ink(r"\frac{x + y + z}{a + b + c}").mean(axis=1)
    middle = rows[len(rows) // 3 : -len(rows) // 3]
    assert middle.max() > 0.8


@pytest.mark.parametrize("name", ["dark", "light"])
def test_a_formula_has_the_colour_of_the_theme_and_no_other(name: ThemeName) -> None:
    color = theme(name).color("text.primary")
    found = pixels(picture(r"\bar x = \frac{-x}{2}\,\text{or}\,\sqrt{y}", color, 2.0))
    solid = found[found[..., 3] == 255][..., :3].astype(int)
    assert len(solid) > 50
    expected = np.sort([color.red(), color.green(), color.blue()])
    # Blending costs a step of 8 bits; the machine determines the order of the channels.
    assert np.abs(np.sort(solid, axis=-1) - expected).max() <= 1


def test_a_picture_has_the_size_of_its_screen() -> None:
    once, twice = picture("y = x^2"), picture("y = x^2", ratio=2.0)
    assert (twice.width(), twice.height()) == (2 * once.width(), 2 * once.height())
    assert twice.deviceIndependentSize() == once.deviceIndependentSize()


def test_a_sign_stands_close_to_its_number() -> None:
    for sign in ("y = -x", "f(-x)", r"y \leftarrow -x", r"a,\quad -b"):
        assert ink(sign).shape[1] < ink(sign.replace("-", "{} - ")).shape[1]


def test_a_formula_falls_apart_into_its_statements() -> None:
    assert statements(r"\bar x = y,\quad \bar y = \frac{1,\quad 2}{x}") == [
        r"\bar x = y",
        r"\bar y = \frac{1,\quad 2}{x}",
    ]
    assert statements("y = f(a, b)") == ["y = f(a, b)"]


def test_without_the_typesetter_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziamath.zmath", None)
    formula_svg.cache_clear()
    assert formula_svg("y = x", 17.0) == ""
    formula_svg.cache_clear()
