"""Blocks glide to where an edit has put them. The graph is edited once; this only shows the way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QEasingCurve, QEvent, QObject
from PySide6.QtWidgets import QApplication

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.routing import Points
from gradwire.app.look.motion import make_animation, moves

DURATION_MS = 250
_INPUT = {
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
    QEvent.Type.KeyPress,
    QEvent.Type.ShortcutOverride,
    QEvent.Type.NativeGesture,
    QEvent.Type.TouchBegin,
    QEvent.Type.Close,
}


class Glide(QObject):
    """The movement of a canvas's blocks to new places; any input brings it to its end at once."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._state: tuple[object, ...] = ()
        self._ids: list[str] = []
        self._start = self._end = np.zeros((0, 2))
        self._animation = make_animation(self, self._show, DURATION_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._animation.finished.connect(self.finish)

    def start(self, before: Mapping[str, tuple[float, float]]) -> None:
        """Lets the blocks glide from where they were before an edit that the canvas shows already."""
        self.finish()
        now = self._canvas.mirror.corners()
        self._ids = [name for name, place in before.items() if name in now and now[name] != place]
        if not self._ids or not moves():
            self._ids = []
            return
        self._start = np.array([before[name] for name in self._ids], float)
        self._end = np.array([now[name] for name in self._ids], float)
        self._state = self._shown()
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]  # there is one
        self._show(0.0)
        self._animation.start()

    def finish(self) -> None:
        """Shows every block where it is."""
        if not self._ids:
            return
        ids, self._ids = self._ids, []
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._animation.stop()
        mirror, page = self._canvas.mirror, self._canvas.session.page
        here = [name for name in ids if name in mirror.rows and name in page.blocks]
        corners = [mirror.blocks[mirror.rows[name]].at or (0, 0) for name in here]
        self._place(here, np.array(corners, float).reshape(-1, 2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # Qt's name
        """Ends the way before any input is handled."""
        if event.type() in _INPUT:
            self.finish()
        return False

    def _shown(self) -> tuple[object, ...]:
        session = self._canvas.session
        return session, session.page_name, session.graph

    def _show(self, share: float) -> None:
        if self._ids and any(one is not other for one, other in zip(self._state, self._shown(), strict=True)):
            self.finish()
        elif self._ids:
            self._place(self._ids, self._start + share * (self._end - self._start))

    def _place(self, ids: list[str], corners: Points) -> None:
        self._canvas.mirror.place_at(ids, corners)
        self._canvas.painted.repaint()
