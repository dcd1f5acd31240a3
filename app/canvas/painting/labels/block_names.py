"""The names of blocks that are too small on the screen to hold them: below, above or beside the block."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Flags, Points, Rows, rect_boxes, segments
from gradwire.app.canvas.geometry.shapes import HEADER, Body, text_width
from gradwire.app.canvas.painting.annotations import title_rects
from gradwire.app.canvas.painting.labels.label_places import Surroundings
from gradwire.app.canvas.painting.labels.labels import Box
from gradwire.app.canvas.painting.look import Level, Look, level_at
from gradwire.app.look.drawing import scaled
from gradwire.app.look.theme import font

NAME_PX, HEIGHT, GAP = 11, 14.0, 2.0
# Letters need no more: between two rows of blocks a name may keep closer to its block. Units: px at 100 %.
TIGHT_HEIGHT, TIGHT_GAP = 12.0, 1.0
# All names of a page of so many blocks find their places together.
TOGETHER = 400
# Names stand within this reach of their blocks. Units: px at 100 %.
REACH = 160.0
# In a block of this height a name fits below its number. Units: px of the screen.
TALL = 46.0
# So far below the middle of its line a name is drawn. Units: px of the screen.
OFF_MIDDLE = 0.01
# A name may be shortened, but so many of its characters stay.
STAY = 8
_PICTURES = (Body.NONE, Body.BARS, Body.CURVE, Body.HEAT, Body.PAGE, Body.TRAINABLE)


class Named(NamedTuple):
    """The name of a block, by its row, with the text that is shown of it and its rectangle in the scene."""

    row: int
    name: str
    text: str
    rect: Box

    def moved(self, dx: float, dy: float) -> Named:
        """Returns it elsewhere."""
        left, top, right, bottom = self.rect
        return self._replace(rect=(left + dx, top + dy, right + dx, bottom + dy))


class BlockNames:
    """The names of one page's small blocks, placed anew when something has moved or the zoom changes."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._geometry, self._scale = -1, 0.0
        # With the corner of the block for which each was found, and its title and own name.
        self._found: dict[int, tuple[Named, tuple[float, float], tuple[str, str]]] = {}
        self._before: dict[int, Named] = {}
        self._changes: list[Box] = []

    def place(self, look: Look, blocks: Rows, is_moving: bool = False) -> list[Named]:
        """Returns the names of some blocks, each where it finds room; none where blocks hold them.

        While something `is_moving`, names move with their blocks.
        """
        mirror = self._mirror
        is_small = len(mirror.ids) <= TOGETHER
        if look.level >= Level.FULL:
            return []
        if look.reading_scale != self._scale or (mirror.geometry != self._geometry and not is_moving):
            self._before |= {row: named for row, (named, *_) in self._found.items()}
            self._scale, self._geometry, self._found = look.reading_scale, mirror.geometry, {}
        # All names of a page find their places together, so that these do not depend on what is painted first.
        wanted = range(len(mirror.ids)) if is_small else blocks.tolist()
        missing = [row for row in wanted if not self._is_known(row)]
        if missing:
            self._find_all(missing, 1 / look.reading_scale)
        rows = [row for row in blocks.tolist() if row in self._found]
        return [self._beside(row) for row in rows]

    def take_changes(self) -> list[Box]:
        """Returns the areas in which names have come or gone since the last call, as left, top, right, bottom."""
        changes, self._changes = self._changes, []
        return changes

    def _is_known(self, row: int) -> bool:
        shape = self._mirror.shapes[row]
        known = self._found.get(row)
        return shape.body in (Body.REROUTE, Body.FOLD) or (known is not None and known[2] == shape[1:3])

    def _name(self, row: int) -> str:
        """Returns the type and the own name of a block, or the type, where it is as wide as that; else its own name."""
        shape, width = self._mirror.shapes[row], self._mirror.rects[row, 2] * self._scale
        # A lone letter says too little.
        if shape.title == shape.own_name or (shape.is_known_by_name and len(shape.own_name) > 1):
            return shape.own_name
        names = (f"{shape.title} {shape.own_name}", shape.title)
        return next((name for name in names if _width(name) <= width), shape.own_name)

    def _beside(self, row: int) -> Named:
        """Returns the name of a block where the block is now."""
        named, (x, y), _ = self._found[row]
        left, top = self._mirror.rects[row, :2].tolist()
        return named if (left, top) == (x, y) else named.moved(left - x, top - y)

    def _find_all(self, rows: list[int], scale: float) -> None:
        mirror, reach = self._mirror, REACH * scale
        rects = mirror.rects
        low, high = rects[rows, :2].min(axis=0) - reach, (rects[rows, :2] + rects[rows, 2:]).max(axis=0) + reach
        area = QRectF(*low.tolist(), *(high - low).tolist())
        blocks, wires = mirror.visible_blocks(area), mirror.visible_wires(area)
        # The old name of a block is no longer in the way of its new one.
        anew = set(rows)
        known = np.array([named.rect for row, (named, *_) in self._found.items() if row not in anew]).reshape(-1, 4)
        lines = segments(mirror.points[wires]).reshape(-1, 4)
        titles = np.array(title_rects(mirror, area, 1 / scale)).reshape(-1, 4)
        around = Surroundings.of(np.concatenate([rect_boxes(rects[blocks]), known, titles]), lines)
        below = self._below(rows, scale)
        # Most names have room below their blocks: these are found in one go.
        free = around.leave_free(below) & (_overlaps(below).sum(axis=1) <= 1)
        around = around.with_rects(below[free])
        for row, box, is_free in zip(rows, below.tolist(), free.tolist(), strict=True):
            if is_free:
                name = self._name(row)
                named = Named(row, name, name, tuple(box))
            else:
                named = self._find(row, around, scale)
                around = around.with_rects(np.array([named.rect]))
            left, top = rects[row, :2].tolist()
            before = self._before.pop(row, None) or (self._found[row][0] if row in self._found else None)
            self._found[row] = named, (left, top), mirror.shapes[row][1:3]
            if named != before:
                self._changes += [named.rect, *([before.rect] if before is not None else [])]
        self._changes += [named.rect for named in self._before.values()]
        self._before = {}

    def _below(self, rows: list[int], scale: float) -> Points:
        """Returns the places in the middle below some blocks. Shapes: (n, 4)."""
        rects = self._mirror.rects[rows]
        half = scale / 2 * np.array([_width(self._name(row)) for row in rows])
        middle, top = rects[:, 0] + rects[:, 2] / 2, rects[:, 1] + rects[:, 3] + GAP * scale
        return np.column_stack([middle - half, top, middle + half, top + HEIGHT * scale])

    def _find(self, row: int, around: Surroundings, scale: float) -> Named:
        left, top, width, height = self._mirror.rects[row].tolist()
        name = self._name(row)
        reach = REACH * scale
        near = around.near(np.array([left - reach, top - reach, left + width + reach, top + height + reach]))
        texts = [name, *([f"{name[:STAY]}…"] if len(name) > STAY + 1 else [])]
        rooms = ((HEIGHT, GAP), (TIGHT_HEIGHT, TIGHT_GAP))
        for text, (tall, gap) in itertools.product(texts, rooms):
            boxes = _boxes(left, top, width, height, _width(text) * scale, tall * scale, gap * scale)
            free = near.leave_free(boxes)
            if free.any():
                return Named(row, name, text, tuple(boxes[int(free.argmax())].tolist()))
        # It stands in its block when there is room nowhere else: at the lower edge if no number is there, else in the
        # header. As many of its letters are left as fit.
        shorter = [f"{name[:end]}…" for end in range(min(STAY, len(name)) - 1, 0, -1)]
        text = next((item for item in (texts[-1], *shorter) if _width(item) * scale <= width), texts[-1][:1])
        used = _width(text) * scale
        shows_number = level_at(1 / scale) is Level.COMPACT and self._mirror.shapes[row].body not in _PICTURES
        is_low = height >= TALL * scale or not shows_number
        middle = left + width / 2
        bottom = top + height - GAP * scale if is_low else top + HEADER / 2 + HEIGHT / 2 * scale
        return Named(row, name, text, (middle - used / 2, bottom - HEIGHT * scale, middle + used / 2, bottom))


