"""The rows of editors for the parameters of one block, or for the common parameters of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.inspector.names_editor import NamesEditor
from gradwire.app.features.inspector.start_editor import StartEditor
from gradwire.app.kit.controls.form_parts import labelled_row, show_row
from gradwire.app.kit.controls.parameter_editors import ParameterEditor, TensorEditor, editor_for
from gradwire.app.kit.controls.parameter_text import can_be_none
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_button, make_column
from gradwire.engine.base.starts import SHAPE, START, VALUE
from gradwire.engine.blocktypes.parameters import Parameter

_NAMES = {"dtype": "Type", "keepdims": "Keep dims", "ksize": "Window", "perm": "Order of axes"}
# The link names so many parameters that are not set; its tip has all.
NAMED = 2
ValueOf = Callable[[Parameter], object]
Names = Mapping[str, Sequence[str]]


class ParameterRows(QWidget):
    """One row for each parameter. `edited(ParameterEditor, value)` carries a change, `table_asked(str)` a name.

    `left` is emitted when a row loses the keyboard focus.
    """

    edited = Signal(object, object)
    table_asked = Signal(str)
    left = Signal()

    def __init__(
        self, parameters: Sequence[Parameter], value_of: ValueOf, appearance: Appearance, parent: QWidget, names: Names
    ) -> None:
        """`names` has what parameters that name pages or ports may choose from, by parameter."""
        super().__init__(parent)
        layout = make_column(inside=self, margins=0, spacing=6)
        self._editors: list[ParameterEditor] = []
        self._unset = make_button(does=self._show_unset, parent=self, name="show_unset", look="link")
        for parameter in parameters:
            value = value_of(parameter)
            editor = _editor_of(parameter, value, appearance, self, names.get(parameter.name))
            editor.value_edited.connect(partial(self.edited.emit, editor))
            editor.left.connect(self.left)
            if isinstance(editor, TensorEditor):
                editor.table_asked.connect(partial(self.table_asked.emit, parameter.name))
            layout.addLayout(labelled_row(row_name(parameter.name), editor, self))
            self._editors.append(editor)
        layout.addWidget(self._unset, 0, Qt.AlignmentFlag.AlignLeft)
        self._show_due(value_of)
        self._hide_unset(value_of)

    def tab_after(self, before: QWidget) -> None:
        """Lets Tab go from a widget to the first row, and on from row to row."""
        for editor in self._editors:
            # As a focus proxy, an editor would be a second stop at the end of the order.
            editor.setFocusProxy(None)  # type: ignore[arg-type]  # Qt takes no widget as well
            for field in editor.stops():
                QWidget.setTabOrder(before, field)
                before = field

    def edit(self, name: str) -> QWidget | None:
        """Moves the keyboard focus to a parameter, selects its text, and returns its editor; None if there is none."""
        for editor in self._editors:
            if editor.parameter.name == name:
                if editor.isHidden():
                    self._show_unset()
                field = editor.stops()[0]
                field.setFocus(Qt.FocusReason.ShortcutFocusReason)
                if isinstance(field, QLineEdit):
                    field.selectAll()
                return editor
        return None

    def start_with(self, value_of: ValueOf) -> None:
        """Shows the parameters of another block."""
        for editor in self._editors:
            editor.start_with(value_of(editor.parameter))
        self._show_due(value_of)
        self._hide_unset(value_of)

    def refresh(self, value_of: ValueOf) -> None:
        """Shows new values; text that the user is typing stays."""
        for editor in self._editors:
            editor.set_value(value_of(editor.parameter))
        self._show_due(value_of)

    def _hide_unset(self, value_of: ValueOf) -> None:
        """Hides the rows of parameters that are not set, and offers them by their names."""
        optional = [editor for editor in self._editors if _is_optional(editor.parameter)]
        unset = [editor for editor in optional if value_of(editor.parameter) is None]
        for editor in optional:
            show_row(editor, editor not in unset)
        names = [row_name(editor.parameter.name) for editor in unset]
        self._unset.setText(tr("Set {names} …", names=", ".join(names[:NAMED])))
        self._unset.setToolTip(", ".join(names))
        self._unset.setVisible(bool(unset))

    def _show_unset(self) -> None:
        for editor in self._editors:
            if _is_optional(editor.parameter):
                show_row(editor, True)
        self._unset.hide()

    def _show_due(self, value_of: ValueOf) -> None:
        """Shows the row of the value or, where a start stands for it, that of the shape."""
        start = next((editor for editor in self._editors if editor.parameter.kind.name == START), None)
        if start is None:
            return
        is_due = {VALUE: not isinstance(value_of(start.parameter), Mapping)}
        is_due[SHAPE] = not is_due[VALUE]
        for editor in self._editors:
            show_row(editor, is_due.get(editor.parameter.name, True))


def _editor_of(
    parameter: Parameter, value: object, appearance: Appearance, parent: QWidget, names: Sequence[str] | None
) -> ParameterEditor:
    if parameter.kind.name == START:
        return StartEditor(parameter, value, parent)
    if parameter.kind.name == "ports" and names is not None:
        return NamesEditor(parameter, value, names, appearance, parent)
    return editor_for(parameter, value, appearance, parent, names or ())


def _is_optional(parameter: Parameter) -> bool:
    """Returns whether a parameter may have no value, and then says nothing: no axes are all of them."""
    is_due = parameter.name in (VALUE, SHAPE)
    return can_be_none(parameter) and parameter.kind.name not in ("axes", START) and not is_due


def row_name(name: str) -> str:
    """Returns the label of a parameter's row."""
    return _NAMES.get(name, name.replace("_", " ").capitalize())
