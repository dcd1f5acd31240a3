"""Edits of a page's annotations: frames around blocks, and notes.

A block or frame lies directly in at most one frame.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from gradwire.engine.base.errors import EditError
from gradwire.engine.graph.graph import Frame, Graph, Note, Page
from gradwire.engine.graph.lookup import check_name, free_name, ids_of, page_of, whole_px

Pair = tuple[float, float]
_Item = TypeVar("_Item", Frame, Note)


def add_frame(
    graph: Graph,
    page_name: str,
    title: str = "",
    blocks: Iterable[str] = (),
    *,
    frames: Iterable[str] = (),
    at: Pair | None = None,
    size: Pair | None = None,
    id: str | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with a frame around blocks and other frames, and the frame's id.

    The new contents leave their old frames; if all of them were in the same one, the new frame lies in it.
    Raises: EditError if a block or frame does not exist or the id cannot be given.
    """
    page = page_of(graph, page_name)
    taken = [frame.id for frame in page.frames]
    frame_id = free_name("frame", taken) if id is None else check_name(id, taken, "frame")
    inside = tuple(dict.fromkeys(frames))
    frame = Frame(frame_id, title, tuple(ids_of(page, blocks)), inside, _px(at), _px(size))
    for held in inside:
        _frame_of(page, held)
    parents = {_parent(page, held, "blocks") for held in frame.blocks} | {
        _parent(page, held, "frames") for held in inside
    }
    others = list(_frames_apart(page.frames, frame))
    parent = parents.pop() if len(parents) == 1 else None
    others = [
        dataclasses.replace(item, frames=(*item.frames, frame_id)) if item.id == parent else item for item in others
    ]
    return _with_frames(graph, page, [*others, frame]), frame_id


def set_frame(
    graph: Graph,
    page_name: str,
    frame_id: str,
    *,
    title: str | None = None,
    blocks: Iterable[str] | None = None,
    frames: Iterable[str] | None = None,
    at: Pair | None = None,
    size: Pair | None = None,
) -> Graph:
    """Returns the graph with a frame changed; arguments that are None change nothing.

    New contents leave their old frames.
    Raises: EditError if something does not exist or the frame would lie in itself.
    """
    page = page_of(graph, page_name)
    old = _frame_of(page, frame_id)
    new = dataclasses.replace(
        old,
        title=old.title if title is None else title,
        blocks=old.blocks if blocks is None else tuple(ids_of(page, blocks)),
        frames=old.frames if frames is None else tuple(dict.fromkeys(frames)),
        at=old.at if at is None else _px(at),
        size=old.size if size is None else _px(size),
    )
    if new == old:
        return graph
    if any(_contains(page, held, frame_id) for held in new.frames):
        raise EditError(f'Frame "{frame_id}" cannot lie in itself; take a frame out of it first.')
    others = _frames_apart([new if frame is old else frame for frame in page.frames], new)
    return _with_frames(graph, page, others)


def put_into_frame(
    graph: Graph, page_name: str, frame_id: str | None, blocks: Iterable[str] = (), frames: Iterable[str] = ()
) -> Graph:
    """Returns the graph with blocks and frames moved directly into a frame; None takes them out of all frames.

    Raises: EditError if something does not exist or a frame would lie in itself.
    """
    page = page_of(graph, page_name)
    moved = Frame("", "", tuple(ids_of(page, blocks)), tuple(_frame_of(page, held).id for held in frames))
    if frame_id is not None:
        old = _frame_of(page, frame_id)
        held = (*old.blocks, *moved.blocks), (*old.frames, *moved.frames)
        return set_frame(graph, page_name, frame_id, blocks=dict.fromkeys(held[0]), frames=held[1])
    apart = tuple(_frames_apart(page.frames, moved))
    return graph if apart == page.frames else _with_frames(graph, page, apart)


def remove_frame(graph: Graph, page_name: str, frame_id: str) -> Graph:
    """Returns the graph without a frame; the surrounding frame, if any, takes over its contents."""
    page = page_of(graph, page_name)
    gone = _frame_of(page, frame_id)
    return _with_frames(graph, page, (_taking_over(frame, gone) for frame in page.frames if frame is not gone))


