"""The two themes of `assets/tokens.json`: colours, sizes and fonts by their token names."""

from __future__ import annotations

import functools
import json
from typing import Any, Literal

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

from gradwire import HOME

ASSETS = HOME / "assets"
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
# The substitutes of high contrast: one background, one colour for borders and texts, no tints.
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
    """Returns the contents of the token file."""
    return json.loads((ASSETS / "tokens.json").read_text(encoding="utf-8"))


def size(name: str) -> float:
    """Returns a size by its token name (`block.width`).

    Units: px at 100 %.
    """
    return float(tokens()["size"][name])


class Theme:
    """One theme, perhaps in high contrast. Colours are created once; the caller must not change them.

    `line` is the width of a border.
    Units: px at 100 %.
    """

    def __init__(self, name: ThemeName, is_strong: bool = False) -> None:
        self.name: ThemeName = name
        self.is_strong = is_strong
        self.line = 2.0 if is_strong else 1.0
        colors = tokens()["themes"][name]["color"]
        self._colors = {key: _color(value) for key, value in colors.items() if isinstance(value, str)}
        self._ramps = {key: list(map(_color, value)) for key, value in colors.items() if isinstance(value, list)}
        if is_strong:
            strong = _STRONG_COLORS[name]
            self._colors |= {token: QColor(strong[kind]) for token, kind in _STRONG.items()}

    def __repr__(self) -> str:
        return f"<theme {self.name}{' in high contrast' if self.is_strong else ''}>"

    @functools.cached_property
    def _ramp(self) -> list[QColor]:
        return _ramp_table(self._ramps["grad.ramp"])

    @functools.cached_property
    def _diverging(self) -> list[QColor]:
        stops = [*self._ramps["div.neg"], self._colors["div.zero"], *self._ramps["div.pos"]]
        return _ramp_table(stops, steps=201)

    def color(self, token: str) -> QColor:
        """Returns the colour of a token.

        Raises: KeyError if there is no token of this name.
        """
        return self._colors[token]

    def css(self, token: str) -> str:
        """Returns the colour of a token in the notation of style sheets."""
        color = self._colors[token]
        return color.name() if color.alpha() == 255 else color.name(QColor.NameFormat.HexArgb)

    def ramp(self, t: float) -> QColor:
        """Returns the colour of a gradient's magnitude, `t` from 0 (smallest on the page) to 1."""
        return self._ramp[round(min(max(t, 0.0), 1.0) * (len(self._ramp) - 1))]

    def diverging(self, t: float) -> QColor:
        """Returns the colour of a heat map's cell, `t` from -1 to 1."""
        return self._diverging[round((min(max(t, -1.0), 1.0) + 1) / 2 * (len(self._diverging) - 1))]

    def palette(self) -> QPalette:
        """Returns the palette of Qt's own widgets."""
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.color(token))
        for role in _DISABLED:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("text.disabled"))
        return palette


def theme(name: ThemeName, is_strong: bool = False) -> Theme:
    """Returns the theme of a name, optionally in high contrast; the same arguments return the same object."""
    return _made(name, is_strong)


_made = functools.cache(Theme)


@functools.cache
def load_fonts() -> dict[str, str]:
    """Loads the bundled fonts; returns the families for `ui` and `mono`, system fonts if loading fails."""
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
    """Returns a font of a size in px; `mono` has no ligatures, which would change arrows in labels."""
    made = QFont(load_fonts()[kind])
    # QFont takes only whole pixel sizes.
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
    """Returns the colour of a token, `#RRGGBB` or `#RRGGBBAA`; Qt itself expects the alpha first."""
    return QColor(text) if len(text) == 7 else QColor(f"#{text[7:]}{text[1:7]}")


def _ramp_table(stops: list[QColor], steps: int = 101) -> list[QColor]:
    from gradwire.app.look.ramps import ramp_table  # imports NumPy, which the first paint must not wait for

    return ramp_table(stops, steps)
