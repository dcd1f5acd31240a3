"""The actions of a canvas that depend on a point of its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.fold_norms import fold_norms
from gradwire.app.canvas.geometry.folded_page import Opened, ShownFold
from gradwire.app.canvas.geometry.hit_tests import smallest
from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.geometry.shapes import HEADER
from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.gestures.host import RoomHost
from gradwire.app.canvas.input.gestures.insertion import apply_with_room, block_rects
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.input.inline_edit import InlineEdit
from gradwire.app.canvas.input.picking import idle_loss_at, target_at
from gradwire.app.canvas.input.setting_use import use_setting
from gradwire.app.canvas.painting.blocks.slice_picker import step_slice
from gradwire.app.live import editing
from gradwire.app.live.session import Selection
from gradwire.blocks.layers.catalogue import title_of
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.graph.block_parameters import with_numbers
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from gradwire.engine.graph.ports import role_of
from gradwire.engine.layout.room import free_shift

# The room that a new block takes before its specs are known. Units: px at 100 %.
NEW_BLOCK = (144.0, 130.0)


@dataclass(frozen=True)
class SearchRequest:
    """The place for a block to be searched for: a point of the screen, and one of the scene.

    The block is joined to `ends`, all outputs or all inputs; with `wire` it goes in there. It stands beside the blocks
    that `beside` names. If it may be of any type, one without inputs `feeds` another port instead.
    `text` was typed before. Unless it `is_exact`, it goes to free space next to the place.
    """

    at: QPoint
    scene: QPointF
    ends: tuple[Port, ...] = ()
    are_outputs: bool = True
    wire: Wire | None = None
    beside: tuple[str, ...] = ()
    feeds: Port | None = None
    has_all: bool = False
    text: str = ""
    is_exact: bool = True


class PageActions(QObject):
    """Opens, edits, inserts and uses what is at a point of the page; `field` opens over names, notes and numbers.

    `search_requested(SearchRequest)`, `menu_requested(QPoint, Target)`, `tensor_requested(str)` with the block whose
    tensor is to be edited, and `setting_requested(str)` with the parameter of the selected block that is.
    """

    search_requested = Signal(object)
    menu_requested = Signal(object, object)
    tensor_requested = Signal(str)
    setting_requested = Signal(str)

    def __init__(self, widget: QWidget, host: RoomHost, page: ShownPage, viewport: Viewport) -> None:
        super().__init__(widget)
        self._widget, self._host, self._page, self._viewport = widget, host, page, viewport
        self.field = InlineEdit(widget, page, viewport)
        # The fold of which the last click has opened a layer.
        self._unfolded: ShownFold | None = None
        viewport.leaving.connect(self.field.close_without_edit)

    def target_at(self, scene: QPointF) -> Target:
        """Returns the target at a point of the scene."""
        return target_at(self._page.mirror, self._viewport.reading_scale, scene)

    # Opening

    def open_layer(self, name: str) -> bool:
        """Opens the layer of a fold across which the gradient changes most."""
        mirror = self._page.mirror
        fold = mirror.folds[name]
        step = fold_norms(mirror, fold).largest_step
        self._page.session.part(Opened).open([fold.layers[0 if step is None else step.layer][0]])
        return True

    def open_fold(self) -> bool:
        """Opens all layers of the fold of which the last click opened one; returns whether it did."""
        fold, self._unfolded = self._unfolded, None
        if fold is not None:
            self._page.session.part(Opened).open(layer[0] for layer in fold.layers)
        return fold is not None

    def open_at(self, pointer: Pointer) -> None:
        """Renames, enters a page, edits a number, tensor or setting, puts a dot on a wire, or searches on nothing."""
        target = self.target_at(pointer.scene)
        if target.slider is not None or target.frame is not None or target.note is not None:
            self.field.open(target)
        elif target.block is not None:
            self._open_block(target, target.block)
        elif target.wire is not None:
            self.insert_reroute(target.wire, pointer.scene)
        elif not target:
            self.request_search(pointer.scene)

    def _open_block(self, target: Target, block_id: str) -> None:
        session = self._page.session
        block = session.page.blocks[block_id]
        if role_of(block) is Role.PAGE and not target.is_title:
            session.view.enter(block)
        elif not target.is_title and _has_tensor(block):
            self.tensor_requested.emit(block_id)
        elif not target.is_title and (setting := self._page.mirror.setting_of(block_id)):
            self.setting_requested.emit(setting)
        else:
            self.field.open(target)

    def open_menu(self, pointer: Pointer) -> None:
        """Asks for the menu of the target under the pointer, and selects the target."""
        target, session = self.target_at(pointer.scene), self._page.session
        chosen = target.selection() if target.port is None else Selection(frozenset([target.port[0].block]))
        if chosen and chosen | session.selection != session.selection:
            session.select(chosen)
        self.menu_requested.emit(self._widget.mapToGlobal(pointer.view.toPoint()), target)

    def request_search(self, scene: QPointF, *ends: Port, are_outputs: bool = True, is_beside: bool = False) -> None:
        """Asks for the search popup at a point of the scene, for a block that is joined to some ports."""
        at = self._widget.mapToGlobal(self._viewport.camera.to_view(scene).toPoint())
        beside = tuple(port.block for port in ends) if is_beside else ()
        self.search_requested.emit(SearchRequest(at, scene, ends, are_outputs, beside=beside))

    def request_text(self, text: str) -> None:
        """Asks for the search popup in the middle, with the text that was begun."""
        at = self._widget.rect().center()
        scene = self._viewport.camera.to_scene(at.toPointF())
        self.search_requested.emit(SearchRequest(self._widget.mapToGlobal(at), scene, text=text))

    # Clicks on what the page offers

    def take_button(self, pointer: Pointer) -> None:
        """Carries out a click on what is offered: a layer, a setting, another slice, a Loss that is not used yet."""
        page, scale = self._page, self._viewport.reading_scale
        target, loss = self.target_at(pointer.scene), idle_loss_at(page.mirror, scale, pointer.scene)
        self._unfolded = page.mirror.folds.get(page.mirror.shown(target.layer)) if target.layer is not None else None
        if target.layer is not None:
            page.session.part(Opened).open([target.layer])
        elif target.is_field and target.block is not None:
            self.use_setting(target.block)
        elif target.step and target.block is not None:
            step_slice(page.mirror, target.block, target.step)
        elif loss is not None:
            page.session.apply(tr("Choose the loss"), edits.set_loss, f"{page.session.page_name}/{loss}")

    def use_setting(self, block_id: str) -> None:
        """Turns the switch on a block, or opens the menu of its choice."""
        use_setting(self._widget, self._page, self._viewport, block_id)

    # Edits that need to know where

    def add_block(
        self,
        type_name: str,
        scene: QPointF,
        parameters: Mapping[str, object] | None = None,
        name: str | None = None,
        is_exact: bool = True,
    ) -> str | None:
        """Places a block with its header under a point, in the frame there if any, selects it, and returns its id.

        Others give way to it; one that is not `exact` goes to free space next to the point instead.
        """
        at, session = place_under(scene), self._page.session
        if not is_exact:
            right, down = free_shift([(*at, *NEW_BLOCK)], list(block_rects(self._page.mirror).values()))
            at = at[0] + right, at[1] + down
        text = tr("Add {type}", type=title_of(type_name))
        new = editing.NewBlock(type_name, parameters or {}, name)
        frames = self._page.mirror.frames.items() if is_exact else ()
        frame = smallest({name: box for name, box in frames if box.contains(scene)})
        made: str | None = apply_with_room(self._host, text, _placed_in, frame, session.page_name, new, at)
        if made is not None:
            session.select(Selection(frozenset([made])), is_made=True)
        return made

    def insert_reroute(self, wire: Wire, scene: QPointF) -> None:
        """Puts a dot on a wire."""
        at = (round(scene.x() / 8) * 8 - 8, round(scene.y() / 8) * 8 - 8)
        session = self._page.session
        new = editing.NewBlock("Reroute")
        session.apply(tr("Add dot"), editing.insert_on_wire, session.page_name, new, at, wire, session.inferred)


def _has_tensor(block: Block) -> bool:
    """Returns whether a block has a tensor as a parameter, or draws one."""
    return any(isinstance(item, np.ndarray) for item in with_numbers(block).parameters.values())


def _placed_in(
    graph: Graph, frame: str | None, page: str, new: editing.NewBlock, at: tuple[float, float]
) -> tuple[Graph, str]:
    """Returns the graph with a new block, in a frame if one is named, and its id."""
    graph, made = editing.place_block(graph, page, new, at)
    return (graph if frame is None else edits.put_into_frame(graph, page, frame, [made])), made


def place_under(scene: QPointF) -> tuple[int, int]:
    """Returns the place on the grid for a block whose header lies under a point."""
    return round((scene.x() - NEW_BLOCK[0] / 2) / GRID) * GRID, round((scene.y() - HEADER / 2) / GRID) * GRID
