"""The canvas without its events: gestures that are under way, and what mouse and fingers have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from app.canvas.edge_scroll import EdgeScroll
from app.canvas.empty import ghost_box
from app.canvas.gestures import Gesture, Knife, Modifiers, Pointer, cursor_of, place_under
from app.canvas.ghosts import paint_ghosts
from app.canvas.inline_edit import InlineEdit
from app.canvas.look import Look
from app.canvas.picking import Target, begin_gesture, idle_loss_at, target_at
from app.canvas.setting_use import use_setting
from app.canvas.slice_picker import step_slice
from app.canvas.view import CanvasView
from app.live import editing
from app.live.readings import Results
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from app.words import tr
from engine import edits
from engine.graph import Port, Wire

CLICK_REACH = 4


@dataclass(frozen=True)
class SearchRequest:
    """Where a block is to be searched for: with `end`, one that fits that port; with `wire`, one to insert there."""

    at: QPoint
    scene: QPointF
    end: Port | None = None
    end_is_output: bool = False
    wire: Wire | None = None


class GestureView(CanvasView):
    """Carries out gestures, one at a time.

    `search_requested(SearchRequest)`, `menu_requested(QPoint, Target)`, `active_changed(bool)` while a gesture lasts,
    `said(str)`, the reason why a wire does not fit, "" when it does, `tensor_requested(str)`, the block whose tensor
    is to be edited, and `setting_requested(str)`, the parameter of the selected block that is.
    """

    search_requested = Signal(object)
    menu_requested = Signal(object, object)
    said = Signal(str)
    tensor_requested = Signal(str)
    setting_requested = Signal(str)
    active_changed = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._press: tuple[Pointer, Target] | None = None
        self._chosen_before = Selection()
        self._is_knife_ready = False
        self._inline: InlineEdit | None = None
        super().__init__(session, appearance, parent)
        self.pointer = Pointer(QPointF(), QPointF(), Modifiers.NoModifier)
        self._inline = InlineEdit(self)
        self._edge = EdgeScroll(self)
        self._edge.scrolled.connect(self._scroll)
        self.camera_changed.connect(self._follow_camera)

    def let_go(self) -> None:
        """Ends what the pointer is in the middle of; nothing changes."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel()
            # Neither is made what had to wait of it.
            self.session.walk.forget()
            self._ended()
        self._press = None
        self._is_knife_ready = False

    def cancel(self) -> None:
        """Ends what the pointer is in the middle of, and selects what was selected before."""
        if self._gesture is not None:
            self.let_go()
            self.session.select(self._chosen_before)

    def take_knife(self) -> None:
        """Makes the next drag of the left button cut wires."""
        self._is_knife_ready = True
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.say(tr("Drag across wires to cut them; Escape leaves them."))

    def close_field(self) -> None:
        """Closes the field that is open over the page; nothing changes."""
        if self._inline is not None:
            self._inline.close_without_edit()

    def say(self, reason: str) -> None:
        """Tells why a wire does not fit; "" that it does."""
        self.said.emit(reason)

    def request_search(self, scene: QPointF, end: Port | None = None, end_is_output: bool = False) -> None:
        """Asks for the search popup at a point of the scene."""
        at = self.mapToGlobal(self.camera.to_view(scene).toPoint())
        self.search_requested.emit(SearchRequest(at, scene, end, end_is_output))

    def edit_name(self, target: Target) -> None:
        """Opens a field over the title of a block or frame, over a note, or over a number."""
        if self._inline is not None:
            self._inline.open(target)

    def pointer_at(self, view: QPointF, modifiers: Modifiers, time: int) -> Pointer:
        """The pointer at a point of the view, from now on that of the canvas."""
        self.pointer = Pointer(self.camera.to_scene(view), view, modifiers, time)
        return self.pointer

    # The course of a gesture

    def press(self, pointer: Pointer) -> None:
        """Begins the gesture that belongs to what is there."""
        chosen = self.session.selection
        self.begin(Knife(self, pointer) if self._is_knife_ready else begin_gesture(self, pointer), chosen)

    def begin(self, gesture: Gesture, chosen: Selection | None = None) -> None:
        """Begins a gesture; if it is cancelled, `chosen`, by default what is selected now, is selected again."""
        QToolTip.hideText()
        self.hover(Target())
        self._gesture = gesture
        self._chosen_before = self.session.selection if chosen is None else chosen
        self._is_knife_ready = False
        self.setCursor(cursor_of(gesture))
        self.active_changed.emit(True)
        self.update()

    def carry_on(self, pointer: Pointer) -> None:
        """Moves the gesture on, if there is one; near the edge the page scrolls."""
        if self._gesture is None:
            return
        self._gesture.move(pointer)
        if self._gesture.scrolls and (pointer.view - self._gesture.start.view).manhattanLength() > CLICK_REACH:
            self._edge.watch(pointer.view, self.size())

    def release(self, pointer: Pointer) -> None:
        """Ends the gesture, if there is one, in its edit."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.finish(pointer)
            self._ended()

    def open_at(self, pointer: Pointer) -> None:
        """Renames, enters a page, edits a number, tensor or setting, puts a dot on a wire, or searches on nothing."""
        target = target_at(self, pointer.scene)
        if target.slider is not None or target.frame is not None or target.note is not None:
            self.edit_name(target)
        elif target.block is not None:
            block = self.session.page.blocks[target.block]
            if block.type == "Page" and not target.is_title:
                self.session.enter(block)
            elif not target.is_title and any(isinstance(item, np.ndarray) for item in block.parameters.values()):
                self.tensor_requested.emit(target.block)
            elif not target.is_title and (setting := self.mirror.setting_of(target.block)):
                self.setting_requested.emit(setting)
            else:
                self.edit_name(target)
        elif target.wire is not None:
            self.insert_reroute(target.wire, pointer.scene)
        elif not target:
            self.request_search(pointer.scene)

    def open_menu(self, pointer: Pointer) -> None:
        """Asks for the menu of what is there, and selects that."""
        target = target_at(self, pointer.scene)
        self._select_for_menu(target)
        self.menu_requested.emit(self.mapToGlobal(pointer.view.toPoint()), target)

    def take_ghosts(self, pointer: Pointer) -> bool:
        """Makes the three blocks that an empty canvas offers, if a press was on them."""
        if self.mirror.is_empty and ghost_box().contains(pointer.scene):
            self.build_ghosts()
            return True
        return False

    def take_button(self, pointer: Pointer) -> None:
        """Carries out a click on what a block offers: its setting, the next slice, or a Loss that is not used yet."""
        target, loss = target_at(self, pointer.scene), idle_loss_at(self, pointer.scene)
        if target.is_field and target.block is not None:
            use_setting(self, target.block)
        elif target.step and target.block is not None:
            step_slice(self.mirror, target.block, target.step)
        elif loss is not None:
            self.session.apply(tr("Choose the loss"), edits.set_loss, f"{self.session.page_name}/{loss}")

    def _connections(self) -> list[tuple[SignalInstance, Callable[..., None]]]:
        session = self.session
        ghosts = (session.forecast_changed, self.update), (session.results_changed, self._show_ghosts)
        return [*super()._connections(), *ghosts, (session.slices.changed, self._show_slice)]

    def _show_slice(self, path: str) -> None:
        """Paints a block anew that shows another slice."""
        prefix, _, name = path.rpartition("/")
        row = self.mirror.rows.get(name) if prefix == self.session.prefix else None
        if row is None:
            return
        self.mirror.stamp(row)
        if self._is_painted_so():
            self._repaint_rows([row], [])
        else:
            self.repaint_page()

    def _show_ghosts(self, _: Results) -> None:
        if self.session.ghost is not None:
            self.update()

    def _paint_above(self, painter: QPainter, look: Look) -> None:
        super()._paint_above(painter, look)
        paint_ghosts(painter, look, self.mirror)

    def _follow_camera(self) -> None:
        """A pointer that stands still is elsewhere in the scene once the camera has moved."""
        self.pointer_at(self.pointer.view, self.pointer.modifiers, self.pointer.time)

    def _scroll(self, way: QPoint) -> None:
        """The page moves under a pointer that stands still."""
        self.pan(way.x(), way.y())
        self.carry_on(self.pointer_at(self.pointer.view, self.pointer.modifiers, self.pointer.time))

    # Edits that need to know where

    def add_block(self, type_name: str, scene: QPointF, parameters: dict[str, object] | None = None) -> str | None:
        """Places a block with its header under a point, selects it, and gives its id."""
        at, session = place_under(scene), self.session
        made = session.apply(
            tr("Add {type}", type=type_name), editing.place_block, session.page_name, type_name, at, parameters
        )
        if made is not None:
            session.select(Selection(frozenset([made])))
        return str(made) if made is not None else None

    def insert_reroute(self, wire: Wire, scene: QPointF) -> None:
        """Puts a dot on a wire."""
        at = (round(scene.x() / 8) * 8 - 8, round(scene.y() / 8) * 8 - 8)
        session = self.session
        session.apply(tr("Add dot"), editing.insert_on_wire, session.page_name, "Reroute", at, wire, session.inferred)

    def build_ghosts(self) -> None:
        """Makes the three blocks that an empty canvas offers."""
        self.session.apply(
            tr("Add {type}", type="Input, Exp, Loss"), editing.tour_graph, self.session.page_name, (0, 0)
        )
        self.fit_page()

    @property
    def is_dragging(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    def _ended(self) -> None:
        self._edge.stop()
        self.unsetCursor()
        self.active_changed.emit(False)
        self.repaint_page()

    def _select_for_menu(self, target: Target) -> None:
        chosen = target.selection()
        if target.port is not None:
            chosen = Selection(frozenset([target.port[0].block]))
        if chosen and chosen | self.session.selection != self.session.selection:
            self.session.select(chosen)