def draw_names(painter: QPainter, look: Look, names: Sequence[Named]) -> None:
    """Draws the names of blocks."""
    painter.setPen(look.theme.color("text.primary"))
    for _, _, text, (left, top, right, bottom) in names:
        # Letters stand on whole px: a middle between two must not fall to this or that side after a pan.
        middle = QPointF((left + right) / 2, (top + bottom) / 2 + OFF_MIDDLE / look.scale)
        with scaled(painter, middle, 1 / look.reading_scale):
            painter.setFont(font("ui", NAME_PX, 600))
            painter.drawText(QRectF(-1000, -HEIGHT / 2, 2000, HEIGHT), Qt.AlignmentFlag.AlignCenter, text)


def _overlaps(boxes: Points) -> Flags:
    """Returns which rectangles overlap which, each itself too. Shapes: (n, 4); (n, n)."""
    across = (boxes[:, None, 0] < boxes[:, 2]) & (boxes[:, None, 2] > boxes[:, 0])
    return across & (boxes[:, None, 1] < boxes[:, 3]) & (boxes[:, None, 3] > boxes[:, 1])


def _width(text: str) -> float:
    return text_width("ui", NAME_PX, 600, text) + 4


def _boxes(left: float, top: float, width: float, height: float, used: float, tall: float, gap: float) -> Points:
    """Returns the places for a name, the best first: below, above, to the right, to the left. Shapes: (8, 4)."""
    middle, right, bottom = left + width / 2, left + width, top + height
    below, above, centre = bottom + gap, top - gap - tall, top + height / 2 - tall / 2
    corners = [
        (middle - used / 2, below), (left, below), (right - used, below),
        (middle - used / 2, above), (left, above), (right - used, above),
        (right + 2 * gap, centre), (left - 2 * gap - used, centre),
    ]  # fmt: skip
    return np.array([(x, y, x + used, y + tall) for x, y in corners])
