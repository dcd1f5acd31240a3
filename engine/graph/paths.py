"""Paths of blocks in results, such as `main/rec[3]/cell`: taken apart and put together in this one place.

A segment is the id of a block. In a path through a loop the number of a round stands behind it, as in `rec[3]`; the
name of a port there, as in `rec[xs]`, marks what the loop itself does with the tensor at that port. `[gradient]` ends
the path of the page that gives the gradient of the page of a block, or of a round: `main/clip[gradient]/scale`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

GRADIENT = "[gradient]"
_SEGMENT = re.compile(r"([^\[\]]*)(?:\[([^\[\]]+)\])??(\[gradient\])?")
_ROUND = re.compile(r"\[\d+\]")


class Segment(NamedTuple):
    """Part of a path: the id of a block, and what stands in brackets behind it, "" without any.

    It `is_gradient` if the page that gives the gradient of the block follows.
    """

    block: str
    part: str = ""
    is_gradient: bool = False

    def __str__(self) -> str:
        return self.block + (f"[{self.part}]" if self.part else "") + GRADIENT * self.is_gradient

    @property
    def round(self) -> int | None:
        """Number of the round of a loop; None where no number stands."""
        return int(self.part) if self.part.isascii() and self.part.isdigit() else None


def segment_of(text: str) -> Segment:
    """Returns one part of a path taken apart; a part that is malformed stays whole."""
    found = _SEGMENT.fullmatch(text)
    return Segment(text) if found is None else Segment(found[1], found[2] or "", bool(found[3]))


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


def flat_name(path: str) -> str:
    """Returns the path of a block without its first page as one word: `rec_3_cell` for `main/rec[3]/cell`."""
    return path.partition("/")[2].replace("/", "_").replace("[", "_").replace("]", "")


def name_in_rounds(path: str) -> str:
    """Returns the name of a block, behind the rounds of the loops around it: `rec[3]/cell` for `main/rec[3]/cell`."""
    parts = path.split("/")
    first = next((place for place, part in enumerate(parts[:-1]) if segment_of(part).round is not None), len(parts) - 1)
    return "/".join(parts[first:])


def first_rounds(path: str) -> str:
    """Returns the path with the first round of every loop in place of another."""
    return _ROUND.sub("[0]", path) if "[" in path else path


def is_in_loop(path: str) -> bool:
    """Returns whether a path leads into a loop."""
    return "[" in path.replace(f"{GRADIENT}/", "/")


def gradient_path(path: str) -> str:
    """Returns the path of the page that gives the gradient of the page at a path."""
    return path + GRADIENT


def forward_path(path: str) -> str:
    """Returns the path of the page whose gradient the page at a path gives, the inverse of `gradient_path`."""
    return path.removesuffix(GRADIENT)


def is_gradient(path: str) -> bool:
    """Returns whether a path is that of a page that gives a gradient."""
    return path.endswith(GRADIENT)


def is_in_gradient(path: str) -> bool:
    """Returns whether a block lies on a page that gives a gradient, or inside a page there."""
    return f"{GRADIENT}/" in path


def giving_page(path: str) -> str:
    """Returns the path of the innermost page around a block that gives a gradient; "" without one."""
    head, end, _ = path.rpartition(f"{GRADIENT}/")
    return head + GRADIENT if end else ""


def use_of_gradient(path: str) -> str:
    """Returns the outermost use of a page to whose gradient a block belongs, or the path itself."""
    return path.partition(f"{GRADIENT}/")[0]
