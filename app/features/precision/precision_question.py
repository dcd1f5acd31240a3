"""The question of the lens of precision."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.precision import Precision, precision_of


@dataclass(frozen=True)
class PrecisionName(Question):
    """A question for the precision of the gradients."""

    def answer(self, run: Evaluation) -> Precision:
        """Returns the precision of the run."""
        return precision_of(run)
