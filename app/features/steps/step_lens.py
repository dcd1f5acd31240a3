"""The lens of step mode: its strip, and as the panel the numbers of the current step."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr, tr_count
from gradwire.app.features.steps.number_grid import EMPTY, NumberGrid
from gradwire.app.features.steps.step_commands import STEPS
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_questions import Sent
from gradwire.app.features.steps.step_strip import StepStrip
from gradwire.app.features.steps.step_texts import instance_of, part_heading, part_sentence
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.formula_view import FormulaView
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_list import WhyList
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.amounts import gradient_text
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, make_column, make_label, make_row, named, show_or_hide


class StepLens(Lens):
    """The steps of the backward or the forward pass in the strip; below it the current one element by element."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self.strip = StepStrip(current, appearance, self)
        self._grid = named(NumberGrid(appearance, self), says=tr("The numbers of this step"))
        self._more = plain_label("", "step_more", "quiet", self)
        self._leaving = WhyList(current.requests, appearance, self)
        self._formula: FormulaView | None = None
        inner = QWidget()
        self._rule = make_column(make_label(tr("Local rule"), look="section"), STRETCH, spacing=6)
        numbers = make_column(make_label(tr("With numbers"), look="section"), self._grid, self._more, STRETCH)
        leaves = make_column(make_label(tr("Leaves"), look="section"), self._leaving, STRETCH)
        make_row(self._rule, (numbers, 1), (leaves, 1), inside=inner, margins=(14, 8, 14, 8), spacing=24)
        scroll = QScrollArea(self, widgetResizable=True)
        scroll.setWidget(inner)
        make_column(scroll, inside=self, margins=0)
        call_on(self.refresh, current.changed, current.of(StepMode).changed)

    def refresh(self) -> None:
        """Shows the numbers of the present step."""
        steps = self.session.part(StepMode)
        self._show_rule()
        table = EMPTY if steps.detail is None else steps.detail.table
        self._grid.show_numbers(table, steps.is_forward)
        hidden = table.size - len(table.rows)
        more = tr_count("and {count} more element", "and {count} more elements", hidden)
        show_or_hide(self._more, more * (hidden > 0))
        self._leaving.show_all([self._leave_of(item) for item in (steps.detail.sent if steps.detail else ())])

    def _show_rule(self) -> None:
        """Shows the formula of the block, or of its gradient, as a book has it."""
        steps, instance = self.session.part(StepMode), instance_of(self.session, self.session.part(StepMode).at)
        latex = ""
        if instance is not None and instance.type is not None:
            latex = instance.type.formula if steps.is_forward else instance.type.gradient_formula
        if self._formula is not None and latex != self._formula.latex:
            dismiss(self._formula, self._rule)
            self._formula = None
        if self._formula is None and latex:
            self._formula = FormulaView(latex, self._appearance, "step_formula", self)
            self._rule.insertWidget(1, self._formula)

    def _leave_of(self, sent: Sent) -> tuple[str, Why]:
        result = gradient_text(sent.part.status, sent.gradient)
        why = Why(sent.part.status, sent.part.status, result, part_sentence(self.session, sent))
        return part_heading(self.session, sent.part), why


FEATURE = Feature(
    "steps", "Backward steps", "Back-propagation one block at a time", "step-back", StepLens, commands=STEPS,
    is_mode=True,
)  # fmt: skip
