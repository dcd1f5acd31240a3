"""The parts of a storyboard: scenes with captions, each made of acts of the pointer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF

from gradwire.app.start.main_window import MainWindow

# Finds a point of the window as it is when an act begins.
Place = Callable[[MainWindow], QPointF]
# So long a click holds the button down. Units: s.
CLICK = 0.16


class Button(Enum):
    """A change of the left mouse button."""

    PRESS = auto()
    RELEASE = auto()


@dataclass(frozen=True)
class Act:
    """A change of the button, if any, then a movement to a place, or a rest.

    Units: `seconds` of the film.
    """

    seconds: float
    to: Place | None = None
    button: Button | None = None


@dataclass(frozen=True)
class Scene:
    """The acts under one caption.

    `example` is the graph of the gallery that it opens, "" for that of the scene before; `chosen` are the blocks that
    are selected in it.
    """

    caption: str
    acts: tuple[Act, ...]
    example: str = ""
    chosen: frozenset[str] = frozenset()

    @property
    def seconds(self) -> float:
        """The length of the scene. Units: s."""
        return sum(act.seconds for act in self.acts)


def rest(seconds: float) -> tuple[Act, ...]:
    """The pointer stays where it is."""
    return (Act(seconds),)


def move(to: Place, seconds: float) -> tuple[Act, ...]:
    """The pointer goes to a place."""
    return (Act(seconds, to),)


def press(pause: float) -> tuple[Act, ...]:
    """The pointer clicks where it is; then the viewer has a pause to look."""
    return Act(CLICK, button=Button.PRESS), Act(pause, button=Button.RELEASE)


def click(to: Place, seconds: float, pause: float) -> tuple[Act, ...]:
    """The pointer goes to a place and clicks there."""
    return Act(seconds, to), *press(pause)


def drag(*through: tuple[Place, float], pause: float) -> tuple[Act, ...]:
    """The pointer presses where it is, goes through places in so many seconds each, and lets go."""
    (first, seconds), *further = through
    moves = (Act(time, place) for place, time in further)
    return Act(seconds, first, Button.PRESS), *moves, Act(pause, button=Button.RELEASE)
