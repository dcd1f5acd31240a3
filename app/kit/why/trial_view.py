"""The trial of a fix: a picture of the new part, and a table of loss, gradients and wires before and after."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import grouped, tr
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.kit.controls.themed import ThemedWidget
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.numbers import fmt_short
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_column, make_grid, make_label, named
from gradwire.engine.advice.trials import COMPARED, Amount, Stage, Trial
from gradwire.engine.training.side_by_side import SideBySide

# The picture: the height of a box, the gap with a wire, and the space round all. Units: px at a text scale of 1.
BOX, GAP, MARGIN = 26, 44, 10
# So many characters of elements stand in a column of the table.
LONGEST = 11


class TrialView(QWidget):
    """A trial as a picture and a table; `show_trial(None)` hides both. A low place has the table alone."""

    def __init__(
        self, appearance: Appearance, parent: QWidget | None, name: str = "trial", has_picture: bool = True
    ) -> None:
        super().__init__(parent)
        self._appearance, self._name, self._has_picture = appearance, name, has_picture
        self._trial: Trial | None = None
        self._rounds: SideBySide | None = None
        named(self, name, says=tr("Before and after the fix"))
        self._picture = named(_Path(appearance, self), f"{name}_path")
        self._table = make_grid(margins=0, spacing=(12, 3))
        self._table.setColumnStretch(0, 1)
        make_column(self._picture, self._table, inside=self, margins=(0, 4, 0, 2), spacing=8)
        appearance.changed.connect(self._restyle)
        self.hide()

    def show_trial(self, trial: Trial | None) -> None:
        """Shows another trial."""
        if trial == self._trial and trial is not None:
            self.show()
            return
        self._trial, self._rounds = trial, None
        self._picture.show_path(trial.path if trial is not None and self._has_picture else ())
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
        self._add_row(0, "", (tr("before"), ""), (tr("after"), ""))
        later = _rows_of_rounds(self._rounds)
        rows = _rows(self._trial)
        if later and not self._has_picture:
            # A low place has no room for one row more.
            is_broken = self._trial.before.broken_wires or self._trial.after.broken_wires
            rows = [*rows[:COMPARED], *rows[-1:]] if is_broken else rows[:COMPARED]
        rows = [*rows, *later]
        for place, (text, before, after) in enumerate(rows, start=1):
            self._add_row(place, text, before, after)
        said = [f"{text}: {tr('before')} {before[0]}, {tr('after')} {after[0]}" for text, before, after in rows]
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
    rows = [(tr("loss"), _cell(before.loss, "value"), _cell(after.loss, "value"))]
    for pair in trial.gradients:
        name = f"∂L/∂{pair.port.path.rpartition('/')[2]}"
        rows.append((name, _cell(pair.before, "grad.text"), _cell(pair.after, "grad.text")))
    counts = [
        (grouped(state.broken_wires), "alarm" if state.broken_wires else "text.primary") for state in (before, after)
    ]
    return [*rows, (tr("wires with NaN/Inf"), counts[0], counts[1])]


def _rows_of_rounds(rounds: SideBySide | None) -> list[_Row]:
    """Returns the row of the losses after some rounds of training; none if they are not known."""
    if rounds is None:
        return []
    cells = [
        (fmt_short(loss), "value" if np.isfinite(loss) else "alarm") for loss in (rounds.before[1], rounds.after[1])
    ]
    return [(tr("loss, round {count}", count=rounds.rounds), cells[0], cells[1])]


def _cell(amount: Amount | None, token: str) -> tuple[str, str]:
    return ("–", "text.secondary") if amount is None else (amount_text(amount), "alarm" if amount.broken else token)


def amount_text(amount: Amount) -> str:
    """Returns a tensor in a few characters: its elements, else how many are broken, else its norm."""
    elements = " ".join(map(fmt_short, amount.elements))
    # Two columns of longer texts would leave no room for what the row is about; what is broken is always told.
    if elements and (len(elements) <= LONGEST or amount.broken):
        return elements
    if amount.broken:
        return tr("{broken} of {size} broken", broken=grouped(amount.broken), size=grouped(amount.size))
    return tr("norm {norm}", norm=fmt_short(amount.norm))


class _Path(ThemedWidget):
    """The blocks from the old source through the new ones, with the gradient below each wire."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent)
        self._path: tuple[Stage, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_path(self, path: tuple[Stage, ...]) -> None:
        self._path = path
        self.setVisible(bool(path))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # Qt's name
        line = self.fontMetrics().height()
        return QSize(200, 2 * MARGIN + BOX + line)

    def paintEvent(self, _: QPaintEvent) -> None:  # Qt's name
        theme = self._appearance.theme
        with smooth(self) as painter:
            inked(painter, QPen(theme.color("border.subtle"), 1), theme.color("bg.sunken"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            boxes = self._boxes()
            for stage, box, following in zip(self._path, boxes, boxes[1:], strict=False):
                self._paint_wire(painter, stage, box, following)
            for stage, box in zip(self._path, boxes, strict=True):
                self._paint_box(painter, stage, box)

    def _boxes(self) -> list[QRectF]:
        """Returns a box for each block; they share the width, and the wires have gaps of equal length."""
        count = len(self._path)
        room = self.width() - 2 * MARGIN - (count - 1) * GAP
        width = min(max(room / count, 20.0), 110.0)
        left = (self.width() - count * width - (count - 1) * GAP) / 2
        return [QRectF(left + place * (width + GAP), MARGIN, width, BOX) for place in range(count)]

    def _paint_box(self, painter: QPainter, stage: Stage, box: QRectF) -> None:
        theme = self._appearance.theme
        painter.setPen(QPen(theme.color("ok" if stage.is_new else "border.default"), 1.5 if stage.is_new else 1))
        painter.setBrush(theme.color("bg.raised"))
        painter.drawRoundedRect(box, 5, 5)
        inked(painter, theme.color("text.primary"), font=font("ui", 11, 600))
        name = stage.type_name if stage.is_new else stage.name
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, int(box.width()) - 8)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
        if stage.is_new:
            painter.setPen(theme.color("ok"))
            below = QRectF(box.left() - GAP / 2, box.bottom() + 2, box.width() + GAP, painter.fontMetrics().height())
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, tr("new"))

    def _paint_wire(self, painter: QPainter, stage: Stage, box: QRectF, following: QRectF) -> None:
        theme, amount = self._appearance.theme, stage.gradient
        is_broken = amount is not None and amount.broken
        token = "alarm" if is_broken else "grad.text" if amount is not None and amount.norm else "wire.zero"
        ends = QPointF(box.right(), box.center().y()), QPointF(following.left(), box.center().y())
        inked(painter, QPen(theme.color(token), 3)).drawLine(*ends)
        if amount is None:
            return
        inked(painter, theme.color("alarm" if is_broken else "grad.text"), font=font("mono", 10.5))
        text = "NaN" if is_broken else fmt_short(amount.norm)
        line = painter.fontMetrics().height()
        middle = (ends[0].x() + ends[1].x()) / 2
        painter.drawText(QRectF(middle - 40, box.center().y() + 3, 80, line), Qt.AlignmentFlag.AlignCenter, text)
