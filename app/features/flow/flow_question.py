"""The question of the lens of the flow."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.flow import Flow, flow_of


@dataclass(frozen=True)
class FlowName(Question):
    """A question for the share of the gradient that each block passes on."""

    def answer(self, run: Evaluation) -> Flow:
        """Returns the flow of the run."""
        return flow_of(run)
