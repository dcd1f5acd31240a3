"""One small editor for each kind of parameter. An editor never emits an invalid value, but shows its error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gradwire.app.base.number_keys import key_steps, number_at, span_of, stepped_text, whole_steps
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.parameter_text import (
    can_be_none,
    is_editable,
    parameter_text,
    read_parameter,
    result_text,
    step_size,
    stepped,
    value_text,
)
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.tips import plain_tip
from gradwire.app.look.widgets import (
    STRETCH,
    add_items,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
    show_or_hide,
)
from gradwire.engine.base.errors import DtypeError, GradwireError, ParameterError
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.blocktypes.parameters import REQUIRED, SEPARATORS, Parameter
from gradwire.engine.graph.graph import same_value

FIELD_HEIGHT = 24
_UNDO, _REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
MIXED: Final = object()
"""The value for `set_value` if several blocks have different values."""


class ParameterEditor(QWidget):
    """The editor of one parameter. `value_edited` carries a new valid value once the user has finished it.

    `set_value` shows a value without a signal. `is_stepping` is true while the arrow keys change the value, so
    that a series of steps becomes one edit. `left` is emitted when the field loses the keyboard focus.
    """

    value_edited = Signal(object)
    left = Signal()

    def __init__(self, parameter: Parameter, value: object, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self.is_stepping = False
        self._value = value
        self.setObjectName(f"editor_{parameter.name}")
        self._error = make_label("", self, name=f"error_{parameter.name}", look="error", wraps=True, least_width=1)
        self._error.hide()
        self._column, self._row = make_column(inside=self, margins=0, spacing=2), make_row(spacing=4)

    def set_value(self, value: object) -> None:
        """Shows a value; does nothing if the value is the same or the user is typing another."""
        if not same_value(value, self._value):
            self._value = value
            self._show()

    def start_with(self, value: object) -> None:
        """Shows the value of another block; drops typed text and errors of the previous one."""
        self._value = value
        self._show()

    def stops(self) -> list[QWidget]:
        """Returns the widgets that Tab stops at, in order."""
        return [self._field]

    def show_error(self, sentence: str) -> None:
        """Marks the field as invalid and shows the sentence; an empty sentence removes the mark."""
        sentence = tr_sentence(sentence)
        show_or_hide(self._error, sentence)
        field, state = self._field, "error" if sentence else ""
        field.setToolTip(plain_tip(sentence))
        if (field.property("state") or "") != state:
            field.setProperty("state", state)
            field.style().unpolish(field)
            field.style().polish(field)

    def _place(self, field: QWidget) -> None:
        """Lays the field out above the error line and makes it the focus proxy."""
        self._field = named(field, f"parameter_{self.parameter.name}", says=self.parameter.name)
        self.setFocusProxy(field)
        add_items(self._row, *([field, STRETCH] if isinstance(field, Switch) else [(field, 1)]))
        add_items(self._column, self._row, self._error)

    def _show(self) -> None:
        raise NotImplementedError

    def _commit(self, value: object) -> None:
        """Emits a value if it is valid, else shows its error."""
        try:
            normal = self.parameter.normalize(value)
        except ParameterError as error:
            self.show_error(error.sentence)
            return
        self.show_error("")
        if same_value(normal, self._value):
            self._show()
            return
        self._value = normal
        self._show()
        self.value_edited.emit(normal)

    def _commit_typed(self, read: Callable[[], object]) -> None:
        """Emits what a text means, else shows why it cannot be read."""
        try:
            value = read()
        except (ParameterError, DtypeError) as error:
            self._refuse(error)
        else:
            self._commit(value)

    def _refuse(self, error: GradwireError) -> None:
        self.show_error(ParameterError(f"parameter {self.parameter.name} {error}").sentence)


class LineEditor(ParameterEditor):
    """A line of text. Enter or a lost focus commits, Escape reverts, the arrow keys step a number."""

    def __init__(self, parameter: Parameter, value: object, parent: QWidget | None = None) -> None:
        super().__init__(parameter, value, parent)
        self._line = named(QLineEdit(self), height=FIELD_HEIGHT, font=font("mono", 11.5))
        self._line.installEventFilter(self)
        self._line.editingFinished.connect(self._finish)
        self._place(self._line)
        self._show()

    def set_value(self, value: object) -> None:
        """Shows a value; text that the user is typing stays, and is compared with the value when finished."""
        if self._line.hasFocus() and self._line.isModified():
            self._value = value
            return
        super().set_value(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles the keys: Escape shows the value again, Up and Down step it, and undo is the document's."""
        if isinstance(event, QKeyEvent) and self._leaves_undo(event):
            event.ignore()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self._line.isModified():
                self._show()
                return True
            steps = key_steps(event.key(), event.modifiers())
            if steps is not None:
                return self._step(steps)
        if event.type() == QEvent.Type.FocusOut:
            self.left.emit()
        return super().eventFilter(watched, event)

    def _leaves_undo(self, event: QKeyEvent) -> bool:
        """Returns whether the document is to undo: Qt's line takes every undo, even without a text to bring back."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and not self._line.isModified()
        return is_asked and (event.matches(_UNDO) or event.matches(_REDO))

    def _show(self) -> None:
        self.show_error("")
        is_open = self._value is MIXED or self._value is REQUIRED
        self._line.setReadOnly(isinstance(self._value, np.ndarray) and not is_editable(self._value))
        self._line.setPlaceholderText(tr("mixed") if self._value is MIXED else self._hint())
        self._line.setText("" if is_open else parameter_text(self.parameter, self._value))
        self._line.setCursorPosition(0)

    def _hint(self) -> str:
        """Returns the placeholder of an empty line: the meaning of emptiness, else an example."""
        if can_be_none(self.parameter):
            return tr("all") if self.parameter.kind.name == "axes" else tr("none")
        return _example(self.parameter.kind.name)

    def _finish(self) -> None:
        if self._line.isModified() and not self._line.isReadOnly():
            self._commit_typed(lambda: self._read(self._line.text()))

    def _read(self, text: str) -> object:
        """Returns the value of a line; the word none means None if the parameter may be None."""
        if text.strip().lower() in ("none", tr("none")) and can_be_none(self.parameter):
            return None
        # A tensor keeps its dtype here; only the table changes it.
        dtype = self._value.dtype if isinstance(self._value, np.ndarray) else None
        return read_parameter(self.parameter, text, QLocale().decimalPoint(), dtype)

    def _step(self, steps: Decimal) -> bool:
        if self.parameter.kind.name not in ("integer", "number"):
            return False
        self._finish()
        if isinstance(self._value, int | float):
            self._commit_step(stepped(self.parameter, self._value, steps))
        return True

    def _commit_step(self, value: object) -> None:
        self.is_stepping = True
        self._commit(value)
        self.is_stepping = False


class TensorEditor(LineEditor):
    """A line for a small tensor, and a button that opens the table; `table_asked` is emitted by the button.

    The arrow keys step the element at the caret.
    """

    table_asked = Signal()

    def __init__(self, parameter: Parameter, value: object, appearance: Appearance, parent: QWidget | None) -> None:
        super().__init__(parameter, value, parent)
        button = make_tool(self.table_asked, self, name=f"table_{parameter.name}", words=tr("Edit as a table"))
        named(button, look="tool", size=(FIELD_HEIGHT + 4, FIELD_HEIGHT), focus=Qt.FocusPolicy.StrongFocus)
        self._button = themed(button, appearance, "table", px=14)
        self._row.addWidget(button)
        self._result = make_label("", self, name=f"result_{parameter.name}", look="quiet", wraps=True, least_width=1)
        self._result.hide()
        self._column.addWidget(self._result)
        self._line.textChanged.connect(self._show_result)

    def _show_result(self, text: str) -> None:
        """Shows below the line what a typed expression comes to, before it is entered."""
        result = result_text(text, QLocale().decimalPoint()) if self._line.isModified() else ""
        show_or_hide(self._result, result)

    def stops(self) -> list[QWidget]:
        """Returns the line, then the button."""
        return [self._line, self._button]

    def _step(self, steps: Decimal) -> bool:
        self._finish()
        value, text = self._value, self._line.text()
        number = number_at(text, self._line.cursorPosition())
        if isinstance(value, np.ndarray) and is_editable(value) and number is not None:
            step = Decimal(whole_steps(steps)) if value.dtype.kind in "iu" else steps * step_size(self.parameter)
            try:
                self._commit_step(self._read(stepped_text(text, number, step)))
            except (ParameterError, DtypeError) as error:
                self._refuse(error)
                return True
            start, end = span_of(self._line.text(), number)
            self._line.setSelection(start, end - start)
        return True


class SwitchEditor(ParameterEditor):
    """A switch whose changes are committed at once."""

    def __init__(self, parameter: Parameter, value: object, appearance: Appearance, parent: QWidget | None) -> None:
        super().__init__(parameter, value, parent)
        self._switch = named(Switch(appearance, parent=self), least_height=FIELD_HEIGHT)
        self._place(self._switch)
        self._show()
        self._switch.clicked.connect(self._commit)

    def _show(self) -> None:
        self.show_error("")
        self._switch.setChecked(self._value is True)
        self._switch.setText(tr("mixed") if self._value is MIXED else "")


class ChoiceEditor(ParameterEditor):
    """A combo box whose choices are committed at once; it also shows a value that it does not offer."""

    def __init__(self, parameter: Parameter, value: object, choices: Sequence[str], parent: QWidget | None) -> None:
        super().__init__(parameter, value, parent)
        self._box = named(ChoiceBox(self), height=FIELD_HEIGHT, font=font("mono", 11.5))
        self._box.setMinimumContentsLength(4)
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        if can_be_none(parameter):
            self._box.addItem(tr("none"), None)
        for choice in choices:
            self._box.addItem(_choice_text(choice), choice)
        self._known = self._box.count()
        self._place(self._box)
        self._show()
        self._box.activated.connect(self._choose)

    def _show(self) -> None:
        self.show_error("")
        while self._box.count() > self._known:
            self._box.removeItem(self._known)
        # A file may hold values that Qt cannot look up; only texts and nothing are ever offered.
        is_plain = self._value is None or isinstance(self._value, str)
        place = self._box.findData(self._value) if is_plain else -1
        if place < 0 and isinstance(self._value, str):
            self._box.addItem(_choice_text(self._value), self._value)
            place = self._known
        self._box.setPlaceholderText(self._placeholder())
        self._box.setCurrentIndex(place)

    def _placeholder(self) -> str:
        if self._value is MIXED:
            return tr("mixed")
        is_open = self._value is None or self._value is REQUIRED
        return tr("choose") if is_open else value_text(self._value)

    def _choose(self, place: int) -> None:
        self._commit(self._box.itemData(place))


def editor_for(
    parameter: Parameter, value: object, appearance: Appearance, parent: QWidget | None, pages: Sequence[str] = ()
) -> ParameterEditor:
    """Returns the editor for a parameter's kind.

    `pages` are the names on offer for a parameter that names a page.
    """
    kind = parameter.kind.name
    if kind == "boolean":
        return SwitchEditor(parameter, value, appearance, parent)
    if kind in ("choice", "dtype") or (kind == "page" and pages):
        choices = {"choice": parameter.kind.choices, "dtype": tuple(DTYPES)}.get(kind, tuple(pages))
        return ChoiceEditor(parameter, value, choices, parent)
    if kind == "separator":
        return ChoiceEditor(parameter, value, ("auto", *SEPARATORS), parent)
    if kind == "tensor":
        return TensorEditor(parameter, value, appearance, parent)
    return LineEditor(parameter, value, parent)


def _example(kind: str) -> str:
    """Returns an example for a line of one kind of parameter; "" if none is needed."""
    return {
        "integers": "2, 3",
        "numbers": "0.5, 2",
        "padding": tr("SAME, VALID or pairs"),
        "pairs": "[1, 1], [0, 2]",
        "ports": tr("block.port, block.port"),
    }.get(kind, "")


def _choice_text(choice: str) -> str:
    """Returns a choice as it is shown: blanks and tabs by a word."""
    return {" ": tr("blanks"), "\t": tr("tabs")}.get(choice, choice)
