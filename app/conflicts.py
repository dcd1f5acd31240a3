"""Two who write one file: what the user is asked, and how both versions survive whatever is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from app.moments import moment_text
from app.run_folder import Run
from app.words import tr, tr_sentence
from engine.errors import FileError
from engine.file_writing import dumps

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Conflicts:
    """Settles them for the document of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def settle(self) -> bool:
        """Asks what is to be done about a file that another program has changed; whether the graph was saved."""
        self._window.session.set_file_state("changed")
        title = tr("{name} was changed by another program", name=self._window.documents.name)
        sentence = tr("Whichever you choose, both versions are kept: File > Versions shows the other one.")
        box = self._window.documents.question("conflict_dialog", title, sentence)
        answers = {"save_as": tr("Save as …"), "overwrite": tr("Overwrite"), "reload": tr("Reload")}
        answer = ask(box, answers)
        # Who loads the file again has not saved.
        return answer != "" and self.act(answer) and answer != "reload"

    def act(self, what: str) -> bool:
        """Does what a button about the file is for; whether that was done."""
        documents = self._window.documents
        calls: dict[str, Callable[[], bool]] = {
            "reload": self._reload,
            "overwrite": self._overwrite,
            "save": documents.save,
            "save_as": documents.ask_save_as,
        }
        return what in calls and calls[what]()

    def ask_opened_twice(self, path: Path, run: Run) -> str:
        """Asks whether to open what another process has open: `read_only`, `anyway`, or "" for not at all."""
        sentence = tr(
            "The Gradwire that was started at {time} (process {process}) has it open. If both save, the second one is "
            "asked before anything is written over.",
            time=moment_text(run.since),
            process=run.process,
        )
        title = tr("{name} is open already", name=path.name)
        box = self._window.documents.question("opened_twice_dialog", title, sentence)
        return ask(box, {"read_only": tr("Open read-only"), "anyway": tr("Open anyway")})

    def _reload(self) -> bool:
        """Shows what the file holds now; the graph as it was here is kept among the versions of the file."""
        documents, session = self._window.documents, self._window.session
        path = session.document.path
        if path is None:
            return False
        if documents.has_changes:
            try:
                documents.backups.keep(path, dumps(session.graph).encode())
            except FileError as error:
                documents.complain(tr("The file was not loaded again"), tr_sentence(str(error)))
                return False
        return documents.show_file(path)

    def _overwrite(self) -> bool:
        """Saves in place of what another program has written, which is kept among the versions of the file."""
        documents, path = self._window.documents, self._window.session.document.path
        if path is None:
            return False
        try:
            documents.backups.keep_file(path)
        except FileError as error:
            return documents.save_elsewhere(tr_sentence(str(error)))
        return documents.write(path, None)


def ask(box: QMessageBox, answers: Mapping[str, str]) -> str:
    """Shows a question with a button for each answer, the first the default, and Cancel; gives the key, or ""."""
    buttons = {}
    for key, text in answers.items():
        button = buttons[key] = box.addButton(text, QMessageBox.ButtonRole.ActionRole)
        button.setObjectName(f"answer_{key}")
    box.setStandardButtons(box.standardButtons() | QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(next(iter(buttons.values())))
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((key for key, button in buttons.items() if button is clicked), "")
