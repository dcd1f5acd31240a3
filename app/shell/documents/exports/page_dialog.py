"""The dialog with the choices of a page that runs."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.widgets import Dialog, make_column, make_label, named
from gradwire.app.shell.documents.exports.save_buttons import save_buttons


class PageWanted(NamedTuple):
    """The choices of the dialog."""

    is_trained: bool = False
    is_embedded: bool = False


class PageDialog(Dialog):
    """Asks what a page is to have; `wanted(PageWanted)` carries the choices. Without a plan nobody can train it."""

    wanted = Signal(object)

    def __init__(self, has_plan: bool, parent: QWidget) -> None:
        super().__init__(parent, "page_dialog", tr("Export as web page"))
        text = tr(
            "One file that any browser opens, without the internet. Readers move numbers, and the gradients follow."
        )
        said = make_label(text, self, wraps=True)
        said.setMinimumWidth(380)
        plan = tr("With the data of its plan") if has_plan else tr("This graph has no plan of training")
        self._train = self._box("page_train", tr("Readers can train it"), plan)
        self._train.setEnabled(has_plan)
        frame = tr("Without title and table, for a frame in an article")
        self._embed = self._box("page_embed", tr("For embedding"), frame)
        buttons = save_buttons(self, "page", self._finish)
        make_column(said, self._train, self._embed, buttons, inside=self, margins=16, spacing=12)

    def _box(self, name: str, text: str, more: str) -> QCheckBox:
        return named(QCheckBox(f"{text}\n{more}", self), name)

    def _finish(self) -> None:
        wanted = PageWanted(self._train.isChecked(), self._embed.isChecked())
        self.accept()
        self.wanted.emit(wanted)