def add_note(
    graph: Graph,
    page_name: str,
    text: str = "",
    at: Pair | None = None,
    *,
    size: Pair | None = None,
    id: str | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with one more note, and the note's id.

    Raises: EditError if the id cannot be given.
    """
    page = page_of(graph, page_name)
    taken = [note.id for note in page.notes]
    note_id = free_name("note", taken) if id is None else check_name(id, taken, "note")
    return _with_notes(graph, page, [*page.notes, Note(note_id, text, _px(at), _px(size))]), note_id


def set_note(
    graph: Graph,
    page_name: str,
    note_id: str,
    *,
    text: str | None = None,
    at: Pair | None = None,
    size: Pair | None = None,
) -> Graph:
    """Returns the graph with a note changed; arguments that are None change nothing.

    Raises: EditError if there is no such note.
    """
    page = page_of(graph, page_name)
    old = _note_of(page, note_id)
    new = dataclasses.replace(
        old,
        text=old.text if text is None else text,
        at=old.at if at is None else _px(at),
        size=old.size if size is None else _px(size),
    )
    return graph if new == old else _with_notes(graph, page, (new if note is old else note for note in page.notes))


def remove_note(graph: Graph, page_name: str, note_id: str) -> Graph:
    """Returns the graph without a note.

    Raises: EditError if there is no such note.
    """
    page = page_of(graph, page_name)
    gone = _note_of(page, note_id)
    return _with_notes(graph, page, (note for note in page.notes if note is not gone))


def set_color(graph: Graph, page_name: str, frames: Iterable[str], notes: Iterable[str], color: str | None) -> Graph:
    """Returns the graph with a colour for frames and notes; None takes it away.

    Raises: EditError if something does not exist.
    """
    page = page_of(graph, page_name)
    chosen = [*(_frame_of(page, name) for name in frames), *(_note_of(page, name) for name in notes)]
    return graph.with_page(
        dataclasses.replace(
            page,
            frames=tuple(_coloured(frame, color) if frame in chosen else frame for frame in page.frames),
            notes=tuple(_coloured(note, color) if note in chosen else note for note in page.notes),
        )
    )


def _coloured(item: _Item, color: str | None) -> _Item:
    others = {key: value for key, value in item.extra.items() if key != "color"}
    return dataclasses.replace(item, extra={**others, "color": color} if color else others)


def frames_without(frames: Sequence[Frame], gone: AbstractSet[str]) -> tuple[Frame, ...]:
    """Returns the frames without the entries of some blocks."""
    return tuple(
        frame
        if gone.isdisjoint(frame.blocks)
        else dataclasses.replace(frame, blocks=tuple(block for block in frame.blocks if block not in gone))
        for frame in frames
    )


def frames_inside_out(frames: Sequence[Frame]) -> list[Frame]:
    """Returns the frames in postorder: each frame follows the frames inside it.

    A file may hold cycles of frames; those are cut at an arbitrary frame.
    """
    by_id = {frame.id: frame for frame in frames}
    order: dict[str, Frame] = {}
    seen: set[str] = set()
    pending = [(frame, False) for frame in reversed(by_id.values())]
    while pending:
        frame, is_done = pending.pop()
        if is_done:
            order[frame.id] = frame
        elif frame.id not in seen:
            seen.add(frame.id)
            pending.append((frame, True))
            pending += [(by_id[held], False) for held in frame.frames if held in by_id]
    return list(order.values())


def _px(pair: Pair | None) -> tuple[int, int] | None:
    return None if pair is None else whole_px(pair)


def _frame_of(page: Page, frame_id: str) -> Frame:
    for frame in page.frames:
        if frame.id == frame_id:
            return frame
    raise EditError(f'There is no frame "{frame_id}" on page "{page.name}"; choose one that is there.')


def _note_of(page: Page, note_id: str) -> Note:
    for note in page.notes:
        if note.id == note_id:
            return note
    raise EditError(f'There is no note "{note_id}" on page "{page.name}"; choose one that is there.')


def _with_frames(graph: Graph, page: Page, frames: Iterable[Frame]) -> Graph:
    return graph.with_page(dataclasses.replace(page, frames=tuple(frames)))


def _with_notes(graph: Graph, page: Page, notes: Iterable[Note]) -> Graph:
    return graph.with_page(dataclasses.replace(page, notes=tuple(notes)))


def _parent(page: Page, held: str, kind: str) -> str | None:
    """Returns the id of the frame that holds a block or a frame; `kind` is blocks or frames."""
    return next((frame.id for frame in page.frames if held in getattr(frame, kind)), None)


def _frames_apart(frames: Iterable[Frame], keeper: Frame) -> Iterator[Frame]:
    """Yields the frames; all but `keeper` lose the blocks and frames that `keeper` holds."""
    for frame in frames:
        if frame is keeper or (
            set(frame.blocks).isdisjoint(keeper.blocks) and set(frame.frames).isdisjoint(keeper.frames)
        ):
            yield frame
        else:
            blocks = tuple(held for held in frame.blocks if held not in keeper.blocks)
            yield dataclasses.replace(
                frame, blocks=blocks, frames=tuple(held for held in frame.frames if held not in keeper.frames)
            )


def _taking_over(frame: Frame, gone: Frame) -> Frame:
    if gone.id not in frame.frames:
        return frame
    frames = (*(held for held in frame.frames if held != gone.id), *gone.frames)
    return dataclasses.replace(frame, blocks=(*frame.blocks, *gone.blocks), frames=frames)


def _contains(page: Page, outer: str, inner: str) -> bool:
    """Returns whether `inner` is `outer` or lies in it at any depth.

    Raises: EditError if there is no frame `outer`.
    """
    seen: set[str] = set()
    pending = [_frame_of(page, outer).id]
    by_id = {frame.id: frame for frame in page.frames}
    while pending:
        frame_id = pending.pop()
        if frame_id not in seen and frame_id in by_id:
            seen.add(frame_id)
            pending.extend(by_id[frame_id].frames)
    return inner in seen
