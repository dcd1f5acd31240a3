"""The finite-difference check of one gradient: a button, the outcome, and the elements."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.conventions.check_outcome import SAID, look_of, outcome, verdict_text, withheld
from gradwire.app.features.conventions.convention_questions import CheckName
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Part
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import LEFT, RIGHT
from gradwire.app.look.glossary import Term, explained, explanation
from gradwire.app.look.icons import icon
from gradwire.app.look.numbers import fmt, index_text
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import STRETCH, add_items, make_button, make_column, make_row, named, show_or_hide
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.checks.element_check import ElementCheck, PlaceCheck

ROW_HEIGHT, ROWS_SHOWN, MEASURED, TRUE = 22, 8, 2, 3
Place = Link | PortName


class CheckView(Part):
    """The check of the displayed gradient; its result stays until the next run."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent)
        self._place: Place | None = None
        self._known: dict[Place, PlaceCheck | str] = {}
        self._known_of: Results | None = None
        self._button = make_button(tr("Check with finite differences"), self.run, self, name="check_gradient")
        expect = partial(current.requests.command_chosen.emit, "expect_gradient")
        tip = tr("A check: the gradient stays as it is now")
        self._keep = make_button(tr("Keep this result"), expect, self, name="keep_result", tip=tip)
        self._mark, self._outcome = QLabel(self), plain_label("", "check_outcome", "row", self, wraps=True)
        explained(self._outcome, Term.CENTRAL_DIFFERENCES)
        self._withheld = plain_label("", "check_withheld", "row", self, wraps=True)
        self._table = _Table(appearance, self)
        self._lay_out()
        current.replied.connect(self._take_reply)

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._place, self._known, self._known_of = None, {}, None

    def show_place(self, place: Place | None) -> None:
        """Offers the check of another wire or port; None hides it, as there is no gradient to check."""
        if self._known_of is not self.session.results:
            self._known, self._known_of = {}, self.session.results
        self._place = place
        self.setVisible(place is not None)
        found = None if place is None else self._known.get(place)
        self._button.setVisible(found is None)
        for widget in (self._mark, self._outcome, self._withheld, self._table):
            widget.hide()
        if isinstance(found, str):
            self._say(("info", "text.secondary"), tr_sentence(found))
        elif found is not None:
            self._show(found)

    def _lay_out(self) -> None:
        line = make_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), (self._outcome, 1), spacing=8)
        self._withheld.setContentsMargins(22, 0, 0, 0)
        layout = make_column(inside=self, margins=(0, 4, 0, 0), spacing=6)
        buttons = make_row(self._button, STRETCH), make_row(self._keep, STRETCH)
        add_items(layout, *buttons, line, self._withheld, self._table)

    def run(self) -> None:
        """Starts the check of the displayed gradient, if there is one."""
        if self._place is not None:
            self.session.ask(CheckName(self._place), is_once=True)

    def _take_reply(self, reply: Reply) -> None:
        question, results = reply.question, self.session.results
        if not isinstance(question, CheckName) or reply.answer is None or results is None:
            return
        if reply.revision == results.revision and self._place is not None:
            had_keyboard = self._button.hasFocus()
            self._known[question.place] = reply.answer
            self.show_place(self._place)
            if had_keyboard and self._table.isVisible():
                self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self, look: tuple[str, str], sentence: str) -> None:
        name, token = look
        self._mark.setPixmap(icon(self._appearance.theme, name, token, 14).pixmap(QSize(14, 14)))
        self._outcome.setText(sentence)
        self._mark.show()
        self._outcome.show()

    def _show(self, check: PlaceCheck) -> None:
        self._say(look_of(check), outcome(check))
        show_or_hide(self._withheld, withheld(check))
        self._table.fill(check)
        self._table.setVisible(bool(check.elements))


class _Table(QTableWidget):
    """The table of elements: gradient, central difference, verdict, and the true slope if it differs."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(0, 5, parent)
        self._appearance = appearance
        named(self, "check_rows", says=tr("Gradient and central difference of each element"))
        self.setHorizontalHeaderLabels([tr("Element"), "∂L", tr("Measured"), tr("True"), tr("Verdict")])
        measured = QTableWidgetItem(tr("Measured"))
        measured.setToolTip(explanation(Term.CENTRAL_DIFFERENCES))
        self.setHorizontalHeaderItem(MEASURED, measured)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def fill(self, check: PlaceCheck) -> None:
        """Shows the elements of a check."""
        self.setRowCount(len(check.elements))
        self.setColumnHidden(TRUE, not check.is_withheld)
        for row, element in enumerate(check.elements):
            for column, text in enumerate(_texts(element)):
                self.setItem(row, column, self._item(text, element, column))
        rows = min(len(check.elements), ROWS_SHOWN)
        self.setFixedHeight(rows * ROW_HEIGHT + self.horizontalHeader().sizeHint().height() + 4)

    def _item(self, text: str, element: ElementCheck, column: int) -> QTableWidgetItem:
        item, is_verdict = QTableWidgetItem(text), column > TRUE
        item.setTextAlignment(LEFT if is_verdict or not column else RIGHT)
        item.setFont(font("ui" if is_verdict else "mono", 11))
        item.setToolTip(literal_tip(text))
        if is_verdict:
            item.setForeground(self._appearance.theme.color(SAID[element.verdict].token))
        return item


def _texts(element: ElementCheck) -> tuple[str, ...]:
    numbers = (fmt(element.gradient), fmt(element.difference), fmt(element.true))
    return (index_text(element.index) or "[]", *numbers, verdict_text(element.verdict))


FEATURE = Feature(
    "checks", "Check", "The gradient of the selection beside central differences", "check-circle", part=CheckView
)
