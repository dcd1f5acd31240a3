"""The state of the pointer at one event."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt

Modifiers = Qt.KeyboardModifier


@dataclass(frozen=True)
class Pointer:
    """The place of the pointer, the keys that are held, and the time.

    Units: `scene` in px at 100 %, `view` in px of the widget, `time` in ms.
    """

    scene: QPointF
    view: QPointF
    modifiers: Modifiers
    time: int = 0

    def has(self, modifier: Modifiers) -> bool:
        """Returns whether a key is held."""
        return bool(self.modifiers & modifier)
