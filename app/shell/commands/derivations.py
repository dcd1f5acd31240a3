"""The export of a derivation with numbers, to the clipboard or a file, for the selection or a chosen path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.paths.path_part import PathPart, selected_place
from gradwire.app.features.paths.path_questions import DerivationName
from gradwire.app.live.asking import ask_once
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import TEXT, Output

LATEX_SUFFIX = ".tex"


def copy(window: WindowParts) -> None:
    """Puts the derivation on the clipboard, as Markdown."""

    def take(sheet: str) -> None:
        QGuiApplication.clipboard().setText(sheet)
        window.layout.sayings.say(tr("The derivation is on the clipboard."))

    _ask(window, False, take)


def ask_save(window: WindowParts) -> None:
    """Asks for a file and writes the derivation: LaTeX into a `.tex` file, else Markdown."""
    title, start, files = tr("Save the derivation"), f"{tr('derivation')}.md", "Markdown (*.md);;LaTeX (*.tex)"
    name, _ = QFileDialog.getSaveFileName(window.frame, title, start, files)
    if name:
        save(window, Path(name))


def save(window: WindowParts, path: Path) -> None:
    """Writes the derivation, and reports a file that cannot be written."""

    def take(sheet: str) -> None:
        try:
            Output(path, TEXT, window.document.files_read).write(sheet.encode())
        except FileError as error:
            window.layout.sayings.say(tr_sentence(str(error)))
        else:
            window.layout.sayings.say(tr("Saved as {path}.", path=path))

    _ask(window, path.suffix == LATEX_SUFFIX, take)


def _ask(window: WindowParts, is_latex: bool, take: Callable[[str], None]) -> None:
    question = _question(window, is_latex)
    if question is None:
        window.layout.sayings.say(tr("Select a block or a wire first: its gradient is derived."))
        return

    def take_or_say(sheet: str | None) -> None:
        if sheet:
            take(sheet)
        else:
            window.layout.sayings.say(tr("There is no gradient to derive here."))

    ask_once(window.session, question, take_or_say)


def _question(window: WindowParts, is_latex: bool) -> DerivationName | None:
    """Returns the question about the path chosen in the card, else about the whole gradient of the selection."""
    part = window.panels.inspector.part("lens_paths")
    chosen = part.chosen if isinstance(part, PathPart) and part.isVisible() else None
    if chosen is not None:
        return DerivationName(*chosen, is_latex)
    place = selected_place(window.session)
    return None if place is None else DerivationName(place, None, False, is_latex)
