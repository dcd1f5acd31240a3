"""Draws what the bodies of blocks show: values, sliders, the loss, the wall of a StopGradient, messages."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen, QTextOption

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import HEADER, PAD, ROW, BlockShape, Body, font_metrics, loss_row
from gradwire.app.canvas.painting.block_problems import told_in_body
from gradwire.app.canvas.painting.blocks.field_painter import draw_field
from gradwire.app.canvas.painting.blocks.fold_painter import FoldPainter
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.blocks.loop_plot import draw_loop
from gradwire.app.canvas.painting.blocks.slice_picker import Picker, draw_picker, picker_of, sliced_reading
from gradwire.app.canvas.painting.blocks.thumbnails import draw_hatched_wall, draw_reading, draw_sliders
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.canvas.painting.monitors.picture_painter import draw_picture
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.look.categories import color_token
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, filled, inked, kept, scaled
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.numbers import fmt, fmt_short, shape_words
from gradwire.app.look.theme import font
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Port
from gradwire.engine.graph.ports import used_page

NUMBERS_ROW, TWO_LINES, OWN_ROW = 12.0, 26.0, 15.0
NUMBER, SMALL, FINE, WORDS = Style("mono", 15, 500), Style("ui", 11), Style("mono", 10), Style("ui", 10)


def number_digits(shape: BlockShape) -> int:
    """Returns in how many digits a block shows its number: the loss, and one that was given, in more."""
    return 4 if shape.role in (Role.SOURCE, Role.LOSS) else 3


class BodyPainter:
    """The painter of the body of one block, with its corner at 0, 0."""

    def __init__(self, painter: QPainter, mirror: Mirror, look: Look, row: int) -> None:
        self._painter, self._mirror, self._look, self._theme = painter, mirror, look, look.theme
        self._shape, self._block = mirror.shapes[row], mirror.blocks[row]
        self._port: PlaceReading | None = None

    def draw(self, is_passed: bool) -> None:
        """Draws the body; `is_passed` says that the block only passes its input on."""
        if self._shape.body is Body.COLLAPSED:
            return
        if self._shape.body is Body.FOLD:
            FoldPainter(self._painter, self._mirror, self._look, self._mirror.folds[self._block.id]).draw()
            return
        if is_passed:
            self._draw_passing()
            return
        self.draw_settings()
        found = told_in_body(self._mirror, self._block.id)
        if self._shape.body is Body.MESSAGE or (found is not None and self._has_room()):
            self._draw_message(found)
            return
        outputs = self._shape.outputs
        self._port = self._mirror.session.port(Port(self._block.id, outputs[0].name)) if outputs else None
        _DRAWN.get(self._shape.body, BodyPainter._draw_value)(self)
        if self._look.is_stale and self._shape.body is not Body.HINT:
            self._draw_stale()

    def draw_settings(self) -> None:
        """Draws what stands above the values: whether a Variable is trained, and the main setting."""
        if self._shape.type is not None and self._shape.type.name == "Variable":
            self._draw_training()
        draw_field(self._painter, self._look, self._block, self._shape)

    def _has_room(self) -> bool:
        """Returns whether a sentence fits; beside the wall of a StopGradient it does not, there the card tells it."""
        return self._shape.body.height >= 26 and self._shape.body is not Body.STOP

    def _value_token(self) -> str:
        return "text.disabled" if self._look.is_stale else "value"

    # Values

    def _draw_value(self) -> None:
        if self._port is not None and self._port.value is not None:
            box, picker = self._shape.body_box, self._picker()
            if picker is not None:
                box = box.adjusted(0, 0, 0, -picker.box.height())
            self._draw_reading(box, self._port.value, self._value_token(), True)

    def _draw_reading(
        self, box: QRectF, reading: Reading, token: str, has_numbers: bool = False, is_gradient: bool = False
    ) -> None:
        """Draws a tensor; of one with a picker, the slice that is picked, which may still be asked for."""
        sliced = sliced_reading(self._mirror, self._block.id, reading, is_gradient)
        if sliced is not None:
            draw_reading(self._painter, self._look, box, sliced, has_numbers, token)

    def _picker(self) -> Picker | None:
        """Draws the picker of slices, if the tensor has several and there is room to read it."""
        picker = picker_of(self._mirror, self._block.id)
        if picker is not None:
            draw_picker(self._painter, self._look, picker)
        return picker

    def _draw_number(self) -> None:
        painter, box, style = self._painter, self._shape.body_box, NUMBER.inked(self._value_token())
        text = "" if self._port is None or self._port.value is None else self._number_text(self._port.value)
        used = draw_number(painter, self._look, box.adjusted(0, 0, -2, 0), RIGHT, text, style)
        if self._shape.chip:
            room = QRectF(box.left() + 1, box.top(), box.width() - used - 10, box.height())
            draw_text(painter, self._look, room, LEFT, self._shape.chip, SMALL)

    def _draw_numbers(self) -> None:
        """Draws the few numbers of a constant, in the first form that has room; bars where none has."""
        row, reading = self._shape.body_box.adjusted(4, 0, 0, 0), None if self._port is None else self._port.value
        numbers = () if reading is None else reading.first
        token = self._value_token() if all(map(math.isfinite, numbers)) else "alarm"
        for style, gap, digits in ((NUMBER, "  ", 3), (NUMBER, " ", 3), (FINE, " ", 3), (FINE, " ", 2)):
            text = gap.join(fmt_short(item, digits) for item in numbers)
            if draw_number(self._painter, self._look, row, LEFT, text, style.inked(token)):
                return
        self._draw_value()

    def _number_text(self, reading: Reading) -> str:
        if reading.dtype == "bool":
            return tr("true") if reading.first[0] else tr("false")
        return fmt(reading.first[0], number_digits(self._shape))

    @property
    def _gradient(self) -> Reading | None:
        """The gradient of the first output, where it is to be shown."""
        is_shown = self._port is not None and self._mirror.shows_gradient(self._block.id)
        return self._port.gradient if self._port is not None and is_shown else None

    def _draw_sliders(self) -> None:
        value = self._mirror.session.page.blocks[self._block.id].parameters.get("value")
        gradient = self._gradient
        gradients = None if gradient is None else gradient.first
        bounds = self._mirror.slider_range(self._block.id)
        numbers = [float(item) for item in value.reshape(-1)] if hasattr(value, "reshape") else []
        draw_sliders(self._painter, self._look, self._shape, numbers, gradients, bounds)

    def _draw_training(self) -> None:
        """Writes beside the output of a Variable whether training changes it."""
        is_trained = self._block.parameters.get("trainable", True) is True
        icon, text = ("refresh", tr("trainable")) if is_trained else ("lock", tr("frozen"))
        left = self._shape.body_box.left()
        row = QRectF(left, HEADER + PAD, self._left_of_output() - left, ROW)
        color = self._theme.color("grad.text" if is_trained else "text.secondary")
        draw_icon(self._painter, icon, color, QRectF(row.left(), row.center().y() - 6, 12, 12))
        draw_text(self._painter, self._look, row.adjusted(17, 0, 0, 0), LEFT, text, SMALL)

    def _left_of_output(self) -> float:
        """Returns the left edge of the shape beside the first output, and of its dtype at close range."""
        spec = self._mirror.spec_of(self._block.id, self._shape.outputs[0])
        text = shape_words(None if spec is None else spec.shape) + (" f64" if self._look.level is Level.DETAIL else "")
        return self._shape.width - 16 - FINE.width(text, self._look)

    def _draw_trainable(self) -> None:
        box = self._shape.body_box
        half = (box.height() - 8) / 2
        self._picker()
        rows = (tr("value"), self._port and self._port.value, "value"), ("∂L", self._gradient, "grad.text")
        for index, (label, reading, token) in enumerate(rows):
            top = box.top() + index * (half + 8)
            row, style = QRectF(box.left(), top, box.width(), 13), FINE.inked(token if index else "text.tertiary")
            if index and reading is not None:
                draw_number(self._painter, self._look, row, RIGHT, f"|∂L| {fmt(reading.norm)}", style)
            draw_text(self._painter, self._look, QRectF(row.topLeft(), QSizeF(40, 13)), LEFT, label, style)
            if reading is not None:
                area = QRectF(box.left(), top + 14, box.width(), half - 14)
                self._draw_reading(area, reading, token, is_gradient=index == 1)

    # Special blocks

    def _draw_picture(self) -> None:
        session, box = self._mirror.session, self._shape.body_box
        picture = session.part(Monitors).picture(f"{session.prefix}/{self._block.id}")
        draw_picture(self._painter, self._look, box, picture, self._value_token())
        if any(not port.is_connected for port in self._shape.inputs[:1]):
            self._draw_hint()

    def _draw_loss(self) -> None:
        painter, look, box = self._painter, self._look, self._shape.body_box
        painter.setPen(QPen(self._theme.color("border.subtle"), 1))
        painter.drawLine(QLineF(box.left(), box.top() + 3, box.right(), box.top() + 3))
        value = "?" if self._port is None or self._port.value is None else fmt(self._port.value.first[0])
        is_used, row = self._mirror.is_used_loss(self._block.id), loss_row(self._shape)
        used = draw_number(painter, look, row, RIGHT, value, NUMBER.inked(self._value_token())) + 6
        name, style = ("L", SMALL) if is_used else (tr("click to use"), SMALL.inked("accent"))
        draw_text(painter, look, row.adjusted(0, 0, -used, 0), LEFT, name, style)

    def _draw_stop(self) -> None:
        painter, box = self._painter, self._shape.body_box
        wall = QRectF(self._shape.width - 17 - 13, HEADER + 1, 13, self._shape.height - HEADER - 4)
        draw_hatched_wall(painter, wall, self._theme.color("stop.hatch"))
        room = wall.left() - box.left() - 6
        row = QRectF(box.left() + 2, box.top(), room, box.height() - 2)
        used = 0.0
        if self._port is not None and self._port.value is not None and self._port.value.size == 1:
            text, style = self._number_text(self._port.value), NUMBER.inked(self._value_token())
            used = draw_number(painter, self._look, row, LEFT, text, style) + 12
        style = Style("mono", 11, token="text.primary")
        draw_number(painter, self._look, row.adjusted(used, 0, 0, 0), LEFT, "∂ → 0", style)

    def _draw_page(self) -> None:
        """Draws a little picture of the used page: its blocks as coloured rectangles."""
        painter, theme, box = self._painter, self._theme, self._above_own_gradient().adjusted(0, 2, 0, -4)
        painter.fillRect(box, theme.color("bg.sunken"))
        page = used_page(self._mirror.session.graph, self._block)
        placed = [item for item in page.blocks.values() if item.at is not None] if page is not None else []
        if not placed:
            return
        corners = np.array([item.at for item in placed], float)
        (left, top), (right, bottom) = corners.min(axis=0).tolist(), np.add(corners.max(axis=0), (144, 96)).tolist()
        scale = min((box.width() - 8) / max(right - left, 1), (box.height() - 8) / max(bottom - top, 1), 0.2)
        from_left = box.center().x() - (right - left) * scale / 2
        from_top = box.center().y() - (bottom - top) * scale / 2
        for item, (x, y) in zip(placed, corners.tolist(), strict=True):
            at = QPointF(from_left + (x - left) * scale, from_top + (y - top) * scale)
            color = theme.color(color_token(library.get(item.type)))
            painter.fillRect(QRectF(at, QSizeF(max(144 * scale, 3), max(90 * scale, 2))), color)

    def _above_own_gradient(self) -> QRectF:
        """Writes at the bottom that the used page has its own gradient, if so; returns the room above."""
        page, box = used_page(self._mirror.session.graph, self._block), self._shape.body_box
        if page is None or page.gradient is None:
            return box
        row = QRectF(box.left() + 1, box.bottom() - OWN_ROW, box.width() - 2, OWN_ROW)
        draw_text(self._painter, self._look, row, LEFT, tr("∂ own gradient"), WORDS.inked("grad.text"))
        return box.adjusted(0, 0, 0, -OWN_ROW)

    def _draw_loop(self) -> None:
        box, norms = self._above_own_gradient().adjusted(0, 2, 0, 0), self._mirror.loops.norms(self._block)
        draw_loop(self._painter, self._look, box, norms)

    # States

    def _draw_hint(self) -> None:
        missing = next((item.name for item in self._shape.inputs if not item.is_connected), "")
        text, style = tr("connect {port}", port=missing), WORDS.inked("text.tertiary")
        draw_text(self._painter, self._look, self._shape.body_box, CENTRE, text, style)

    def _draw_passing(self) -> None:
        """Draws a dotted line from the input to the output, and names in words what passes."""
        painter, y = self._painter, HEADER + PAD + 10
        painter.setPen(QPen(self._theme.color("text.secondary"), 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(10, y, self._shape.width - 10, y))
        draw_text(painter, self._look, self._shape.body_box, CENTRE, self._passing_words(), WORDS)

    def _passing_words(self) -> str:
        """Returns which input each output passes on."""
        if self._shape.role is Role.STOP:
            return tr("gradient passes")
        session = self._mirror.session
        passing = session.inferred.passing.get(f"{session.prefix}/{self._block.id}", {})
        ways = ", ".join(f"{name} → {output}" for output, name in passing.items())
        return tr("muted: {ways}", ways=ways) if ways else tr("muted")

    def _draw_message(self, notice: Problem | None) -> None:
        kind = "error" if notice is None or notice.severity == "error" else "warn"
        painter, theme = self._painter, self._theme
        box = self._shape.body_box.adjusted(-2, 0, 2, 0)
        filled(painter, theme.color(f"{kind}.bg")).drawRoundedRect(box, 4, 4)
        text = tr("This block cannot be computed.") if notice is None else tr_sentence(notice.message)
        grow = self._look.growth(10)
        inked(painter, theme.color(kind), font=font("ui", 10))
        option = QTextOption(LEFT)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        # Below a number there is room for two lines, but not for a margin too.
        margin = min(3, (box.height() - TWO_LINES) / 2)
        inner = box.adjusted(6, margin, -6, -margin)
        with scaled(painter, inner.topLeft(), grow):
            inner = QRectF(0, 0, inner.width() / grow, inner.height() / grow)
            painter.drawText(inner, _fitting(text, inner), option)

    def _draw_stale(self) -> None:
        """Cuts through the value: it is that of an older graph; numbers below bars can still be read."""
        painter, box = self._painter, self._shape.body_box
        if self._shape.body is Body.BARS:
            box = box.adjusted(0, 0, 0, -NUMBERS_ROW)
        with kept(painter):
            painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
            painter.setPen(QPen(self._theme.color("bg.raised"), 3))
            for offset in np.arange(0, box.width() + box.height(), 9).tolist():
                start = QPointF(box.left() + offset, box.top())
                painter.drawLine(QLineF(start, start + QPointF(-box.height(), box.height())))


def _fitting(text: str, box: QRectF) -> str:
    """As much of a text as fits into a box, with an ellipsis; the whole is in the panel and the tooltip."""
    metrics = font_metrics("ui", 10, 400)
    room = QRectF(0, 0, box.width(), 10_000)
    flags = Qt.TextFlag.TextWordWrap
    if metrics.boundingRect(room, flags, text).height() <= box.height() + 1:
        return text
    words = text.split()
    while len(words) > 1:
        words.pop()
        shorter = " ".join(words) + " …"
        if metrics.boundingRect(room, flags, shorter).height() <= box.height() + 1:
            return shorter
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())


_DRAWN = {
    Body.HINT: BodyPainter._draw_hint,
    Body.LOSS: BodyPainter._draw_loss,
    Body.STOP: BodyPainter._draw_stop,
    Body.PAGE: BodyPainter._draw_page,
    Body.LOOP: BodyPainter._draw_loop,
    Body.NUMBER: BodyPainter._draw_number,
    Body.NUMBERS: BodyPainter._draw_numbers,
    Body.SLIDER: BodyPainter._draw_sliders,
    Body.SLIDERS: BodyPainter._draw_sliders,
    Body.TRAINABLE: BodyPainter._draw_trainable,
    Body.PICTURE: BodyPainter._draw_picture,
    Body.ROWS: BodyPainter._draw_picture,
}
