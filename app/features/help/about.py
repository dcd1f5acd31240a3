"""The about box: the program, its environment, and the licences of its parts."""

from __future__ import annotations

import platform

import numpy as np
import PySide6
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.logo import Logo
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import Dialog, make_column, make_label, make_row, selectable
from gradwire.engine.blocktypes.library import library
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE

WIDTH = 480


def versions_text() -> str:
    """Returns the versions of Python, NumPy, Qt, the executor, and the plug-ins."""
    runs_on = f"Python {platform.python_version()}, NumPy {np.__version__}, Qt for Python {PySide6.__version__}"
    lines = [runs_on, tr("Executor: {name}", name=EXECUTOR), *([tr_sentence(NOTICE)] if NOTICE else [])]
    names = ", ".join(f"{item.name} ({item.origin})" for item in library.plugins.values() if item.types)
    return "\n".join([*lines, *([tr("Plug-ins: {names}", names=names)] if names else [])])


def licence_texts() -> tuple[str, ...]:
    """Returns the licences of the program and of its bundled parts."""
    return (
        tr("Gradwire is under the MIT licence. Qt and Qt for Python are used under the LGPL 3."),
        tr("The fonts Inter and JetBrains Mono are under the SIL Open Font Licence 1.1."),
        tr("Formulas are set by ziamath (MIT) in the font STIX Two Math (SIL Open Font Licence 1.1)."),
    )


class AboutDialog(Dialog):
    """A dialog with the logo, name and version, then a few lines that can be copied; Escape closes it."""

    def __init__(self, version: str, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "about_dialog", tr("About Gradwire"))
        self.setMinimumWidth(WIDTH)
        name = make_label(f"Gradwire {version}", name="about_name", look="title")
        motto = make_label(tr("See the value and the gradient on every wire"))
        head = make_row(Logo(appearance), (make_column(name, motto, spacing=2), 1), spacing=14)
        lines = [selectable(make_label(versions_text(), name="about_versions", wraps=True))]
        for number, text in enumerate(licence_texts()):
            lines.append(selectable(make_label(text, name=f"about_licence_{number}", wraps=True)))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        make_column(head, 6, *lines, 6, buttons, inside=self, margins=(22, 20, 22, 16), spacing=10)


def open_dialog(dialog: QDialog) -> None:
    """Opens a dialog that is deleted when it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
