"""The hand of a user: events of mouse, wheel and touch screen, and things that are dropped."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QEventPoint,
    QMouseEvent,
    QPointingDevice,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.touch import Touch
from tests.app.window.finding import child_of, settle

Button, Mod = Qt.MouseButton, Qt.KeyboardModifier
Kind = QEvent.Type
LEFT, MIDDLE, RIGHT = Button.LeftButton, Button.MiddleButton, Button.RightButton
NONE = Mod.NoModifier


@cache
def touch_screen() -> QPointingDevice:
    return QTest.createTouchDevice()


def _finger_state(points: tuple[QPointF, ...], was_down: bool) -> QEventPoint.State:
    if not points:
        return QEventPoint.State.Released
    return QEventPoint.State.Updated if was_down else QEventPoint.State.Pressed


class Hand:
    """A hand on the canvas of a window. Points are those of the scene unless a name says `view`."""

    def __init__(self, window: QWidget, canvas: Canvas) -> None:
        self._window, self._canvas = window, canvas

    def _view(self, scene: QPointF) -> QPointF:
        return self._canvas.camera.to_view(scene)

    def send(
        self,
        kind: QEvent.Type,
        view: QPointF,
        button: Qt.MouseButton = Button.NoButton,
        held: Qt.MouseButton = Button.NoButton,
        keys: Qt.KeyboardModifier = NONE,
        time: int = 0,
    ) -> None:
        """One mouse event at a point of the view and a time in ms; the position on the screen belongs to it."""
        canvas = self._canvas
        in_window = QPointF(canvas.mapTo(self._window, QPoint())) + view
        everywhere = QPointF(canvas.mapToGlobal(QPoint())) + view
        event = QMouseEvent(kind, view, in_window, everywhere, button, held, keys)
        event.setTimestamp(time)
        QApplication.sendEvent(canvas, event)

    def enter(self, scene: QPointF) -> None:
        """The pointer comes onto the canvas."""
        view = self._view(scene)
        everywhere = QPointF(self._canvas.mapToGlobal(QPoint())) + view
        QApplication.sendEvent(self._canvas, QEnterEvent(view, view, everywhere))
        self.send(Kind.MouseMove, view)

    def press(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.send(Kind.MouseButtonPress, self._view(at), button, button, keys)

    def move(self, to: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.send(Kind.MouseMove, self._view(to), Button.NoButton, button, keys)

    def release(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.send(Kind.MouseButtonRelease, self._view(at), button, Button.NoButton, keys)
        settle()

    def click(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.enter(at)
        self.press(at, button, keys)
        self.release(at, button, keys)

    def double_click(self, at: QPointF) -> None:
        """As Qt sends it: press, release, double click, release."""
        view = self._view(at)
        self.click(at)
        self.send(Kind.MouseButtonDblClick, view, LEFT, LEFT)
        self.send(Kind.MouseButtonRelease, view, LEFT)
        settle()

    def drag(
        self,
        start: QPointF,
        end: QPointF,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = NONE,
        steps: int = 6,
        ends_with: Callable[[], None] | None = None,
    ) -> None:
        """Drags from one point to another; `ends_with` stands for the release where that is not the end."""
        # A pan moves the scene under the pointer: the way is one of the view.
        first, last = self._view(start), self._view(end)
        self.enter(start)
        self.send(Kind.MouseButtonPress, first, button, button, keys)
        for step in range(1, steps + 1):
            self.send(Kind.MouseMove, first + (last - first) * (step / steps), Button.NoButton, button, keys)
        if ends_with is not None:
            ends_with()
        self.send(Kind.MouseButtonRelease, last, button, Button.NoButton, keys)
        settle()

    def connect(self, start: QPointF, end: QPointF, keys: Qt.KeyboardModifier = NONE) -> None:
        self.drag(start, end, keys=keys)

    def stroke(
        self,
        *ways: QPointF,
        button: Qt.MouseButton = LEFT,
        keys: Qt.KeyboardModifier = NONE,
        every: int = 50,
        ends_with: Callable[[], None] | None = None,
    ) -> None:
        """Drags through points of the scene as they lie now; the events are so many ms apart."""
        points = [self._view(way) for way in ways]
        self.enter(ways[0])
        self.send(Kind.MouseButtonPress, points[0], button, button, keys, every)
        for step, point in enumerate(points[1:], start=2):
            self.send(Kind.MouseMove, point, Button.NoButton, button, keys, step * every)
        if ends_with is not None:
            ends_with()
        self.send(Kind.MouseButtonRelease, points[-1], button, Button.NoButton, keys, (len(points) + 1) * every)
        settle()

    def touch(self, *moves: tuple[QPointF, ...], time: int = 0, rests: bool = False) -> None:
        """Fingers on the screen, each move the points of the view where they are; at the end all are lifted.

        If the finger `rests`, so long goes by before that.
        """
        screen = touch_screen()
        before: tuple[QPointF, ...] = ()
        for number, points in enumerate((*moves, ())):
            here = points or before
            kind = Kind.TouchBegin if not before else Kind.TouchUpdate if points else Kind.TouchEnd
            states = [_finger_state(points, row < len(before)) for row in range(len(here))]
            origin = QPointF(self._canvas.mapToGlobal(QPoint()))
            in_window = QPointF(self._canvas.mapTo(self._window, QPoint()))
            fingers = [
                QEventPoint(row, state, in_window + point, origin + point)
                for row, (state, point) in enumerate(zip(states, here, strict=True))
            ]
            event = QTouchEvent(kind, screen, NONE, fingers)
            event.setTimestamp(time + number)
            if rests and not points:
                child_of(self._window, Touch, "touch").rest_long()
            QApplication.sendEvent(self._canvas, event)
            before = points
        settle()

    def wheel(
        self,
        at: QPointF,
        angle: QPoint,
        pixels: QPoint | None = None,
        keys: Qt.KeyboardModifier = NONE,
        phase: Qt.ScrollPhase = Qt.ScrollPhase.NoScrollPhase,
    ) -> None:
        view = self._view(at)
        everywhere = QPointF(self._canvas.mapToGlobal(QPoint())) + view
        event = QWheelEvent(view, everywhere, pixels or QPoint(), angle, Button.NoButton, keys, phase, False)
        QApplication.sendEvent(self._canvas, event)
        settle()

    def put_block(self, name: str, at: QPointF) -> None:
        """A double click on nothing, the name of a block, and Enter."""
        self.double_click(at)
        field = self._window.findChild(QLineEdit, "search_field")
        assert isinstance(field, QLineEdit) and field.isVisible()
        QTest.keyClicks(field, name)
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle()

    def drop_file(self, path: Path) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        self.drop(self._window, data, QPointF(400, 300))

    def drop(self, widget: QWidget, data: QMimeData, at: QPointF, keys: Qt.KeyboardModifier = NONE) -> None:
        action, point = Qt.DropAction.CopyAction, at.toPoint()
        entered = QDragEnterEvent(point, action, data, LEFT, keys)
        QApplication.sendEvent(widget, entered)
        assert entered.isAccepted()
        QApplication.sendEvent(widget, QDragMoveEvent(point, action, data, LEFT, keys))
        QApplication.sendEvent(widget, QDropEvent(QPointF(point), action, data, LEFT, keys))
        settle()
