"""The dialog of a start after the program has ended without being asked to: the graphs that were not saved."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QMessageBox, QPushButton, QVBoxLayout

from app.about import open_dialog
from app.canvas.picture import structure_thumbnail
from app.copies import Copy, abandoned, claim, discard
from app.look.appearance import Appearance
from app.moments import moment_text
from app.panels.graph_list import Entry, GraphList
from app.panels.welcome_cards import made_label
from app.state_folder import reason_of
from app.words import tr, tr_sentence
from engine.errors import FileError
from engine.files import load
from engine.plain_text import plain

if TYPE_CHECKING:
    from app.main_window import MainWindow

SIZE = QSize(640, 460)


def offer_copies(window: MainWindow) -> None:
    """Shows what can be recovered, if there is anything."""
    copies = abandoned(window.windows.run_folder)
    if copies:
        open_dialog(RecoveryDialog(window, copies))


class RecoveryDialog(QDialog):
    """A list of copies. Recovered ones open unsaved, each in a window of its own; the others stay until discarded."""

    def __init__(self, window: MainWindow, copies: Sequence[Copy]) -> None:
        super().__init__(window)
        self.setObjectName("recovery_dialog")
        self.setWindowTitle(tr("Unsaved graphs"))
        self.resize(SIZE)
        self._window, self._copies = window, list(copies)
        self._list = GraphList(window.appearance, self)
        self._list.setObjectName("recovery_list")
        self._list.setAccessibleName(tr("Unsaved graphs"))
        self._list.show_entries([_entry(copy) for copy in copies])
        self._list.activated_entry.connect(self._recover_row)
        title = tr("Gradwire ended before these graphs were saved")
        sentence = tr("A recovered graph opens as an unsaved copy. No file is written before you save.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(10)
        layout.addWidget(made_label(title, "title", "recovery_title"))
        layout.addWidget(_wrapped(made_label(sentence)))
        layout.addWidget(self._list, 1)
        layout.addLayout(self._made_buttons())
        self._list.setFocus()

    def _made_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        texts = {
            "discard": (tr("Discard …"), self._discard),
            "later": (tr("Later"), self.reject),
            "recover_all": (tr("Recover all"), self._recover_all),
            "recover": (tr("Recover"), self._recover),
        }
        for name, (text, call) in texts.items():
            button = QPushButton(text, self)
            button.setObjectName(f"recovery_{name}")
            button.setAutoDefault(False)
            button.setDefault(name == "recover")
            button.clicked.connect(call)
            row.addWidget(button)
            if name == "discard":
                row.addStretch(1)
        return row

    def _recover(self) -> None:
        self._recover_row(self._list.currentIndex().row())

    def _recover_all(self) -> None:
        for row in reversed(range(len(self._copies))):
            self._recover_row(row)

    def _recover_row(self, row: int) -> None:
        fault = self._recovered(self._copies[row])
        if fault:
            self._list.say_fault(row, fault)
        else:
            self._take_out(row)

    def _recovered(self, copy: Copy) -> str:
        """Opens a copy; gives the reason if it cannot be read, which leaves it where it is."""
        try:
            graph = load(copy.file).graph if copy.file.exists() else None
            file = claim(copy, self._window.windows.run_folder)
        except FileError as error:
            return tr_sentence(str(error))
        except OSError as error:
            return reason_of(error)
        if graph is None or file is None:
            return tr("It has been recovered or discarded elsewhere meanwhile.")
        title = tr("{name} (recovered)", name=copy.name)
        self._window.documents.beside().documents.show_copy(graph, title, copy, file)
        return ""

    def _discard(self) -> None:
        row = self._list.currentIndex().row()
        buttons, title = QMessageBox.StandardButton, tr('Discard the copy of "{name}"?', name=self._copies[row].name)
        box = self._window.documents.question("discard_dialog", title, tr("What was not saved is then lost."))
        box.setStandardButtons(buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        answer = box.exec()
        box.deleteLater()
        if answer == buttons.Discard:
            try:
                discard(self._copies[row].file)
            except OSError as error:
                self._list.say_fault(row, reason_of(error))
            else:
                self._take_out(row)

    def _take_out(self, row: int) -> None:
        self._copies.pop(row)
        self._list.remove(row)
        if not self._copies:
            self.accept()


def _entry(copy: Copy) -> Entry:
    lines = [tr("Copy: {time}", time=moment_text(copy.written))]
    if copy.original is None:
        lines.append(tr("Never saved"))
    elif copy.saved is None:
        lines.append(tr("The file is no longer there"))
    else:
        lines.append(tr("File: {time}", time=moment_text(copy.saved)))
    if copy.original is not None:
        lines.append(str(copy.original.parent))
    return Entry(plain(copy.name), tuple(lines), functools.partial(draw_file, copy.file))


def draw_file(file: Path, size: QSize, appearance: Appearance, ratio: float) -> QPixmap:
    """The structure of the graph in a file. Raises: FileError if it cannot be read."""
    return structure_thumbnail(load(file).graph, size, appearance, ratio)


def _wrapped(label: QLabel) -> QLabel:
    label.setWordWrap(True)
    return label
