"""The keyboard on the canvas: it walks from thing to thing, opens ports, draws wires and opens the menu."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QApplication

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import (
    Place,
    Socket,
    Thing,
    Way,
    ends,
    exists,
    first_socket,
    place_of,
    step,
    step_socket,
)
from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.input.key_wire import KeyWire
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.selection import Selection
from gradwire.app.look.widgets import ENTER_KEYS

Key = Qt.Key
Held = Qt.KeyboardModifier
WAYS = {Key.Key_Left: Way.LEFT, Key.Key_Right: Way.RIGHT, Key.Key_Up: Way.UP, Key.Key_Down: Way.DOWN}
GAP, WIDTH = 3.0, 2.0
PORT, ROOM = QSizeF(24, 24), QSizeF(72, 48)


class Keyboard(QObject):
    """The place of the keyboard on the canvas: a thing or wire (`place`), and there perhaps a port (`socket`).

    `moved(Place | None, Socket | None)` comes when that changes. The ring around it is shown while the keyboard is
    used; the mouse hides it.
    """

    moved = Signal(object, object)

    def __init__(self, controls: Controls) -> None:
        super().__init__(controls.widget)
        self._controls, self._page, self._viewport = controls, controls.page, controls.viewport
        self.place: Place | None = None
        self.socket: Socket | None = None
        self.is_shown = False

    # Keys

    @property
    def wire(self) -> KeyWire | None:
        """The wire that is being drawn by keys."""
        gesture = self._controls.gestures.gesture
        return gesture if isinstance(gesture, KeyWire) else None

    def press(self, event: QKeyEvent) -> bool:
        """Takes a key; False if it means nothing here."""
        key, held = Key(event.key()), event.modifiers() & ~Held.KeypadModifier
        wire = self.wire
        if self._controls.gestures.is_dragging and wire is None:
            return False
        self.catch_up()
        if wire is not None:
            return self._press_with_wire(wire, event)
        if self.takes_text(event):
            self._controls.actions.request_text(event.text())
            return True
        if key == Key.Key_Menu or (key == Key.Key_F10 and held == Held.ShiftModifier):
            return self.open_menu()
        if key in (Key.Key_Home, Key.Key_End) and held & ~Held.ShiftModifier == Held.ControlModifier:
            return self._go_to_end(key == Key.Key_End, bool(held & Held.ShiftModifier))
        if self.socket is not None:
            return self._press_on_port(self.socket, key, held)
        if key in WAYS and held in (Held.NoModifier, Held.ShiftModifier):
            return self._walk(WAYS[key], held == Held.ShiftModifier)
        return key in ENTER_KEYS and not held and self._open_ports()

    def _walk(self, way: Way, extends: bool) -> bool:
        if self.place is None:
            return self._go_to_end(False, extends)
        self.go(step(self._page.mirror, self.place, way), extends)
        return True

    def _go_to_end(self, is_last: bool, extends: bool) -> bool:
        found = ends(self._page.mirror)
        self.go(None if found is None else found[is_last], extends)
        return True

    def _open_ports(self) -> bool:
        place = self.place
        if place is None or place.is_on_wire or place.thing.kind != "block":
            return False
        if place.thing.name in self._page.mirror.folds:
            return self._controls.actions.open_layer(place.thing.name)
        self.enter_port(first_socket(self._page.mirror, place.thing.name))
        return True

    def _press_on_port(self, socket: Socket, key: Qt.Key, held: Qt.KeyboardModifier) -> bool:
        if key in WAYS and not held:
            self.enter_port(step_socket(self._page.mirror, socket, WAYS[key]))
        elif key in ENTER_KEYS and not held:
            self.draw_wire()
        elif key == Key.Key_Escape:
            self.enter_port(None)
        else:
            return False
        return True

    def takes_text(self, event: QKeyEvent) -> bool:
        """Returns whether a key is a letter for a wire that is being drawn, or begins a text; else it is a shortcut."""
        has_command = event.modifiers() & (Held.ControlModifier | Held.AltModifier | Held.MetaModifier)
        if has_command or not event.text() or not event.text().isprintable():
            return False
        return self.wire is not None or self._begins_text(event)

    def _begins_text(self, event: QKeyEvent) -> bool:
        """Returns whether a key begins a formula or name: on an empty page no letter has anything else to do."""
        return self._page.mirror.is_empty and (event.text().isalpha() or event.text() == "[")

    def _press_with_wire(self, wire: KeyWire, event: QKeyEvent) -> bool:
        key, held = Key(event.key()), event.modifiers() & ~Held.KeypadModifier
        if key in ENTER_KEYS:
            if not wire.asks():
                self._controls.gestures.release(Pointer(QPointF(), QPointF(), held))
                self.enter_port(self.socket)
            return True
        if key in WAYS and not held:
            wire.turn(WAYS[key])
        elif self.takes_text(event):
            wire.type(event.text())
        else:
            return False
        if wire.aim is not None:
            self._viewport.show_rect(rect_of(self._page.mirror, Target(port=wire.aim)))
            self.moved.emit(self.place, wire.aim)
        return True

    # Going somewhere

    def go(self, place: Place | None, extends: bool = False) -> None:
        """Goes to a place, selects it, or adds it to what is selected, and brings it into view."""
        self.place, self.socket, self.is_shown = place, None, True
        if place is not None:
            chosen, session = place.target.selection(), self._page.session
            if not place.is_on_wire and place.thing.name in self._page.mirror.folds:
                # To select its first block would open it.
                chosen = Selection()
            session.select(session.selection | chosen if extends else chosen)
            self._viewport.show_rect(self.rect())
        self._tell()

    def enter_port(self, socket: Socket | None) -> None:
        """Goes to a port of a block, or back to the block."""
        self.socket, self.is_shown = socket, True
        if socket is not None:
            self.place = Place(Thing("block", self._page.mirror.shown(socket.port.block)))
            self._viewport.show_rect(rect_of(self._page.mirror, self.target))
        self._tell()

    def draw_wire(self) -> None:
        """Begins a wire at the port that the keyboard is on."""
        if self.socket is not None:
            self._controls.gestures.begin(KeyWire(self._controls.host, self.socket))

    def show(self, is_shown: bool) -> None:
        """Shows the ring, as the keyboard has come, or hides it, as the mouse is used."""
        if is_shown:
            self.catch_up()
        else:
            self.socket = None
        self.is_shown = is_shown
        self._tell()

    def open_menu(self) -> bool:
        """Opens the menu of what the keyboard is on, unless one is open."""
        if QApplication.activePopupWidget() is None:
            self.catch_up()
            self.show(True)
            widget, at = self._controls.widget, self._viewport.camera.to_view(self.rect().center()).toPoint()
            inside = QPoint(min(max(at.x(), 0), widget.width()), min(max(at.y(), 0), widget.height()))
            self._controls.actions.menu_requested.emit(widget.mapToGlobal(inside), self.target)
        return True

    @property
    def target(self) -> Target:
        """The target that the keyboard is on, as the pointer would find it."""
        if self.socket is not None:
            return Target(port=(self.socket.port, self.socket.is_input))
        return Target() if self.place is None else self.place.target

    def catch_up(self) -> None:
        """Follows a selection made elsewhere, and leaves what is gone."""
        page = self._page
        chosen = place_of(page.session.selection)
        if chosen is not None and (self.place is None or chosen.target != self.place.target):
            self.place, self.socket = chosen, None
        if self.place is not None and not exists(page.mirror, self.place.target):
            self.place = None
        if self.place is None or not exists(page.mirror, self.target):
            self.socket = None

    def _tell(self) -> None:
        self._controls.widget.update()
        self.moved.emit(self.place, self.socket)

    # Its place

    def rect(self) -> QRectF:
        """Returns the rectangle of the keyboard in the scene; the middle of the view if it is nowhere."""
        mirror, target = self._page.mirror, self.target
        if target and exists(mirror, target):
            return rect_of(mirror, target)
        middle = self._controls.widget.rect().center().toPointF()
        return _around(self._viewport.camera.to_scene(middle), QSizeF(1, 1))

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the ring, on the page in scene coordinates; on a page without anything around the view."""
        if not self.is_shown or not self._controls.widget.hasFocus():
            return
        path = self._ring(max(1.0, 1 / look.scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # On a line of the ground's colour it stands out from whatever lies below.
        for token, width in (("bg.canvas", WIDTH + 2), ("focus", WIDTH)):
            painter.setPen(QPen(look.theme.color(token), width * max(1.0, 1 / look.scale)))
            painter.drawPath(path)

    def _ring(self, unit: float) -> QPainterPath:
        """Returns the line 3 px outside of what the keyboard is on."""
        mirror, target, path, out = self._page.mirror, self.target, QPainterPath(), GAP + WIDTH / 2
        if target.port is not None:
            path.addEllipse(rect_of(mirror, target))
        elif not target or not exists(mirror, target):
            view = self._viewport.seen
            path.addRect(view.adjusted(out * unit, out * unit, -out * unit, -out * unit))
        elif target.wire is not None:
            around = QPainterPathStroker()
            around.setWidth(8 + 2 * out * unit)
            path = around.createStroke(mirror.path(mirror.wire_rows[target.wire])).simplified()
        else:
            box = rect_of(mirror, target).adjusted(-out * unit, -out * unit, out * unit, out * unit)
            path.addRoundedRect(box, 8 + GAP, 8 + GAP)
        return path


def rect_of(mirror: Mirror, target: Target) -> QRectF:
    """Returns the rectangle of a target in the scene; for a wire its middle, where the label stands."""
    if target.port is not None:
        at = mirror.port_position(*target.port)
        return QRectF() if at is None else _around(at, PORT)
    if target.wire is not None:
        return _around(mirror.path(mirror.wire_rows[target.wire]).pointAtPercent(0.5), ROOM)
    if target.block is not None:
        return mirror.rect(target.block)
    if target.note is not None:
        return mirror.notes[target.note]
    return QRectF() if target.frame is None else mirror.frames[target.frame]


def _around(point: QPointF, room: QSizeF) -> QRectF:
    return QRectF(point - QPointF(room.width() / 2, room.height() / 2), room)
