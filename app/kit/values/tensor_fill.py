"""The line that fills a tensor with zeros, ones, a range, or seeded random numbers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from gradwire.app.base.tensor_edits import Fill
from gradwire.app.base.translation import grouped, tr
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.look.widgets import STRETCH, add_items, make_button, make_row, named
from gradwire.engine.base.number_text import read_count, read_number
from gradwire.interop.typed.tensor_text import with_point

FIELDS = ("first", "second", "seed")


class FillLine(QWidget):
    """A choice, its numbers and a button. `fill` receives the fill, `refuse` the sentence about an invalid number."""

    def __init__(self, parent: QWidget, fill: Callable[[Fill], object], refuse: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._carry_out, self._refuse = fill, refuse
        self._box = named(ChoiceBox(self), "fill_content", says=tr("Fill with"))
        contents = {"zeros": tr("zeros"), "ones": tr("ones"), "range": tr("sequence"), "normal": tr("random normal")}
        self._box.offer(contents, "zeros")
        self._labels = {name: QLabel(self) for name in FIELDS}
        self._fields = {name: QLineEdit("1" if name == "second" else "0", self) for name in FIELDS}
        self._button = make_button("", self._ask, self, name="fill", enters=False)
        layout = make_row(QLabel(tr("Fill with"), self), self._box, inside=self, margins=0, spacing=6)
        for name in FIELDS:
            named(self._fields[name], f"fill_{name}").setFixedWidth(64)
            add_items(layout, self._labels[name], self._fields[name])
        add_items(layout, self._button, STRETCH)
        self._box.activated.connect(self._show_fields)
        self._show_fields()
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Shows how many cells the button fills; 0 and 1 stand for the whole tensor."""
        several = tr("Fill {number} cells", number=grouped(count)) if count > 1 else ""
        self._button.setText(several or tr("Fill all"))

    def _show_fields(self) -> None:
        names: dict[str, dict[str, str]] = {
            "range": {"first": tr("from"), "second": tr("step")},
            "normal": {"first": tr("mean"), "second": tr("deviation"), "seed": tr("seed")},
        }
        shown = names.get(self._box.currentData(), {})
        for name in FIELDS:
            self._labels[name].setText(shown.get(name, ""))
            self._fields[name].setAccessibleName(shown.get(name, ""))
            self._labels[name].setVisible(name in shown)
            self._fields[name].setVisible(name in shown)

    def _ask(self) -> None:
        numbers = []
        for field in (self._fields["first"], self._fields["second"]):
            number = read_number(with_point(field.text(), QLocale().decimalPoint()))
            if number is None:
                self._refuse(tr('"{text}" is not a number to fill with.', text=field.text()))
                return
            numbers.append(number)
        typed = self._fields["seed"].text()
        seed = read_count(typed)
        if seed is None:
            self._refuse(tr('"{text}" is no seed; write a whole number of at least 0.', text=typed))
            return
        self._carry_out(Fill(self._box.currentData(), float(numbers[0]), float(numbers[1]), seed))
