"""The row that says when a training ends besides its number of rounds: a kind, a place and a number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.training_desk import TrainingView
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.widgets import make_row, named
from gradwire.engine.edits.training_edits import set_in_plan
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.training.plan_reading import plan_of, with_conditions
from gradwire.engine.training.until import GRADIENT, NUMBER, STATUS, VALUE, Condition, Until


@dataclass(frozen=True)
class _Kind:
    """Kind of condition that can be chosen: `first` is the number to begin with, empty where there is none."""

    kind: str
    key: str
    title: str
    first: str
    write: Callable[[str, str], str]


def _kinds() -> tuple[_Kind, ...]:
    return (
        _Kind(NUMBER, "below", tr("number below"), "0.01", lambda at, x: f"{at} < {x}"),
        _Kind(NUMBER, "above", tr("number above"), "0.9", lambda at, x: f"{at} > {x}"),
        _Kind(GRADIENT, "gradient_below", tr("gradient below"), "1e-6", lambda at, x: f"gradient {at} < {x}"),
        _Kind(GRADIENT, "gradient_above", tr("gradient above"), "1000", lambda at, x: f"gradient {at} > {x}"),
        _Kind(VALUE, "outside", tr("Variable outside"), "-10..10", lambda at, x: f"{at} outside {x}"),
        _Kind(STATUS, "changes", tr("status changes"), "", lambda at, _: f"status {at} changes"),
    )


class UntilRow(TrainingView, QWidget):
    """Row for the first condition of the plan; further ones stay in the file and are told in the tip."""

    def __init__(self, current: CurrentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.current, self._kinds = current, _kinds()
        ends = tr("Condition that ends the training too")
        place = tr("Loss, metric, Variable or port of the condition")
        limit = tr("Number of the condition; for a range such as -1..1")
        self._kind = named(ChoiceBox(self), "training_until", words=ends)
        self._place = named(ChoiceBox(self), "training_until_at", words=place)
        self._limit = named(QLineEdit(self), "training_until_limit", words=limit, least_width=54)
        self._kind.addItems([tr("no condition"), *(kind.title for kind in self._kinds)])
        label = QLabel(tr("Until"), self)
        label.setBuddy(self._kind)
        make_row(label, self._kind, (self._place, 3), (self._limit, 2), inside=self, margins=0, spacing=6)
        self._kind.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._place.setMinimumContentsLength(4)
        self._place.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._kind.activated.connect(self._take_kind)
        self._place.activated.connect(lambda _: self._take(self._limit.text()))
        self._limit.editingFinished.connect(self._take_limit)

    def refresh(self) -> None:
        """Shows the first condition of the plan."""
        plan, condition = self.training.plan, self._condition
        self.setEnabled(bool(plan.rows) and not plan.fault)
        self._kind.setToolTip(_tip(plan.until))
        number = 0 if condition is None else 1 + [kind.key for kind in self._kinds].index(condition.entry[0])
        if self._kind.hasFocus() and self._kind.view().isVisible():
            return
        self._kind.setCurrentIndex(number)
        self._place.setVisible(condition is not None)
        self._limit.setVisible(condition is not None and condition.kind != STATUS)
        if condition is None:
            return
        self._place.offer({place: place for place in self._places(condition.kind)}, condition.at)
        if not self._limit.hasFocus():
            self._limit.setText(_limit_text(condition))

    def _take_kind(self, row: int) -> None:
        if row == 0:
            self._change(None)
            return
        kind = self._kinds[row - 1]
        places = self._places(kind.kind)
        before = self._condition
        at = before.at if before is not None and before.at in places else next(iter(places), "")
        if at:
            self._parse(kind, at, kind.first)

    def _take(self, limit: str) -> None:
        row = self._kind.currentIndex()
        if row > 0:
            self._parse(self._kinds[row - 1], self._place.currentText(), limit)

    def _take_limit(self) -> None:
        condition, text = self._condition, self._limit.text().strip()
        if condition is not None and text != _limit_text(condition):
            self._take(text)

    def _parse(self, kind: _Kind, at: str, limit: str) -> None:
        try:
            graph, text = self.session.graph, kind.write(at, limit.strip().replace("\u2212", "-"))
            self._change(with_conditions(plan_of(graph), graph, [text]).until.conditions[0])
        except JsonFault as fault:
            self.session.refused.emit(tr_sentence(f"{fault.message}."))
            self._limit.setModified(False)
            self.refresh()

    def _change(self, condition: Condition | None) -> None:
        until = self.training.plan.until
        rest = until.conditions[1:]
        new = replace(until, conditions=rest if condition is None else (condition, *rest))
        if new != until:
            self.session.apply(tr("Change the end of the training"), set_in_plan, "until", new.record or None)

    @property
    def _condition(self) -> Condition | None:
        return next(iter(self.training.plan.until.conditions), None)

    def _places(self, kind: str) -> list[str]:
        rows, graph = self.training.plan.rows, self.session.graph
        if kind == NUMBER:
            metrics = (graph.training or {}).get("metrics", ())
            named = [name for name in metrics if isinstance(name, str)] if isinstance(metrics, list | tuple) else []
            return [*(row.step for row in rows if row.trains), *named]
        if kind == STATUS:
            outputs = self.session.inferred.outputs
            return [f"{path}.{port}" for path, ports in outputs.items() for port in ports]
        return list(dict.fromkeys(name for row in rows for name in row.trains))


def _limit_text(condition: Condition) -> str:
    if condition.kind == VALUE:
        return f"{condition.low:g}..{condition.high:g}"
    return f"{condition.low:g}" if condition.entry[0].endswith("below") else f"{condition.high:g}"


def _tip(until: Until) -> str:
    tip = tr("Condition that ends the training too")
    rest = [condition.text for condition in until.conditions[1:]]
    return tr("{tip}; further ones: {rest}", tip=tip, rest=", ".join(rest)) if rest else tip
