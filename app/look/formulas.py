"""Typeset formulas of block types: LaTeX rendered in a colour of the theme."""

from __future__ import annotations

import functools
import math
import re
import warnings

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

# A unary minus; without braces the typesetter spaces it like a binary one.
_SIGN = re.compile(r"(^|[=(\[{,<>]|\\(?:quad|leftarrow|text\{[^}]*\}|[,;]))(\s*)-")
# The packages raise these for invalid formulas, besides exceptions of their own.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    SyntaxError,
    TypeError,
    ValueError,
)


def statements(latex: str) -> list[str]:
    r"""Returns the statements of a formula, which `,\quad` separates."""
    if r"\begin" in latex:
        return [latex]
    parts = [""]
    for piece in re.split(r"(,\s*\\quad)", latex):
        is_outside = parts[-1].count("{") == parts[-1].count("}")
        if is_outside and piece.startswith(",") and piece.endswith(r"\quad"):
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


@functools.lru_cache(maxsize=1024)
def formula_svg(latex: str, px: float) -> str:
    """Returns a formula as SVG in `currentColor`, its letters `px` high; "" if it cannot be typeset."""
    with warnings.catch_warnings():
        # On Python 3.11 and 3.12 the package finds its font by a function that is deprecated there.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            # The import takes a fifth of a second, and most windows never show a formula.
            from latex2mathml import exceptions
            from ziamath.config import config
            from ziamath.zmath import Latex
        except ImportError:
            return ""
    # QtSvg does not support the reuse of symbols.
    config.svg2 = False
    own = [item for item in vars(exceptions).values() if isinstance(item, type) and issubclass(item, Exception)]
    faults: tuple[type[Exception], ...] = (*_FAULTS, *own)
    prepared = _SIGN.sub(r"\1\2{-}", latex.replace(r"\operatorname{", r"\mathrm{"))
    try:
        made = Latex(prepared, size=px, color="currentColor")
        # The typesetter shows the names of unknown commands.
        return "" if "\\" in "".join(made.mathml.itertext()) else made.svg()
    except faults:
        return ""


@functools.lru_cache(maxsize=256)
def _picture(latex: str, color: str, px: float, ratio: float) -> QImage | None:
    renderer = QSvgRenderer(QByteArray(formula_svg(latex, px).replace("currentColor", color).encode()))
    box = renderer.viewBoxF()
    if not renderer.isValid() or box.isEmpty():
        return None
    width, height = math.ceil(box.width()), math.ceil(box.height())
    image = QImage(math.ceil(width * ratio), math.ceil(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(0, 0, box.width(), box.height()))
    return image


def formula_picture(latex: str, color: QColor, px: float, ratio: float = 1.0) -> QImage | None:
    """Returns a formula on a transparent background, `ratio` device pixels a px; None if it cannot be typeset."""
    return _picture(latex, color.name(), px, ratio)
