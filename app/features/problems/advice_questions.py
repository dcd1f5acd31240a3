"""Questions about each run: the advice on it, and what keeps the parameters of a model from learning."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.advice.advice import Advice, advise
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class AdviceWanted(Question):
    """A question for all advice on the newest run."""

    def answer(self, run: Evaluation) -> Advice:
        """Returns the advice."""
        return advise(run)


@dataclass(frozen=True)
class CulpritsWanted(Question):
    """A question for what keeps parameters from learning, by the names and lines of the model that was imported."""

    def answer(self, run: Evaluation) -> tuple[Problem, ...]:
        """Returns a problem for each cause, the most important first."""
        from gradwire.interop.why.problems import problems_of  # only models need it

        return problems_of(run)
