"""Training by a plan, round by round: each step works on the values that the one before left."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

import numpy as np

from gradwire.engine.base.errors import DtypeError, GradwireError, NameUnknownError, ShapeError
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array, as_array, spec_of
from gradwire.engine.blocktypes.draw import Moment
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.compiled_step import CompiledStep
from gradwire.engine.training.draws import shown_at
from gradwire.engine.training.held_out import HeldOut
from gradwire.engine.training.origin import origin_of
from gradwire.engine.training.plan import Plan, Step
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.round import Round, Sizes
from gradwire.engine.training.schedules import Schedule, fixed
from gradwire.engine.training.state import State
from gradwire.engine.training.statuses import Statuses
from gradwire.engine.training.until import GRADIENT, STATUS, VALUE


class TrainingStopped(GradwireError):
    """A number that is not finite: nothing of its step was written; `at` is the block where it arises."""

    def __init__(self, n: int, step: str, at: str, reason: str) -> None:
        super().__init__(reason)
        self.n, self.step, self.at = n, step, at


class Trainer:
    """Graph trained by its plan, or by another one.

    State is the variables, what the rules remember and the number of rounds; all else follows from seed and round.
    The same graph and plan give the same bits in every run on one machine, with one thread or several.
    Raises: JsonFault if the plan is wrong; GradwireError if the graph has an error, or a Loss is missing.
    """

    def __init__(
        self,
        graph: Graph,
        plan: Plan | None = None,
        *,
        watch: Iterable[str] = (),
        measure: Iterable[str] = (),
        threads: int = 1,
        ignored_stops: Set[str] = frozenset(),
    ) -> None:
        self._graph, self.plan, self.round = graph, plan_of(graph) if plan is None else plan, 0
        self._ignored_stops = ignored_stops
        self._measured = tuple(dict.fromkeys((*self.plan.metrics, *measure)))
        # What the first step computes anyway need not be computed again.
        is_shared = self.plan.steps[0].runs_always
        watched = tuple(watch)
        ports = [
            (*watched, *self._measured) if is_shared and step is self.plan.steps[0] else watched
            for step in self.plan.steps
        ]
        self.steps = [
            CompiledStep(graph, step, ports, threads, ignored_stops, self.plan.seed)
            for step, ports in zip(self.plan.steps, ports, strict=True)
        ]
        is_apart = bool(self._measured) and not is_shared
        self._meter = self.steps[0]
        if is_apart:
            how = (threads, ignored_stops, self.plan.seed)
            self._meter = CompiledStep(graph, Step(self.plan.steps[0].name), self._measured, *how)
        self._rates = [fixed(0.0) if step.rule is None else step.rule.rate for step in self.plan.steps]
        self._owners = _owners(dict.fromkeys([*self.steps, self._meter]))
        self._held_out = HeldOut(graph, self.plan, threads, ignored_stops) if self.plan.test_every else None
        self._followers = [self._followers_of(step) for step in self.steps]
        until = self.plan.until
        self._sized, self._ranged = until.places(GRADIENT), until.places(VALUE)
        looked_at = until.places(STATUS)
        self._statuses = Statuses(looked_at, self.plan.steps[0].loss, ignored_stops) if looked_at else None

    @property
    def graph(self) -> Graph:
        """Graph with the current values of its variables."""
        return set_values(self._graph, self.variables)

    @property
    def variables(self) -> dict[str, Array]:
        """Copies of the current values of all variables that a step trains or assigns."""
        return {name: np.array(views[0]) for name, views in self._owners.items() if self._is_moved(name)}

    @property
    def values(self) -> dict[str, Array]:
        """Current values of all sources, views."""
        return {name: views[0] for name, views in self._owners.items()}

    def run_round(self, *, measures: bool = False) -> Round:
        """Runs the steps of one round; `measures` the sizes of gradients and steps, and the rates.

        Raises: TrainingStopped before anything that is not finite is written; BlockError if a block fails.
        """
        n, losses, metrics = self.round, dict[str, float](), dict[str, float]()
        sizes, rates = dict[str, Sizes](), dict[str, float]()
        asked = None if measures else self._sized
        if self._measured and self._meter is not self.steps[0]:
            self._meter.draw(n, 0)
            self._meter.compute(0.0)
            metrics = self._metrics()
        test = self._tested(n)
        statuses = {} if self._statuses is None else self._statuses.of(self.shown_graph)
        for number, step in enumerate(self.steps):
            if not step.step.runs_in(n):
                continue
            rate = self._rates[number].at(n)
            for repetition in range(step.step.times):
                step.draw(n, repetition)
                if not step.compute(rate):
                    raise self._stopped(n, step)
                if repetition == 0 and step.loss is not None:
                    losses[step.step.name] = float(step.loss)
                if repetition == 0 and step is self._meter:
                    metrics = self._metrics()
                if repetition == 0 and (measures or asked):
                    sizes |= step.sizes(asked)
                if measures and step.step.rule is not None:
                    rates[step.step.name] = rate
                step.commit()
                for target, source in self._followers[number]:
                    np.copyto(target, source)
        self.round += 1
        return Round(n, losses, metrics, test, sizes, rates, self._ranges(), statuses)

    def rate(self, step: str) -> float:
        """Returns the rate of a step, by its name, in the next round."""
        return self._rates[self._number(step)].at(self.round)

    def set_rate(self, step: str, rate: Schedule) -> None:
        """Gives a step, by its name, another rate from now on."""
        self._rates[self._number(step)] = rate

    def feed(self, name: str, value: object) -> None:
        """Gives a source another value, from now on; a number or a list takes the dtype of the value before.

        Raises: NameUnknownError if there is no such source, ShapeError or DtypeError if the value does not fit.
        """
        if not any(name in step.sources for step in self.steps):
            raise NameUnknownError(f"There is no source {name}.")
        for view in self._owners.get(name, ()):
            array = as_array(value, view.dtype)
            if array.dtype.kind == view.dtype.kind and np.can_cast(array.dtype, view.dtype):
                array = array.astype(view.dtype)
            if array.shape != view.shape:
                raise ShapeError(f"its shape is {list(array.shape)}, and it has to stay {list(view.shape)}")
            if array.dtype != view.dtype:
                raise DtypeError(f"its dtype is {spec_of(array)}, and it has to stay {spec_of(view)}")
            np.copyto(view, array)

    def state(self) -> State:
        """Returns copies of the variables, of what the rules remember, and the counts of rounds and updates."""
        memory = {
            (step.step.name, name, number): np.array(array)
            for step in self.steps
            for name, arrays in step.memory.items()
            for number, array in enumerate(arrays)
        }
        return State(self.round, self.variables, memory, {step.step.name: step.updates for step in self.steps})

    def load_state(self, state: State) -> None:
        """Goes on from a state: the rounds that follow are those of a training that never stopped.

        Raises: GradwireError if the state belongs to another graph or plan.
        """
        state.check_fits(self.state())
        for name, array in state.variables.items():
            for view in self._owners[name]:
                np.copyto(view, array)
        for step in self.steps:
            step.updates = state.updates[step.step.name]
            for name, arrays in step.memory.items():
                for number, array in enumerate(arrays):
                    np.copyto(array, state.memory[step.step.name, name, number])
        self.round = state.round

    def checksum(self) -> int:
        """Returns the CRC-32 of the state."""
        return self.state().checksum()

    def _number(self, step: str) -> int:
        return [item.name for item in self.plan.steps].index(step)

    def _is_moved(self, name: str) -> bool:
        return any(name in step.trained or name in step.assigned for step in self.steps)

    def _followers_of(self, step: CompiledStep) -> list[tuple[Array, Array]]:
        """Returns the arrays to copy after a step: those of other steps for each variable that it writes."""
        found = []
        for name in dict.fromkeys((*step.trained, *step.assigned)):
            own = step.views(name)
            others = [view for view in self._owners[name] if not any(view is mine or _same(view, mine) for mine in own)]
            found += [(other, own[0]) for other in others]
        return found

    def _tested(self, n: int) -> dict[str, float]:
        if self._held_out is None or n % self.plan.test_every:
            return {}
        return self._held_out.measured(n, self.values)

    def _ranges(self) -> dict[str, tuple[float, float]]:
        """Returns the smallest and largest element of the variables that the end of the plan looks at."""
        views = ((name, self._owners[name][0]) for name in self._ranged if name in self._owners)
        return {name: (float(view.min()), float(view.max())) for name, view in views if view.size}

    def _metrics(self) -> dict[str, float]:
        return {port: _size(self._meter.value(port)) for port in self._measured}

    def _stopped(self, n: int, step: CompiledStep) -> TrainingStopped:
        variable = step.broken_variable()
        if variable is not None:
            reason = f"Round {n:,}, step {step.step.name}: The new value of {variable} would not be finite."
            return TrainingStopped(n, step.step.name, variable, reason)
        graph = replace(self._shown(step.step.name), loss=step.step.loss)
        at, reason = origin_of(graph, step.trained, step.step.assign.values(), self._ignored_stops)
        return TrainingStopped(n, step.step.name, at, f"Round {n:,}, step {step.step.name}: {reason}")

    @property
    def whole_graph(self) -> Graph:
        """Graph with the current values of all sources, fed ones too."""
        return set_values(self._graph, {name: np.array(views[0]) for name, views in self._owners.items()})

    @property
    def shown_graph(self) -> Graph:
        """Graph with the current values of all sources, whose blocks show what the next round begins with."""
        return self._shown(self.plan.steps[0].name)

    def _shown(self, step: str) -> Graph:
        return shown_at(self.whole_graph, Moment(self.plan.seed, step, 0, self.round))


def _size(value: Array) -> float:
    """Returns the number in a tensor with one element, and the norm of any other."""
    return float(value.reshape(())) if value.size == 1 else norm_of(value)


def _owners(steps: Iterable[CompiledStep]) -> dict[str, list[Array]]:
    """Returns the arrays of each source over all steps and uses."""
    found: dict[str, list[Array]] = {}
    for step in steps:
        for name in step.sources:
            found.setdefault(name, []).extend(step.views(name))
    return {name: views for name, views in found.items() if views}


def _same(a: Array, b: Array) -> bool:
    return bool(a.ctypes.data == b.ctypes.data)
