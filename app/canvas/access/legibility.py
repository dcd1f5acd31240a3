"""What a person reads on the canvas of a window, found from the texts that are really painted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QWidget

from gradwire.app.canvas.access.text_owners import OwnedText, TextOwners
from gradwire.app.canvas.access.text_recorder import TextRecorder
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Flags, Points, lines_meet, margin, meeting, rect_boxes, segments
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import NEAR, shape_words
from gradwire.engine.autodiff.status import Status
from gradwire.engine.graph.graph import Wire

SMALLEST = 9.5
# Text that is placed at half px may be a little smaller than its size; edges that only touch do not overlap. Units: px.
ROUNDING, TOUCH = 0.05, 0.75
_NUMBER = re.compile(r"[-\N{MINUS SIGN}]?\d*[.,]?\d+(?:e[-\N{MINUS SIGN}+]?\d+)?")


class Shown(NamedTuple):
    """A text that a person reads: the gradient or value of a wire, or the name of a block. Units: px of the window."""

    kind: str
    owner: Wire | str
    text: str
    rect: QRectF


@dataclass(frozen=True)
class Legibility:
    """What is read in a window. `canvas` and the shares go from 0 to 1; sizes are in px.

    `labels` are the texts that count as read. `smallest` is the smallest text of the page in view, 0 without any.
    """

    window: QSize
    zoom: float
    canvas: float
    blocks: int
    wires: int
    gradients: float
    values: float
    names: float
    smallest: float
    overlaps: int
    behind: int
    labels: tuple[Shown, ...]

    def as_json(self) -> dict[str, object]:
        """Returns the report as the command prints it, but for the name of the file."""
        numbers = {name: round(item, 4) for name, item in vars(self).items() if isinstance(item, int | float)}
        found = {"window": [self.window.width(), self.window.height()], **numbers, "smallest": round(self.smallest, 2)}
        return found | {"labels": [_label_json(item) for item in self.labels]}


def read_window(window: QWidget, canvas: Canvas) -> Legibility:
    """Returns what is read in a window as it is; its results should be there and its picture crisp."""
    texts, seen, mirror = painted_texts(canvas), visible_part(window, canvas), canvas.mirror
    in_view = [item for item in texts if item.drawn.rect.intersects(QRectF(canvas.rect()))]
    clashing, overlaps = _clashes(canvas, in_view)
    free = [item for item in in_view if _lies_in(seen, item.drawn.rect)]
    corner = canvas.mapTo(window, QPoint()).toPointF()
    labels = tuple(
        Shown(item.kind, item.owner, item.drawn.text, item.drawn.rect.translated(corner))
        for item in free
        if item.owner is not None and id(item) not in clashing and _is_readable(canvas, item)
    )
    read = {kind: {item.owner for item in labels if item.kind == kind} for kind in ("gradient", "value", "name")}
    return Legibility(
        window=window.size(),
        zoom=canvas.camera.scale,
        canvas=_area(seen) / max(window.width() * window.height(), 1),
        blocks=len(mirror.ids),
        wires=len(mirror.wires),
        gradients=_share(mirror.wires, read["gradient"] | _wires_without_gradient(mirror)),
        values=_share(mirror.wires, read["value"]),
        names=_share(mirror.ids, read["name"] | _blocks_without_name(mirror)),
        smallest=min((item.drawn.px for item in free), default=0.0),
        overlaps=overlaps,
        behind=wires_behind(mirror),
        labels=labels,
    )


def visible_part(window: QWidget, canvas: QWidget) -> QRegion:
    """Returns the part of a canvas that no other widget of the window covers. Units: px of the canvas."""
    found = QRegion(canvas.rect()) & QRegion(QRect(canvas.mapFrom(window, QPoint()), window.size()))
    for _, region in covering(window, canvas):
        found -= region
    return found


def covering(window: QWidget, canvas: QWidget) -> Iterator[tuple[QWidget, QRegion]]:
    """Yields the widgets that lie over a canvas, and the parts that they cover. Units: px of the canvas."""
    for widget in _over(window, canvas):
        area = QRegion(widget.rect()) if widget.mask().isEmpty() else widget.mask()
        yield widget, area.translated(canvas.mapFromGlobal(widget.mapToGlobal(QPoint())))


def wires_behind(mirror: Mirror) -> int:
    """Returns how many wires pass behind a block at which they do not end."""
    if not len(mirror.wires) or not len(mirror.ids):
        return 0
    boxes = rect_boxes(mirror.rects) - margin(TOUCH)
    ends = [{wire.source.block, wire.target.block} for wire in mirror.wires]
    count = 0
    for row, pieces in enumerate(segments(mirror.points)):
        hit = np.flatnonzero(lines_meet(boxes, pieces[:, :2], pieces[:, 2:]).any(axis=0))
        count += any(mirror.ids[block] not in ends[row] for block in hit.tolist())
    return count


def _over(window: QWidget, canvas: QWidget) -> Iterator[QWidget]:
    """Gives the visible widgets above the canvas: those on it, and those that lie over what holds it."""
    yield from (item for item in canvas.children() if isinstance(item, QWidget) and _covers(item))
    inner = canvas
    while inner is not window and (outer := inner.parentWidget()) is not None:
        around = [item for item in outer.children() if isinstance(item, QWidget)]
        yield from (item for item in around[around.index(inner) + 1 :] if _covers(item))
        inner = outer


def _covers(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.isWindow()


# The texts


def painted_texts(canvas: Canvas) -> list[OwnedText]:
    """Paints the page in view once more; returns its texts in px of the view."""
    image = QImage(canvas.size(), QImage.Format.Format_ARGB32_Premultiplied)
    painter = TextRecorder(image)
    with painter:
        owners = TextOwners(canvas, canvas.painted.paint_plainly(painter))
    return [owners.find(item) for item in painter.texts]


def _is_readable(canvas: Canvas, item: OwnedText) -> bool:
    """Returns whether a text is large enough, whole, and says a number or a word."""
    if item.drawn.px < SMALLEST - ROUNDING:
        return False
    if not isinstance(item.owner, Wire):
        return True
    reading = canvas.session.wire(item.owner)
    tensor = None if reading is None else reading.gradient if item.kind == "gradient" else reading.value
    # That a gradient is zero is said by a word, though rounding may have left a number.
    is_flow = reading is not None and reading.status is Status.FLOW
    return says_something(item.drawn.text, tensor if item.kind == "value" or is_flow else None)


def says_something(text: str, tensor: Reading | None) -> bool:
    """Returns whether a text is a word, a shape, or numbers in two significant digits; exact ones may have fewer."""
    if "…" in text or not any(letter.isalnum() for letter in text):
        return False
    if tensor is None or text == shape_words(tensor.shape):
        return True
    exact = {*tensor.first, tensor.norm, tensor.total, tensor.size, tensor.nan, tensor.infinite}
    return all(_has_digits(number, exact) for number in _NUMBER.findall(text))


def _has_digits(number: str, exact: Collection[float]) -> bool:
    plain = number.replace("\N{MINUS SIGN}", "-").replace(",", ".")
    mantissa = plain.partition("e")[0].lstrip("-").replace(".", "").lstrip("0")
    return len(mantissa) >= 2 or any(abs(float(plain) - item) <= NEAR * abs(item) for item in exact)


# What is in the way


def _clashes(canvas: Canvas, texts: Sequence[OwnedText]) -> tuple[set[int], int]:
    """Returns the texts that something crosses, by identity, and the number of pairs of what meets."""
    if not texts:
        return set(), 0
    rects = np.array([item.drawn.rect.adjusted(TOUCH, TOUCH, -TOUCH, -TOUCH).getCoords() for item in texts])
    found = [*_over_texts(rects), *_over_blocks(canvas, texts, rects), *_over_wires(canvas, texts, rects)]
    return {id(texts[row]) for rows in found for row in rows}, len(found)


def _over_texts(rects: Points) -> Iterator[tuple[int, ...]]:
    for row, rect in enumerate(rects):
        for other in np.flatnonzero(meeting(rects[row + 1 :], rect[:2], rect[2:])).tolist():
            yield row, row + 1 + other


def _over_blocks(canvas: Canvas, texts: Sequence[OwnedText], rects: Points) -> Iterator[tuple[int, ...]]:
    """Gives the labels and names that stand on a block, a name also where it is the block's own but half outside."""
    mirror, camera = canvas.mirror, canvas.camera
    blocks = np.array([camera.rect_to_view(QRectF(*rect)).getCoords() for rect in mirror.rects.tolist()]).reshape(-1, 4)
    for row, item in enumerate(texts):
        for block in np.flatnonzero(meeting(blocks, rects[row, :2], rects[row, 2:])).tolist() if item.kind else ():
            if block != item.block:
                yield (row,)


