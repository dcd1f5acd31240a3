"""Frames of a training: the newest round becomes visible at once, with the results of its run and all answers."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from PySide6.QtCore import QObject

from gradwire.app.base.timers import make_timer
from gradwire.app.features.training.orders import News
from gradwire.app.live.readings.series import Chunk
from gradwire.app.live.runs import Runs
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.kept_state import trained_values

# A frame follows the one before so soon, depending on how much work it is: the thread of the window gives frames this
# share of its time, and the evaluator that one: mostly they take it from the training. Units: s.
SOONEST, LATEST, SHARE, EVALUATED_SHARE = 0.033, 0.1, 0.25, 0.5


@dataclasses.dataclass(frozen=True)
class Frame:
    """All that is shown of one round: news, the numbers logged since the frame before, and the graph of the values."""

    news: News
    chunks: tuple[Chunk, ...]
    graph: Graph


class Frames(QObject):
    """The frames of one training, one after the other: `show` is called with each when its results are there.

    News that came meanwhile wait, and only the newest of them becomes a frame. The last news of a run do not wait.
    """

    def __init__(self, document: Document, runs: Runs, show: Callable[[Frame], object], parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._runs, self._show = document, runs, show
        self._newest: News | None = None
        self._chunks: tuple[Chunk, ...] = ()
        self._coming: Frame | None = None
        self._timer = make_timer(self, self._begin)
        # The time and the processor time of the window's thread at the beginning of the newest frame.
        self._began, self._worked, self._pause = 0.0, 0.0, SOONEST
        # How long the results of the newest frame took.
        self._evaluated = 0.0

    def offer(self, news: News) -> None:
        """Takes the newest news."""
        self._newest, self._chunks = news, (*self._chunks, news.chunk)
        if not news.is_running:
            self._runs.end_prepared()
            self._begin()
            # The first round of the next run is shown at once.
            self._pause = 0.0
        elif self._coming is None and not self._timer.isActive():
            self._begin_soon()

    def keep(self, chunk: Chunk) -> None:
        """Keeps numbers for the next frame."""
        self._chunks = (*self._chunks, chunk)

    def drop(self) -> None:
        """Shows nothing of the news that are not shown yet."""
        self._newest, self._chunks, self._coming = None, (), None
        self._timer.stop()
        self._runs.end_prepared()

    def _begin_soon(self) -> None:
        rest = self._began + self._pause - time.monotonic()
        self._timer.start(max(round(1000 * rest), 0))

    def _begin(self) -> None:
        """Prepares the newest news, after a look at how much work the frame before was."""
        self._timer.stop()
        news, self._newest = self._newest, None
        if news is None:
            return
        worked, self._began = time.thread_time(), time.monotonic()
        work = max((worked - self._worked) / SHARE, self._evaluated / EVALUATED_SHARE)
        self._worked, self._pause = worked, min(max(work, SOONEST), LATEST)
        chunks, self._chunks = self._chunks, ()
        self._coming = Frame(news, chunks, trained_values(self._document.graph, news.variables))
        self._runs.prepare(self._coming.graph, self._take)

    def _take(self, can_be_shown: bool) -> None:
        """Shows the frame; one that another run has overtaken is prepared anew, from the graph as it is then."""
        frame, self._coming = self._coming, None
        if frame is None:
            return
        self._evaluated = time.monotonic() - self._began
        if can_be_shown:
            self._show(frame)
        else:
            self._newest, self._chunks = self._newest or frame.news, (*frame.chunks, *self._chunks)
        if self._newest is not None and not self._timer.isActive():
            self._begin_soon()
