"""The record by which the shell knows a feature; each feature declares its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradwire.app.base.translation import tr
from gradwire.app.kit.command import Command, CommandWindow
from gradwire.app.kit.inspection import Part
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance


@dataclass(frozen=True)
class Feature:
    """One feature as commands, menus and panels list it: its id, its name, its tip and its icon.

    `lens` makes its panel at the foot of the page; a feature without one has its own, or only a part. `keys` open it.
    `part` is what it adds to the card of a gradient, below the reasons.
    `session_part` is the part that each session has from its beginning, because it hears of all that happens there.
    `commands` are found by the search, and have keys. What `is_mode` stays while others lie in its place.
    """

    id: str
    title: str
    tip: str
    icon: str
    lens: Callable[[CurrentSession, Appearance], Lens] | None = None
    keys: tuple[str, ...] = ()
    part: type[Part] | None = None
    session_part: Callable[[Session], object] | None = None
    commands: tuple[Command[CommandWindow], ...] = ()
    is_mode: bool = False

    @property
    def name(self) -> str:
        """The title in the language in use."""
        return tr(self.title)

    @property
    def command(self) -> str:
        """The id of the command that opens it."""
        return self.id if self.lens is None else f"lens_{self.id}"
