"""A theme whose colours stand for tokens: what is painted with it gets variables of a style sheet, dark and light."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtGui import QColor

from gradwire.app.features.share.web.page_choices import PageTheme
from gradwire.app.look.svg.svg_styles import plain_paint
from gradwire.app.look.theme import Theme, theme

# Into how many steps each half of the scale of cells, and the whole one of magnitudes, are divided.
CELL_STEPS, RAMP_STEPS = 10, 16
_OFFSET = 1 << 12


class TokenTheme(Theme):
    """A theme in which each colour has the number of a token in place of red, green and blue."""

    def __init__(self) -> None:
        super().__init__("light")
        self._coded: dict[str, QColor] = {}
        self._painted: dict[tuple[int, float], tuple[str, float]] = {}

    def color(self, token: str) -> QColor:
        """Returns the colour that stands for a token, as opaque as that is in the light theme."""
        if token not in self._coded:
            made = QColor.fromRgb(_OFFSET + len(self._coded))
            made.setAlpha(_color(theme("light"), token).alpha())
            self._coded[token] = made
        return self._coded[token]

    def ramp(self, t: float) -> QColor:
        """Returns the colour that stands for a step of the scale of magnitudes."""
        return self.color(f"ramp.{ramp_step(t)}")

    def diverging(self, t: float) -> QColor:
        """Returns the colour that stands for a step of the scale of cells."""
        return self.color(f"cell.{cell_step(t)}")

    def paint(self, color: QColor) -> tuple[str, float]:
        """Returns a painted colour as a variable, with its opacity beside that of the token."""
        key = color.rgb(), color.alphaF()
        if key not in self._painted:
            self._painted[key] = self._paint(color)
        return self._painted[key]

    def _paint(self, color: QColor) -> tuple[str, float]:
        number = (color.rgb() & 0xFFFFFF) - _OFFSET
        if not 0 <= number < len(self._coded):
            # Of a theme itself: pictures of monitors are painted in each of them.
            return plain_paint(color)
        token = [*self._coded][number]
        whole = _color(theme("light"), token).alphaF()
        return f"var(--{name_of(token)})", round(color.alphaF() / whole, 3) if whole else 1.0


def ramp_step(t: float) -> int:
    """Returns the step of a magnitude from 0 to 1."""
    return int(min(max(t, 0.0), 1.0) * RAMP_STEPS + 0.5)


def cell_step(t: float) -> int:
    """Returns the step of a cell from -1 to 1: halves up, as scripts round."""
    return int((min(max(t, -1.0), 1.0) + 1) * CELL_STEPS + 0.5) - CELL_STEPS


def name_of(token: str) -> str:
    """Returns the name of a token's variable."""
    return token.replace(".", "-")


def of_theme(wanted: PageTheme, declared: Callable[[Theme], str]) -> str:
    """Returns the rules of a theme; "auto" is the light one, and the dark one where the reader's system has that."""
    light, dark = (declared(theme(name)) for name in ("light", "dark"))
    if wanted == "light":
        return light
    if wanted == "dark":
        # Paper stays white.
        return f"{dark}@media print{{{light}}}"
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def variables(dress: Theme, names: Iterable[str]) -> str:
    """Returns the variables of tokens in one theme, and which of two pictures is seen."""
    found = "".join(f"--{name_of(token)}:{_css(_color(dress, token))};" for token in names)
    other = "light" if dress.name == "dark" else "dark"
    return f":root{{{found}color-scheme:{dress.name}}}.in-{dress.name}{{display:inline}}.in-{other}{{display:none}}"


def ramp_rules(dress: Theme) -> str:
    """Returns the rules that say the colour of each step of the scale of magnitudes in one theme."""
    return "".join(f".r{step}{{--s:{_css(_color(dress, f'ramp.{step}'))}}}" for step in range(RAMP_STEPS + 1))


def cell_rules(dress: Theme) -> str:
    """Returns the rules of the cells of matrices in one theme."""
    steps = range(-CELL_STEPS, CELL_STEPS + 1)
    return "".join(
        f".{'c' if step >= 0 else 'cm'}{abs(step)}{{fill:{_css(_color(dress, f'cell.{step}'))}}}" for step in steps
    )


def _color(dress: Theme, token: str) -> QColor:
    kind, _, step = token.partition(".")
    if kind == "ramp":
        return dress.ramp(int(step) / RAMP_STEPS)
    if kind == "cell":
        return dress.diverging(int(step) / CELL_STEPS)
    return dress.color(token)


def _css(color: QColor) -> str:
    """Returns a colour in the notation of the web, where the opacity comes last."""
    text = color.name()
    return text if color.alpha() == 255 else f"{text}{color.alpha():02x}"
