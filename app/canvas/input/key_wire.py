"""A wire that is drawn by keys: arrows choose where it ends, Enter connects, Escape cancels."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.canvas.input.arrow_navigation import Socket, Way, ends_for
from gradwire.app.canvas.input.gestures.draw_wire import DrawWire
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.engine.graph.graph import Port

# How many ports Left and Right look through for one that fits; each question infers the specs of the graph anew.
PATIENCE = 64


class KeyWire(DrawWire):
    """A wire that keys draw from a port to one of the ports that `ends_for` lists: open ones first, each nearest first.

    Right and Left go to the next port that fits, Down and Up to the next one whatsoever, with the reason against it.
    Letters go to the nearest port of the block whose name, title or `block.port` begins with them, best to one that
    fits.
    """

    def __init__(self, canvas: GestureHost, start: Socket) -> None:
        wire = canvas.session.page.wires.get(start.port) if start.is_input else None
        # As with the mouse: a connected input gives the end of its wire.
        origin = start if wire is None else Socket(wire.source, False)
        super().__init__(canvas, _pointer(canvas, origin), *origin, moved=wire)
        self._has_left = True
        self.socket = origin
        self._row = -1
        self._typed = ""
        self._asked: Port | None = None
        self._taken = canvas.session.page.wires.keys()
        ends = [port for port in ends_for(canvas.mirror, origin) if wire is None or port != wire.target]
        self._ends = sorted(ends, key=self._taken.__contains__)

    @property
    def aim(self) -> Socket | None:
        """The port at which the wire would end."""
        return None if self._target is None else Socket(self._target, not self.socket.is_input)

    def turn(self, way: Way) -> None:
        """Aims at the next port that way; the aim stays where there is none."""
        self._typed = ""
        rows = range(self._row + way.step, len(self._ends) if way.step > 0 else -1, way.step)[:PATIENCE]
        is_any = way in (Way.UP, Way.DOWN)
        found = next((row for row in rows if is_any or self._fits(self._ends[row])), None)
        if found is not None:
            self._aim_at(found)

    def type(self, text: str) -> None:
        """Aims at the port whose name begins with all letters typed since an arrow key, else with the last ones."""
        for typed in (self._typed + text.lower(), text.lower()):
            rows = [row for row, port in enumerate(self._ends) if self._is_called(port, typed)]
            if rows:
                self._typed = typed
                self._aim_at(next((row for row in rows[:PATIENCE] if self._fits(self._ends[row])), rows[0]))
                return

    def _is_called(self, port: Port, typed: str) -> bool:
        mirror = self.canvas.mirror
        shape = mirror.shapes[mirror.rows[port.block]]
        return any(name.lower().startswith(typed) for name in (str(port), shape.title, shape.name))

    def _aim_at(self, row: int) -> None:
        self._row, self._target, self._asked = row, self._ends[row], None
        self._fit = self._fits(self._target)
        self._end = self.canvas.mirror.port_position(self._target, not self.socket.is_input) or self._end
        self.canvas.say(self._fit.reason)
        self.canvas.update()

    def asks(self) -> bool:
        """Returns whether another wire ends there, which only a second Enter replaces, and says so."""
        asks = bool(self._fit) and self._target in self._taken and self._asked is None
        if asks:
            self._asked = self._target
            self.canvas.say(tr("{port} is connected. Enter again replaces its wire.", port=self._target))
        return asks

    def move(self, pointer: Pointer) -> None:
        """Ignores the pointer."""

    def finish(self, pointer: Pointer) -> None:
        """Connects, with Shift even where it does not fit; a wire without an end is dropped."""
        if self._target is not None:
            self._connect(self._target, pointer.has(Modifiers.ShiftModifier))
        self.canvas.update()


def _pointer(canvas: GestureHost, socket: Socket) -> Pointer:
    """Returns the pointer as it would be if it were on a port."""
    scene = canvas.mirror.port_position(*socket) or canvas.pointer.scene
    return Pointer(scene, canvas.camera.to_view(scene), Modifiers.NoModifier)
