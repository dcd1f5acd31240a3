"""The comparison of an open document: A as it is drawn, B with one thing otherwise, both in the same round."""

from __future__ import annotations

import itertools
import math
from time import monotonic

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.features.compare.compare_questions import Against, LockstepWanted
from gradwire.app.features.compare.stop_questions import StopAnswer, StopName
from gradwire.app.features.compare.variants import Choice
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.stop_changes import changed_wires
from gradwire.app.live.session import Session
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.lockstep import Reached

# All rounds of a comparison take so long, and the page shows another one so often. Units: s and ms.
LESSON, FRAME = 10.0, 33
# A frame trains so long at most, where rounds are slow: an edit waits for it. Units: s.
LONGEST = 0.2


class CompareView(SessionView):
    """A view of the comparison in the document shown."""

    @property
    def desk(self) -> CompareDesk:
        """The comparison as it is."""
        return self.session.part(CompareDesk)


class CompareDesk(QObject):
    """A and B of a document: `choice` says what B is, `reached` what both have come to. `changed()` tells of each."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.choice: Choice | None = None
        self.reached: Reached | None = None
        self.fault = ""
        # What the only stop does that lets pass in B.
        self.effect: StopAnswer | None = None
        self.is_running = False
        self._numbers, self._number = itertools.count(1), 0
        self._asked: LockstepWanted | None = None
        self._began, self._first = 0.0, 0
        self._clock = make_timer(self, self._go_on, FRAME, repeats=True)
        session.replied.connect(self._take)
        session.graph_changed.connect(self._begin_anew)

    @property
    def against(self) -> Against | None:
        """B in the round that is shown."""
        if self.choice is None or self.reached is None:
            return None
        return Against(self._number, self.reached.round, self.choice.variant, self.reached.values[1])

    @property
    def differing(self) -> tuple[int, int]:
        """How many wires differ in their gradients, and how many there are."""
        results = self._session.results
        return (0, 0) if results is None else (len(changed_wires(results)), len(results.wires.row_of))

    def choose(self, choice: Choice) -> None:
        """Compares with something else, from the start."""
        self.choice, self._number = choice, next(self._numbers)
        self.reached, self.fault, self.effect = None, "", None
        self.pause()
        self._ask(0)
        if len(choice.variant.ignored) == 1:
            self._session.ask(StopName(*choice.variant.ignored), is_once=True)

    def run(self) -> None:
        """Trains both to the end, slowly enough to be watched."""
        if self.reached is not None and self.reached.round < self.reached.end and not self.reached.fault:
            self.is_running, self._began, self._first = True, monotonic(), self.reached.round
            self._clock.start()
            self.changed.emit()

    def pause(self) -> None:
        """Stays in the round that is shown."""
        self.is_running = False
        self._clock.stop()
        self.changed.emit()

    def go_to(self, n: int) -> None:
        """Shows another round of both."""
        self.pause()
        self._ask(n)

    def end(self) -> None:
        """Shows the document alone, as it is."""
        if self.choice is None:
            return
        self.choice = self.reached = self._asked = None
        self.pause()
        self._session.runs.filled = self._session.data.filled
        self._session.runs.set_preview(None)

    def _begin_anew(self, *_: object) -> None:
        if self.choice is not None:
            self.choose(self.choice)

    def _go_on(self) -> None:
        """Asks for the round that is due, once the one before is on the page."""
        reached, results = self.reached, self._session.results
        is_shown = results is not None and results.comparison == self.against
        if reached is None or self._asked is not None or not is_shown:
            return
        if reached.round >= reached.end or reached.fault:
            self.pause()
            return
        due = self._first + int((monotonic() - self._began) / LESSON * reached.end)
        if due > reached.round:
            self._ask(min(due, reached.end))

    def _ask(self, n: int) -> None:
        if self.choice is not None:
            graph = self._session.data.filled(self._session.graph)
            seconds = LONGEST if self.is_running else math.inf
            self._asked = LockstepWanted(self._number, n, graph, self.choice.variant, seconds)
            self._session.ask(self._asked, is_once=True)

    def _take(self, reply: Reply) -> None:
        if isinstance(reply.question, StopName) and self.choice is not None:
            is_meant = self.choice.variant.ignored == {reply.question.place}
            self.effect = reply.answer if is_meant else self.effect
            self.changed.emit()
        if reply.question != self._asked or self._asked is None:
            return
        self._asked = None
        if isinstance(reply.answer, Reached):
            self.reached, self.fault = reply.answer, reply.answer.fault
            self._session.runs.filled = self._filled
            self._session.runs.set_preview(self.against)
        else:
            self.fault = reply.answer or ""
            self.pause()
        self.changed.emit()

    def _filled(self, graph: Graph) -> Graph:
        """Returns the graph A in the round that is shown."""
        found = self._session.data.filled(graph)
        return found if self.reached is None else set_values(found, self.reached.values[0])
