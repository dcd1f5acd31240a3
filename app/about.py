"""The about box: plain text in a dialog."""

from __future__ import annotations

import platform

import numpy as np
import PySide6
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.look.theme import font
from app.words import tr


def about_text(version: str) -> str:
    """Versions of the program and of what it runs on, and the licences of what it carries."""
    licences = (
        tr("Gradwire is under the MIT licence. Qt and Qt for Python are used under the LGPL 3."),
        tr("The fonts Inter and JetBrains Mono are under the SIL Open Font Licence 1.1."),
        tr("Formulas are set by ziamath (MIT) in the font STIX Two Math (SIL Open Font Licence 1.1)."),
    )
    return (
        f"Gradwire {version}\n{tr('See the value and the gradient on every wire')}\n\n"
        f"Python {platform.python_version()}, NumPy {np.__version__}, Qt for Python {PySide6.__version__}\n"
        f"{tr('Executor: {name}', name='NumPy')}\n\n" + "\n".join(licences)
    )


def show_text(parent: QWidget, title: str, text: str) -> None:
    """Shows a text in a dialog of its own; Escape closes it."""
    dialog = QDialog(parent)
    dialog.setObjectName("text_dialog")
    dialog.setWindowTitle(title)
    dialog.resize(560, 400)
    field = QPlainTextEdit(text, dialog)
    field.setReadOnly(True)
    field.setFont(font("mono", 12))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(field)
    layout.addWidget(buttons)
    open_dialog(dialog)


def open_dialog(dialog: QDialog) -> None:
    """Opens a dialog that is gone once it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
