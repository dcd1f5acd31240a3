"""The two themes of `assets/tokens.json`: colours, sizes and fonts by their token names."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

ASSETS = Path(__file__).parent.parent.parent / "assets"
ThemeName = Literal["dark", "light"]
WEIGHTS = {400: QFont.Weight.Normal, 500: QFont.Weight.Medium, 600: QFont.Weight.DemiBold}

_ROLES = {
    QPalette.ColorRole.Window: "bg.app",
    QPalette.ColorRole.WindowText: "text.primary",
    QPalette.ColorRole.Base: "bg.sunken",
    QPalette.ColorRole.AlternateBase: "bg.raised",
    QPalette.ColorRole.Text: "text.primary",
    QPalette.ColorRole.PlaceholderText: "text.tertiary",
    QPalette.ColorRole.Button: "bg.raised",
    QPalette.ColorRole.ButtonText: "text.primary",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "text.on-accent",
    QPalette.ColorRole.ToolTipBase: "bg.overlay",
    QPalette.ColorRole.ToolTipText: "text.primary",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.Light: "bg.hover",
    QPalette.ColorRole.Midlight: "bg.header",
    QPalette.ColorRole.Mid: "border.default",
    QPalette.ColorRole.Dark: "border.subtle",
    QPalette.ColorRole.Shadow: "bg.sunken",
}
# What high contrast puts in place of a colour: one ground, borders and texts in one colour, no tints.
_STRONG = {
    **dict.fromkeys(
        ("bg.app", "bg.chrome", "bg.raised", "bg.header", "bg.sunken", "bg.overlay", "bg.frame", "bg.canvas"), "ground"
    ),
    **dict.fromkeys(("grad.soft", "stop.fill", "alarm.bg", "error.bg", "warn.bg", "ok.bg", "accent.soft"), "ground"),
    **dict.fromkeys(("border.subtle", "border.default", "border.strong"), "ink"),
    **dict.fromkeys(("text.primary", "text.secondary", "text.tertiary"), "ink"),
}
_STRONG_COLORS = {"dark": {"ground": "#000000", "ink": "#ffffff"}, "light": {"ground": "#ffffff", "ink": "#000000"}}
_DISABLED = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


@functools.cache
def tokens() -> dict[str, Any]:  # Any: JSON
    """The token file."""
    found: dict[str, Any] = json.loads((ASSETS / "tokens.json").read_text(encoding="utf-8"))
    return found


def size(name: str) -> float:
    """A size by its token name (`block.width`).

    Units: px at 100 %.
    """
    return float(tokens()["size"][name])


class Theme:
    """One theme, perhaps in high contrast. Colours are made once; the caller must not change them.

    `line` is the breadth of a border.
    Units: px at 100 %.
    """

    def __init__(self, name: ThemeName, is_strong: bool = False) -> None:
        self.name: ThemeName = name
        self.is_strong = is_strong
        self.line = 2.0 if is_strong else 1.0
        colors = tokens()["themes"][name]["color"]
        self._colors = {key: _color(value) for key, value in colors.items() if isinstance(value, str)}
        self._ramps = {
            key: [_color(item) for item in value] for key, value in colors.items() if isinstance(value, list)
        }
        if is_strong:
            strong = _STRONG_COLORS[name]
            self._colors |= {token: QColor(strong[kind]) for token, kind in _STRONG.items()}
        self._ramp = _ramp_table(self._ramps["grad.ramp"])
        self._diverging = _ramp_table(
            [*self._ramps["div.neg"], self._colors["div.zero"], *self._ramps["div.pos"]], steps=201
        )

    def __repr__(self) -> str:
        return f"<theme {self.name}{' in high contrast' if self.is_strong else ''}>"

    def color(self, token: str) -> QColor:
        """The colour of a token name.

        Raises: KeyError if there is none of that name.
        """
        return self._colors[token]

    def css(self, token: str) -> str:
        """The colour of a token name as a style sheet writes it."""
        color = self._colors[token]
        return color.name() if color.alpha() == 255 else color.name(QColor.NameFormat.HexArgb)

    def ramp(self, t: float) -> QColor:
        """The colour of a gradient's magnitude, `t` from 0 (smallest on the page) to 1."""
        return self._ramp[round(min(max(t, 0.0), 1.0) * (len(self._ramp) - 1))]

    def diverging(self, t: float) -> QColor:
        """The colour of a heat map's cell, `t` from -1 to 1."""
        return self._diverging[round((min(max(t, -1.0), 1.0) + 1) / 2 * (len(self._diverging) - 1))]

    def palette(self) -> QPalette:
        """The palette of Qt's own widgets."""
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.color(token))
        for role in _DISABLED:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("text.disabled"))
        return palette


