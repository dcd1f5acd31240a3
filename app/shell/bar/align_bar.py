"""The small bar at a selection of several blocks, which aligns them."""

from __future__ import annotations

from functools import reduce
from typing import get_args

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtWidgets import QFrame

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.look.widgets import make_row, make_tool, named
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.layout.alignment import Axis, Side

COMMANDS = (*(f"align_{side}" for side in get_args(Side)), *(f"distribute_{axis}" for axis in get_args(Axis)))
# From the bar to the blocks, and to the edges of the canvas. Units: px.
_GAP, _EDGE = 14, 8


class AlignBar(QFrame):
    """A row of buttons above the blocks that are selected, where there are several and nothing is dragged."""

    def __init__(self, window: WindowParts) -> None:
        canvas = window.canvas
        super().__init__(canvas)
        self._canvas, self._layout = canvas, window.layout
        named(self, "align_bar", look="popup", says=tr("Align"))
        no_focus = Qt.FocusPolicy.NoFocus
        buttons = [make_tool(parent=self, name=f"tool_{name}", focus=no_focus, size=(28, 26)) for name in COMMANDS]
        for button, name in zip(buttons, COMMANDS, strict=True):
            button.setDefaultAction(window.actions_by_id[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        make_row(*buttons, inside=self, margins=2, spacing=0)
        self.hide()
        call_on(self.place, canvas.painted.repainted, canvas.viewport.camera_changed, canvas.gestures.active_changed)

    def place(self, *_: object) -> None:
        """Stands above what is selected, or below where there is no room; else it is not there."""
        canvas, mirror = self._canvas, self._canvas.mirror
        chosen = [mirror.rect(name) for name in canvas.session.selection.blocks if name in mirror.rows]
        is_wanted = len(chosen) > 1 and not canvas.gestures.is_dragging and not self._layout.shows_only_canvas
        self.setVisible(is_wanted)
        if is_wanted:
            around = canvas.camera.rect_to_view(reduce(QRectF.united, chosen))
            room = canvas.rect().marginsRemoved(canvas.viewport.beside).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
            box = QRect(around.toRect().topLeft(), self.sizeHint())
            box.moveLeft(round(around.center().x()) - box.width() // 2)
            above, below = round(around.top()) - _GAP - box.height(), round(around.bottom()) + _GAP
            box.moveTop(above if above >= room.top() else below)
            box.moveRight(min(box.right(), room.right()))
            box.moveBottom(min(box.bottom(), room.bottom()))
            self.setGeometry(box.translated(max(room.left() - box.left(), 0), max(room.top() - box.top(), 0)))
