"""The rows of editors for the parameters of one block, or of several that have them in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.look.appearance import Appearance
from app.panels.inspector_parts import labelled_row
from app.panels.parameter_editors import ParameterEditor, TensorEditor, editor_for
from engine.parameters import Parameter

_NAMES = {"dtype": "dtype", "keepdims": "Keep dims", "ksize": "Window", "perm": "Order of axes"}
ValueOf = Callable[[Parameter], object]


class ParameterRows(QWidget):
    """One row a parameter. `edited(ParameterEditor, value)` carries what was set, `table_asked(str)` a name.

    `left` says that the keys go elsewhere than to the row that had them.
    """

    edited = Signal(object, object)
    table_asked = Signal(str)
    left = Signal()

    def __init__(
        self,
        parameters: Sequence[Parameter],
        value_of: ValueOf,
        appearance: Appearance,
        parent: QWidget,
        pages: Sequence[str] = (),
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._editors: list[ParameterEditor] = []
        for parameter in parameters:
            editor = editor_for(parameter, value_of(parameter), appearance, self, pages)
            editor.value_edited.connect(self._hand_on)
            editor.left.connect(self.left)
            if isinstance(editor, TensorEditor):
                editor.table_asked.connect(self._ask_for_table)
            layout.addLayout(labelled_row(row_name(parameter.name), editor, self))
            self._editors.append(editor)

    def follow(self, before: QWidget) -> None:
        """Lets Tab go from a widget to the first row, and on from row to row."""
        for editor in self._editors:
            # An editor that stands for its field would be a second stop, at the end of all.
            editor.setFocusProxy(None)  # type: ignore[arg-type]  # Qt takes no widget as well
            for field in editor.stops():
                QWidget.setTabOrder(before, field)
                before = field

    def edit(self, name: str) -> None:
        """Moves the keyboard to a parameter, its text ready to be replaced."""
        for editor in self._editors:
            if editor.parameter.name == name:
                field = editor.stops()[0]
                field.setFocus(Qt.FocusReason.ShortcutFocusReason)
                if isinstance(field, QLineEdit):
                    field.selectAll()

    def start_with(self, value_of: ValueOf) -> None:
        """Shows the parameters of another block."""
        for editor in self._editors:
            editor.start_with(value_of(editor.parameter))

    def refresh(self, value_of: ValueOf) -> None:
        """Shows new values; what is being typed stays."""
        for editor in self._editors:
            editor.set_value(value_of(editor.parameter))

    def _hand_on(self, value: object) -> None:
        editor = self.sender()
        if isinstance(editor, ParameterEditor):
            self.edited.emit(editor, value)

    def _ask_for_table(self) -> None:
        editor = self.sender()
        if isinstance(editor, ParameterEditor):
            self.table_asked.emit(editor.parameter.name)


def row_name(name: str) -> str:
    """A parameter's name as a row shows it."""
    return _NAMES.get(name, name.replace("_", " ").capitalize())
