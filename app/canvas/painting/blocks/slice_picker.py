"""The picker on blocks with a tensor of rank 3 or more: which slice their heat map shows, and the way to others."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.painting.block_problems import told_in_body
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_text
from gradwire.app.canvas.painting.blocks.slice_maps import SliceMaps
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.drawing import CENTRE
from gradwire.app.look.icons import draw_icon
from gradwire.engine.graph.graph import Port

STRIP, LABEL_ROW, ARROW = 18.0, 14.0, 10.0
# A finger needs more than what is drawn. Units: px at 100 %.
TARGET, _BESIDE = 24.0, 96.0
_BODIES = (Body.HEAT, Body.BARS, Body.TRAINABLE)


class Picker(NamedTuple):
    """The picker of a block: its box from the block's corner, the picked slice, and the number of slices.

    `sizes` are those of the leading axes, all but the last two.
    """

    port: Port
    sizes: tuple[int, ...]
    picked: int
    box: QRectF

    @property
    def slices(self) -> int:
        """How many slices there are."""
        return math.prod(self.sizes)

    @property
    def text(self) -> str:
        """The index of the slice, as NumPy writes it: `[0]`, `[1, 2]`."""
        return f"[{', '.join(str(item) for item in np.unravel_index(self.picked, self.sizes))}]"

    def way_at(self, at: QPointF) -> int:
        """Returns which way a click at a point leads: −1 back, 1 on, 0 nowhere."""
        grown = (TARGET - self.box.height()) / 2
        if not self.box.adjusted(0, -grown, 0, grown).contains(at):
            return 0
        near = min(TARGET, self.box.width() / 2)
        return -1 if at.x() <= self.box.left() + near else 1 if at.x() >= self.box.right() - near else 0


def picker_of(mirror: Mirror, block_id: str) -> Picker | None:
    """Returns the picker of a block; None for one without a heat map of several slices."""
    shape = mirror.shapes[mirror.rows[block_id]]
    if shape.body not in _BODIES or not shape.outputs or told_in_body(mirror, block_id) is not None:
        return None
    port = Port(block_id, shape.outputs[0].name)
    spec = mirror.session.spec(port)
    if spec is None or spec.ndim < 3 or math.prod(spec.shape[:-2]) < 2:
        return None
    sizes = spec.shape[:-2]
    picked = min(mirror.session.part(SliceMaps).picked(mirror.session.port_name(port)), math.prod(sizes) - 1)
    return Picker(port, sizes, picked, _box(shape.body, shape.body_box))


def _box(body: Body, box: QRectF) -> QRectF:
    if body is Body.TRAINABLE:
        # Beside the word that stands above the values.
        return QRectF(box.right() - _BESIDE, box.top(), _BESIDE, LABEL_ROW)
    return QRectF(box.left(), box.bottom() - STRIP, box.width(), STRIP)


def has_slices(mirror: Mirror, block_id: str) -> bool:
    """Returns whether a block has a picker of slices."""
    return block_id in mirror.rows and picker_of(mirror, block_id) is not None


def step_slice(mirror: Mirror, block_id: str, steps: int) -> None:
    """Picks the slice some steps on; the first and the last one are the ends."""
    picker = picker_of(mirror, block_id) if block_id in mirror.rows else None
    if picker is not None:
        wanted = min(max(picker.picked + steps, 0), picker.slices - 1)
        mirror.session.part(SliceMaps).pick(mirror.session.port_name(picker.port), wanted)


def sliced_reading(mirror: Mirror, block_id: str, reading: Reading, is_gradient: bool) -> Reading | None:
    """Returns a reading with the picked slice as its thumbnail; None as long as that is not known."""
    picker = picker_of(mirror, block_id)
    if picker is None or not picker.picked:
        return reading
    found = mirror.session.part(SliceMaps).thumbnail(mirror.session.port_name(picker.port), is_gradient)
    return None if found is None else reading._replace(thumbnail=found)


def draw_picker(painter: QPainter, look: Look, picker: Picker) -> None:
    """Draws the index of the slice between two arrows; the one that leads nowhere is faint."""
    theme, box = look.theme, picker.box
    middle = box.center().y() - ARROW / 2
    inset = (TARGET - ARROW) / 2
    for icon, left, leads_on in (
        ("chev-left", box.left() + inset, picker.picked > 0),
        ("chev-right", box.right() - inset - ARROW, picker.picked < picker.slices - 1),
    ):
        color = theme.color("text.secondary" if leads_on else "text.disabled")
        draw_icon(painter, icon, color, QRectF(left, middle, ARROW, ARROW))
    inner = box.adjusted(inset + ARROW, 0, -inset - ARROW, 0)
    draw_text(painter, look, inner, CENTRE, picker.text, Style("mono", 11))
