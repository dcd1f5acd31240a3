"""The questions of conventions, and of one gradient beside central differences."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.blocks.support.standpoints import Standpoint, standpoints_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.checks.element_check import PlaceCheck, check_place


@dataclass(frozen=True)
class StandpointsName(Question):
    """A question for the blocks at points where frameworks choose a gradient."""

    def answer(self, run: Evaluation) -> tuple[Standpoint, ...]:
        """Returns the standpoints of the run."""
        return standpoints_of(run)


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
