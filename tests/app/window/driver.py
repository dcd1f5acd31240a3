"""Drives a real window the way a user does: by mouse at points of the scene, by keys, and by object names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAction,
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
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QListView,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.canvas.canvas import BLOCK_MIME, Canvas
from app.canvas.touch import Touch
from app.live.session import Selection, Session
from app.main_window import MainWindow
from engine.graph import Block, Graph, Page, Port, Wire

Button, Key, Mod = Qt.MouseButton, Qt.Key, Qt.KeyboardModifier
Kind = QEvent.Type
LEFT, MIDDLE, RIGHT = Button.LeftButton, Button.MiddleButton, Button.RightButton
NONE = Mod.NoModifier
Found = TypeVar("Found", bound=QObject)


@cache
def touch_screen() -> QPointingDevice:
    return QTest.createTouchDevice()


def _finger_state(points: tuple[QPointF, ...], was_down: bool) -> QEventPoint.State:
    if not points:
        return QEventPoint.State.Released
    return QEventPoint.State.Updated if was_down else QEventPoint.State.Pressed


def entries_of(menu: QMenu) -> list[QAction]:
    """The entries of a menu and of its submenus, without lines."""
    found: list[QAction] = []
    for item in menu.actions():
        below = item.menu()
        found += entries_of(below) if isinstance(below, QMenu) else [item] * (not item.isSeparator())
    return found


class Driver:
    """One window under test. Points are those of the scene unless a name says `view`."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.refusals: list[str] = []
        self._heard: Session | None = None

    # What is there

    @property
    def canvas(self) -> Canvas:
        return self.window.canvas

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def graph(self) -> Graph:
        return self.session.graph

    @property
    def page(self) -> Page:
        return self.session.page

    @property
    def selection(self) -> Selection:
        return self.session.selection

    def block(self, block_id: str) -> Block:
        return self.page.blocks[block_id]

    def only(self, type_name: str) -> str:
        """The id of the only block of a type."""
        (found,) = [block.id for block in self.page.blocks.values() if block.type == type_name]
        return found

    def wires(self) -> set[str]:
        """All wires of the page as `a.y > b.x`."""
        return {f"{wire.source} > {wire.target}" for wire in self.page.wires.values()}

    def wire(self, target: str) -> Wire:
        """The wire that ends at `block.port`."""
        return self.page.wires[Port(*target.split("."))]

    def places(self) -> dict[str, tuple[int, int] | None]:
        return {block.id: block.at for block in self.page.blocks.values()}

    def undo_text(self) -> str | None:
        return self.session.document.undo_text

    def child(self, kind: type[Found], name: str) -> Found:
        """The object of that name, anywhere in the window; of widgets one that is shown, if any is."""
        found = [item for item in self.window.findChildren(kind, name) if isinstance(item, kind)]
        assert found, f"nothing is called {name}"
        return next((item for item in found if isinstance(item, QWidget) and item.isVisible()), found[0])

    def settle(self) -> None:
        """Lets everything that waits for the event loop happen."""
        for _ in range(3):
            QApplication.processEvents()
            # Outside an event loop Qt puts these off for ever.
            QApplication.sendPostedEvents(None, Kind.DeferredDelete.value)

    def listen(self) -> list[str]:
        """The sentences with which the session refuses things from now on."""
        self.refusals = []
        if self._heard is not self.session:
            self._heard = self.session
            self.session.refused.connect(self._note)
        return self.refusals

    def _note(self, sentence: str) -> None:
        self.refusals.append(sentence)

    # Documents

    def show(self, graph: Graph, scale: float = 1.0) -> None:
        """Shows a graph as the document, at a scale at which everything can be used."""
        self.window.show_graph(graph)
        self.settle()
        self.canvas.zoom_to(scale)
        self.settle()

    def open(self, path: Path) -> None:
        self.window.documents.open(path)
        self.settle()

    # Where things are

    def view(self, scene: QPointF) -> QPointF:
        return self.canvas.camera.to_view(scene)

    def port(self, name: str) -> QPointF:
        """Where a port is, by `block.port`: an input if the block has one of that name."""
        port = Port(*name.split("."))
        mirror = self.canvas.mirror
        place = mirror.port_position(port, True) or mirror.port_position(port, False)
        assert place is not None, f"no port {name}"
        return place

    def output(self, name: str) -> QPointF:
        """Where an output is whose name an input of the block has too."""
        place = self.canvas.mirror.port_position(Port(*name.split(".")), False)
        assert place is not None, f"no output {name}"
        return place

    def title(self, block_id: str) -> QPointF:
        rect = self.canvas.mirror.rect(block_id)
        return QPointF(rect.left() + 60, rect.top() + 14)

    def body(self, block_id: str) -> QPointF:
        return self.canvas.mirror.rect(block_id).center()

    def edge(self, block_id: str) -> QPointF:
        """The right edge, where the width is dragged."""
        rect = self.canvas.mirror.rect(block_id)
        return QPointF(rect.right() - 1, rect.bottom() - 6)

    def knob(self, block_id: str, index: int = 0, share: float = 0.5) -> QPointF:
        """A point on the track of a slider, 0 at its low end."""
        mirror = self.canvas.mirror
        track = mirror.shapes[mirror.rows[block_id]].slider_track(index).translated(mirror.rect(block_id).topLeft())
        if track.height():
            return QPointF(track.left(), track.bottom() - share * track.height())
        return QPointF(track.left() + share * track.width(), track.top())

    def number(self, block_id: str, index: int = 0) -> QPointF:
        """The middle of the number that belongs to a slider."""
        mirror = self.canvas.mirror
        shape, rect = mirror.shapes[mirror.rows[block_id]], mirror.rect(block_id)
        box = shape.slider_box(index).translated(rect.topLeft())
        is_row = not shape.slider_track(index).height()
        return QPointF(box.center().x(), box.top() + 10 if is_row else box.bottom() - 7)

    def on_wire(self, wire: Wire) -> QPointF:
        """A point of a wire that no block covers."""
        mirror = self.canvas.mirror
        points = mirror.points[mirror.wire_rows[wire]]
        for share in (0.5, 0.4, 0.6, 0.3, 0.7):
            for (ax, ay), (bx, by) in pairwise(points):
                place = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share)
                is_far = abs(bx - ax) + abs(by - ay) > 16
                if is_far and mirror.block_at(place) is None and mirror.port_at(place) is None:
                    return place
        raise AssertionError(f"{wire} is covered")

    def empty(self) -> QPointF:
        """A point of the view with nothing under it."""
        mirror, canvas = self.canvas.mirror, self.canvas
        for y in range(30, canvas.height() - 200, 40):
            for x in range(30, canvas.width() - 30, 40):
                place = canvas.camera.to_scene(QPointF(x, y))
                nothing = mirror.block_at(place) is None and mirror.wire_at(place, 30) is None
                frames = any(box.contains(place) for box in mirror.frames.values())
                if nothing and mirror.note_at(place) is None and mirror.port_at(place, 60) is None and not frames:
                    return place
        raise AssertionError("the page is full")

    # Mouse

    def mouse(
        self,
        kind: QEvent.Type,
        view: QPointF,
        button: Qt.MouseButton = Button.NoButton,
        held: Qt.MouseButton = Button.NoButton,
        keys: Qt.KeyboardModifier = NONE,
        time: int = 0,
    ) -> None:
        """One mouse event at a point of the view and a time in ms; the position on the screen belongs to it."""
        canvas = self.canvas
        in_window = QPointF(canvas.mapTo(self.window, QPoint())) + view
        everywhere = QPointF(canvas.mapToGlobal(QPoint())) + view
        event = QMouseEvent(kind, view, in_window, everywhere, button, held, keys)
        event.setTimestamp(time)
        QApplication.sendEvent(canvas, event)

    def enter(self, scene: QPointF) -> None:
        """The pointer comes onto the canvas."""
        view = self.view(scene)
        everywhere = QPointF(self.canvas.mapToGlobal(QPoint())) + view
        QApplication.sendEvent(self.canvas, QEnterEvent(view, view, everywhere))
        self.mouse(Kind.MouseMove, view)

    def press(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.mouse(Kind.MouseButtonPress, self.view(at), button, button, keys)

    def move(self, to: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.mouse(Kind.MouseMove, self.view(to), Button.NoButton, button, keys)

    def release(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.mouse(Kind.MouseButtonRelease, self.view(at), button, Button.NoButton, keys)
        self.settle()

    def click(self, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NONE) -> None:
        self.enter(at)
        self.press(at, button, keys)
        self.release(at, button, keys)

    def double_click(self, at: QPointF) -> None:
        """As Qt sends it: press, release, double click, release."""
        view = self.view(at)
        self.click(at)
        self.mouse(Kind.MouseButtonDblClick, view, LEFT, LEFT)
        self.mouse(Kind.MouseButtonRelease, view, LEFT)
        self.settle()

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
        first, last = self.view(start), self.view(end)
        self.enter(start)
        self.mouse(Kind.MouseButtonPress, first, button, button, keys)
        for step in range(1, steps + 1):
            self.mouse(Kind.MouseMove, first + (last - first) * (step / steps), Button.NoButton, button, keys)
        if ends_with is not None:
            ends_with()
        self.mouse(Kind.MouseButtonRelease, last, button, Button.NoButton, keys)
        self.settle()

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
        points = [self.view(way) for way in ways]
        self.enter(ways[0])
        self.mouse(Kind.MouseButtonPress, points[0], button, button, keys, every)
        for step, point in enumerate(points[1:], start=2):
            self.mouse(Kind.MouseMove, point, Button.NoButton, button, keys, step * every)
        if ends_with is not None:
            ends_with()
        self.mouse(Kind.MouseButtonRelease, points[-1], button, Button.NoButton, keys, (len(points) + 1) * every)
        self.settle()

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
            origin = QPointF(self.canvas.mapToGlobal(QPoint()))
            in_window = QPointF(self.canvas.mapTo(self.window, QPoint()))
            fingers = [
                QEventPoint(row, state, in_window + point, origin + point)
                for row, (state, point) in enumerate(zip(states, here, strict=True))
            ]
            event = QTouchEvent(kind, screen, NONE, fingers)
            event.setTimestamp(time + number)
            if rests and not points:
                self.child(Touch, "touch").rest_long()
            QApplication.sendEvent(self.canvas, event)
            before = points
        self.settle()

    def wheel(
        self,
        at: QPointF,
        angle: QPoint,
        pixels: QPoint | None = None,
        keys: Qt.KeyboardModifier = NONE,
        phase: Qt.ScrollPhase = Qt.ScrollPhase.NoScrollPhase,
    ) -> None:
        view = self.view(at)
        everywhere = QPointF(self.canvas.mapToGlobal(QPoint())) + view
        event = QWheelEvent(view, everywhere, pixels or QPoint(), angle, Button.NoButton, keys, phase, False)
        QApplication.sendEvent(self.canvas, event)
        self.settle()

    def drop_block(self, name: str, at: QPointF, keys: Qt.KeyboardModifier = NONE) -> None:
        """A block dragged from the palette is dropped."""
        data = QMimeData()
        data.setData(BLOCK_MIME, name.encode())
        self.drop(self.canvas, data, self.view(at), keys)

    def drop_file(self, path: Path) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        self.drop(self.window, data, QPointF(400, 300))

    def drop(self, widget: QWidget, data: QMimeData, at: QPointF, keys: Qt.KeyboardModifier = NONE) -> None:
        action, point = Qt.DropAction.CopyAction, at.toPoint()
        entered = QDragEnterEvent(point, action, data, LEFT, keys)
        QApplication.sendEvent(widget, entered)
        assert entered.isAccepted()
        QApplication.sendEvent(widget, QDragMoveEvent(point, action, data, LEFT, keys))
        QApplication.sendEvent(widget, QDropEvent(QPointF(point), action, data, LEFT, keys))
        self.settle()

    # Keys

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        """A key for the canvas, shortcuts included."""
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        QTest.keyClick(self.canvas, key, keys)
        self.settle()

    def ctrl(self, key: Qt.Key) -> None:
        self.key(key, Mod.ControlModifier)

    def escape(self) -> None:
        QTest.keyClick(self.canvas, Key.Key_Escape)

    def undo(self) -> None:
        self.ctrl(Key.Key_Z)

    def redo(self) -> None:
        self.key(Key.Key_Z, Mod.ControlModifier | Mod.ShiftModifier)

    def trigger(self, command: str) -> None:
        """A command as its menu entry would run it."""
        self.window.actions_by_id[command].trigger()
        self.settle()

    # Fields and popups

    def inline(self) -> QLineEdit | QPlainTextEdit:
        """The field open over the canvas."""
        found = [item for item in self.canvas.findChildren(QWidget, "inline_edit") if item.isVisible()]
        assert len(found) == 1
        assert isinstance(found[0], QLineEdit | QPlainTextEdit)
        return found[0]

    def fields(self) -> int:
        """How many fields are open over the canvas."""
        return sum(item.isVisible() for item in self.canvas.findChildren(QWidget, "inline_edit"))

    def type_inline(self, text: str, end: Qt.Key = Key.Key_Return, keys: Qt.KeyboardModifier = NONE) -> None:
        field = self.inline()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, end, keys)
        self.settle()

    def found(self) -> list[str]:
        """What the search popup lists."""
        model = self.child(QListView, "search_list").model()
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def search(self, text: str) -> None:
        """Types into the open search popup and takes the first hit."""
        assert self.window.search.isVisible()
        field = self.child(QLineEdit, "search_field")
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
        self.settle()

    def add(self, text: str, at: QPointF) -> str:
        """Points somewhere, presses Tab, types, Enter; gives the id of the new block."""
        self.enter(at)
        before = set(self.page.blocks)
        self.key(Key.Key_Tab)
        self.search(text)
        (made,) = set(self.page.blocks) - before
        return made

    def menu(self) -> QMenu:
        """The open context menu."""
        found = QApplication.activePopupWidget()
        assert isinstance(found, QMenu)
        return found

    def menu_of(self, at: QPointF) -> dict[str, str]:
        """The entries of the context menu at a point, with their shortcuts; closes it again."""
        self.click(at, RIGHT)
        menu = self.menu()
        entries = {item.objectName(): item.shortcut().toString() for item in entries_of(menu)}
        assert all(item.isEnabled() for item in entries_of(menu))
        QTest.keyClick(menu, Key.Key_Escape)
        self.settle()
        return entries

    def answer(self, name: str, button: QMessageBox.StandardButton | str, during: Callable[[], object]) -> str:
        """Does something that asks in a dialog, clicks a button of that, and gives what the dialog said.

        A button of our own is known by its object name.
        """
        said: list[str] = []

        def press() -> None:
            box = QApplication.activeModalWidget()
            if isinstance(box, QMessageBox):
                said.append(f"{box.objectName()}: {box.text()} {box.informativeText()}")
                pressed = box.findChild(QAbstractButton, button) if isinstance(button, str) else box.button(button)
                self.qtbot.mouseClick(pressed, LEFT)
            else:
                timer.start(5)

        timer = QTimer(self.window)
        timer.setSingleShot(True)
        timer.timeout.connect(press)
        timer.start(0)
        during()
        timer.stop()
        timer.deleteLater()
        self.settle()
        assert len(said) == 1, said
        assert said[0].startswith(name)
        return said[0].removeprefix(f"{name}: ")
