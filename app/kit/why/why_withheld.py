"""What a StopGradient withholds: its terms as texts, and a table of them with bars."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.form_parts import MARGIN, ElidedLabel, plain_label
from gradwire.app.kit.why.why_product import SIGNS
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, smooth
from gradwire.app.look.numbers import fmt, index_text, signed, zero_text
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget, make_column, make_grid, make_label, make_row, named
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.explain.withheld import Term, Withheld

# The room of a bar, and the opacity of one of a negative number. Units: px.
BAR, FAINT = (78, 11), 0.6


@dataclass(frozen=True)
class WithheldText:
    """The amount that a StopGradient withholds, its terms with their numbers, and the line below them."""

    amount: str
    terms: tuple[tuple[str, float], ...]
    summary: str


def withheld_text(facts: Facts, withheld: Withheld, stop: str) -> WithheldText:
    """Returns the texts of what the StopGradient `stop` withholds."""
    count, norm = withheld.count, withheld.norm
    if withheld.is_rounding:
        amount, summary = zero_text(norm), tr_count("sum: {count} term", "sum: the {count} terms cancel", count)
    else:
        amount = tr("size {norm}", norm=fmt(norm)) if withheld.number is None else fmt(withheld.number)
        summary = tr_count("sum of {count} term", "sum of {count} terms", count)
    terms = tuple((_term(facts, term, stop), term.amount) for term in withheld.terms)
    return WithheldText(amount, terms, summary)


def _term(facts: Facts, term: Term, stop: str) -> str:
    """Returns where a term is from: an element of a block, or where it has two operands what it works out."""
    index, stopped = index_text(term.index), facts.reading(PortName(stop, "y"))
    # The answer may be about a graph of before.
    instance = facts.instances.get(term.at)
    sign = "" if instance is None else SIGNS.get(instance.block.type, "")
    number = None if stopped is None or stopped.value is None or stopped.value.size != 1 else stopped.value.first[0]
    if not index or not sign or instance is None or number is None:
        return tr("from {block}", block=facts.label(term.at) + index)
    operands = [
        fmt(number) if source.path == stop else facts.name(source.path) + index
        for source in instance.inputs.values()
        if source is not None
    ]
    return tr("from {block}", block=f" {sign} ".join(operands))


class WithheldView(ThemedWidget):
    """What a StopGradient withholds, under a line; `show_withheld(None)` hides it."""

    def __init__(self, appearance: Appearance, name: str, parent: QWidget | None) -> None:
        super().__init__(appearance, parent, name)
        self._shown: WithheldText | None = None
        line = named(QFrame(self), look="line")
        self._amount = named(plain_label("", f"{name}_amount", parent=self), font=font("mono", 11.5))
        title = plain_label(tr("What it holds back"), f"{name}_title", "strong", self)
        self._rows = make_grid(margins=0, spacing=(8, 4))
        self._rows.setColumnStretch(0, 1)
        sides = MARGIN, 0, MARGIN, 0
        head = make_row((title, 1), self._amount)
        make_column(line, make_column(head, self._rows, margins=sides, spacing=6), inside=self, margins=0, spacing=10)
        appearance.changed.connect(self._fill)
        self.hide()

    def show_withheld(self, withheld: WithheldText | None) -> None:
        """Shows something else that is withheld."""
        self.setVisible(withheld is not None)
        if withheld != self._shown:
            self._shown = withheld
            self._fill()

    def _fill(self, *_: object) -> None:
        empty(self._rows)
        if self._shown is None:
            return
        shown = self._shown
        self._amount.setText(shown.amount)
        numbers = [number for _, number in shown.terms]
        low, high = min([0.0, *numbers]), max([0.0, *numbers])
        for row, (text, number) in enumerate(shown.terms):
            self._add(row, text, signed(number))
            self._rows.addWidget(_Bar(self._appearance, (low, high, number), self), row, 1)
        if shown.terms:
            end = len(shown.terms)
            self._rows.addWidget(named(QFrame(self), look="line"), end, 0, 1, 3)
            self._add(end + 1, shown.summary, shown.amount, 2)
        said = [f"{text} {signed(number)}" for text, number in shown.terms]
        self.setAccessibleName("\n".join([tr("What it holds back"), *said, f"{shown.summary}: {shown.amount}"]))

    def _add(self, row: int, text: str, number: str, columns: int = 1) -> None:
        name = self.objectName()
        heading = named(ElidedLabel(f"{name}_term_{row}", self), font=font("ui", 11.5), look="row")
        heading.setText(text)
        cell = make_label(number, self, name=f"{name}_number_{row}", font=font("mono", 11))
        self._rows.addWidget(heading, row, 0, 1, columns)
        self._rows.addWidget(cell, row, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class _Bar(ThemedWidget):
    """A number as a bar from 0, between the lowest and the highest."""

    def __init__(self, appearance: Appearance, numbers: tuple[float, float, float], parent: QWidget) -> None:
        super().__init__(appearance, parent, size=BAR)
        self._numbers = numbers

    def paintEvent(self, event: QPaintEvent) -> None:
        low, high, number = self._numbers
        ink, zero = QColor(self._appearance.theme.color("grad.text")), self._appearance.theme.color("border.strong")
        if number < 0:
            ink.setAlphaF(FAINT)
        scale = (self.width() - 1) / ((high - low) or 1.0)
        start, end = (min(0.0, number) - low) * scale, (max(0.0, number) - low) * scale
        with smooth(self) as painter:
            filled(painter, ink).drawRoundedRect(QRectF(start, 0, end - start, self.height()), 1, 1)
            painter.fillRect(QRectF(-low * scale, 0, 1, self.height()), zero)
