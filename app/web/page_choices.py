"""The choices of whoever writes a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageChoices:
    """What a page is to have.

    `first` is the page of the graph that is seen first, None for the first one of all. `is_embedded` leaves title and
    table out. With `is_trained` readers can train the graph by its plan; without `has_data` such a page holds the first
    batch of each set of data alone.
    """

    first: str | None = None
    is_embedded: bool = False
    is_trained: bool = False
    has_data: bool = True
