"""The canvas: what the mouse, the wheel and the keys do on a page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.canvas.empty import ghost_box
from app.canvas.gestures import Gesture, Pan, Pointer, cursor_of
from app.canvas.inline_edit import InlineEdit
from app.canvas.picking import Target, begin_gesture, cursor_at, target_at
from app.canvas.tips import tip_for
from app.canvas.view import CanvasView
from app.live import editing
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from engine.graph import Port, Wire

BLOCK_MIME = "application/x-gradwire-block"
CLICK_REACH = 4


@dataclass(frozen=True)
class SearchRequest:
    """Where a block is to be searched for: with `end`, one that fits that port; with `wire`, one to insert there."""

    at: QPoint
    scene: QPointF
    end: Port | None = None
    end_is_output: bool = False
    wire: Wire | None = None


class Canvas(CanvasView):
    """Turns what the mouse does on the page into edits.

    `search_requested(SearchRequest)`, `menu_requested(QPoint, Target)`, `active_changed(bool)` while a gesture lasts,
    `said(str)`, the reason why a wire does not fit, "" when it does, and `tensor_requested(str)`, the block whose
    tensor is to be edited.
    """

    search_requested = Signal(object)
    menu_requested = Signal(object, object)
    said = Signal(str)
    tensor_requested = Signal(str)
    active_changed = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._press: tuple[Pointer, Target] | None = None
        self._button = Qt.MouseButton.NoButton
        self._chosen_before = Selection()
        self._is_space_held = False
        self._inline: InlineEdit | None = None
        super().__init__(session, appearance, parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pointer = Pointer(QPointF(), QPointF(), Qt.KeyboardModifier.NoModifier)
        self._inline = InlineEdit(self)

    def let_go(self) -> None:
        """Ends what the pointer is in the middle of; nothing changes."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel()
            self._ended()
        self._press = None

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

    # Mouse

    def _pointer(self, event: QMouseEvent | QDropEvent) -> Pointer:
        self.pointer = Pointer(self.camera.to_scene(event.position()), event.position(), event.modifiers())
        return self.pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts a gesture, or waits whether a drag or a click follows."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer = self._pointer(event)
        if self._gesture is not None or self._press is not None:
            return
        QToolTip.hideText()
        button = self._button = event.button()
        self._chosen_before = self.session.selection
        if button is Qt.MouseButton.MiddleButton or (button is Qt.MouseButton.LeftButton and self._is_space_held):
            self._start(Pan(self, pointer))
        elif button is Qt.MouseButton.RightButton:
            self._press = (pointer, target_at(self, pointer.scene))
        elif button is Qt.MouseButton.LeftButton:
            if not self.mirror.ids and not self.mirror.notes and ghost_box().contains(pointer.scene):
                self.build_ghosts()
                return
            self._start(begin_gesture(self, pointer))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves the gesture on; without one, shows what is under the pointer."""
        pointer = self._pointer(event)
        if self._gesture is not None:
            self._gesture.move(pointer)
        elif self._press is not None and (pointer.view - self._press[0].view).manhattanLength() > CLICK_REACH:
            start, self._press = self._press[0], None
            self._start(Pan(self, start))
            if self._gesture is not None:
                self._gesture.move(pointer)
        elif not event.buttons():
            self._hover(target_at(self, pointer.scene), pointer)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends the gesture in its edit; a right click without a drag opens the menu."""
        pointer = self._pointer(event)
        if event.button() is not self._button:
            return
        if self._press is not None:
            target, self._press = self._press[1], None
            self._select_for_menu(target)
            self.menu_requested.emit(event.globalPosition().toPoint(), target)
        elif self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.finish(pointer)
            self._ended()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Renames, enters a page, edits a number or tensor, puts a dot on a wire, or searches on empty canvas."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        pointer = self._pointer(event)
        target = target_at(self, pointer.scene)
        if target.port is not None:
            self.mousePressEvent(event)
        elif target.slider is not None or target.frame is not None or target.note is not None:
            self.edit_name(target)
        elif target.block is not None:
            block = self.session.page.blocks[target.block]
            if block.type == "Page" and not target.is_title:
                self.session.enter(block)
            elif not target.is_title and any(isinstance(item, np.ndarray) for item in block.parameters.values()):
                self.tensor_requested.emit(target.block)
            else:
                self.edit_name(target)
        elif target.wire is not None:
            self.insert_reroute(target.wire, pointer.scene)
        else:
            self.request_search(pointer.scene)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms at the pointer; two fingers on a trackpad pan, with Ctrl they zoom."""
        is_trackpad = not event.pixelDelta().isNull() and event.phase() is not Qt.ScrollPhase.NoScrollPhase
        if is_trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pan(event.pixelDelta().x(), event.pixelDelta().y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Qt turns the wheel sideways while Alt is held; Shift leaves it upright.
            self.pan(event.angleDelta().y() or event.angleDelta().x(), 0)
        else:
            self.zoom_by(event.angleDelta().y() / 120, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Pinching zooms; a tooltip says what is under the pointer."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_to(self.camera.scale * (1 + event.value()), event.position())
            return True
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            scene = self.camera.to_scene(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip_for(self.mirror, target_at(self, scene)), self)
            return True
        return super().event(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hover(Target(), self.pointer)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Space is no longer held for this widget."""
        self._is_space_held = False
        super().focusOutEvent(event)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape cancels; Space makes the left button pan; other keys belong to the actions."""
        if event.key() == Qt.Key.Key_Escape:
            if self._gesture is not None:
                self.let_go()
                self.session.select(self._chosen_before)
            else:
                self.session.select(Selection())
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._is_space_held = True
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space is released."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._is_space_held = False
            self.unsetCursor()
        super().keyReleaseEvent(event)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab is the search for blocks, not the way to the next widget; that is F6."""
        return False

    # Drops from the palette

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes blocks."""
        if event.mimeData().hasFormat(BLOCK_MIME):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Takes blocks everywhere."""
        if event.mimeData().hasFormat(BLOCK_MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Places the block where it was dropped, on the grid."""
        name = bytes(event.mimeData().data(BLOCK_MIME).data()).decode()
        self.add_block(name, self._pointer(event).scene)
        event.acceptProposedAction()
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    # Edits that need to know where

    def add_block(self, type_name: str, scene: QPointF, parameters: dict[str, object] | None = None) -> str | None:
        """Places a block with its header under a point, selects it, and gives its id."""
        at = (round((scene.x() - 72) / 16) * 16, round((scene.y() - 14) / 16) * 16)
        session = self.session
        made = session.apply(f"Add {type_name}", editing.place_block, session.page_name, type_name, at, parameters)
        if made is not None:
            session.select(Selection(frozenset([made])))
        return str(made) if made is not None else None

    def insert_reroute(self, wire: Wire, scene: QPointF) -> None:
        """Puts a dot on a wire."""
        at = (round(scene.x() / 8) * 8 - 8, round(scene.y() / 8) * 8 - 8)
        self.session.apply("Add dot", editing.insert_on_wire, self.session.page_name, "Reroute", at, wire)

    def build_ghosts(self) -> None:
        """Makes the three blocks that an empty canvas offers."""
        self.session.apply("Add Input, Exp, Loss", editing.tour_graph, self.session.page_name, (0, 0))
        self.fit_page()

    # Parts

    @property
    def is_dragging(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    def _start(self, gesture: Gesture) -> None:
        self._gesture = gesture
        self._hovered = Target()
        self.setCursor(cursor_of(gesture))
        self.active_changed.emit(True)
        self.update()

    def _ended(self) -> None:
        self.unsetCursor()
        self.active_changed.emit(False)
        self.repaint_page()

    def _hover(self, target: Target, pointer: Pointer) -> None:
        self.setCursor(cursor_at(self, target, pointer))
        if target != self._hovered:
            self._hovered = target
            self.update()

    def _select_for_menu(self, target: Target) -> None:
        chosen = target.selection()
        if chosen and chosen | self.session.selection != self.session.selection:
            self.session.select(chosen)
