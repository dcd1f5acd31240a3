"""The side of training that computes, in a process of its own: rounds until an order comes, and news in between."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace

from gradwire.app.features.training.budget import Budget
from gradwire.app.features.training.orders import Begin, Ended, Go, Look, News, Planned, TrainingOrder
from gradwire.app.live.charted import charted
from gradwire.app.live.process.orders import Desk
from gradwire.app.live.readings.series import Chunk, numbers_beside, numbers_of
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import contract, plan_problems
from gradwire.engine.training.draws import batches_of
from gradwire.engine.training.kept_state import has_state, state_of
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.probe import Probe
from gradwire.engine.training.round import Round
from gradwire.engine.training.run import USUAL_ROUNDS, TrainingRun
from gradwire.engine.training.trainer import TrainingStopped

# News come so often, orders are looked for so often, and a large state is sent. Units: seconds.
NEWS, LOOK, KEEP = 1 / 30, 0.004, 0.2
# A state up to this size comes with all news. Units: bytes.
SMALL = 2**18
# Two measurements are so far apart at least, soon and later: one number for each picture is enough. Units: seconds.
APART = 0.002, NEWS
# Sizes of Variables, and what is measured apart, have this share of the time each. The latter begins after so many
# seconds unless wires are tracked.
SHARE, PROBE_AFTER = 0.05, 0.2
# Rounds a second that leave time to measure each round.
SLOW = 100.0


class TrainingService:
    """Carries out orders at a desk, and tells what comes of them."""

    def __init__(self, desk: Desk) -> None:
        self._tell, self._is_interrupted = desk.tell, desk.is_interrupted
        self._run: TrainingRun | None = None
        # The graph that the training began with. With the variables that the window has been told, it is what comes
        # back unless the user changes it.
        self._graph = Graph(())
        self._told: Mapping[str, Array] = {}
        # Whether the state comes with all news.
        self._is_small = False
        self._ignored = frozenset[str]()
        self._chunk = _Log()
        self._probe: Probe | None = None
        # Wires whose gradients are logged, and with them the ports whose gradients Charts show.
        self._tracked: tuple[str, ...] = ()
        self._probed: tuple[str, ...] = ()
        self._sizes, self._apart, self._shortest = Budget(SHARE, *APART), Budget(SHARE, *APART), math.inf
        self._kept_at = -math.inf

    def take(self, order: TrainingOrder) -> None:
        """Carries out an order; rounds end when another message waits."""
        if isinstance(order, Look):
            self._tell(_planned(order.graph))
        elif isinstance(order, Begin):
            self._begin(order)
        elif isinstance(order, Go) and self._run is not None:
            self._go(self._run, order)

    def _begin(self, order: Begin) -> None:
        before, note = self._run, ""
        ignored = _stops(order.graph) if order.ignores_stops else frozenset()
        told = set_values(self._graph, self._told), self._ignored, self._tracked
        is_known = order.goes_on and order.state is None and (order.graph, ignored, order.tracked) == told
        if before is not None and is_known:
            self._tell_ready(before)
            return
        try:
            run = TrainingRun(order.graph, measure=charted(order.graph), ignored_stops=ignored)
            if order.state is not None:
                run.trainer.load_state(order.state.fitted_to(run.trainer.state()))
            elif order.goes_on and before is not None:
                state = before.trainer.state()
                run.trainer.load_state(state.fitted_to(run.trainer.state(), lambda name: name not in order.given))
            elif has_state(order.graph):
                note = _resumed(run, order)
        except GradwireError as error:
            self._tell(News(fault=_sentence(error)))
            return
        self._run, self._graph, self._ignored = run, order.graph, ignored
        state = run.trainer.state()
        self._is_small = sum(array.nbytes for array in (*state.variables.values(), *state.memory.values())) <= SMALL
        self._probe, self._tracked = None, order.tracked
        self._probed = (*order.tracked, *_charted_gradients(run, order.graph))
        self._sizes, self._apart, self._shortest = Budget(SHARE, *APART), Budget(SHARE, *APART), math.inf
        self._tell_ready(run, note)

    def _tell_ready(self, run: TrainingRun, note: str = "") -> None:
        self._tell(replace(self._reached(run), is_ready=True, note=note))

    def _go(self, run: TrainingRun, order: Go) -> None:
        rounds = _Rounds(run, order)
        if self._probe is None and not self._probed:
            self._apart.wait_until(rounds.began + PROBE_AFTER)
        overflow, ended = "", None
        while ended is None and rounds.has_more():
            # A small round takes no longer than a few looks at the clock.
            now = time.perf_counter()
            if rounds.may_look(now) and self._is_interrupted():
                break
            news = self._due_news(run, rounds, now)
            if rounds.waits(now):
                continue
            try:
                is_wanted = news is not None or rounds.are_slow or run.trainer.round == rounds.first
                done = self._measured_round(run, now, is_wanted)
            except TrainingStopped as stop:
                overflow = str(stop)
                break
            except GradwireError as error:
                self._tell(News(round=run.trainer.round, fault=_sentence(error)))
                return
            if news is not None:
                self._tell(replace(news, numbers=self._chunk.newest))
            ended = rounds.end_by(done)
        self._kept_at = -math.inf
        numbers = {} if overflow else self._numbers_ahead(run)
        self._tell(replace(self._reached(run), numbers=numbers, overflow=overflow, ended=ended))

    def _due_news(self, run: TrainingRun, rounds: _Rounds, now: float) -> News | None:
        """Tells due news at once where the next round has to wait; else returns them, to be told with its numbers."""
        if not rounds.are_news_due(now):
            return None
        news = replace(self._reached(run), is_running=True)
        if not rounds.are_limited:
            return news
        self._tell(replace(news, numbers=self._numbers_ahead(run)))
        return None

    def _measured_round(self, run: TrainingRun, now: float, is_wanted: bool) -> Round:
        """Runs a round with the measurements that the budgets allow; one that is wanted has its sizes always."""
        n = run.trainer.round
        if self._apart.is_due(n, now):
            self._measure_apart(run, n, now)
            now = time.perf_counter()
        measures = is_wanted or self._sizes.is_due(n, now)
        done = run.trainer.run_round(measures=measures)
        seconds = time.perf_counter() - now
        if measures:
            self._sizes.note_cost(n, now, seconds - min(seconds, self._shortest), self._shortest)
        elif seconds < self._shortest:
            self._shortest = seconds
        self._chunk.add(n, numbers_of(done))
        return done

    def _measure_apart(self, run: TrainingRun, n: int, began: float) -> None:
        """Measures what the training itself does not have."""
        self._chunk.add(n, self._numbers_beside(run, n))
        now = time.perf_counter()
        self._apart.note_cost(n, now, now - began, self._shortest)
        if self._probe is not None and self._probe.is_empty:
            self._apart.wait_until(math.inf)

    def _numbers_beside(self, run: TrainingRun, n: int) -> dict[str, float]:
        if self._probe is None:
            self._probe = Probe(run.trainer.graph, run.plan, self._probed, run.ignored_stops)
        return {} if self._probe.is_empty else numbers_beside(self._probe.measured(n, run.trainer.values))

    def _numbers_ahead(self, run: TrainingRun) -> dict[str, float]:
        """Returns the numbers with which the next round begins, which is still to be run; none if it would overflow."""
        n, state = run.trainer.round, run.trainer.state()
        is_probed = self._probe is not None or bool(self._probed)
        try:
            beside = self._numbers_beside(run, n) if is_probed else {}
            return beside | numbers_of(run.trainer.run_round(measures=True))
        except GradwireError:
            return {}
        finally:
            run.trainer.load_state(state)

    def _reached(self, run: TrainingRun) -> News:
        """Returns what the training has reached, with the numbers logged since the last news."""
        now, trainer, state = time.perf_counter(), run.trainer, None
        if self._is_small or now - self._kept_at >= KEEP:
            self._kept_at, state = now, trainer.state()
        variables = trainer.variables if state is None else state.variables
        self._told = variables
        return News(trainer.round, self._chunk.taken(), variables, state=state)


class _Rounds:
    """Rounds under way: where they end, how fast they may follow each other, and when something else is due.

    `first` is the number of the first one; `are_limited` says that there may be only so many a second, `are_slow` that
    these leave time to measure each of them.
    """

    def __init__(self, run: TrainingRun, order: Go) -> None:
        self._run, self._order = run, order
        self.began = self._told = self._looked = time.perf_counter()
        self.first = self._told_round = run.trainer.round
        self.are_limited = order.pace is not None
        self.are_slow = order.pace is not None and order.pace <= SLOW
        self._may_end = order.rounds is None and bool(run.plan.until.conditions)
        self._end = run.plan.until.end_of(self.first + order.again, USUAL_ROUNDS)
        if order.rounds is not None:
            self._end = self.first + order.rounds

    def has_more(self) -> bool:
        """Returns whether the end has not been reached."""
        return self._run.trainer.round < self._end

    def may_look(self, now: float) -> bool:
        """Returns whether it is time to look for other messages."""
        is_time = now - self._looked >= LOOK
        self._looked = now if is_time else self._looked
        return is_time

    def are_news_due(self, now: float) -> bool:
        """Returns whether there is something new to tell, and the last news were told a moment ago."""
        n = self._run.trainer.round
        if n == self._told_round or (now - self._told < NEWS and n != self.first + 1):
            return False
        self._told, self._told_round = now, n
        return True

    def waits(self, now: float) -> bool:
        """Returns whether it is too early for the next round, after waiting a little."""
        pace = self._order.pace
        if pace is None or (self._run.trainer.round - self.first) / pace <= now - self.began:
            return False
        time.sleep(min(LOOK, 1 / pace))
        return True

    def end_by(self, done: Round) -> Ended | None:
        """Returns the end by a condition of the plan that a round has met."""
        reason = self._run.plan.until.reason(done) if self._may_end else None
        return None if reason is None else Ended(done.n, reason)


def _charted_gradients(run: TrainingRun, graph: Graph) -> list[str]:
    """Returns the ports whose gradients Charts show, but for those of trained Variables, which each step has."""
    trained = {name for row in run.rows for name in row.trains}
    return [port for port in charted(graph, is_gradient=True) if port.rpartition(".")[0] not in trained]


class _Log:
    """Numbers since the last news."""

    def __init__(self) -> None:
        self._rounds: dict[str, list[int]] = {}
        self._numbers: dict[str, list[float]] = {}

    def add(self, n: int, numbers: Mapping[str, float]) -> None:
        for name, number in numbers.items():
            self._rounds.setdefault(name, []).append(n)
            self._numbers.setdefault(name, []).append(number)

    @property
    def newest(self) -> dict[str, float]:
        """The newest number of each series."""
        return {name: numbers[-1] for name, numbers in self._numbers.items()}

    def taken(self) -> Chunk:
        """Returns what has been added, and forgets it."""
        found = Chunk(self._rounds, self._numbers)
        self._rounds, self._numbers = {}, {}
        return found


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
