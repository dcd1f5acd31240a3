"""The selection of a page: blocks, wires, frames and notes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gradwire.engine.graph.graph import Page, Wire


@dataclass(frozen=True)
class Selection:
    """The things that are selected on the page shown."""

    blocks: frozenset[str] = frozenset()
    wires: frozenset[Wire] = frozenset()
    frames: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.blocks or self.wires or self.frames or self.notes)

    def __or__(self, other: Selection) -> Selection:
        return self._combined(other, frozenset.union)

    def __xor__(self, other: Selection) -> Selection:
        return self._combined(other, frozenset.symmetric_difference)

    # Any: blocks, frames and notes are named by texts, wires stand for themselves.
    def _combined(self, other: Selection, combine: Callable[..., frozenset[Any]]) -> Selection:
        names = [item.name for item in dataclasses.fields(self)]
        return Selection(*(combine(getattr(self, name), getattr(other, name)) for name in names))

    def within(self, page: Page) -> Selection:
        """Returns the part of the selection that the page still has."""
        wires = set(page.wires.values()) | set(page.surplus) if self.wires else frozenset()
        return Selection(
            frozenset(self.blocks & page.blocks.keys()),
            self.wires & wires,
            self.frames & {frame.id for frame in page.frames},
            self.notes & {note.id for note in page.notes},
        )


NOTHING = Selection()
