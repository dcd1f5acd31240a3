"""The strip of the comparison: what B is, both losses and their curves, and the first difference in words."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.features.compare.compare_desk import CompareDesk, CompareView
from gradwire.app.features.compare.stop_texts import verdict_text
from gradwire.app.features.compare.variants import choices
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.kit.controls.round_curve import LossCurve, ProgressLine
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.explanation.run_facts import facts_of_session
from gradwire.app.live.readings.amounts import gradient_text
from gradwire.app.live.readings.readings import PlaceReading, Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import set_icon
from gradwire.app.look.numbers import fmt, fmt_list
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import (
    STRETCH,
    Does,
    make_button,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
)
from gradwire.engine.training.lockstep import FirstDifference, Reached

# At texts of 100 %. Units: px.
BUTTON, CHOICE, CURVE = 30, 230, 250
# The entry that asks for another graph, and the most elements of a Variable that are written out.
OTHER, FEW = "another", 5


class CompareStrip(CompareView, SessionWidget):
    """What both have come to, and the choice of B."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, own_sizes=True)
        self._a, self._b = (make_label(parent=self, name=name) for name in ("compare_a", "compare_b"))
        self._curve = LossCurve(appearance, self, "compare_curve")
        self._round, self._line = make_label("", self, name="compare_round"), ProgressLine(appearance, self)
        self._title, self._detail, self._effect = (
            named(ElidedLabel(f"compare_{name}", self), look=look)
            for name, look in (("first", "strong"), ("detail", "row"), ("effect", "row"))
        )
        self._values = make_label("", self, name="compare_values")
        says = tr("What B is: the graph with one thing otherwise")
        self._choice = named(ChoiceBox(self), "compare_choice", says=says)
        self._choice.activated.connect(self._choose)
        self._run = self._button("compare_run", self._run_or_pause, tr("Train both"), "primary")
        self._one = self._button("compare_one", self._go_on, tr("One round of both"))
        self._back = self._button("compare_back", lambda: self.desk.go_to(0), tr("Back to the start"))
        themed(self._one, appearance, "step-fwd", "text.primary")
        themed(self._back, appearance, "refresh", "text.primary")
        save = partial(current.requests.command_chosen.emit, "export_page")
        self._lesson = make_button(tr("Save as a lesson"), save, self, name="compare_lesson", look="link")
        self._lay_out()
        call_on(self.refresh, current.changed, current.inferred_changed, current.results_changed,
                current.of(CompareDesk).changed)  # fmt: skip
        appearance.restyled.connect(self._restyle)
        self._restyle()

    def refresh(self, *_: object) -> None:
        """Shows what B is, and what both have come to."""
        desk, reached = self.desk, self.desk.reached
        self._show_choices()
        n, end = (0, 0) if reached is None else (reached.round, reached.end)
        self._round.setText(tr("Round {n} of {end}", n=f"{n:,}", end=f"{end:,}") if end else tr("As it is"))
        self._line.set_share(n / end if end else 0.0)
        losses = self._losses()
        for label, name, loss in zip((self._a, self._b), "AB", losses, strict=True):
            label.setText(f"{name}  {'–' if loss is None else fmt(loss)}")
        self._curve.show_series(_series(reached, losses), max(end, 1), n)
        effect = "" if desk.effect is None else verdict_text(desk.effect)
        texts = (self._sentence(reached), desk.fault or self._first_numbers(reached), effect)
        for label, text in zip((self._title, self._detail, self._effect), texts, strict=True):
            label.setText(text)
            label.setToolTip(literal_tip(text))
        self._values.setText(_variable(reached))
        can_go = reached is not None and n < end and not reached.fault
        self._run.setEnabled(can_go)
        self._one.setEnabled(can_go and not desk.is_running)
        self._back.setEnabled(n > 0)
        # A page has a switch for its stops; readers train it with and without.
        self._lesson.setVisible(desk.choice is not None and bool(desk.choice.variant.ignored))
        words, picture = (tr("Pause"), "pause") if desk.is_running else (tr("Train both"), "play")
        set_icon(named(self._run, words=words), self._appearance.theme, picture, "text.on-accent")

    def _show_choices(self) -> None:
        desk, offered = self.desk, {item.id: item.text for item in choices(self.session)}
        if desk.choice is not None:
            offered.setdefault(desk.choice.id, desk.choice.text)
        offered[OTHER] = tr("Another graph …")
        self._choice.offer(offered, "" if desk.choice is None else desk.choice.id)

    def _choose(self, _: int) -> None:
        chosen = self._choice.currentData()
        if chosen == OTHER:
            self._show_choices()
            self.current.requests.command_chosen.emit("compare_with")
        for item in choices(self.session):
            if item.id == chosen:
                self.desk.choose(item)

    def _run_or_pause(self) -> None:
        self.desk.pause() if self.desk.is_running else self.desk.run()

    def _go_on(self) -> None:
        self.desk.go_to(1 if self.desk.reached is None else self.desk.reached.round + 1)

    def _losses(self) -> list[float | None]:
        """Returns the losses of A and B that the page shows."""
        results = self.session.results
        return [_loss(results), _loss(None if results is None else results.compared)]

    def _sentence(self, reached: Reached | None) -> str:
        if reached is None:
            return ""
        if reached.first is None:
            return tr("A and B do not differ up to round {n}", n=f"{reached.round:,}")
        facts, link = facts_of_session(self.session), reached.first.link
        source, target = (facts.label(port.path) for port in (link.source, link.target))
        return tr("First difference: round {n}, wire {source} → {target}", n=f"{reached.first.round:,}",
                  source=source, target=target)  # fmt: skip

    def _first_numbers(self, reached: Reached | None) -> str:
        """Returns what A and B have now on the wire at which they differed first."""
        results = self.session.results
        if reached is None or reached.first is None or results is None or results.compared is None:
            return ""
        readings = [found.at(reached.first.link) for found in (results, results.compared)]
        texts = [_text(reading, reached.first) for reading in readings]
        return tr("There A has now {a}, and B {b}.", a=texts[0], b=texts[1])

    def _button(self, name: str, does: Does, words: str, look: str = "boxed") -> QToolButton:
        return make_tool(does, self, name=name, words=words, look=look, focus=Qt.FocusPolicy.TabFocus)

    def _lay_out(self) -> None:
        loss, drawn = (make_label(text, self, look="row") for text in (tr("Loss"), tr("A as drawn, B with")))
        losses = make_column(loss, self._a, self._b, self._round, STRETCH, spacing=2)
        curve = make_column((self._curve, 1), self._line, spacing=6)
        texts = make_column(self._title, self._detail, self._effect, self._values, STRETCH, spacing=3)
        buttons = make_row(self._run, self._one, self._back, self._lesson, STRETCH, spacing=6)
        other = make_column(drawn, self._choice, buttons, STRETCH, spacing=4)
        make_row(losses, curve, (texts, 1), other, inside=self, margins=(14, 10, 14, 8), spacing=16)

    def _restyle(self) -> None:
        scale, theme = self._appearance.text_scale, self._appearance.theme
        for label in (self._a, self._b):
            label.setStyleSheet(f"color: {theme.css('value')}")
            label.setFont(font("mono", 14 * scale, 500))
        self._values.setStyleSheet(f"color: {theme.css('value')}")
        self._values.setFont(font("mono", 11 * scale))
        for button in (self._run, self._one, self._back):
            button.setFixedSize(QSize(BUTTON, BUTTON) * scale)
        self._choice.setFixedWidth(round(CHOICE * scale))
        self._curve.setFixedWidth(round(CURVE * scale))
        self._line.setFixedWidth(round(CURVE * scale))
        self.refresh()


