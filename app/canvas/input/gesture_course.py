"""The gesture under way on a canvas, from its press to its release."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.edge_scroll import EdgeScroll
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.knife import Knife
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.start import begin_gesture
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_look import PageLook
from gradwire.app.live.session import Selection

CLICK_REACH = 4


class GestureCourse(QObject):
    """The course of gestures, one at a time: the `gesture` under way.

    `pressed` is the pointer at a press that is either a click or the beginning of a drag. With `is_knife_ready` the
    next drag of the left button cuts wires.
    `active_changed(bool)` comes when one begins and when it ends, `ended()` after that.
    """

    active_changed = Signal(bool)
    ended = Signal()

    def __init__(self, widget: QWidget, host: GestureHost, viewport: Viewport, page_look: PageLook) -> None:
        super().__init__(widget)
        self._widget, self._host, self._viewport, self._look = widget, host, viewport, page_look
        self.pointer = Pointer(QPointF(), QPointF(), Modifiers.NoModifier)
        self.gesture: Gesture | None = None
        self.pressed: Pointer | None = None
        self._chosen_before = Selection()
        self.is_knife_ready = False
        self._edge = EdgeScroll(widget)
        self._edge.scrolled.connect(self._scroll)
        viewport.camera_changed.connect(self._follow_camera)

    # The gesture under way

    @property
    def is_dragging(self) -> bool:
        """Whether a gesture is under way."""
        return self.gesture is not None

    def hidden(self) -> frozenset[str]:
        """Returns the blocks that the gesture draws itself."""
        return frozenset() if self.gesture is None else self.gesture.hidden

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the gesture above the page, in scene coordinates."""
        if self.gesture is not None:
            self.gesture.paint(painter, look)

    # The pointer

    def pointer_at(self, view: QPointF, modifiers: Modifiers, time: int) -> Pointer:
        """Takes over that the pointer is at a point of the view, and returns it."""
        self.pointer = Pointer(self._viewport.camera.to_scene(view), view, modifiers, time)
        return self.pointer

    def _follow_camera(self) -> None:
        """Finds the pointer anew: one that stands still is elsewhere in the scene once the camera has moved."""
        self.pointer_at(self.pointer.view, self.pointer.modifiers, self.pointer.time)

    def _scroll(self, way: QPoint) -> None:
        """Moves the page under a pointer that stands still."""
        self._viewport.pan(way.x(), way.y())
        self.carry_on(self.pointer_at(self.pointer.view, self.pointer.modifiers, self.pointer.time))

    # The course of a gesture

    def press(self, pointer: Pointer) -> None:
        """Begins the gesture that belongs to the target under the pointer."""
        host, chosen = self._host, self._host.session.selection
        self.begin(Knife(host, pointer) if self.is_knife_ready else begin_gesture(host, pointer), chosen)

    def begin(self, gesture: Gesture, chosen: Selection | None = None) -> None:
        """Begins a gesture; if it is cancelled, `chosen`, by default the selection of now, is selected again."""
        QToolTip.hideText()
        self._look.hover(Target())
        self.gesture = gesture
        self._chosen_before = self._host.session.selection if chosen is None else chosen
        self.is_knife_ready = False
        self._widget.setCursor(QCursor(Qt.CursorShape.ArrowCursor if gesture is None else gesture.cursor))
        self.active_changed.emit(True)
        self._widget.update()

    def carry_on(self, pointer: Pointer) -> None:
        """Moves the gesture on, if there is one; near the edge the page scrolls."""
        if self.gesture is None:
            return
        self.gesture.move(pointer)
        if self.gesture.scrolls and (pointer.view - self.gesture.start.view).manhattanLength() > CLICK_REACH:
            self._edge.watch(pointer.view, self._widget.size())

    def release(self, pointer: Pointer) -> None:
        """Ends the gesture, if there is one, in its edit."""
        if self.gesture is not None:
            gesture, self.gesture = self.gesture, None
            gesture.finish(pointer)
            self._end()

    def let_go(self) -> None:
        """Ends the gesture or the press under way; nothing changes."""
        if self.gesture is not None:
            gesture, self.gesture = self.gesture, None
            gesture.cancel()
            # Neither is made what had to wait of it.
            if (pause := self._host.session.pause) is not None:
                pause.forget()
            self._end()
        self.pressed = None
        self.is_knife_ready = False

    def cancel(self) -> None:
        """Ends the gesture under way, and selects what was selected before."""
        if self.gesture is not None:
            self.let_go()
            self._host.session.select(self._chosen_before)

    def _end(self) -> None:
        self._edge.stop()
        self._widget.unsetCursor()
        self.active_changed.emit(False)
        self.ended.emit()

    # The knife

    def take_knife(self) -> None:
        """Makes the next drag of the left button cut wires."""
        self.is_knife_ready = True
        self._widget.setCursor(Qt.CursorShape.CrossCursor)
        self._host.say(tr("Drag across wires to cut them; Escape leaves them."))

    def put_knife_down(self) -> None:
        """Lets the next drag of the left button be an ordinary one."""
        self.is_knife_ready = False
        self._widget.unsetCursor()
        self._host.say("")
