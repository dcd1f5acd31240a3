"""The mouse on a canvas: presses, drags, clicks and the wheel become gestures and edits."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.gesture_course import CLICK_REACH
from gradwire.app.canvas.input.gestures.knife import Knife
from gradwire.app.canvas.input.gestures.pan import Pan
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.key_presses import KeyPresses
from gradwire.app.canvas.input.picking import cursor_at

_TURNS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}


class Mouse(QObject):
    """The mouse and the trackpad, whose events become gestures and edits.

    `pointed_at(Target)` carries the target under the pointer, `paths_requested(Selection)` an Alt click on it, and
    `turned(int)`, −1 or 1, the buttons that go back and forward.
    """

    pointed_at = Signal(object)
    paths_requested = Signal(object)
    turned = Signal(int)

    def __init__(self, controls: Controls, keys: KeyPresses) -> None:
        super().__init__(controls.widget)
        self._controls, self._keys = controls, keys
        self._button = Qt.MouseButton.NoButton
        self._pressed = controls.gestures.pointer
        self.wheel_pans = False

    def _pointer(self, event: QMouseEvent) -> Pointer:
        return self._controls.gestures.pointer_at(event.position(), event.modifiers(), event.timestamp())

    # Buttons

    def press(self, event: QMouseEvent) -> None:
        """Starts a gesture, or waits whether a drag or a click follows."""
        gestures, host = self._controls.gestures, self._controls.host
        pointer = self._pointer(event)
        if gestures.is_dragging or gestures.pressed is not None:
            return
        # A user who presses a button wants to act, not to read.
        self.pointed_at.emit(Target())
        if event.button() in _TURNS:
            self.turned.emit(_TURNS[event.button()])
            return
        button, self._button, self._pressed = event.button(), event.button(), pointer
        is_pan_key_used = button is Qt.MouseButton.LeftButton and self._keys.is_pan_key_held
        if button is Qt.MouseButton.MiddleButton or is_pan_key_used:
            gestures.begin(Pan(host, pointer))
        elif button is Qt.MouseButton.RightButton:
            gestures.pressed = pointer
        elif button is Qt.MouseButton.LeftButton:
            gestures.press(pointer)

    def move(self, event: QMouseEvent) -> None:
        """Moves the gesture on; without one, marks the target under the pointer."""
        gestures, host, pointer = self._controls.gestures, self._controls.host, self._pointer(event)
        start = gestures.pressed
        if gestures.is_dragging:
            gestures.carry_on(pointer)
        elif start is not None and (pointer.view - start.view).manhattanLength() > CLICK_REACH:
            gestures.pressed = None
            gestures.begin(Knife(host, start) if start.has(Modifiers.ControlModifier) else Pan(host, start))
            gestures.carry_on(pointer)
        elif not event.buttons():
            self._hover(self._controls.actions.target_at(pointer.scene), pointer)

    def release(self, event: QMouseEvent) -> None:
        """Ends the gesture in its edit; a right click without a drag opens the menu."""
        gestures, pointer = self._controls.gestures, self._pointer(event)
        if event.button() is not self._button:
            return
        if gestures.pressed is not None:
            gestures.pressed = None
            self._controls.actions.open_menu(pointer)
        elif gestures.gesture is not None:
            start = gestures.gesture.start
            gestures.release(pointer)
            if (pointer.view - start.view).manhattanLength() <= CLICK_REACH:
                self._take_click(start, pointer.modifiers)

    def _take_click(self, at: Pointer, held: Qt.KeyboardModifier) -> None:
        """Asks, with Alt, for the paths through a block or a wire; without, uses what a block offers."""
        chosen = self._controls.actions.target_at(at.scene).selection()
        if held == Qt.KeyboardModifier.AltModifier and (chosen.blocks or chosen.wires):
            self.paths_requested.emit(chosen)
        elif held == Qt.KeyboardModifier.NoModifier:
            self._controls.actions.take_button(at)

    def double_click(self, event: QMouseEvent) -> bool:
        """Opens what is there; returns whether it is one more press instead.

        A port, a slider or a button is pressed once more.
        """
        if event.button() is not Qt.MouseButton.LeftButton:
            return False
        pointer, actions = self._pointer(event), self._controls.actions
        if actions.open_fold():
            return False
        now = actions.target_at(pointer.scene)
        # What the first press selected may have moved the page: what stood there then is meant.
        if (pointer.view - self._pressed.view).manhattanLength() <= CLICK_REACH:
            pointer = self._pressed
        target = actions.target_at(pointer.scene)
        if target.port is not None or target.is_track or target.is_button:
            return target == now
        actions.open_at(pointer)
        return False

    # Wheel and trackpad

    def wheel(self, event: QWheelEvent) -> None:
        """Zooms at the pointer, or pans where that is set; two fingers on a trackpad pan, and with Ctrl zoom."""
        viewport = self._controls.viewport
        is_trackpad = not event.pixelDelta().isNull() and event.phase() is not Qt.ScrollPhase.NoScrollPhase
        if is_trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            viewport.pan(event.pixelDelta().x(), event.pixelDelta().y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Qt turns the wheel sideways while Alt is held; Shift leaves it upright.
            viewport.pan(event.angleDelta().y() or event.angleDelta().x(), 0)
        elif self.wheel_pans and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            viewport.pan(event.angleDelta().x(), event.angleDelta().y())
        else:
            viewport.zoom_by(event.angleDelta().y() / 120, event.position())
        event.accept()

    def takes_native(self, event: QNativeGestureEvent) -> bool:
        """Zooms and pans by the gestures of a trackpad; returns whether the event was one of them."""
        viewport = self._controls.viewport
        scale = viewport.camera.scale
        if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            # Fingers move evenly by themselves.
            wanted = max(scale * (1 + event.value()), viewport.smallest)
            viewport.look_with(viewport.camera.zoomed(wanted, event.position()))
        elif event.gestureType() is Qt.NativeGestureType.PanNativeGesture:
            viewport.pan(round(event.delta().x()), round(event.delta().y()))
        elif event.gestureType() is Qt.NativeGestureType.SmartZoomNativeGesture:
            is_own = viewport.reading_scale == 1.0
            viewport.fit_page() if is_own else viewport.zoom_to_own(event.position())
        else:
            return False
        return True

    # Coming and leaving

    def enter(self, event: QEnterEvent) -> None:
        """Takes the pointer over: it may come without moving, as where the window appears below it."""
        self._controls.gestures.pointer_at(event.position(), event.modifiers(), event.timestamp())

    def leave(self) -> None:
        """Marks nothing any more."""
        self._hover(Target(), self._controls.gestures.pointer)

    def _hover(self, target: Target, pointer: Pointer) -> None:
        controls = self._controls
        if not controls.gestures.is_knife_ready:
            scale = controls.viewport.reading_scale
            controls.widget.setCursor(cursor_at(controls.page.mirror, scale, target, pointer.scene))
        controls.page_look.hover(target)
        self.pointed_at.emit(target)
