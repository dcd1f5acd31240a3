"""The files of one window: opening, saving, conflicts, recovery, and the graph as a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.help.about import open_dialog
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.conflicts import Conflicts
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.document_file import DocumentFile
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.app.shell.documents.exports.pictures import Pictures
from gradwire.app.shell.documents.exports.web_pages import WebPages
from gradwire.app.shell.documents.opening import Opening
from gradwire.app.shell.documents.recovery import Recovery
from gradwire.app.shell.documents.recovery_files import Copy
from gradwire.app.shell.documents.repairing import Repairing
from gradwire.app.shell.documents.saving import Saving
from gradwire.app.shell.window.panels import Panels
from gradwire.engine.base.errors import FileError
from gradwire.engine.graph.graph import Graph


class Documents:
    """The files of one window. `file` is that of its document, `recovery` keeps the copy of what is not saved.

    `comparing` asks for a graph to compare with; `pictures` and `web_pages` write the document in other forms.
    """

    def __init__(
        self, context: DocumentContext, canvas: Canvas, panels: Panels, open_last_version: Callable[[Path], None]
    ) -> None:
        frame, document = context.frame, context.document
        self.repairing = Repairing(document, lambda: panels.show_lens("problems"))
        self.comparing = Comparing(context, panels)
        self.pictures, self.web_pages = Pictures(canvas, context), WebPages(context)
        self._document, self._plugins = document, frame.windows.plugins
        self.context = context
        self.file = DocumentFile(frame, frame.windows.run_folder)
        self.recovery = Recovery(document, frame.windows.run_folder)
        self.saving = Saving(context, self.file, lambda: self.conflicts.settle(), self.recovery.put_aside)
        self.opening = Opening(context, self.file, self.saving, self.repairing, open_last_version)
        self.conflicts = Conflicts(document, self.saving, self.opening, context.messages)
        # First: the copy and the mark of the document before go whatever the others do.
        document.session_changed.connect(self.recovery.turn_to)
        document.session_changed.connect(self.file.turn_to)
        document.session_changed.connect(self._plugins.attach)

    def show_copy(self, graph: Graph, title: str, origin: Copy, file: Path | None = None) -> None:
        """Shows a graph that no file of the user holds; `file` is the copy that was kept of it, if there is one."""
        self.opening.show_copy(graph, title, origin)
        session = self._document.session
        session.part(TrainingDesk).keeps_state = session.part(TrainingDesk).keeps_state and origin.keeps_state
        self.recovery.turn_to(session, file)
        session.file.mark_unsaved()

    def show_code(self) -> None:
        """Shows the graph as a program."""
        session = self._document.session
        # The command reads no files of data; what has been read here goes with the graph.
        graph = session.data.filled(session.graph)
        try:
            dialog = CodeDialog(graph, self._document.title, self.context.frame, self._document.files_read)
        except FileError as error:
            self.context.messages.complain(tr("The graph cannot be shown as a program"), tr_sentence(str(error)))
            return
        dialog.refused.connect(self._plugins.look_again)
        open_dialog(dialog)

    def close(self) -> None:
        """Goes back to the welcome page, after the question about unsaved changes."""
        if self.saving.may_leave():
            self._document.leave()

    def end(self) -> None:
        """Lets go of the document of a window that closes, with the user's word."""
        self.opening.importing.stop()
        self.recovery.close()
        self.file.leave()
