"""The question of conventions."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.blocks.support.standpoints import Standpoint, standpoints_of
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class StandpointsName(Question):
    """A question for the blocks at points where frameworks choose a gradient."""

    def answer(self, run: Evaluation) -> tuple[Standpoint, ...]:
        """Returns the standpoints of the run."""
        return standpoints_of(run)
