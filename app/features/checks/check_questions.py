"""The questions of checks: one gradient beside central differences, and which checks of the graph hold."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.checks.element_check import PlaceCheck, check_place
from gradwire.engine.explain.contracts import Check, CheckResult, run_checks


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
