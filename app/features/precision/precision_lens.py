"""The lens of precision: gradients with few correct digits, and zeros that are underflows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.precision.precision_question import PrecisionName
from gradwire.app.features.precision.precision_rows import (
    FEW_DIGITS,
    Finding,
    amount,
    amount_text,
    digits_left,
    digits_text,
    finding_text,
    findings,
    summary,
    what_text,
)
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.run_lens import RunLens
from gradwire.app.kit.lens.sorted_table import Column, Entry, SortedTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term, explained, explanation
from gradwire.app.look.widgets import named, show_or_hide
from gradwire.engine.explain.precision import Precision


class PrecisionLens(RunLens):
    """A sentence on the worst of each kind, and a table of all sums, differences and underflows."""

    question = PrecisionName()

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._shadow = ""
        super().__init__(current, appearance, parent)
        table = SortedTable(appearance, tr("Fewest digits first"), self._columns(), self)
        self._table = named(table, "precision_rows", says=tr("Precision of the gradients"))
        self._table.row_chosen.connect(lambda key: self.go_to(key[0]))
        self.controls = named(self._table.choice, "precision_order")
        self._summary = self.lay_out("precision_summary", self._table)
        explained(self._summary, Term.KAPPA)

    def show_answer(self, found: Precision | None) -> None:
        """Shows the findings."""
        self._shadow = "" if found is None else found.shadow
        show_or_hide(self._summary, "" if found is None else summary(found))
        entries = [] if found is None else [_entry(item) for item in findings(found)]
        self._table.show_entries(entries, self.nothing(found, tr("There is no gradient to judge.")))

    def _columns(self) -> list[Column]:
        def said(item: Finding) -> str:
            return what_text(item, self._shadow)

        sums = explanation(Term.BROADCAST_SUM, Term.BROADCASTING)
        return [
            Column(tr("Where"), 120, finding_text, lambda item: finding_text(item).lower(), is_number=False),
            Column(tr("Digits left"), 74, digits_text, digits_left),
            Column(tr("Amount"), 80, amount_text, amount, tip=explanation(Term.KAPPA)),
            Column(tr("What happens"), 300, said, lambda item: said(item).lower(), is_number=False, tip=sums),
        ]


def _entry(item: Finding) -> Entry:
    is_bad = digits_left(item) < FEW_DIGITS
    kind = f"{type(item).__name__} {getattr(item, 'what', '')}{getattr(item, 'is_gradient', '')}"
    return Entry((item.place, kind), item, "warn" if is_bad else "text.primary", "warn" if is_bad else "")


FEATURE = Feature(
    "precision", "Precision", "Which gradients have few reliable digits, and which zeros are underflows", "target",
    PrecisionLens,
)  # fmt: skip
