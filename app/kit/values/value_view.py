"""A view of whole tensors: table, heat map, histogram, line, or image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.copy_button import CopyButton
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.values.heat_map import HeatLegend, HeatMap
from gradwire.app.kit.values.image_picture import ImagePicture, axes_of_image
from gradwire.app.kit.values.line_plot import LinePlot
from gradwire.app.kit.values.slice_boxes import SliceBoxes
from gradwire.app.kit.values.value_parts import NO_PART, Part, Shown, part_of
from gradwire.app.kit.values.value_pictures import Histogram, StatsLine
from gradwire.app.kit.values.value_table import ValueTable
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import shape_text
from gradwire.app.look.theme import font
from gradwire.app.look.tips import plain_entry
from gradwire.app.look.widgets import (
    STRETCH,
    ThemedWidget,
    add_items,
    make_column,
    make_label,
    make_row,
    named,
    show_or_hide,
)

Mode = Literal["table", "heat", "hist", "line", "image"]
MODES: tuple[Mode, ...] = ("table", "heat", "hist", "line", "image")
_NAMES = {
    "table": "Table",
    "heat": "Heat map",
    "hist": "Histogram",
    "line": "Line",
    "image": "Image",
}
# The icons that are not called as their mode.
_ICONS = {"line": "monitor"}
HIST_LOW, HIST_HIGH = 54, 128

__all__ = ["MODES", "Mode", "Shown", "ValueView"]


class ValueView(ThemedWidget):
    """A view of related tensors, such as a value and its gradient; the mode stays when they change.

    Vectors and scalars stand side by side in one table. Of larger tensors the user chooses one, and from rank 3 on
    a slice. If the mode does not suit a tensor, the table replaces it. `mode_changed(str)` carries the chosen mode,
    `element_chosen(tuple)` the index of the chosen cell.
    """

    mode_changed = Signal(str)
    element_chosen = Signal(tuple)

    def __init__(self, appearance: Appearance, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, "value_view")
        self._parts: list[Part] = []
        # The mode for tensors that it suits.
        self.mode: Mode = "table"
        self._chosen = 0
        self._modes = QButtonGroup(self)
        self._choices = QButtonGroup(self)
        self._offered = RadioGroup(tr("Tensor"), self)
        self._copy = CopyButton(appearance, self)
        self._note = make_label(parent=self, name="value_note", look="quiet", wraps=True)
        self._slices = SliceBoxes(self, "value_slice")
        self._table = ValueTable(appearance, self)
        self._heat, self._legend = HeatMap(appearance, self), HeatLegend(appearance, self)
        self._line, self._image = LinePlot(appearance, self), ImagePicture(appearance, self)
        self._pointed = make_label(parent=self, name="value_pointed", wraps=True, font=font("mono", 11))
        self._hist = Histogram(appearance, self)
        self._stats = StatsLine(appearance, self)
        self._pictures: dict[QWidget, tuple[Mode, ...]] = {
            self._table: ("table",),
            self._heat: ("heat",),
            self._legend: ("heat",),
            self._line: ("line",),
            self._image: ("image",),
            self._pointed: ("line", "image"),
        }
        self._lay_out(title)
        self._connect()
        self._show()

    def set_mode(self, mode: Mode) -> None:
        """Shows the tensors in another mode."""
        self.mode = mode
        self._set_slices()
        self._show()

    def show_tensors(self, tensors: Sequence[Shown]) -> None:
        """Replaces the tensors; the choice and the slice stay if they are still valid."""
        names = [item.name for item in tensors]
        if names != [item.name for item in self._parts]:
            self._offer(names, next((at for at, item in enumerate(tensors) if item.is_gradient), 0))
        self._parts = [part_of(item) for item in tensors]
        for button, item in zip(self._choices.buttons(), tensors, strict=True):
            button.setEnabled(item.array is not None)
        self._set_slices()
        self._show()

    # Building

    def _lay_out(self, title: str) -> None:
        heading = make_label(title, self, look="section")
        # Buttons without gaps share their borders.
        self._segment = make_row(inside=self._offered, margins=0, spacing=0)
        head = make_row(heading, STRETCH, self._offered, self._copy, spacing=8)
        box = RadioGroup(tr("Shown as"), self)
        modes = make_row(inside=box, margins=0, spacing=0)
        for place, mode in enumerate(MODES):
            button = self._button(self._modes, f"value_mode_{mode}", place, len(MODES), tr(_NAMES[mode]))
            modes.addWidget(themed(button, self._appearance, _ICONS.get(mode, mode), px=14))
        modes.addStretch(1)
        layout = make_column(head, box, inside=self, margins=0, spacing=6)
        add_items(layout, self._slices, self._note, *self._pictures, self._stats, self._hist)

    def _connect(self) -> None:
        self._modes.idClicked.connect(self._choose_mode)
        self._choices.idClicked.connect(self._choose)
        self._slices.changed.connect(self._show)
        self._heat.pointed.connect(self._legend.show_pointed)
        call_on(self._pointed.setText, self._line.pointed, self._image.pointed)
        self._copy.refused.connect(self._say)
        call_on(self._tell_element, self._table.clicked, self._table.selectionModel().currentChanged)
        self._appearance.changed.connect(self._table.viewport().update)

    def _button(self, group: QButtonGroup, name: str, place: int, count: int, text: str) -> RadioButton:
        look = "first" if place == 0 else "last" if place == count - 1 else "middle"
        button = named(RadioButton(self), name, look=look, height=22, says=text, focus=Qt.FocusPolicy.StrongFocus)
        is_choice = group is self._choices
        button.setFixedWidth(QFontMetrics(font("mono", 11)).horizontalAdvance(text) + 30 if is_choice else 36)
        button.setIconSize(QSize(14, 14))
        button.setToolTip("" if is_choice else text)
        group.addButton(button, place)
        return button

    def _offer(self, names: Sequence[str], chosen: int) -> None:
        """Replaces the buttons that choose a tensor; a single tensor needs none."""
        for button in self._choices.buttons():
            self._choices.removeButton(button)
            self._segment.removeWidget(button)
            button.deleteLater()
        for place, name in enumerate(names):
            button = self._button(self._choices, f"value_of_{place}", place, len(names), name)
            button.setText(plain_entry(name))
            button.setFont(font("mono", 11))
            button.setVisible(len(names) > 1)
            self._segment.addWidget(button)
        self._chosen = chosen

    # Showing

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the columns to the new width."""
        super().resizeEvent(event)
        self._table.fit(self.width())

    def _choose_mode(self, place: int) -> None:
        self.set_mode(MODES[place])
        self.mode_changed.emit(self.mode)

    def _choose(self, place: int) -> None:
        self._chosen = place
        self._set_slices()
        self._show()

    def _tell_element(self, cell: QModelIndex) -> None:
        index = self._table.cells.index_of(cell)
        if index is not None:
            self.element_chosen.emit((*self._slices.index, *index))

    def _say(self, sentence: str) -> None:
        show_or_hide(self._note, sentence)

    def _set_slices(self) -> None:
        """Shows one box for each axis before the displayed ones."""
        self._slices.show_sizes(self._current.shape[: -self._axes])

    @property
    def _axes(self) -> int:
        """The number of last axes that are displayed at once."""
        return axes_of_image(self._current.shape) if self._shown_mode == "image" else 2

    @property
    def _current(self) -> Part:
        """The chosen tensor; if it is unknown, the first known one."""
        if self._chosen < len(self._parts) and self._parts[self._chosen].array is not None:
            return self._parts[self._chosen]
        return next((item for item in self._parts if item.array is not None), NO_PART)

    @property
    def _shown_mode(self) -> Mode:
        """The mode, or the table if the mode does not suit the tensor."""
        return self.mode if self._suits(self.mode) else "table"

    def _suits(self, mode: Mode) -> bool:
        part = self._current
        if mode == "line":
            return len(part.shape) == 1 and part.size > 1
        if mode == "image":
            return len(part.shape) >= 2 and part.size > 0
        return True

    def _show(self) -> None:
        mode, part = self._shown_mode, self._current
        for button, name in zip(self._modes.buttons(), MODES, strict=True):
            button.setEnabled(self._suits(name))
        self._modes.buttons()[MODES.index(mode)].setChecked(True)
        if self._parts and part in self._parts:
            self._choices.buttons()[self._parts.index(part)].setChecked(True)
        self._show_visible(mode)
        self._fill(mode, part.sliced(self._slices.index, self._axes))
        self._copy.show_array(part.array)
        self._stats.show_reading(part.reading, part.is_gradient)
        self._say(_note(part) if self._parts else "")

    def _show_visible(self, mode: Mode) -> None:
        for widget, modes in self._pictures.items():
            widget.setVisible(mode in modes)
        self._hist.setFixedHeight(HIST_HIGH if mode == "hist" else HIST_LOW)

    def _fill(self, mode: Mode, sliced: Part) -> None:
        part = self._current
        if mode == "table":
            are_side_by_side = all(len(item.shape) < 2 for item in self._parts)
            self._table.cells.show_parts(self._parts if are_side_by_side else [sliced], is_list=len(sliced.shape) < 2)
            self._table.fit(self.width())
        elif mode == "heat":
            self._heat.show_cells(sliced.array, part.top)
            self._legend.show_range(part.top)
        elif mode == "line":
            self._line.show_part(part)
        elif mode == "image":
            self._image.show_image(sliced.array)
        if mode in ("table", "hist"):
            self._hist.show_array(part.array, part.is_gradient)
        self._hist.setVisible(mode == "hist" or (mode == "table" and bool(self._hist.counts)))


def _note(part: Part) -> str:
    """Returns advice for a tensor without visible elements; "" if it has some."""
    if part.array is None:
        return tr("Not known yet: solve the block's problem or connect its inputs, then it appears here.")
    if not part.size:
        return tr("The shape {shape} has no elements: one of its sizes is 0.", shape=shape_text(part.shape))
    return ""
