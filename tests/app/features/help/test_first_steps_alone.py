"""The first steps on a bare canvas: which step it is, what is shown of it, and what ends them. Units: px."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.help.first_steps import BEGUN, FirstStep, FirstSteps
from gradwire.app.features.help.tour import EXAMPLE, STEPS, Tour, TourStage, middle, wires_rect
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.gallery import example

BROKEN = Wire(Port("x", "y"), Port("r", "x"))


def broken() -> Graph:
    """The square root at 0, whose gradient is infinite; the wire to the sum comes before."""
    root = gw.Sqrt(gw.Input(np.array([0.0, 1.0]), name="x"), name="r")
    return gw.graph(gw.Loss(gw.ReduceSum(root, name="s"), name="loss"))


@dataclass
class Bench:
    """First steps over a canvas of 800 x 500 that is 20 px from the left and 40 from the top of its frame."""

    steps: FirstSteps
    canvas: Canvas
    stage: TourStage
    done: list[str] = field(default_factory=list)

    @property
    def session(self) -> Session:
        return self.canvas.session

    def mend(self) -> None:
        self.session.apply("Mend", edits.set_parameter, "main", "x", "value", np.array([4.0, 1.0]))
        self.steps.check()

    def said(self) -> str:
        bubble = self.steps._bubble
        return bubble.accessibleName() if bubble.isVisible() else ""


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    look, frame, sessions = Appearance("dark"), QWidget(), [Session(Graph(), InlineEvaluator)]
    qtbot.addWidget(frame)
    frame.resize(900, 600)
    current = CurrentSession(sessions[0])
    canvas = Canvas(current, look, frame)
    canvas.setGeometry(20, 40, 800, 500)
    found: list[Bench] = []

    def show(graph: Graph) -> None:
        sessions.append(Session(graph, InlineEvaluator))
        current.show(sessions[-1])

    def note(name: str) -> None:
        found[0].done.append(name)

    class NoKeys:
        def shown(self, _: str) -> str:
            return ""

    def open_example(name: str) -> None:
        """Of the tour, or the one that is offered behind it."""
        show(example(name)) if name == EXAMPLE else note(name)

    parts = frame, canvas, QWidget(frame), look, Settings(tmp_path / "s.ini"), NoKeys(), open_example
    stage = TourStage(*parts)  # type: ignore[arg-type]
    tour = Tour(stage, lambda: False)
    steps = FirstSteps(stage, tour, lambda: show(broken()))
    steps.welcome_wanted.connect(lambda: note("leave"))
    steps.reasons_wanted.connect(lambda: note("explain"))
    steps.corner_shown.connect(lambda is_shown: note(f"corner {is_shown}"))
    found.append(Bench(steps, canvas, stage))
    frame.show()
    yield found[0]
    for session in sessions:
        session.close()


@pytest.fixture
def begun(bench: Bench) -> Bench:
    bench.steps.begin()
    return bench


def press(bench: Bench, name: str) -> None:
    bench.stage.frame.findChildren(QPushButton, name)[-1].click()


def test_before_they_begin_there_are_none(bench: Bench) -> None:
    assert bench.steps.step is None
    bench.steps.check()
    bench.steps.note_fix()
    assert bench.steps._pill.isHidden() and bench.said() == "" and bench.done == []
    bench.steps._open_graph = lambda: None
    bench.steps.begin()
    assert bench.steps.step is None and not bench.steps._stage.settings.flag(BEGUN)


def test_they_go_from_the_broken_gradient_to_the_mended_one(begun: Bench) -> None:
    assert (begun.steps.step, begun.said()) == (FirstStep.SEE, "This gradient is NaN.")
    assert begun.steps._wire == BROKEN and begun.steps._bubble.token == "alarm"
    assert begun.done == ["corner False"] and begun.steps._stage.settings.flag(BEGUN)
    press(begun, "first_why")
    assert (begun.steps.step, begun.said(), begun.done[1:]) == (FirstStep.UNDERSTAND, "", ["explain"])
    assert begun.session.selection == Selection(wires=frozenset((BROKEN,)))
    begun.session.select(Selection())
    begun.steps.check()
    assert (begun.steps.step, begun.said()) == (FirstStep.UNDERSTAND, "This gradient is NaN.")
    begun.session.select(Selection(wires=frozenset((BROKEN,))))
    begun.mend()
    assert (begun.steps.step, begun.said()) == (FirstStep.MEND, "Mended: every gradient is finite.")
    assert begun.steps._bubble.token == "ok"


def test_another_wire_explains_nothing(begun: Bench) -> None:
    begun.session.select(Selection(wires=frozenset((Wire(Port("r", "y"), Port("s", "x")),))))
    begun.steps.check()
    assert begun.steps.step is FirstStep.SEE and begun.said()


def test_the_words_stay_while_the_step_does(begun: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[FirstStep] = []
    monkeypatch.setattr(begun.steps, "_say", said.append)
    begun.steps.check()
    assert said == []
    begun.steps._bubble.hide()
    begun.steps.check()
    assert said == [FirstStep.SEE]
    begun.steps._bubble.show()
    begun.mend()
    assert said == [FirstStep.SEE, FirstStep.MEND]


def test_skipping_leaves_only_what_is_broken(begun: Bench) -> None:
    begun.steps.skip()
    assert begun.steps.step is None and begun.done == ["corner False", "corner True", "leave"]
    assert begun.steps._pill.isHidden() and begun.said() == ""
    begun.done.clear()
    begun.steps.begin()
    press(begun, "first_why")
    begun.mend()
    begun.steps.skip()
    assert begun.done == ["corner False", "explain", "corner True"]


def test_a_drag_ends_before_the_steps(begun: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(type(begun.canvas.gestures), "is_dragging", True, raising=False)
    monkeypatch.setattr(type(begun.canvas.gestures), "let_go", lambda _: ended.append(True))
    begun.steps.skip()
    assert ended == [True] and begun.steps.step is FirstStep.SEE


def test_another_document_ends_them(begun: Bench) -> None:
    other = Session(Graph(), InlineEvaluator)
    begun.canvas.current.show(other)
    begun.steps.check()
    assert begun.steps.step is None and begun.done == ["corner False", "corner True"]
    other.close()


def test_after_the_tour_another_example_is_offered(begun: Bench) -> None:
    begun.mend()
    press(begun, "first_look")
    assert begun.steps.step is FirstStep.LOOK and begun.done == ["corner False", "corner True", "corner False"]
    assert begun.steps._pill.accessibleName() == "Step 4 of 4: Look around"
    for _ in STEPS:
        begun.steps._tour._next()
    assert begun.steps.step is None and begun.done[3:] == ["corner True"]
    card = begun.steps._card
    assert card.isVisible() and card.accessibleName().startswith("Next: Eleven zeros.")
    press(begun, "next_later")
    assert not card.isVisible() and begun.done[4:] == []
    begun.steps._is_touring = True
    begun.steps._tour.ended.emit("")
    press(begun, "next_open")
    assert not card.isVisible() and begun.done[4:] == ["causes"]
    begun.steps._is_touring = False
    begun.steps._tour.ended.emit("")
    assert not card.isVisible()


def test_skipping_the_tour_ends_it_and_so_does_one_that_does_not_begin(begun: Bench) -> None:
    begun.mend()
    press(begun, "first_look")
    begun.steps.skip()
    assert begun.steps.step is None and begun.steps._tour.number is None and not begun.steps._card.isVisible()
    begun.steps._tour._stage = replace(begun.stage, open_example=lambda _: None)
    begun.steps._look_around()
    assert begun.steps.step is None and begun.steps._pill.isHidden() and begun.done[-1] == "corner True"


def test_a_fix_of_the_programs_own_needs_no_saving(begun: Bench) -> None:
    begun.mend()
    heard: list[bool] = []
    begun.session.file.saved_changed.connect(heard.append)
    assert not begun.session.document.is_saved
    begun.steps.note_fix()
    assert heard[-1:] == [True] and begun.session.document.is_saved


@pytest.mark.parametrize(
    ("size", "is_whole"), [((770, 428), True), ((771, 428), False), ((770, 429), False), ((100, 100), True)]
)
def test_a_page_with_room_above_the_pill_is_shown_at_100_percent(
    begun: Bench, size: tuple[int, int], is_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 px are left of it and 22 above; the pill is 40 high and 10 above the end."""
    looked: list[tuple[float, ...]] = []
    view = begun.canvas.viewport
    monkeypatch.setattr(type(begun.canvas.mirror), "block_bounds", lambda _: QRectF(5, 7, *size))
    monkeypatch.setattr(view, "look_with", lambda camera: looked.append((camera.scale, camera.x, camera.y)))
    monkeypatch.setattr(view, "fit_page", lambda: looked.append(()))
    begun.steps._look_closely()
    assert looked == ([(1.0, 25, 15)] if is_whole else [()])
    assert view.covered == QRect(30, 450, 400, 40)


