"""The wires of a page as rows of a table: sorted, filtered, and computed on demand, one at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt

from gradwire.app.base.csv_text import csv_text
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.sentences import explained, source_words, status_words, target_words, wire_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.labels.label_texts import summary_text
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.numbers import fmt_statistic, shape_text
from gradwire.app.look.rows import Index
from gradwire.app.look.tips import literal_tip
from gradwire.engine.graph.graph import Wire

ELEMENTS = 8
NUMBER, NORM = 0, 7
_NUMBERS = (NUMBER, NORM)


class Row(NamedTuple):
    """The texts of one wire."""

    number: str
    source: str
    target: str
    shape: str
    dtype: str
    value: str
    gradient: str
    norm: str
    status: str


def headings() -> Row:
    """Returns the headings of the columns."""
    ends, value = (tr("No."), tr("From"), tr("To")), (tr("Shape"), tr("Dtype"), tr("Value"))
    return Row(*ends, *value, tr("Gradient"), tr("Size"), tr("Status"))


def row_of(mirror: Mirror, wire: Wire) -> Row:
    """Returns the texts of a wire; its number is the place in the order of evaluation, as in announcements."""
    source, target = source_words(mirror, wire), target_words(mirror, wire)
    reading = mirror.session.wire(wire)
    if mirror.wire_rows.get(wire) in mirror.broken or reading is None:
        why = tr("not computed") if reading is None else tr("is not connected")
        return Row("", source, target, "", "", "", "", "", why)
    results = mirror.session.results
    number = "" if results is None else str(results.wires.row_of[mirror.session.link(wire)] + 1)
    status = status_words(mirror, explained(mirror, mirror.session.link(wire)))
    values, gradients, value, gradient = ("?", "", "?"), ("", ""), reading.value, reading.gradient
    if value is not None:
        values = shape_text(value.shape), value.dtype, summary_text(value, ELEMENTS)
    if gradient is not None:
        gradients = summary_text(gradient, ELEMENTS), fmt_statistic(gradient.norm, gradient.is_finite)
    return Row(number, source, target, *values, *gradients, status)


class WiresModel(CellModel):
    """The wires of the page that a mirror shows. `shown` has them in the order of the rows."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._mirror: Mirror | None = None
        self._known: dict[Wire, Row] = {}
        self._words: list[str] = []
        self._column, self._is_descending = NUMBER, False
        self.shown: list[Wire] = []

    def read(self, mirror: Mirror) -> None:
        """Takes over the current wires of the mirror."""
        self._mirror, self._known = mirror, {}
        shown = self._ordered()
        with self.changing(shown == self.shown):
            self.shown = shown

    def set_filter(self, text: str) -> None:
        """Shows only the wires whose row has every word of a text."""
        self._words = text.lower().split()
        self._reset()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; numbers as numbers, those without one last."""
        self._column, self._is_descending = column, order is Qt.SortOrder.DescendingOrder
        self._reset()

    def row(self, wire: Wire) -> Row:
        """Returns the texts of a wire."""
        assert self._mirror is not None, "a model has been given its wires"
        if wire not in self._known:
            self._known[wire] = row_of(self._mirror, wire)
        return self._known[wire]

    def csv(self) -> str:
        """Returns the rows shown, with their headings, as comma-separated values."""
        return csv_text([headings(), *(self.row(wire) for wire in self.shown)])

    def size(self) -> tuple[int, int]:
        """Returns the number of wires shown, and of columns."""
        return len(self.shown), len(Row._fields)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns a text of a wire; for screen readers, the first column describes the whole wire."""
        wire, column = self.shown[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.row(wire)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_tip(self.row(wire)[column])
        if role == Qt.ItemDataRole.AccessibleTextRole and self._mirror is not None:
            return wire_sentence(self._mirror, wire) if column == 0 else self.row(wire)[column]
        return _alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the headings, aligned as the texts below them."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        is_name = role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal
        return headings()[section] if is_name else None

    def _reset(self) -> None:
        with self.changing():
            self.shown = self._ordered()

    def _ordered(self) -> list[Wire]:
        if self._mirror is None:
            return []
        return sorted(filter(self._passes, self._mirror.wires), key=self._key, reverse=self._is_descending)

    def _passes(self, wire: Wire) -> bool:
        text = " ".join(self.row(wire)).lower() if self._words else ""
        return all(word in text for word in self._words)

    def _key(self, wire: Wire) -> Any:  # Any: of one type within a column
        mirror = self._mirror
        assert mirror is not None, "only wires of a mirror are sorted"
        nowhere = float("-inf") if self._is_descending else float("inf")
        if self._column in _NUMBERS and mirror.wire_rows.get(wire) in mirror.broken:
            return nowhere
        if self._column == NORM:
            reading = mirror.session.wire(wire)
            return nowhere if reading is None or reading.gradient is None else reading.gradient.norm
        if self._column == NUMBER:
            results = mirror.session.results
            row = None if results is None else results.wires.row_of.get(mirror.session.link(wire))
            return nowhere if row is None else row
        return self.row(wire)[self._column].lower()


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
