"""Questions about each run: advice, what keeps the parameters of a model from learning, and which checks hold."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.advice.advice import Advice, advise
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.contracts import Check, CheckResult, run_checks


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


@dataclass(frozen=True)
class TriedCheck:
    """A check with its outcome; None if it has not been tried yet."""

    check: Check
    result: CheckResult | None


@dataclass(frozen=True)
class ChecksQuestion(Question):
    """Asks which checks of the graph hold."""

    def answer(self, run: Evaluation) -> tuple[TriedCheck, ...]:
        """Every check of the graph that was run, with its outcome."""
        return tuple(map(TriedCheck, run.graph.checks, run_checks(run.graph, run.snapshot)))
