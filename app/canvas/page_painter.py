"""Draws a page into any painter: the canvas, thumbnails, PNG, SVG and PDF are the same code."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextOption

from app.canvas.arrays import draw_lines, draw_rects
from app.canvas.block_painter import BlockPainter
from app.canvas.labels import PX, SMALLEST, Label, LabelLayout, Placed, label_of
from app.canvas.layers import Layer, split
from app.canvas.look import Level, Look, Overlay
from app.canvas.mirror import NOTE_PAD, Mirror
from app.canvas.page_arrays import GRID
from app.canvas.routing import segments
from app.canvas.sprites import Sprites
from app.canvas.wire_painter import WirePainter
from app.live.readings import STATUS_ROW
from app.look.categories import color_token
from app.look.theme import font
from engine.graph import Wire
from engine.status import Status

Rows = np.ndarray[Any, np.dtype[np.int64]]


class PagePainter:
    """Draws one page; keeps the places of its labels between two pictures."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.sprites: Sprites | None = None
        self._layout = LabelLayout()

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
        blocks, wires = mirror.visible_blocks(area), mirror.visible_wires(area)
        if hidden or shown is not None:
            blocks, wires = self._chosen(blocks, wires, hidden, shown)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        labels = self._labels(look, wires, area) if look.level >= Level.COMPACT else {}
        notes = mirror.frames.keys() | mirror.notes.keys() if shown is None else frozenset()
        whole = Layer(blocks, wires, labels, notes)
        if look.lit is None:
            self._draw_layer(painter, look, whole, area)
            return labels
        lit, rest = split(mirror, look.lit, whole)
        if look.rest > 0:
            self._draw_layer(painter, look, rest, area)
        if look.rest > 0 and shown is None:
            # A veil in the colour of the canvas is the opacity of all that lies under it, seen once.
            veil = QColor(look.theme.color("bg.canvas"))
            veil.setAlphaF(1 - look.rest)
            painter.fillRect(area, veil)
        self._draw_layer(painter, look, lit, area)
        return labels

    def _draw_layer(self, painter: QPainter, look: Look, layer: Layer, area: QRectF) -> None:
        mirror = self._mirror
        self._draw_frames(painter, look, layer.notes)
        self._draw_notes(painter, look, layer.notes, area)
        if look.level is Level.MAP:
            self._draw_map(painter, look, layer.blocks, layer.wires)
            return
        self._draw_wires(painter, look, layer.wires)
        block_painter = BlockPainter(painter, mirror, look, self.sprites)
        for row in layer.blocks.tolist():
            block_painter.draw(row)
        wire_painter = WirePainter(painter, mirror, look)
        scale = label_scale(look.scale)
        for placed in layer.labels.values():
            wire_painter.draw_label(placed, scale)

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

    # Wires

    def _draw_wires(self, painter: QPainter, look: Look, wires: Rows) -> None:
        if look.level is Level.SHAPE and len(wires) > 300:
            self._draw_wires_in_bulk(painter, look, wires)
            return
        wire_painter = WirePainter(painter, self._mirror, look)
        for row in self._drawing_order(look, wires):
            wire_painter.draw(row)

    def _drawing_order(self, look: Look, wires: Rows) -> list[int]:
        """Large gradients above small ones; those of the hovered block and the selection on top."""
        special = set(self._mirror.wires_of(frozenset([look.hovered_block]))) if look.hovered_block else set()
        chosen = look.selection.wires

        def height(row: int) -> tuple[bool, bool, float]:
            wire = self._mirror.wires[row]
            return wire in chosen or wire == look.hovered_wire, row in special, float(self._mirror.wire_norm[row])

        return sorted(wires.tolist(), key=height)

    def _draw_wires_in_bulk(self, painter: QPainter, look: Look, wires: Rows) -> None:
        """One stroke a wire, all wires of one look in one call."""
        wire_painter = WirePainter(painter, self._mirror, look)
        width = 2 / look.scale
        for rows, pen in self._groups(look, wires, wire_painter):
            pen = QPen(pen)
            pen.setWidthF(max(min(pen.widthF(), 8.0), width) if look.level > Level.MAP else width)
            painter.setPen(pen)
            draw_lines(painter, segments(self._mirror.points[rows]).reshape(-1, 4))

    def _groups(self, look: Look, wires: Rows, wire_painter: WirePainter) -> Iterable[tuple[Rows, QPen]]:
        statuses = self._mirror.wire_status[wires]
        flow = STATUS_ROW[Status.FLOW]
        for status in np.unique(statuses):
            rows = wires[statuses == status]
            if status == flow and look.overlay in (Overlay.MAGNITUDE, Overlay.SIGN):
                key = self._buckets(look, rows)
                for bucket in np.unique(key):
                    inside = rows[key == bucket]
                    yield inside, wire_painter.pens(int(inside[len(inside) // 2]))[0]
            elif len(rows):
                yield rows, wire_painter.pens(int(rows[0]))[0]

    def _buckets(self, look: Look, rows: Rows) -> Rows:
        """Wires that look nearly the same: eight widths, or two signs."""
        if look.overlay is Overlay.SIGN:
            return np.sign(self._mirror.wire_total[rows]).astype(np.int64)
        norms = np.maximum(self._mirror.wire_norm[rows], 1e-300)
        t = 1 - (np.log10(self._mirror.top) - np.log10(norms)) / self._mirror.span
        found: Rows = (np.clip(t, 0, 1) * 7).astype(np.int64)
        return found

    # Labels

    def _labels(self, look: Look, wires: Rows, area: QRectF) -> dict[Wire, Placed]:
        mirror = self._mirror
        if not len(wires):
            return {}
        order = [mirror.wires[row] for row in reversed(self._drawing_order(look, wires)) if row not in mirror.broken]
        near = mirror.visible_blocks(area, 200)
        rects = mirror.rects[near]
        obstacles = np.concatenate([rects[:, :2] - (8, 5), rects[:, :2] + rects[:, 2:] + (8, 5)], axis=1)
        titles = [(box.left() + 8, box.top(), box.left() + 160, box.top() + 26) for box in mirror.frames.values()]
        notes = [(box.left(), box.top(), box.right(), box.bottom()) for box in mirror.notes.values()]
        if titles or notes:
            obstacles = np.concatenate([obstacles, np.array([*titles, *notes])])
        scale = label_scale(look.scale)
        key = (mirror.geometry, look.level, round(scale, 4), look.overlay, look.shows_both)
        pairs = [(wire, mirror.points[mirror.wire_rows[wire]]) for wire in order]
        lines = segments(mirror.points[wires]).reshape(-1, 4)
        return self._layout.place(key, pairs, lambda wire: self._label(look, wire), obstacles, lines, scale)

    def _label(self, look: Look, wire: Wire) -> Label:
        session = self._mirror.session
        results = session.results
        other = None
        if look.shows_both and results is not None and results.without_stops is not None:
            other = results.without_stops.wire(session.link(wire))
        has_gradient = look.overlay is not Overlay.OFF
        return label_of(session.wire(wire), look.level, has_gradient, look.is_stale, other)

    # Far away

    def _draw_map(self, painter: QPainter, look: Look, blocks: Rows, wires: Rows) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(wires) < 4000)
        self._draw_wires_in_bulk(painter, look, wires)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        by_token: dict[str, list[int]] = {}
        for row in blocks.tolist():
            block = self._mirror.blocks[row]
            if block.id in look.selection.blocks:
                token = "accent"
            elif self._mirror.has_error(block.id):
                token = "error"
            else:
                token = color_token(self._mirror.shapes[row].type)
            by_token.setdefault(token, []).append(row)
        for token, rows in by_token.items():
            painter.setBrush(look.theme.color(token))
            draw_rects(painter, self._mirror.rects[rows])

    # Frames and notes

    def _draw_frames(self, painter: QPainter, look: Look, chosen: Set[str]) -> None:
        theme = look.theme
        titles = {frame.id: frame.title for frame in self._mirror.session.page.frames}
        boxes = [item for item in self._mirror.frames.items() if item[0] in chosen]
        for name, box in sorted(boxes, key=lambda item: -item[1].width() * item[1].height()):
            is_chosen = name in look.selection.frames
            painter.setPen(
                QPen(theme.color("accent" if is_chosen else "border.subtle"), 2 if is_chosen else theme.line)
            )
            painter.setBrush(theme.color("bg.frame"))
            painter.drawRoundedRect(box, 10, 10)
            if look.scale * 11 >= 8.5:
                painter.setFont(font("ui", 11, 500))
                painter.setPen(theme.color("text.secondary"))
                text = QFontMetricsF(font("ui", 11, 500)).elidedText(
                    titles.get(name, ""), Qt.TextElideMode.ElideRight, box.width() - 24
                )
                painter.drawText(QPointF(box.left() + 12, box.top() + 18), text)

    def _draw_notes(self, painter: QPainter, look: Look, chosen: Set[str], area: QRectF) -> None:
        theme = look.theme
        texts = {note.id: note.text for note in self._mirror.session.page.notes}
        for name, box in self._mirror.notes.items():
            if name not in chosen or not box.intersects(area):
                continue
            is_chosen = name in look.selection.notes
            painter.setPen(
                QPen(theme.color("accent" if is_chosen else "border.subtle"), 2 if is_chosen else theme.line)
            )
            painter.setBrush(theme.color("bg.frame"))
            painter.drawRoundedRect(box, 6, 6)
            if look.scale * 12 < 8.5:
                continue
            title, _, rest = texts.get(name, "").partition("\n")
            inner = box.adjusted(NOTE_PAD, NOTE_PAD, -NOTE_PAD, -NOTE_PAD)
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WordWrap)
            painter.setFont(font("ui", 12, 600))
            painter.setPen(theme.color("text.primary"))
            painter.drawText(inner, title, option)
            if look.scale * 11 < 8.5:
                continue
            flags = Qt.TextFlag.TextWordWrap
            used = QFontMetricsF(font("ui", 12, 600)).boundingRect(inner, flags, title or " ").height()
            painter.setFont(font("ui", 11))
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(inner.adjusted(0, used + 4, 0, 2), rest, option)


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
    side = 2.0 / max(look.scale, 0.5)
    grid = np.empty((len(xs) * len(ys), 4))
    grid[:, 0], grid[:, 1] = np.repeat(xs, len(ys)) - side / 2, np.tile(ys, len(xs)) - side / 2
    grid[:, 2:] = side
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.theme.color("bg.grid"))
    draw_rects(painter, grid)
