"""The scheduler turns bursts of edits into runs: at most three a frame, one at a time, newest graph next."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from gradwire.app.base.log import logger
from gradwire.app.base.timers import make_timer
from gradwire.app.live.process.evaluator import Answer, Died, Evaluator, Explained, Values
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.readings.readings import Results
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.graph.graph import Graph

_LOG = logger(__name__)
FRAME = 1 / 60
# A run that takes longer is noted in the log. Units: seconds.
SLOW = 5.0
DEATHS_ALLOWED = 3
# The pauses before another evaluator takes over, after the first death in a row and after the second. Units: seconds.
PAUSES = (0.0, 0.5)

MakeEvaluator = Callable[[Callable[[Answer], None]], Evaluator]


class Scheduler(QObject):
    """A scheduler that gives every graph a revision, sends the newest one when the evaluator is idle, and emits
    results.

    It emits new results even while newer graphs wait: otherwise a dragged slider would show nothing until it rests.
    `values_arrived` brings the values of a run in progress. `ended(Died)` is emitted when an evaluator ends by itself
    or by `stop`, before the next one receives the pending questions. If three evaluators end at one graph, or without
    any results in between, `gave_up(Died)` is emitted. Then there is no evaluator until a graph is scheduled.
    `revision` is that of the newest graph that was scheduled; `has_lost_run` says that an evaluator has ended since the
    last results.
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
        self.revision = self._shown = 0
        self._waiting: tuple[int, Graph, Comparison | None] | None = None
        self._running: tuple[int, Graph, Comparison | None] | None = None
        self._newest: tuple[int, Graph, Comparison | None] | None = None
        self._is_replaced = False
        self._asked: dict[Hashable, Question] = {}
        self._asked_next: dict[Hashable, Question] = {}
        self._last_sent = 0.0
        self._deaths = self._died_at = 0
        self.has_lost_run = False
        self._is_closed = False
        self._timer = make_timer(self, self._send)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._pause = make_timer(self, self._renew)
        self._answered.connect(self._take)
        # A program may end with its window open: then no answer may reach what is deleted.
        if (program := QCoreApplication.instance()) is not None:
            program.aboutToQuit.connect(self.close)
        # This comes last, because a process can end, and its thread say so, before the next line.
        self._evaluator = self._started()

    @property
    def is_busy(self) -> bool:
        """True if a run is in progress or waiting."""
        return self._running is not None or self._waiting is not None

    @property
    def seconds(self) -> float:
        """The duration of the run in progress so far."""
        return 0.0 if self._running is None else time.monotonic() - self._last_sent

    @property
    def running(self) -> str:
        """The path of the block that is being computed, if that takes long; otherwise ""."""
        return "" if self._evaluator is None else self._evaluator.running

    def schedule(self, graph: Graph, comparison: Comparison | None = None) -> None:
        """Requests a run of a graph in place of any that still waits.

        `comparison` requests the results in another state of the stops too.
        """
        if self._is_closed:
            return
        was_busy = self.is_busy
        self.revision += 1
        self._waiting = (self.revision, graph, comparison)
        if not was_busy:
            self.busy_changed.emit(True)
        self._send_soon()

    def ask(self, question: Question) -> None:
        """Asks a question about the newest run, in place of a waiting question with the same topic.

        The evaluator answers it after the run in progress; if this evaluator dies, the next one answers.
        """
        if self._is_closed:
            return
        if question.topic in self._asked:
            self._asked_next[question.topic] = question
            return
        self._asked[question.topic] = question
        # Before its first run, a new evaluator cannot answer questions.
        if self._evaluator is not None and not (self._is_replaced and self._waiting is not None):
            self._evaluator.ask(question)

    def forget(self, question: Question) -> None:
        """Drops a question, so that the next evaluator is not asked."""
        if self._asked.get(question.topic) == question:
            del self._asked[question.topic]

    def restart(self) -> None:
        """Ends the evaluator at once and lets a new one run the newest graph."""
        if not self._is_closed:
            self._replace(self._waiting or self._newest)

    def stop(self) -> None:
        """Ends the run in progress at once; nothing runs until a graph is scheduled."""
        if not self._is_closed and self.is_busy:
            self._end(Died(None, self.running))
            self._replace(None)

    def close(self, waits: bool = True) -> None:
        """Ends everything; no signal comes afterwards. Without `waits` the evaluator may end a moment later."""
        self._is_closed = True
        self._timer.stop()
        self._pause.stop()
        self._waiting = self._running = None
        if self._evaluator is not None:
            self._evaluator.close() if waits else self._evaluator.kill()
        # It holds memory of which the system has little.
        self._evaluator = None

    def _started(self) -> Evaluator | None:
        """Returns a new evaluator; None if the system cannot start one, which counts as a death a moment later."""
        # Answers of a replaced evaluator may still arrive: the key distinguishes them.
        key = self._key = object()
        try:
            return self._make(lambda answer: self._answered.emit(key, answer))
        except OSError as error:
            died = Died(None, reason=reason_of(error))
            QTimer.singleShot(0, self, lambda: self._answered.emit(key, died))
            return None

    def _send_soon(self) -> None:
        if self._running is None and self._waiting is not None and not self._timer.isActive():
            # This is less than a frame: while the window paints one frame, the evaluator computes the next.
            wait = self._last_sent + FRAME / 3 - time.monotonic()
            if wait <= 0:
                self._send()
            else:
                self._timer.start(max(1, round(wait * 1000)))

    def _send(self) -> None:
        if self._waiting is None or self._running is not None or self._is_closed or self._pause.isActive():
            return
        if self._evaluator is None:
            self._renew()
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
        elif isinstance(answer, Died):
            self._restart(answer)

    def _take_reply(self, reply: Reply) -> None:
        """Emits a reply, unless a newer question of its topic waits."""
        topic = reply.question.topic
        self._asked.pop(topic, None)
        waiting = self._asked_next.pop(topic, None)
        if waiting is not None:
            self.ask(waiting)
        if waiting in (None, reply.question):
            self.replied.emit(reply)

    def _finish(self, results: Results) -> None:
        if self.seconds > SLOW:
            _LOG.info("A run took %.1f seconds", self.seconds)
        self._running, self.has_lost_run = None, False
        self._send_soon()
        if results.revision > self._shown:
            self._shown = results.revision
            self.arrived.emit(results)
        if not self.is_busy:
            self.busy_changed.emit(False)

    def _restart(self, died: Died) -> None:
        newest = 0 if self._newest is None else self._newest[0]
        if newest > self._died_at and not self.has_lost_run:
            self._deaths = 0
        pauses = PAUSES[self._deaths :]
        self._deaths, self._died_at = self._deaths + 1, newest
        self._end(died)
        if pauses:
            self._replace(self._waiting or self._newest, *pauses[:1])
        else:
            self._give_up(died)

    def _end(self, died: Died) -> None:
        self.has_lost_run = True
        _LOG.warning('An evaluator ended: exit code %s at "%s"; "%s"', died.code, died.running, died.reason)
        self.ended.emit(died)

    def _give_up(self, died: Died) -> None:
        self._deaths = 0
        _LOG.error("Evaluators ended %d times in a row; no more are started", DEATHS_ALLOWED)
        self._asked.clear()
        self._asked_next.clear()
        self._remove(None)
        self.gave_up.emit(died)

    def _replace(self, again: tuple[int, Graph, Comparison | None] | None, pause: float = 0.0) -> None:
        """Starts another evaluator, which knows nothing: it runs a graph again even if nobody waits for results."""
        self._remove(again)
        if pause:
            self._pause.start(round(pause * 1000))
        else:
            self._renew()

    def _remove(self, again: tuple[int, Graph, Comparison | None] | None) -> None:
        """Ends the evaluator; the next one runs a graph `again`."""
        was_busy, self._running, self._waiting = self.is_busy, None, again
        self._pause.stop()
        if self._evaluator is not None:
            self._evaluator.kill()
        self._evaluator, self._key, self._is_replaced = None, object(), True
        if self.is_busy != was_busy:
            self.busy_changed.emit(self.is_busy)

    def _renew(self) -> None:
        self._evaluator = self._started()
        if self._evaluator is not None:
            self._send_soon()
