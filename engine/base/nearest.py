"""Names that look like a wrong one, to suggest them."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Returns at most three of `names` that look like `name`, most similar first; case does not count.

    Source: Ratcliff and Metzener, Pattern Matching: The Gestalt Approach (1988). Cost: O(names) comparisons.
    """
    import difflib  # Only wrong names pay for this import.

    by_lower = {item.lower(): item for item in names}
    return [by_lower[item] for item in difflib.get_close_matches(name.lower(), by_lower, cutoff=0.6)]
