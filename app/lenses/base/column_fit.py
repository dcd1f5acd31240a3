"""How columns share the width of a table: as wide as they want to be, narrower or not at all where room lacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def shown_count(leasts: Sequence[int], room: int) -> int:
    """How many columns, from the first on, have their least width in a room; one at least."""
    return max(sum(total <= room for total in accumulate(leasts)), 1)


def fitted(widths: Sequence[int], leasts: Sequence[int], room: int, filler: int = -1) -> list[int]:
    """The widths of columns in a room: one fills it; where it lacks, each gives of what it has above its least."""
    spares = [max(width - least, 0) for width, least in zip(widths, leasts, strict=True)]
    lack = max(sum(widths) - room, 0)
    share = min(lack / sum(spares), 1.0) if lack and any(spares) else 0.0
    # Rounded down: one px too many, and a scroll bar would come.
    found = [int(width - share * spare) for width, spare in zip(widths, spares, strict=True)]
    found[filler] += max(room - sum(found), 0)
    return found
