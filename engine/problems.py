"""What is wrong, or worth knowing, about a graph, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.plain_text import plain_lines

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Problem:
    """One sentence about one block, as the problem list, the canvas and the command line show it.

    `at` is the block's qualified name `page/id`, "" for the file as a whole; `port` narrows it down to one port.
    """

    severity: Severity
    at: str
    code: str
    message: str
    port: str | None = None

    def __post_init__(self) -> None:
        # What a sentence cites comes from files.
        object.__setattr__(self, "message", plain_lines(self.message))
