"""Draws a block that is small on the screen: an icon of a fixed size, and its value in little beside it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import BlockShape, Body, text_width
from gradwire.app.canvas.painting.blocks.loop_plot import draw_loop
from gradwire.app.canvas.painting.blocks.slice_picker import sliced_reading
from gradwire.app.canvas.painting.blocks.thumbnails import draw_hatched_wall, draw_reading
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.canvas.painting.monitors.picture_painter import draw_picture
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.drawing import RIGHT, inked, kept
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import fmt, fmt_short
from gradwire.app.look.theme import font
from gradwire.engine.graph.graph import Block, Port

# Units: px of the screen.
ICON, LEFT, EDGE, STRIPE, NUMBER_PX = 14.0, 9.0, 6.0, 3.0, 11


class SmallBody:
    """The painter of small blocks, each with its corner at 0, 0; sizes are those on the screen."""

    def __init__(self, painter: QPainter, mirror: Mirror, look: Look) -> None:
        self._painter, self._mirror, self._look = painter, mirror, look

    def draw_icon(self, shape: BlockShape, has_wall: bool) -> None:
        """Draws the icon at the left, and the wall of a StopGradient at the right."""
        painter, theme = self._painter, self._look.theme
        with kept(painter):
            box = self._to_screen(shape)
            icon = QRectF(LEFT, box.center().y() - ICON / 2 + STRIPE / 2, ICON, ICON)
            draw_icon(painter, icon_name(shape.type), theme.color(color_token(shape.type)), icon)
            if has_wall:
                wall = QRectF(box.right() - 17, 7, 9, box.height() - 14)
                draw_hatched_wall(painter, wall, theme.color("stop.hatch"))

    def draw_value(self, block: Block, shape: BlockShape, is_passed: bool) -> None:
        """Draws the value: a number where that fits, else a picture of the tensor; dots for what is only passed."""
        painter = self._painter
        with kept(painter):
            box = self._to_screen(shape)
            room = box.adjusted(LEFT + ICON + EDGE, STRIPE + EDGE, -EDGE, -EDGE)
            if shape.body is Body.STOP and not is_passed:
                room.setRight(box.right() - 21)
            if is_passed:
                painter.setPen(QPen(self._look.theme.color("text.secondary"), 1.4, Qt.PenStyle.DotLine))
                painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()))
            elif shape.body in (Body.PICTURE, Body.ROWS):
                session = self._mirror.session
                draw_picture(painter, self._look, room, session.part(Monitors).picture(f"{session.prefix}/{block.id}"))
            elif shape.body is Body.LOOP:
                draw_loop(painter, self._look, room, self._mirror.loops.norms(block), has_numbers=False)
            elif room.width() > 8 and room.height() > 6:
                self._draw_reading(block, shape, room)

    def _draw_reading(self, block: Block, shape: BlockShape, room: QRectF) -> None:
        outputs, token = shape.outputs, "text.disabled" if self._look.is_stale else "value"
        port = self._mirror.session.port(Port(block.id, outputs[0].name)) if outputs else None
        reading = port.value if port is not None else None
        if reading is None:
            return
        if reading.size == 1:
            self._draw_number(reading, room, token)
            return
        sliced = sliced_reading(self._mirror, block.id, reading, False)
        if sliced is not None:
            draw_reading(self._painter, self._look, room, sliced, False, token)

    def _draw_number(self, reading: Reading, room: QRectF, token: str) -> None:
        """Draws a number, in short where there is little room; none is cut."""
        item = reading.first[0]
        texts = (str(bool(item))[0],) if reading.dtype == "bool" else (fmt(item), fmt_short(item))
        for text in texts:
            if text_width("mono", NUMBER_PX, 500, text) <= room.width():
                inked(self._painter, self._look.theme.color(token), font=font("mono", NUMBER_PX, 500))
                self._painter.drawText(room, RIGHT, text)
                return

    def _to_screen(self, shape: BlockShape) -> QRectF:
        """Lets the painter draw px of the screen; returns the rectangle of the block there."""
        scale = self._look.reading_scale
        self._painter.scale(1 / scale, 1 / scale)
        return QRectF(QPointF(0, 0), QPointF(shape.width * scale, shape.height * scale))
