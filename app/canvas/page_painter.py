"""Draws a page into any painter: the canvas, thumbnails, PNG, SVG and PDF are the same code."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from app.canvas.annotations import draw_frames, draw_notes, title_rects
from app.canvas.arrays import draw_whole_rects
from app.canvas.block_painter import BlockPainter
from app.canvas.far_painter import draw_far
from app.canvas.far_wires import FarWires
from app.canvas.label_layout import LabelLayout
from app.canvas.labels import PX, SMALLEST, Label, Placed, label_of
from app.canvas.layers import Layer, split
from app.canvas.look import Level, Look, Overlay
from app.canvas.mirror import Mirror
from app.canvas.page_arrays import BLOCK_REACH, GRID
from app.canvas.routing import Points, segments
from app.canvas.sprites import Grain, Sprite, Sprites
from app.canvas.wire_painter import WirePainter
from app.canvas.wire_strokes import draw_in_groups, draw_strokes
from app.live.session import NOTHING, Selection
from engine.graph import Wire

LABELS_A_STEP = 24
BLOCK_PAD = BLOCK_REACH - 2
Rows = np.ndarray[Any, np.dtype[np.int64]]


class PagePainter:
    """Draws one page; keeps the places of its labels between two pictures, and on a screen pictures of what it drew."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.sprites: Sprites | None = None
        self._layout = LabelLayout()
        self._far = FarWires()
        self._wires = mirror.wires
        self._texts: dict[int, tuple[int, Label]] = {}
        self._texts_key: object = None
        self._states: dict[int, tuple[object, tuple[object, ...]]] = {}

    def draw(
        self,
        painter: QPainter,
        look: Look,
        area: QRectF,
        hidden: frozenset[str] = frozenset(),
        shown: frozenset[str] | None = None,
    ) -> dict[Wire, Placed]:
        """Draws what lies in an area of the scene, the painter being in scene coordinates; gives the labels.

        `hidden` blocks and their wires are left out (they are being dragged); with `shown` only those are drawn.
        """
        mirror = self._mirror
        blocks, wires = self._visible(look, area, hidden, shown)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        labels = self._settled(look, area, hidden, wires)
        notes = mirror.frames.keys() | mirror.notes.keys() if shown is None else frozenset()
        whole = Layer(blocks, wires, labels, notes)
        if look.lit is None:
            self._draw_layer(painter, look, whole, area)
        else:
            self._draw_dimmed(painter, look, look.lit, whole, area, has_veil=shown is None)
        return {mirror.wires[row]: placed for row, placed in labels.items()}

    def _draw_dimmed(
        self, painter: QPainter, look: Look, lit: Selection, whole: Layer, area: QRectF, has_veil: bool
    ) -> None:
        """Draws what is lit above all else, which is dimmed."""
        bright, rest = split(self._mirror, lit, whole)
        if look.rest > 0:
            self._draw_layer(painter, look, rest, area)
        if look.rest > 0 and has_veil:
            # A veil in the colour of the canvas is the opacity of all that lies under it, seen once.
            veil = QColor(look.theme.color("bg.canvas"))
            veil.setAlphaF(1 - look.rest)
            painter.fillRect(area, veil)
        self._draw_layer(painter, look, bright, area)

    def _draw_layer(self, painter: QPainter, look: Look, layer: Layer, area: QRectF) -> None:
        """Draws frames and notes, the wires over them, the blocks over those, and the labels over all."""
        draw_frames(painter, self._mirror, look, layer.notes)
        draw_notes(painter, self._mirror, look, layer.notes, area)
        mirror, blocks, wires, labels = self._mirror, layer.blocks, layer.wires, layer.labels
        if look.level is Level.MAP:
            draw_far(painter, mirror, look, blocks, wires, self._far)
            return
        sprites = self._begun(look)
        if look.level is Level.SHAPE:
            draw_in_groups(painter, mirror, look, area, wires, {} if sprites is None else sprites.wires)
        elif sprites is None:
            wire_painter = WirePainter(painter, mirror, look)
            for row in self._drawing_order(look, wires):
                wire_painter.draw(row)
        else:
            draw_strokes(painter, mirror, look, area, self._drawing_order(look, wires), sprites.wires)
        if sprites is None:
            self._draw_shapes(painter, look, blocks, labels)
        else:
            for _ in self._pictures(painter, look, blocks, labels):
                pass

    def _begun(self, look: Look) -> Sprites | None:
        """The pictures for a look, if there are any."""
        if self.sprites is not None:
            self.sprites.begin((_common(look), self._mirror.session.graph.loss), look.scale)
        return self.sprites

    def settle(
        self,
        look: Look,
        area: QRectF,
        hidden: frozenset[str] = frozenset(),
        shown: frozenset[str] | None = None,
    ) -> dict[int, Placed]:
        """Finds places for the labels in an area; gives them by the rows of their wires."""
        return self._settled(look, area, hidden, self._visible(look, area, hidden, shown)[1])

    def _settled(self, look: Look, area: QRectF, hidden: frozenset[str], wires: Rows) -> dict[int, Placed]:
        if look.level < Level.COMPACT:
            return {}
        found: dict[int, Placed] = {}
        for _ in self._placed(look, wires, area, hidden, found, max(len(wires), 1)):
            pass
        return found

    def take_moved_labels(self) -> Points:
        """Where labels have come or gone since this was last asked, as left, top, right, bottom in the scene."""
        return np.array(self._layout.take_changes()).reshape(-1, 4)

    def prepare(self, look: Look, area: QRectF) -> Iterator[None]:
        """Gets everything ready that `draw` will need for an area, in small steps."""
        if self.sprites is None or look.level is Level.MAP:
            return
        blocks, wires = self._visible(look, area, frozenset(), None)
        if look.level >= Level.COMPACT:
            for _ in self._placed(look, wires, area, frozenset(), {}, LABELS_A_STEP):
                yield
        labels = self.settle(look, area)
        yield from self._pictures(None, look, blocks, labels)

    def _visible(
        self, look: Look, area: QRectF, hidden: frozenset[str], shown: frozenset[str] | None
    ) -> tuple[Rows, Rows]:
        mirror = self._mirror
        self._follow_wires()
        blocks, wires = mirror.visible_blocks(area, BLOCK_REACH), mirror.visible_wires(area)
        if look.level >= Level.COMPACT:
            wires = np.union1d(wires, self._layout.touching(area)).astype(np.int64)
        return self._chosen(blocks, wires, hidden, shown) if hidden or shown is not None else (blocks, wires)

    def _chosen(
        self, blocks: Rows, wires: Rows, hidden: frozenset[str], shown: frozenset[str] | None
    ) -> tuple[Rows, Rows]:
        group = hidden if shown is None else shown
        touching = np.zeros(len(self._mirror.wires), bool)
        touching[self._mirror.wires_of(group)] = True
        inside = np.zeros(len(self._mirror.ids), bool)
        inside[[self._mirror.rows[name] for name in group if name in self._mirror.rows]] = True
        if shown is None:
            return blocks[~inside[blocks]], wires[~touching[wires]]
        return blocks[inside[blocks]], wires[touching[wires]]

    def _drawing_order(self, look: Look, wires: Rows) -> list[int]:
        """Large gradients above small ones; those of the hovered block and the selection on top."""
        mirror = self._mirror
        own = mirror.wires_of(frozenset([look.hovered_block])) if look.hovered_block else []
        chosen = [*look.selection.wires, *([look.hovered_wire] if look.hovered_wire is not None else [])]
        rows = [mirror.wire_rows[wire] for wire in chosen if wire in mirror.wire_rows]
        order = np.lexsort((mirror.wire_norm[wires], np.isin(wires, own), np.isin(wires, rows)))
        found: list[int] = wires[order].tolist()
        return found

    # Blocks and labels

    def _draw_shapes(self, painter: QPainter, look: Look, blocks: Rows, labels: Mapping[int, Placed]) -> None:
        block_painter = BlockPainter(painter, self._mirror, look)
        wire_painter = WirePainter(painter, self._mirror, look)
        for row in blocks.tolist():
            block_painter.draw(row)
        for placed in labels.values():
            wire_painter.draw_label(placed, label_scale(look.scale))

    def _pictures(
        self, painter: QPainter | None, look: Look, blocks: Rows, labels: Mapping[int, Placed]
    ) -> Iterator[None]:
        """Makes the pictures of blocks and labels, a step each, and copies them if there is a painter."""
        sprites = self._begun(look)
        assert sprites is not None
        found = []
        for row in blocks.tolist():
            found.append(self._block_picture(sprites, look, row))
            yield
        scale = label_scale(look.scale)
        for row, placed in labels.items():
            found.append(self._label_picture(sprites, look, row, placed, scale))
            yield
        if painter is None or not found:
            return
        middles = np.array([(placed.x, placed.y) for placed in labels.values()]).reshape(-1, 2)
        origins = Grain.of(painter).pixels(np.concatenate([self._mirror.rects[blocks, :2], middles]))
        painter.save()
        painter.resetTransform()
        sprites.copy(painter, found, origins)
        painter.restore()

    def _block_picture(self, sprites: Sprites, look: Look, row: int) -> Sprite:
        mirror = self._mirror
        name, shape = mirror.ids[row], mirror.shapes[row]
        stamp: object = int(mirror.block_stamps[row])
        hot = look.hot_port if look.hot_port is not None and look.hot_port[0].block == name else None
        marks = name in look.selection.blocks, look.hovered_block == name, hot
        slot: object = name
        if look.level is Level.SHAPE:
            stamp = slot = (shape.width, shape.height, *marks, *self._state(look, row))
        known = sprites.known(slot, (stamp, marks))
        if known is not None:
            return known
        box = QRectF(0, 0, shape.width, shape.height).adjusted(-BLOCK_PAD, -BLOCK_PAD, BLOCK_PAD, BLOCK_PAD)
        ground_key = "ground", *BlockPainter(QPainter(), mirror, look).ground_key(row)
        ground = sprites.get(ground_key, None, box, lambda on: BlockPainter(on, mirror, look).draw_ground(row))
        return sprites.get(
            slot, (stamp, marks), box, lambda on: BlockPainter(on, mirror, look).draw_body(row), ground.pixmap
        )

    def _state(self, look: Look, row: int) -> tuple[object, ...]:
        """What is seen of a block far away; looked up again only when the block says something new."""
        stamp, known = int(self._mirror.block_stamps[row]), self._states.get(row)
        if known is None or known[0] != (stamp, look.comparison):
            known = (stamp, look.comparison), BlockPainter(QPainter(), self._mirror, look).state(row)
            self._states[row] = known
        return known[1]

    def _label_picture(self, sprites: Sprites, look: Look, row: int, placed: Placed, scale: float) -> Sprite:
        slot, key = ("label", row), (placed.label, placed.form)
        # Measuring its text would take as long as copying it.
        known = sprites.known(slot, key)
        if known is not None:
            return known
        still = Placed(placed.label, placed.form, 0.0, 0.0, placed.width)
        left, top, right, bottom = still.rect(scale)
        box = QRectF(left, top, right - left, bottom - top).adjusted(-1, -1, 1, 1)
        ground_key = "label ground", *placed.label.ground_key(placed.form), placed.width
        ground = sprites.get(
            ground_key, None, box, lambda on: WirePainter(on, self._mirror, look).draw_label_ground(still, scale)
        )
        return sprites.get(
            slot,
            key,
            box,
            lambda on: WirePainter(on, self._mirror, look).draw_label_numbers(still, scale),
            ground.pixmap,
        )

    # Labels

    def _follow_wires(self) -> None:
        """Keeps the places of labels when the rows of wires are counted anew."""
        mirror = self._mirror
        if mirror.wires is not self._wires:
            known = {row: mirror.wire_rows.get(self._wires[row], -1) for row in self._layout.rows}
            self._layout.rename({old: new for old, new in known.items() if new >= 0})
            self._wires, self._texts, self._states = mirror.wires, {}, {}

    def _placed(
        self, look: Look, wires: Rows, area: QRectF, hidden: frozenset[str], found: dict[int, Placed], at_once: int
    ) -> Iterator[None]:
        """Finds places for the labels of some wires, so many of them a step."""
        mirror = self._mirror
        order = np.array([row for row in reversed(self._drawing_order(look, wires)) if row not in mirror.broken], int)
        lines = segments(mirror.points[wires]).reshape(-1, 4)
        scale = label_scale(look.scale)
        key = (look.level, round(scale, 4), look.overlay, look.comparison, mirror.is_curved)
        texts_key = (look.level, look.overlay is Overlay.OFF, look.is_stale, look.comparison)
        if texts_key != self._texts_key:
            self._texts_key, self._texts = texts_key, {}
        obstacles = self._obstacles(look, area, hidden)
        for start in range(0, len(order), at_once):
            rows = order[start : start + at_once]
            found |= self._layout.place(
                key, rows, mirror.points[rows], lambda row: self._label(look, row), obstacles, lines, scale
            )
            yield

    def _obstacles(self, look: Look, area: QRectF, hidden: frozenset[str]) -> Points:
        """What labels must not lie on: blocks, titles of frames, and notes."""
        mirror = self._mirror
        near = mirror.visible_blocks(area, 200)
        if hidden:
            near = near[[mirror.ids[row] not in hidden for row in near.tolist()]]
        rects = mirror.rects[near]
        obstacles = np.concatenate([rects[:, :2] - (8, 5), rects[:, :2] + rects[:, 2:] + (8, 5)], axis=1)
        titles = title_rects(mirror, area, look.scale)
        notes = [(box.left(), box.top(), box.right(), box.bottom()) for box in mirror.notes.values()]
        return np.concatenate([obstacles, np.array([*titles, *notes])]) if titles or notes else obstacles

    def _label(self, look: Look, row: int) -> Label:
        stamp, known = int(self._mirror.wire_stamps[row]), self._texts.get(row)
        if known is not None and known[0] == stamp:
            return known[1]
        session, wire = self._mirror.session, self._mirror.wires[row]
        results = session.results
        other = None
        if look.comparison is not None and results is not None and results.compared is not None:
            other = results.compared.wire(session.link(wire))
        progress = self._mirror.progress
        if progress is not None and wire in progress.without_label:
            return Label("", None)
        has_gradient = look.overlay is not Overlay.OFF and (progress is None or wire in progress.reached)
        found = label_of(session.wire(wire), look.level, has_gradient, look.is_stale, other)
        if known is not None and known[1] == found:
            found = known[1]
        self._texts[row] = (stamp, found)
        return found


