"""The folded panels: all at the first start but those that the user opens; a narrow window folds more of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject

from gradwire.app.base.settings import Settings
from gradwire.app.panels.controls.docks import Dock

KEY = "open_panels"
NEED_WIDTH = frozenset(("inspector", "slice"))


class Folding(QObject):
    """The record of panels that the user opens; a wide window shows those again that a narrow one folded."""

    def __init__(self, docks: Mapping[str, Dock], settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._opened = set(settings.text(KEY).split())
        self.is_narrow = False
        for name, dock in docks.items():
            dock.folded.connect(partial(self._note, name))

    def allows(self, name: str) -> bool:
        """Returns whether a panel may be shown beside the canvas."""
        return name in self._opened and not (self.is_narrow and name in NEED_WIDTH)

    def _note(self, name: str, is_folded: bool) -> None:
        if self.is_narrow and name in NEED_WIDTH:
            return
        self._opened = self._opened - {name} if is_folded else self._opened | {name}
        self._settings.set_text(KEY, " ".join(sorted(self._opened)))
