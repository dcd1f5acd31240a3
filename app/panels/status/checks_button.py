"""How many checks of the graph hold, as a button in the status bar; a graph without checks has none."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.live.checks import Checks
from app.live.session import Session
from app.look.appearance import Appearance
from app.look.icons import icon
from app.look.theme import font
from app.words import tr

HEIGHT = 22


def checks_summary(checks: Checks) -> str:
    """How many checks hold; empty if there are none."""
    if not checks.rows:
        return ""
    if not checks.is_known:
        return tr("Checks: not tried yet")
    return tr("{holding} of {count} checks hold", holding=checks.holding, count=len(checks.rows))


class ChecksButton(QToolButton):
    """A green tick if all hold, else a red cross."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._checks, self._appearance = session.checks, appearance
        self.setObjectName("checks_button")
        self.setFont(font("ui", 11))
        self.setFixedHeight(HEIGHT)
        self.setIconSize(QSize(13, 13))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tr("Show the checks of this graph"))
        self._checks.changed.connect(self._show_state)
        appearance.changed.connect(self._show_state)
        self._show_state()

    def set_session(self, session: Session) -> None:
        """Shows the checks of another document."""
        self._checks.changed.disconnect(self._show_state)
        self._checks = session.checks
        self._checks.changed.connect(self._show_state)
        self._show_state()

    def _show_state(self, *_: object) -> None:
        checks = self._checks
        name, token = ("check-circle", "ok") if checks.holding == len(checks.rows) else ("error", "error")
        if not checks.is_known:
            name, token = "clock", "text.secondary"
        self.setIcon(icon(self._appearance.theme, name, token, 13))
        self.setText(checks_summary(checks))
        self.setVisible(bool(checks.rows))
