"""The question for what each loss alone trains."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.loss_matrix import LossMatrix, loss_matrix


@dataclass(frozen=True)
class TrainedBy(Question):
    """A question for the gradient of each loss alone at each Variable."""

    def answer(self, run: Evaluation) -> LossMatrix:
        """Returns the matrix of the run's graph."""
        return loss_matrix(run.graph, run.keeping)
