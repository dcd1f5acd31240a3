"""The console of a document: lines of Python and their answers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.features.console.console_line import ConsoleAnswer, ConsoleLine
from gradwire.app.live.hidden_texts import place_hidden
from gradwire.app.live.process.crash_problems import title_at
from gradwire.app.live.process.evaluator import Died
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.session import Session

# How many lines are kept of what was shown, and of what was typed.
LINES_SHOWN, LINES_TYPED = 400, 400
# A line that takes longer may never end.
PATIENCE_MS = 3000


@dataclass(frozen=True)
class Ended:
    """The evaluator has ended, by itself with an exit code, or stopped by the user (None).

    `running` names the block that it was computing, "" if that is not known.
    """

    at: datetime
    code: int | None
    has_lost_names: bool
    running: str = ""


@dataclass(frozen=True)
class Choices:
    """Names that what stands in the prompt may become."""

    names: tuple[str, ...]


Entry = Ended | Choices | ConsoleLine | ConsoleAnswer


class Console(QObject):
    """The lines and answers of the console, oldest first, shared by all its views.

    `asked` is the line that has not been answered yet. `changed()` comes with every other entry, and when a line begins
    or ceases to take long.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.entries: deque[Entry] = deque()
        self.history: deque[str] = deque(maxlen=LINES_TYPED)
        self.is_slow = False
        self._session = session
        self._waiting: deque[str] = deque()
        self.asked: ConsoleLine | None = None
        self._number = 0
        self._patience = make_timer(self, self._lose_patience)
        session.replied.connect(self._take_reply)
        session.scheduler.ended.connect(self._end)

    def run(self, text: str) -> None:
        """Runs lines of Python one after the other; each is answered by an entry."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        self.history.extend(lines)
        self._waiting.extend(lines)
        self._ask_next()

    def stop(self) -> None:
        """Ends the evaluator with the line that it is at, and starts another; lines that wait are not run."""
        self._end(Died(None))
        self._session.scheduler.restart()

    def offer(self, names: tuple[str, ...]) -> None:
        """Shows names to choose from."""
        self._add(Choices(names))

    def clear(self) -> None:
        """Forgets all entries; the names that lines have made stay."""
        self.entries.clear()
        self.changed.emit()

    def _ask_next(self) -> None:
        if self.asked is not None or not self._waiting:
            return
        hidden = None if self._session.results is None else self._session.results.hidden
        self._number += 1
        self.asked = ConsoleLine(self._number, self._waiting.popleft(), "" if hidden is None else place_hidden(hidden))
        if not self._patience.isActive() and not self.is_slow:
            self._patience.start(PATIENCE_MS)
        self._add(self.asked)
        self._session.ask(self.asked, is_once=True)

    def _take_reply(self, reply: Reply) -> None:
        if reply.question != self.asked:
            return
        self.asked = None
        if reply.answer.output or reply.answer.error:
            self._add(reply.answer)
        if self._waiting:
            self._ask_next()
        else:
            self._rest()

    def _end(self, died: Died) -> None:
        """A line that ended the evaluator would end the next one too: it is not asked again."""
        if self.asked is not None:
            self._session.scheduler.forget(self.asked)
        self.asked = None
        self._waiting.clear()
        self._rest()
        running = title_at(died.running, self._session.inferred) if died.running else ""
        self._add(Ended(datetime.now(), died.code, self._number > 0, running))

    def _rest(self) -> None:
        """Nothing is waited for any longer."""
        self._patience.stop()
        self._set_slow(False)

    def _lose_patience(self) -> None:
        # The timer does not hold a method, but would hold a partial function, with it the console and the session.
        self._set_slow(True)

    def _set_slow(self, is_slow: bool) -> None:
        if is_slow != self.is_slow:
            self.is_slow = is_slow
            self.changed.emit()

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        while len(self.entries) > 1 and sum(map(_line_count, self.entries)) > LINES_SHOWN:
            self.entries.popleft()
        self.changed.emit()


def _line_count(entry: Entry) -> int:
    """How many lines an entry has, about."""
    return entry.output.count("\n") + 1 if isinstance(entry, ConsoleAnswer) else 1
