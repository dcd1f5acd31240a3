"""The strip below the list of problems: why the selected one matters, and its fix."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.problems.problem_rows import Row, fix_text
from gradwire.app.kit.why.trial_view import TrialView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, ThemedWidget, make_button, make_column, make_label, make_row
from gradwire.engine.advice.linter import RULE_OF
from gradwire.engine.training.side_by_side import SideBySide

# Units: px. In a narrow panel the trial makes room: the inspector beside the panel keeps its width.
TRIAL_WIDTH, LEAST_TRIAL_WIDTH = 270, 60


class WhyStrip(ThemedWidget):
    """The rule behind a row in plain words, with buttons that emit `fix_wanted(Row)` and `hide_wanted(str)`."""

    fix_wanted = Signal(object)
    hide_wanted = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "why_strip", look="panel", filled=True)
        self._row: Row | None = None
        self._title = make_label("", self, name="why_title", look="strong", wraps=True)
        self._why = make_label("", self, name="why_text", wraps=True)
        self._trial = TrialView(appearance, self, "why_trial")
        self._trial.setMinimumWidth(LEAST_TRIAL_WIDTH)
        self._trial.setMaximumWidth(TRIAL_WIDTH)
        self._fix = make_button("", self._want_fix, self, name="why_fix")
        self._hide = make_button(tr("Never show this advice"), self._want_hide, self, name="why_hide")
        buttons = make_row(self._fix, self._hide, STRETCH)
        texts = make_column(self._title, self._why, STRETCH, buttons, spacing=6)
        # Beside each other: the list above needs the height.
        trial = (self._trial, 1, Qt.AlignmentFlag.AlignTop)
        make_row((texts, 1), trial, inside=self, margins=(14, 8, 14, 10), spacing=16)
        self.hide()

    def explain(self, row: Row | None) -> None:
        """Shows why a row matters; hides the strip if there is nothing to say or do."""
        self._row = row
        rule = RULE_OF.get(row.rule) if row is not None else None
        fix = row.fix if row is not None else None
        self._title.setText("" if rule is None else tr_sentence(rule.title))
        self._why.setText("" if rule is None else tr_sentence(rule.why))
        self._fix.setText("" if fix is None else fix_text(fix))
        self._trial.show_trial(None if fix is None else fix.trial)
        for part, is_shown in ((self._title, rule), (self._why, rule), (self._hide, rule), (self._fix, fix)):
            part.setVisible(is_shown is not None)
        self.setVisible(rule is not None or fix is not None)

    def show_rounds(self, rounds: SideBySide | None) -> None:
        """Shows what some rounds of training with and without the fix have given."""
        self._trial.show_rounds(rounds)

    def _want_fix(self) -> None:
        self.fix_wanted.emit(self._row)

    def _want_hide(self) -> None:
        if self._row is not None:
            self.hide_wanted.emit(self._row.rule)
