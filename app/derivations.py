"""Takes the chain rule with numbers to the clipboard or to a file, for what is selected or the path that is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.lenses.path_lens import PathLens, selected_place
from app.live.asking import ask_once
from app.live.path_questions import DerivationName
from app.words import tr

if TYPE_CHECKING:
    from app.main_window import MainWindow

LATEX_SUFFIX = ".tex"


def copy(window: MainWindow) -> None:
    """Puts the sheet on the clipboard, as Markdown."""

    def take(sheet: str) -> None:
        QGuiApplication.clipboard().setText(sheet)
        window.say(tr("The derivation is on the clipboard."))

    _ask(window, False, take)


def ask_save(window: MainWindow) -> None:
    """Asks for a file and writes the sheet: LaTeX into a `.tex` file, else Markdown."""
    name, _ = QFileDialog.getSaveFileName(
        window, tr("Save the derivation"), f"{tr('derivation')}.md", "Markdown (*.md);;LaTeX (*.tex)"
    )
    if name:
        save(window, Path(name))


def save(window: MainWindow, path: Path) -> None:
    """Writes the sheet; a file that cannot be written is said."""

    def take(sheet: str) -> None:
        try:
            path.write_text(sheet, encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            window.say(tr("{path} cannot be written: {reason}. Save it elsewhere.", path=path, reason=reason))
        else:
            window.say(tr("Saved as {path}.", path=path))

    _ask(window, path.suffix == LATEX_SUFFIX, take)


def _ask(window: MainWindow, is_latex: bool, take: Callable[[str], None]) -> None:
    question = _question(window, is_latex)
    if question is None:
        window.say(tr("Select a block or a wire first: its gradient is derived."))
        return

    def take_or_say(sheet: str | None) -> None:
        if sheet:
            take(sheet)
        else:
            window.say(tr("There is no gradient to derive here."))

    ask_once(window.session, question, take_or_say)


def _question(window: MainWindow, is_latex: bool) -> DerivationName | None:
    """The path that the lens shows, else the whole gradient of what is selected."""
    lens = window.docking.lenses.lens("paths")
    chosen = lens.chosen if isinstance(lens, PathLens) and lens.isVisible() else None
    if chosen is not None:
        return DerivationName(*chosen, is_latex)
    place = selected_place(window.session)
    return None if place is None else DerivationName(place, None, False, is_latex)