def _loss(results: Results | None) -> float | None:
    value = None if results is None or results.loss is None else results.loss.value
    return None if value is None else float(value)


def _text(reading: PlaceReading | None, first: FirstDifference) -> str:
    if reading is None:
        return "?"
    if first.is_gradient:
        return gradient_text(reading.status, reading.gradient)
    value = reading.value
    if value is None:
        return "?"
    is_short = value.has_all and value.size <= FEW
    return fmt_list(value.first) if is_short else tr("size {norm}", norm=fmt(value.norm))


def _series(reached: Reached | None, losses: list[float | None]) -> list[np.ndarray]:
    """Returns the losses of both by round, with those of the present round."""
    if reached is None:
        return []
    found = []
    for told, newest in zip(reached.losses, losses, strict=True):
        numbers = [*told, *([] if newest is None else [newest])]
        found.append(np.stack([np.arange(len(numbers)), np.array(numbers, float)], axis=1).reshape(-1, 2))
    return found


def _variable(reached: Reached | None) -> str:
    """Returns the elements of the first small Variable in A and in B."""
    if reached is None or reached.first is None:
        return ""
    for name, array in reached.values[0].items():
        other = reached.values[1].get(name)
        if other is not None and 0 < array.size <= FEW and other.size == array.size:
            pair = (fmt_list(item.ravel().tolist()) for item in (array, other))
            return "{}   A {}   B {}".format(name.rpartition("/")[2], *pair)
    return ""
