"""Parts of all actions on a canvas: its session, its middle, its grid, and the selection of what an edit has made."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session


class CanvasActions:
    """Acts on the session of a canvas. Every method makes one entry in the history, or none."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    @property
    def session(self) -> Session:
        """The session of the canvas."""
        return self._canvas.session

    @property
    def middle(self) -> QPointF:
        """The point of the scene in the middle of the view."""
        return self._canvas.camera.to_scene(self._canvas.rect().center().toPointF())

    def select_made(self, made: str | Iterable[str] | None) -> None:
        """Selects the blocks that an edit has made, if it has made some."""
        if made:
            self.session.select(Selection(frozenset([made] if isinstance(made, str) else made)))


def on_grid(point: QPointF) -> tuple[int, int]:
    """Returns the point of the grid next to a point of the scene."""
    return round(point.x() / 16) * 16, round(point.y() / 16) * 16
