"""The places of frames and notes on a page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from gradwire.app.canvas.geometry.page_arrays import PageArrays, united
from gradwire.app.look.theme import font
from gradwire.engine.edits.annotations import frames_inside_out
from gradwire.engine.graph.graph import Frame, Note, Page
from gradwire.engine.layout.framed_layers import FRAME_BOTTOM, FRAME_SIDE, FRAME_TOP

NOTE_WIDTH, NOTE_PAD, EMPTY_FRAME = 352.0, 10.0, (240, 120)


@dataclass(frozen=True)
class Shift:
    """Notes and empty frames that move along with blocks. `loose` blocks no longer count for their frames."""

    notes: frozenset[str] = frozenset()
    frames: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()


STILL = Shift()


@dataclass(frozen=True)
class Moved:
    """Blocks that are shown elsewhere while they are dragged, how far, and all that moves with them."""

    blocks: frozenset[str] = frozenset()
    dx: float = 0.0
    dy: float = 0.0
    shift: Shift = STILL


NOTHING_MOVED = Moved()


def place_annotations(arrays: PageArrays, page: Page, moved: Moved = NOTHING_MOVED) -> None:
    """Takes over where the frames and notes of a page are; frames are found from the blocks that they hold."""
    arrays.frames = _frame_rects(arrays, page.frames, moved)
    arrays.notes = {note.id: note_rect(note) for note in page.notes}
    for name in moved.shift.notes & arrays.notes.keys():
        arrays.notes[name].translate(moved.dx, moved.dy)


def frames_without(
    arrays: PageArrays, page: Page, moved: Moved, blocks: frozenset[str], frames: frozenset[str]
) -> dict[str, QRectF]:
    """Returns where frames would be without some blocks and frames.

    A frame with nothing left is there only if it is empty anyway.
    """
    others = [frame for frame in page.frames if frame.id not in frames]
    rects = _frame_rects(arrays, others, replace(moved, shift=replace(moved.shift, loose=blocks)))
    return {name: rect for name, rect in rects.items() if not rect.isNull()}


def _frame_rects(arrays: PageArrays, frames: Sequence[Frame], moved: Moved) -> dict[str, QRectF]:
    rects: dict[str, QRectF] = {}
    for frame in frames_inside_out(frames):
        rects[frame.id] = _frame_rect(arrays, frame, rects, moved)
    return {frame.id: rects[frame.id] for frame in frames}


def _frame_rect(arrays: PageArrays, frame: Frame, inner: dict[str, QRectF], moved: Moved) -> QRectF:
    """Returns the rectangle around what a frame holds, without loose blocks; a null one where only those are."""
    loose = moved.shift.loose
    inside = [inner[name] for name in frame.frames if name in inner]
    whole = united([arrays.bounds(frozenset(frame.blocks) - loose), *inside])
    if not whole.isNull():
        return whole.adjusted(-FRAME_SIDE, -FRAME_TOP, FRAME_SIDE, FRAME_BOTTOM)
    return QRectF() if loose.intersection(frame.blocks) else _empty_frame_rect(frame, moved)


def _empty_frame_rect(frame: Frame, moved: Moved) -> QRectF:
    rect = QRectF(*(frame.at or (0, 0)), *(frame.size or EMPTY_FRAME))
    return rect.translated(moved.dx, moved.dy) if frame.id in moved.shift.frames else rect


def note_rect(note: Note) -> QRectF:
    """Returns the rectangle of a note; its width is the saved one or the usual one."""
    width, height = note.size or (NOTE_WIDTH, note_height(note.text, NOTE_WIDTH))
    return QRectF(*(note.at or (0, 0)), width, height)


@functools.lru_cache(maxsize=512)
def note_height(text: str, width: float, letters: int = 11) -> float:
    """Returns how high a note must be for its text, and for `letters` of a size. Units: px at 100 %."""
    title, _, rest = text.partition("\n")
    room = QRectF(0, 0, width - 2 * NOTE_PAD, 10_000)
    bold, usual = QFontMetricsF(font("ui", max(12, letters), 600)), QFontMetricsF(font("ui", letters))
    height = bold.boundingRect(room, Qt.TextFlag.TextWordWrap, title or " ").height()
    if rest:
        height += 4 + usual.boundingRect(room, Qt.TextFlag.TextWordWrap, rest).height()
    return height + 2 * NOTE_PAD
