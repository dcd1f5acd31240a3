"""The base of the widgets that show the document and wear the theme."""

from __future__ import annotations

from typing import Unpack

from PySide6.QtWidgets import QWidget

from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import Settings, ThemedWidget


class SessionWidget(SessionView, ThemedWidget):
    """A widget that shows something of the document, with its name and settings as `named` has them."""

    def __init__(
        self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None, name: str = "",
        **settings: Unpack[Settings],
    ) -> None:  # fmt: skip
        super().__init__(appearance, parent, name, **settings)
        self.current = current
