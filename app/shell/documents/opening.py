"""Opening graphs in a window: files, examples, copies of what was not saved, and an empty one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path

from gradwire.app.base.examples import example_path
from gradwire.app.base.gc_schedule import without_collection
from gradwire.app.base.log import logger
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.features.models.importing import SUFFIXES as MODELS
from gradwire.app.features.models.importing import Importing
from gradwire.app.live.file_status import IMPORTED
from gradwire.app.live.process.evaluator import Spare
from gradwire.app.shell.documents.conflict_questions import ask_opened_twice
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.document_file import DocumentFile
from gradwire.app.shell.documents.recovery_files import SUFFIX, Copy
from gradwire.app.shell.documents.repairing import Repairing
from gradwire.app.shell.documents.saving import Saving
from gradwire.app.shell.documents.unreadable import unreadable_sentence
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.files.files import Loaded, load
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.again import kept_from
from gradwire.interop.models.graphs import Model, is_imported, notices_of, placed_notices

_LOG = logger(__name__)


class Opening:
    """Opens graphs as the document of one window, after the question about unsaved changes.

    `open_last_version` opens what was saved last in a file.
    """

    def __init__(
        self,
        context: DocumentContext,
        file: DocumentFile,
        saving: Saving,
        repairing: Repairing,
        open_last_version: Callable[[Path], None],
    ) -> None:
        self._context, self._document, self._messages = context, context.document, context.messages
        self._file, self._saving, self._repairing, self._open_last_version = file, saving, repairing, open_last_version
        self.importing = Importing(context.frame, self._show_model, self._tell_refused)

    def new(self) -> None:
        """Shows an empty graph, after the question about unsaved changes."""
        if self._saving.may_leave():
            self._document.show()

    def open_or_begin(self, path: Path) -> None:
        """Opens a file; where there is none of that name yet, begins an empty graph that is to be saved there."""
        if path.suffix != SUFFIX or not _is_missing(path):
            self.open(path)
        else:
            self._document.show(path=path.absolute())

    def ask_open(self) -> None:
        """Asks for a file and opens it."""
        path = self._context.dialogs.ask_open(tr("Open a graph"), with_models=True)
        if path is not None:
            self.open(path)

    def open(self, path: Path) -> bool:
        """Opens a file, after the question about unsaved changes; False if it cannot be read or was not wanted.

        A window that has the file open comes forward instead. A model is read meanwhile, and shown as an unsaved graph.
        """
        if (other := self._context.other_showing(path)) is not None:
            other.come_forward()
            return True
        is_model = path.suffix.casefold() in MODELS
        if not (is_model and self._shows_model(path)) and not self._saving.may_leave():
            return False
        if is_model:
            self.importing.start(path)
            return True
        if (other_run := self._context.frame.windows.run_folder.holder(path)) is None:
            return self.show_file(path)
        answer = ask_opened_twice(self._messages, path, other_run)
        return answer != "" and self.show_file(path, answer == "read_only")

    def show_file(self, path: Path, is_read_only: bool = False) -> bool:
        """Shows a file, whatever was shown before; False if it cannot be read."""
        try:
            with without_collection():
                loaded = self._load(path)
        except FileError as error:
            self._tell_unreadable(path, error)
            return False
        self._context.frame.settings.add_recent(path)
        with without_collection():
            self._document.show(with_places(loaded.graph), path.absolute(), _notices(loaded))
        self._repairing.examine(loaded)
        if loaded.stamp is not None:
            self._file.take(loaded.stamp)
        if is_read_only:
            self._file.mark(None)
            sentence = tr("Another Gradwire has {name} open: it is read-only here.", name=path.name)
            self._document.session.file.set_read_only(sentence)
        return True

    def show_copy(self, graph: Graph, title: str, origin: Copy) -> None:
        """Shows a graph that no file of the user holds."""
        with without_collection():
            self._document.show(with_places(graph), title=title)
        self._document.recovered = origin

    def open_example(self, name: str) -> None:
        """Opens an example as an untitled copy."""
        self.open_untitled(example_path(name), name)

    def open_untitled(self, path: Path, title: str) -> None:
        """Opens a graph that comes with the program as an untitled copy."""
        if self._saving.may_leave():
            # What a file says of its place in the gallery is not of the copy.
            graph = dataclasses.replace(self._load(path).graph, extra={})
            self._document.show(with_places(graph), title=title)

    def _show_model(self, path: Path, model: Model) -> None:
        """Shows the graph of a model, which no file holds; how it came in is said among the problems.

        A model that is shown already comes in again by an edit, which leaves what the user added.
        """
        session, is_again = self._document.session, self._shows_model(path)
        if is_again:
            model = kept_from(session.graph, model)
        notices = _of_import(model.graph, model.notices)
        if is_again:
            session.file.notices = listed(notices)
            text = tr("Import {name} again", name=path.name)
            with without_collection():
                session.apply(text, lambda _: with_places(model.graph))
            return
        with without_collection():
            self._document.show(model.graph, title=path.stem, notices=notices)
        self._document.session.file.mark_unsaved()

    def _shows_model(self, path: Path) -> bool:
        """Returns whether the document is the graph that a model of this name became."""
        session = self._document.session
        is_of_model = self._document.is_open and is_imported(session.graph)
        return is_of_model and self._document.base_title == path.stem and not session.file.read_only

    def _tell_refused(self, sentence: str) -> None:
        """Says in a dialog why a model cannot come in."""
        self._messages.complain(tr("The file cannot be opened"), tr_sentence(sentence))

    def tell_failed(self, path: Path, error: Exception) -> None:
        """Says in a dialog that the program itself failed at a file, which is as it was."""
        _LOG.error("A file could not be opened by a mistake of the program", exc_info=error)
        sentence = tr(
            "Something went wrong inside Gradwire at {name}. Help > Report a problem copies the details.",
            name=path.name,
        )
        self._messages.complain(tr("The file cannot be opened"), sentence)

    def _load(self, path: Path) -> Loaded:
        """The graph in a file; a process that will evaluate it reads it at the same time."""
        make_evaluator = self._document.make_evaluator
        return (make_evaluator.load if isinstance(make_evaluator, Spare) else load)(path)

    def _tell_unreadable(self, path: Path, error: FileError) -> None:
        """Says in a dialog why a file cannot be opened; where versions of it were kept, the last can be opened."""
        sentence = unreadable_sentence(path.name, error)
        title = tr("The file cannot be opened")
        if not self._saving.backups.versions(path):
            self._messages.complain(title, sentence)
        elif self._messages.complain(title, sentence, tr("Open its last version")):
            self._open_last_version(path)


def _is_missing(path: Path) -> bool:
    """Returns whether there is certainly no file; in a folder that cannot be looked into there may be one."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        return isinstance(error, FileNotFoundError)
    return False


def _of_import(graph: Graph, notices: Iterable[str]) -> tuple[Problem, ...]:
    """Returns the notices as problems, at a block of the line of source that they name."""
    return tuple(Problem("info", at, IMPORTED, sentence) for at, sentence in placed_notices(graph, notices))


def _notices(loaded: Loaded) -> tuple[Problem, ...]:
    """Returns what reading a file has found, and how a model came in that it holds."""
    found = (*loaded.notices, *_of_import(loaded.graph, notices_of(loaded.graph)))
    if not loaded.unknown_needs:
        return found
    needs = ", ".join(loaded.unknown_needs)
    sentence = tr("The file needs {needs}, which this version does not have: it is read-only here.", needs=needs)
    return (*found, Problem("warning", "", "needs", sentence))
