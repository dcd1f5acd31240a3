"""The clipboard: it holds the selection as the text of a graph; it pastes graphs, lists, tables and programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QPointF, QRectF
from PySide6.QtGui import QGuiApplication

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.gestures.insertion import block_rects
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.live import carrying, editing
from gradwire.app.live.carrying import carried
from gradwire.app.live.selection import Selection
from gradwire.app.shell.window.canvas_actions import CanvasActions, on_grid
from gradwire.app.shell.window.clipboard_text import CLIPBOARD_PAGE, code_fragment, copied_text, pasted_fragment
from gradwire.engine.base.errors import EditError, FileError
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.edits.edits import Fragment
from gradwire.engine.files.disk import read_file
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page
from gradwire.engine.graph.lookup import free_name
from gradwire.engine.layout.free_space import GAP
from gradwire.engine.layout.room import free_shift

# About the size of a block, which must be in view. Units: px at 100 %.
BLOCK_ROOM = (144, 96)
# For more blocks than these nobody can make room: they go below all others.
MANY = 500


class Clipboard(CanvasActions):
    """A clipboard that copies from a canvas and pastes onto it; text goes between pages, windows and programs."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._refused = ""

    def copy(self) -> bool:
        """Copies the selection, with the contents of selected frames; False if there is too much for a text."""
        if self._has_something:
            try:
                text = copied_text(self.session.graph, self.session.page_name, self.session.selection)
            except FileError as error:
                self.session.refused.emit(tr_sentence(str(error)))
                return False
            # Plain text: a QMimeData made here would outlive Python on the clipboard and crash the program at exit.
            QGuiApplication.clipboard().setText(text)
        return True

    def cut(self) -> None:
        """Copies the selection, then deletes it."""
        session = self.session
        if self._has_something and self.copy():
            everything = carried(session.page, session.selection)
            session.apply(tr("Cut"), editing.delete, session.page_name, everything)

    def paste(self) -> None:
        """Pastes the clipboard at the pointer, else beside the original, else in view, never on others; many below."""
        self._take(QGuiApplication.clipboard().text(), partial(pasted_fragment, point=QLocale().decimalPoint()))

    def paste_code(self, text: str, at: QPointF) -> None:
        """Places the blocks of a formula or program around a point of the page."""
        self._take(text, code_fragment, at)

    def paste_file(self, path: Path, at: QPointF) -> None:
        """Places the blocks of a file with a program around a point of the page."""
        try:
            self.paste_code(read_file(path)[0].decode(), at)
        except UnicodeDecodeError:
            self.session.refused.emit(tr("{name} is not a text.", name=plain(path.name)))
        except FileError as error:
            self.session.refused.emit(tr_sentence(str(error)))

    def _take(self, text: str, read: Callable[[str, bool], Fragment], at: QPointF | None = None) -> None:
        # A program that was refused comes without what has no block when it comes again.
        self._refused, is_again = "", text == self._refused
        try:
            fragment = read(text, is_again)
        except EditError as error:
            self._refused = text
            self.session.refused.emit(tr_sentence(str(error)))
            return
        self._place(fragment, at)

    def _place(self, fragment: Fragment, at: QPointF | None = None) -> None:
        session, fragment = self.session, _with_places(fragment, self.session.graph)
        was_empty = self._canvas.mirror.is_empty
        offset = self._offset(fragment) if at is None else _centred(fragment, at)
        key, args = object(), (session.page_name, fragment, offset)
        made: Selection | None = session.apply(tr("Paste"), carrying.paste, *args, merge_key=key)
        if made is not None and len(made.blocks) <= MANY:
            self._move_off_others(made, key)
        if made is not None and was_empty:
            # All there is needs no selection, whose panel would cover a part.
            self._canvas.viewport.fit_page()
        elif made is not None:
            session.select(made, is_made=True)
            if made.blocks:
                self._canvas.viewport.show_rect(self._canvas.mirror.rect(min(made.blocks)))

    def _move_off_others(self, made: Selection, key: object) -> None:
        """Moves what was pasted to the nearest place where it lies on no other block, in the same entry."""
        rects = block_rects(self._canvas.mirror)
        others = [rect for name, rect in rects.items() if name not in made.blocks]
        right, down = free_shift([rects[name] for name in sorted(made.blocks)], others)
        if right or down:
            self.session.apply(tr("Paste"), carrying.moved, self.session.page_name, made, (right, down), merge_key=key)

    @property
    def _has_something(self) -> bool:
        """True if anything but wires is selected, which cannot be copied alone."""
        chosen = self.session.selection
        return bool(chosen.blocks or chosen.frames or chosen.notes)

    def _offset(self, fragment: Fragment) -> tuple[float, float]:
        places = [at for at in _corners(fragment.blocks, fragment.notes, fragment.frames) if at is not None]
        if not places:
            return 0.0, 0.0
        box = _box(places)
        if len(fragment.blocks) > MANY and self.session.page.blocks:
            return on_grid(QPointF(0, self._canvas.mirror.bounds().bottom() + GAP - box.top()))
        seen = self._canvas.camera.rect_to_scene(self._canvas.rect().toRectF())
        pointer = self._canvas.pointer
        if self._canvas.underMouse() and self._canvas.rect().contains(pointer.view.toPoint()):
            # Beside an edge, what would be cut off moves into view.
            x = min(pointer.scene.x(), max(seen.left(), seen.right() - box.width()))
            y = min(pointer.scene.y(), max(seen.top(), seen.bottom() - box.height()))
            return on_grid(QPointF(x, y) - box.topLeft())
        page = self.session.page
        shift, taken = carrying.PASTE_STEP, set(_corners(page.blocks.values(), page.notes, page.frames))
        while any((at[0] + shift, at[1] + shift) in taken for at in places):
            shift += carrying.PASTE_STEP
        if seen.intersects(box.translated(shift, shift)):
            return shift, shift
        return on_grid(seen.center() - box.center())


def _centred(fragment: Fragment, at: QPointF) -> tuple[float, float]:
    """Returns the shift that brings the middle of the blocks to a point."""
    return on_grid(at - _box([block.at for block in fragment.blocks if block.at is not None]).center())


def _box(corners: Sequence[tuple[int, int]]) -> QRectF:
    """Returns the box around blocks at these corners."""
    left, top = map(min, zip(*corners, strict=True))
    right, bottom = map(max, zip(*corners, strict=True))
    return QRectF(left, top, right - left, bottom - top).adjusted(0, 0, *BLOCK_ROOM)


def _corners(blocks: Iterable[Block], notes: Iterable[Note], frames: Iterable[Frame]) -> list[tuple[int, int] | None]:
    return [*(block.at for block in blocks), *(note.at for note in notes), *(frame.at for frame in frames)]


def _with_places(fragment: Fragment, graph: Graph) -> Fragment:
    """Returns the fragment and its pages with a position for every block: text of another program may have none.

    Pages that the graph has already stay as they are there.
    """
    wires = {wire.target: wire for wire in fragment.wires}
    name = free_name(CLIPBOARD_PAGE, [page.name for page in fragment.pages])
    made = Page(name, {block.id: block for block in fragment.blocks}, wires, frames=fragment.frames)
    placed, *others = with_places(Graph((made, *fragment.pages))).pages
    known = {page.name: page for page in graph.pages}
    pages = (
        page if known.get(page.name) == page else other for page, other in zip(fragment.pages, others, strict=True)
    )
    return dataclasses.replace(fragment, blocks=tuple(placed.blocks.values()), pages=tuple(pages))
