"""The record of a command: text, keys, menu, icon, when it is possible and what it calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gradwire.app.base.translation import tr
from gradwire.app.shell.commands.window_parts import WindowParts

Menu = Literal["File", "Edit", "Add", "View", "Graph", "Run", "Window", "Help"]
Question = Callable[[WindowParts], bool]


@dataclass(frozen=True)
class Command:
    """One command. `call` and the questions get the window.

    A command `on_canvas` acts only while the canvas has the focus: its key may be a letter. `group` separates
    entries of a menu by lines; `number` is what `{number}` in the text stands for.
    """

    id: str
    text: str
    menu: Menu
    call: Callable[[WindowParts], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    group: int = 0
    submenu: str = ""
    on_canvas: bool = False
    is_possible: Question | None = None
    is_on: Question | None = None
    tip: str = ""
    number: int = 0

    @property
    def title(self) -> str:
        """The text in the language in use."""
        return tr(self.text, number=self.number)


def is_open(window: WindowParts) -> bool:
    """Returns whether a window shows a document."""
    return window.has_document
