"""What the window asks of a run to show its backward pass as a page."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.backward_page import backward_page
from engine.evaluate import Evaluation
from engine.graph import Page


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
