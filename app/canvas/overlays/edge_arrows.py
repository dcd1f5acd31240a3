"""Marks at the edges of a canvas: how many blocks are out of view on each side; a press goes there."""

from __future__ import annotations

import enum

import numpy as np
from PySide6.QtCore import QObject, QPoint, QRectF, Qt
from PySide6.QtWidgets import QToolButton

from gradwire.app.base.translation import grouped, tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import make_tool, named

# Units: px.
HEIGHT, EDGE = 24, 6
# How much of the view a press moves on: what was at the edge stays in sight.
SHARE = 0.8


class Side(enum.Enum):
    """A side of the view, with the way there, its sign, and what a mark there says."""

    LEFT = (-1, 0, "←", "Out of view to the left: {count}. Click to go there.")
    RIGHT = (1, 0, "→", "Out of view to the right: {count}. Click to go there.")
    TOP = (0, -1, "↑", "Out of view above: {count}. Click to go there.")
    BOTTOM = (0, 1, "↓", "Out of view below: {count}. Click to go there.")


class EdgeArrows(QObject):
    """The four marks of a canvas, each shown while blocks are out of view on its side and nothing is dragged."""

    def __init__(self, canvas: Canvas, appearance: Appearance) -> None:
        super().__init__(canvas)
        self._canvas, self._appearance = canvas, appearance
        self.buttons = {side: self._made(side) for side in Side}
        canvas.viewport.camera_changed.connect(self.update)
        canvas.resized.connect(self.update)
        canvas.painted.repainted.connect(self.update)
        canvas.gestures.active_changed.connect(self._set_dragging)
        appearance.changed.connect(self._restyle)
        self._restyle(appearance.theme)

    def update(self) -> None:
        """Counts the blocks out of view and places the marks."""
        if not self._canvas.gestures.is_dragging:
            for side, count in out_of_view(self._canvas.mirror, self._canvas.viewport.seen).items():
                self._show(side, count)

    def _made(self, side: Side) -> QToolButton:
        button = make_tool(lambda: self._go(side), self._canvas, name=f"edge_{side.name.lower()}")
        button.hide()
        return named(button, focus=Qt.FocusPolicy.TabFocus, cursor=Qt.CursorShape.PointingHandCursor)

    def _show(self, side: Side, count: int) -> None:
        button = self.buttons[side]
        if count:
            number, arrow = grouped(count), side.value[2]
            button.setText(f"{number} {arrow}" if side is Side.RIGHT else f"{arrow} {number}")
            named(button, words=sentence(side, count)).adjustSize()
            button.setFixedHeight(round(HEIGHT * self._appearance.text_scale))
            button.move(self._corner(side, button.width(), button.height()))
        button.setVisible(bool(count))

    def _corner(self, side: Side, wide: int, high: int) -> QPoint:
        width, height = self._canvas.width(), self._canvas.height()
        across, down = side.value[:2]
        x = (width - wide) / 2 if not across else EDGE if across < 0 else width - wide - EDGE
        y = (height - high) / 2 if not down else EDGE if down < 0 else height - high - EDGE
        return QPoint(round(x), round(y))

    def _go(self, side: Side) -> None:
        """Moves the view towards what is out of it."""
        viewport, (across, down) = self._canvas.viewport, side.value[:2]
        dx, dy = -across * self._canvas.width() * SHARE, -down * self._canvas.height() * SHARE
        viewport.fly_to(viewport.destination.moved(round(dx), round(dy)))

    def _set_dragging(self, is_dragging: bool) -> None:
        for button in self.buttons.values() if is_dragging else ():
            button.hide()
        if not is_dragging:
            self.update()

    def _restyle(self, theme: Theme) -> None:
        style = (
            f"QToolButton {{ background: {theme.css('bg.overlay')}; color: {theme.css('text.primary')};"
            f" border: 1px solid {theme.css('border.default')}; border-radius: 6px; padding: 2px 8px; }}"
            f" QToolButton:hover, QToolButton:focus {{ border-color: {theme.css('focus')}; }}"
        )
        for button in self.buttons.values():
            button.setStyleSheet(style)
        self.update()


def out_of_view(page: PageArrays, seen: QRectF) -> dict[Side, int]:
    """Returns how many blocks are wholly out of view on each side; a block in a corner counts at the left or right."""
    low, high = page.rects[:, :2], page.rects[:, :2] + page.rects[:, 2:]
    left, right = high[:, 0] <= seen.left(), low[:, 0] >= seen.right()
    beside = left | right
    found = {
        Side.LEFT: left,
        Side.RIGHT: right,
        Side.TOP: ~beside & (high[:, 1] <= seen.top()),
        Side.BOTTOM: ~beside & (low[:, 1] >= seen.bottom()),
    }
    return {side: int(np.count_nonzero(rows)) for side, rows in found.items()}


def sentence(side: Side, count: int) -> str:
    """Returns what a mark says."""
    return tr(side.value[3], count=grouped(count))
