"""Views of the inspector: which questions they ask, which answers they show, and which fixes they offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.inspection import Part, View
from gradwire.app.kit.values.value_view import ValueView
from gradwire.app.kit.why.fixes import Fix
from gradwire.app.kit.why.why import Why
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.product_question import ProductWanted
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.live.questions.trial_question import RoundsWanted, TrialWanted
from gradwire.app.live.session import Session
from gradwire.app.live.why import WhyDeviates, WhyZero
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.gradient_edits import widen
from gradwire.engine.advice.trials import State, Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits.edits import remove_blocks
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.side_by_side import SideBySide
from tests.app.drawn_shapes import rooms
from tests.app.kit.why.test_why import running_product
from tests.engine.cause_graphs import x

X = PortName("main/x", "y")


class Watch(View):
    """A view of some ports, with explanations that a test gives."""

    def __init__(self, current: CurrentSession, appearance: Appearance, ports: list[PortName | Link]) -> None:
        super().__init__(current, appearance)
        self.ports, self.whys, self.refreshed = ports, list[tuple[str, Why]](), 0
        self._add_values()
        self._add_why()

    def places(self) -> list[PortName | Link]:
        return self.ports

    def wanted(self) -> list[TensorName]:
        return [TensorName(X), TensorName(X, True)]

    def refresh(self) -> None:
        self.refreshed += 1
        self._show_whys(self.whys)

    def show(self, place: PortName | None) -> None:  # type: ignore[override]  # a test of one widget hides none
        self._show_parts(place)


class Noting(Part):
    """A part that notes what it is told."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.told: list[object] = []

    def begin_document(self) -> None:
        self.told.append("begin")

    def show_place(self, place: Link | PortName | None) -> None:
        self.told.append(place)


Make = Callable[..., Watch]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(graph: Graph, *ports: PortName, runs: bool = True) -> Watch:
        session = Session(graph, InlineEvaluator)
        if runs:
            qtbot.waitUntil(lambda: session.results is not None)
        view = Watch(CurrentSession(session), Appearance("dark"), list(ports))
        qtbot.addWidget(view)
        return view

    return made


TENSORS = [TensorName(X), TensorName(X, True)]
FLOWING, ZERO = x([1.0, 2.0]).then("s", "Square").loss(), x([1.0, 2.0]).then("r", "Floor").loss()
BROKEN = x([0.0, 4.0]).then("r", "Sqrt").loss()
NO_LOSS = remove_blocks(FLOWING, "main", "loss")


@pytest.mark.parametrize(
    ("graph", "questions"),
    [
        (FLOWING, []),
        (ZERO, [WhyZero(X)]),
        (BROKEN, [ProductWanted(X)]),
        (NO_LOSS, []),
        # The rule of a running product is not everywhere the derivative.
        (running_product(), [WhyZero(X), WhyDeviates(X)]),
    ],
)
def test_a_view_asks_why_where_there_is_a_reason(make: Make, graph: Graph, questions: list[object]) -> None:
    assert make(graph, X).questions() == [*TENSORS, *questions]
    assert make(graph).questions() == TENSORS
    assert make(graph, PortName("main/gone", "y")).questions() == TENSORS


def test_the_parts_of_a_view_stand_without_gaps(make: Make) -> None:
    assert rooms(make(FLOWING))[0] == "0 · 0"


def test_before_the_first_run_only_tensors_are_asked_for(make: Make) -> None:
    view = make(ZERO, X, runs=False)
    if view.session.results is None:
        assert view.questions() == TENSORS


def test_answers_are_shown_once_and_empty_ones_are_none(make: Make) -> None:
    view = make(ZERO, X)
    for answers, count in (
        ({TENSORS[0]: np.ones(2)}, 0),
        ({WhyZero(X): ()}, 0),
        ({WhyZero(X): ("reason",)}, 1),
        ({WhyZero(X): ("reason",), TENSORS[0]: np.ones(2)}, 1),
        ({WhyZero(X): ("another",)}, 2),
        ({}, 3),
    ):
        view.show_answers(answers)  # type: ignore[arg-type]  # reasons are only compared here
        assert view.refreshed == count


