"""The lens of conventions: the points where frameworks choose a gradient, and the numbers of each."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.conventions.convention_questions import StandpointsName
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.numbers import fmt, index_text
from gradwire.app.look.widgets import make_column, make_label, named
from gradwire.blocks.support.conventions import FRAMEWORKS
from gradwire.blocks.support.standpoints import Numbers, Standpoint
from gradwire.engine.autodiff.expand import PortName

WIDTHS = (96, 92, 92, 92, 140)
NUMBERS_SHOWN, PLACES_SHOWN = 4, 3


class ConventionLens(Lens):
    """A row for each input at a kink, a tie or a point without a slope, and the rules there."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._found: tuple[Standpoint, ...] = ()
        super().__init__(current, appearance, parent)
        table = RowsTable(appearance, _headings, WIDTHS, (1, 2, 3), self)
        self._table = named(table, "conventions_list", says=tr("Conventions at this point"))
        self._rules = make_label(parent=self, name="conventions_rules", wraps=True)
        self.controls = self._measure = named(ChoiceBox(), "conventions_measure", says=tr("Which numbers"))
        explained(self._rules, Term.CONVENTIONS)
        self._rules.setContentsMargins(14, 4, 14, 6)
        self._measure.addItems([tr("Incoming gradient = 1"), tr("Actual incoming gradient")])
        make_column((self._table, 1), self._rules, inside=self, margins=0, spacing=0)
        self._table.row_chosen.connect(self.go_to)
        self._table.selectionModel().currentChanged.connect(self._show_rules)
        self._measure.activated.connect(self._show)

    def refresh(self) -> None:
        """Asks for the blocks' present points."""
        if self.session.results is None:
            self._found = ()
            self._show()
        else:
            self.ask(StandpointsName())

    def take(self, reply: Reply) -> None:
        """Shows the points."""
        self._found = reply.answer or ()
        self._show()
        self._follow_selection()

    # Showing

    def _show(self, *_: object) -> None:
        is_local = self._measure.currentIndex() == 0
        self._table.show_rows([_row(item, is_local) for item in self._found], self._nothing())
        self._rules.setVisible(bool(self._found))
        self._show_rules()

    def _nothing(self) -> str:
        if self.session.results is None:
            return tr("Nothing has been evaluated yet.")
        if any(problem.severity == "error" for problem in self.session.problems):
            return tr("No block that could be computed is at a kink, a tie or a zero now.")
        return tr("No block is at a kink, a tie or a zero now: the frameworks agree on every gradient of this graph.")

    def _follow_selection(self) -> None:
        """Makes the row of the selected block current."""
        chosen = {f"{self.session.prefix}/{name}" for name in self.session.selection.blocks}
        current = self._table.current_key
        if not isinstance(current, PortName) or current.path not in chosen:
            ports = [item.port for item in self._found if item.port.path in chosen]
            if ports:
                self._table.set_current(ports[0])

    def _show_rules(self, *_: QModelIndex) -> None:
        key = self._table.current_key
        chosen = [item for item in self._found if item.port == key]
        self._rules.setText("\n".join([*map(_rules, chosen), tr("Gradwire follows TensorFlow 2.21.")]))


def _headings() -> tuple[str, ...]:
    return tr("Input"), *(name.split()[0] for name in FRAMEWORKS), tr("Point"), tr("Elements")


def _row(item: Standpoint, is_local: bool) -> TableRow:
    numbers = item.local if is_local else item.here or ()
    texts = [_numbers_text(part, item.count) for part in numbers] or ["?"] * len(FRAMEWORKS)
    tokens = ["text.primary" if text == texts[0] else "warn" for text in texts]
    shown = (place_text(item.port), *texts, tr_sentence(item.point), _places_text(item))
    icon = "compare" if item.differ else ""
    return TableRow(item.port, shown, ("text.primary", *tokens, "text.primary"), icon, _rules(item))


def _numbers_text(numbers: Numbers, count: int) -> str:
    if numbers is None:
        return tr("None")
    texts = [fmt(number) for number in numbers]
    if len(texts) > 2 and len(texts) == count and len(set(texts)) == 1:
        return f"{texts[0]} × {count}"
    shown = "  ".join(texts[:NUMBERS_SHOWN])
    return f"{shown} …" if count > NUMBERS_SHOWN else shown


def _places_text(item: Standpoint) -> str:
    if item.places == ((),):
        return ""
    shown = " ".join(index_text(place) for place in item.places[:PLACES_SHOWN])
    return f"{shown} …" if item.count > PLACES_SHOWN else shown


def _rules(item: Standpoint) -> str:
    """Returns the rules of the frameworks; one sentence if all agree."""
    if len(set(item.sentences)) == 1:
        return tr("All three: {rule}", rule=tr_sentence(item.sentences[0]))
    return "\n".join(f"{name}: {tr_sentence(rule)}" for name, rule in zip(FRAMEWORKS, item.sentences, strict=True))


FEATURE = Feature(
    "conventions", "Conventions", "Gradients of TensorFlow, PyTorch and JAX at the kinks and ties of this graph",
    "book", ConventionLens,
)  # fmt: skip
