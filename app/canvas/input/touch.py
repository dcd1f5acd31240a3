"""Fingers on the canvas: one does what the mouse does, but pans where nothing is; two pan and zoom."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QEventPoint, QGuiApplication, QInputDevice, QTouchEvent

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.gestures.pan import Pan
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.live.session import Selection

SLOP, TWICE_REACH, LONG_MS = 8.0, 24.0, 600


class Touch(QObject):
    """The touches of a screen, which become gestures. A resting finger opens the menu, two taps are a double click."""

    def __init__(self, controls: Controls) -> None:
        super().__init__(controls.widget)
        self.setObjectName("touch")
        self._controls = controls
        self._start: Pointer | None = None
        self._is_tap = False
        self._last_tap: Pointer | None = None
        self._fingers: tuple[QPointF, float] | None = None
        self._rest = make_timer(self, self.rest_long, LONG_MS)

    def takes(self, event: QEvent) -> bool:
        """Returns whether the event was a touch of a screen; it is then done with. Pads have gestures of their own."""
        if not isinstance(event, QTouchEvent) or event.device().type() is not QInputDevice.DeviceType.TouchScreen:
            return False
        down = [point for point in event.points() if point.state() is not QEventPoint.State.Released]
        if event.type() is QEvent.Type.TouchCancel:
            self._let_go()
        elif len(down) >= 2:
            self._pinch(self._place(down[0]), self._place(down[1]))
        elif event.type() is QEvent.Type.TouchBegin:
            self._press(self._pointer(event))
        elif self._start is not None:
            self._go_on(self._pointer(event), is_end=not down)
        if not down:
            self._fingers = None
        event.accept()
        return True

    def rest_long(self) -> None:
        """Opens the menu below a finger that has rested where it was put down."""
        if self._start is not None and self._is_tap:
            start = self._start
            self._let_go()
            self._controls.actions.open_menu(start)

    def _pointer(self, event: QTouchEvent) -> Pointer:
        return self._controls.gestures.pointer_at(self._place(event.points()[0]), event.modifiers(), event.timestamp())

    def _place(self, finger: QEventPoint) -> QPointF:
        return self._controls.widget.mapFromGlobal(finger.globalPosition())

    def _press(self, pointer: Pointer) -> None:
        gestures = self._controls.gestures
        self._start, self._is_tap = pointer, True
        self._rest.start()
        if self._controls.actions.target_at(pointer.scene):
            gestures.press(pointer)
        else:
            gestures.begin(Pan(self._controls.host, pointer))

    def _go_on(self, pointer: Pointer, is_end: bool) -> None:
        """Follows the only finger until it is lifted."""
        start, gestures = self._start, self._controls.gestures
        assert start is not None
        if (pointer.view - start.view).manhattanLength() > SLOP:
            self._is_tap = False
            self._rest.stop()
        if not self._is_tap:
            gestures.carry_on(pointer)
        if is_end:
            self._rest.stop()
            self._start = None
            gestures.release(start if self._is_tap else pointer)
            if self._is_tap:
                self._tap(start)

    def _tap(self, at: Pointer) -> None:
        actions, last = self._controls.actions, self._last_tap
        self._last_tap = at
        actions.take_button(at)
        if last is not None and _is_twice(last, at):
            self._last_tap = None
            actions.open_at(at)
        elif not actions.target_at(at.scene):
            self._controls.page.session.select(Selection())

    def _pinch(self, a: QPointF, b: QPointF) -> None:
        """Moves and zooms the page so that it stays under two fingers."""
        viewport = self._controls.viewport
        if self._start is not None:
            self._let_go()
        middle, apart = (a + b) / 2, max(math.dist(a.toTuple(), b.toTuple()), 1.0)
        if self._fingers is not None:
            moved = middle - self._fingers[0]
            viewport.pan(round(moved.x()), round(moved.y()))
            viewport.zoom_to(viewport.camera.scale * apart / self._fingers[1], middle)
            # The rest after rounding comes with the next move.
            middle = self._fingers[0] + QPointF(round(moved.x()), round(moved.y()))
        self._fingers = middle, apart

    def _let_go(self) -> None:
        self._rest.stop()
        self._start = None
        self._controls.gestures.cancel()


def _is_twice(first: Pointer, second: Pointer) -> bool:
    is_near = (second.view - first.view).manhattanLength() <= TWICE_REACH
    return is_near and second.time - first.time <= QGuiApplication.styleHints().mouseDoubleClickInterval()
