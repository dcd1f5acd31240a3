"""The two themes: same tokens, readable text, monotonic ramps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette, QRawFont
from PySide6.QtWidgets import QApplication

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.style import style_sheet
from gradwire.app.look.theme import ASSETS, Theme, _color, font, load_fonts, size, theme, tokens

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = pytest.mark.parametrize("dress", [theme("dark"), theme("light")], ids=["dark", "light"])
TEXTS = ("text.primary", "text.secondary", "text.tertiary")
GROUNDS = ("bg.app", "bg.raised", "bg.header", "bg.canvas", "bg.overlay", "bg.chrome")


@pytest.mark.parametrize(
    ("text", "parts"), [("#1A2B3C", (0x1A, 0x2B, 0x3C, 0xFF)), ("#1A2B3C80", (0x1A, 0x2B, 0x3C, 0x80))]
)
def test_a_colour_has_its_opacity_behind_its_parts(text: str, parts: tuple[int, ...]) -> None:
    """As in CSS Color 4, where `#RRGGBBAA` ends with the alpha."""
    assert _color(text).getRgb() == parts


def luminance(color: QColor) -> float:
    """Returns the relative luminance of WCAG 2.1."""
    parts = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: QColor, b: QColor) -> float:
    """Returns the contrast ratio of WCAG 2.1."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_a_contrast_of_21() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)


def test_both_themes_have_the_same_tokens() -> None:
    dark, light = (tokens()["themes"][name]["color"] for name in ("dark", "light"))
    assert dark.keys() == light.keys()
    assert {key for key in dark if isinstance(dark[key], list)} == {
        key for key in light if isinstance(light[key], list)
    }


@BOTH
def test_every_token_is_a_colour(dress: Theme) -> None:
    names = [key for key, value in tokens()["themes"][dress.name]["color"].items() if isinstance(value, str)]
    assert names and all(dress.color(name).isValid() for name in names)


@BOTH
@pytest.mark.parametrize(("text", "ground"), list(itertools.product(TEXTS, GROUNDS)))
def test_text_can_be_read_on_every_ground(text: str, ground: str, dress: Theme) -> None:
    # WCAG 2.1 AA requires 4.5:1 for small text.
    assert contrast(dress.color(text), dress.color(ground)) >= 4.5


@BOTH
@pytest.mark.parametrize("token", ["grad.text", "value", "alarm"])
def test_the_texts_of_labels_can_be_read_on_the_canvas(token: str, dress: Theme) -> None:
    assert contrast(dress.color(token), dress.color("bg.canvas")) >= 4.5


@BOTH
@pytest.mark.parametrize("kind", ["error", "warn", "alarm", "ok"])
def test_a_message_can_be_read_on_its_own_ground(kind: str, dress: Theme) -> None:
    assert contrast(dress.color(kind), dress.color(f"{kind}.bg")) >= 4.5


@BOTH
def test_dtypes_and_categories_stand_out_from_blocks(dress: Theme) -> None:
    names = [name for name in tokens()["themes"][dress.name]["color"] if name.startswith(("dtype.", "cat."))]
    assert len(names) == 15
    assert not [name for name in names if contrast(dress.color(name), dress.color("bg.raised")) < 3]


@BOTH
@pytest.mark.parametrize(
    "token", ["wire.value", "wire.zero", "wire.nopath", "alarm", "error", "accent", "focus", "stop"]
)
def test_wires_and_borders_stand_out_from_the_canvas(token: str, dress: Theme) -> None:
    assert contrast(dress.color(token), dress.color("bg.canvas")) >= 3


def test_every_token_that_the_program_names_exists() -> None:
    kinds = "bg|border|text|accent|wire|grad|stop|alarm|error|warn|ok|div|cat|dtype"
    named: set[str] = set()
    for path in ASSETS.parent.glob("app/**/*.py"):
        named.update(re.findall(rf"""["']((?:{kinds})\.[a-z.-]+)["']""", path.read_text(encoding="utf-8")))
    assert len(named) >= 40
    assert named <= tokens()["themes"]["dark"]["color"].keys()


@BOTH
def test_text_can_be_read_on_the_accent(dress: Theme) -> None:
    assert contrast(dress.color("text.on-accent"), dress.color("accent")) >= 4.5


@pytest.mark.parametrize(("name", "sign"), [("dark", 1), ("light", -1)])
def test_the_ramp_only_brightens_in_dark_and_only_darkens_in_light(name: str, sign: int) -> None:
    shades = [luminance(theme("dark" if name == "dark" else "light").ramp(t)) for t in np.linspace(0, 1, 101)]
    assert all(sign * (b - a) > 0 for a, b in itertools.pairwise(shades))


@BOTH
def test_every_colour_of_the_ramp_stands_out_from_the_canvas(dress: Theme) -> None:
    # WCAG 2.1 requires 3:1 for graphics.
    assert all(contrast(dress.ramp(t), dress.color("bg.canvas")) >= 3 for t in np.linspace(0, 1, 101))