def theme(name: ThemeName, is_strong: bool = False) -> Theme:
    """The theme of that name, in high contrast if asked for; always the same object."""
    return _made(name, is_strong)


@functools.cache
def _made(name: ThemeName, is_strong: bool) -> Theme:
    return Theme(name, is_strong)


@functools.cache
def load_fonts() -> dict[str, str]:
    """Loads the bundled fonts; the family to use for `ui` and for `mono`, a system's where loading fails."""
    loaded: set[str] = set()
    for path in sorted((ASSETS / "fonts").glob("*.[ot]tf")):
        loaded.update(QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path))))
    known = loaded | set(QFontDatabase.families())
    return {
        kind: next((name for name in tokens()["font"][kind] if name in known), tokens()["font"][kind][-1])
        for kind in ("ui", "mono")
    }


@functools.cache
def font(kind: Literal["ui", "mono"], px: float, weight: int = 400) -> QFont:
    """A font in a size of px; `mono` without ligatures, so that an arrow in a label stays what it is."""
    made = QFont(load_fonts()[kind])
    # Fractions of a px survive only as points of a screen with 72 of them an inch; Qt rounds pixel sizes.
    made.setPixelSize(max(1, round(px)))
    made.setWeight(WEIGHTS[weight])
    made.setStyleHint(QFont.StyleHint.Monospace if kind == "mono" else QFont.StyleHint.SansSerif)
    if kind == "mono":
        made.setFeature(QFont.Tag("calt"), 0)
        made.setFeature(QFont.Tag("zero"), 1)
    else:
        made.setFeature(QFont.Tag("tnum"), 1)
        made.setFeature(QFont.Tag("ss03"), 1)
    made.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return made


def _color(text: str) -> QColor:
    """A token's colour, `#RRGGBB` or `#RRGGBBAA`; Qt would read the alpha first."""
    return QColor(text) if len(text) == 7 else QColor(f"#{text[7:]}{text[1:7]}")


def _ramp_table(stops: list[QColor], steps: int = 101) -> list[QColor]:
    """Colours evenly along the stops, interpolated in OKLab."""
    labs = np.array([_to_oklab(item) for item in stops])
    at = np.linspace(0, len(stops) - 1, steps)
    mixed = np.column_stack([np.interp(at, np.arange(len(stops)), labs[:, axis]) for axis in range(3)])
    return [_from_oklab(row) for row in mixed]


# Björn Ottosson, "A perceptual color space for image processing", 2020: linear sRGB to LMS, and the cube roots to Lab.
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _to_oklab(color: QColor) -> np.ndarray[Any, np.dtype[np.float64]]:
    rgb = np.array([color.redF(), color.greenF(), color.blueF()], float)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lab: np.ndarray[Any, np.dtype[np.float64]] = _TO_LAB @ np.cbrt(_TO_LMS @ linear)
    return lab


def _from_oklab(lab: np.ndarray[Any, np.dtype[np.float64]]) -> QColor:
    linear = np.clip(np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, lab) ** 3), 0, 1)
    rgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return QColor.fromRgbF(*(float(item) for item in np.clip(rgb, 0, 1)))
