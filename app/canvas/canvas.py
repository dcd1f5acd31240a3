"""The canvas: what the mouse, the wheel and the keys do on a page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
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

from app.canvas.gesture_view import CLICK_REACH, GestureView
from app.canvas.gestures import Knife, Modifiers, Pan, Place, Pointer
from app.canvas.picking import Target, cursor_at, target_at
from app.canvas.tips import tip_for
from app.canvas.touch import Touch
from app.live.session import Selection, Session
from app.look.appearance import Appearance

BLOCK_MIME = "application/x-gradwire-block"


class Canvas(GestureView):
    """Turns what mouse, wheel, fingers and keys do on the page into gestures and edits."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._button = Qt.MouseButton.NoButton
        self._is_space_held = False
        self._touch: Touch | None = None
        super().__init__(session, appearance, parent)
        self.setObjectName("canvas")
        self.setAccessibleName("Canvas")
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
        self.begin(Place(self, self._pointer(event), name))

    def _hover(self, target: Target, pointer: Pointer) -> None:
        if not self._is_knife_ready:
            self.setCursor(cursor_at(self, target, pointer))
        if target != self._hovered:
            self._hovered = target
            self.update()
