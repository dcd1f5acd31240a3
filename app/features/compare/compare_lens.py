"""The lens of comparison: its strip, and below it the differences in values and gradients by name."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.features.compare.compare_desk import CompareDesk, CompareView
from gradwire.app.features.compare.compare_questions import ComparedWith
from gradwire.app.features.compare.compare_strip import CompareStrip
from gradwire.app.features.compare.variants import of_graph
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.app.look.status_texts import status_word
from gradwire.app.look.widgets import make_column, make_label, named
from gradwire.engine.explain.compare_graphs import Delta, Difference, GraphComparison, Place
from gradwire.engine.graph.graph import Graph

WIDTHS = (112, 74, 62, 74, 62, 76)


class CompareLens(CompareView, Lens):
    """A sentence about the losses, and a row for each port and wire; B is what the strip says."""

    # It has one line more than others.
    strip_height = 104

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._only_b: frozenset[Place] = frozenset()
        super().__init__(current, appearance, parent)
        current.of(CompareDesk).changed.connect(self.refresh_soon)
        self.strip = CompareStrip(current, appearance, self)
        says = tr("Differences between A and B")
        self._table = named(RowsTable(appearance, _headings, WIDTHS, (1, 2, 3, 4), self), "compare_list", says=says)
        self._summary = make_label(parent=self, name="compare_summary", wraps=True)
        self._summary.setContentsMargins(14, 6, 14, 4)
        make_column(self._summary, (self._table, 1), inside=self, margins=0, spacing=0)
        self._table.row_chosen.connect(self._go_to)
        self._show(None)

    def compare_with(self, name: str, graph: Graph) -> None:
        """Compares the open graph with another one, also after edits."""
        self.desk.choose(of_graph(name, graph))

    def refresh(self) -> None:
        """Asks for the present differences, where they are seen."""
        other = self.desk.against
        if other is None:
            self._show(None)
        elif self.isVisible() and self.session.results is not None:
            self.ask(ComparedWith(other))

    def take(self, reply: Reply) -> None:
        """Shows the differences, unless the comparison has ended."""
        if self.desk.choice is not None:
            self._show(reply.answer)

    # Showing

    def _show(self, found: GraphComparison | None) -> None:
        self._summary.setVisible(found is not None)
        if found is None:
            self._table.show_rows((), tr("Choose what B is. Blocks are matched by name."))
            return
        self._only_b = frozenset(found.only_b)
        self._summary.setText(self._sentence(found))
        rows = [_difference_row(item) for item in found.differences]
        rows += [_lonely_row(place, tr("only here")) for place in found.only_a]
        rows += [_lonely_row(place, tr("only in B")) for place in found.only_b]
        self._table.show_rows(rows, tr("Neither graph has a block."))

    def _sentence(self, found: GraphComparison) -> str:
        name = "" if self.desk.choice is None else self.desk.choice.text
        here, there = ("?" if loss is None else fmt(loss) for loss in found.losses)
        gap = "" if found.loss is None else tr(", Δ {gap}", gap=fmt(found.loss.largest))
        first = tr("B is {name}. L {here}, in B {there}{gap}.", name=name, here=here, there=there, gap=gap)
        if not found.differences:
            return f"{first} {tr('No port or wire has the same name in both.')}"
        if not found.unequal:
            return f"{first} {tr('All ports and wires with the same name are equal.')}"
        count = len(found.differences)
        second = tr_count(
            "{count} of {all} ports and wires of the same name differs.",
            "{count} of {all} ports and wires of the same name differ.",
            found.unequal,
            all=count,
        )
        return f"{first} {second}"

    def _go_to(self, place: Place) -> None:
        if place not in self._only_b:
            self.go_to(place)


def _headings() -> tuple[str, ...]:
    return tr("Place"), tr("Δ gradient"), tr("relative"), tr("Δ value"), tr("relative"), tr("Here / B")


def _difference_row(item: Difference) -> TableRow:
    texts = (place_text(item.place), *_delta_texts(item.gradient), *_delta_texts(item.value), _note(item))
    token = "text.secondary" if item.is_equal else "text.primary"
    return TableRow(item.place, texts, (token,), "" if item.is_equal else "compare", str(item.place))


def _delta_texts(delta: Delta | None) -> tuple[str, str]:
    return ("", "") if delta is None else (fmt(delta.largest), fmt(delta.relative))


def _note(item: Difference) -> str:
    """Returns a difference in shape or status, "" if there is none."""
    if item.shapes[0] != item.shapes[1]:
        return " / ".join(map(shape_text, item.shapes))
    if item.statuses[0] is not item.statuses[1]:
        return " / ".join(map(status_word, item.statuses))
    return ""


def _lonely_row(place: Place, note: str) -> TableRow:
    return TableRow(place, (place_text(place), "", "", "", "", note), ("text.secondary",), "", str(place))


FEATURE = Feature(
    "compare", "Compare", "The graph beside itself with one thing otherwise: a stop, a rate, a rule, or another graph",
    "compare", CompareLens, is_mode=True,
)  # fmt: skip
