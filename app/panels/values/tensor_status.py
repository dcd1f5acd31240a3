"""The line below the table of a tensor: what it holds, or why the last wish was refused."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.words import grouped, tr, tr_count, tr_sentence
from engine.limits import size_text
from engine.tensor_spec import Array


class TensorStatus(QWidget):
    """Two lines of plain text; that of the refusal is hidden while there is none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._refusal = QLabel(self)
        self._refusal.setObjectName("tensor_refusal")
        self._refusal.setProperty("look", "error")
        self._facts = QLabel(self)
        self._facts.setObjectName("tensor_facts")
        self._facts.setProperty("look", "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for label in (self._refusal, self._facts):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            layout.addWidget(label)
        self._refusal.hide()

    def refuse(self, sentence: str) -> None:
        """Says why something was refused; "" takes that away."""
        self._refusal.setText(sentence)
        self._refusal.setVisible(bool(sentence))

    def show_array(self, array: Array) -> None:
        """Says how large a tensor is, or how to fill an empty one."""
        if not array.size:
            self._facts.setText(tr("No elements yet: paste a table, open a file, or type a shape such as [2, 3]."))
            return
        count = tr_count("{number} element", "{number} elements", array.size, number=grouped(array.size))
        hint = tr("Type into a cell; paste from a spreadsheet, CSV or NumPy.")
        self._facts.setText(f"{count} · {tr_sentence(size_text(array.nbytes))} · {hint}")
