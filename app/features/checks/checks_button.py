"""A button in the status bar that counts the passing checks; hidden for a graph without checks."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.translation import listed, tr
from gradwire.app.features.checks.checks import Checks
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.base.untrusted_text import plain

HEIGHT = 22
# So many changed blocks are named.
NAMED = 2


def checks_summary(checks: Checks) -> str:
    """Returns how many checks pass; "" if there are none."""
    if not checks.rows:
        return ""
    if not checks.is_known:
        return tr("Checks: not tried yet")
    return tr("{holding} of {count} checks pass", holding=checks.holding, count=len(checks.rows))


def record_text(checks: Checks) -> str:
    """Returns that the run differs from the recorded one, and which blocks the user has changed since."""
    names = checks.changed_blocks
    if not names:
        return tr("Differs from the recorded run")
    return tr("Differs from the recorded run, you changed {names}", names=listed(list(map(plain, names)), NAMED))


class ChecksButton(SessionView, QToolButton):
    """A button with a green tick if all checks pass, and a red cross if a law fails.

    Recorded numbers differ after every change of an input; that is no alarm.
    """

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._appearance = current, appearance
        tip = tr("Show the checks of this graph")
        named(self, "checks_button", tip=tip, height=HEIGHT, focus=Qt.FocusPolicy.TabFocus, font=font("ui", 11))
        self.setIconSize(QSize(13, 13))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for signal in (current.changed, current.of(Checks).changed, appearance.changed):
            signal.connect(self._show_state)
        self._show_state()

    def _show_state(self, *_: object) -> None:
        checks = self.session.part(Checks)
        name, token = ("check-circle", "ok") if checks.holding == len(checks.rows) else ("error", "error")
        if not checks.is_known:
            name, token = "clock", "text.secondary"
        elif checks.differs_from_record:
            name, token = "info", "text.secondary"
        self.setIcon(icon(self._appearance.theme, name, token, 13))
        differs = checks.is_known and checks.differs_from_record
        self.setText(record_text(checks) if differs else checks_summary(checks))
        self.setVisible(bool(checks.rows))
