"""Short texts of numbers for canvas and panels, with a true minus sign and the locale's decimal sign."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gradwire.app.base.translation import decimal, tr

MINUS = "\N{MINUS SIGN}"


def fmt(number: float) -> str:
    """Returns a number in three significant digits: plain from 0.001 to 9999, else like `2.1e−5`.

    Numbers from 1 on have a fourth digit, but never a fourth decimal: 2.503, 12.35, 9999.
    """
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else f"{MINUS}inf"
    size = abs(number)
    if size == 0:
        return "0"
    text = f"{size:.4g}" if size >= 1 else f"{size:.3g}"
    if not 0.001 <= float(text) < 10_000:
        mantissa, _, exponent = f"{size:.2g}".partition("e") if "e" in f"{size:.2g}" else f"{size:.1e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        text = f"{mantissa}e{int(exponent)}"
    return decimal(("-" + text if number < 0 else text).replace("-", MINUS))


def duration_text(seconds: float) -> str:
    """Returns a duration in ms or s, with at most three digits."""
    if seconds < 1:
        return tr("{number} ms", number=decimal(f"{max(seconds * 1000, 0.01):.3g}"))
    return tr("{number} s", number=decimal(f"{seconds:.1f}"))


def fmt_short(number: float) -> str:
    """Returns a number in two significant digits without the leading zero, for lists: `.14`, `−2`.

    The zero stays before a decimal comma, which is easily overlooked: `0,14`.
    """
    size = abs(number)
    if not math.isfinite(number) or size == 0 or not 0.01 <= size < 1000:
        return fmt(number) if not 0 < size < 0.01 else _shortest(number)
    text = f"{size:.2g}" if size < 100 else f"{size:.0f}"
    if text.startswith("0.") and decimal(".") == ".":
        text = text[1:]
    return decimal(MINUS + text if number < 0 else text)


def zero_text(norm: float) -> str:
    """Returns the text of a zero gradient: exactly zero, or zero up to rounding errors."""
    return "0" if norm == 0 else "≈ 0"


def fmt_list(numbers: Iterable[float]) -> str:
    """Returns several short numbers, separated by spaces."""
    return " ".join(map(fmt_short, numbers))


def shape_text(shape: tuple[int, ...] | None) -> str:
    """Returns a shape in the notation of ports: `[]`, `[4]`, `[32×8]`; `?` if it is unknown."""
    return "?" if shape is None else f"[{'×'.join(map(str, shape))}]"


def _shortest(number: float) -> str:
    mantissa, _, exponent = f"{abs(number):.0e}".partition("e")
    return f"{MINUS if number < 0 else ''}{mantissa}e{MINUS if int(exponent) < 0 else ''}{abs(int(exponent))}"
