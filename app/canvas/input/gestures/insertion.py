"""Putting blocks into wires on the canvas: which wire is meant, whether it fits there, and room for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any

from PySide6.QtCore import QPointF, QRectF

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.hit_tests import wire_at
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.input.gestures.host import RoomHost
from gradwire.app.live import editing
from gradwire.blocks.layers.catalogue import title_of
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.graph.graph import Page, Wire
from gradwire.engine.graph.lookup import blocks_after
from gradwire.engine.layout.framed_layers import COLUMN_GAP
from gradwire.engine.layout.free_space import Rect
from gradwire.engine.layout.room import given_way

ROOM, LEVEL_REACH = float(COLUMN_GAP), 64.0
Place = tuple[float, float]


class WireFinder:
    """A search for the wire that receives a block of the page; it remembers where the block fits."""

    def __init__(self, mirror: Mirror, block_id: str) -> None:
        self._mirror, self._block = mirror, block_id
        self._known: dict[Wire, bool] = {}

    def wire_at(self, point: QPointF, reach: float) -> Wire | None:
        """Returns the wire within reach, if the block fits there."""
        wire = wire_at(self._mirror, point, reach, frozenset([self._block]))
        if wire is not None and wire not in self._known:
            self._known[wire] = self._fits(wire)
        return wire if wire is not None and self._known[wire] else None

    def _fits(self, wire: Wire) -> bool:
        session = self._mirror.session
        try:
            wire_edits.insert_block(session.graph, session.page_name, self._block, wire, session.inferred)
        except EditError:
            return False
        return True


def insert_new(host: RoomHost, new: editing.NewBlock, at: Place, wire: Wire) -> str | None:
    """Puts a new block into a wire, with room for it, in one entry of the history; gives its id."""
    text, key, session = tr("Insert {type}", type=title_of(new.type_name)), object(), host.session
    made: str | None = session.apply(
        text, editing.insert_on_wire, session.page_name, new, at, wire, session.inferred, merge_key=key
    )
    if made is not None:
        make_room(host, made, text, key)
    return made


def make_room(host: RoomHost, block_id: str, text: str, key: Hashable) -> None:
    """Moves a block off its sources, and its readers and others off the block, as part of the edit `key`."""
    session, mirror = host.session, host.mirror
    if mirror.folds:
        # Blocks stand elsewhere in the file than on the screen.
        return
    before = mirror.corners()
    places = places_with_room(session.page, mirror, block_id)
    if places:
        session.apply(text, edits.move_blocks, session.page_name, places, merge_key=key)
    _push_aside(host, {block_id, *places}, text, key)
    host.glide(before)


def _push_aside(host: RoomHost, placed: Collection[str], text: str, key: Hashable, apart: float | None = None) -> None:
    session, mirror = host.session, host.mirror
    if mirror.folds:
        return
    rects = block_rects(mirror)
    wires = {(wire.source.block, wire.target.block) for wire in session.page.wires.values()}
    places = given_way(rects, placed, wires) if apart is None else given_way(rects, placed, (), apart)
    if places:
        session.apply(text, edits.move_blocks, session.page_name, places, merge_key=key)


# Any: what the edit gives besides the graph.
def apply_with_room(host: RoomHost, text: str, edit: Callable[..., Any], *args: Any, apart: float | None = None) -> Any:
    """Carries out an edit that adds blocks to the page shown; their neighbours give way in the same entry.

    They leave room for labels, or are only so far `apart`. Units: px at 100 %.
    """
    session, key = host.session, object()
    page, before = session.page_name, set(session.page.blocks)
    made = session.apply(text, edit, *args, merge_key=key)
    if page == session.page_name and (added := session.page.blocks.keys() - before):
        before_them = host.mirror.corners()
        _push_aside(host, added, text, key, apart)
        host.glide(before_them)
    return made


def connect_with_room(host: RoomHost, text: str, edit: Callable[..., Any], source: str, *args: Any) -> None:
    """Joins the `source` block to a reader; readers that stand too close for a label give way in the same entry."""
    session, key = host.session, object()
    before, wires = host.mirror.corners(), session.page.wires
    session.apply(text, edit, session.page_name, *args, merge_key=key)
    if session.page.wires is not wires:
        _push_aside(host, [source], text, key)
        host.glide(before)


def block_rects(mirror: Mirror) -> dict[str, Rect]:
    """Returns the rectangles of all blocks as left, top, width, height."""
    rects = list(map(tuple, mirror.rects.tolist()))
    return {name: rects[row] for name, row in mirror.rows.items()}


def places_with_room(page: Page, mirror: Mirror, block_id: str) -> dict[str, Place]:
    """Returns the places of a block and those after it at which it overlaps none of its neighbours.

    The block is brought to the height of one of its neighbours, so that a wire between them is straight.
    """
    rect, level = mirror.rect(block_id), _level(page, mirror, block_id)
    places: dict[str, Place] = {}
    if level:
        rect.translate(0, level)
        places[block_id] = (rect.left(), rect.top())
    feeding = [wire.source.block for wire in page.wires.values() if wire.target.block == block_id]
    right = max((box.right() for box in _overlapping(mirror, feeding, rect)), default=None)
    if right is not None:
        rect.moveLeft(_up_to_grid(right + ROOM))
        places[block_id] = (rect.left(), rect.top())
    after = sorted(blocks_after(page, [block_id]) - {block_id})
    left = min((box.left() for box in _overlapping(mirror, after, rect)), default=None)
    if left is not None:
        shift = _up_to_grid(rect.right() + ROOM - left)
        corners = {name: mirror.rect(name).topLeft() for name in after}
        places |= {name: (corner.x() + shift, corner.y()) for name, corner in corners.items()}
    return places


def _level(page: Page, mirror: Mirror, block_id: str) -> float:
    """Returns the distance down that makes the nearest wire of a block straight, if it nearly is."""
    ways = []
    for wire in page.wires.values():
        if block_id in (wire.source.block, wire.target.block):
            start, end = mirror.port_position(wire.source, False), mirror.port_position(wire.target, True)
            if start is not None and end is not None:
                way = end.y() - start.y()
                ways.append(way if wire.source.block == block_id else -way)
    near = [way for way in ways if abs(way) <= LEVEL_REACH]
    return min(near, key=abs, default=0.0)


def _overlapping(mirror: Mirror, names: Iterable[str], rect: QRectF) -> list[QRectF]:
    near = rect.adjusted(-ROOM, 0, ROOM, 0)
    boxes = [mirror.rect(name) for name in names if name in mirror.rows]
    return [box for box in boxes if box.intersects(near)]


def _up_to_grid(number: float) -> float:
    return math.ceil(number / GRID) * GRID
