"""A quiz on a step before it is shown: the question, a field for the answer, and its assessment."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.look.numbers import fmt, index_text
from gradwire.app.look.widgets import make_button, make_column, make_row, named, show_or_hide
from gradwire.engine.explain.quiz import QuizQuestion, Verdict


class RiddleBox(QWidget):
    """The quiz on one number of the current step; the answer reveals the step."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("quiz")
        self._steps: StepMode | None = None
        self._question = plain_label("", "riddle_question", parent=self, wraps=True)
        self._verdict = plain_label("", "riddle_verdict", "strong", self, wraps=True)
        self._field = named(QLineEdit(self), "riddle_answer")
        self._field.setPlaceholderText(tr("a number, + or −"))
        self._field.returnPressed.connect(self._answer)
        self._check = make_button(tr("Check"), self._answer, self, name="riddle_check")
        self._show_it = make_button(tr("Show me"), self._reveal, self, name="riddle_show")
        row = make_row((self._field, 1), self._check, self._show_it, spacing=6)
        make_column(self._question, row, self._verdict, inside=self, margins=0, spacing=6)

    def show_state(self, steps: StepMode) -> None:
        """Shows the question while the step is hidden, then the assessment of the answer."""
        is_other = self._steps is not steps or not steps.is_hidden
        self._steps = steps
        question = None if steps.detail is None else steps.detail.question
        asked, is_open = "" if question is None else question_of(question), steps.is_hidden and question is not None
        if is_open and (is_other or self._question.text() != asked):
            self._question.setText(asked)
            self._field.setAccessibleName(asked)
        for widget in (self._question, self._field, self._check, self._show_it):
            widget.setVisible(is_open)
        is_judged = steps.verdict is not None and question is not None and not steps.is_hidden
        show_or_hide(self._verdict, verdict_text(steps.verdict, question) if is_judged else "")
        self.setVisible(is_open or is_judged)

    def _answer(self) -> None:
        if self._steps is None or not self._field.text().strip():
            return
        verdict = self._steps.guess(self._field.text())
        if verdict is None:
            self._verdict.setText(tr("Enter a number such as 0.5, or + or − for its sign."))
            self._verdict.show()
        else:
            self._field.clear()

    def _reveal(self) -> None:
        if self._steps is not None:
            self._field.clear()
            self._steps.reveal()


def question_of(question: QuizQuestion) -> str:
    """Returns the text of the question."""
    name = f"∂L/∂{question.port}{index_text(question.index)}"
    return tr("What is {name}?", name=name)


def verdict_text(verdict: Verdict | None, question: QuizQuestion | None) -> str:
    """Returns the assessment of an answer, with the true number."""
    if verdict is None or question is None:
        return ""
    number = fmt(question.number)
    if verdict is Verdict.RIGHT:
        return tr("Right: it is {number}.", number=number)
    if verdict is Verdict.RIGHT_SIGN:
        return tr("The sign is right; the number is {number}.", number=number)
    return tr("Not quite: it is {number}.", number=number)
