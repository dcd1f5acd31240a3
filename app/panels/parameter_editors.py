"""One small editor for each kind of parameter. What does not fit is never handed on: the editor says why instead."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.look.appearance import Appearance
from app.look.icons import draw_icon
from app.look.numbers import shape_text
from app.look.theme import font
from app.panels.switch import Switch
from engine.errors import DtypeError, ParameterError
from engine.graph import same_value
from engine.parameters import REQUIRED, Parameter
from engine.tensor_spec import DTYPES, Array

FIELD_HEIGHT = 24
ELEMENTS_EDITED = 64
DEEPEST = 16
MIXED: Final = object()
"""What `set_value` takes where several blocks have different values."""

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_TOKEN = re.compile(rf"\s*(?:([\[\](),])|({_NUMBER})(?![\w.+-])|([+-]?[A-Za-z]+)(?![\w.+-]))", re.ASCII)
_WORDS: dict[str, object] = {"nan": math.nan, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}
_WORDS |= {"infinity": math.inf, "true": True, "false": False}
_HINTS = {
    "axes": "all",
    "integers": "2, 3",
    "numbers": "0.5, 2",
    "padding": "SAME, VALID or pairs",
    "pairs": "[1, 1], [0, 2]",
    "ports": "block.port, block.port",
}


class ParameterEditor(QWidget):
    """`value_edited` carries a new value that fits, once it is finished; `set_value` shows one without it.

    `is_stepping` is true while a value from the arrow keys is handed on: a series of those is one edit.
    """

    value_edited = Signal(object)

    def __init__(self, parameter: Parameter, value: object, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self.is_stepping = False
        self._value = value
        self.setObjectName(f"editor_{parameter.name}")
        self._error = QLabel(self)
        self._error.setObjectName(f"error_{parameter.name}")
        self._error.setProperty("look", "error")
        self._error.setTextFormat(Qt.TextFormat.PlainText)
        self._error.setWordWrap(True)
        self._error.setMinimumWidth(1)
        self._error.hide()

    @property
    def value(self) -> object:
        """The newest value that fits."""
        return self._value

    def set_value(self, value: object) -> None:
        """Shows a value, unless it is the one already there, or something else is just being typed."""
        if not same_value(value, self._value):
            self._value = value
            self._show()

    def show_error(self, sentence: str) -> None:
        """Marks what is shown as wrong and says why; nothing takes the mark away."""
        self._error.setText(sentence)
        self._error.setVisible(bool(sentence))
        self._field().setToolTip(f"<qt>{_escaped(sentence)}</qt>" if sentence else "")
        if (self._field().property("state") or "") != ("error" if sentence else ""):
            self._field().setProperty("state", "error" if sentence else "")
            self._field().style().unpolish(self._field())
            self._field().style().polish(self._field())

    def _place(self, field: QWidget) -> None:
        """Lays the field out above the line for errors; what gives it focus reaches the field."""
        field.setObjectName(f"parameter_{self.parameter.name}")
        field.setAccessibleName(self.parameter.name)
        self.setFocusProxy(field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        row = QHBoxLayout()
        row.addWidget(field, 1 if not isinstance(field, Switch) else 0)
        if isinstance(field, Switch):
            row.addStretch(1)
        layout.addLayout(row)
        layout.addWidget(self._error)

    def _field(self) -> QWidget:
        raise NotImplementedError

    def _show(self) -> None:
        raise NotImplementedError

    def _commit(self, value: object) -> None:
        """Hands on a value that fits; else says what is wrong with it."""
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


class LineEditor(ParameterEditor):
    """A line of text. Enter or leaving it finishes, Escape takes back, the arrow keys step a number."""

    def __init__(
        self,
        parameter: Parameter,
        value: object,
        read: Callable[[str], object],
        write: Callable[[object], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parameter, value, parent)
        self._read, self._write = read, write
        self._line = QLineEdit(self)
        self._line.setFont(font("mono", 11.5))
        self._line.setFixedHeight(FIELD_HEIGHT)
        self._line.installEventFilter(self)
        self._line.editingFinished.connect(self._finish)
        self._place(self._line)
        self._show()

    def set_value(self, value: object) -> None:
        """Keeps what is being typed: it is compared with the new value when it is finished."""
        if self._line.hasFocus() and self._line.isModified():
            self._value = value
            return
        super().set_value(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape shows the value again; Up and Down step."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self._line.isModified():
                self._show()
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                return self._step(1 if event.key() == Qt.Key.Key_Up else -1, event.modifiers())
        return super().eventFilter(watched, event)

    def _field(self) -> QWidget:
        return self._line

    def _show(self) -> None:
        self.show_error("")
        is_large = isinstance(self._value, np.ndarray) and not _is_editable(self._value)
        self._line.setReadOnly(is_large)
        hint = "several values" if self._value is MIXED else _HINTS.get(self.parameter.kind.name, "")
        self._line.setPlaceholderText(hint)
        self._line.setText("" if self._value is MIXED or self._value is REQUIRED else self._write(self._value))
        self._line.setCursorPosition(0)

    def _finish(self) -> None:
        if not self._line.isModified() or self._line.isReadOnly():
            return
        try:
            value = self._read(self._line.text().strip())
        except (ParameterError, DtypeError) as error:
            self.show_error(ParameterError(f"parameter {self.parameter.name} {error}").sentence)
            return
        self._commit(value)

    def _step(self, direction: int, modifiers: Qt.KeyboardModifier) -> bool:
        if self.parameter.kind.name not in ("integer", "number"):
            return False
        self._finish()
        if isinstance(self._value, int | float):
            factor = Decimal(1)
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                factor = Decimal("0.1")
            elif modifiers & Qt.KeyboardModifier.ControlModifier:
                factor = Decimal(10)
            self.is_stepping = True
            self._commit(stepped(self.parameter, self._value, direction * factor))
            self.is_stepping = False
        return True


class SwitchEditor(ParameterEditor):
    """A switch, which is handed on at once."""

    def __init__(
        self, parameter: Parameter, value: object, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parameter, value, parent)
        self._switch = Switch(appearance, parent=self)
        self._switch.setMinimumHeight(FIELD_HEIGHT)
        self._place(self._switch)
        self._show()
        self._switch.clicked.connect(self._commit)

    def _field(self) -> QWidget:
        return self._switch

    def _show(self) -> None:
        self._switch.setChecked(self._value is True)
        self._switch.setText("several values" if self._value is MIXED else "")


class ChoiceEditor(ParameterEditor):
    """A list to choose from, which is handed on at once; a value that is not in it is shown all the same."""

    def __init__(
        self, parameter: Parameter, value: object, choices: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parameter, value, parent)
        self._box = ChoiceBox(self)
        self._box.setFont(font("mono", 11.5))
        self._box.setFixedHeight(FIELD_HEIGHT)
        self._box.setMinimumContentsLength(4)
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        if _fits(parameter, None):
            self._box.addItem("none", None)
        for choice in choices:
            self._box.addItem(choice, choice)
        self._box.setPlaceholderText("several values" if value is MIXED else "choose")
        self._place(self._box)
        self._show()
        self._box.activated.connect(self._choose)

    def _field(self) -> QWidget:
        return self._box

    def _show(self) -> None:
        place = -1 if self._value is MIXED or self._value is REQUIRED else self._box.findData(self._value)
        if place < 0 and isinstance(self._value, str):
            self._box.addItem(self._value, self._value)
            place = self._box.count() - 1
        self._box.setCurrentIndex(place)

    def _choose(self, place: int) -> None:
        self._commit(self._box.itemData(place))


class ChoiceBox(QComboBox):
    """A box of choices that the wheel scrolls past instead of changing it."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to what lies around the box."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box, and the arrow that a style sheet takes away."""
        super().paintEvent(event)
        color = self.palette().color(QPalette.ColorRole.Text)
        draw_icon(QPainter(self), "chev-down", color, QRectF(self.width() - 20, self.height() / 2 - 6, 12, 12))


def editor_for(
    parameter: Parameter,
    value: object,
    appearance: Appearance,
    parent: QWidget | None = None,
    pages: Sequence[str] = (),
) -> ParameterEditor:
    """The editor for a parameter's kind. `pages` are the names to choose from for a parameter that names a page."""
    kind = parameter.kind.name
    if kind == "boolean":
        return SwitchEditor(parameter, value, appearance, parent)
    if kind in ("choice", "dtype") or (kind == "page" and pages):
        choices = {"choice": parameter.kind.choices, "dtype": tuple(DTYPES)}.get(kind, tuple(pages))
        return ChoiceEditor(parameter, value, choices, parent)
    if kind == "tensor":
        # A tensor keeps the dtype it has when the editor is made; the inspector makes a new one for another block.
        dtype = value.dtype if isinstance(value, np.ndarray) else np.dtype(np.float64)
        return LineEditor(parameter, value, lambda text: read_tensor(text, dtype), value_text, parent)
    return LineEditor(parameter, value, _READERS[kind], _ports_text if kind == "ports" else value_text, parent)


