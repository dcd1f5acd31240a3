"""The controls of a slice: the block, the element, the range, and a copy button."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QSizePolicy, QSpinBox, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, Does, make_row, make_tool, named
from gradwire.engine.base.number_text import read_count

HEIGHT = 24


class ElementBox(QSpinBox):
    """A box for the index of one element: `[2]`, `[0, 1]`; up and down step through all elements."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shape: tuple[int, ...] = ()
        named(self, "slice_element", says=tr("Element"), height=HEIGHT, font=font("mono", 11)).setMinimumWidth(56)
        self.setKeyboardTracking(False)
        # Without buttons, Qt leaves a styled box no space for its text; so they stay, with no width.
        self.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }")
        self.lineEdit().setStyleSheet("border: none; padding: 0; background: transparent;")
        self.lineEdit().setTextMargins(4, 0, 0, 0)

    @property
    def index(self) -> tuple[int, ...]:
        """The index along each axis."""
        return _unravelled(self.value(), self._shape) if self._shape and all(self._shape) else ()

    def set_index(self, index: tuple[int, ...]) -> None:
        """Selects the element at an index, if it exists."""
        place = self._place_of(index)
        if place is not None:
            self.setValue(place)

    def show_shape(self, shape: tuple[int, ...]) -> None:
        """Offers the elements of a tensor; a valid index stays. A scalar hides the box."""
        if shape != self._shape:
            kept = self.index if len(shape) == len(self._shape) else ()
            self.blockSignals(True)
            self._shape = shape
            self.setMaximum(max(0, int(np.prod(shape)) - 1))
            self.setValue(self._place_of(kept) or 0)
            self.blockSignals(False)
            last = tuple(size - 1 for size in shape)
            self.setToolTip(tr("Element, up to {last}", last=_written(last)))
            self.lineEdit().setText(self.textFromValue(self.value()))
        self.setVisible(bool(shape))

    def textFromValue(self, value: int) -> str:  # Qt's name
        """Returns the index in NumPy's notation."""
        return _written(_unravelled(value, self._shape)) if self._shape and all(self._shape) else "[]"

    def valueFromText(self, text: str) -> int:  # Qt's name
        """Returns the element that a text names; the current one if it names none."""
        place = self._place_of(_numbers(text))
        return self.value() if place is None else place

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Accepts every text as a possible beginning of an index."""
        is_index = self._place_of(_numbers(text)) is not None
        return (QValidator.State.Acceptable if is_index else QValidator.State.Intermediate, text, at)

    def _place_of(self, index: tuple[int, ...]) -> int | None:
        if len(index) != len(self._shape) or not all(0 <= at < n for at, n in zip(index, self._shape, strict=True)):
            return None
        return int(np.ravel_multi_index(index, self._shape)) if index else 0


class SliceControls(QWidget):
    """The row of controls. `chosen()` is emitted when the user selects another block or element."""

    chosen = Signal()
    widened = Signal(int)
    copy_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        words = tr("Block whose element is varied")
        self.blocks = named(ChoiceBox(self), "slice_block", words=words, height=HEIGHT, font=font("mono", 11))
        self.blocks.setMinimumWidth(56)
        self.blocks.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.element = ElementBox(self)
        step, widen = self.element.stepBy, self.widened.emit
        self._previous = self._button("slice_previous", "chev-left", tr("Previous element"), partial(step, -1))
        self._next = self._button("slice_next", "chev-right", tr("Next element"), partial(step, 1))
        self._narrower = self._button("slice_narrower", "plus", tr("Narrower range"), partial(widen, -1))
        self._wider = self._button("slice_wider", "minus", tr("Wider range"), partial(widen, 1))
        self._copy = self._button("slice_copy", "copy", tr("Copy as CSV"), self.copy_asked)
        self._lay_out()
        self.blocks.activated.connect(self.chosen)
        self.element.valueChanged.connect(self.chosen)

    def show_blocks(self, names: list[str], chosen: str) -> None:
        """Offers blocks and selects one."""
        if names != [self.blocks.itemText(row) for row in range(self.blocks.count())]:
            self.blocks.clear()
            self.blocks.addItems(names)
        self.blocks.setCurrentIndex(names.index(chosen) if chosen in names else -1)

    def show_shape(self, shape: tuple[int, ...]) -> None:
        """Offers the elements of a tensor of this shape."""
        self.element.show_shape(shape)
        for button in (self._previous, self._next):
            button.setVisible(bool(shape))

    def set_possible(self, has_range: bool, has_curve: bool) -> None:
        """Enables the buttons for the range, and the button that copies the curve."""
        for button in (self._narrower, self._wider):
            button.setEnabled(has_range)
        self._copy.setEnabled(has_curve)

    def _lay_out(self) -> None:
        around = self._previous, self.element, self._next
        ends = self._wider, self._narrower, self._copy
        make_row(self.blocks, 4, *around, STRETCH, *ends, inside=self, margins=0, spacing=2)

    def _button(self, name: str, icon_name: str, text: str, does: Does) -> QToolButton:
        button = make_tool(does, self, name=name, words=text, size=(HEIGHT, HEIGHT))
        button.setStyleSheet("padding: 0;")
        return themed(button, self._appearance, icon_name, px=14)


def _unravelled(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(at) for at in np.unravel_index(place, shape))


def _numbers(text: str) -> tuple[int, ...]:
    """Returns the index in a text such as `[0, 2]` or `0 2`; one below any if it holds anything else."""
    numbers = [read_count(item) for item in re.split(r"[,\s]+", text.strip("[]() "))]
    return tuple(-1 if number is None else number for number in numbers)


def _written(index: tuple[int, ...]) -> str:
    return f"[{', '.join(str(at) for at in index)}]"
