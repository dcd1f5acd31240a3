"""The thing at one point of a page: a port, a slider, a block, a wire, a frame or a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from gradwire.app.live.session import Selection
from gradwire.engine.graph.graph import Port, Wire

Item = TypeVar("Item")


@dataclass(frozen=True)
class Target:
    """At most one of port, slider with its block, block, layer of a fold by one of its blocks, wire, frame and note.

    A block may have its field at the point, or an arrow that leads to the next or the last slice (`step` 1 or −1).
    """

    port: tuple[Port, bool] | None = None
    slider: tuple[str, int, bool] | None = None
    block: str | None = None
    is_title: bool = False
    is_edge: bool = False
    is_field: bool = False
    step: int = 0
    layer: str | None = None
    wire: Wire | None = None
    frame: str | None = None
    note: str | None = None

    def __bool__(self) -> bool:
        return self != NO_TARGET

    @property
    def is_track(self) -> bool:
        """Whether a slider is there rather than its number."""
        return self.slider is not None and not self.slider[2]

    @property
    def is_button(self) -> bool:
        """Whether a click there does something at once, and a second one does it again."""
        return self.is_field or bool(self.step)

    def selection(self) -> Selection:
        """Returns the selection that a click there makes."""
        return Selection(_only(self.block), _only(self.wire), _only(self.frame), _only(self.note))


def _only(item: Item | None) -> frozenset[Item]:
    return frozenset() if item is None else frozenset([item])


NO_TARGET = Target()
