"""A dialog for the bounds of a gradient's norm."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.numbers import fmt
from gradwire.app.look.widgets import make_label, named
from gradwire.engine.base.number_text import read_number
from gradwire.interop.typed.tensor_text import with_point

# The initial range spans from the present norms divided by this factor to their multiple.
FACTOR = 2.0


class NormDialog(QDialog):
    """Two numbers, initially around the present norms. OK emits `chosen(low, high)`."""

    chosen = Signal(float, float)

    def __init__(self, norms: Sequence[float], parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "norm_dialog", title=tr("Expect the size between …"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        known = [norm for norm in norms if math.isfinite(norm)]
        low, high = (min(known) / FACTOR, max(known) * FACTOR) if known else (0.0, 1.0)
        self._low = _field("norm_low", low, tr("Smallest size"))
        self._high = _field("norm_high", high, tr("Largest size"))
        kinds = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        # Enter must not leave the dialog while OK is disabled.
        self._buttons.button(kinds.Cancel).setAutoDefault(False)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._lay_out(known)
        for field in (self._low, self._high):
            field.textChanged.connect(self._refresh)
        self._low.selectAll()

    def accept(self) -> None:
        """Emits the numbers and closes the dialog, if they are valid."""
        low, high = _number(self._low), _number(self._high)
        if low is not None and high is not None and low <= high:
            self.chosen.emit(low, high)
            super().accept()

    def _refresh(self) -> None:
        low, high = _number(self._low), _number(self._high)
        is_range = low is not None and high is not None and low <= high
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_range)

    def _lay_out(self, norms: Sequence[float]) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(20, 18, 20, 16)
        form.setVerticalSpacing(10)
        if norms:
            form.addRow(make_label(tr("The size of the gradient is {norm} now.", norm=fmt(max(norms)))))
        form.addRow(tr("Smallest size"), self._low)
        form.addRow(tr("Largest size"), self._high)
        form.addRow(self._buttons)


def _field(name: str, number: float, spoken: str) -> QLineEdit:
    return named(QLineEdit(f"{number:.4g}"), name, says=spoken)


def _number(field: QLineEdit) -> float | None:
    """Returns the typed number; None if it is invalid or negative."""
    number = read_number(with_point(field.text(), QLocale().decimalPoint()))
    return number if number is not None and 0 <= number < math.inf else None