@BOTH
@pytest.mark.parametrize(("beyond", "end"), [(-5.0, 0.0), (7.0, 1.0)])
def test_a_ramp_ends_at_its_ends(beyond: float, end: float, dress: Theme) -> None:
    assert dress.ramp(beyond) == dress.ramp(end)


@BOTH
def test_the_ramp_passes_through_its_stops(dress: Theme) -> None:
    stops = tokens()["themes"][dress.name]["color"]["grad.ramp"]
    for place, stop in zip(np.linspace(0, 1, len(stops)), stops, strict=True):
        found, wanted = dress.ramp(float(place)), QColor(stop)
        if place * 100 == round(place * 100):
            # Through OKLab and back costs less than a step of 8 bits.
            assert max(abs(a - b) for a, b in zip(found.getRgb(), wanted.getRgb(), strict=True)) <= 1


@BOTH
def test_a_heat_map_is_even_in_the_middle_and_differs_at_its_ends(dress: Theme) -> None:
    zero, middle = dress.color("div.zero"), dress.diverging(0.0)
    assert max(abs(a - b) for a, b in zip(zero.getRgb(), middle.getRgb(), strict=True)) <= 1
    assert dress.diverging(-1.0) != dress.diverging(1.0)
    assert contrast(dress.diverging(-1.0), middle) > 1.5 < contrast(dress.diverging(1.0), middle)


@BOTH
def test_a_colour_in_a_style_sheet_is_the_colour(dress: Theme) -> None:
    for token in (*TEXTS, *GROUNDS, "shadow"):
        assert QColor(dress.css(token)) == dress.color(token)


@BOTH
def test_the_style_sheet_has_no_token_left(dress: Theme) -> None:
    text = style_sheet(dress)
    assert text.strip() and not any(f"{{{token}}}" in text for token in (*TEXTS, *GROUNDS))


def test_an_unknown_token_is_an_error() -> None:
    with pytest.raises(KeyError):
        theme("dark").color("no such token")


@BOTH
@pytest.mark.parametrize(
    ("role", "token"),
    [
        (QPalette.ColorRole.Window, "bg.app"),
        (QPalette.ColorRole.Base, "bg.sunken"),
        (QPalette.ColorRole.Text, "text.primary"),
        (QPalette.ColorRole.PlaceholderText, "text.tertiary"),
        (QPalette.ColorRole.Highlight, "accent"),
        (QPalette.ColorRole.HighlightedText, "text.on-accent"),
        (QPalette.ColorRole.ToolTipBase, "bg.overlay"),
    ],
)
def test_the_palette_has_the_tokens_of_the_design(role: QPalette.ColorRole, token: str, dress: Theme) -> None:
    assert dress.palette().color(role) == dress.color(token)


@pytest.mark.parametrize(("name", "px"), [("block.width", 144), ("block.header", 28), ("block.port.row", 20)])
def test_sizes_are_those_of_the_design(name: str, px: float) -> None:
    assert size(name) == px


@pytest.mark.parametrize("kind", ["ui", "mono"])
def test_the_bundled_fonts_are_loaded(kind: str) -> None:
    assert load_fonts()[kind] == tokens()["font"][kind][0]
    assert QFontInfo(font("mono" if kind == "mono" else "ui", 12)).family() == tokens()["font"][kind][0]


@pytest.mark.parametrize("path", sorted((ASSETS / "fonts").glob("*.[ot]tf")), ids=lambda path: path.stem)
def test_every_font_has_every_sign_that_the_canvas_writes(path: Path) -> None:
    found = QRawFont(str(path), 12)
    assert found.isValid()
    assert not [sign for sign in "∂→←−×σ≈…↑↓|[]0123456789.," if not found.supportsCharacter(ord(sign))]


@pytest.mark.parametrize("weight", [400, 500, 600])
def test_a_font_has_the_size_and_weight_asked_for(weight: int) -> None:
    made = font("ui", 12, weight)
    assert (made.pixelSize(), made.weight()) == (12, QFont.Weight(weight))


@pytest.fixture
def appearance() -> Iterator[Appearance]:
    """An appearance; afterwards the application has its former look again."""
    program = QApplication.instance()
    assert isinstance(program, QApplication)
    kept = program.palette(), program.styleSheet(), program.font(), program.property("gradwire_worn")
    yield Appearance("dark")
    program.setProperty("gradwire_worn", kept[3])
    program.setPalette(kept[0])
    program.setStyleSheet(kept[1])
    program.setFont(kept[2])


@pytest.mark.long
def test_choosing_a_theme_puts_it_on_and_says_so(appearance: Appearance) -> None:
    told: list[Theme] = []
    appearance.changed.connect(told.append)
    appearance.choose("light")
    appearance.choose("light")
    appearance.choose("dark")
    assert told == [theme("light"), theme("dark")]
    assert (appearance.theme, appearance.choice) == (theme("dark"), "dark")
    assert QApplication.palette().color(QPalette.ColorRole.Window) == theme("dark").color("bg.app")


@pytest.mark.parametrize("name", ["dark", "light"])
def test_borders_are_twice_as_wide_in_high_contrast(name: str) -> None:
    assert (Theme(name).line, Theme(name, is_strong=True).line) == (1.0, 2.0)  # type: ignore[arg-type]
