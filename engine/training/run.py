"""A whole training: rounds until the plan ends it, and the checks that the file holds."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.checks import (
    Outcome,
    TrainingCheck,
    compare,
    compare_monotone,
    compare_trained,
    read_check,
    value_of,
)
from gradwire.engine.training.contract import Row, contract, plan_problems
from gradwire.engine.training.plan import Plan
from gradwire.engine.training.plan_reading import plan_of, with_conditions
from gradwire.engine.training.round import Round
from gradwire.engine.training.trainer import Trainer, TrainingStopped
from gradwire.engine.training.until import Until

# Rounds of a training whose plan says no end.
USUAL_ROUNDS = 1000


class TrainingRun:
    """Training of a graph by its plan, with the outcomes of its checks.

    With StopGradients ignored it is an experiment, which only the checks of this very experiment judge.
    `rows` say who trains whom, `problems` what is odd in the plan. `until` has further conditions as
    texts; `ended_by` says which condition has ended the newest rounds, and in which round. The trainer also measures
    the ports in `measure`.
    Raises: JsonFault if the plan is wrong, GradwireError if it cannot be carried out.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        seed: int | None = None,
        measure: Iterable[str] = (),
        threads: int = 1,
        ignored_stops: Set[str] = frozenset(),
        until: Sequence[str] = (),
    ) -> None:
        plan = with_conditions(plan_of(graph), graph, until)
        self.plan: Plan = plan if seed is None else replace(plan, seed=seed)
        self._commanded = self.plan.until.conditions[: len(until)]
        self.ended_by: tuple[int, str] | None = None
        names = [step.name for step in self.plan.steps]
        self._checks = [_checked(number, graph, names, record) for number, record in enumerate(self.plan.checks)]
        self.rows: tuple[Row, ...] = contract(graph, self.plan, ignored_stops)
        self.problems: list[Problem] = plan_problems(self.rows, self.plan, graph)
        for problem in self.problems:
            if problem.severity == "error":
                raise GradwireError(f"{problem.at}: {problem.message}")
        self._graph, self.ignored_stops = graph, ignored_stops
        watched = [check.at for check in self._checks if check.kind == "monotone"]
        measured = (*watched, *measure)
        self.trainer = Trainer(graph, self.plan, measure=measured, threads=threads, ignored_stops=ignored_stops)
        self._values: dict[str, dict[int, float]] = {port: {} for port in watched}
        self._outcomes: dict[int, Outcome] = {}
        # Trainings with other StopGradients ignored, which checks compare with; each goes on for the next check.
        self._others: dict[frozenset[str], Trainer] = {}

    def rounds(self, count: int | None = None, *, measures: bool = False) -> Iterator[Round]:
        """Runs so many rounds, or until the plan ends, and yields each, with sizes if it `measures`.

        A number of rounds goes before the conditions of the plan, but not before those of the command.
        Raises: TrainingStopped before anything that is not finite is written.
        """
        until = self.plan.until if count is None else Until(count, self._commanded)
        self.ended_by = None
        most = until.steps if until.steps is not None else USUAL_ROUNDS
        end = most if count is None else self.trainer.round + count
        self._check_values()
        while self.trainer.round < end:
            done = self.trainer.run_round(measures=measures)
            for port, values in self._values.items():
                values[done.n] = done.metrics[port]
            self._check_values()
            yield replace(done, metrics={port: done.metrics[port] for port in self.plan.metrics})
            reason = until.reason(done)
            if reason is not None:
                self.ended_by = done.n, reason
                return

    def outcomes(self) -> list[Outcome]:
        """Returns the outcomes of all checks, in the order of the file."""
        return [self._outcome(number, check) for number, check in enumerate(self._checks)]

    def _judges(self, check: TrainingCheck) -> bool:
        return not self.ignored_stops or self.ignored_stops == {check.without}

    def _outcome(self, number: int, check: TrainingCheck) -> Outcome:
        if not self._judges(check):
            other = "with every StopGradient" if check.without is None else f"without {check.without}"
            return Outcome(check.title, None, f"it is of the training {other}")
        if check.kind == "trains":
            return compare_trained(check, self.rows)
        values = self._values.get(check.at, {}) if check.kind == "monotone" else {}
        if values and max(values) >= check.after - 1:
            return compare_monotone(check, values)
        reached = self._outcomes.get(number)
        return reached or Outcome(check.title, None, f"the training ended before round {check.after:,}")

    def _check_values(self) -> None:
        for number, check in enumerate(self._checks):
            is_due = check.kind not in ("trains", "monotone") and check.after == self.trainer.round
            if is_due and number not in self._outcomes and self._judges(check):
                stops = frozenset(() if check.without is None else (check.without,))
                plain = functools.partial(self._value_after, check, frozenset())
                self._outcomes[number] = compare(check, self._value_after(check, stops), plain)

    def _value_after(self, check: TrainingCheck, stops: frozenset[str]) -> Array:
        """Returns the value that a check asks for, of a training that ignores these stops; NaN if it overflows."""
        if stops == self.ignored_stops:
            return value_of(check, self.trainer.shown_graph)
        trainer = self._others.get(stops)
        if trainer is None or trainer.round > check.after:
            trainer = self._others[stops] = Trainer(self._graph, self.plan, ignored_stops=stops)
        try:
            while trainer.round < check.after:
                trainer.run_round()
        except TrainingStopped:
            return np.array(np.nan)
        return value_of(check, trainer.shown_graph)


def plan_fault(fault: JsonFault) -> str:
    """Returns what is wrong in a plan as a sentence, with the step or the check."""
    inside = fault.path[1:]
    kinds = {"steps": "step", "checks": "check"}
    place = f", {kinds[str(inside[0])]} {int(inside[1]) + 1}" if len(inside) > 1 and inside[0] in kinds else ""
    return f"The plan of training{place}: {ended(fault.message)}"


def ended(message: str) -> str:
    """Returns a message as a sentence; a question has its end already."""
    return message if message.endswith("?") else f"{message}."


def _checked(number: int, graph: Graph, names: list[str], record: object) -> TrainingCheck:
    try:
        assert isinstance(record, dict)
        return read_check(record, graph, names)
    except JsonFault as fault:
        raise fault.under("training", "checks", number) from None
