"""The canvas: what the mouse, the wheel and the keys do on a page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.canvas.gesture_view import CLICK_REACH, GestureView
from app.canvas.gestures import Knife, Modifiers, Pan, Place, Pointer
from app.canvas.key_wire import KeyWire
from app.canvas.keyboard import Keyboard
from app.canvas.look import Look
from app.canvas.picking import Target, cursor_at, target_at
from app.canvas.touch import Touch
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from app.words import tr
from engine.library import library

BLOCK_MIME = "application/x-gradwire-block"
_TURNS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}


class Canvas(GestureView):
    """Turns what mouse, wheel, fingers and keys do on the page into gestures and edits.

    `backspace_pressed()`, `pointed_at(Target)` with what is under the pointer, `ways_requested(Selection)` by Alt and a
    click, and `turned(int)`, −1 or 1, by the buttons of the mouse that go back and forward. `escapes` holds what Escape
    closes first: calls that tell whether they closed something. `key_takers` get keys before anything else does, and
    tell whether they took them; `overlays` draw above the page.
    """

    backspace_pressed = Signal()
    pointed_at = Signal(object)
    ways_requested = Signal(object)
    turned = Signal(int)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._button = Qt.MouseButton.NoButton
        self._has_built = False
        self._is_pan_key_held = False
        self.pan_keys: tuple[str, ...] = ("Space",)
        self.escapes: list[Callable[[], bool]] = []
        self.key_takers: list[Callable[[QKeyEvent], bool]] = []
        self.overlays: list[Callable[[QPainter, Look], None]] = []
        self.wheel_pans = False
        self._touch: Touch | None = None
        super().__init__(session, appearance, parent)
        self.keyboard = Keyboard(self)
        self.setObjectName("canvas")
        self.setAccessibleName(tr("Canvas"))
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self._touch = Touch(self)

    # Mouse

    def _pointer(self, event: QMouseEvent | QDropEvent) -> Pointer:
        time = event.timestamp() if isinstance(event, QMouseEvent) else 0
        return self.pointer_at(event.position(), event.modifiers(), time)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts a gesture, or waits whether a drag or a click follows."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.keyboard.show(False)
        pointer = self._pointer(event)
        if self._gesture is not None or self._press is not None:
            return
        # Who presses a button wants to act, not to read.
        self.pointed_at.emit(Target())
        if event.button() in _TURNS:
            self.turned.emit(_TURNS[event.button()])
            return
        button = self._button = event.button()
        if button is Qt.MouseButton.MiddleButton or (button is Qt.MouseButton.LeftButton and self._is_pan_key_held):
            self.begin(Pan(self, pointer))
        elif button is Qt.MouseButton.RightButton:
            self._press = (pointer, target_at(self, pointer.scene))
        elif button is Qt.MouseButton.LeftButton:
            self._has_built = self.take_ghosts(pointer)
            if not self._has_built:
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
        elif self._gesture is not None:
            start = self._gesture.start
            self.release(pointer)
            if (pointer.view - start.view).manhattanLength() <= CLICK_REACH:
                self._take_click(start, pointer.modifiers)

    def _take_click(self, at: Pointer, held: Qt.KeyboardModifier) -> None:
        """With Alt a click on a block or a wire asks for the ways through it; without, it uses what is on a block."""
        chosen = target_at(self, at.scene).selection()
        if held == Qt.KeyboardModifier.AltModifier and (chosen.blocks or chosen.wires):
            self.ways_requested.emit(chosen)
        elif held == Qt.KeyboardModifier.NoModifier:
            self.take_button(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Opens what is there, unless the first press built it; a port or a slider is pressed once more."""
        if event.button() is Qt.MouseButton.LeftButton and not self._has_built:
            pointer = self._pointer(event)
            target = target_at(self, pointer.scene)
            if target.port is not None or target.is_track or target.is_button:
                self.mousePressEvent(event)
            else:
                self.open_at(pointer)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms at the pointer, or pans where that is set; two fingers on a trackpad pan, Ctrl zooms."""
        is_trackpad = not event.pixelDelta().isNull() and event.phase() is not Qt.ScrollPhase.NoScrollPhase
        if is_trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pan(event.pixelDelta().x(), event.pixelDelta().y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Qt turns the wheel sideways while Alt is held; Shift leaves it upright.
            self.pan(event.angleDelta().y() or event.angleDelta().x(), 0)
        elif self.wheel_pans and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pan(event.angleDelta().x(), event.angleDelta().y())
        else:
            self.zoom_by(event.angleDelta().y() / 120, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Fingers and pinching."""
        return self._touch_takes(event) or super().event(event)

    def _touch_takes(self, event: QEvent) -> bool:
        """What fingers do, on a screen or on a pad."""
        # Events come already while the widget is being made.
        if isinstance(event, QTouchEvent):
            return self._touch is not None and self._touch.takes(event)
        if not isinstance(event, QNativeGestureEvent):
            return False
        if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            # Fingers move evenly by themselves.
            self.look_with(self.camera.zoomed(self.camera.scale * (1 + event.value()), event.position()))
        elif event.gestureType() is Qt.NativeGestureType.PanNativeGesture:
            self.pan(round(event.delta().x()), round(event.delta().y()))
        elif event.gestureType() is Qt.NativeGestureType.SmartZoomNativeGesture:
            self.zoom_to(1.0, event.position()) if self.camera.scale != 1.0 else self.fit_page()
        else:
            return False
        return True

    def enterEvent(self, event: QEnterEvent) -> None:  # Qt's name
        """The pointer may come without moving, as where the window appears below it."""
        self.pointer_at(event.position(), event.modifiers(), event.timestamp())

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hover(Target(), self.pointer)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard that has come is shown where it is."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.keyboard.show(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Space is no longer held for this widget."""
        self._is_pan_key_held = False
        super().focusOutEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The key for menus opens that of what the keyboard is on; a click of the mouse does so by its release."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.keyboard.open_menu()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape cancels; while Space is held the left button pans; arrows walk; other keys belong to the actions."""
        if any(take(event) for take in self.key_takers) or self.keyboard.press(event):
            return
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        elif event.key() == Qt.Key.Key_Backspace:
            # Inside a used page this key belongs to the action that leaves it, and does not come here.
            self.backspace_pressed.emit()
        elif self._is_pan_key(event):
            self._is_pan_key_held = True
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
        elif not any(close() for close in self.escapes):
            self.session.select(Selection())

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space is released."""
        if self._is_pan_key(event):
            self._is_pan_key_held = False
            self.unsetCursor()
        super().keyReleaseEvent(event)

    def _is_pan_key(self, event: QKeyEvent) -> bool:
        return not event.isAutoRepeat() and QKeySequence(event.key()).toString() in self.pan_keys

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab is the search for blocks, not the way to the next widget; that is F6."""
        return False

    # Drops from the palette

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes blocks."""
        if _dropped_type(event):
            event.acceptProposedAction()
            self._begin_placing(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Takes blocks everywhere."""
        if _dropped_type(event):
            event.acceptProposedAction()
            self.carry_on(self._pointer(event))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The block is somewhere else, or Escape was pressed."""
        self.let_go()

    def dropEvent(self, event: QDropEvent) -> None:
        """Places the block where it was dropped."""
        if not _dropped_type(event):
            return
        if not isinstance(self._gesture, Place):
            self._begin_placing(event)
        event.acceptProposedAction()
        self.release(self._pointer(event))
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _begin_placing(self, event: QDropEvent) -> None:
        self.let_go()
        self.begin(Place(self, self._pointer(event), _dropped_type(event)))

    @property
    def key_wire(self) -> KeyWire | None:
        """The wire that is being drawn by keys."""
        return self._gesture if isinstance(self._gesture, KeyWire) else None

    def _paint_above(self, painter: QPainter, look: Look) -> None:
        super()._paint_above(painter, look)
        for draw in self.overlays:
            draw(painter, look)
        self.keyboard.paint(painter, look)

    def _hover(self, target: Target, pointer: Pointer) -> None:
        if not self._is_knife_ready:
            self.setCursor(cursor_at(self, target, pointer))
        self.hover(target)
        self.pointed_at.emit(target)


def _dropped_type(event: QDropEvent) -> str:
    """The block type that is dropped; "" for what another program may have put there instead."""
    name = bytes(event.mimeData().data(BLOCK_MIME).data()).decode(errors="replace")
    return name if name in library else ""
