"""Export of a graph as a page that runs in a browser. The command writes it in a process of its own."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from gradwire.app.base.translation import grouped, tr, tr_sentence
from gradwire.app.features.help.about import open_dialog
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.exports.command_process import start_command
from gradwire.app.shell.documents.exports.page_dialog import PageDialog, PageWanted
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.files.outputs import LIVING, PICTURE, Output

# The command's exit codes for a page that is written: without and with problems in the graph.
_WRITTEN = (0, 1)
# The command says so where it found what follows.
_BEFORE = re.compile(r"gradwire: -(:\d+:\d+)?: ")


class WebPages(QObject):
    """Writer of the graph of one window as a page; a message says when it is there."""

    def __init__(self, context: DocumentContext) -> None:
        super().__init__(context.frame)
        self._window, self._document, self._dialogs = context.frame, context.document, context.dialogs
        self._messages = context.messages

    def ask(self) -> None:
        """Asks what the page is to have, then for a file, and writes it."""
        dialog = PageDialog(self._document.session.graph.training is not None, self._window)
        dialog.wanted.connect(self.ask_where)
        open_dialog(dialog)

    def ask_where(self, wanted: PageWanted) -> None:
        """Asks for a file, then writes the page that the dialog was asked for."""
        start = self._dialogs.folder() / f"{self._document.title}{LIVING}"
        files = f"{tr('Web page')} (*{LIVING})"
        name, _ = QFileDialog.getSaveFileName(self._window, tr("Export as web page"), str(start), files)
        if name:
            path = Path(name)
            self.save(path if path.suffix.lower() == LIVING else path.with_name(path.name + LIVING), wanted)

    def save(self, path: Path, wanted: PageWanted) -> None:
        """Starts to write the page as the canvas shows it now, also where it ignores StopGradients."""
        session = self._document.session
        try:
            Output(path, PICTURE, self._document.files_read)
        except FileError as error:
            self._messages.complain(tr("The page was not written"), tr_sentence(str(error)))
            return
        process = QProcess(self)
        process.finished.connect(lambda code: self._finish(process, path, code))
        arguments = ["render", "-", "-o", str(path), "--page", session.page_name, "--quiet"]
        arguments += ["--ignore-stop"] if session.runs.ignores_stops else []
        arguments += [*(["--train"] if wanted.is_trained else []), *(["--embed"] if wanted.is_embedded else [])]
        # The command reads no files of data; what has been read here goes with the graph.
        start_command(process, dumps(session.data.filled(session.graph)), *arguments)

    def _finish(self, process: QProcess, path: Path, code: int) -> None:
        said = process.readAllStandardError().toStdString().strip()
        process.deleteLater()
        if code not in _WRITTEN or not path.exists():
            self._messages.complain(tr("The page was not written"), tr_sentence(said.removeprefix("gradwire: ")))
            return
        lines = [tr_sentence(_BEFORE.sub("", line)) for line in said.splitlines()]
        size = grouped(-(-path.stat().st_size // 1024))
        sentence = tr("{path} has {size} KB. Any browser opens it, without the internet.", path=path, size=size)
        text = "\n\n".join([sentence, *lines])
        self._messages.notify(tr("The web page is written"), text, tr("Open it"), lambda: self._open(path))

    def _open(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute()))):
            sentence = tr("No program here opens web pages; the file is {path}.", path=path)
            self._messages.complain(tr("The page was not opened"), sentence)
