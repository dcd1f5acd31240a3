"""The canvas: what the mouse, the wheel and the keys do on a page."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.canvas.edge_scroll import EdgeScroll
from app.canvas.empty import ghost_box
from app.canvas.gestures import Gesture, Knife, Modifiers, Pan, Place, Pointer, cursor_of, place_under
from app.canvas.inline_edit import InlineEdit
from app.canvas.picking import Target, begin_gesture, cursor_at, target_at
from app.canvas.tips import tip_for
from app.canvas.touch import Touch
from app.canvas.view import CanvasView
from app.live import editing
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from app.words import tr
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
    and `said(str)`, the reason why a wire does not fit, "" when it does.
    """

    search_requested = Signal(object)
    menu_requested = Signal(object, object)
    said = Signal(str)
    active_changed = Signal(bool)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._press: tuple[Pointer, Target] | None = None
        self._button = Qt.MouseButton.NoButton
        self._chosen_before = Selection()
        self._is_space_held = False
        self._is_knife_ready = False
        self._inline: InlineEdit | None = None
        self._touch: Touch | None = None
        super().__init__(session, appearance, parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pointer = Pointer(QPointF(), QPointF(), Qt.KeyboardModifier.NoModifier)
        self._inline = InlineEdit(self)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self._touch = Touch(self)
        self._edge = EdgeScroll(self)
        self._edge.scrolled.connect(self._scroll)

    def let_go(self) -> None:
        """Ends what the pointer is in the middle of; nothing changes."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel()
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

    # Mouse

    def pointer_at(self, view: QPointF, modifiers: Modifiers, time: int) -> Pointer:
        """The pointer at a point of the view, from now on that of the canvas."""
        self.pointer = Pointer(self.camera.to_scene(view), view, modifiers, time)
        return self.pointer

    def _pointer(self, event: QMouseEvent | QDropEvent) -> Pointer:
        time = event.timestamp() if isinstance(event, QMouseEvent) else 0
        return self.pointer_at(event.position(), event.modifiers(), time)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts a gesture, or waits whether a drag or a click follows."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer = self._pointer(event)
        if self._gesture is not None or self._press is not None:
            return
        button = self._button = event.button()
        if button is Qt.MouseButton.MiddleButton or (button is Qt.MouseButton.LeftButton and self._is_space_held):
            self.begin(Pan(self, pointer))
        elif button is Qt.MouseButton.RightButton:
            self._press = (pointer, target_at(self, pointer.scene))
        elif button is Qt.MouseButton.LeftButton and not self.take_ghosts(pointer):
            self.press(pointer)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves the gesture on; without one, shows what is under the pointer."""
        pointer = self._pointer(event)
        if self._gesture is not None:
            self.carry_on(pointer)
        elif self._press is not None and (pointer.view - self._press[0].view).manhattanLength() > CLICK_REACH:
            start, self._press = self._press[0], None
            self.begin(Knife(self, start) if start.has(Modifiers.ControlModifier) else Pan(self, start))
            self.carry_on(pointer)
        elif not event.buttons():
            self._hover(target_at(self, pointer.scene), pointer)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends the gesture in its edit; a right click without a drag opens the menu."""
        pointer = self._pointer(event)
        if event.button() is not self._button:
            return
        if self._press is not None:
            self._press = None
            self.open_menu(pointer)
        else:
            self.release(pointer)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Opens what is there; on a port a wire begins, as by a single press."""
        if event.button() is Qt.MouseButton.LeftButton:
            pointer = self._pointer(event)
            if target_at(self, pointer.scene).port is not None:
                self.mousePressEvent(event)
            else:
                self.open_at(pointer)

    # What mouse and fingers have in common

    def press(self, pointer: Pointer) -> None:
        """Begins the gesture that belongs to what is there."""
        self._chosen_before = self.session.selection
        if self._is_knife_ready:
            self._is_knife_ready = False
            self.begin(Knife(self, pointer))
        else:
            self.begin(begin_gesture(self, pointer))

    def begin(self, gesture: Gesture) -> None:
        """Begins a gesture."""
        QToolTip.hideText()
        self._gesture = gesture
        self._hovered = Target()
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
        """Renames, enters a page, puts a dot on a wire, edits a number, or searches on empty canvas."""
        target = target_at(self, pointer.scene)
        if target.slider is not None or target.frame is not None or target.note is not None:
            self.edit_name(target)
        elif target.block is not None:
            block = self.session.page.blocks[target.block]
            if block.type == "Page" and not target.is_title:
                self.session.enter(block)
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
        is_empty = not self.mirror.ids and not self.mirror.notes
        if is_empty and ghost_box().contains(pointer.scene):
            self.build_ghosts()
            return True
        return False

    def _scroll(self, way: QPoint) -> None:
        """The page moves under a pointer that stands still."""
        self.pan(way.x(), way.y())
        self.carry_on(self.pointer_at(self.pointer.view, self.pointer.modifiers, self.pointer.time))

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
        """Fingers and pinching; a tooltip says what is under the pointer."""
        if self._touch_takes(event):
            return True
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            scene = self.camera.to_scene(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip_for(self.mirror, target_at(self, scene)), self)
            return True
        return super().event(event)

    def _touch_takes(self, event: QEvent) -> bool:
        """What fingers do, on a screen or on a pad."""
        # Events come already while the widget is being made.
        if isinstance(event, QTouchEvent):
            return self._touch is not None and self._touch.takes(event)
        if not isinstance(event, QNativeGestureEvent):
            return False
        if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_to(self.camera.scale * (1 + event.value()), event.position())
        elif event.gestureType() is Qt.NativeGestureType.PanNativeGesture:
            self.pan(round(event.delta().x()), round(event.delta().y()))
        elif event.gestureType() is Qt.NativeGestureType.SmartZoomNativeGesture:
            self.zoom_to(1.0, event.position()) if self.camera.scale != 1.0 else self.fit_page()
        else:
            return False
        return True

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
            self._escape()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._is_space_held = True
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self._gesture is not None:
            self.cancel()
        elif self._is_knife_ready:
            self._is_knife_ready = False
            self.unsetCursor()
            self.say("")
        else:
            self.session.select(Selection())

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
            self._begin_placing(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Takes blocks everywhere."""
        if event.mimeData().hasFormat(BLOCK_MIME):
            event.acceptProposedAction()
            self.carry_on(self._pointer(event))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The block is somewhere else, or Escape was pressed."""
        self.let_go()

    def dropEvent(self, event: QDropEvent) -> None:
        """Places the block where it was dropped."""
        if not isinstance(self._gesture, Place):
            self._begin_placing(event)
        event.acceptProposedAction()
        self.release(self._pointer(event))
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _begin_placing(self, event: QDropEvent) -> None:
        self.let_go()
        name = bytes(event.mimeData().data(BLOCK_MIME).data()).decode()
        self._chosen_before = self.session.selection
        self.begin(Place(self, self._pointer(event), name))

    # Edits that need to know where

    def add_block(self, type_name: str, scene: QPointF, parameters: dict[str, object] | None = None) -> str | None:
        """Places a block with its header under a point, selects it, and gives its id."""
        at, session = place_under(scene), self.session
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

    def _ended(self) -> None:
        self._edge.stop()
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
