"""The document that a window shows: its session, its title, and the change to another one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.state_folder import DATA_FOLDERS, state_folder
from gradwire.app.base.translation import tr
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.app.shell.documents.recovery_files import SUFFIX, Copy
from gradwire.app.shell.features import FEATURES
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.wanted_files import paths_read
from gradwire.engine.graph.graph import Graph


class ShownDocument(QObject):
    """The document of one window. Without one `session` holds an empty graph, for the canvas and the panels to show.

    `recovered` is the copy that it was recovered from, until it is saved.

    Views follow `current`. `session_changed(Session)` comes with another document, before they turn to it and the old
    one is closed; `shown()` comes after that. `left()` comes when there is none any more, `path_changed(Path)` when it
    is saved in another file.
    """

    session_changed = Signal(object)
    shown = Signal()
    left = Signal()
    path_changed = Signal(object)

    def __init__(self, make_evaluator: MakeEvaluator, parent: QObject) -> None:
        super().__init__(parent)
        self.make_evaluator = make_evaluator
        self._allowed = AllowedFolders(state_folder() / DATA_FOLDERS)
        self.current = CurrentSession(Session(Graph(), InlineEvaluator, parent=self), self)
        self.is_open = False
        self.title = ""
        self.recovered: Copy | None = None

    @property
    def session(self) -> Session:
        """The session of the document shown."""
        return self.current.session

    @property
    def name(self) -> str:
        """The name of the document's file, or a title."""
        return f"{self.title}{SUFFIX}" if self.session.document.path is not None else self.title

    @property
    def original(self) -> Path | None:
        """The file of the document; of one that was recovered, the file of which the copy was made."""
        path = self.session.document.path
        return self.recovered.original if path is None and self.recovered is not None else path

    @property
    def files_read(self) -> list[Path]:
        """Files that the document is read from, over which nothing else may be written."""
        return paths_read(self.session.graph, self.original)

    @property
    def base_title(self) -> str:
        """The title of the document, without a word of its being recovered."""
        return self.recovered.title if self.recovered is not None else self.title

    @property
    def path(self) -> Path | None:
        """The file that is open here."""
        return self.session.document.path if self.is_open else None

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that are not saved."""
        return self.is_open and not self.session.document.is_saved

    def show(
        self, graph: Graph | None = None, path: Path | None = None, notices: tuple[Problem, ...] = (), title: str = ""
    ) -> None:
        """Shows a graph, by default an empty one, in place of the document before."""
        self._replace(Graph() if graph is None else graph, path, notices, title, is_open=True)
        self.shown.emit()

    def leave(self) -> None:
        """Closes the document."""
        self._replace(Graph(), None, (), "", is_open=False)
        self.left.emit()

    def _replace(
        self, graph: Graph, path: Path | None, notices: tuple[Problem, ...], title: str, is_open: bool
    ) -> None:
        old = self.session
        session = Session(graph, self.make_evaluator, path, notices, parent=self, allowed=self._allowed)
        for feature in FEATURES:
            if feature.session_part is not None:
                session.part(feature.session_part)
        session.file.path_changed.connect(self._take_path)
        self.recovered = None
        self.is_open = is_open
        self.title = path.stem if path is not None else title or tr("untitled")
        self.session_changed.emit(session)
        self.current.show(session)
        old.close(waits=False)
        old.deleteLater()

    def _take_path(self, path: Path) -> None:
        self.title = path.stem
        self.path_changed.emit(path)
