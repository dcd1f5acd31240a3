"""Problems of a graph: mistakes and notices, with their places."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gradwire.engine.base.untrusted_text import plain_lines

# Number of problems that a list shows.
LISTED = 100
# Code of the problem that counts those left out.
MORE = "more"
# Number of names shown at each end of a long row.
_SHOWN = 8

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True)
class Problem:
    """One sentence about one block, for the problem list, the canvas and the command line.

    `at` is the block's qualified name `page/id`, "" for the file as a whole; `port` narrows it down to one port.
    `plugin` names the plug-in whose code is to blame, if any.
    """

    severity: Severity
    at: str
    code: str
    message: str
    port: str | None = None
    plugin: str = ""

    def __post_init__(self) -> None:
        # Sentences quote texts from files.
        object.__setattr__(self, "message", plain_lines(self.message))


def listed(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Returns the problems for a list, in their order; of too many the gravest, and a sentence that counts the rest."""
    if len(problems) <= LISTED:
        return tuple(problems)
    places = itertools.chain.from_iterable(
        (place for place, problem in enumerate(problems) if problem.severity == severity) for severity in SEVERITIES
    )
    shown = sorted(itertools.islice(places, LISTED))
    left = next(places)
    rest = f"Further problems that are not listed: {len(problems) - LISTED:,}."
    return (*map(problems.__getitem__, shown), Problem(problems[left].severity, "", MORE, rest))


def row_text(names: Iterable[str], between: str) -> str:
    """Returns the names of blocks in a row for a sentence; of a very long row only both ends."""
    row = list(names)
    if len(row) > 2 * _SHOWN:
        row = [*row[:_SHOWN], "...", *row[-_SHOWN:]]
    return between.join(row)
