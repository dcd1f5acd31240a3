"""The questions of step mode: all steps without numbers, and the numbers of one step."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.readings import Reading, reading_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.back_steps import BackStep, Part, back_steps, sum_so_far
from gradwire.engine.explain.quiz import QuizQuestion, quiz_question_of
from gradwire.engine.explain.step_numbers import NumberTable, number_table, value_table
from gradwire.engine.explain.step_rules import Rule, rule_of


@dataclass(frozen=True)
class Outline:
    """The steps of a run in both directions: forward only the paths of the blocks, backward without arrays."""

    forward: tuple[str, ...] = ()
    backward: tuple[BackStep, ...] = ()


@dataclass(frozen=True)
class Sent:
    """A part that a step sends, without arrays: its reading, the withheld amount, the sum so far, and its rule."""

    part: Part
    gradient: Reading | None
    withheld: Reading | None
    so_far: Reading | None
    rule: Rule | None = None


@dataclass(frozen=True)
class Detail:
    """The numbers of one step: `arrives` has the gradient of each output, `ahead` asks about the next step back."""

    table: NumberTable
    arrives: Mapping[str, Reading] = field(default_factory=dict)
    sent: tuple[Sent, ...] = ()
    ahead: QuizQuestion | None = None


@dataclass(frozen=True)
class StepsQuestion(Question):
    """A question for the outline of all steps."""

    reveals = ()

    def answer(self, run: Evaluation) -> Outline:
        """Returns the outline of the run."""
        return Outline(_forward(run), tuple(map(_bare_step, back_steps(run))))


@dataclass(frozen=True)
class StepQuestion(Question):
    """A question for the numbers of one step, counted from 1."""

    is_forward: bool
    number: int
    # Step mode hides guessed gradients by itself.
    reveals = ()

    def answer(self, run: Evaluation) -> Detail | None:
        """Returns the numbers, or None if the run has no such step."""
        if self.is_forward:
            paths = _forward(run)
            if not 0 < self.number <= len(paths):
                return None
            return Detail(value_table(run, paths[self.number - 1]))
        steps = back_steps(run)
        if not 0 < self.number <= len(steps):
            return None
        step = steps[self.number - 1]
        arrives = {name: _reading(port.gradient) for name, port in step.arrives.items()}
        known = {name: reading for name, reading in arrives.items() if reading is not None}
        sent = tuple(_sent(run, steps, part, self.number) for part in step.parts)
        ahead = quiz_question_of(steps[self.number]) if self.number < len(steps) else None
        return Detail(number_table(run, step), known, sent, ahead)


def _forward(run: Evaluation) -> tuple[str, ...]:
    """Returns the blocks whose values are known, in topological order."""
    known = {name.path for name, port in run.snapshot.ports.items() if port.value is not None}
    return tuple(path for path in run.lowered.inferred.expanded.instances if path in known)


def _sent(run: Evaluation, steps: tuple[BackStep, ...], part: Part, number: int) -> Sent:
    so_far = sum_so_far(steps, part.port, number) if part.is_carried else None
    rule = None if part.link is None or not part.is_carried else rule_of(run, part.link)
    return Sent(_bare(part), _reading(part.gradient), _reading(part.withheld), _reading(so_far), rule)


def _bare_step(step: BackStep) -> BackStep:
    arrives = {
        name: dataclasses.replace(port, value=None, gradient=None, inner=()) for name, port in step.arrives.items()
    }
    return dataclasses.replace(step, arrives=arrives, parts=tuple(map(_bare, step.parts)))


def _bare(part: Part) -> Part:
    return dataclasses.replace(part, gradient=None, withheld=None)


def _reading(array: Array | None) -> Reading | None:
    return None if array is None else reading_of(array)
