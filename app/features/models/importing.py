"""The import of a model in a window: a process reads it, and a dialog stands before the window meanwhile."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess
from PySide6.QtWidgets import QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.features.models.import_dialog import ImportDialog
from gradwire.app.features.models.reading_process import Answer, Choices
from gradwire.engine.base.processes.python_process import helper_command
from gradwire.interop.models.graphs import Model

SUFFIXES = (".pt2", ".onnx")
_SERVE = "gradwire.app.features.models.reading_process:serve"


class Importing(QObject):
    """Reads one model at a time; `show` receives it with its path, `refuse` the sentence why it cannot come in."""

    def __init__(self, parent: QWidget, show: Callable[[Path, Model], object], refuse: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._parent, self._show, self._refuse = parent, show, refuse
        self._path = Path()
        self._process: QProcess | None = None
        self._dialog: ImportDialog | None = None

    def start(self, path: Path) -> None:
        """Begins to read a model, in place of one that is being read."""
        self.stop()
        self._path = path
        self._dialog = ImportDialog(path.name, self._parent)
        self._dialog.rejected.connect(self.stop)
        self._dialog.chosen.connect(self._read)
        self._read(None)

    def stop(self) -> None:
        """Ends the reading; nothing of the model is shown."""
        self._end_process()
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.hide()
            dialog.deleteLater()

    def _read(self, choices: Choices | None) -> None:
        self._end_process()
        process = self._process = QProcess(self)
        call_on(self._take_end, process.finished, process.errorOccurred)
        program, *arguments = helper_command(_SERVE, str(self._path.absolute()), choices.text() if choices else "")
        process.start(program, arguments)
        if self._dialog is not None:
            self._dialog.wait()

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect(self._take_end)
            process.errorOccurred.disconnect(self._take_end)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _take_end(self) -> None:
        process = self._process
        if process is None:
            return
        content = process.readAllStandardOutput().data()
        is_fine = process.exitStatus() is QProcess.ExitStatus.NormalExit and process.exitCode() == 0
        self._end_process()
        if not (is_fine and content):
            self._give_up(tr("The process that reads models has ended."))
            return
        answer: Answer = pickle.loads(content)
        if isinstance(answer, Model):
            self.stop()
            self._show(self._path, answer)
        elif isinstance(answer, str):
            self._give_up(answer)
        elif self._dialog is not None:
            self._dialog.ask(answer)

    def _give_up(self, sentence: str) -> None:
        self.stop()
        self._refuse(sentence)
