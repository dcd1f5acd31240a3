"""Turns bursts of edits into runs: at most three a frame, one at a time, always the newest graph next."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.live.comparison import Comparison
from app.live.evaluator import Answer, Died, Evaluator, Explained, Values
from app.live.questions import Question, Reply
from app.live.readings import Results
from engine.graph import Graph

FRAME = 1 / 60
DEATHS_ALLOWED = 3

MakeEvaluator = Callable[[Callable[[Answer], None]], Evaluator]


class Scheduler(QObject):
    """Gives every graph a revision, sends the newest one when the evaluator is idle, and hands results on.

    Results that are newer than those shown are handed on even while newer graphs wait: a dragged slider would
    otherwise show nothing until it rests. `values_arrived` brings what is known of a run under way. `ended(Died)` comes
    when an evaluator ends by itself or by `stop`, before the next one is asked again what this one was. Where three end
    at one graph, or without any results in between, `gave_up(Died)` says so: nothing is run until it is scheduled.
    """

    arrived = Signal(object)
    values_arrived = Signal(object)
    replied = Signal(object)
    busy_changed = Signal(bool)
    gave_up = Signal(object)
    ended = Signal(object)
    _answered = Signal(object, object)

    def __init__(self, make_evaluator: MakeEvaluator, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make_evaluator
        self._key = object()
        self._evaluator: Evaluator = self._started()
        self._revision = self._shown = 0
        self._waiting: tuple[int, Graph, Comparison | None] | None = None
        self._running: tuple[int, Graph, Comparison | None] | None = None
        self._newest: tuple[int, Graph, Comparison | None] | None = None
        self._is_replaced = False
        self._asked: dict[Hashable, Question] = {}
        self._asked_next: dict[Hashable, Question] = {}
        self._last_sent = 0.0
        self._deaths = self._died_at = 0
        self._has_lost_run = False
        self._is_closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._send)
        self._answered.connect(self._take)

    @property
    def is_busy(self) -> bool:
        """Whether a run is under way or waiting."""
        return self._running is not None or self._waiting is not None

    @property
    def revision(self) -> int:
        """The revision of the newest graph that was asked for."""
        return self._revision

    @property
    def has_lost_run(self) -> bool:
        """Whether an evaluator has ended since results came last."""
        return self._has_lost_run

    @property
    def seconds(self) -> float:
        """How long the run under way has taken so far."""
        return 0.0 if self._running is None else time.monotonic() - self._last_sent

    @property
    def running(self) -> str:
        """The path of the block that is being computed, if that takes long; else ""."""
        return self._evaluator.running

    def schedule(self, graph: Graph, comparison: Comparison | None = None) -> int:
        """Asks for a run of a graph, in place of any that still waits; gives its revision.

        `comparison` asks for the results in another state of the stops too.
        """
        if self._is_closed:
            return self._revision
        was_busy = self.is_busy
        self._revision += 1
        self._waiting = (self._revision, graph, comparison)
        if not was_busy:
            self.busy_changed.emit(True)
        self._send_soon()
        return self._revision

    def ask(self, question: Question) -> None:
        """Asks something of the newest run, in place of what still waits of the same topic.

        It is answered after the run under way, by the next evaluator if this one dies.
        """
        if self._is_closed:
            return
        if question.topic in self._asked:
            self._asked_next[question.topic] = question
            return
        self._asked[question.topic] = question
        # A new evaluator has nothing to be asked about before its first run.
        if not (self._is_replaced and self._waiting is not None):
            self._evaluator.ask(question)

    def forget(self, question: Question) -> None:
        """No longer wants an answer; the next evaluator is not asked."""
        if self._asked.get(question.topic) == question:
            del self._asked[question.topic]

    def restart(self) -> None:
        """Ends the evaluator, whatever it is at, and lets a new one run the newest graph."""
        if not self._is_closed:
            self._replace(self._waiting or self._newest)

    def stop(self) -> None:
        """Ends the run under way, whatever it is at; nothing is run until a graph is scheduled."""
        if not self._is_closed and self.is_busy:
            self._end(Died(None, self.running))
            self._replace(None)

    def close(self, waits: bool = True) -> None:
        """Ends everything; no signal comes afterwards. Without `waits` the evaluator may end a moment later."""
        self._is_closed = True
        self._timer.stop()
        self._waiting = self._running = None
        if waits:
            self._evaluator.close()
        else:
            self._evaluator.kill()

    def _started(self) -> Evaluator:
        # Answers of an evaluator that has been replaced still arrive: the key tells them apart.
        key = self._key = object()
        return self._make(lambda answer: self._answered.emit(key, answer))

    def _send_soon(self) -> None:
        if self._running is None and self._waiting is not None and not self._timer.isActive():
            # Less than a frame: while the window paints one, the evaluator is at the next.
            wait = self._last_sent + FRAME / 3 - time.monotonic()
            if wait <= 0:
                self._send()
            else:
                self._timer.start(max(1, round(wait * 1000)))

    def _send(self) -> None:
        if self._waiting is None or self._running is not None or self._is_closed:
            return
        self._running, self._waiting = self._waiting, None
        self._last_sent = time.monotonic()
        self._newest = self._running
        self._evaluator.evaluate(*self._running)
        if self._is_replaced:
            self._is_replaced = False
            for question in list(self._asked.values()):
                self._evaluator.ask(question)

    def _take(self, key: object, answer: Answer) -> None:
        if self._is_closed or key is not self._key:
            return
        if isinstance(answer, Results):
            self._finish(answer)
        elif isinstance(answer, Values):
            if self._running is not None and self._shown < answer.results.revision == self._running[0]:
                self.values_arrived.emit(answer.results)
        elif isinstance(answer, Explained):
            if answer.results.revision == self._shown:
                self.arrived.emit(answer.results)
        elif isinstance(answer, Reply):
            self._take_reply(answer)
        else:
            self._restart(answer)

    def _take_reply(self, reply: Reply) -> None:
        """Hands a reply on unless another of its topic is wanted by now."""
        topic = reply.question.topic
        self._asked.pop(topic, None)
        waiting = self._asked_next.pop(topic, None)
        if waiting is not None:
            self.ask(waiting)
        if waiting in (None, reply.question):
            self.replied.emit(reply)

    def _finish(self, results: Results) -> None:
        self._running, self._has_lost_run = None, False
        self._send_soon()
        if results.revision > self._shown:
            self._shown = results.revision
            self.arrived.emit(results)
        if not self.is_busy:
            self.busy_changed.emit(False)

    def _restart(self, died: Died) -> None:
        newest = 0 if self._newest is None else self._newest[0]
        if newest > self._died_at and not self._has_lost_run:
            self._deaths = 0
        self._deaths, self._died_at = self._deaths + 1, newest
        self._end(died)
        if self._deaths < DEATHS_ALLOWED:
            self._replace(self._waiting or self._newest)
        else:
            self._give_up(died)

    def _end(self, died: Died) -> None:
        self._has_lost_run = True
        self.ended.emit(died)

    def _give_up(self, died: Died) -> None:
        self._deaths = 0
        self._asked.clear()
        self._asked_next.clear()
        self._replace(None)
        self.gave_up.emit(died)

    def _replace(self, again: tuple[int, Graph, Comparison | None] | None) -> None:
        """Starts another evaluator. It knows nothing: it runs a graph again even where nobody waits for results."""
        was_busy, self._running, self._waiting = self.is_busy, None, again
        self._evaluator.kill()
        self._evaluator, self._is_replaced = self._started(), True
        if self.is_busy != was_busy:
            self.busy_changed.emit(self.is_busy)
        self._send_soon()
