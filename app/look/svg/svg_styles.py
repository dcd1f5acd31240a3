"""Styles of SVG elements as classes: each combination of pen, brush and font has one name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontInfo, QPen

from gradwire.app.look.svg.embedded_fonts import NAMES
from gradwire.app.look.theme import load_fonts, tokens

_CAPS = {Qt.PenCapStyle.FlatCap: "butt", Qt.PenCapStyle.SquareCap: "square", Qt.PenCapStyle.RoundCap: "round"}
_JOINS = {
    Qt.PenJoinStyle.MiterJoin: "miter",
    Qt.PenJoinStyle.BevelJoin: "bevel",
    Qt.PenJoinStyle.RoundJoin: "round",
    Qt.PenJoinStyle.SvgMiterJoin: "miter",
}
# The pen that needs no words: as the painter has it by default.
_CAP, _JOIN = "square", "bevel"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# How a colour is written: as fill, stroke or color with an opacity of its own.
Paint = Callable[[QColor], tuple[str, float]]


@lru_cache(maxsize=1 << 14)
def number(value: float, digits: int = 2) -> str:
    """Returns a size in few letters."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in ("-0", "") else text


def coordinate(value: float) -> str:
    """Returns a coordinate in few letters, to a tenth of a px."""
    return number(value, 1)


def plain_paint(color: QColor) -> tuple[str, float]:
    """Returns a colour as it is."""
    return color.name(), round(color.alphaF(), 3)


class Styles:
    """Classes in `names` by what they say; `paint` writes colours, and names begin with `prefix`.

    Without `has_fonts` texts are of fixed pitch unless they have the variable `--ui`: the sheet around says the rest.
    """

    def __init__(
        self, paint: Paint = plain_paint, prefix: str = "", has_fonts: bool = True, names: Mapping[str, str] = {}
    ) -> None:
        self._paint, self._prefix, self._has_fonts = paint, prefix, has_fonts
        self.names = dict(names)

    def name(self, text: str) -> str:
        """Returns the class of some declarations."""
        if text not in self.names:
            self.names[text] = self._prefix + _name(len(self.names))
        return self.names[text]

    def css(self, prefix: str = "") -> str:
        """Returns all rules, with a prefix before the names of classes."""
        return "".join(f".{prefix}{name}{{{text}}}" for text, name in self.names.items())

    def shape(self, pen: QPen, brush: QBrush | None, scale: float, opacity: float) -> str:
        """Returns the class of a shape; a brush of None fills nothing."""
        is_filled = brush is not None and brush.style() != Qt.BrushStyle.NoBrush
        parts = self._color("fill", brush.color() if is_filled and brush is not None else None)
        if pen.style() != Qt.PenStyle.NoPen:
            parts += self._color("stroke", pen.color()) + _stroke(pen, scale)
        return self.name(";".join([*parts, *_opacity(opacity)]))

    def text(self, color: QColor, font: QFont, scale: float, opacity: float, anchor: str = "") -> str:
        """Returns the class of a text."""
        px = QFontInfo(font).pixelSize() * scale
        is_mono = font.family() == load_fonts()["mono"]
        parts = [*self._color("fill", color), *self._font(is_mono, f"{font.weight().value}", f"{number(px)}px")]
        parts += [f"text-anchor:{anchor}"] if anchor else []
        return self.name(";".join([*parts, *_opacity(opacity)]))

    def _font(self, is_mono: bool, weight: str, size: str) -> list[str]:
        if not self._has_fonts:
            usual = [] if weight == "400" else [f"font-weight:{weight}"]
            return [f"font-size:{size}", *usual, *([] if is_mono else ["font-family:var(--ui)"])]
        features = ['font-feature-settings:"calt" 0,"zero" 1'] if is_mono else []
        return [f"font:{weight} {size} {_families(is_mono)}", *features]

    def icon(self, color: QColor, opacity: float) -> str:
        """Returns the class of an icon, whose strokes have the current colour."""
        return self.name(";".join([*self._color("color", color), *_opacity(opacity)]))

    def _color(self, kind: str, color: QColor | None) -> list[str]:
        if color is None or color.alpha() == 0:
            return [f"{kind}:none"]
        text, alpha = self._paint(color)
        name = "opacity" if kind == "color" else f"{kind}-opacity"
        return [f"{kind}:{text}", *([f"{name}:{number(alpha)}"] if alpha < 1 else [])]


def _stroke(pen: QPen, scale: float) -> list[str]:
    width = max(pen.widthF(), 0.0) or 1 / scale
    found = [f"stroke-width:{number(width * scale)}"] if width * scale != 1 else []
    if pen.style() != Qt.PenStyle.SolidLine:
        found.append("stroke-dasharray:" + " ".join(number(item * width * scale) for item in pen.dashPattern()))
    cap, join = _CAPS.get(pen.capStyle(), _CAP), _JOINS.get(pen.joinStyle(), _JOIN)
    found += [f"stroke-linecap:{cap}"] if cap != _CAP else []
    return found + ([f"stroke-linejoin:{join}"] if join != _JOIN else [])


def _opacity(opacity: float) -> list[str]:
    return [] if opacity >= 1 else [f"opacity:{number(opacity)}"]


def _families(is_mono: bool) -> str:
    """Returns the picture's own font and, for programs that read none from pictures, the usual one."""
    kind = "mono" if is_mono else "ui"
    usual = tokens()["font"][kind][0]
    usual = f'"{usual}"' if " " in usual else usual
    return f"{NAMES[kind]},{usual},{'monospace' if is_mono else 'sans-serif'}"


def _name(number: int) -> str:
    """Returns the class of a number: a, b, … z, aa, ab."""
    text = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(_LETTERS))
        text = _LETTERS[letter] + text
    return text
