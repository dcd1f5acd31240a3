"""Numbers as a page's script writes them: both must give the same letters for the same numbers."""

from __future__ import annotations

import math
import re
from xml.sax.saxutils import escape

# JavaScript writes numbers from here on with an exponent, and those below 1e-6.
_LARGE, _SMALL = 21, -7
_END = re.compile(r"></(?:circle|ellipse|path|rect|use)>")
_ATTRIBUTE = re.compile(r"""="([^\s"'=<>`&]+)"(/?)""")
_QUOTE = {'"': "&quot;"}


def coordinate(value: float) -> str:
    """Returns a coordinate to a tenth of a px, halves up."""
    return repr(math.floor(value * 10 + 0.5) / 10).removesuffix(".0")


def exact(number: float) -> str:
    """Returns the shortest text that reads back as the same number; whole numbers have no point."""
    number = float(number)
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    if number == 0:
        return "0"
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, rest = mantissa.partition(".")
    rest = rest if rest != "0" else ""
    digits = (whole + rest).lstrip("0")
    place = int(exponent or 0) + (len(whole) if whole != "0" else len(digits) - len(rest))
    digits = digits.rstrip("0")
    return ("-" if number < 0 else "") + _placed(digits, place)


def _placed(digits: str, place: int) -> str:
    """Returns digits with the point behind `place` of them, as JavaScript writes it."""
    if len(digits) <= place <= _LARGE:
        return digits + "0" * (place - len(digits))
    if 0 < place <= _LARGE:
        return f"{digits[:place]}.{digits[place:]}"
    if _SMALL < place - 1 < 0:
        return f"0.{'0' * -place}{digits}"
    first, rest = digits[0], digits[1:]
    return f"{first}{'.' if rest else ''}{rest}e{place - 1:+d}"


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
