"""The selection that is moved, copied and pasted together: blocks, notes, frames with contents. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.edits.edits import Fragment
from gradwire.engine.graph.graph import Graph, Page

PASTE_STEP = 32


def held_by(page: Page, frames: Iterable[str]) -> Selection:
    """Returns the blocks and frames inside some frames, at any depth."""
    by_id = {frame.id: frame for frame in page.frames}
    blocks: set[str] = set()
    found: set[str] = set()
    pending = list(frames)
    while pending:
        frame = by_id.get(pending.pop())
        if frame is not None:
            blocks.update(page.blocks.keys() & set(frame.blocks))
            pending.extend(set(frame.frames) - found)
            found.update(by_id.keys() & set(frame.frames))
    return Selection(frozenset(blocks), frames=frozenset(found))


def carried(page: Page, chosen: Selection) -> Selection:
    """Returns the selected blocks, frames and notes, and the contents of selected frames."""
    found = chosen | held_by(page, chosen.frames)
    return Selection(frozenset(found.blocks & page.blocks.keys()), frames=found.frames, notes=found.notes)


def moved(graph: Graph, page: str, chosen: Selection, offset: tuple[float, float]) -> Graph:
    """Returns the graph with blocks, notes and empty frames of a selection moved; other frames go with their blocks."""
    now, (right, down) = graph.page(page), offset
    places = {name: now.blocks[name].at or (0, 0) for name in chosen.blocks & now.blocks.keys()}
    graph = edits.move_blocks(graph, page, {name: (x + right, y + down) for name, (x, y) in places.items()})
    for note in now.notes:
        if note.id in chosen.notes:
            x, y = note.at or (0, 0)
            graph = edits.set_note(graph, page, note.id, at=(x + right, y + down))
    for frame in now.frames:
        if frame.id in chosen.frames and not frame.blocks and not frame.frames:
            x, y = frame.at or (0, 0)
            graph = edits.set_frame(graph, page, frame.id, at=(x + right, y + down))
    return graph


def copied(graph: Graph, page: str, chosen: Selection) -> Fragment:
    """Copies the selection on a page, with the contents of selected frames."""
    moving = carried(graph.page(page), chosen)
    return edits.copy_blocks(graph, page, sorted(moving.blocks), moving.notes, moving.frames)


def paste(graph: Graph, page: str, fragment: Fragment, offset: tuple[float, float]) -> tuple[Graph, Selection]:
    """Returns the graph with a copy of a fragment, and the selection of that copy.

    Raises: EditError if a page would come to contain itself.
    """
    before = graph.page(page)
    graph, ids = edits.paste(graph, page, fragment, offset)
    after = graph.page(page)
    frames = {frame.id for frame in after.frames} - {frame.id for frame in before.frames}
    notes = {note.id for note in after.notes} - {note.id for note in before.notes}
    return graph, Selection(frozenset(ids.values()), frames=frozenset(frames), notes=frozenset(notes))


def duplicate(graph: Graph, page: str, chosen: Selection, offset: tuple[float, float]) -> tuple[Graph, Selection]:
    """Returns the graph with copies of the selection, wired among themselves, and the selection of these copies."""
    return paste(graph, page, copied(graph, page, chosen), offset)
