"""The editor of a Variable's start: a choice of kinds, and a line with the settings of the chosen one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT, ChoiceEditor
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.base.starts import KINDS, needs_seed, settings_of
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.interop.typed.tensor_text import number_text, read_nested, with_point

_BETWEEN: Final = re.compile(r"[,;](?:\s+|$)")


class StartEditor(ChoiceEditor):
    """A choice of kinds of starts; without one the block has numbers of its own. Below are the settings of the kind.

    A lone number in the line of settings is the seed.
    """

    def __init__(self, parameter: Parameter, value: object, parent: QWidget) -> None:
        super().__init__(parameter, value, KINDS, parent)
        self._box.setItemText(0, tr("own numbers"))

    def _place(self, field: QWidget) -> None:
        """Lays out the line of settings below the choice and its error."""
        super()._place(field)
        self._line = named(QLineEdit(self), f"settings_{self.parameter.name}", says=tr("Settings of the start"))
        named(self._line, font=font("mono", 11.5), height=FIELD_HEIGHT)
        self._line.editingFinished.connect(self._finish)
        self._column.addWidget(self._line)

    def stops(self) -> list[QWidget]:
        """Returns the choice, then the line of settings."""
        return [self._box, self._line]

    def _show(self) -> None:
        start = self._value if isinstance(self._value, Mapping) else {}
        shown, self._value = self._value, start.get("kind") if start else self._value
        super()._show()
        self._value = shown
        text = settings_text(start)
        self._line.setText(text)
        self._line.setCursorPosition(0)
        self._line.setToolTip(text)
        self._line.setVisible(bool(text))

    def _choose(self, place: int) -> None:
        kind = self._box.itemData(place)
        given = self._value if isinstance(self._value, Mapping) else {}
        kept = {name: given[name] for name in ("seed", "dtype") if name in given}
        self._commit(None if kind is None else {**kept, "kind": kind})

    def _finish(self) -> None:
        if self._line.isModified() and isinstance(self._value, Mapping):
            kept = {name: self._value[name] for name in ("kind", "dtype") if name in self._value}
            self._commit_typed(lambda: {**kept, **read_settings(self._line.text(), QLocale().decimalPoint())})


def settings_text(start: Mapping[str, object]) -> str:
    """Returns the settings of a start as a line: `seed 1, stddev 0.1`; defaults are written too."""
    kind = start.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return ""
    settings = ({"seed": 0} if needs_seed(kind) else {}) | dict(settings_of(kind))
    found = {name: start.get(name, default) for name, default in settings.items()}
    return ", ".join(f"{name} {number_text(item) if isinstance(item, float) else item}" for name, item in found.items())


def read_settings(text: str, point: str) -> dict[str, object]:
    """Returns the settings in a line; a lone number, which may use the decimal `point`, is the seed.

    Raises: ParameterError if the line is not made of names and numbers.
    """
    found: dict[str, object] = {}
    for part in filter(None, _BETWEEN.split(text.replace("=", " ").strip())):
        name, _, number = part.strip().rpartition(" ")
        found[name.strip() or "seed"] = read_nested(with_point(number, point))
    return found
