"""The bars in the blocks of a page: how much of the gradient each of them passes on."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.shapes import HEADER, text_width
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.features.flow.flow_question import FlowName
from gradwire.app.features.flow.flow_text import summary
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.drawing import CENTRE, filled, inked, kept
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.engine.explain.flow import BlockFlow, Flow

# The bar keeps so far from the sides of its block and from the line below its name. Units: px at 100 %.
SIDE, BAR, ABOVE = 10.0, 3.0, 4.0
TAG = 20.0


class FlowBars(SessionView, QObject):
    """A bar under the name of each block: to the left it shrinks the gradient, to the right it makes that larger.

    The block under the pointer and those selected have the number, too. All is said in one sentence as it begins.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas, self.current = canvas, canvas.current
        self._is_on = False
        self._flow: Flow | None = None
        self._blocks: dict[str, BlockFlow] = {}
        canvas.overlays.append(self.paint)
        canvas.page_look.changed.connect(self._turn)
        call_on(self._ask, self.current.changed, self.current.results_changed)
        self.current.replied.connect(self._take)

    def _turn(self) -> None:
        """Begins, or ends."""
        if self._canvas.page_look.is_by_block is not self._is_on:
            self._is_on = not self._is_on
            self._flow, self._blocks = None, {}
            self._ask()

    def _ask(self, *_: object) -> None:
        if self._is_on and self.session.results is not None:
            self.session.ask(FlowName())

    def _take(self, reply: Reply) -> None:
        if not isinstance(reply.question, FlowName) or not self._is_on:
            return
        before, self._flow = self._flow, reply.answer
        self._blocks = {} if self._flow is None else self._flow.by_block()
        if before is None and self._flow is not None:
            nothing = tr("No gradient passes any block. Wire a block with a gradient between an Input and the Loss.")
            self._canvas.say(summary(self._flow) or nothing)
        self._canvas.update()

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draws the bars of the blocks in view, in scene coordinates."""
        if not self._blocks:
            return
        mirror, prefix = self._canvas.mirror, self.session.prefix
        reach = max((abs(math.log(item.ratio)) for item in self._blocks.values() if item.ratio), default=0.0) or 1.0
        for row in mirror.visible_blocks(self._canvas.viewport.seen, 40).tolist():
            name = mirror.ids[row]
            found = self._blocks.get(f"{prefix}/{name}")
            if found is not None:
                box = QRectF(*mirror.rects[row].tolist())
                _draw_bar(painter, look, box, found, math.log(found.ratio) / reach if found.ratio else -1.0)
                if name == look.hovered.block or name in look.selection.blocks:
                    _draw_number(painter, look, box, found)


def _draw_bar(painter: QPainter, look: Look, box: QRectF, found: BlockFlow, share: float) -> None:
    """Draws a bar from the middle, of a share from -1 to 1, below the name in the block or at its lower edge."""
    high = BAR / min(look.reading_scale, 1.0)
    top = box.top() + HEADER - ABOVE if look.level >= Level.FULL else box.bottom() - high
    room, middle = box.width() / 2 - SIDE, box.center().x()
    color = look.theme.color("warn" if found.is_unusual else "grad.text")
    painter.fillRect(QRectF(middle, top, share * room, high).normalized(), color)
    inked(painter, QPen(look.theme.color("text.secondary"), high / 3))
    painter.drawLine(QPointF(middle, top - high / 3), QPointF(middle, top + high * 4 / 3))


def _draw_number(painter: QPainter, look: Look, box: QRectF, found: BlockFlow) -> None:
    """Draws above a block by what it multiplies the gradient."""
    unit, theme = max(1.0, 0.9 / look.scale), look.theme
    text = tr("passes on {ratio} of the gradient", ratio=fmt(found.ratio))
    width = text_width("ui", 11, 600, text) + 20
    with kept(painter):
        painter.translate(box.center().x(), box.top())
        painter.scale(unit, unit)
        tag = QRectF(-width / 2, -TAG - 6, width, TAG)
        filled(painter, theme.color("warn" if found.is_unusual else "grad.text")).drawRoundedRect(tag, TAG / 2, TAG / 2)
        inked(painter, theme.color("text.on-accent"), font=font("ui", 11, 600)).drawText(tag, CENTRE, text)
