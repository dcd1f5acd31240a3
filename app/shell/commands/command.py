"""The commands of a window, which know all its parts."""

from __future__ import annotations

from collections.abc import Callable

from gradwire.app.kit import command
from gradwire.app.shell.commands.window_parts import WindowParts

Command = command.Command[WindowParts]
Question = Callable[[WindowParts], object]
