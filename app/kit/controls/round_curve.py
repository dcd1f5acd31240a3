"""The loss over the rounds of a training, or of two beside each other, small; and how far they have come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, inked, smooth
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget
from gradwire.engine.base.tensor_spec import Array

# At texts of 100 %. Units: px.
CURVE, BAR = 320, 4


class ProgressLine(ThemedWidget):
    """A thin line that is filled as far as a training has come."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, height=BAR)
        self._share = 0.0

    def set_share(self, share: float) -> None:
        """Fills the line to a share from 0 to 1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Paints the track and what is filled of it."""
        theme, whole = self._appearance.theme, QRectF(self.rect())
        with smooth(self) as painter:
            filled(painter, theme.color("bg.hover")).drawRoundedRect(whole, BAR / 2, BAR / 2)
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(0, 0, whole.width() * self._share, BAR), BAR / 2, BAR / 2)


class LossCurve(ThemedWidget):
    """The loss of each round so far on the way to the last one, small, with the present round marked.

    Two trainings are called A and B; the second one is dashed.
    """

    def __init__(self, appearance: Appearance, parent: QWidget, name: str = "training_curve") -> None:
        super().__init__(appearance, parent, name, says=tr("Loss by round"))
        self._series: list[Array] = []
        self._end, self._at = 1, 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(60)

    def sizeHint(self) -> QSize:
        """Returns the size at texts of 100 %."""
        return QSize(CURVE, 52)

    def show_log(self, log: RoundLog, name: str, end: int, at: int) -> None:
        """Shows the series of a name over the rounds to the end."""
        found = log.points(name) if name else None
        points = np.zeros((0, 2)) if found is None else np.stack([found.rounds, found.numbers], axis=1)
        self.show_series([points], end, at)

    def show_series(self, series: Sequence[Array], end: int, at: int) -> None:
        """Shows series over the rounds to the end. Shapes: (n, 2), rounds and losses."""
        self._series = [_thinned(points[np.isfinite(points).all(axis=1)]) for points in series]
        self._end, self._at = max(end, 1), at
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # Qt's name
        """Paints the sunken field, the curves, and a dashed line with dots at the round."""
        theme, whole = self._appearance.theme, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        with smooth(self) as painter:
            inked(painter, QPen(theme.color("border.subtle"), 1), theme.color("bg.sunken"))
            painter.drawRoundedRect(whole, 4, 4)
            if not any(map(len, self._series)):
                return
            room, numbers = whole.adjusted(4, 5, -4, -5), np.concatenate(self._series)[:, 1]
            x = room.left() + self._at / self._end * room.width()
            inked(painter, QPen(theme.color("text.tertiary"), 1, Qt.PenStyle.DashLine), Qt.BrushStyle.NoBrush)
            painter.drawLine(QPointF(x, whole.top()), QPointF(x, whole.bottom()))
            low, high = min(0.0, float(numbers.min())), float(numbers.max())
            for place, points in enumerate(self._series):
                if len(points):
                    self._paint_curve(painter, room, points, (low, high), place)

    def _paint_curve(
        self, painter: QPainter, room: QRectF, points: Array, bounds: tuple[float, float], place: int
    ) -> None:
        theme, (low, high) = self._appearance.theme, bounds
        across = room.left() + points[:, 0] / self._end * room.width()
        down = room.bottom() - (points[:, 1] - low) / ((high - low) or 1.0) * room.height()
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)]))
        pen = QPen(theme.color("value"), 1.6, Qt.PenStyle.DashLine if place else Qt.PenStyle.SolidLine)
        inked(painter, pen, Qt.BrushStyle.NoBrush).drawPath(path)
        end = QPointF(float(across[-1]), float(down[-1]))
        filled(painter, theme.color("value")).drawEllipse(end, 2.6, 2.6)
        if len(self._series) > 1 and len(points) > 1:
            # One stands above its curve and the other below, so that they never lie on each other.
            inked(painter, theme.color("value"), font=font("ui", 10, 600))
            box = QRectF(min(end.x() - 6, room.right() - 12), end.y() + (4 if place else -16), 12, 12)
            painter.drawText(_within(box, room), Qt.AlignmentFlag.AlignCenter, "AB"[place])


def _within(box: QRectF, room: QRectF) -> QRectF:
    box.moveTop(min(max(box.top(), room.top() - 4), room.bottom() - box.height() + 4))
    return box


def _thinned(points: Array) -> Array:
    """Returns as many points as are seen; the newest always is."""
    step = 1 + len(points) // (2 * CURVE)
    return points[np.arange(len(points) - 1, -1, -step)[::-1]]