def stepped(parameter: Parameter, value: float, steps: Decimal) -> float | int:
    """A number some steps further. A step is 1 for whole numbers, else a tenth of the default's power of ten."""
    if parameter.kind.name == "integer":
        return int(value) + max(1, round(abs(steps))) * (1 if steps > 0 else -1)
    default = parameter.default
    size = abs(default) if isinstance(default, int | float) and default else 1.0
    step = Decimal(10) ** (math.floor(math.log10(size)) - 1)
    return float(Decimal(repr(value)) + step * steps)


def read_tensor(text: str, dtype: np.dtype[Any]) -> Array | None:
    """A tensor of `dtype` out of numbers and nested lists such as `[[1, nan], [3, inf]]`; nothing gives None.

    Raises: ParameterError if it is no tensor, or `dtype` cannot hold it.
    """
    if not text:
        return None
    try:
        array = np.asarray(read_nested(text))
    except ValueError as error:
        raise ParameterError("has rows of different lengths") from error
    if array.size and array.dtype.kind not in "fiub":
        raise ParameterError("holds a number that is too large")
    with np.errstate(all="ignore"):
        cast = array.astype(dtype)
    is_held = np.array_equal(np.isfinite(cast), np.isfinite(array)) if dtype.kind == "f" else (cast == array).all()
    if not is_held:
        raise ParameterError(f"holds a number that {dtype.name} cannot hold")
    return cast


