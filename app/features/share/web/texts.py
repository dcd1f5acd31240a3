"""Numbers as a page's script writes them: both must give the same letters for the same numbers."""

from __future__ import annotations

import math
import re
from xml.sax.saxutils import escape

import numpy as np

# JavaScript writes numbers from here on with an exponent, and those below this one.
_LARGE, _SMALL = 1e21, 1e-6
_END = re.compile(r"></(?:circle|ellipse|path|rect|use)>")
_ATTRIBUTE = re.compile(r"""="([^\s"'=<>`&]+)"(/?)""")
_QUOTE = {'"': "&quot;"}


def coordinate(value: float) -> str:
    """Returns a coordinate to a tenth of a px, halves up."""
    return repr(math.floor(value * 10 + 0.5) / 10).removesuffix(".0")


def exact(number: float) -> str:
    """Returns the shortest text that reads back as the same number; whole numbers have no point."""
    number = float(number)
    if number == 0:
        return "0"
    if not math.isfinite(number):
        return str(number)
    if _SMALL <= abs(number) < _LARGE:
        return np.format_float_positional(number, trim="-")
    return np.format_float_scientific(number, trim="-", exp_digits=1)


def attributes(**given: object) -> str:
    """Returns attributes of an element; names have `_` for `-`, and those of None are left out."""
    found = ((key.rstrip("_").replace("_", "-"), value) for key, value in given.items() if value is not None)
    return "".join(f' {key}="{quoted(value)}"' for key, value in found)


def in_html(markup: str) -> str:
    """Returns elements of SVG in the fewer letters that HTML asks for: without quotes, and without ends of shapes.

    Quotes must be escaped in texts.
    """
    return _ATTRIBUTE.sub(lambda found: f"={found[1]}{' /' if found[2] else ''}", _END.sub("/>", markup))


def quoted(text: object) -> str:
    """Returns a text for the inside of an element or of an attribute."""
    return escape(str(text), _QUOTE)
