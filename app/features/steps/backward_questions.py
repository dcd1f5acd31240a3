"""The questions to the evaluator that show the backward pass as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.backward_page import arranged, backward_page
from gradwire.engine.graph.graph import Page
from gradwire.engine.layout.layout import Outline


@dataclass(frozen=True)
class BackwardName(Question):
    """A question for the backward pass of a page; `frames` are the titles of its two frames."""

    page: str
    frames: tuple[str, str]

    def answer(self, run: Evaluation) -> Page | None:
        """Returns the page, or None if nothing is differentiated."""
        return backward_page(run.lowered, self.page, self.frames)


@dataclass(frozen=True)
class PlacesName(Question):
    """A question for such a page with a position for every block, which takes seconds for thousands of blocks.

    `outlines` are the sizes of the blocks, which only the window can measure.
    """

    page: Page
    outlines: Mapping[str, Outline]

    def answer(self, _: Evaluation) -> Page:
        """Returns the arranged page."""
        return arranged(self.page, self.outlines)
