"""The buttons of the dialogs that ask what to save before they ask where."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox

from gradwire.app.base.translation import tr
from gradwire.app.look.widgets import named


def save_buttons(dialog: QDialog, name: str, save: Callable[[], None]) -> QDialogButtonBox:
    """Returns the buttons Save, the default, and Cancel; their object names begin with `name`."""
    buttons, roles = QDialogButtonBox(dialog), QDialogButtonBox.ButtonRole
    named(buttons.addButton(tr("Save …"), roles.AcceptRole), f"{name}_save").setDefault(True)
    named(buttons.addButton(tr("Cancel"), roles.RejectRole), f"{name}_cancel")
    buttons.accepted.connect(save)
    buttons.rejected.connect(dialog.reject)
    return buttons
