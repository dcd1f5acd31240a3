"""The plan of training: for each step its rule and rate, what it trains, and what it does not train and why."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.base.translation import decimal, tr, tr_sentence
from gradwire.app.features.training.training_desk import TrainingView
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import (
    STRETCH,
    add_items,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
    show_or_hide,
)
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.number_text import read_number
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.edits import training_edits
from gradwire.engine.edits.training_edits import USUAL_PLAN
from gradwire.engine.files.json_text import parse
from gradwire.engine.training.contract import BLOCKED, Row
from gradwire.interop.typed.tensor_text import with_point

# The rule of a step without one.
FIRST_RULE: Mapping[str, Any] = {"type": "adam", "rate": 0.01}


class RateField(SessionView, QLineEdit):
    """The rate of a rule, of the type `kind`; `changed(rule)` carries the rule with another rate."""

    changed = Signal(object)

    def __init__(self, current: CurrentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._rule = current, FIRST_RULE
        self.editingFinished.connect(self._take)

    @property
    def kind(self) -> str:
        """The type of the rule shown."""
        return str(self._rule.get("type"))

    def show_rule(self, rule: object) -> None:
        """Shows the rate of a rule, unless one is being typed."""
        self._rule = rule if isinstance(rule, Mapping) else FIRST_RULE
        if not self.hasFocus():
            self.setText(_rate_text(self._rule))
            # A schedule is longer than the field: its kind comes first.
            self.setCursorPosition(0)

    def with_type(self, kind: str) -> Mapping[str, Any]:
        """Returns a rule of another type with the rate shown."""
        return {"type": kind, "rate": self._rule.get("rate", FIRST_RULE["rate"])}

    def _take(self) -> None:
        rule, text = self._rule, self.text().strip()
        if text == _rate_text(rule):
            return
        rate = read_number(with_point(text, QLocale().decimalPoint()))
        try:
            is_number = rate is not None and math.isfinite(rate)
            self.changed.emit({**rule, "rate": rate if is_number else parse(text)})
        except FileError:
            self.setText(_rate_text(rule))
            fields = {"text": text, "example": decimal("0.01")}
            said = tr('"{text}" is no rate; write a number such as {example}, or a schedule.', **fields)
            self.session.refused.emit(said)


class StepView(SessionView, QWidget):
    """One step; what is chosen in it changes the plan."""

    def __init__(self, current: CurrentSession, appearance: Appearance, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._number = current, number
        self._name = make_label(parent=self, name=f"plan_step_{number}")
        self._rule = named(ChoiceBox(self), f"plan_rule_{number}", says=tr("Rule"))
        words = tr("Rate: a number, or a schedule as in the file")
        self._rate = named(RateField(current, self), f"plan_rate_{number}", words=words)
        self._remove = make_tool(self._leave, self, name=f"plan_remove_{number}", words=tr("Remove the step"))
        self._trains = make_label(parent=self, wraps=True)
        self._others = make_label(parent=self, look="quiet", wraps=True)
        self._rule.addItems(list(RULES))
        self._remove.setIcon(icon(appearance.theme, "close", "text.tertiary"))
        self._lay_out()
        self._rule.activated.connect(self._take_rule)
        self._rate.changed.connect(self._change)

    def show_step(self, row: Row, record: Mapping[str, Any], can_go: bool) -> None:
        """Shows a step of the plan as the file has it, and who is trained by it."""
        trains = bool(row.trains) or not row.assigns
        self._name.setText(row.step)
        self._rule.setVisible(trains)
        self._rate.setVisible(trains)
        self._rate.show_rule(record.get("rule"))
        self._rule.setCurrentText(self._rate.kind)
        self._remove.setVisible(can_go)
        self._trains.setText(_trains_text(row))
        show_or_hide(self._others, _others_text(row))

    def _take_rule(self) -> None:
        self._change(self._rate.with_type(self._rule.currentText()))

    def _change(self, rule: object) -> None:
        args = training_edits.set_in_step, self._number, "rule", rule
        self.session.apply(tr("Change the plan of training"), *args)

    def _leave(self) -> None:
        self.session.apply(tr("Remove a step of training"), training_edits.remove_step, self._number)

    def _lay_out(self) -> None:
        head = make_row((self._name, 1), (self._rule, 2), (self._rate, 1), self._remove, spacing=6)
        make_column(head, self._trains, self._others, inside=self, margins=(0, 4, 0, 4), spacing=2)


class PlanView(TrainingView, SessionWidget):
    """All steps of the plan, and a button that adds one."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent)
        self._steps: list[StepView] = []
        self._fault = make_label(parent=self, name="plan_fault", wraps=True)
        tip = tr("Another step of each round, with a loss, variables and a rule of its own")
        self._add = make_tool(self._add_step, self, text=tr("Add a step"), name="plan_add", tip=tip)
        self._layout = make_column(inside=self, margins=0, spacing=0)
        add_items(self._layout, self._fault, (self._add, 0, Qt.AlignmentFlag.AlignLeft), STRETCH)

    def refresh(self) -> None:
        """Shows the plan as it is."""
        plan, theme = self.training.plan, self._appearance.theme
        said = [tr_sentence(text) for text in (plan.fault, *plan.problems) if text]
        show_or_hide(self._fault, "\n".join(said))
        self._fault.setStyleSheet(f"color: {theme.css('error' if plan.fault else 'warn')}")
        rows, records = plan.rows, records_of(self.session.graph.training)
        while len(self._steps) > len(rows):
            dismiss(self._steps.pop(), self._layout)
        while len(self._steps) < len(rows):
            view = StepView(self.current, self._appearance, len(self._steps), self)
            self._layout.insertWidget(1 + len(self._steps), view)
            view.show()
            self._steps.append(view)
        for number, (view, row) in enumerate(zip(self._steps, rows, strict=True)):
            view.show_step(row, records[number] if number < len(records) else {}, len(rows) > 1)
        self._add.setVisible(bool(rows))

    def _add_step(self) -> None:
        taken = {record.get("loss") for record in records_of(self.session.graph.training)}
        free = next((name for name in self.session.losses if name not in taken), None)
        self.session.apply(tr("Add a step of training"), training_edits.add_step, free)


def records_of(plan: Mapping[str, object] | None) -> Sequence[Mapping[str, Any]]:
    """Returns the steps of a plan as the file has them."""
    steps = (plan or USUAL_PLAN).get("steps", USUAL_PLAN["steps"])
    return [step if isinstance(step, Mapping) else {} for step in steps] if isinstance(steps, list | tuple) else []


def _rate_text(rule: Mapping[str, Any]) -> str:
    rate = rule.get("rate")
    if rate is None:
        known = RULES.get(str(rule.get("type")))
        rate = None if known is None else known.rate
    return json.dumps(rate)


def _trains_text(row: Row) -> str:
    parts = [tr("trains {names}", names=", ".join(row.trains))] if row.trains else []
    parts += [tr("assigns {names}", names=", ".join(row.assigns))] if row.assigns else []
    return "; ".join(parts) or tr("trains nothing")


def _others_text(row: Row) -> str:
    """Returns what is not trained; what a StopGradient blocks comes first, for that is meant."""
    reasons = sorted(row.others.items(), key=lambda item: item[1].kind != BLOCKED)
    rest = [f"{name} ({tr_sentence(reason.text)})" for name, reason in reasons]
    return tr("not {names}", names=", ".join(rest)) if rest else ""
