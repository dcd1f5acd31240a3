"""The question of the inspector that checks a gradient."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.checks.element_check import PlaceCheck, check_place


@dataclass(frozen=True)
class CheckName(Question):
    """A question for the gradient of a wire or port beside central differences."""

    place: Link | PortName

    def answer(self, run: Evaluation) -> PlaceCheck | str:
        """Returns the comparison, or a sentence that explains why there is none."""
        try:
            return check_place(run.graph, self.place, run.keeping)
        except GradwireError as error:
            return str(error)
