"""A number as text, in one spelling for all fields: signs, decimals and exponents, without separators of thousands."""

from __future__ import annotations

import math
import re
from typing import Final

NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
MINUS: Final = "\N{MINUS SIGN}"
# Python reads whole numbers of at most 4300 digits; those that float64 holds have 309 without leading zeros.
_DIGITS_KEPT = 400
_NUMBER, _WHOLE = re.compile(NUMBER, re.ASCII), re.compile(r"[+-]?\d+", re.ASCII)
_SIZES = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}
_WORDS = {f"{sign}{name}": -size if sign == "-" else size for name, size in _SIZES.items() for sign in ("", "+", "-")}


def is_number(text: str) -> bool:
    """Returns whether a text spells a number in digits, of any size."""
    return _NUMBER.fullmatch(text) is not None


def read_number(text: str) -> int | float | None:
    """Returns the number that a text spells, with nan and inf; None for other texts and finite numbers too large.

    Python reads more as a number than people mean: `1_000`, and digits of any script.
    """
    text = text.strip().replace(MINUS, "-")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return None
    return int(text) if _WHOLE.fullmatch(text) and len(text) <= _DIGITS_KEPT else float(text)


def read_count(text: str) -> int | None:
    """Returns the whole number of at least 0 that a text spells; None for other texts."""
    number = read_number(text)
    return number if isinstance(number, int) and number >= 0 else None
