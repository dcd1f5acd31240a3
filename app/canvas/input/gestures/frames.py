"""The contents of frames, and the frame that receives what is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.hit_tests import smallest
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.carrying import held_by
from gradwire.app.live.session import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class Homes:
    """The new frames of blocks and frames, by their ids, None for no frame; those that stay are left out."""

    blocks: tuple[tuple[str, str | None], ...] = ()
    frames: tuple[tuple[str, str | None], ...] = ()

    def entered(self) -> set[str]:
        """Returns the frames that get something."""
        return {home for _, home in (*self.blocks, *self.frames) if home is not None}

    def applied(self, graph: Graph, page: str) -> Graph:
        """Returns the graph with everything in its new frame.

        Raises: EditError if something is gone.
        """
        for home in dict.fromkeys(home for _, home in (*self.blocks, *self.frames)):
            blocks, frames = ([name for name, new in items if new == home] for items in (self.blocks, self.frames))
            graph = edits.put_into_frame(graph, page, home, blocks, frames)
        return graph


class HomeFinder:
    """Says, for blocks and frames that are dragged, which frames they enter or leave.

    Something enters a frame when its middle comes into it, and leaves its frame when it lies wholly outside of where
    that was: with one foot in it stays, and the frame grows. What is alone in a frame takes it along.
    """

    def __init__(self, mirror: Mirror, chosen: Selection) -> None:
        page = mirror.session.page
        held = held_by(page, chosen.frames)
        moving = chosen | held
        self._before = {name: QRectF(box) for name, box in mirror.frames.items()}
        self._others = mirror.frames_apart(moving.blocks, moving.frames)
        self._blocks = {name: mirror.rect(name) for name in sorted(chosen.blocks - held.blocks)}
        self._frames = {name: QRectF(mirror.frames[name]) for name in sorted(chosen.frames - held.frames)}
        self._home_of_block = {name: frame.id for frame in page.frames for name in frame.blocks}
        self._home_of_frame = {name: frame.id for frame in page.frames for name in frame.frames}

    def homes(self, dx: float, dy: float) -> Homes:
        """Returns the new frames once everything has moved that far."""
        moving = (self._blocks, self._home_of_block), (self._frames, self._home_of_frame)
        return Homes(*(tuple(self._new_homes(rects, homes, dx, dy)) for rects, homes in moving))

    def _new_homes(
        self, rects: dict[str, QRectF], homes: dict[str, str], dx: float, dy: float
    ) -> Iterator[tuple[str, str | None]]:
        for name, rect in rects.items():
            before = homes.get(name)
            now = self._home(rect, before, dx, dy)
            if now != before:
                yield name, now

    def _home(self, rect: QRectF, home: str | None, dx: float, dy: float) -> str | None:
        now = rect.translated(dx, dy)
        around = {name: box for name, box in self._others.items() if box.contains(now.center())}
        entered = smallest({name: box for name, box in around.items() if not box.contains(rect.center())})
        has_left = home in self._others and not self._before[home].intersects(now)
        return entered or (None if has_left else home)
