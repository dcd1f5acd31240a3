"""The about box: the program, its environment, and the licences of its parts."""

from __future__ import annotations

import platform

import numpy as np
import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.logo import Logo
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import add_items, make_column, make_label
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


class AboutDialog(QDialog):
    """A dialog with the logo, name and version, then a few lines that can be copied; Escape closes it."""

    def __init__(self, version: str, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("about_dialog")
        self.setWindowTitle(tr("About Gradwire"))
        self.setMinimumWidth(WIDTH)
        layout = make_column(inside=self, margins=(22, 20, 22, 16), spacing=10)
        add_items(layout, _head(version, appearance), 6, _lines(versions_text(), "about_versions"))
        for number, text in enumerate(licence_texts()):
            layout.addWidget(_lines(text, f"about_licence_{number}"))
        layout.addSpacing(6)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)


def _head(version: str, appearance: Appearance) -> QHBoxLayout:
    texts, head = QVBoxLayout(), QHBoxLayout()
    texts.setSpacing(2)
    texts.addWidget(make_label(f"Gradwire {version}", name="about_name", look="title"))
    texts.addWidget(make_label(tr("See the value and the gradient on every wire")))
    head.setSpacing(14)
    head.addWidget(Logo(appearance))
    head.addLayout(texts, 1)
    return head


def _lines(text: str, name: str) -> QLabel:
    label = make_label(text, name=name, wraps=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def open_dialog(dialog: QDialog) -> None:
    """Opens a dialog that is deleted when it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
