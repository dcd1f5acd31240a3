"""The pictures on the blocks of the page shown: asked for when a run brings other numbers, and no more often."""

from __future__ import annotations

import time
from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.canvas.painting.monitors.picture_question import PictureOf, shows_rows
from gradwire.app.canvas.painting.monitors.pictures import Picture, Rounds, Said
from gradwire.app.live.charted import CHART, charted_port, charts_gradient
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import GRADIENT
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Instance
from gradwire.engine.autodiff.inferred import Inferred

# A block gets a new picture at most so often. Units: seconds.
EVERY, BOUNDARY_EVERY = 1 / 30, 1 / 10
_PICTURED = ("Monitor", CHART)


class Monitors(QObject):
    """The pictures of one document's blocks. `changed(str)` carries a block's path.

    A question waits for the answer to the one before, and behind every run: nothing that is drawn delays a number.
    Charts show what the training has logged; nothing is asked for them. A picture that comes with the results of a run
    is shown with them.
    """

    changed = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._pictures: dict[str, Picture] = {}
        # For a graph as inferred: paths of the blocks with a picture, with the shortest time between two of each, and
        # paths of the charts.
        self._known: Inferred | None = None
        self._paths: dict[str, float] = {}
        self._charts: list[str] = []
        # Parameters of the Data blocks, and those that their pictures show.
        self._given: dict[str, Mapping[str, object]] = {}
        self._drawn: dict[str, Mapping[str, object]] = {}
        self._asked: set[str] = set()
        self._due: set[str] = set()
        self._asked_at: dict[str, float] = {}
        self._timer = make_timer(self, self._ask_due)
        session.results_changed.connect(self._note)
        session.replied.connect(self._take)
        session.page_changed.connect(self._look)
        session.caught_up.connect(self._advance)
        self._look()

    def picture(self, path: str) -> Picture | None:
        """Returns the newest picture on a block; None as long as there is none."""
        instance = self._session.inferred.expanded.instances.get(path)
        port = "" if instance is None else charted_port(instance)
        if instance is None or not port:
            return self._pictures.get(path)
        log, is_gradient = self._session.part(RoundLog), charts_gradient(instance)
        name = self._gradient_series(port) if is_gradient else port
        if not name:
            return Said(tr("No gradient reaches this port."))
        found, is_log = log.points(name), instance.block.parameters.get("scale") != "linear"
        return Rounds(found.rounds, found.numbers, is_log, is_gradient, found.joined)

    def _gradient_series(self, port: str) -> str:
        """Returns the series of a port's gradient, or of the Variable there; "" if rounds were logged without it."""
        log = self._session.part(RoundLog)
        names = [GRADIENT + name for name in (port.rpartition(".")[0], port)]
        return next((name for name in names if log.series(name).rounds.size), "" if log.names else names[0])

    def _look(self, *_: object) -> None:
        """Asks for the pictures of the page that is shown now."""
        self._note(self._session.results)

    def _note(self, results: Results | None) -> None:
        self._find()
        if self._session.runs.has_given_up:
            # Nobody is left who could answer.
            self._asked.clear()
            self._drawn.clear()
        if self._paths and results is not None:
            self._due.update(path for path in self._paths if self._is_shown(path) and not self._is_drawn(path))
            self._ask_due()

    def _is_drawn(self, path: str) -> bool:
        """Returns whether the picture on a Data block is that of its parameters, on which alone it depends."""
        given = self._given.get(path)
        if given is None or self._drawn.get(path) is given:
            return given is not None
        if self._session.runs.are_current:
            self._drawn[path] = given
        return False

    def _advance(self) -> None:
        for path in filter(self._is_shown, self._charts):
            self.changed.emit(path)

    def _is_shown(self, path: str) -> bool:
        return path.rpartition("/")[0] == self._session.prefix

    def _find(self) -> None:
        """Looks for the blocks with a picture, if the graph has others."""
        inferred = self._session.inferred
        if self._known is inferred:
            return
        # A loop has thousands of instances, and few types have a picture.
        instances = [(path, item) for path, item in inferred.expanded.instances.items() if _may_have_picture(item)]
        self._known = inferred
        self._given = {path: item.block.parameters for path, item in instances if shows_rows(item)}
        self._paths = dict.fromkeys(self._given, EVERY)
        self._paths |= {
            path: BOUNDARY_EVERY if item.block.parameters.get("kind") == "boundary" else EVERY
            for path, item in instances
            if item.type is not None and item.type.name == "Monitor"
        }
        self._charts = [path for path, item in instances if charted_port(item)]
        self._pictures = {path: picture for path, picture in self._pictures.items() if path in self._paths}
        self._due &= self._paths.keys()

    def _ask_due(self) -> None:
        now, soonest = time.monotonic(), 0.0
        for path in self._due - self._asked:
            wait = self._asked_at.get(path, 0.0) + self._paths[path] - now
            if wait > 0 and not self._session.runs.knows_answer(PictureOf(path)):
                soonest = min(wait, soonest or wait)
                continue
            self._due.discard(path)
            self._asked.add(path)
            self._asked_at[path] = now
            self._session.ask(PictureOf(path))
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


def _may_have_picture(instance: Instance) -> bool:
    kind = instance.type
    return kind is not None and (kind.draw is not None or kind.name in _PICTURED)
