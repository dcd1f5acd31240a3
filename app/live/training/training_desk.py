"""Training of an open document: its process, what it has reached, and the edits that show it on the wires."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live.process.evaluator import Answer, Died, Evaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.training.orders import Begin, Ended, Go, Halt, Look, News, Order, Overflow, Planned
from gradwire.app.live.training.training_log import TrainingLog
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph, same_value
from gradwire.engine.learning.kept_state import (
    array_of,
    has_state,
    initial_of,
    reset_values,
    rounds_kept,
    trained_values,
)
from gradwire.engine.learning.state import State

# Wires follow a running training so often, depending on how much work a picture is: the thread of the window gives it
# this share of its time, since what it takes, on most machines, it takes from the training too. Units: ms.
SOONEST, LATEST, SHARE = 33, 100, 0.25
Apply = Callable[..., Any]


class Phase(enum.Enum):
    """What a training is doing."""

    NEW = "new"
    RUNNING = "running"
    PAUSED = "paused"


class TrainingDesk(QObject):
    """Training of a document.

    `is_applying` is true while its own values come into the document. `changed()` tells of another phase, plan or end,
    `advanced()` of new numbers. `said(str)` has a sentence for the user. The values that a run reaches are one edit.
    """

    changed = Signal()
    advanced = Signal()
    said = Signal(str)
    _answered = Signal(object, object)

    def __init__(
        self,
        document: Document,
        make_evaluator: MakeEvaluator,
        apply: Apply,
        ignores_stops: Callable[[], bool],
        parent: QObject | None = None,
        filled: Callable[[Graph], Graph] = lambda graph: graph,
    ) -> None:
        super().__init__(parent)
        self._document, self._make, self._apply, self._ignores_stops = document, make_evaluator, apply, ignores_stops
        # Gives the graph that is trained for one of the document.
        self._filled = filled
        self._evaluator: Evaluator | None = None
        self._key = object()
        self._runs = itertools.count()
        self._run: Hashable = None
        self.is_applying = self._is_begun = self._is_overruled = False
        # Whether the process holds the training, and whether it is to run when it is ready.
        self._is_held = self._is_wanted = False
        # Whether the next order to run is the user's, who wants more rounds where those of the plan are over.
        self._is_asked_anew = False
        self._initial: Mapping[str, Array] = {}
        self._pending: Mapping[str, Array] = {}
        self._state: State | None = None
        # Rounds asked for, and the round at which they will have been run; None where the plan says the end.
        self._asked: int | None = None
        self._goal: int | None = None
        self.phase, self.round, self.pace = Phase.NEW, rounds_kept(document.graph), 0.0
        # Whether the file is to keep the state.
        self.keeps_state = has_state(document.graph)
        self.log = TrainingLog()
        self.plan = Planned()
        self.overflow: Overflow | None = None
        self.ended: Ended | None = None
        self.fault = ""
        self.limit: float | None = None
        # Wires by their targets. They belong to the open document, not to its file: a plan says what is trained.
        self.tracked: tuple[str, ...] = ()
        self._frame = QTimer(self, singleShot=True, interval=SOONEST)
        self._frame.timeout.connect(self._show_frame)
        # Processor time of the window's thread at the newest picture. Units: seconds.
        self._worked = 0.0
        self._answered.connect(self._take)

    @property
    def is_running(self) -> bool:
        """Whether rounds are being run."""
        return self.phase is Phase.RUNNING

    @property
    def has_begun(self) -> bool:
        """Whether anything has been trained since the document was opened, or since a reset."""
        return self._is_begun

    @property
    def can_reset(self) -> bool:
        """Whether there is anything to go back to."""
        return self._is_begun or has_state(self._document.graph) or bool(initial_of(self._document.graph))

    @property
    def can_keep(self) -> bool:
        """Whether there is a state that a file can keep."""
        return self._is_begun or has_state(self._document.graph)

    @property
    def initial(self) -> Mapping[str, Array]:
        """Values before the first run."""
        return self._initial if self._is_begun else initial_of(self._document.graph)

    @property
    def state(self) -> State | None:
        """What the training has reached; None where it has not begun here.

        While it runs this is not older than a fifth of a second; else values that the user has given count.
        """
        if self._state is None or self.is_running:
            return self._state
        now = {name: array_of(self._document.graph, name) for name in self._state.variables}
        given = {name: array for name, array in now.items() if array is not None}
        return dataclasses.replace(self._state, variables={**self._state.variables, **given})

    @property
    def end_text(self) -> str:
        """Sentence that says which condition has ended the newest run; empty where none has."""
        if self.ended is None:
            return ""
        reason = tr_sentence(self.ended.reason)
        return tr("Paused at round {round}: {reason}.", round=f"{self.ended.round:,}", reason=reason)

    @property
    def epochs(self) -> float | None:
        """Passes through the data so far; None where every round takes the same data."""
        return None if not self.plan.batches else self.round / self.plan.batches

    def look(self) -> None:
        """Asks for the plan of the graph as it is, and who trains whom."""
        if not self.is_running:
            self._order(Look(self._filled(self._document.graph)))

    def run(self, rounds: int | None = None) -> None:
        """Runs so many rounds, or until the plan ends."""
        if self.is_running:
            return
        self._asked, self._goal, self._is_wanted, self._is_asked_anew = rounds, None, True, True
        self._run = ("training", next(self._runs))
        if not self._is_begun:
            self._initial = initial_of(self._document.graph)
        self.ended = None
        self._set_phase(Phase.RUNNING)
        self._begin()

    def toggle(self) -> None:
        """Runs, or pauses what runs."""
        if self.is_running:
            self.pause()
        else:
            self.run()

    def pause(self) -> None:
        """Stops after the round under way."""
        if self.is_running:
            self._is_wanted = False
            self._order(Halt())

    def reset(self) -> None:
        """Returns to the values before the first run, and forgets memory and numbers."""
        self._end_process()
        initial, self._initial = self.initial, {}
        self._is_begun, self._state, self._pending, self._is_wanted = False, None, {}, False
        self.round, self.overflow, self.ended, self.fault = 0, None, None, ""
        self.log.clear()
        self._set_phase(Phase.NEW)
        self.keeps_state = False
        if initial or has_state(self._document.graph):
            self._change(tr("Reset the training"), reset_values, initial, None)
        self.advanced.emit()

    def set_limit(self, pace: float | None) -> None:
        """Sets the most rounds a second, None for as many as possible."""
        self.limit = pace
        if self.is_running:
            self._is_wanted = True
            self._begin()

    def track(self, target: str, is_tracked: bool) -> None:
        """Begins or ends the log of the gradient on a wire, `page/block.port` by its target."""
        rest = tuple(name for name in self.tracked if name != target)
        self.tracked = (*rest, target) if is_tracked else rest
        if self.is_running:
            self._is_wanted = True
            self._begin()
        self.changed.emit()

    def note_edit(self, old: Graph, new: Graph) -> None:
        """Follows an edit of the user: a running training pauses, takes it over, and goes on."""
        if self.is_applying:
            return
        if not self.is_running:
            return
        pairs = ((array_of(old, name), array_of(new, name)) for name in self._initial)
        if any(before is not None and not same_value(before, after) for before, after in pairs):
            # The user has taken a hand in what is trained, by an undo for example.
            self.pause()
            self._pending, self._is_overruled = {}, True
            return
        self._is_wanted = True
        self._begin()

    def close(self) -> None:
        """Ends the process."""
        self._end_process()

    # Orders and news

    def _begin(self) -> None:
        self._show_pending()
        state = None if self._is_held else self._state
        graph, path = self._filled(self._document.graph), self._document.path
        self._order(Begin(graph, self._is_begun, state, self._ignores_stops(), path, self.tracked))

    def _order(self, order: Order) -> None:
        if self._evaluator is None:
            key = self._key
            try:
                self._evaluator = self._make(lambda answer: self._answered.emit(key, answer))
            except OSError as error:
                self._fail(f"The process that trains cannot start: {reason_of(error)}.")
                return
        self._evaluator.order(order)

    def _take(self, key: object, answer: Answer) -> None:
        if key is not self._key:
            return
        if isinstance(answer, Planned):
            self.plan = answer
            self.changed.emit()
        elif isinstance(answer, Died):
            self._take_end(answer)
        elif isinstance(answer, News):
            self._take_news(answer)

    def _take_news(self, news: News) -> None:
        if news.fault:
            self._fail(news.fault)
            return
        self._is_begun, self._is_held, self.fault = True, True, ""
        for name in news.variables:
            if name not in self._initial and (value := array_of(self._document.graph, name)) is not None:
                self._initial = {**self._initial, name: value}
        if news.note:
            self.said.emit(f"{tr_sentence(news.note)} {tr('The training begins anew from the trained values.')}")
        self.round, self.pace = news.round, news.pace or self.pace
        self._state = news.state or self._state
        self.log.add(news.chunk)
        self._pending = {} if self._is_overruled else news.variables
        if news.is_running:
            if not self._frame.isActive():
                self._frame.start()
        elif self._is_wanted:
            # Other news are the last of a run that an edit has ended.
            if news.is_ready:
                self._go_on(news.round)
        else:
            self._show_pending()
            self._is_overruled = False
            self.overflow, self.ended = news.overflow, news.ended
            if news.overflow is not None:
                self.said.emit(news.overflow.sentence)
            if news.ended is not None:
                self.said.emit(self.end_text)
            self._set_phase(Phase.PAUSED)
        self.advanced.emit()

    def _go_on(self, n: int) -> None:
        """Runs what is left of the rounds that were asked for."""
        self._is_wanted = False
        if self._goal is None and self._asked is not None:
            self._goal = n + self._asked
        again, self._is_asked_anew = self._is_asked_anew, False
        self._order(Go(None if self._goal is None else max(self._goal - n, 0), self.limit, again))

    def _take_end(self, died: Died) -> None:
        self._evaluator, self._key, self._is_held, self._is_wanted = None, object(), False, False
        if self.is_running:
            self._set_phase(Phase.PAUSED)
            why = died.reason or str(died.code)
            text = tr("The training ended ({why}); Train goes on from round {round}.", why=why, round=f"{self.round:,}")
            self.said.emit(text)

    def _fail(self, sentence: str) -> None:
        self.fault, self._is_wanted = sentence, False
        self._set_phase(Phase.PAUSED if self._is_begun else Phase.NEW)
        self.said.emit(sentence)

    def _show_frame(self) -> None:
        """Shows the newest values, and asks how much work the picture before was."""
        worked = time.thread_time()
        self._frame.setInterval(min(max(round(1000 * (worked - self._worked) / SHARE), SOONEST), LATEST))
        self._worked = worked
        self._show_pending()

    def _show_pending(self) -> None:
        """Puts the newest values into the document."""
        self._frame.stop()
        values, self._pending = self._pending, {}
        if values:
            self._change(tr("Train"), trained_values, values, self._run)

    def _change(self, text: str, edit: Apply, values: Mapping[str, Array], merge_key: Hashable) -> None:
        self.is_applying = True
        try:
            self._apply(text, edit, values, merge_key)
        finally:
            self.is_applying = False

    def _set_phase(self, phase: Phase) -> None:
        self.phase = phase
        self.changed.emit()

    def _end_process(self) -> None:
        self._frame.stop()
        if self._evaluator is not None:
            self._evaluator.close()
        self._evaluator, self._key, self._is_held = None, object(), False
