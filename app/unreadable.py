"""What is said of a file that cannot be opened: where, why, the line itself, and that there are earlier versions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.words import tr, tr_sentence
from engine.errors import FileError
from engine.plain_text import plain

if TYPE_CHECKING:
    from app.main_window import MainWindow


def tell_unreadable(window: MainWindow, path: Path, error: FileError) -> None:
    """Says in a dialog why a file cannot be opened; where versions of it were kept, these can be listed."""
    sentence = unreadable_sentence(path.name, error)
    title = tr("The file cannot be opened")
    if not window.documents.backups.versions(path):
        window.documents.complain(title, sentence)
    elif window.documents.complain(title, sentence, tr("Versions …")):
        window.dialogs.show_versions(path)


def unreadable_sentence(name: str, error: FileError) -> str:
    """The place and the reason, and below them the line to blame: `a.graph, line 3, column 9: ...`."""
    place = tr(", line {line}, column {column}", line=error.line, column=error.column) if error.line else ""
    sentence = f"{plain(name)}{place}: {tr_sentence(error.message)}"
    return f"{sentence}\n\n{error.excerpt}" if error.excerpt else sentence