FIX = Fix("Use float64", widen, (), X)
STATE = State(None, 0)
HELPS, HARMS = Trial(STATE, STATE, (), True), Trial(STATE, STATE, (), False)
ROUNDS = SideBySide(9, (1.0, 0.5), (1.0, 0.25))
WANTED = TrialWanted(X, widen, ())
AFTER = RoundsWanted("x Use float64", lambda graph: graph)


def why(fix: Fix | None, trial: Trial | None = None) -> Why:
    return Why(Status.ZERO, "zero", "0", "Because.", fix=fix, trial=trial)


@pytest.mark.parametrize(
    ("given", "answers", "is_offered", "asked"),
    [
        (why(FIX), {}, False, [WANTED]),
        (why(FIX), {WANTED: HARMS}, False, [WANTED]),
        (why(FIX), {WANTED: HELPS}, True, [WANTED, AFTER]),
        (why(FIX), {WANTED: HELPS, AFTER: ROUNDS}, True, [WANTED, AFTER]),
        (why(None), {WANTED: HELPS}, False, []),
        (why(None, HELPS), {}, False, []),
        # A fix that has been tried already.
        (why(Fix("Use float64", widen), HELPS), {}, True, [AFTER]),
        (why(Fix("Use float64", widen), HARMS), {}, False, []),
        (why(Fix("Use float64", widen)), {}, False, []),
        (why(FIX, HELPS), {}, True, [AFTER]),
    ],
)
def test_a_fix_is_tried_and_offered_only_if_it_helps(
    make: Make, given: Why, answers: Mapping[Any, object], is_offered: bool, asked: list[object]
) -> None:
    view, wanted = make(ZERO), list[bool]()
    view.tensors_wanted.connect(lambda: wanted.append(True))
    view.whys = [("x", given)]
    view.show_answers({WhyZero(X): ("reason",), **answers})  # type: ignore[dict-item]  # only compared here
    button, rows = view.findChild(QPushButton, "why_fix_0"), view.findChildren(QLabel, "why_trial_0_2")
    assert button is not None and (not button.isHidden()) is is_offered
    assert view.questions()[2:] == asked and bool(wanted) is bool(asked)
    assert bool(rows) is (AFTER in answers)
    view.show_answers({WhyZero(X): ("other",), **answers})  # type: ignore[dict-item]
    assert len(wanted) == bool(asked)


def test_two_explanations_with_one_fix_ask_once(make: Make) -> None:
    view = make(ZERO)
    view.whys = [("x", why(FIX)), ("y", why(FIX)), ("z", why(None))]
    view.show_answers({WhyZero(X): ("reason",)})  # type: ignore[dict-item]
    assert view.questions()[2:] == [WANTED]
    view.begin_document()
    assert view.questions() == TENSORS


def test_tensors_are_shown_by_kind_and_unknown_ones_stay_unknown(make: Make) -> None:
    view = make(ZERO)
    shown = view.findChild(ValueView)
    assert shown is not None
    view.show_answers({TENSORS[0]: np.array([1.0, 2.0])})
    model = shown.findChild(QWidget, "value_table").model()  # type: ignore[union-attr]  # the table is there
    assert [model.headerData(column, Qt.Orientation.Horizontal) for column in range(3)] == ["i", "value", "∂L"]
    assert [model.index(1, column).data() for column in range(3)] == ["1", "2", ""]


def test_a_part_hears_of_places_that_have_a_gradient(make: Make) -> None:
    for graph, place, heard in (
        (FLOWING, X, X),
        (ZERO, X, X),
        (FLOWING, None, None),
        (FLOWING, PortName("main/gone", "y"), None),
        (NO_LOSS, X, None),
        (x([1.0, 3.0]).then("f", "ArgMax").then("c", "Cast", dtype="float64").loss(), PortName("main/f", "y"), None),
    ):
        view = make(graph)
        view.add_part("part", Noting)
        view.show(place)
        part = view.parts["part"]
        assert isinstance(part, Noting) and part.told == [heard]
        view.begin_document()
        assert part.told == [heard, "begin"]


def test_a_part_stands_where_a_view_explains_and_nowhere_else(make: Make, qtbot: QtBot) -> None:
    view = make(FLOWING)
    view.add_part("part", Noting)
    assert not view.begins_with_why
    plain = View(view.current, Appearance("dark"))
    qtbot.addWidget(plain)
    plain.add_part("part", Noting)
    assert plain.parts == {} and not plain.begins_with_why
    plain._add_why()
    assert plain.begins_with_why
