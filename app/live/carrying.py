"""What is moved, copied and pasted together: blocks, frames with what lies in them, and notes. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from app.live.session import Selection
from engine import edits
from engine.edits import Fragment
from engine.graph import Graph, Page

PASTE_STEP = 32


def held_by(page: Page, frames: Iterable[str]) -> Selection:
    """The blocks and frames that lie in some frames, however deep."""
    by_id = {frame.id: frame for frame in page.frames}
    blocks: set[str] = set()
    found: set[str] = set()
    pending = list(frames)
    while pending:
        frame = by_id.get(pending.pop())
        if frame is not None:
            blocks.update(page.blocks.keys() & set(frame.blocks))
            pending.extend(set(frame.frames) - found)
            found.update(frame.frames)
    return Selection(frozenset(blocks), frames=frozenset(found))


def carried(page: Page, chosen: Selection) -> Selection:
    """The blocks, frames and notes selected, and those in selected frames."""
    found = chosen | held_by(page, chosen.frames)
    return Selection(frozenset(found.blocks & page.blocks.keys()), frames=found.frames, notes=found.notes)


def copied(graph: Graph, page: str, chosen: Selection) -> Fragment:
    """What is selected on a page, and lies in selected frames."""
    moving = carried(graph.page(page), chosen)
    return edits.copy_blocks(graph, page, sorted(moving.blocks), moving.notes, moving.frames)


def paste(graph: Graph, page: str, fragment: Fragment, offset: tuple[float, float]) -> tuple[Graph, Selection]:
    """The graph with a copy of a fragment, and the copy.

    Raises: EditError if a page would come to contain itself.
    """
    before = graph.page(page)
    graph, ids = edits.paste(graph, page, fragment, offset)
    after = graph.page(page)
    frames = {frame.id for frame in after.frames} - {frame.id for frame in before.frames}
    notes = {note.id for note in after.notes} - {note.id for note in before.notes}
    return graph, Selection(frozenset(ids.values()), frames=frozenset(frames), notes=frozenset(notes))


def duplicate(
    graph: Graph, page: str, chosen: Selection, offset: tuple[float, float] = (PASTE_STEP, PASTE_STEP)
) -> tuple[Graph, Selection]:
    """The graph with copies of what is selected, wired among themselves, and the copies."""
    return paste(graph, page, copied(graph, page, chosen), offset)
