"""The values and gradients at the ports of a block, a row each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.live.readings.amounts import ELEMENTS, broken_text, elements_text, gradient_text
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import shape_words
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget, make_grid, named

# So many ports are told of; a sum may have a thousand. So many characters stand in a column.
MOST, LONGEST = 8, 15
MIDDLE = Qt.AlignmentFlag.AlignVCenter
PortRow = tuple[str, PlaceReading | None]


class PortValues(ThemedWidget):
    """A table of ports, those that a block reads and those that it gives."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "inspector_ports", says=tr("Values and gradients"))
        self._rows: list[tuple[str, str, str, str, str]] = []
        self._grid = make_grid(self, 0, (10, 4))
        self._grid.setColumnStretch(0, 1)
        appearance.changed.connect(self._fill)

    def show_rows(self, rows: Sequence[PortRow]) -> None:
        """Shows these ports in place of the ones before."""
        told = [*map(_cells, rows)]
        if told != self._rows:
            self._rows = told
            self._fill()

    def _fill(self, *_: object) -> None:
        empty(self._grid)
        shown = [("", tr("value"), "text.tertiary", "∂L", "text.tertiary"), *self._rows[:MOST]]
        for row, (name, value, ink, gradient, mark) in enumerate(shown):
            self._add(row, 0, name, "text.secondary")
            self._add(row, 1, value, ink)
            self._add(row, 2, gradient, mark)
        if (more := len(self._rows) - MOST) > 0:
            self._add(len(shown), 0, tr_count("{count} more", "{count} more", more), "text.tertiary")
        said = (f"{name} {value}, ∂L {gradient}" for name, value, _, gradient, _ in shown[1:])
        self.setAccessibleDescription("\n".join(said))

    def _add(self, row: int, column: int, text: str, token: str) -> None:
        label = named(ElidedLabel(f"port_{row}_{column}", self), font=font("mono" if column else "ui", 11.5))
        label.setText(text)
        label.setStyleSheet(f"color: {self._appearance.theme.css(token)};")
        label.setAlignment((Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft) | MIDDLE)
        self._grid.addWidget(label, row, column)


def _cells(row: PortRow) -> tuple[str, str, str, str, str]:
    """Returns the name of a port, its value and its gradient, each with the token of its colour."""
    name, found = row
    if found is None:
        return name, "?", "text.tertiary", "?", "text.tertiary"
    is_broken = found.value is not None and not found.value.is_finite
    value = "?" if found.value is None else _value_text(found.value)
    gradient = gradient_text(found.status, found.gradient, elements_text)
    if len(gradient) > LONGEST:
        gradient = gradient_text(found.status, found.gradient)
    return name, value, "alarm" if is_broken else "value", gradient, MARKS[found.status].token


def _value_text(value: Reading) -> str:
    if value.size <= ELEMENTS and len(text := elements_text(value)) <= LONGEST:
        return text
    return shape_words(value.shape) if value.is_finite else broken_text(value)
