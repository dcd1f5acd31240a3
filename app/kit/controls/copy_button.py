"""A button that exports a tensor as NumPy text, as CSV, or to a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from gradwire.app.base.table_text import table_text
from gradwire.app.base.tensor_files import write_tensor_file
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import named
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.typed.tensor_text import numpy_text


class CopyButton(QToolButton):
    """A button that copies the whole displayed tensor in full precision.

    `refused(str)` says why a file cannot be written.
    """

    refused = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._array: Array | None = None
        words = tr("Copy or save the tensor")
        named(self, "value_copy", words=words, size=(26, 22), focus=Qt.FocusPolicy.StrongFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self)
        for name, text, call in (
            ("copy_numpy", tr("Copy as NumPy text"), partial(self._copy, numpy_text)),
            ("copy_csv", tr("Copy as CSV"), partial(self._copy, table_text)),
            ("save_tensor", tr("Save as .npy or .csv …"), self._ask_save),
        ):
            action = menu.addAction(text)
            action.setObjectName(name)
            action.triggered.connect(call)
        self.setMenu(menu)
        themed(self, appearance, "copy", px=14)

    def show_array(self, array: Array | None) -> None:
        """Sets the tensor to copy; None disables the button."""
        self._array = array
        self.setEnabled(array is not None)

    def save(self, path: Path) -> None:
        """Writes the tensor into a file."""
        if self._array is None:
            return
        try:
            write_tensor_file(path, self._array)
        except FileError as error:
            self.refused.emit(tr_sentence(str(error)))

    def _copy(self, write: Callable[[Array], str]) -> None:
        if self._array is not None:
            QGuiApplication.clipboard().setText(write(self._array))

    def _ask_save(self) -> None:
        if (path := ask_tensor_file(self, "tensor")) is not None:
            self.save(path)


def ask_tensor_file(parent: QWidget, name: str) -> Path | None:
    """Asks for a file to write a tensor in; one without an ending gets that of the chosen format."""
    filters = "NumPy (*.npy);;CSV (*.csv)"
    file, chosen = QFileDialog.getSaveFileName(parent, tr("Save the tensor"), f"{name}.npy", filters)
    ending = Path(file).suffix or (".csv" if "csv" in chosen else ".npy")
    return Path(file).with_suffix(ending) if file else None
