"""Paths of blocks in results, such as `main/rec[3]/cell`: taken apart and put together in this one place.

A segment is the id of a block. In a path through a loop the number of a round stands behind it, as in `rec[3]`; the
name of a port there, as in `rec[xs]`, marks what the loop itself does with the tensor at that port.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SEGMENT = re.compile(r"([^\[\]]*)(?:\[([^\[\]]+)\])?")
_ROUND = re.compile(r"\[\d+\]")


class Segment(NamedTuple):
    """Part of a path: the id of a block, and what stands in brackets behind it, "" without any."""

    block: str
    part: str = ""

    @property
    def round(self) -> int | None:
        """Number of the round of a loop; None where no number stands."""
        return int(self.part) if self.part.isascii() and self.part.isdigit() else None


def segment_of(text: str) -> Segment:
    """Returns one part of a path taken apart; a part that is malformed stays whole."""
    found = _SEGMENT.fullmatch(text)
    return Segment(text) if found is None else Segment(found[1], found[2] or "")


def split_path(path: str) -> tuple[str, str]:
    """Returns the path of the page around a block, and the id of the block: for `main/rec[3]` main and rec."""
    prefix, _, last = path.rpartition("/")
    return prefix, segment_of(last).block


def part_path(path: str, part: int | str) -> str:
    """Returns the path of a round of a loop, by its number, or of what the loop does at a port, by its name."""
    return f"{path}[{part}]"


def whole_path(path: str) -> str:
    """Returns the path of a block without a round or port at its end: `main/rec` for `main/rec[3]`."""
    return path[: path.rindex("[")] if path.endswith("]") else path


def first_rounds(path: str) -> str:
    """Returns the path with the first round of every loop in place of another."""
    return _ROUND.sub("[0]", path) if "[" in path else path


def is_in_loop(path: str) -> bool:
    """Returns whether a path leads into a loop."""
    return "[" in path
