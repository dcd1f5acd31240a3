"""The choices of whoever writes a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

PageTheme = Literal["auto", "dark", "light"]


class Told(NamedTuple):
    """What is told of a block: its path in results, a title, and a text."""

    path: str
    title: str
    text: str


@dataclass(frozen=True)
class PageChoices:
    """What a page is to have.

    `first` is the page of the graph that is seen first, None for the first one of all. `is_embedded` leaves title and
    table out. Gradients pass the `ignored_stops` at first, given by their paths, None for all. With `is_trained`
    readers can train the graph by its plan; without `has_data` such a page holds the first batch of each set of data
    alone. `theme` is that of the page; "auto" is that of the reader's system. `told` stands above the graph below
    `heading`; the page begins at the block of the first.
    """

    first: str | None = None
    is_embedded: bool = False
    ignored_stops: frozenset[str] | None = frozenset()
    is_trained: bool = False
    has_data: bool = True
    theme: PageTheme = "auto"
    heading: str = ""
    told: tuple[Told, ...] = ()