def test_pill_and_bubble_follow_the_canvas(begun: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    pill, rooms = begun.steps._pill, list[int]()
    fit = type(pill).fit
    monkeypatch.setattr(type(pill), "fit", lambda self, room: (rooms.append(room), fit(self, room))[1])
    for width, kind in ((600, QEvent.Type.LayoutRequest), (701, QEvent.Type.Resize)):
        begun.canvas.setGeometry(20, 40, width, 450)
        pill.move(0, 0)
        rooms.clear()
        begun.steps.eventFilter(begun.stage.frame, QEvent(kind))
        # The pill has 55 % of the width.
        assert rooms == [round(width * 0.55)]
        assert pill.pos() == QPoint(20 + 30, 40 + 450 - 10 - pill.height())
    pill.move(0, 0)
    begun.steps.eventFilter(begun.stage.frame, QEvent(QEvent.Type.EnabledChange))
    assert pill.pos() == QPoint(0, 0)
    pointed: list[QRect] = []
    monkeypatch.setattr(begun.steps._bubble, "point_at", pointed.append)
    monkeypatch.setattr(begun.steps._card, "point_at", pointed.append)
    begun.steps._place()
    assert pointed == [wires_rect(begun.stage, BROKEN)]
    begun.steps._card.show()
    begun.steps._bubble.hide()
    pointed.clear()
    begun.steps._place()
    assert pointed == [middle(begun.stage)]


def test_after_a_fix_the_wire_that_leaves_its_source_is_meant(begun: Bench) -> None:
    into = Wire(Port("new", "y"), BROKEN.target)

    def insert(graph: Graph) -> Graph:
        graph, _ = edits.add_block(graph, "main", "Abs", id="new")
        graph = edits.connect(graph, "main", BROKEN.source, Port("new", "x"))
        return edits.connect(graph, "main", into.source, into.target)

    assert begun.steps._shown_wire(BROKEN) == BROKEN
    begun.session.apply("Insert", insert)
    assert begun.steps._shown_wire(BROKEN) == into
    begun.session.apply("Cut", edits.disconnect, "main", BROKEN.target)
    assert begun.steps._shown_wire(BROKEN) == BROKEN
