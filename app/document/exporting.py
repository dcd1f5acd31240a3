"""The dialog that shows a graph as a program. The program is written by the command, in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import font
from app.words import tr, tr_sentence
from engine.export import DIALECTS
from engine.file_writing import dumps
from engine.graph import Graph

_ROOT = Path(__file__).resolve().parent.parent
# -c, not -m: the folder the user stands in must not be searched for packages of our names.
_SCRIPT = f"import sys; sys.path[0] = {str(_ROOT)!r}; from app.__main__ import main; sys.exit(main())"


class CodeDialog(QDialog):
    """A graph as source for one of the frameworks, to copy or to save; `title` names the file.

    `refused()` says that the command wrote none: a plug-in may have failed in it.
    """

    refused = Signal()

    def __init__(self, graph: Graph, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("code_dialog")
        self.setWindowTitle(tr("Export as code"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 620)
        self._text, self._title = dumps(graph), title
        self._framework = next(iter(DIALECTS))
        self._process: QProcess | None = None
        self._code = QPlainTextEdit(self)
        self._code.setObjectName("code")
        self._code.setReadOnly(True)
        self._code.setFont(font("mono", 12))
        self._code.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._status = QLabel(self)
        self._status.setObjectName("code_status")
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setWordWrap(True)
        self._copy, self._save = QPushButton(tr("Copy"), self), QPushButton(tr("Save …"), self)
        layout = QVBoxLayout(self)
        layout.addLayout(self._choices())
        layout.addWidget(self._code, 1)
        layout.addWidget(self._status)
        layout.addLayout(self._actions())
        self.finished.connect(self._stop)
        self._write()

    @property
    def is_ready(self) -> bool:
        """Whether there is a program to copy or to save."""
        return self._copy.isEnabled()

    def choose(self, framework: str) -> None:
        """Shows the program for another framework."""
        self._framework = framework
        self._write()

    def save_to(self, path: Path) -> None:
        """Saves the program; a file that cannot be written is said below it."""
        try:
            path.write_text(self._code.toPlainText(), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            self._status.setText(tr("{path} cannot be written: {reason}. Save it elsewhere.", path=path, reason=reason))
        else:
            self._status.setText(
                tr("Saved as {path}. Run it with Python: it prints how far its numbers are from these.", path=path)
            )

    def _choices(self) -> QHBoxLayout:
        row, group = QHBoxLayout(), QButtonGroup(self)
        row.setSpacing(4)
        for key, dialect in DIALECTS.items():
            button = QPushButton(dialect.title, self)
            button.setObjectName(f"framework_{key}")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setChecked(key == self._framework)
            button.clicked.connect(lambda _=False, key=key: self.choose(key))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _actions(self) -> QHBoxLayout:
        row = QHBoxLayout()
        close = QPushButton(tr("Close"), self)
        for name, button, call in (
            ("copy_code", self._copy, self._copy_code),
            ("save_code", self._save, self._ask_save),
            ("close_code", close, self.accept),
        ):
            button.setObjectName(name)
            button.clicked.connect(call)
        row.addStretch(1)
        for button in (self._copy, self._save, close):
            row.addWidget(button)
        return row

    def _write(self) -> None:
        """Starts the command on the text of the graph."""
        self._stop()
        self._show("", tr("Writing the program …"))
        process = self._process = QProcess(self)
        process.finished.connect(self._finish)
        process.errorOccurred.connect(self._finish)
        process.start(sys.executable, ["-c", _SCRIPT, "export", "-", "--to", self._framework])
        process.write(self._text.encode())
        process.closeWriteChannel()

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
        self._status.setText(status[:1].upper() + status[1:])
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
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Save the program"), f"{self._title}_{self._framework}.py", "Python (*.py)"
        )
        if name:
            self.save_to(Path(name))


def _complaint(said: str) -> str:
    """What the command says of the graph; what code of plug-ins has printed may stand around it."""
    about = "gradwire: -: "
    lines = said.strip().splitlines()
    return next((line.removeprefix(about) for line in lines if line.startswith(about)), said.strip())
