"""Names that look like a wrong one, to suggest them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

_LONGEST, _MOST = 200, 5_000


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Returns at most three of `names` that look like `name`, most similar first; case does not count.

    Names longer than any that we give are left out, and so are those behind the first thousands.
    Source: Ratcliff and Metzener, Pattern Matching: The Gestalt Approach (1988). Cost: O(names) comparisons.
    """
    import difflib  # Only wrong names pay for this import.

    if len(name) > _LONGEST:
        return []
    by_lower = {item.lower(): item for item in itertools.islice(names, _MOST) if len(item) <= _LONGEST}
    return [by_lower[item] for item in difflib.get_close_matches(name.lower(), by_lower, cutoff=0.6)]
