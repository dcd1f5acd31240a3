"""Blocks that are dragged from the palette onto a canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

from gradwire.app.canvas.input.controls import Controls
from gradwire.app.canvas.input.gestures.place import Place
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.blocks.layers.catalogue import layer_of
from gradwire.engine.blocktypes.library import library

BLOCK_MIME = "application/x-gradwire-block"


class PaletteDrop(QObject):
    """The target of drags from the palette."""

    def __init__(self, controls: Controls) -> None:
        super().__init__(controls.widget)
        self._controls = controls

    def takes(self, event: QEvent) -> bool:
        """Carries out an event of a drag; returns whether the event was one."""
        if isinstance(event, QDragLeaveEvent):
            # The block is somewhere else, or Escape was pressed.
            self._controls.gestures.let_go()
        elif isinstance(event, QDropEvent) and dropped_type(event):
            event.acceptProposedAction()
            self._take(event)
        return isinstance(event, QDropEvent | QDragLeaveEvent)

    def _take(self, event: QDropEvent) -> None:
        gestures = self._controls.gestures
        # A move is a drop in Qt's classes, and entering is a move.
        is_drop = not isinstance(event, QDragMoveEvent)
        if isinstance(event, QDragEnterEvent) or (is_drop and not isinstance(gestures.gesture, Place)):
            gestures.let_go()
            gestures.begin(Place(self._controls.host, self._pointer(event), dropped_type(event)))
        elif not is_drop:
            gestures.carry_on(self._pointer(event))
        if is_drop:
            gestures.release(self._pointer(event))
            self._controls.widget.setFocus(Qt.FocusReason.MouseFocusReason)

    def _pointer(self, event: QDropEvent) -> Pointer:
        return self._controls.gestures.pointer_at(event.position(), event.modifiers(), 0)


def dropped_type(event: QDropEvent) -> str:
    """Returns the block type or layer that is dropped; "" for what another program may have put there instead."""
    name = bytes(event.mimeData().data(BLOCK_MIME).data()).decode(errors="replace")
    return name if name in library or layer_of(name) is not None else ""
