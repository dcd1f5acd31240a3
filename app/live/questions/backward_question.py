"""What the window asks of the evaluator to show the backward pass as a page."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from engine.backward_page import arranged, backward_page
from engine.evaluate import Evaluation
from engine.graph import Page
from engine.layout import Outline


@dataclass(frozen=True)
class BackwardName:
    """Asks for the backward pass of a page; `frames` are the titles of its two frames."""

    page: str
    frames: tuple[str, str]

    @property
    def topic(self) -> Hashable:
        """One such page is made at a time."""
        return BackwardName

    def answer(self, run: Evaluation) -> Page | None:
        """The page; None where nothing is differentiated."""
        return backward_page(run.lowered, self.page, self.frames)


@dataclass(frozen=True)
class PlacesName:
    """Asks for such a page with a place for every block: for thousands of them that takes seconds.

    `outlines` are the sizes of its blocks, which the window alone can measure.
    """

    page: Page
    outlines: Mapping[str, Outline]

    @property
    def topic(self) -> Hashable:
        """One such page is arranged at a time."""
        return PlacesName

    def answer(self, _: Evaluation) -> Page:
        """The page, arranged."""
        return arranged(self.page, self.outlines)
