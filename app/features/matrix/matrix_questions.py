"""The questions of the lens of losses and variables."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.loss_matrix import LossMatrix, loss_matrix, path_between


@dataclass(frozen=True)
class MatrixName(Question):
    """A question for the strength with which each loss pulls at each variable."""

    def answer(self, run: Evaluation) -> LossMatrix:
        """Returns the matrix of the run's graph."""
        return loss_matrix(run.graph, run.keeping)


@dataclass(frozen=True)
class PathQuestion(Question):
    """A question for the wires between a loss and a variable, given by their paths."""

    loss: str
    variable: str

    def answer(self, run: Evaluation) -> tuple[Link, ...]:
        """Returns the wires, none if no path connects them."""
        return path_between(run.graph, self.loss, self.variable)
