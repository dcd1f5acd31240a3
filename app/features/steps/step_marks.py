"""Step mode on the canvas: the current block, and the pulse that runs back along the wires."""

from __future__ import annotations

from PySide6.QtCore import QAbstractAnimation, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.progress import Mark, Progress, Turn
from gradwire.app.canvas.geometry.shapes import BlockShape, text_width
from gradwire.app.canvas.painting.blocks.block_painter import octagon
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_progress import progress_of
from gradwire.app.live.current_session import SessionView
from gradwire.app.look.drawing import CENTRE, filled, inked, kept
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.motion import make_animation, moves
from gradwire.app.look.theme import font
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Wire

PULSE_MS = 420
RING, DOT, TAIL = 2.5, 7.0, 70.0
# So far along its wire a pulse stands that is at rest, as a share: beside the block that it comes from.
REST = 0.2
BADGE, TAG = 8.5, 20.0
# From the right edge of a StopGradient to its wall: there the pulse ends.
WALL = 23.5


class StepMarks(SessionView, QObject):
    """The marks of step mode in the document that a canvas shows."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas, self.current = canvas, canvas.current
        self._pulse = make_animation(self, self._update)
        self._pulse.finished.connect(self._update)
        canvas.overlays.append(self.paint)
        current = self.current
        call_on(self._show, current.changed, current.of(StepMode).changed, current.page_changed)
        current.of(StepMode).advanced.connect(self._send_pulse)

    @property
    def is_moving(self) -> bool:
        """Whether a pulse is on its way."""
        return self._pulse.state() is QAbstractAnimation.State.Running

    def _show(self, *_: object) -> None:
        """Takes over where step mode is now."""
        self._pulse.stop()
        mirror, progress = self._canvas.mirror, progress_of(self.session)
        if progress is not None or mirror.progress is not None:
            mirror.show_progress(progress)
            self._canvas.painted.repaint()

    def _send_pulse(self) -> None:
        progress = self._canvas.mirror.progress
        if progress is not None and progress.current and moves():
            self._pulse.setDuration(PULSE_MS)
            self._pulse.start()

    def _update(self, *_: object) -> None:
        self._canvas.update()

    # Painting

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the marks of the blocks in view and the pulses, in scene coordinates."""
        mirror = self._canvas.mirror
        progress = mirror.progress
        if progress is None:
            return
        with kept(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            drawing = _Drawing(painter, look, mirror, progress)
            drawing.draw_wires(float(self._pulse.currentValue()) if self.is_moving else None)
            for row in mirror.visible_blocks(self._canvas.viewport.seen, 40).tolist():
                mark = progress.marks.get(mirror.ids[row])
                if mark is not None:
                    drawing.draw_mark(row, mark)


class _Drawing:
    """One picture of the marks; `unit` is as large as 1 px at 100 %, or on the screen where that is larger."""

    def __init__(self, painter: QPainter, look: Look, mirror: Mirror, progress: Progress) -> None:
        self._painter, self._look, self._mirror, self._progress = painter, look, mirror, progress
        self._theme, self._unit = look.theme, max(1.0, 0.9 / look.scale)
        self._ring = look.theme.color("value" if progress.is_forward else "grad.seed")
        self._fill = look.theme.color("value" if progress.is_forward else "grad.text")

    # Blocks

    def draw_mark(self, row: int, mark: Mark) -> None:
        """Draws ring and tag of the current block, a tick on done ones, numbers on later ones."""
        shape, painter = self._mirror.shapes[row], self._painter
        with kept(painter):
            painter.translate(QPointF(*self._mirror.rects[row, :2].tolist()))
            if mark.turn is Turn.CURRENT:
                self._draw_ring(shape)
                self._draw_tag(shape, mark.number)
            elif self._look.level >= Level.COMPACT:
                self._draw_badge(QPointF(shape.width, 0), mark)

    def _draw_ring(self, shape: BlockShape) -> None:
        painter, width, gap = self._painter, RING * self._unit, 2.0 + RING * self._unit / 2
        is_stop = shape.role is Role.STOP
        path = QPainterPath()
        if is_stop:
            path = octagon(shape.width, shape.height, -gap)
        else:
            path.addRoundedRect(QRectF(0, 0, shape.width, shape.height).adjusted(-gap, -gap, gap, gap), 10, 10)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, wide in ((self._theme.color("bg.canvas"), width + 2), (self._ring, width)):
            inked(painter, QPen(color, wide)).drawPath(path)
        if is_stop and not self._progress.is_forward:
            height = shape.outputs[0].y if shape.outputs else shape.height / 2
            self._draw_wall(QPointF(shape.width - WALL, height))

    def _draw_tag(self, shape: BlockShape, number: int) -> None:
        painter, unit = self._painter, self._unit
        text = tr("{number} of {count}", number=number, count=self._progress.count)
        width = (text_width("ui", 11, 600, text) + 20) * unit
        # Where names stand below blocks, there may be one above this.
        out = 7 + TAG if self._look.level >= Level.FULL else TAG / 2
        box = QRectF(shape.width / 2 - width / 2, -out * unit, width, TAG * unit)
        filled(painter, self._fill).drawRoundedRect(box, box.height() / 2, box.height() / 2)
        self._draw_text(box, text, 11, self._theme.color("text.on-accent"), "ui")

    def _draw_badge(self, at: QPointF, mark: Mark) -> None:
        painter, theme, radius = self._painter, self._theme, BADGE * self._unit
        is_done = mark.turn is Turn.DONE
        painter.setPen(QPen(self._ring if is_done else theme.color("border.strong"), 1.4 * self._unit))
        painter.setBrush(theme.color("bg.canvas"))
        painter.drawEllipse(at, radius, radius)
        box = QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)
        if is_done:
            inset = 0.42 * radius
            draw_icon(painter, "check", self._fill, box.adjusted(inset, inset, -inset, -inset))
        else:
            size = 10 if mark.number < 100 else 7.5
            self._draw_text(box, str(mark.number), size, theme.color("text.secondary"), "mono")

    def _draw_text(self, box: QRectF, text: str, px: float, color: QColor, family: str) -> None:
        painter, unit = self._painter, self._unit
        with kept(painter):
            painter.translate(box.center())
            painter.scale(unit, unit)
            inked(painter, color, font=font("mono", px, 500) if family == "mono" else font("ui", px, 600))
            painter.drawText(QRectF(-120, -12, 240, 24), CENTRE, text)

    # Wires

    def draw_wires(self, share: float | None) -> None:
        """Draws what goes along the current wires: pulses that are `share` on their way, or dots at rest."""
        for wire in self._progress.current:
            row = self._mirror.wire_rows.get(wire)
            if row is not None and share is not None:
                self._draw_pulse(row, wire, share)
            elif row is not None:
                self._draw_dot(self._mirror.path(row).pointAtPercent(REST if self._progress.is_forward else 1 - REST))

    def _draw_pulse(self, row: int, wire: Wire, share: float) -> None:
        """Draws the thread before the dot, and the dot with its tail; into a StopGradient it goes on to the wall."""
        path = self._mirror.path(row) if self._progress.is_forward else self._mirror.path(row).toReversed()
        way = path if self._progress.is_forward else self._to_wall(path, wire)
        length = way.length()
        at = length * share
        self._cover(path, min(at, path.length()))
        tail = _piece(way, max(at - TAIL, 0.0), at)
        glow = QColor(self._ring)
        glow.setAlphaF(0.55)
        inked(self._painter, QPen(glow, 9, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap), Qt.BrushStyle.NoBrush)
        self._painter.drawPath(tail)
        self._draw_dot(way.pointAtPercent(way.percentAtLength(at)))

    def _cover(self, path: QPainterPath, start: float) -> None:
        """Shows as a thread what the pulse has not passed yet."""
        rest = _piece(path, start, path.length())
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for token, width in (("bg.canvas", 12.0), ("wire.value", 1.8)):
            self._painter.setPen(QPen(self._theme.color(token), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            self._painter.drawPath(rest)

    def _draw_dot(self, at: QPointF) -> None:
        painter, turn = self._painter, 1 if self._progress.is_forward else -1
        inked(painter, QPen(self._theme.color("bg.canvas"), 1.5), self._ring).drawEllipse(at, DOT, DOT)
        painter.setPen(QPen(self._theme.color("bg.canvas"), 1.6))
        for side in (-1, 1):
            painter.drawLine(at + QPointF(2 * turn, 0), at + QPointF(-1.5 * turn, 3.2 * side))

    def _to_wall(self, path: QPainterPath, wire: Wire) -> QPainterPath:
        row = self._mirror.rows.get(wire.source.block)
        if row is None or self._mirror.shapes[row].role is not Role.STOP:
            return path
        longer = QPainterPath(path)
        longer.lineTo(path.currentPosition() - QPointF(WALL, 0))
        return longer

    def _draw_wall(self, at: QPointF) -> None:
        """Draws the dot that has ended on the wall: an upright bar with an arrow that ends there."""
        painter = self._painter
        inked(painter, QPen(self._theme.color("bg.canvas"), 1.5), self._ring).drawEllipse(at, DOT + 1, DOT + 1)
        painter.setPen(QPen(self._theme.color("bg.canvas"), 1.8))
        painter.drawLine(at + QPointF(-3, -4), at + QPointF(-3, 4))
        painter.drawLine(at + QPointF(-1, 0), at + QPointF(4.5, 0))
        for side in (-1, 1):
            painter.drawLine(at + QPointF(-1, 0), at + QPointF(1.5, 2.5 * side))


def _piece(path: QPainterPath, start: float, end: float) -> QPainterPath:
    """Returns the part of a path between two lengths."""
    found = QPainterPath()
    if end <= start:
        return found
    count = max(2, round((end - start) / 3))
    points = [
        path.pointAtPercent(min(path.percentAtLength(start + (end - start) * index / count), 1.0))
        for index in range(count + 1)
    ]
    found.moveTo(points[0])
    for point in points[1:]:
        found.lineTo(point)
    return found
