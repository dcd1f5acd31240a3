"""Training of an open document: its process, what it has reached, and the edits that show it on the wires."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Hashable, Mapping
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.frames import Frame, Frames
from gradwire.app.features.training.orders import Begin, Go, Halt, Look, News, Planned, TrainingOrder
from gradwire.app.features.training.reached import Reached
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.process.evaluator import Answer, Died, Evaluator
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.session import Session
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Graph, same_value
from gradwire.engine.training.kept_state import (
    array_of,
    has_state,
    initial_of,
    reset_values,
    rounds_kept,
    trained_values,
)
from gradwire.engine.training.state import State


class TrainingView(SessionView):
    """A view of the training of the document shown."""

    @property
    def training(self) -> TrainingDesk:
        """The training as it is."""
        return self.session.part(TrainingDesk)


class TrainingDesk(QObject):
    """Training of a document.

    All that it shows is of one round: what it has `reached`, the log and its numbers, the values in the document, the
    results of the runs. `changed()` tells that it runs or rests, or of another plan or end, `advanced()` of another
    round. The session says for it what the user is to read, and that it has caught up.
    `is_running` is true while rounds are run, `is_applying` while its own values come into the document. Those that a
    run reaches are one edit, and undo takes back all that had been reached with them.
    """

    changed = Signal()
    advanced = Signal()
    _answered = Signal(object, object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._document, self._runs = session, session.document, session.runs
        self._evaluator: Evaluator | None = None
        self._key = object()
        self._numbers_of_runs = itertools.count()
        self._run: Hashable = None
        self.is_running = self.is_applying = False
        # Whether the process holds the training, and whether it is to run when it is ready.
        self._is_held = self._is_wanted = False
        # Whether the next order to run is the user's, who wants more rounds where those of the plan are over.
        self._is_asked_anew = False
        # Whether the numbers that had been reached wait for the results of their graph.
        self._is_behind = False
        # What the graph shows of the training, and what had been reached at the graphs of the history.
        self.reached = Reached(rounds_kept(session.graph), keeps_state=has_state(session.graph))
        self._reached_at: WeakKeyDictionary[Graph, Reached] = WeakKeyDictionary()
        self._reached_at[session.graph] = self.reached
        # The newest state, for going on after the process has ended.
        self._state: State | None = None
        # Rounds asked for, and the round at which they will have been run; None where the plan says the end.
        self._asked: int | None = None
        self._goal: int | None = None
        # Whether the file is to keep the state.
        self.keeps_state = has_state(session.graph)
        self.log = session.part(RoundLog)
        self.plan = Planned()
        self.fault = ""
        self.limit: float | None = None
        # Wires by their targets. They belong to the open document, not to its file: a plan says what is trained.
        self.tracked: tuple[str, ...] = ()
        self._frames = Frames(self._document, self._runs, self._show, self)
        self._answered.connect(self._take)
        self._runs.arrived.connect(self._take_results)
        session.edited.connect(self._note_edit)
        session.closing.connect(self._end_process)

    @property
    def shown_round(self) -> int:
        """Rounds behind the results that are shown; for a moment behind an undo these are still those of before."""
        graph = self._runs.graph
        reached = None if graph is None else self._reached_at.get(graph)
        return (reached or self.reached).round

    @property
    def can_reset(self) -> bool:
        """Whether there is anything to go back to."""
        return self.reached.is_begun or has_state(self._document.graph) or bool(initial_of(self._document.graph))

    @property
    def can_keep(self) -> bool:
        """Whether there is a state that a file can keep."""
        return self.reached.is_begun or has_state(self._document.graph)

    @property
    def initial(self) -> Mapping[str, Array]:
        """Values before the first run."""
        return self.reached.initial if self.reached.is_begun else initial_of(self._document.graph)

    @property
    def state(self) -> State | None:
        """What the training has reached; None where it has not begun here.

        While it runs this is not older than a fifth of a second; else values that the user has given count.
        """
        is_newer, reached = self.is_running and self._state is not None, self.reached
        state = self._state if is_newer else reached.state
        if state is None or is_newer:
            return state
        now = {name: array_of(self._document.graph, name) for name in state.variables}
        given = {name: array for name, array in now.items() if array is not None}
        return dataclasses.replace(state, variables={**state.variables, **given})

    @property
    def end_text(self) -> str:
        """Sentence that says which condition has ended the newest run; empty where none has."""
        ended = self.reached.ended
        if ended is None:
            return ""
        return tr("Paused at round {round}: {reason}.", round=f"{ended.round:,}", reason=tr_sentence(ended.reason))

    def look(self) -> None:
        """Asks for the plan of the graph as it is, and who trains whom."""
        if not self.is_running:
            self._order(Look(self._runs.filled(self._document.graph)))

    def run(self, rounds: int | None = None) -> None:
        """Runs so many rounds, or until the plan ends."""
        if self.is_running:
            return
        self._asked, self._goal, self._is_asked_anew = rounds, None, True
        self._run = ("training", next(self._numbers_of_runs))
        self._set_reached(dataclasses.replace(self.reached, initial=self.initial, overflow="", ended=None))
        self._set_running(True)
        self._begin()

    def train(self, rounds: int | None = None) -> None:
        """Trains so many rounds, or until the plan ends; pauses a training under way if no number is given."""
        if self._session.file.read_only:
            self._session.refused.emit(self._session.file.read_only)
            return
        self._session.leave_pause()
        if rounds is None and self.is_running:
            self.pause()
        else:
            self.run(rounds)

    def pause(self) -> None:
        """Stops after the round under way."""
        if self.is_running:
            self._is_wanted = False
            self._order(Halt())

    def reset(self) -> None:
        """Returns to the values before the first run, and forgets memory and numbers."""
        self._end_process()
        graph, initial = reset_values(self._document.graph, self.initial), self.initial
        self.fault, self.keeps_state = "", False
        if initial or has_state(self._document.graph):
            self._reached_at[graph] = Reached()
            self._change(tr("Back to the start"), graph, None)
        self._go_back(Reached())
        self._show_reached()

    def set_limit(self, pace: float | None) -> None:
        """Sets the most rounds a second, None for as many as possible."""
        self.limit = pace
        # A run that is only about to begin takes it over as it does.
        if self.is_running and not self._is_wanted:
            self._begin()

    def track(self, target: str, is_tracked: bool) -> None:
        """Begins or ends the log of the gradient on a wire, `page/block.port` by its target."""
        rest = tuple(name for name in self.tracked if name != target)
        self.tracked = (*rest, target) if is_tracked else rest
        if self.is_running:
            self._begin()
        self.changed.emit()

    def _note_edit(self, old: Graph, new: Graph) -> None:
        """Follows an edit of the user: a running training pauses, takes it over, and goes on.

        Undo and redo return to what had been reached at the graph. A value that is trained ends the training.
        """
        if self.is_applying:
            return
        known = self._reached_at.get(new)
        if known is not None and known is not self.reached:
            self._end_process()
            self._go_back(known)
            return
        self._reached_at[new] = self.reached
        if not self.is_running:
            return
        told = {} if self._state is None else self._state.variables
        names = {*self.reached.variables, *self.reached.initial, *told}
        pairs = ((array_of(old, name), array_of(new, name)) for name in names)
        if any(before is not None and not same_value(before, after) for before, after in pairs):
            self._end_process()
            self._go_back(self.reached)
            return
        self._begin()

    # Orders and news

    def _begin(self) -> None:
        """Has the process take the training over; it is to run as soon as it is ready."""
        self._is_wanted = True
        reached, graph = self.reached, self._document.graph
        state = None if self._is_held else self.state
        if state is None and reached.round and reached.variables and not self._is_held:
            # Nobody has kept what the rules remembered in the middle of a run.
            state = State(reached.round, reached.variables, {}, {})
        goes_on = self._is_held or state is not None
        given = [name for name, array in reached.variables.items() if not same_value(array_of(graph, name), array)]
        filled, path, ignores = self._runs.filled(graph), self._document.path, self._runs.ignores_stops
        self._order(Begin(filled, goes_on, frozenset(given), state, ignores, path, self.tracked))

    def _order(self, order: TrainingOrder) -> None:
        if self._evaluator is None:
            key = self._key
            try:
                self._evaluator = self._session.make_evaluator(lambda answer: self._answered.emit(key, answer))
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
        self._is_held, self.fault = True, ""
        if not self.reached.is_begun:
            self._set_reached(dataclasses.replace(self.reached, is_begun=True))
        if news.note:
            anew = tr("The training begins anew from the trained values.")
            self._session.refused.emit(f"{tr_sentence(news.note)} {anew}")
        self._state = news.state or self._state
        if news.is_ready and self._is_wanted:
            self._go_on(news.round)
        elif self._is_wanted and not news.is_running:
            # The last of a run that an edit has ended: it goes on with the next news.
            self._frames.keep(news.chunk)
        else:
            self._frames.offer(news)

    def _show(self, frame: Frame) -> None:
        """Shows all of one round at once."""
        news, reached = frame.news, self.reached
        values = {name: array_of(self._document.graph, name) for name in news.variables if name not in reached.initial}
        initial = {**reached.initial, **{name: array for name, array in values.items() if array is not None}}
        numbers = reached.numbers if news.is_ready else news.numbers
        self.reached = Reached(
            news.round, numbers, news.variables, news.state, initial, True, self.keeps_state, news.overflow, news.ended
        )
        for chunk in frame.chunks:
            self.log.add(chunk)
        self.log.show_until(news.round, numbers)
        self._reached_at[frame.graph] = self.reached
        self._change(tr("Train"), frame.graph, self._run)
        if not news.is_running:
            self._rest(news)
        self._tell_shown()

    def _rest(self, news: News) -> None:
        """Says how a run has ended."""
        for sentence in filter(None, (news.overflow, self.end_text)):
            self._session.refused.emit(sentence)
        self._set_running(False)

    def _go_back(self, reached: Reached) -> None:
        """Rests at what had been reached before; its numbers are shown with the results of its graph."""
        self.reached, self._is_behind = reached, self._runs.is_live and not self._runs.are_current
        self.keeps_state = self.keeps_state or reached.keeps_state
        self._set_running(False)
        if not self._is_behind:
            self._show_reached()

    def _take_results(self, _: Results) -> None:
        if self._is_behind and self._runs.are_current:
            self._show_reached()

    def _show_reached(self) -> None:
        self._is_behind = False
        self.log.show_until(self.reached.round, self.reached.numbers)
        self._tell_shown()

    def _set_reached(self, reached: Reached) -> None:
        self.reached = reached
        self._reached_at[self._document.graph] = reached

    def _tell_shown(self) -> None:
        self.advanced.emit()
        self._session.caught_up.emit()

    def _go_on(self, n: int) -> None:
        """Runs what is left of the rounds that were asked for."""
        self._is_wanted = False
        if self._goal is None and self._asked is not None:
            self._goal = n + self._asked
        again, self._is_asked_anew = self._is_asked_anew, False
        self._order(Go(None if self._goal is None else max(self._goal - n, 0), self.limit, again))

    def _take_end(self, died: Died) -> None:
        was_running, state = self.is_running, self._state
        self._end_process()
        if not was_running:
            return
        # What goes on is the newest state; so this is what is shown.
        reached = self.reached
        if state is not None:
            reached = dataclasses.replace(reached, round=state.round, variables=state.variables, state=state)
            graph = trained_values(self._document.graph, state.variables)
            self._reached_at[graph] = reached
            self._change(tr("Train"), graph, self._run)
        self._go_back(dataclasses.replace(reached, numbers={}))
        why, n = died.reason or str(died.code), f"{self.reached.round:,}"
        text = tr("The training ended ({why}); Train goes on from round {round}.", why=why, round=n)
        self._session.refused.emit(text)

    def _fail(self, sentence: str) -> None:
        self.fault, self._is_wanted = sentence, False
        self._set_running(False)
        self._session.refused.emit(sentence)

    def _change(self, text: str, graph: Graph, merge_key: Hashable) -> None:
        """Lets the document take a graph over, with the results of its run if they are there."""
        self.is_applying = True
        try:
            self._runs.show_prepared(lambda: self._document.apply(text, lambda _: graph, merge_key=merge_key))
        finally:
            self.is_applying = False

    def _set_running(self, is_running: bool) -> None:
        self.is_running = is_running
        self.changed.emit()

    def _end_process(self) -> None:
        """Ends the process, and shows nothing more of it."""
        self._frames.drop()
        if self._evaluator is not None:
            self._evaluator.close()
        self._evaluator, self._key, self._is_held, self._is_wanted = None, object(), False, False
        self._state = None
