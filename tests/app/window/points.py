"""The points of a canvas where blocks, ports, sliders and wires are."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.hit_tests import block_at, note_at, port_at, wire_at
from gradwire.engine.graph.graph import Port, Wire


class Points:
    """The places on one canvas. Points are those of the scene unless a name says `view`."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def view(self, scene: QPointF) -> QPointF:
        return self._canvas.camera.to_view(scene)

    def port(self, name: str) -> QPointF:
        """Returns the position of `block.port`: an input if the block has one of that name."""
        port = Port(*name.split("."))
        mirror = self._canvas.mirror
        place = mirror.port_position(port, True) or mirror.port_position(port, False)
        assert place is not None, f"no port {name}"
        return place

    def output(self, name: str) -> QPointF:
        """Returns the position of an output that shares its name with an input."""
        place = self._canvas.mirror.port_position(Port(*name.split(".")), False)
        assert place is not None, f"no output {name}"
        return place

    def title(self, block_id: str) -> QPointF:
        rect = self._canvas.mirror.rect(block_id)
        return QPointF(rect.left() + 60, rect.top() + 14)

    def body(self, block_id: str) -> QPointF:
        return self._canvas.mirror.rect(block_id).center()

    def edge(self, block_id: str) -> QPointF:
        """The right edge, where the width is dragged."""
        rect = self._canvas.mirror.rect(block_id)
        return QPointF(rect.right() - 1, rect.bottom() - 6)

    def knob(self, block_id: str, index: int = 0, share: float = 0.5) -> QPointF:
        """A point on the track of a slider, 0 at its low end."""
        mirror = self._canvas.mirror
        track = mirror.shapes[mirror.rows[block_id]].slider_track(index).translated(mirror.rect(block_id).topLeft())
        if track.height():
            return QPointF(track.left(), track.bottom() - share * track.height())
        return QPointF(track.left() + share * track.width(), track.top())

    def number(self, block_id: str, index: int = 0) -> QPointF:
        """The middle of the number that belongs to a slider."""
        mirror = self._canvas.mirror
        shape, rect = mirror.shapes[mirror.rows[block_id]], mirror.rect(block_id)
        box = shape.slider_box(index).translated(rect.topLeft())
        is_row = not shape.slider_track(index).height()
        return QPointF(box.center().x(), box.top() + 10 if is_row else box.bottom() - 7)

    def on_wire(self, wire: Wire) -> QPointF:
        """A point of a wire that no block covers."""
        mirror = self._canvas.mirror
        points = mirror.points[mirror.wire_rows[wire]]
        for share in (0.5, 0.4, 0.6, 0.3, 0.7):
            for (ax, ay), (bx, by) in pairwise(points):
                place = QPointF(ax + (bx - ax) * share, ay + (by - ay) * share)
                is_far = abs(bx - ax) + abs(by - ay) > 16
                if is_far and block_at(mirror, place) is None and port_at(mirror, place) is None:
                    return place
        raise AssertionError(f"{wire} is covered")

    def empty(self) -> QPointF:
        """A point of the view with nothing under it."""
        mirror, canvas = self._canvas.mirror, self._canvas
        for y in range(30, canvas.height() - 200, 40):
            for x in range(30, canvas.width() - 30, 40):
                place = canvas.camera.to_scene(QPointF(x, y))
                nothing = block_at(mirror, place) is None and wire_at(mirror, place, 30) is None
                frames = any(box.contains(place) for box in mirror.frames.values())
                if nothing and note_at(mirror, place) is None and port_at(mirror, place, 60) is None and not frames:
                    return place
        raise AssertionError("the page is full")
