"""The guess: which sign the next step sends, before it is taken."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import cell_of
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import MINUS, fmt, index_text
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_label, make_row, named

# At texts of 100 %. Units: px.
WIDTH = 142


class GuessBox(SessionWidget):
    """Asks for the sign of the largest number that the next step sends. An answer takes the step and is judged."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, "guess", own_sizes=True)
        self._asked = ElidedLabel("guess_question", self)
        self._buttons = [
            self._button(-1, MINUS, "guess_minus", tr("It is negative")),
            self._button(0, "0", "guess_zero", tr("It is zero")),
            self._button(1, "+", "guess_plus", tr("It is positive")),
        ]
        self._said = make_label(parent=self, name="guess_said", look="quiet")
        make_column(self._asked, make_row(*self._buttons, STRETCH, spacing=6), self._said, STRETCH, inside=self,
                    margins=(0, 4, 0, 0), spacing=5)  # fmt: skip

    def refresh(self) -> None:
        """Shows the question about the next step, and how the last guess was."""
        steps = self.session.part(StepMode)
        self.setFixedWidth(round(WIDTH * self._appearance.text_scale))
        ahead, judged = steps.ahead if steps.at < steps.count else None, steps.judged
        self.setVisible(not steps.is_forward and (ahead is not None or judged is not None))
        for button in self._buttons:
            button.setVisible(ahead is not None)
        question = "" if ahead is None else tr("Next, {block} sends", block=cell_of(self.session, steps.at + 1).name)
        self._asked.setText(question)
        if ahead is not None:
            name = f"∂L/∂{ahead.link.target.port}{index_text(ahead.index)}"
            self._asked.setToolTip(tr("Which sign has {name}, the largest number that it sends?", name=name))
        token, text = "text.tertiary", tr("guess, or press Space")
        if judged is not None:
            is_right, told = judged[0], fmt(judged[1])
            text = tr("Right: {number}", number=told) if is_right else tr("No: {number}", number=told)
            token = "ok" if is_right else "warn"
        right, guessed = steps.score
        self._said.setToolTip(tr("{right} of {count} guesses right", right=right, count=guessed) if guessed else "")
        self._said.setText(text)
        self._said.setStyleSheet(f"color: {self._appearance.theme.css(token)}")

    def _button(self, sign: int, text: str, name: str, says: str) -> QPushButton:
        made = make_button(text, partial(self._guess, sign), self, name=name, says=says)
        return named(made, size=(36, 24), focus=Qt.FocusPolicy.TabFocus)

    def _guess(self, sign: int) -> None:
        self.session.part(StepMode).guess(sign)
