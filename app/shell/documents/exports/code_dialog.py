"""The dialog that shows a graph as a program. The command writes the program in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QProcess, QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QWidget,
)

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import capitalized, tr, tr_sentence
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, Dialog, make_button, make_column, make_label, make_row, named
from gradwire.app.shell.documents.exports.command_process import start_command
from gradwire.engine.base.errors import FileError
from gradwire.engine.export.export import targets
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.outputs import PROGRAM, Output
from gradwire.engine.graph.graph import Graph


class CodeDialog(Dialog):
    """The source of a graph for one of the frameworks, to copy or to save; `title` names its file.

    No file that the graph is `read` from is ever replaced by it.
    `refused()` is emitted if the command wrote no program: a plug-in may have failed in it.
    """

    refused = Signal()

    def __init__(self, graph: Graph, title: str, parent: QWidget, read: Sequence[Path] = ()) -> None:
        super().__init__(parent, "code_dialog", tr("Export as code"), QSize(760, 620))
        self._text, self._title, self._read = dumps(graph), title, read
        self._framework = next(iter(targets()))
        self._process: QProcess | None = None
        self._code = named(QPlainTextEdit(self), "code", font=font("mono", 12))
        self._code.setReadOnly(True)
        self._code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._status = make_label("", self, name="code_status", wraps=True)
        self._copy = make_button(tr("Copy"), self._copy_code, self, name="copy_code")
        self._save = make_button(tr("Save …"), self._ask_save, self, name="save_code")
        make_column(self._choices(), (self._code, 1), self._status, self._actions(), inside=self)
        self.finished.connect(self._stop)
        self._write()

    def choose(self, framework: str) -> None:
        """Shows the program for another framework."""
        self._framework = framework
        self._write()

    def save_to(self, path: Path) -> None:
        """Saves the program, and reports a file that cannot be written below it."""
        try:
            Output(path, PROGRAM, self._read).write(self._code.toPlainText().encode())
        except FileError as error:
            self._status.setText(tr_sentence(str(error)))
        else:
            said = tr("Saved as {path}. Run it with Python: it prints how far its numbers are from these.", path=path)
            self._status.setText(said)

    def _choices(self) -> QHBoxLayout:
        row = make_row(spacing=4)
        for key, target in targets().items():
            button = make_button(target.title, parent=self, name=f"framework_{key}", enters=False)
            button.setCheckable(True)
            # One of them is on, and screen readers are told of radio buttons.
            button.setAutoExclusive(True)
            button.setChecked(key == self._framework)
            button.clicked.connect(lambda _=False, key=key: self.choose(key))
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _actions(self) -> QHBoxLayout:
        close = make_button(tr("Close"), self.accept, self, name="close_code")
        return make_row(STRETCH, self._copy, self._save, close)

    def _write(self) -> None:
        """Starts the command on the text of the graph."""
        self._stop()
        self._show("", tr("Writing the program …"))
        process = self._process = QProcess(self)
        call_on(self._finish, process.finished, process.errorOccurred)
        start_command(process, self._text, "export", "-", "--to", self._framework)

    def _finish(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        source = process.readAllStandardOutput().toStdString()
        complaint = _complaint(process.readAllStandardError().toStdString())
        process.deleteLater()
        self._show(source, "" if source else tr_sentence(complaint) or tr("No program was written."))
        if not source:
            self.refused.emit()

    def _show(self, source: str, status: str) -> None:
        self._code.setPlainText(source)
        self._status.setText(capitalized(status))
        for button in (self._copy, self._save):
            button.setEnabled(bool(source))

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.toPlainText())
        self._status.setText(tr("Copied."))

    def _ask_save(self) -> None:
        start = f"{self._title}_{self._framework}.py"
        name, _ = QFileDialog.getSaveFileName(self, tr("Save the program"), start, "Python (*.py)")
        if name:
            self.save_to(Path(name))


def _complaint(said: str) -> str:
    """Returns the command's message about the graph, without the output of plug-ins around it."""
    about = "gradwire: -: "
    lines = said.strip().splitlines()
    return next((line.removeprefix(about) for line in lines if line.startswith(about)), said.strip())
