"""The dialog that reports a problem: exactly the text that is copied, for the user to read first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, Dialog, add_items, make_button, make_column, make_row, named
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import TEXT, Output

WIDTH, HEIGHT = 680, 520


class ReportDialog(Dialog):
    """A text, a switch for what is the user's own, and buttons that copy or save the text."""

    def __init__(self, made_text: Callable[[bool], str], appearance: Appearance, parent: QWidget) -> None:
        """`made_text` gives the report, with file names and the graph if its argument says so."""
        super().__init__(parent, "report_dialog", tr("Report a problem"), QSize(WIDTH, HEIGHT))
        self._made_text = made_text
        self._text = self._made_field()
        self._has_graph = named(Switch(appearance, tr("Include file names and the graph itself"), self), "report_graph")
        self._has_graph.toggled.connect(self._show_text)
        self._said = plain_label("", "report_said", "quiet", self, wraps=True)
        advice = plain_label(_advice(), "report_advice", "", self, wraps=True)
        layout = make_column(advice, (self._text, 1), inside=self, margins=(20, 18, 20, 16), spacing=12)
        add_items(layout, self._has_graph, self._said, self._buttons())
        self._show_text()

    def _made_field(self) -> QPlainTextEdit:
        # Tab leaves it, as it leaves any other field.
        whole_lines = QPlainTextEdit.LineWrapMode.NoWrap
        field = QPlainTextEdit(self, readOnly=True, tabChangesFocus=True, lineWrapMode=whole_lines)
        return named(field, "report_text", says=tr("Text of the report"))

    def _buttons(self) -> QHBoxLayout:
        actions = (
            ("report_copy", tr("Copy"), self._copy),
            ("report_save", tr("Save as text …"), self._ask_save),
            ("report_close", tr("Close"), self.accept),
        )
        row = make_row(STRETCH)
        for name, text, call in actions:
            button = make_button(text, call, self, name=name)
            button.setDefault(name == "report_copy")
            row.addWidget(button)
        return row

    def _show_text(self) -> None:
        self._text.setPlainText(self._made_text(self._has_graph.isChecked()))
        self._say("")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())
        self._say(tr("Copied."))

    def _ask_save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Save the report"), "gradwire-report.txt", "Text (*.txt)")
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Writes the text to a file, and says whether that was possible."""
        try:
            Output(path, TEXT).write(self._text.toPlainText().encode())
        except FileError as error:
            self._say(tr_sentence(str(error)))
        else:
            self._say(tr("Saved as {name}.", name=path.name))

    def _say(self, sentence: str) -> None:
        self._said.setText(sentence)
        self._said.setAccessibleName(sentence)


def _advice() -> str:
    return tr(
        "Copy this text and paste it into the issue form of the project. It has no file names, no names of blocks and "
        "no numbers of your graphs unless you turn on the switch below."
    )
