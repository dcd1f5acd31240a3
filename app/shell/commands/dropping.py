"""Files that are dropped on a window or named in its search; it is said beforehand what becomes of each."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from gradwire.app.base.tensor_files import SUFFIXES as TENSORS
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.models.importing import SUFFIXES as MODELS
from gradwire.app.features.search.search_frame import Found
from gradwire.app.kit.search.entries import Entry
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import make_label
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.other_formats import HEAD, foreign_sentence

_CODE, _EXAMPLES = ".py", ".npz"
_PATH = re.compile(r"(file:|~?/|[A-Za-z]:[/\\])[^/\s]")
# The distance of the sentence from the lower edge of the window. Units: px.
_ABOVE = 48


class Dropping(QObject):
    """Takes the files of one window. While one is dragged over it, a sentence says what becomes of it."""

    def __init__(self, window: WindowParts) -> None:
        frame = window.frame
        super().__init__(frame)
        self._window = window
        self._hint = make_label("", frame, name="drop_hint", look="popup")
        self._hint.setContentsMargins(14, 8, 14, 8)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        frame.setAcceptDrops(True)
        frame.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Says what becomes of the first file, and takes it when it is dropped."""
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self._hint.hide()
        if isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
            if files:
                event.acceptProposedAction()
                self._say(outcome(files[0])) if isinstance(event, QDragEnterEvent) else self._drop(files[0], event)
            return True
        return super().eventFilter(watched, event)

    def named(self, text: str) -> Found | None:
        """Returns the file that a typed or pasted path names, as the search shows it; None for other texts."""
        if not _PATH.match(text.strip()):
            return None
        path = Path(QUrl(text.strip()).toLocalFile() or text.strip()).expanduser()
        if not path.is_file():
            return [], tr('There is no file "{name}".', name=plain(str(path)))
        says = outcome(path)
        return [Entry("", plain(path.name), partial(self.take, path), says, tip=says, icon="file", hint=says)], ""

    def take(self, path: Path, at: QPointF | None = None) -> None:
        """Opens a graph or a model; code, numbers and examples come to a point of the canvas, or onto a new page."""
        window, editor = self._window, self._window.editor
        if path.suffix.lower() not in (*TENSORS, _CODE, _EXAMPLES):
            window.documents.opening.open(path)
            return
        if window.layout.shows_welcome or not window.has_document:
            # Numbers are no graph: they begin a new one.
            window.documents.opening.new()
            if not window.has_document or window.layout.shows_welcome:
                return
        view = at or window.canvas.rect().center().toPointF()
        if path.suffix.lower() == _CODE:
            editor.clipboard.paste_file(path, window.canvas.camera.to_scene(view))
        else:
            editor.tensors.place_file(path, view)

    def _drop(self, path: Path, event: QDropEvent) -> None:
        at = self._window.canvas.mapFrom(self._window.frame, event.position().toPoint()).toPointF()
        # Not from within the drop: a dialog would keep the other program waiting.
        QTimer.singleShot(0, self, partial(self.take, path, at))

    def _say(self, sentence: str) -> None:
        frame, hint = self._window.frame, self._hint
        hint.setText(literal_tip(sentence))
        hint.adjustSize()
        hint.move(QPoint((frame.width() - hint.width()) // 2, frame.height() - hint.height() - _ABOVE))
        hint.raise_()
        hint.show()


def outcome(path: Path) -> str:
    """Returns what becomes of a file that is opened or dropped; of other files, that they are no graphs."""
    ending, name = path.suffix.lower(), plain(path.name)
    becomes = {
        _CODE: tr("Reads the code: its formulas become blocks"),
        _EXAMPLES: tr("Becomes a Data block with its examples"),
        **dict.fromkeys(TENSORS, tr("Becomes a block with its numbers")),
        **dict.fromkeys(MODELS, tr("Reads the model: {name}", name=name)),
    }
    if ending in becomes:
        return becomes[ending]
    try:
        with path.open("rb") as file:
            foreign = tr_sentence(foreign_sentence(path.name, file.read(HEAD)))
    except OSError:
        foreign = tr('"{name}" is not a Gradwire graph.', name=name)
    return foreign or tr("Opens as a graph")
