"""The wires and blocks that the painted texts of a page belong to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QRectF

from gradwire.app.canvas.access.text_recorder import DrawnText
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.page_arrays import box_rect
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.page_labels import label_scale
from gradwire.engine.graph.graph import Wire

KEPT_LETTERS = 8
# How far a name stands from its block at most. Units: px.
NEAR_BLOCK = 40.0


class OwnedText(NamedTuple):
    """A painted text: the `gradient` or `value` of a wire, the `name` of a block, of a fold one of its `layers`, or
    with no kind another one.

    `block` is the row of the block inside which it stands, -1 beside all blocks.
    """

    drawn: DrawnText
    kind: str
    owner: Wire | str | None
    block: int


class TextOwners:
    """The owners of the texts on a canvas; `placed` are the labels that were painted with them."""

    def __init__(self, canvas: Canvas, placed: Mapping[Wire, Placed]) -> None:
        mirror, camera, theme = canvas.mirror, canvas.camera, canvas.page_look.now().theme
        self._value_color, self._name_color = theme.color("value"), theme.color("text.primary")
        self._shapes, self._ids = mirror.shapes, mirror.ids
        self._labels = label_places(canvas, placed)
        self._blocks = [camera.rect_to_view(QRectF(*rect)) for rect in mirror.rects.tolist()]

    def find(self, drawn: DrawnText) -> OwnedText:
        """Returns a text with its owner."""
        middle = drawn.rect.center()
        inside = next((row for row, box in enumerate(self._blocks) if box.contains(middle)), -1)
        name = self._name_of(drawn, inside)
        if name is not None:
            return OwnedText(drawn, "name", name, inside)
        if inside >= 0 and self._shapes[inside].body is Body.FOLD:
            return OwnedText(drawn, "layers", self._ids[inside], inside)
        for wire, boxes in self._labels.items() if inside < 0 else ():
            if any(box.contains(middle) for box in boxes):
                kind = "value" if drawn.color == self._value_color else "gradient"
                return OwnedText(drawn, kind, wire, -1)
        return OwnedText(drawn, "", None, inside)

    def _name_of(self, drawn: DrawnText, inside: int) -> str | None:
        """Returns the block whose name a text is: the one in which it stands, else the nearest of that name."""
        if drawn.color != self._name_color:
            return None
        if inside >= 0:
            return self._ids[inside] if self._is_name(drawn.text, inside) else None
        called_so = [row for row in range(len(self._blocks)) if self._is_name(drawn.text, row)]
        gaps = {row: gap(self._blocks[row], drawn.rect) for row in called_so}
        nearest = min(called_so, key=gaps.__getitem__, default=-1)
        return self._ids[nearest] if gaps.get(nearest, NEAR_BLOCK) < NEAR_BLOCK else None

    def _is_name(self, text: str, row: int) -> bool:
        """Returns whether a text is the title of a block, or the name that stands beside a small one."""
        shape = self._shapes[row]
        names = (shape.title, shape.own_name, f"{shape.title} {shape.own_name}")
        return any(is_name(text, name) for name in names)


def label_places(canvas: Canvas, placed: Mapping[Wire, Placed]) -> dict[Wire, list[QRectF]]:
    """Returns the rectangles of the rows of labels. Units: px of the view."""
    to_view, scale = canvas.camera.rect_to_view, label_scale(canvas.viewport.reading_scale)
    return {wire: [to_view(box_rect(box)) for box in label.rects(scale)] for wire, label in placed.items()}


def is_name(text: str, title: str) -> bool:
    """Returns whether a text is a title, or its beginning of at least 8 letters."""
    start = text.removesuffix("…")
    return text == title or (start != text and len(start) >= KEPT_LETTERS and title.startswith(start))


def gap(a: QRectF, b: QRectF) -> float:
    """Returns the distance between two rectangles, 0 where they touch."""
    across = max(a.left() - b.right(), b.left() - a.right(), 0.0)
    down = max(a.top() - b.bottom(), b.top() - a.bottom(), 0.0)
    return math.hypot(across, down)
