"""Which panels are folded: those that the user has put away, and those that a narrow window has no room for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject

from app.panels.docks import Dock
from app.settings import Settings

KEY = "folded_panels"
NEED_WIDTH = frozenset(("inspector", "slice"))


class Folding(QObject):
    """Remembers what the user folds and unfolds; what only a narrow window folds comes back in a wide one."""

    def __init__(self, docks: Mapping[str, Dock], settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._folded = set(settings.text(KEY).split())
        self.is_narrow = False
        for name, dock in docks.items():
            dock.folded.connect(partial(self._note, name))

    def allows(self, name: str) -> bool:
        """Whether a panel is to be seen beside the canvas."""
        return name not in self._folded and not (self.is_narrow and name in NEED_WIDTH)

    def _note(self, name: str, is_folded: bool) -> None:
        if self.is_narrow and name in NEED_WIDTH:
            return
        self._folded = self._folded | {name} if is_folded else self._folded - {name}
        self._settings.set_text(KEY, " ".join(sorted(self._folded)))
