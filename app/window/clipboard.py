"""The clipboard: what is selected as the text of a graph, and what such a text, a list or a table becomes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QGuiApplication

from app.canvas.canvas import Canvas
from app.canvas.picture import with_places
from app.clipboard_text import copied_text, pasted_fragment
from app.live import carrying, editing
from app.live.carrying import carried
from app.live.session import Session
from app.words import tr, tr_sentence
from engine.edits import Fragment
from engine.errors import EditError
from engine.graph import Block, Frame, Graph, Note, Page

# About the size of a block: what must be in view. Units: px at 100 %.
BLOCK_ROOM = (144, 96)


class Clipboard:
    """Copies from a canvas and pastes onto it; text goes between pages, windows and programs."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    @property
    def _session(self) -> Session:
        return self._canvas.session

    def copy(self) -> None:
        """Puts what is selected on the clipboard; a selected frame brings what it holds."""
        if self._has_something:
            text = copied_text(self._session.graph, self._session.page_name, self._session.selection)
            # Plain text: a QMimeData made here would outlive Python on the clipboard, and end the program in a crash.
            QGuiApplication.clipboard().setText(text)

    def cut(self) -> None:
        """Copies, then deletes."""
        session = self._session
        if self._has_something:
            self.copy()
            everything = carried(session.page, session.selection)
            session.apply(tr("Cut"), editing.delete, session.page_name, everything)

    def paste(self) -> None:
        """Places what the clipboard holds at the pointer, else beside where it came from, else in view."""
        session = self._session
        try:
            fragment = _with_places(pasted_fragment(QGuiApplication.clipboard().text()))
        except EditError as error:
            session.refused.emit(tr_sentence(str(error)))
            return
        made = session.apply(tr("Paste"), carrying.paste, session.page_name, fragment, self._offset(fragment))
        if made is not None:
            session.select(made)

    @property
    def _has_something(self) -> bool:
        """Whether anything but wires is selected, which go nowhere by themselves."""
        chosen = self._session.selection
        return bool(chosen.blocks or chosen.frames or chosen.notes)

    def _offset(self, fragment: Fragment) -> tuple[float, float]:
        corners = _corners(fragment.blocks, fragment.notes, fragment.frames)
        places = [at for at in corners if at is not None]
        if not places:
            return 0.0, 0.0
        left, top = min(at[0] for at in places), min(at[1] for at in places)
        pointer = self._canvas.pointer
        if self._canvas.underMouse() and self._canvas.rect().contains(pointer.view.toPoint()):
            return _grid(pointer.scene.x() - left), _grid(pointer.scene.y() - top)
        page = self._session.page
        shift, taken = carrying.PASTE_STEP, set(_corners(page.blocks.values(), page.notes, page.frames))
        while any((at[0] + shift, at[1] + shift) in taken for at in places):
            shift += carrying.PASTE_STEP
        right, bottom = max(at[0] for at in places), max(at[1] for at in places)
        box = QRectF(QPointF(left, top), QPointF(right + BLOCK_ROOM[0], bottom + BLOCK_ROOM[1]))
        seen = self._canvas.camera.rect_to_scene(self._canvas.rect().toRectF())
        if seen.intersects(box.translated(shift, shift)):
            return shift, shift
        moved = seen.center() - box.center()
        return _grid(moved.x()), _grid(moved.y())


def _corners(blocks: Iterable[Block], notes: Iterable[Note], frames: Iterable[Frame]) -> list[tuple[int, int] | None]:
    return [*(block.at for block in blocks), *(note.at for note in notes), *(frame.at for frame in frames)]


def _with_places(fragment: Fragment) -> Fragment:
    """The fragment with a place for every block, as another program's text may have none."""
    wires = {wire.target: wire for wire in fragment.wires}
    page = Page("pasted", {block.id: block for block in fragment.blocks}, wires, frames=fragment.frames)
    placed = with_places(Graph((page,))).pages[0]
    return dataclasses.replace(fragment, blocks=tuple(placed.blocks.values()))


def _grid(number: float) -> float:
    return round(number / 16) * 16
