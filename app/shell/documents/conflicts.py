"""Conflicts of two programs that write one file: both versions survive whatever the user chooses."""

from __future__ import annotations

from collections.abc import Callable

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.shell.documents.conflict_questions import ask_changed
from gradwire.app.shell.documents.messages import Messages
from gradwire.app.shell.documents.opening import Opening
from gradwire.app.shell.documents.saving import Saving
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.engine.base.errors import FileError


class Conflicts:
    """The conflicts of the document of one window."""

    def __init__(self, document: ShownDocument, saving: Saving, opening: Opening, messages: Messages) -> None:
        self._document, self._saving, self._opening, self._messages = document, saving, opening, messages

    def settle(self) -> bool:
        """Asks the user about a file that another program has changed; returns whether the graph was saved."""
        self._document.session.file.set_state("changed")
        answer = ask_changed(self._messages, self._document.name)
        # Who loads the file again has not saved.
        return answer != "" and self.act(answer) and answer != "reload"

    def act(self, what: str) -> bool:
        """Runs the action of a file button; returns whether it was done."""
        calls: dict[str, Callable[[], bool]] = {
            "reload": self._reload,
            "overwrite": self._overwrite,
            "save": self._saving.save,
            "save_as": self._saving.ask_save_as,
        }
        return what in calls and calls[what]()

    def _reload(self) -> bool:
        """Shows the current content of the file; the graph so far is kept among the versions of the file."""
        session = self._document.session
        path = session.document.path
        if path is None:
            return False
        if self._document.has_changes:
            try:
                self._saving.backups.keep_graph(path, session.graph)
            except FileError as error:
                self._messages.complain(tr("The file was not loaded again"), tr_sentence(str(error)))
                return False
        return self._opening.show_file(path)

    def _overwrite(self) -> bool:
        """Overwrites the version of another program, which is kept among the versions of the file."""
        path = self._document.session.document.path
        if path is None:
            return False
        try:
            self._saving.backups.keep_file(path)
        except FileError as error:
            return self._saving.save_elsewhere(tr_sentence(str(error)))
        return self._saving.write(path, None)
