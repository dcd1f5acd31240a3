"""A plan of training for a page: the instructions of each step, with and without the stops, and what rounds draw.

The format is in docs/live-pages.md.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.export.live.drawn import ROWS, DrawnNumbers
from gradwire.engine.export.live.laid_step import LaidStep
from gradwire.engine.export.live.program import (
    LARGEST_MEMORY,
    ONE_BY_ONE,
    LiveProgram,
    count_shared,
    difference,
    held_bytes,
    place_of,
    stops_of,
)
from gradwire.engine.export.live.variant import NOTHING, Json
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import contract, plan_problems
from gradwire.engine.training.held_out import with_test_part
from gradwire.engine.training.lowered_step import LoweredStep
from gradwire.engine.training.plan import Plan, Step
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.run import USUAL_ROUNDS, plan_fault
from gradwire.engine.training.schedules import Schedule
from gradwire.engine.training.until import STATUS


@dataclass(frozen=True)
class LiveTraining:
    """The training of a page: its entry in the document, its memories, and the data sets that it holds with their rows.

    `is_tested` says whether the page measures the rows held back, as a plan may ask it to.
    Units: `size` is that of all memories in bytes, without zeros that a run will fill.
    """

    document: Json
    memories: tuple[bytes, ...]
    held: tuple[tuple[str, int], ...]
    size: int
    is_tested: bool


def live_training(graph: Graph, program: LiveProgram, has_data: bool = True) -> LiveTraining:
    """Returns the training of a graph as data; without data it holds the first batch of each set alone.

    Rows held back are measured where the page holds all data, and has room for them.
    The graph follows what is drawn if `program` has been made with `shown_noise`.
    Raises: GradwireError if a page cannot carry out the plan.
    """
    try:
        if has_data and plan_of(graph).test_every:
            with contextlib.suppress(GradwireError):
                return _Exporter(graph, program, True, True).training()
        return _Exporter(graph, program, has_data, False).training()
    except JsonFault as fault:
        raise GradwireError(plan_fault(fault)) from fault


class _Exporter:
    """Writer of one training; one that `is_tested` also measures what is held back."""

    def __init__(self, graph: Graph, program: LiveProgram, has_data: bool, is_tested: bool) -> None:
        self._graph, self._program, self._plan, self._is_tested = graph, program, plan_of(graph), is_tested
        self._drawn = DrawnNumbers(has_data)
        self._memories: list[bytes] = []
        self._size = 0
        self._check()

    def training(self) -> LiveTraining:
        """Returns the whole training."""
        first = self._laid(frozenset())
        runs = [self._run((), first, first)]
        for opened in self._openings():
            try:
                laid = self._laid(frozenset(opened))
            except GradwireError:
                # Without these stops there may be nothing that can be trained.
                continue
            runs.append(self._run(opened, laid, first))
        rows = self._drawn.memory
        self._check_size(len(rows))
        document: Json = {
            **_plan_entries(self._plan),
            "runs": runs,
            "sets": self._drawn.sets,
            "shown": list(self._shown(first[0])),
            "meter": 0 if self._is_metered_by_first else len(self._plan.steps),
            **self._test_entry(len(first)),
        }
        return LiveTraining(
            document, (*self._memories, rows), tuple(self._drawn.held), self._size + len(rows), self._is_tested
        )

    @property
    def _is_metered_by_first(self) -> bool:
        return self._plan.steps[0].runs_always or not self._plan.metrics

    @property
    def _tested_losses(self) -> list[str | None]:
        """The losses that are measured on what is held back, each once."""
        return list(dict.fromkeys(step.loss for step in self._plan.steps if step.rule is not None)) or [None]

    def _test_entry(self, count: int) -> Json:
        """Returns in which rounds what is held back is measured, and the place of the program for each step's loss."""
        if not self._is_tested:
            return {}
        losses = self._tested_losses
        first = count - len(losses)
        places = [None if step.rule is None else first + losses.index(step.loss) for step in self._plan.steps]
        return {"test": {"every": self._plan.test_every, "first": first, "jobs": places}}

    def _check(self) -> None:
        """Raises: GradwireError if the plan is wrong, or asks for what a page does not have."""
        for problem in plan_problems(contract(self._graph, self._plan), self._plan, self._graph):
            if problem.severity == "error":
                raise GradwireError(f"{problem.at}: {problem.message}")
        if any(condition.kind == STATUS for condition in self._plan.until.conditions):
            raise GradwireError("The plan ends where a status changes, which pages do not look at.")

    def _check_size(self, rows: int) -> None:
        if self._program.size + self._size + rows <= LARGEST_MEMORY:
            return
        if rows > LARGEST_MEMORY // 2:
            held = " and ".join(f"{count:,} rows of {name}" for name, count in self._drawn.held)
            raise GradwireError(f"{held} are more than a page can hold, so training stays in Gradwire.")
        raise GradwireError("This training has more numbers than a page can hold; it stays in Gradwire.")

    def _openings(self) -> list[tuple[str, ...]]:
        """Returns the stops that are opened in the runs beside the first: each alone, and all."""
        stops = stops_of(self._program.run)
        single = [(stop,) for stop in stops] if len(stops) <= ONE_BY_ONE else []
        return single + ([tuple(stops)] if len(stops) > 1 else [])

    def _laid(self, opened: frozenset[str]) -> list[LaidStep]:
        """Returns the steps with some stops open, and behind them those that only measure."""
        plan, graph, first = self._plan, self._graph, self._plan.steps[0]
        is_first = self._is_metered_by_first
        steps = [(graph, step, plan.metrics if is_first and step is first else ()) for step in plan.steps]
        if not is_first:
            steps.append((graph, Step(first.name), plan.metrics))
        if self._is_tested:
            test, losses = with_test_part(graph), self._tested_losses
            steps += [
                (test, Step("test", loss=loss), () if place else plan.metrics) for place, loss in enumerate(losses)
            ]
        found = []
        for item, step, metrics in steps:
            lowered = LoweredStep(item, step, opened, plan.seed)
            found.append(LaidStep(lowered, self._known_sources, metrics, self._program.numbers))
        if not any(item.writes for item in found):
            raise GradwireError("No Variable of this graph can be trained: no gradient reaches one.")
        return found

    @property
    def _known_sources(self) -> frozenset[str]:
        """Paths of the sources that a reader can change."""
        return frozenset(str(path) for path, *_ in self._program.document["sources"])  # type: ignore[attr-defined]

    def _run(self, opened: tuple[str, ...], steps: Sequence[LaidStep], first: Sequence[LaidStep]) -> Json:
        return {"open": opened, "jobs": [self._job(*pair) for pair in zip(steps, first, strict=True)]}

    def _job(self, step: LaidStep, first: LaidStep) -> Json:
        shared = 0 if step is first else count_shared(step.rows, first.rows)
        same, rest = difference(step.laid.memory, b"" if step is first else first.laid.memory)
        self._memories.append(rest)
        self._size += held_bytes(rest)
        size = [step.laid.size, same]
        return {"shared": shared, "rows": step.rows[shared:], "memory": size, **step.entries(self._drawn)}

    def _shown(self, first: LaidStep) -> Iterable[list[object]]:
        """Yields what the graph shows of a round's draws: the draw, and for each of its arrays the views in variants.

        A variant that does not need an array has no view of it.
        """
        draws, lowered = first.lowered.draws, self._program.variants[0].run.lowered
        for path, recipe in draws.recipes.items():
            names = [PortName(path, name) for name in lowered.inferred.outputs[path]]
            rows = [lowered.ports[name] for name in names if recipe is not None and recipe.kind == ROWS]
            items = self._program.noise.get(path, rows)
            yield [*self._drawn.entry(path, recipe), [self._views(item) for item in items]]

    def _views(self, item: Expression) -> list[int]:
        program = self._program
        return [next(iter(place_of(variant, item, program.numbers)), NOTHING) for variant in program.variants]


def _plan_entries(plan: Plan) -> Json:
    return {
        "seed": plan.seed,
        "until": USUAL_ROUNDS if plan.until.steps is None else plan.until.steps,
        "ends": [
            [item.kind, item.at, _limit(item.low), _limit(item.high), item.logged] for item in plan.until.conditions
        ],
        "metrics": plan.metrics,
        "plan": [_step_entries(step) for step in plan.steps],
    }


def _limit(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _step_entries(step: Step) -> Json:
    rule: Mapping[str, object] = {}
    if step.rule is not None:
        how = {key: value for key, value in step.rule.parameters.items() if isinstance(value, float)}
        rule = {
            "rule": step.rule.type,
            "how": how,
            "rate": _schedule_entry(step.rule.rate),
            "decoupled": step.rule.decoupled,
        }
    runs = [step.times, step.every, step.begin, step.end, step.accumulate]
    return {"title": step.name, "runs": runs, **rule}


def _schedule_entry(schedule: Schedule) -> list[object]:
    then = [] if schedule.then is None else [_schedule_entry(schedule.then)]
    return [schedule.kind, schedule.numbers, *then]
