"""The base of the inspector's views, and of the parts that other features add to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any  # each question has an answer of its own type

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.form_parts import Head, More, Section
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.kit.values.value_view import Mode, Shown, ValueView
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_list import WhyList
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.explanation.run_facts import Facts, facts_of_session
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.questions.product_question import ProductWanted
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.live.questions.trial_question import RoundsWanted, TrialWanted, edit_with
from gradwire.app.live.session import Session
from gradwire.app.live.why import WhyDeviates, WhyZero, has_reasons
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.statuses import CUT
from gradwire.app.look.widgets import Item, add_items, make_column
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.library import library

# The button that closes the card stands in the head of a view. Units: px.
CLOSE = 22
# What stands above the sections of a view: its head.
HEAD_PARTS = 1
# A wire with one of these has a gradient of 0 that something has made so.
_NOUGHTS = (*CUT, Status.ZERO)
# The questions that explain a gradient.
_EXPLAINING = (WhyZero, WhyDeviates, TrialWanted, RoundsWanted, ProductWanted)
Place = Link | PortName
# Takes the first place that a part is about, or a sentence why there is none.
Found = Callable[[Place | str], None]
Asked = TensorName | WhyZero | WhyDeviates | TrialWanted | RoundsWanted | ProductWanted


class Part(SessionWidget):
    """A part below the reasons of a gradient."""

    def begin_document(self) -> None:
        """Belongs to another document from now on."""

    def show_place(self, place: Place | None) -> None:
        """Shows what belongs to another wire or port; None if there is no gradient."""

    def choose_element(self, index: tuple[int, ...]) -> None:
        """Is about another element of the tensor shown, if it is about one."""

    def run(self) -> None:
        """Carries out what the part is for, as its command does."""

    @staticmethod
    def first_place(session: Session, take: Found) -> None:
        """Hands over the first place of a graph that the part has something to say of, or a sentence why none."""


class View(SessionWidget):
    """The inspector's view for one kind of selection; another selection of the kind refills it."""

    mode_changed = Signal(str)
    tensors_wanted = Signal()

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._head = Head(appearance, self, room=CLOSE)
        self._layout = make_column(self._head, inside=self, margins=0, spacing=0)
        self._values: ValueView | None = None
        self.why: WhyList | None = None
        self.parts: dict[str, Part] = {}
        self._answers: dict[Asked, Any] = {}
        self._why_section: Section | None = None
        self._more: More | None = None
        self._parts_place: QLayout | None = None
        self._fixes: tuple[TrialWanted | RoundsWanted, ...] = ()

    def begin_document(self) -> None:
        """Belongs to another document from now on, whose selection is still to be shown: folded, as the first was."""
        self._answers, self._fixes = {}, ()
        if self._more is not None:
            self._more.button.setChecked(False)
        self.show_tensors({})
        for part in self.parts.values():
            part.begin_document()

    def add_part(self, name: str, make: Callable[[CurrentSession, Appearance, QWidget], Part]) -> None:
        """Adds a part of another feature, where the view explains a gradient."""
        if self._why_section is not None:
            part = self.parts[name] = make(self.current, self._appearance, self._why_section)
            if self._values is not None:
                self._values.element_chosen.connect(part.choose_element)
            (self._why_section.body if self._parts_place is None else self._parts_place).addWidget(part)

    def refresh(self) -> None:
        """Shows the session's current state in everything but tensors."""

    def wanted(self) -> list[TensorName]:
        """Returns the names of the displayed tensors, which are needed whole."""
        return []

    @property
    def subject(self) -> str:
        """The block type of the displayed tensors; the inspector remembers their display mode for each type."""
        return ""

    @property
    def begins_with_why(self) -> bool:
        """Whether the explanation comes first, right below the head."""
        return self._why_section is not None and self._layout.indexOf(self._why_section) == HEAD_PARTS

    def places(self) -> list[PortName | Link]:
        """Returns the ports and wires whose gradients the view explains."""
        return []

    def questions(self) -> list[Asked]:
        """Returns the questions to a run: tensors, reasons for zeros, NaN and deviations, trials of fixes."""
        results = self.session.results
        if results is None:
            return [*self.wanted()]
        readings = [(place, results.at(place)) for place in self.places()]
        chains = (WhyZero(place) for place, found in readings if found and has_reasons(found))
        broken = (
            ProductWanted(place)
            for place, found in readings
            if found and (found.status is Status.NONFINITE or (isinstance(place, Link) and found.status in _NOUGHTS))
        )
        known = (WhyDeviates(place) for place, found in readings if found and found.gradient is not None)
        deviating = known if self._may_deviate() else ()
        return [*self.wanted(), *chains, *broken, *deviating, *self._fixes]

    def _may_deviate(self) -> bool:
        """Returns whether the gradient rule of some block is not everywhere the derivative."""
        # Not the instances: a loop has thousands.
        kinds = {block.type for page in self.session.graph.pages for block in page.blocks.values()}
        return any(name in library and library[name].deviation is not None for name in kinds)

    def show_answers(self, answers: Mapping[Asked, Any]) -> None:
        """Shows the answers that have arrived; a chain may lead to a fix, which is to be tried."""
        self.show_tensors(answers)
        told = ((name, found) for name, found in answers.items() if isinstance(name, _EXPLAINING) and found)
        known: dict[Asked, Any] = dict(told)
        if known != self._answers:
            self._answers, fixes = known, self._fixes
            self.refresh()
            if self._fixes != fixes:
                self.tensors_wanted.emit()

    def _show_whys(self, whys: Sequence[tuple[str, Why]], is_answer: bool = False) -> None:
        """Shows explanations, without the fixes that have not been tried or do not help."""
        wanted = [_trial_wanted(why) for _, why in whys]
        asked: dict[TrialWanted | RoundsWanted, None] = dict.fromkeys(item for item in wanted if item is not None)
        shown: list[tuple[str, Why]] = []
        for (heading, why), item in zip(whys, wanted, strict=True):
            trial = why.trial if item is None else self._answers.get(item)
            if trial is None or not trial.helps or why.fix is None:
                shown.append((heading, replace(why, fix=None, trial=trial if why.is_stopped else None)))
                continue
            rounds = RoundsWanted(f"{heading} {why.fix.text}", edit_with(why.fix.edit, why.fix.args))
            asked[rounds] = None
            shown.append((heading, replace(why, trial=trial, rounds=self._answers.get(rounds))))
        self._fixes = tuple(asked)
        if self.why is not None:
            self.why.show_all(shown, is_answer)

    def show_tensors(self, tensors: Mapping[Asked, Any]) -> None:
        """Shows the wanted tensors that have arrived."""
        if self._values is not None:
            wanted = self.wanted()
            names = [
                Shown("∂L" if item.is_gradient else tr("value"), tensors.get(item), item.is_gradient) for item in wanted
            ]
            self._values.show_tensors(names)

    def reveal(self, part: QWidget) -> None:
        """Unfolds what hides a part."""
        if self._more is not None and self._more.isAncestorOf(part):
            self._more.button.setChecked(True)

    def set_mode(self, mode: Mode) -> None:
        """Sets the display mode of tensors."""
        if self._values is not None:
            self._values.set_mode(mode)

    def _add_section(self, title: str, name: str, *parts: Item) -> Section:
        return self._add(Section(title, self, name), *parts)

    def _add(self, section: Section, *parts: Item) -> Section:
        add_items(section.body, *parts)
        self._layout.addWidget(section)
        return section

    def _add_more(self, hint: str, *sections: Section) -> None:
        """Puts sections, and below them the parts of other features, behind a button at the end."""
        self._more = More(self._appearance, hint, self)
        parts = Section("", self._more, "inspector_parts")
        self._parts_place = parts.body
        for section in (*sections, parts):
            self._more.body.addWidget(section)
        self._layout.addWidget(self._more)

    def _add_values(self) -> Section:
        self._values = ValueView(self._appearance, tr("Tensors"), self)
        self._values.mode_changed.connect(self.mode_changed)
        return self._add_section("", "inspector_tensors", self._values)

    def _add_why(self, title: str = "") -> None:
        mark = icon(self._appearance.theme, "grad", "grad.text", 14)
        self.why = WhyList(self.current.requests, self._appearance, self)
        # Its lines go from side to side.
        self._why_section = self._add(Section(title, self, "inspector_why_section", mark, margin=0), self.why)
        if not title:
            self._why_section.join_head()

    def _forecast(self, is_step: bool) -> None:
        """Starts to predict the loss at the first small step of a series; a typed value ends the prediction."""
        if is_step:
            self.session.part(LossPrediction).begin()
        else:
            self._end_forecast()

    def _end_forecast(self) -> None:
        self.session.part(LossPrediction).end()

    def _show_parts(self, place: Place | None) -> None:
        """Shows what other features tell of a gradient, if there is one."""
        results = self.session.results
        reading = None if results is None or place is None else results.at(place)
        has_gradient = reading is not None and reading.status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE)
        for part in self.parts.values():
            part.show_place(place if has_gradient and self.session.losses else None)

    def _facts(self) -> Facts:
        return replace(facts_of_session(self.session), answers=self._answers)


def _trial_wanted(why: Why) -> TrialWanted | None:
    """Returns the question whether a fix helps; None if there is no fix, or its trial is known."""
    fix = why.fix
    if fix is None or fix.place is None or why.trial is not None:
        return None
    return TrialWanted(fix.place, fix.edit, fix.args)
