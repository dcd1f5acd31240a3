"""The inspector's view in step mode: the current step with its rule and its numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.features.steps.number_grid import EMPTY, NumberGrid
from gradwire.app.features.steps.quiz_box import RiddleBox
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_questions import Detail, Sent
from gradwire.app.features.steps.step_texts import (
    heading,
    instance_of,
    meaning,
    part_heading,
    part_sentence,
)
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.form_parts import MARGIN, plain_label
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.kit.formula_view import FormulaView
from gradwire.app.kit.inspection import View
from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_list import WhyList
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.amounts import elements_text, gradient_text
from gradwire.app.live.readings.readings import Reading
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_row, named, show_or_hide
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.explain.back_steps import Part
from gradwire.engine.graph.paths import name_in_rounds


class StepView(View):
    """The current step of the session's step mode: incoming gradients, local rule, numbers, and results."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._formula: FormulaView | None = None
        self._shown_formula = ""
        self._arriving = WhyList(appearance, self)
        self._arrives = self._add_section(tr("Incoming"), "step_arrives", self._arriving)
        self._note = plain_label("", "step_rule_note", "quiet", self, wraps=True)
        self._rule = self._add_section(tr("Local rule"), "step_rule", self._note)
        self._grid = named(NumberGrid(appearance, self), says=tr("The numbers of this step"))
        self._more = plain_label("", "step_more", "quiet", self)
        self._numbers = self._add_section(tr("With numbers"), "step_numbers_section", self._grid, self._more)
        self._riddle = RiddleBox(self)
        inset = QWidget(self)
        make_column(self._riddle, inside=inset, margins=(MARGIN, 6, MARGIN, 6))
        self._layout.addWidget(inset)
        self._leaving = WhyList(appearance, self)
        self._leaves = self._add_section(tr("Leaves"), "step_leaves", self._leaving)
        self._add_buttons()

    @classmethod
    def takes_over(cls, session: Session) -> bool:
        """Returns whether step mode is on."""
        return session.part(StepMode).is_on

    def refresh(self) -> None:
        """Shows the current step, with its numbers once they have arrived."""
        steps = self.session.part(StepMode)
        if not steps.is_on:
            return
        instance = instance_of(self.session, steps.at)
        block_type = None if instance is None else instance.type
        self._show_head(block_type)
        self._show_rule(block_type)
        self._show_numbers(steps.detail)
        self._riddle.show_state(steps)
        theme = self._appearance.theme
        back, on = ("arrow-l", "arrow-r") if steps.is_forward else ("arrow-r", "arrow-l")
        self._undo.setIcon(icon(theme, back, "text.primary"))
        self._next.setIcon(icon(theme, on, "text.on-accent"))
        self._undo.setEnabled(steps.at > 1)
        self._next.setEnabled(steps.at < steps.count)
        self._asks.setVisible(not steps.is_forward)
        self._asks.setChecked(steps.asks)

    def _show_head(self, block_type: BlockType | None) -> None:
        steps = self.session.part(StepMode)
        way = tr("Forward") if steps.is_forward else tr("Backward")
        if not steps.count:
            sentence = tr("There are no steps without a gradient. Add a Loss block to see gradients.")
            self._head.show_head(("step-back", "text.secondary"), tr("Step mode"), way, sentence * steps.has_outline)
            return
        formula = "" if block_type is None else short_formula(block_type)
        kind = " · ".join(filter(None, (way, name_in_rounds(steps.path), formula)))
        picture = icon_name(block_type), color_token(block_type)
        self._head.show_head(picture, heading(self.session), kind, meaning(self.session))

    def _show_rule(self, block_type: BlockType | None) -> None:
        steps, latex, note = self.session.part(StepMode), "", ""
        if block_type is not None and steps.count:
            latex = block_type.formula if steps.is_forward else block_type.gradient_formula
        if latex and not steps.is_forward and r"\bar" in latex:
            note = tr("A bar denotes the gradient: x̄ is ∂L/∂x.")
        if latex != self._shown_formula:
            self._shown_formula = latex
            if self._formula is not None:
                dismiss(self._formula, self._rule.body)
            self._formula = FormulaView(latex, self._appearance, "step_formula", self._rule) if latex else None
            if self._formula is not None:
                self._rule.body.insertWidget(1, self._formula)
        show_or_hide(self._note, note)
        self._rule.setVisible(bool(latex))

    def _show_numbers(self, detail: Detail | None) -> None:
        steps = self.session.part(StepMode)
        shown = [] if detail is None else [self._arrival_of(name, item) for name, item in detail.arrives.items()]
        self._arriving.show_all(shown)
        self._arrives.setVisible(bool(shown))
        table = EMPTY if detail is None else detail.table
        self._grid.show_numbers(table, steps.is_hidden, steps.is_forward)
        self._numbers.setVisible(bool(table.columns))
        hidden = table.size - len(table.rows)
        more = tr_count("and {count} more element", "and {count} more elements", hidden)
        show_or_hide(self._more, more * (hidden > 0))
        sent = [] if detail is None or steps.is_hidden else detail.sent
        self._leaving.show_all([self._leave_of(item) for item in sent])
        self._leaves.setVisible(bool(sent))

    def _arrival_of(self, name: str, reading: Reading) -> tuple[str, Why]:
        step = self.session.part(StepMode).step
        port = None if step is None else step.arrives.get(name)
        status = Status.FLOW if port is None else port.status
        return f"∂L/∂{name}", Why(status, status, gradient_text(status, reading, elements_text), "")

    def _leave_of(self, sent: Sent) -> tuple[str, Why]:
        part: Part = sent.part
        result = gradient_text(part.status, sent.gradient)
        why = Why(part.status, part.status, result, part_sentence(self.session, sent))
        return part_heading(self.session, part), why

    def _add_buttons(self) -> None:
        self._undo = make_button(tr("Undo step"), parent=self, name="step_undo", tip=tr("Previous step"))
        self._next = make_button(tr("Next step"), parent=self, name="step_go_on", look="primary")
        self._undo.clicked.connect(lambda: self.session.part(StepMode).back())
        self._next.clicked.connect(lambda: self.session.part(StepMode).next())
        self._asks = named(Switch(self._appearance, tr("Ask me to guess before each step"), self), "step_asks")
        self._asks.clicked.connect(lambda: self.session.part(StepMode).set_asks(self._asks.isChecked()))
        row = make_row(self._undo, self._next, STRETCH, spacing=6)
        self._add_section("", "step_buttons", row, self._asks)
