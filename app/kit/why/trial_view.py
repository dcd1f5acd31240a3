"""The trial of a fix: a table of loss, gradients and wires now and with it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import grouped, tr
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt, fmt_list, zero_text
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget, make_column, make_grid, make_label, named
from gradwire.engine.advice.trials import Amount, GradientPair, Trial
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.training.side_by_side import SideBySide

# So many characters of elements stand in a column of the table.
LONGEST = 17
# And so many in both.
TOGETHER = 22


class TrialView(ThemedWidget):
    """A trial as a table, whose last column has a heading of its own; `show_trial(None)` hides it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None, name: str = "trial") -> None:
        super().__init__(appearance, parent, name, says=tr("Now and with the fix"))
        self._name, self._heading = name, ""
        self._trial: Trial | None = None
        self._rounds: SideBySide | None = None
        self._table = make_grid(margins=0, spacing=(12, 5))
        self._table.setColumnStretch(0, 1)
        make_column(self._table, inside=self, margins=(0, 2, 0, 2), spacing=0)
        appearance.changed.connect(self._restyle)
        self.hide()

    def show_trial(self, trial: Trial | None, heading: str = "") -> None:
        """Shows another trial."""
        heading = heading or tr("with the fix")
        if trial == self._trial and heading == self._heading and trial is not None:
            self.show()
            return
        self._trial, self._rounds, self._heading = trial, None, heading
        self._restyle()
        self.setVisible(trial is not None)

    def show_rounds(self, rounds: SideBySide | None) -> None:
        """Shows what some rounds of training with and without the fix have given, below its trial."""
        if rounds != self._rounds and self._trial is not None:
            self._rounds = rounds
            self._restyle()

    def _restyle(self) -> None:
        empty(self._table)
        if self._trial is None:
            return
        self._add_row(0, "", (tr("now"), ""), (self._heading, ""))
        rows = [*_rows(self._trial), *_rows_of_rounds(self._rounds)]
        for place, (text, before, after) in enumerate(rows, start=1):
            self._add_row(place, text, before, after)
        said = [f"{text}: {tr('now')} {before[0]}, {self._heading} {after[0]}" for text, before, after in rows]
        self.setAccessibleDescription("\n".join(said))

    def _add_row(self, place: int, text: str, *cells: tuple[str, str]) -> None:
        heading = named(ElidedLabel(f"{self._name}_{place}", self), font=font("ui", 11.5))
        heading.setText(text)
        heading.setStyleSheet(f"color: {self._appearance.theme.css('text.secondary')};")
        self._table.addWidget(heading, place, 0)
        for column, (number, token) in enumerate(cells, start=1):
            face = font("mono" if token else "ui", 11)
            cell = make_label(number, self, name=f"{self._name}_{place}_{column}", font=face)
            cell.setStyleSheet(f"color: {self._appearance.theme.css(token or 'text.secondary')};")
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._table.addWidget(cell, place, column)


_Row = tuple[str, tuple[str, str], tuple[str, str]]


def _rows(trial: Trial) -> list[_Row]:
    """Returns each row: its text, and before and after the numbers with the token of their colour."""
    before, after = trial.before, trial.after
    rows = [_gradient_row(pair) for pair in trial.gradients]
    if trial.here is not None:
        here = [_cell(amount, "grad.text") for amount in trial.here]
        rows.insert(0, (tr("this wire") if isinstance(trial.place, Link) else tr("here"), here[0], here[1]))
    loss = tr("loss"), _cell(before.loss, "value"), _cell(after.loss, "value")
    rows.insert(0 if trial.here is None else len(rows), loss)
    if before.broken_wires or after.broken_wires:
        counts = before.broken_wires, after.broken_wires
        cells = [(grouped(count), "alarm" if count else "text.primary") for count in counts]
        rows.append((tr("wires with NaN"), cells[0], cells[1]))
    return rows


def _rows_of_rounds(rounds: SideBySide | None) -> list[_Row]:
    """Returns the row of the losses after some rounds of training; none if they are not known."""
    if rounds is None:
        return []
    cells = [(fmt(loss), "value" if np.isfinite(loss) else "alarm") for loss in (rounds.before[1], rounds.after[1])]
    return [(tr("loss, round {count}", count=rounds.rounds), cells[0], cells[1])]


def _gradient_row(pair: GradientPair) -> _Row:
    """Returns a gradient before and after: its elements where both have room, else the largest of them.

    Of a layer it is the size.
    """
    if pair.layer:
        sizes = [_cell(amount and Amount(1, amount.norm, 0, (amount.norm,)), "grad.text")
                 for amount in (pair.before, pair.after)]  # fmt: skip
        return tr("|∂L| at layer {number}", number=pair.layer), sizes[0], sizes[1]
    name = pair.port.path.rpartition("/")[2]
    before, after = (_cell(amount, "grad.text") for amount in (pair.before, pair.after))
    if len(before[0]) + len(after[0]) <= TOGETHER:
        return f"∂L/∂{name}", before, after
    largest = [_cell(amount and _largest(amount), "grad.text") for amount in (pair.before, pair.after)]
    return tr("largest in {name}", name=name), largest[0], largest[1]


def _largest(amount: Amount) -> Amount:
    """Returns the largest element of a tensor, in size, as one of its own; the tensor where they are not known."""
    if amount.broken or not amount.elements:
        return amount
    return Amount(1, amount.norm, 0, (max(map(abs, amount.elements)),))


def _cell(amount: Amount | None, token: str) -> tuple[str, str]:
    if amount is None:
        return "–", "text.secondary"
    return amount_text(amount), "alarm" if amount.broken else token


def amount_text(amount: Amount) -> str:
    """Returns a tensor in a few characters: its elements, else how many are broken, else its norm."""
    if amount.is_rounding:
        return zero_text(amount.norm)
    if amount.broken == amount.size > 1 and len(set(map(str, amount.elements))) == 1:
        return fmt(amount.elements[0])
    elements = fmt_list(amount.elements, 3) if amount.size > 1 else "".join(map(fmt, amount.elements))
    # Two columns of longer texts would leave no room for what the row is about.
    if 0 < len(elements) <= LONGEST:
        return elements
    if amount.broken:
        return tr("{broken} of {size} broken", broken=grouped(amount.broken), size=grouped(amount.size))
    return tr("size {norm}", norm=fmt(amount.norm))