def _over_wires(canvas: Canvas, texts: Sequence[OwnedText], rects: Points) -> Iterator[tuple[int, ...]]:
    """Gives the labels and names beside blocks through which a wire passes that is not their own."""
    mirror, camera = canvas.mirror, canvas.camera
    points = mirror.points * camera.scale + (camera.x, camera.y)
    for row, item in enumerate(texts):
        if item.kind and item.block < 0 and len(points):
            for wire in np.flatnonzero(_crossing(points, rects[row])).tolist():
                if mirror.wires[wire] != item.owner:
                    yield (row,)


def _crossing(points: Points, rect: Points) -> Flags:
    """Returns which wires pass through a rectangle. Shapes: `points` (wires, k, 2), (wires,)."""
    starts, ends = points[:, :-1].reshape(-1, 2), points[:, 1:].reshape(-1, 2)
    return np.any(lines_meet(rect[None], starts, ends).reshape(len(points), -1), axis=1)


# Small helpers


def _wires_without_gradient(mirror: Mirror) -> set[Wire | str]:
    """Returns the wires of integers and booleans, and those without a path to the loss: there is nothing to read."""
    readings = {wire: mirror.session.wire(wire) for wire in mirror.wires}
    silent = (Status.NO_GRADIENT_DTYPE, Status.NO_PATH)
    return {wire for wire, item in readings.items() if item and item.status in silent}


def _blocks_without_name(mirror: Mirror) -> set[Wire | str]:
    """Returns the dots on wires, which have no name."""
    return {name for name, shape in zip(mirror.ids, mirror.shapes, strict=True) if shape.body is Body.REROUTE}


def _share(all_of: Sequence[Wire] | Sequence[str], read: Collection[Wire | str]) -> float:
    return sum(item in read for item in all_of) / len(all_of) if all_of else 1.0


def _area(region: QRegion) -> int:
    rects: list[QRect] = list(region)  # type: ignore[call-overload]  # the stub lacks its iterator
    return sum(rect.width() * rect.height() for rect in rects)


def _lies_in(region: QRegion, rect: QRectF) -> bool:
    whole = rect.toAlignedRect()
    return (QRegion(whole) - region).isEmpty()


def _label_json(item: Shown) -> dict[str, object]:
    place = [round(number, 1) for number in (item.rect.x(), item.rect.y(), item.rect.width(), item.rect.height())]
    found = {"kind": item.kind, "text": item.text, "at": place}
    if isinstance(item.owner, Wire):
        return {"wire": [str(item.owner.source), str(item.owner.target)], **found}
    return {"block": item.owner, **found}
