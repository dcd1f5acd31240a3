"""Edits that menus make of the selection on the current page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.gestures.insertion import apply_with_room, block_rects
from gradwire.app.canvas.overlays.glide import Glide
from gradwire.app.canvas.painting.picture import outline_of, with_places
from gradwire.app.features.search.search_popup import SearchPopup
from gradwire.app.kit.why.fixes import Fix as ZeroFix
from gradwire.app.live import carrying, editing
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window.canvas_actions import CanvasActions, on_grid
from gradwire.app.shell.window.clipboard import Clipboard
from gradwire.app.shell.window.pages import Pages
from gradwire.app.shell.window.placing import Placer
from gradwire.app.shell.window.tensors import Tensors
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.remedies import loose_end
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits, wire_edits
from gradwire.engine.graph.graph import Block, Graph, Port
from gradwire.engine.graph.ports import role_of
from gradwire.engine.layout.alignment import Axis, Side, aligned, distributed
from gradwire.engine.layout.free_space import Rect
from gradwire.engine.layout.inserted import with_inserted_places
from gradwire.engine.layout.layout import Outline, arrange
from gradwire.engine.layout.room import free_shift

LOSS_STEP = 80
# What the canvas needs around a page, and room in which a page is arranged at least. Units: px.
MARGIN, LEAST_ROOM = 64, 320


class Editor(CanvasActions):
    """Acts on the selection of a canvas; its parts act on pages, tensors and the clipboard, and place new blocks."""

    def __init__(self, canvas: Canvas, appearance: Appearance, settings: Settings, parent: QWidget) -> None:
        super().__init__(canvas)
        self.pages, self.clipboard, self.tensors = Pages(canvas), Clipboard(canvas), Tensors(canvas, appearance, parent)
        self.placer = Placer(canvas, SearchPopup(appearance, settings, parent), self.pages, self.clipboard)
        self._glide = Glide(canvas)
        canvas.glide = self._glide.start

    def duplicate(self) -> None:
        """Places copies of what is selected in free space beside it."""
        step = carrying.PASTE_STEP
        chosen = carrying.carried(self.session.page, self.session.selection)
        rects = block_rects(self._canvas.mirror)
        copies = [(x + step, y + step, w, h) for x, y, w, h in map(rects.__getitem__, sorted(chosen.blocks))]
        right, down = free_shift(copies, list(rects.values()))
        offset = (step + right, step + down)
        made = self._edit(tr("Duplicate"), carrying.duplicate, self.session.selection, offset)
        if made:
            self.session.select(made, is_made=True)

    def carry_out(self, fix: Fix) -> None:
        """Carries out a fix, with places for the blocks that it adds, and selects those."""
        page, before = self.session.page_name, set(self.session.page.blocks)
        apply_with_room(self._canvas, tr_sentence(fix.text), lambda graph: _placed(graph, fix.edit(graph)))
        added = set(self.session.page.blocks) - before
        if added and page == self.session.page_name:
            self.select_made(added)

    def mend(self, fix: ZeroFix) -> None:
        """Carries out what is done about a zero; what is selected, and explained, stays so."""
        apply_with_room(self._canvas, fix.text, lambda graph: _placed(graph, fix.edit(graph, *fix.args)))

    # Selection

    def copy_to_readers(self) -> None:
        """Gives each reader of the selected constant one of its own, right beside it."""
        (block,), session = self._blocks(), self.session
        rects = block_rects(self._canvas.mirror)
        text = tr("Copy to each reader")
        apply_with_room(self._canvas, text, editing.copy_to_readers, session.page_name, block.id, rects)

    def delete(self) -> None:
        """Deletes what is selected."""
        self._edit(tr("Delete"), editing.delete, self.session.selection)

    def dissolve(self) -> None:
        """Deletes what is selected and joins what the blocks stood between; says where that is impossible."""
        session = self.session
        self._say(self._edit(tr("Remove and reconnect"), editing.dissolve, session.selection, session.inferred))

    def disconnect(self) -> None:
        """Takes the wires off the selected blocks and joins what they stood between."""
        session = self.session
        self._say(self._edit(tr("Disconnect"), wire_edits.bypass_blocks, session.selection.blocks, session.inferred))

    def _say(self, reasons: tuple[str, ...] | None) -> None:
        if reasons:
            self.session.refused.emit(" ".join(tr_sentence(reason) for reason in reasons))

    def select_all(self) -> None:
        """Selects everything on the page."""
        self.session.select(self._everything())

    def invert_selection(self) -> None:
        """Selects what is not selected."""
        self.session.select(self._everything() ^ self.session.selection)

    def _everything(self) -> Selection:
        page = self.session.page
        return Selection(
            frozenset(page.blocks),
            frozenset(page.wires.values()),
            frozenset(frame.id for frame in page.frames),
            frozenset(note.id for note in page.notes),
        )

    def rename(self) -> None:
        """Opens a field over the title of what is selected."""
        chosen = self.session.selection
        if chosen.blocks:
            self._canvas.page_actions.field.open(Target(block=min(chosen.blocks)))
        elif chosen.frames:
            self._canvas.page_actions.field.open(Target(frame=min(chosen.frames)))
        elif chosen.notes:
            self._canvas.page_actions.field.open(Target(note=min(chosen.notes)))

    def nudge(self, dx: int, dy: int) -> None:
        """Moves what is selected by some px."""
        page, chosen = self.session.page, self.session.selection
        moving = carrying.carried(page, chosen)
        self.session.apply(tr("Move"), carrying.moved, page.name, moving, (dx, dy), merge_key=("nudge", chosen))

    # Blocks

    def toggle_muted(self) -> None:
        """Mutes the selected blocks, or ends that where all are muted."""
        blocks = self._blocks()
        is_muted = not all(block.is_muted for block in blocks)
        self._edit(tr("Mute") if is_muted else tr("Unmute"), edits.set_muted, [block.id for block in blocks], is_muted)

    def toggle_collapsed(self) -> None:
        """Collapses the selected blocks, or ends that where all are collapsed."""
        blocks = self._blocks()
        is_collapsed = not all(block.is_collapsed for block in blocks)
        text = tr("Collapse") if is_collapsed else tr("Expand")
        self._edit(text, edits.set_collapsed, [block.id for block in blocks], is_collapsed)

    def stop_here(self) -> None:
        """Puts a StopGradient on the selected wire."""
        wire = next(iter(self.session.selection.wires), None)
        if wire is not None:
            self.insert_on(wire, editing.NewBlock("StopGradient"))

    def add_loss(self) -> None:
        """Connects a Loss to the first output of the selected block, else to the last output that nothing uses.

        Where there is none, it stands in the middle.
        """
        canvas, chosen = self._canvas, next(iter(self._blocks()), None)
        source = self._loose_end() if chosen is None else self._first_output(chosen.id)
        if source is not None:
            rect = canvas.mirror.rect(source.block)
            self.add_connected(editing.NewBlock("Loss"), QPointF(rect.right() + LOSS_STEP, rect.top()), [source], True)
        elif chosen is None:
            canvas.page_actions.add_block("Loss", self.middle)
        else:
            sentence = tr("{block} has no output to connect a Loss to; select another block.", block=chosen.id)
            self.session.refused.emit(sentence)

    def _first_output(self, block_id: str) -> Port | None:
        mirror = self._canvas.mirror
        outputs = mirror.shapes[mirror.rows[block_id]].outputs
        return Port(block_id, outputs[0].name) if outputs else None

    def _loose_end(self) -> Port | None:
        page, port = loose_end(self.session.inferred) or ("", None)
        return port if page == self.session.page_name else None

    def selected_loss(self) -> str | None:
        """The qualified name of the selected Loss block."""
        for block in self._blocks():
            if role_of(block) is Role.LOSS:
                return f"{self.session.page_name}/{block.id}"
        return None

    def use_loss(self) -> None:
        """Differentiates the selected Loss alone; a second time, all of them."""
        loss = self.selected_loss()
        chosen = None if self.session.graph.loss == loss else loss
        self.session.apply(tr("Choose the loss"), edits.set_loss, chosen)

    # Places

    def arrange(self) -> None:
        """Arranges the selected blocks, or the whole page, from left to right."""
        chosen = self.session.selection.blocks
        places = arrange(self.session.page, self._outlines(), chosen if len(chosen) > 1 else None, self._room())
        self._glide_to(tr("Arrange"), places)

    def align(self, side: Side) -> None:
        """Brings one side of the selected blocks in line."""
        self._glide_to(tr("Align"), self._canvas.mirror.on_page(aligned(self._chosen_rects(), side)))

    def distribute(self, axis: Axis) -> None:
        """Makes the gaps between the selected blocks equal."""
        self._glide_to(tr("Distribute"), self._canvas.mirror.on_page(distributed(self._chosen_rects(), axis)))

    def _glide_to(self, text: str, places: Mapping[str, tuple[float, float]]) -> None:
        mirror = self._canvas.mirror
        self._glide.finish()
        rects = {name: mirror.rect(name) for name in mirror.ids if name in places}
        self._edit(text, edits.move_blocks, places)
        self._glide.start({name: (rect.x(), rect.y()) for name, rect in rects.items()})

    def _chosen_rects(self) -> dict[str, Rect]:
        rects = {block.id: self._canvas.mirror.rect(block.id) for block in self._blocks()}
        return {name: (rect.x(), rect.y(), rect.width(), rect.height()) for name, rect in rects.items()}

    def _outlines(self) -> dict[str, Outline]:
        return {name: outline_of(self._canvas.mirror.outline(name)) for name in self.session.page.blocks}

    def _room(self) -> tuple[float, float]:
        """Returns the size of the canvas without margins."""
        return max(self._canvas.width() - MARGIN, LEAST_ROOM), max(self._canvas.height() - MARGIN, LEAST_ROOM)

    # Annotations

    def add_note(self) -> None:
        """Places a note at the pointer and opens it."""
        note = self._edit(tr("Add note"), edits.add_note, "", on_grid(self._place()))
        if note is not None:
            self.session.select(Selection(notes=frozenset([note])), is_made=True)
            self._canvas.page_actions.field.open(Target(note=note))

    def add_frame(self) -> None:
        """Puts a frame around the selected blocks and frames, or an empty one at the pointer, and opens its title."""
        chosen = self.session.selection
        blocks, frames = sorted(chosen.blocks), sorted(chosen.frames)
        if blocks or frames:
            made = self._edit(tr("Add frame"), edits.add_frame, tr("Frame"), blocks, frames=frames)
        else:
            made = self._edit(tr("Add frame"), edits.add_frame, tr("Frame"), at=on_grid(self._place()), size=(240, 128))
        if made is not None:
            self.session.select(Selection(frames=frozenset([made])), is_made=True)
            self._canvas.page_actions.field.open(Target(frame=made))

    def set_color(self, color: str) -> None:
        """Gives the selected frames and notes a colour; "" takes it away."""
        chosen = self.session.selection
        self._edit(tr("Colour"), edits.set_color, chosen.frames, chosen.notes, color or None)

    def has_color(self, color: str) -> bool:
        """Returns whether all selected frames and notes have a colour, or none for ""."""
        page, chosen = self.session.page, self.session.selection
        frames = {item.color for item in page.frames if item.id in chosen.frames}
        return frames | {item.color for item in page.notes if item.id in chosen.notes} == {color or None}

    # Parts

    def _blocks(self) -> list[Block]:
        page = self.session.page
        return [page.blocks[name] for name in sorted(self.session.selection.blocks) if name in page.blocks]

    def _place(self) -> QPointF:
        """The point of the scene under the pointer, or in the middle of the view."""
        canvas = self._canvas
        return canvas.camera.to_scene(canvas.pointer.view) if canvas.underMouse() else self.middle

    # Any: what the edit gives besides the graph.
    def _edit(self, text: str, edit: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.session.apply(text, edit, self.session.page_name, *args, **kwargs)


def _placed(before: Graph, after: Graph) -> Graph:
    """Returns a graph after a fix with a place for each new block: on the wire that it interrupts, or beside."""
    return with_places(with_inserted_places(before, after))
