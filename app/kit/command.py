"""The record of a command: text, keys, topic, icon, when it is possible and what it calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from gradwire.app.base.translation import tr
from gradwire.app.live.session import Session

Topic = Literal["File", "Edit", "Add", "View", "Graph", "Run", "Window", "Help"]


class LensPlaces(Protocol):
    """The panels of a window, where lenses stand."""

    def open_lens(self, name: str) -> None:
        """Opens a lens by the id of its feature."""


class CommandWindow(Protocol):
    """What the commands of features know of a window; a command of the shell knows all its parts."""

    @property
    def session(self) -> Session:
        """The session of the document shown; that of an empty graph if there is none."""

    @property
    def has_document(self) -> bool:
        """Whether a document is open."""

    @property
    def panels(self) -> LensPlaces:
        """The places of lenses."""


W = TypeVar("W", bound=CommandWindow, contravariant=True)


@dataclass(frozen=True)
class Command(Generic[W]):
    """One command. `call` and the questions get the window.

    A command `on_canvas` acts only while the canvas has the focus: its key may be a letter. One that `is_global` is
    there without a document, too; the questions of others are asked of a window that shows one. `topic`
    and `subtopic` say what it is about; `number` is what `{number}` in the text stands for.
    """

    id: str
    text: str
    topic: Topic
    call: Callable[[W], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    subtopic: str = ""
    on_canvas: bool = False
    is_possible: Callable[[W], object] | None = None
    is_on: Callable[[W], object] | None = None
    tip: str = ""
    number: int = 0
    is_global: bool = False

    @property
    def title(self) -> str:
        """The text in the language in use."""
        return tr(self.text, number=self.number)

    def can_run(self, window: W) -> bool:
        """Whether the command is possible now."""
        is_there = self.is_global or window.has_document
        return bool(is_there and (self.is_possible is None or self.is_possible(window)))

    def is_checked(self, window: W) -> bool:
        """Whether the command is switched on now."""
        is_there = self.is_global or window.has_document
        return bool(is_there and self.is_on is not None and self.is_on(window))