def read_nested(text: str) -> object:
    """A number, true, false, or a list of those in brackets; commas may be left out, and the outermost brackets too.

    Raises: ParameterError if it is anything else.
    """
    tokens = list(_tokens(text))
    value, end = _item(tokens, 0)
    if end == len(tokens):
        return value
    value, end = _item(["[", *tokens, "]"], 0)
    if end != len(tokens) + 2:
        raise ParameterError("has a closing bracket too many")
    return value


def value_text(value: object) -> str:
    """A parameter's value as its editor shows it; a tensor too large to edit as its shape and dtype."""
    if value is None:
        return ""
    if isinstance(value, np.ndarray):
        return _array_text(value) if _is_editable(value) else f"{shape_text(value.shape)} {value.dtype.name}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(value_text, value))}]"
    return _number_text(value) if isinstance(value, float) else str(value)


def _tokens(text: str) -> Iterator[str]:
    text, at = text.replace("\N{MINUS SIGN}", "-").rstrip(), 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ParameterError(f'must be numbers, in brackets for lists, not "{text[at:].strip()[:20]}"')
        yield match[1] or match[2] or match[3]
        at = match.end()


def _item(tokens: list[str], at: int, depth: int = 0) -> tuple[object, int]:
    """The value that starts at a token, and the place after it."""
    if at >= len(tokens) or depth > DEEPEST:
        raise ParameterError("lacks a closing bracket" if depth <= DEEPEST else f"may have at most {DEEPEST} axes")
    if tokens[at] not in "[(":
        return _scalar(tokens[at]), at + 1
    closing = "]" if tokens[at] == "[" else ")"
    items: list[object] = []
    at += 1
    while at < len(tokens) and tokens[at] != closing:
        item, at = _item(tokens, at, depth + 1)
        items.append(item)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise ParameterError("lacks a closing bracket")
    return items, at + 1


def _scalar(token: str) -> object:
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    if re.fullmatch(r"[+-]?\d+", token, re.ASCII):
        if len(token) > 400:
            raise ParameterError("holds a number that is too large")
        return int(token)
    if re.fullmatch(_NUMBER, token, re.ASCII):
        return float(token)
    raise ParameterError(f'must be numbers, in brackets for lists, not "{token[:20]}"')


def _read_number(text: str) -> object:
    return read_nested(text) if text else None


def _read_list(text: str) -> object:
    if not text:
        return None
    value = read_nested(text)
    return value if isinstance(value, list) else [value]


def _read_padding(text: str) -> object:
    return text.upper() if text.upper() in ("SAME", "VALID") else _read_list(text)


def _read_ports(text: str) -> object:
    return tuple(part for part in re.split(r"[,\s]+", text.strip("[]() ")) if part)


def _read_text(text: str) -> object:
    return text


_READERS: dict[str, Callable[[str], object]] = {
    "integer": _read_number,
    "number": _read_number,
    "text": _read_text,
    "page": _read_text,
    "axes": _read_number,
    "sizes": _read_number,
    "integers": _read_list,
    "numbers": _read_list,
    "padding": _read_padding,
    "pairs": _read_list,
    "ports": _read_ports,
}


def _ports_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else ""


def _fits(parameter: Parameter, value: object) -> bool:
    try:
        parameter.kind.check(value)
    except (ParameterError, DtypeError):
        return False
    return True


def _is_editable(array: Array) -> bool:
    """Whether text can hold it: not too long, and not without elements yet with several axes."""
    return array.size <= ELEMENTS_EDITED and (array.size > 0 or array.ndim == 1)


def _array_text(array: Array) -> str:
    if array.ndim:
        return f"[{', '.join(_array_text(item) for item in array)}]"
    item = array[()]
    return str(item).lower() if array.dtype.kind == "b" else _number_text(item)


def _number_text(number: object) -> str:
    """The shortest text that reads back as the same number, without a trailing `.0`."""
    return str(number).removesuffix(".0")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