def _common(look: Look) -> Look:
    """What all blocks and labels of a picture have in common."""
    return dataclasses.replace(look, selection=NOTHING, hovered_block=None, hovered_wire=None, hot_port=None)


def label_scale(scale: float) -> float:
    """How large labels are in the scene: on the screen never below 9.5 px."""
    return max(1.0, SMALLEST / (PX * scale))


def draw_grid(painter: QPainter, look: Look, area: QRectF) -> None:
    """Draws the dots of the grid, fewer where they would crowd."""
    step = GRID
    while step * look.scale < 12:
        step *= 2
    if not look.has_grid or look.level is Level.MAP:
        return
    xs = np.arange(np.floor(area.left() / step) * step, area.right() + step, step)
    ys = np.arange(np.floor(area.top() / step) * step, area.bottom() + step, step)
    grain = Grain.of(painter)
    side = max(round(2.0 / max(look.scale, 0.5) * grain.scale), 1)
    across = grain.pixels(np.stack([xs, np.full(len(xs), ys[0])], axis=1))[:, 0] - side // 2
    down = grain.pixels(np.stack([np.full(len(ys), xs[0]), ys], axis=1))[:, 1] - side // 2
    left = int(across[0])
    row = _dots(across - left, side, look.theme.color("bg.grid"))
    painter.save()
    painter.setWorldTransform(grain.to_device())
    for top in down.tolist():
        painter.drawPixmap(left, top, row)
    painter.restore()


def _dots(lefts: Rows, side: int, color: QColor) -> QPixmap:
    """One row of dots: the rows of a grid are alike, and copying one is much faster than drawing its dots."""
    row = QPixmap(int(lefts[-1]) + side, side)
    row.fill(Qt.GlobalColor.transparent)
    with QPainter(row) as painter:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = np.stack([lefts, np.zeros_like(lefts), lefts + side, np.full_like(lefts, side)], axis=1)
        draw_whole_rects(painter, corners)
    return row
