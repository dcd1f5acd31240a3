"""The lens of precision: which gradients hold few digits, and which zeros are only too small to be seen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.lenses.lens import Lens
from app.lenses.precision_rows import (
    FEW_DIGITS,
    Finding,
    amount,
    amount_text,
    digits_left,
    digits_text,
    findings,
    place_text,
    summary,
    what_text,
)
from app.lenses.sorted_table import Column, Entry, SortedTable
from app.live.lens_questions import PrecisionName
from app.live.questions import Reply
from app.live.readings import Results
from app.live.session import Session
from app.look.appearance import Appearance
from app.words import tr
from engine.expand import Link, PortName
from engine.precision import Precision


class PrecisionLens(Lens):
    """A sentence on the worst of each kind, and below it all sums, differences and underflows."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._asked_of: Results | None = None
        self._shadow = ""
        super().__init__(session, appearance, parent)
        self._summary = QLabel(self)
        self._summary.setObjectName("precision_summary")
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._summary.setWordWrap(True)
        self._summary.setContentsMargins(8, 6, 8, 4)
        self._table = SortedTable(appearance, tr("Fewest digits first"), self._columns(), self)
        self._table.setObjectName("precision_rows")
        self._table.setAccessibleName(tr("Precision of the gradients"))
        self._table.row_chosen.connect(self._choose)
        self.controls = self._table.choice
        self.controls.setObjectName("precision_order")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._summary)
        layout.addWidget(self._table, 1)

    def refresh(self) -> None:
        """Asks how exact the gradients of the newest run are."""
        if self.session.results is None:
            self._show(None)
        elif self.session.results is not self._asked_of:
            self._asked_of = self.session.results
            self.ask(PrecisionName())

    def take(self, reply: Reply) -> None:
        """Shows what was found."""
        self._show(reply.answer)

    def _show(self, found: Precision | None) -> None:
        self._shadow = "" if found is None else found.shadow
        self._summary.setText("" if found is None else summary(found))
        self._summary.setVisible(bool(self._summary.text()))
        entries = [] if found is None else [_entry(item) for item in findings(found)]
        self._table.show_entries(entries, self._nothing(found))

    def _nothing(self, found: Precision | None) -> str:
        if found is None:
            return tr("Nothing has been evaluated yet.")
        if not self.session.losses:
            return tr("There is no loss, so nothing has a gradient. Add a Loss block.")
        return tr("There is no gradient whose digits could be counted.")

    def _columns(self) -> list[Column]:
        return [
            Column(tr("Where"), 120, place_text, lambda item: place_text(item).lower(), is_number=False),
            Column(tr("Digits left"), 74, digits_text, digits_left),
            Column(tr("Amount"), 80, amount_text, amount),
            Column(tr("What happens"), 300, lambda item: what_text(item, self._shadow), self._what, is_number=False),
        ]

    def _what(self, item: Finding) -> str:
        return what_text(item, self._shadow).lower()

    def _choose(self, key: tuple[Link | PortName, str]) -> None:
        place = key[0]
        if isinstance(place, Link):
            self.wire_chosen.emit(place)
        else:
            self.place_chosen.emit(place.path)


def _entry(item: Finding) -> Entry:
    is_bad = digits_left(item) < FEW_DIGITS
    kind = f"{type(item).__name__} {getattr(item, 'what', '')}{getattr(item, 'is_gradient', '')}"
    return Entry((item.place, kind), item, "warn" if is_bad else "text.primary", "warn" if is_bad else "")
