"""Short texts of numbers for canvas and panels, with a true minus sign and the locale's decimal sign."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

from gradwire.app.base.translation import decimal, tr, tr_count

MINUS = "\N{MINUS SIGN}"
# A text of one digit that is no farther from its number, in relation to it, says it exactly.
NEAR = 1e-5
# float64, float32 and float16, by their codes of `struct`.
_FLOATS = ("d", "f", "e")


def fmt(number: float, digits: int = 4) -> str:
    """Returns a number in three significant digits: plain from 0.001 to 9999, else like `2.1e−5`.

    Numbers from 1 to 1000 have `digits`, but never a fourth decimal, larger ones four: 2.503, 12.35, 9999. Final zeros
    are left out of an exact number alone: 0.2, but 0.200 for 0.2003.
    """
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else f"{MINUS}inf"
    size = abs(number)
    if size == 0:
        return "0"
    text = _digits(size, 3 if size < 1 else digits if size < 999.5 else 4)
    if not 0.001 <= float(text) < 10_000:
        mantissa, _, exponent = f"{size:.1e}".partition("e")
        is_exact = _is_exact(f"{mantissa.removesuffix('.0')}e{exponent}", size)
        text = f"{mantissa.removesuffix('.0') if is_exact else mantissa}e{int(exponent)}"
    return decimal(("-" + text if number < 0 else text).replace("-", MINUS))


def equals(number: float) -> str:
    """Returns what a sentence says of a number after its name: `= 2`, but `≈ 2.718` for a number with more digits."""
    text = fmt(number)
    told = float(text.replace(decimal("."), ".").replace(MINUS, "-"))
    is_exact = not math.isfinite(number) or any(_rounded(told, code) == number for code in _FLOATS)
    return f"= {text}" if is_exact else f"≈ {text}"


def duration_text(seconds: float) -> str:
    """Returns a duration in ms or s, with at most three digits."""
    if seconds < 1:
        return tr("{number} ms", number=decimal(f"{max(seconds * 1000, 0.01):.3g}"))
    return tr("{number} s", number=decimal(f"{seconds:.1f}"))


def fmt_short(number: float, digits: int = 2) -> str:
    """Returns a number in two significant digits, or in so many, without the leading zero, for lists: `.14`, `−2`.

    The zero stays before a decimal comma, which is easily overlooked: `0,14`.
    """
    size = abs(number)
    if not 0.01 <= size < 1000:
        return fmt(number) if not 0 < size < 0.01 else _shortest(number)
    text = _digits(size, digits) if size < 10**digits - 0.5 else f"{size:.0f}"
    return _without_zero(text, number)


def fmt_statistic(number: float, is_finite: bool) -> str:
    """Returns a statistic of a tensor; a dash for a tensor with NaN or infinity, which has none."""
    return fmt(number) if is_finite else "–"


def zero_text(norm: float) -> str:
    """Returns the text of a zero gradient: exactly zero, or zero up to rounding errors."""
    return "0" if norm == 0 else "≈ 0"


def fmt_brief(number: float, digits: int = 2) -> str:
    """Returns a number as `fmt_short` does, but a small one in two digits as well: `.14`, `.0079`, `6.3e−4`."""
    size = abs(number)
    if not 0 < size < 0.01 or _is_exact(f"{size:.0e}", size):
        return fmt_short(number, digits)
    return _without_zero(f"{size:#.{digits}g}", number) if size >= 0.001 else fmt(number)


def fmt_list(numbers: Iterable[float], digits: int = 2) -> str:
    """Returns several brief numbers, separated by spaces."""
    return " ".join(fmt_brief(number, digits) for number in numbers)


def shape_text(shape: tuple[int, ...] | None) -> str:
    """Returns a shape in the notation of ports: `[]`, `[4]`, `[32×8]`; `?` if it is unknown."""
    return "?" if shape is None else f"[{'×'.join(map(str, shape))}]"


def shape_words(shape: tuple[int, ...] | None) -> str:
    """Returns a shape as ports and wires say it: `3 numbers`, `3×2`, "" for a single number; `?` if it is unknown."""
    if shape is None or len(shape) > 1:
        return "?" if shape is None else "×".join(map(str, shape))
    return tr_count("{count} number", "{count} numbers", shape[0]) if shape else ""


def index_text(index: Iterable[int]) -> str:
    """Returns an index as it stands behind a name: `[0, 1]`, "" for a scalar."""
    places = ", ".join(map(str, index))
    return places and f"[{places}]"


def signed(number: float) -> str:
    """Returns a number with its sign, which shows at once whether something rises or falls."""
    return f"+{fmt(number)}" if number > 0 else fmt(number)


def _without_zero(text: str, number: float) -> str:
    """Returns the text of a number's size with its sign, and without the zero before a decimal point."""
    shown = decimal(MINUS + text if number < 0 else text)
    return shown.replace("0.", ".", 1) if text.startswith("0.") else shown


def _rounded(number: float, code: str) -> float:
    """Returns the nearest number of a dtype, infinity if it is too large for that dtype."""
    try:
        return float(struct.unpack(code, struct.pack(code, number))[0])
    except OverflowError:
        return math.inf


def _digits(size: float, digits: int) -> str:
    """Returns a text of a number with so many significant digits, or fewer if these say it exactly."""
    text = f"{size:.{digits}g}"
    return text if _is_exact(text, size) else f"{size:#.{digits}g}".removesuffix(".")


def _is_exact(text: str, size: float) -> bool:
    """Returns whether a text says a number, but for rounding errors."""
    return abs(float(text) - size) <= NEAR * size


def _shortest(number: float) -> str:
    mantissa, _, exponent = f"{abs(number):.0e}".partition("e")
    return f"{MINUS if number < 0 else ''}{mantissa}e{MINUS if int(exponent) < 0 else ''}{abs(int(exponent))}"
