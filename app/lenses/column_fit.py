"""How columns share the width of a table: as wide as they want to be, narrower where there is no room."""

from __future__ import annotations

from collections.abc import Sequence


def fitted(widths: Sequence[int], leasts: Sequence[int], room: int) -> list[int]:
    """The widths of columns in a room: the last fills it; where it lacks, each gives of what it has above its least."""
    spares = [max(width - least, 0) for width, least in zip(widths, leasts, strict=True)]
    lack = max(sum(widths) - room, 0)
    share = min(lack / sum(spares), 1.0) if lack and any(spares) else 0.0
    # Rounded down: one px too many, and a scroll bar would come.
    found = [int(width - share * spare) for width, spare in zip(widths, spares, strict=True)]
    return [*found[:-1], max(found[-1], room - sum(found[:-1]))]
