"""What is wrong, or worth knowing, about a graph, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine.plain_text import plain_lines

# So many names of a longer row are shown, at its beginning and at its end.
_SHOWN = 8

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Problem:
    """One sentence about one block, as the problem list, the canvas and the command line show it.

    `at` is the block's qualified name `page/id`, "" for the file as a whole; `port` narrows it down to one port.
    `plugin` names the plug-in whose code is to blame, if one is.
    """

    severity: Severity
    at: str
    code: str
    message: str
    port: str | None = None
    plugin: str = ""

    def __post_init__(self) -> None:
        # What a sentence cites comes from files.
        object.__setattr__(self, "message", plain_lines(self.message))


def row_text(names: Iterable[str], between: str) -> str:
    """The names of blocks in a row for a sentence: of a very long row only both ends."""
    row = list(names)
    if len(row) > 2 * _SHOWN:
        row = [*row[:_SHOWN], "...", *row[-_SHOWN:]]
    return between.join(row)
