"""Plays scenes in the real window, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF

from gradwire.app.base.examples import example_path
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from scripts.film.acts import Act, Scene
from scripts.film.pointer import Pointer, eased


@dataclass(frozen=True)
class Frame:
    """A moment of the film: which scene it belongs to, and the pointer."""

    scene: int
    at: QPointF
    is_pressed: bool


class Player:
    """Leads the pointer through scenes; the window has settled whenever a frame is given.

    `wait` is called before each frame, for what the window shows only after a while.
    """

    def __init__(self, window: MainWindow, frames_per_second: float, wait: Callable[[], None]) -> None:
        self.window, self._rate, self._wait = window, frames_per_second, wait
        self._pointer = Pointer(window.windowHandle(), QPointF(window.rect().center()))
        self._seconds, self._frames = 0.0, 0

    def play(self, scenes: Iterable[Scene]) -> Iterator[Frame]:
        """Yields the frames of scenes."""
        for number, scene in enumerate(scenes):
            if scene.example:
                self._open(scene.example, scene.chosen)
            for act in scene.acts:
                for _ in self._steps(act):
                    yield Frame(number, self._pointer.at, self._pointer.is_pressed)

    def _open(self, example: str, chosen: frozenset[str]) -> None:
        parts = self.window.parts
        parts.document.show(bare(load(example_path(example)).graph), title=f"{example}.graph")
        if chosen:
            # The inspector opens with a selection, and would cover half of the page.
            self.window.session.select(Selection(chosen))
            parts.panels.overlay.close_by_user()
        self._pointer.move_to(self._pointer.at)
        settle(self.window)

    def _steps(self, act: Act) -> Iterator[None]:
        """Does an act; stops at each frame that falls into it."""
        if act.button is not None:
            self._pointer.use(act.button)
        start, count = self._pointer.at, self._frames_of(act)
        end = start if act.to is None else act.to(self.window)
        for step in range(1, count + 1):
            if end != start:
                self._pointer.move_to(start + (end - start) * eased(step / count))
            settle(self.window)
            self._wait()
            yield

    def _frames_of(self, act: Act) -> int:
        """Returns how many frames an act lasts; what is lost by rounding comes to the next one."""
        before = self._frames
        self._seconds += act.seconds
        self._frames = round(self._seconds * self._rate)
        return self._frames - before


def bare(graph: Graph) -> Graph:
    """Returns a graph without the lesson around it, notes and expectations, so that its blocks are shown larger."""
    return replace(graph, pages=tuple(replace(page, notes=()) for page in graph.pages), checks=())
