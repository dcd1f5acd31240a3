"""Column widths of a table: each column has its preferred width, or less if the table is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def shown_count(leasts: Sequence[int], room: int) -> int:
    """Returns how many columns, counted from the first, fit with their least widths; at least 1."""
    return max(sum(total <= room for total in accumulate(leasts)), 1)


def fitted(widths: Sequence[int], leasts: Sequence[int], room: int, filler: int = -1) -> list[int]:
    """Returns the widths of columns in a given total width; `filler` takes the spare width.

    If width is missing, each column gives up a share of its width above its least one.
    """
    spares = [max(width - least, 0) for width, least in zip(widths, leasts, strict=True)]
    lack = max(sum(widths) - room, 0)
    share = min(lack / sum(spares), 1.0) if any(spares) else 0.0
    # Rounded down: one px too many would show a scroll bar.
    found = [int(width - share * spare) for width, spare in zip(widths, spares, strict=True)]
    found[filler] += max(room - sum(found), 0)
    return found
