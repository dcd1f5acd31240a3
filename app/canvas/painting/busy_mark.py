"""The mark of blocks that are being evaluated: a line that sweeps under their headers once a run takes its time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractAnimation, QLineF, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.timers import make_timer
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import HEADER, BlockShape, Body
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.motion import make_animation, moves

WAIT_MS, ROUND_MS = 120, 900
WIDTH, CUT = 2.0, 12.0
# They have no header, or no result to come.
_WITHOUT = (Body.REROUTE, Body.HINT, Body.MESSAGE)


def line_at(left: float, right: float, share: float) -> tuple[float, float]:
    """Returns the drawn part of a line: it grows from the left in the first half of a round, and goes in the second."""
    width = right - left
    return left + width * max(0.0, 2 * share - 1), left + width * min(1.0, 2 * share)


class BusyMark(QObject):
    """The mark on blocks, `is_shown` once a run has taken 120 ms, until it ends; `update` is called where that shows.

    Nobody knows which block is being computed, and each can still get another gradient: all are marked.
    """

    def __init__(self, current: CurrentSession, update: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._update = update
        self._is_busy = self.is_shown = False
        self._wait = make_timer(self, self._show, WAIT_MS)
        self._round = make_animation(self, self._step, ROUND_MS)
        self._round.setLoopCount(-1)
        current.changed.connect(self._begin_session)
        current.busy_changed.connect(self.set_busy)
        current.results_changed.connect(self.begin_anew)
        self._begin_session(current.session)

    @property
    def share(self) -> float:
        """How far the round is; the whole line is there at a half, where it stays without motion."""
        is_moving = self._round.state() is QAbstractAnimation.State.Running
        return float(self._round.currentValue()) if is_moving else 0.5

    def _begin_session(self, session: Session) -> None:
        self.set_busy(session.scheduler.is_busy)

    def set_busy(self, is_busy: bool) -> None:
        """Follows whether something is being evaluated."""
        self._is_busy = is_busy
        self.begin_anew()

    def begin_anew(self, *_: object) -> None:
        """Waits again: what is still to be done is another run, as while a slider is dragged."""
        self._hide()
        if self._is_busy:
            self._wait.start()

    def paint(self, painter: QPainter, mirror: Mirror, look: Look, area: QRectF) -> None:
        """Draws the lines of the blocks in an area, in scene coordinates."""
        if not self.is_shown or look.level <= Level.SHAPE:
            return
        painter.setPen(QPen(look.theme.color("accent"), WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        share = self.share
        for row in mirror.visible_blocks(area).tolist():
            shape = mirror.shapes[row]
            is_lit = look.lit is None or mirror.ids[row] in look.lit.blocks
            if is_lit and shape.body not in _WITHOUT:
                left, top = mirror.rects[row, :2].tolist()
                painter.drawLine(_line(shape, share).translated(left, top))

    def _show(self) -> None:
        self.is_shown = True
        if moves():
            self._round.start()
        self._update()

    def _step(self, _: object) -> None:
        self._update()

    def _hide(self) -> None:
        self._wait.stop()
        self._round.stop()
        if self.is_shown:
            self.is_shown = False
            self._update()


def _line(shape: BlockShape, share: float) -> QLineF:
    """Returns the line of a block with its corner at 0, 0; inside the lower corners of one that is only a header."""
    inset = CUT if shape.body is Body.COLLAPSED else 1.0
    start, end = line_at(inset, shape.width - inset, share)
    y = HEADER - WIDTH / 2
    return QLineF(start, y, end, y)
