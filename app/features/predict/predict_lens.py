"""The lens of prediction: all gradients are hidden, and a prediction reveals each one."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.predict.predict_texts import (
    gradient_text,
    headings,
    hint_text,
    points_text,
    question_text,
    verdict_text,
)
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_button, make_column, make_label, make_row, named
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.predictions import Grade, Task, grade, task_for

WIDTHS = (140, 110, 130, 60)


class _Answer(NamedTuple):
    """A prediction and its grade; the grade is None if the user only looked."""

    text: str
    grade: Grade | None


class PredictLens(Lens):
    """A lens that asks for the selected wire, else for one wire after another from the loss back."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._answers: dict[Link, _Answer] = {}
        self._asked_of: Link | None = None
        self._is_running = False
        super().__init__(current, appearance, parent)
        self._start = make_button(tr("Start"), self.start, self, name="predict_start")
        self._question = make_label(parent=self, name="predict_question", wraps=True)
        self._entry = named(QLineEdit(self), "predict_entry", says=tr("Your prediction"))
        self._check = make_button(tr("Check it"), self._grade, self, name="predict_check")
        self._reveal = make_button(tr("Show it"), self._give_up, self, name="predict_show")
        self._verdict = make_label(parent=self, name="predict_verdict", wraps=True)
        self._end = make_button(tr("End"), self._leave_by_hand, self, name="predict_end")
        table = RowsTable(appearance, headings, WIDTHS, (3,), self)
        self._table = named(table, "predict_list", says=tr("Predicted gradients"))
        self._score = self.controls = make_label(name="predict_score")
        row = make_row(self._start, (self._entry, 1), self._check, self._reveal, self._end, (None, 0))
        head = make_column(self._question, row, self._verdict, margins=(14, 6, 14, 4))
        make_column(head, (self._table, 1), inside=self, margins=0)
        self._entry.returnPressed.connect(self._grade)
        self._table.row_chosen.connect(self.wire_chosen)
        self._table.left.connect(self.leave)
        self._show()

    def start(self) -> None:
        """Hides all gradients and asks for the first one."""
        self._answers, self._asked_of, self._is_running = {}, None, True
        self._verdict.clear()
        # Step mode would reveal the answers.
        self.session.leave_pause()
        self.session.runs.set_gradient_mask(GradientMask())
        self._ask_next()

    def leave(self) -> None:
        """Shows all gradients again; the score stays visible."""
        if self._is_running:
            self._is_running, self._asked_of = False, None
            self.session.runs.set_gradient_mask(None)
            self._show()

    def begin_document(self) -> None:
        """Shows another document, and no longer asks."""
        self.leave()
        self._answers = {}
        self._verdict.clear()
        super().begin_document()

    def refresh(self) -> None:
        """Asks for the selected wire, and drops a question about a removed one."""
        if not self._is_running:
            self._show()
            return
        selected = self.session.selection.wires
        link = self.session.link(next(iter(selected))) if len(selected) == 1 else None
        waiting = self._waiting()
        if link in waiting:
            self._asked_of = link
        elif self._asked_of not in waiting:
            self._asked_of = next(iter(waiting), None)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """Reveals the gradients if the lens is closed or another one is shown."""
        if not event.spontaneous():
            self.leave()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Ends the predictions on Escape."""
        if event.key() == Qt.Key.Key_Escape and self._is_running:
            self._leave_by_hand()
        else:
            super().keyPressEvent(event)

    def _leave_by_hand(self) -> None:
        self.leave()
        self._start.setFocus()

    # Asking and grading

    def _waiting(self) -> list[Link]:
        """Returns the wires that are still to be predicted, the nearest to the loss first."""
        found = self.session.runs.true_results
        links = [] if found is None else list(found.wires.row_of)[::-1]
        return [link for link in links if link not in self._answers and self._gradient(link) is not None]

    def _gradient(self, link: Link) -> Reading | None:
        found = self.session.runs.true_results
        wire = None if found is None else found.wire(link)
        return None if wire is None or wire.gradient is None or not wire.gradient.size else wire.gradient

    def _ask_next(self) -> None:
        self._asked_of = next(iter(self._waiting()), None)
        self._entry.clear()
        self._show()
        if self._asked_of is not None:
            self.wire_chosen.emit(self._asked_of)
            self._entry.setFocus()
        else:
            self._table.setFocus()

    def _grade(self) -> None:
        link, text = self._asked_of, self._entry.text()
        truth = None if link is None else self._gradient(link)
        if link is None or truth is None:
            return
        task = task_for(truth.size)
        found = grade(text, task, truth.first[: truth.size], truth.norm)
        if found is None:
            self._verdict.setText(hint_text(task))
            self._show()
        else:
            self._verdict.setText(verdict_text(link, task, found, truth))
            self._uncover(link, _Answer(text.strip(), found))

    def _give_up(self) -> None:
        if self._asked_of is not None:
            self._verdict.clear()
            self._uncover(self._asked_of, _Answer("", None))

    def _uncover(self, link: Link, answer: _Answer) -> None:
        self._answers[link] = answer
        self.session.runs.set_gradient_mask(GradientMask(frozenset(self._answers)))
        self._ask_next()

    # Showing

    def _show(self) -> None:
        truth = None if self._asked_of is None else self._gradient(self._asked_of)
        self._start.setVisible(not self._is_running)
        for widget in (self._entry, self._check, self._reveal):
            widget.setVisible(truth is not None)
        if truth is not None and self._asked_of is not None:
            task: Task = task_for(truth.size)
            self._question.setText(question_text(self._asked_of, task, truth))
            self._entry.setPlaceholderText(hint_text(task))
        else:
            self._question.setText(self._invitation())
        self._end.setVisible(self._is_running)
        self._verdict.setVisible(bool(self._verdict.text()))
        self._table.show_rows([self._row(link) for link in reversed(self._answers)])
        points = [answer.grade for answer in self._answers.values() if answer.grade is not None]
        self._score.setText(points_text(sum(item.points for item in points), sum(item.of for item in points)))
        self._score.setVisible(bool(self._answers))

    def _invitation(self) -> str:
        """Returns the message while there is no question."""
        if self._is_running and not self._answers:
            return tr("There is no gradient to predict here.")
        if self._is_running:
            return tr("All gradients are shown. Press Escape to end.")
        return tr("Start hides all gradients. Predict them wire by wire: each is graded and revealed.")

    def _row(self, link: Link) -> TableRow:
        answer, truth = self._answers[link], self._gradient(link)
        is_right = answer.grade is not None and answer.grade.is_full
        points = "" if answer.grade is None else f"{answer.grade.points} / {answer.grade.of}"
        shown = "" if truth is None else gradient_text(truth)
        icon = "check" if is_right else "eye" if answer.grade is None else "close"
        texts = (place_text(link), answer.text or tr("not predicted"), shown, points)
        return TableRow(link, texts, ("text.primary",), icon, str(link))


FEATURE = Feature(
    "predict", "Predict", "Hides all gradients; you predict each wire's gradient, then see it", "eye-off", PredictLens
)
