"""The pictures on the blocks of the page shown: asked for when a run brings other numbers, and no more often."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from gradwire.app.live.monitors.picture_question import PictureOf
from gradwire.app.live.monitors.pictures import Picture
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.runs import Runs
from gradwire.engine.autodiff.inferred import Inferred

# A block gets a new picture at most so often. Units: seconds.
EVERY, BOUNDARY_EVERY = 1 / 30, 1 / 10


class Monitors(QObject):
    """The pictures of one document's blocks. `changed(str)` carries a block's path.

    A question waits for the answer to the one before, and behind every run: nothing that is drawn delays a number.
    """

    changed = Signal(str)

    def __init__(self, runs: Runs, inferred: Callable[[], Inferred], prefix: Callable[[], str]) -> None:
        super().__init__(runs)
        self._runs, self._inferred, self._prefix = runs, inferred, prefix
        self._pictures: dict[str, Picture] = {}
        # Paths of the blocks with a picture, and the shortest time between two of each, for a graph as inferred.
        self._known: tuple[Inferred | None, dict[str, float]] = (None, {})
        self._asked: set[str] = set()
        self._due: set[str] = set()
        self._asked_at: dict[str, float] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask_due)
        runs.results_changed.connect(self._note)
        runs.replied.connect(self._take)
        self.look()

    def picture(self, path: str) -> Picture | None:
        """Returns the newest picture on a block; None as long as there is none."""
        return self._pictures.get(path)

    def look(self, *_: object) -> None:
        """Asks for the pictures of the page that is shown now."""
        self._note(self._runs.results)

    def _note(self, results: Results | None) -> None:
        paths = self._paths()
        if self._runs.has_given_up:
            # Nobody is left who could answer.
            self._asked.clear()
        if not paths or results is None:
            return
        prefix = self._prefix()
        self._due.update(path for path in paths if path.rpartition("/")[0] == prefix)
        self._ask_due()

    def _paths(self) -> dict[str, float]:
        inferred = self._inferred()
        if self._known[0] is not inferred:
            instances = inferred.expanded.instances.items()
            found = {
                path: BOUNDARY_EVERY if item.block.parameters.get("kind") == "boundary" else EVERY
                for path, item in instances
                if item.type is not None and item.type.name == "Monitor"
            }
            self._known = inferred, found
            self._pictures = {path: picture for path, picture in self._pictures.items() if path in found}
        return self._known[1]

    def _ask_due(self) -> None:
        paths, now, soonest = self._paths(), time.monotonic(), 0.0
        self._due &= paths.keys()
        for path in self._due - self._asked:
            wait = self._asked_at.get(path, 0.0) + paths[path] - now
            if wait > 0:
                soonest = min(wait, soonest or wait)
                continue
            self._due.discard(path)
            self._asked.add(path)
            self._asked_at[path] = now
            self._runs.ask(PictureOf(path))
        if soonest:
            self._timer.start(max(1, round(soonest * 1000)))

    def _take(self, reply: Reply) -> None:
        if not isinstance(reply.question, PictureOf):
            return
        path = reply.question.path
        self._asked.discard(path)
        if reply.answer is None:
            self._pictures.pop(path, None)
        else:
            self._pictures[path] = reply.answer
        self.changed.emit(path)
        if self._due:
            self._ask_due()
