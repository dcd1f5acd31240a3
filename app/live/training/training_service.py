"""The side of training that computes, in a process of its own: rounds until an order comes, and news in between."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Mapping

from gradwire.app.live.monitors.charted import charted
from gradwire.app.live.training.budget import Budget
from gradwire.app.live.training.orders import Begin, Chunk, Ended, Go, Look, News, Order, Overflow, Planned
from gradwire.app.live.training.series import numbers_beside, numbers_of
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph, same_value
from gradwire.engine.learning.contract import contract, plan_problems
from gradwire.engine.learning.draws import batches_of
from gradwire.engine.learning.kept_state import has_state, state_of
from gradwire.engine.learning.plan_reading import plan_of
from gradwire.engine.learning.probe import Probe
from gradwire.engine.learning.round import Round
from gradwire.engine.learning.run import USUAL_ROUNDS, TrainingRun
from gradwire.engine.learning.trainer import TrainingStopped

# News come so often, orders are looked for so often, and a state is sent. Units: seconds.
NEWS, LOOK, KEEP = 1 / 30, 0.004, 0.2
# Two measurements are so far apart at least, soon and later: one number for each picture is enough. Units: seconds.
APART = 0.002, NEWS
# Sizes of Variables, and what is measured apart, have this share of the time each. The latter begins after so many
# seconds unless wires are tracked.
SHARE, PROBE_AFTER = 0.05, 0.2


class TrainingService:
    """Carries out orders; `tell` takes the news."""

    def __init__(self, tell: Callable[[News | Planned], object]) -> None:
        self._tell = tell
        self._run: TrainingRun | None = None
        self._graph: Graph | None = None
        self._ignored = frozenset[str]()
        self._chunk = _Log()
        self._probe: Probe | None = None
        # Wires whose gradients are logged, and with them the ports whose gradients Charts show.
        self._tracked: tuple[str, ...] = ()
        self._probed: tuple[str, ...] = ()
        self._sizes, self._apart, self._shortest = Budget(SHARE, *APART), Budget(SHARE, *APART), math.inf
        self._kept_at = 0.0

    def take(self, order: Order, is_interrupted: Callable[[], bool] = lambda: False) -> None:
        """Carries out an order; rounds end when `is_interrupted` says that another message waits."""
        if isinstance(order, Look):
            self._tell(_planned(order.graph))
        elif isinstance(order, Begin):
            self._begin(order)
        elif isinstance(order, Go) and self._run is not None:
            self._go(self._run, order, is_interrupted)

    def _begin(self, order: Begin) -> None:
        before, old, note = self._run, self._graph, ""
        ignored = _stops(order.graph) if order.ignores_stops else frozenset()
        is_known = (order.graph, ignored, order.tracked) == (old, self._ignored, self._tracked)
        if order.goes_on and order.state is None and is_known:
            self._tell_news(is_running=False, is_ready=True)
            return
        try:
            run = TrainingRun(order.graph, measure=charted(order.graph), ignored_stops=ignored)
            if order.state is not None:
                run.trainer.load_state(order.state.fitted_to(run.trainer.state()))
            elif order.goes_on and before is not None and old is not None:
                untouched = functools.partial(_is_untouched, old, order.graph)
                run.trainer.load_state(before.trainer.state().fitted_to(run.trainer.state(), untouched))
            elif has_state(order.graph):
                note = _resumed(run, order)
        except GradwireError as error:
            self._tell(News(fault=_sentence(error)))
            return
        self._run, self._graph, self._ignored = run, order.graph, ignored
        self._probe, self._tracked = None, order.tracked
        self._probed = (*order.tracked, *_charted_gradients(run, order.graph))
        self._sizes, self._apart, self._shortest = Budget(SHARE, *APART), Budget(SHARE, *APART), math.inf
        self._tell_news(is_running=False, is_ready=True, note=note)

    def _go(self, run: TrainingRun, order: Go, is_interrupted: Callable[[], bool]) -> None:
        began = told = looked = time.perf_counter()
        if self._probe is None and not self._probed:
            self._apart.wait_until(began + PROBE_AFTER)
        first, overflow, ended = run.trainer.round, None, None
        end = run.plan.until.end_of(first + order.again, USUAL_ROUNDS)
        may_end = order.rounds is None and bool(run.plan.until.conditions)
        if order.rounds is not None:
            end = first + order.rounds
        while run.trainer.round < end:
            now = time.perf_counter()
            if now - looked >= LOOK:
                looked = now
                if is_interrupted():
                    break
            if order.pace is not None and (run.trainer.round - first) / order.pace > now - began:
                time.sleep(min(LOOK, 1 / order.pace))
                continue
            try:
                done = self._measured_round(run, now, is_first=run.trainer.round == first)
            except TrainingStopped as stop:
                overflow = Overflow(stop.n, stop.step, stop.at, str(stop))
                break
            except GradwireError as error:
                self._tell(News(round=run.trainer.round, fault=_sentence(error)))
                return
            self._chunk.add(done.n, numbers_of(done))
            reason = run.plan.until.reason(done) if may_end else None
            if reason is not None:
                ended = Ended(done.n, reason)
                break
            if now - told >= NEWS or run.trainer.round == first + 1:
                told = now
                self._tell_news(is_running=True, pace=(run.trainer.round - first) / max(now - began, 1e-9))
        seconds = time.perf_counter() - began
        self._kept_at = 0.0
        pace = (run.trainer.round - first) / seconds if seconds else 0.0
        self._tell_news(is_running=False, pace=pace, overflow=overflow, ended=ended)

    def _measured_round(self, run: TrainingRun, now: float, is_first: bool) -> Round:
        """Runs a round with the measurements that the budgets allow; the first one of a run has its sizes always."""
        n = run.trainer.round
        if self._apart.is_due(n, now):
            self._measure_apart(run, n)
            now = time.perf_counter()
        measures = is_first or self._sizes.is_due(n, now)
        done = run.trainer.run_round(measures=measures)
        seconds = time.perf_counter() - now
        if measures:
            self._sizes.note_cost(n, now, seconds - min(seconds, self._shortest), self._shortest)
        elif seconds < self._shortest:
            self._shortest = seconds
        return done

    def _measure_apart(self, run: TrainingRun, n: int) -> None:
        """Measures what the training itself does not have."""
        if self._probe is None:
            self._probe = Probe(run.trainer.graph, run.plan, self._probed, run.ignored_stops)
        if self._probe.is_empty:
            self._apart.wait_until(math.inf)
            return
        began = time.perf_counter()
        self._chunk.add(n, numbers_beside(self._probe.measured(n, run.trainer.values)))
        now = time.perf_counter()
        self._apart.note_cost(n, now, now - began, self._shortest)

    def _tell_news(
        self,
        is_running: bool,
        is_ready: bool = False,
        pace: float = 0.0,
        overflow: Overflow | None = None,
        ended: Ended | None = None,
        note: str = "",
    ) -> None:
        if self._run is None:
            self._tell(News())
            return
        now, trainer, state = time.perf_counter(), self._run.trainer, None
        if now - self._kept_at >= KEEP:
            self._kept_at, state = now, trainer.state()
        chunk, variables = self._chunk.taken(), trainer.variables
        now_is = (is_running, is_ready, pace, overflow, ended)
        news = News(trainer.round, chunk, variables, *now_is, state=state, note=note)
        # What the window has been told is what it will send back unless the user changes it.
        self._graph = trainer.graph
        self._tell(news)


def _charted_gradients(run: TrainingRun, graph: Graph) -> list[str]:
    """Returns the ports whose gradients Charts show, but for those of trained Variables, which each step has."""
    trained = {name for row in run.rows for name in row.trains}
    return [port for port in charted(graph, is_gradient=True) if port.rpartition(".")[0] not in trained]


class _Log:
    """Numbers since the last news."""

    def __init__(self) -> None:
        self._columns: dict[str, tuple[list[int], list[float]]] = {}

    def add(self, n: int, numbers: Mapping[str, float]) -> None:
        for name, number in numbers.items():
            columns = self._columns.get(name)
            if columns is None:
                columns = self._columns[name] = [], []
            columns[0].append(n)
            columns[1].append(number)

    def taken(self) -> Chunk:
        """Returns what has been added, and forgets it."""
        found, self._columns = self._columns, {}
        return Chunk(
            {name: rounds for name, (rounds, _) in found.items()}, {name: got for name, (_, got) in found.items()}
        )


def _planned(graph: Graph) -> Planned:
    try:
        plan = plan_of(graph)
        rows = contract(graph, plan)
    except GradwireError as error:
        return Planned(fault=_sentence(error))
    problems = tuple(problem.message for problem in plan_problems(rows, plan, graph))
    batches = next((facts["batches"] for facts in batches_of(graph) if facts["batches"]), None)
    return Planned(rows, problems, plan.until, batches)


def _sentence(error: GradwireError) -> str:
    if not isinstance(error, JsonFault):
        return str(error)
    path = error.path[1:]
    where = f"step {int(path[1]) + 1}: " if path[:1] == ("steps",) and len(path) > 1 else ""
    return f"{where}{error.message}."


def _stops(graph: Graph) -> frozenset[str]:
    """Returns the paths of all StopGradient blocks."""
    return frozenset(path for path, item in expand(graph).instances.items() if item.role is Role.STOP)


def _resumed(run: TrainingRun, order: Begin) -> str:
    """Goes on from the state that the graph keeps; returns why that is impossible, else ""."""
    try:
        run.trainer.load_state(state_of(order.graph, order.path).fitted_to(run.trainer.state()))
    except FileError as error:
        return str(error)
    return ""


def _is_untouched(old: Graph, new: Graph, name: str) -> bool:
    try:
        values = [graph.block(name).parameters.get("value") for graph in (old, new)]
    except GradwireError:
        return False
    return same_value(*values)
