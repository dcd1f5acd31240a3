"""The line below the table of a tensor: its size, or the reason for a refusal."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.look.widgets import make_column, make_label, show_or_hide
from gradwire.engine.base.limits import size_text
from gradwire.engine.base.tensor_spec import Array


class TensorStatus(QWidget):
    """Two lines of plain text; the line for a refusal is hidden if there is none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._refusal = make_label(parent=self, name="tensor_refusal", look="error", wraps=True)
        self._facts = make_label(parent=self, name="tensor_facts", look="quiet", wraps=True)
        make_column(self._refusal, self._facts, inside=self, margins=0, spacing=4)
        self._refusal.hide()

    def refuse(self, sentence: str) -> None:
        """Shows why something was refused; "" hides the line."""
        show_or_hide(self._refusal, sentence)

    def show_array(self, array: Array) -> None:
        """Shows the size of a tensor, or how to fill an empty one."""
        if not array.size:
            self._facts.setText(tr("No elements yet: paste a table, open a file, or type a shape such as [2, 3]."))
            return
        count = tr_count("{number} element", "{number} elements", array.size, number=grouped(array.size))
        hint = tr("Type into a cell; paste from a spreadsheet, CSV or NumPy.")
        self._facts.setText(f"{count} · {tr_sentence(size_text(array.nbytes))} · {hint}")
