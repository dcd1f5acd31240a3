"""The way of a camera from one place to another: a short movement, or one step where motion is not wanted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QObject

from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.look.motion import make_animation, moves

JUMP_MS, ZOOM_MS = 220, 110


def between(start: Camera, end: Camera, share: float) -> Camera:
    """Returns the camera on the way, `share` from 0 to 1: zooming is even, and keeps one point of the view still."""
    scale = start.scale * (end.scale / start.scale) ** share
    part = share if end.scale == start.scale else (scale - start.scale) / (end.scale - start.scale)
    return Camera(scale, round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part))


class Flight(QObject):
    """The movement of a camera; `show` is called with every camera on the way, at last with the end."""

    def __init__(self, show: Callable[[Camera], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._start = self._end = Camera()
        self._animation = make_animation(self, self._step)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)

    @property
    def end(self) -> Camera | None:
        """The camera at the end of the movement, None while it rests."""
        return self._end if self._animation.state() is QAbstractAnimation.State.Running else None

    def go(self, start: Camera, end: Camera, milliseconds: int = JUMP_MS) -> None:
        """Sends the camera from one place to another."""
        self._animation.stop()
        if not moves() or start == end:
            self._show(end)
            return
        self._start, self._end = start, end
        self._animation.setDuration(milliseconds)
        self._animation.start()

    def land(self) -> None:
        """Ends the movement where it is: the user has taken over."""
        self._animation.stop()

    def _step(self, share: float) -> None:
        self._show(self._end if share >= 1 else between(self._start, self._end, share))
