"""The tour on a bare canvas: which deed ends which card, what cards point at, and when the tour is offered and ends."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, QSize
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.help import tour as module
from gradwire.app.features.help.tour import STEPS, State, Tour, TourStage, middle, wires_rect
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.graph.graph import Graph, Port, Wire
from tests.gallery import example


class Names:
    """Keys that have the names of their commands, or none."""

    def __init__(self, has_keys: bool = True) -> None:
        self._has_keys = has_keys

    def shown(self, command: str) -> str:
        return f"<{command}>" if self._has_keys else ""


@dataclass
class Bench:
    """A tour over a canvas of 800 x 500, 20 px from the left and 40 from the top of a frame of 900 x 600."""

    stage: TourStage
    tour: Tour
    welcome: list[bool]
    opened: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    @property
    def canvas(self) -> Canvas:
        return self.stage.canvas

    @property
    def card(self) -> QWidget:
        return self.tour._card


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    look, frame, sessions = Appearance("dark"), QWidget(), [Session(Graph(), InlineEvaluator)]
    qtbot.addWidget(frame)
    frame.resize(900, 600)
    current = CurrentSession(sessions[0])
    canvas = Canvas(current, look, frame)
    canvas.setGeometry(20, 40, 800, 500)
    search = QWidget(frame)
    search.hide()
    shows = [False]
    found: list[Bench] = []

    def open_example(name: str) -> None:
        found[0].opened.append(name)
        sessions.append(Session(example(name), InlineEvaluator))
        current.show(sessions[-1])

    settings = Settings(tmp_path / "s.ini")
    stage = TourStage(frame, canvas, search, look, settings, Names(), open_example)  # type: ignore[arg-type]
    tour = Tour(stage, lambda: shows[0])
    found.append(Bench(stage, tour, shows))
    tour.ended.connect(lambda _: found[0].heard.append("ended"))
    tour.left.connect(lambda: found[0].heard.append("left"))
    frame.show()
    yield found[0]
    for session in sessions:
        session.close()


@pytest.fixture
def touring(bench: Bench) -> Bench:
    bench.tour.start()
    return bench


WIRE = Wire(Port("x", "y"), Port("z", "x"))


@pytest.mark.parametrize(
    ("change", "cards"),
    [
        ({}, set()),
        ({"graph": Graph()}, {0}),
        ({"selection": Selection(wires=frozenset((WIRE,)))}, {1, 3}),
        ({"selection": Selection(blocks=frozenset(("x",)))}, set()),
        ({"overlay": Overlay.SIGN}, {2}),
        ({"ignores_stops": True}, {4}),
        ({"is_searching": True}, {5}),
    ],
)
def test_each_card_is_done_by_its_own_deed(change: dict[str, object], cards: set[int]) -> None:
    before = State(Graph(), Selection(), next(item for item in Overlay if item is not Overlay.SIGN), False, False)
    now = dataclasses.replace(before, **change)  # type: ignore[arg-type]
    assert {number for number, step in enumerate(STEPS) if step.is_done(before, now)} == cards


def test_what_was_so_before_is_no_deed() -> None:
    chosen = Selection(wires=frozenset((WIRE,)))
    state = State(Graph(), chosen, next(iter(Overlay)), True, False)
    assert not any(step.is_done(state, state) for step in STEPS)
    assert not STEPS[1].is_done(state, dataclasses.replace(state, selection=Selection()))


def test_cards_name_the_keys_that_there_are() -> None:
    said = [step.sentence(Names()) for step in STEPS]  # type: ignore[arg-type]
    assert "<overlay_next> changes" in said[2] and "press <search> over" in said[5]
    without = [step.sentence(Names(has_keys=False)) for step in STEPS]  # type: ignore[arg-type]
    assert "this switch changes" in without[2] and "press Ctrl+K over" in without[5]


def test_it_opens_its_example_and_shows_the_first_card(touring: Bench) -> None:
    assert touring.opened == ["softmax_stable"]
    assert (touring.tour.number, touring.card.isVisible()) == (0, True)
    assert touring.tour._escape.isEnabled()


def test_it_does_not_begin_where_the_example_is_not_opened(bench: Bench) -> None:
    bench.tour._stage = dataclasses.replace(bench.stage, open_example=lambda _: None)
    bench.tour.start()
    assert bench.tour.number is None and not bench.card.isVisible()


def buttons(bench: Bench) -> list[tuple[str, str]]:
    found = bench.card.findChildren(QPushButton)
    return sorted((item.objectName(), item.text().replace("&", "")) for item in found if not item.isHidden())


def test_cards_go_on_and_back_and_the_last_one_ends_it(touring: Bench, qtbot: QtBot) -> None:
    skip, back = ("tour_skip", "Skip the tour"), ("tour_back", "Back")
    for number in range(6):
        qtbot.waitUntil(
            lambda number=number: (
                buttons(touring)  # type: ignore[misc]
                == [*([back] if number else []), ("tour_next", "Next" if number < 5 else "Done"), skip]
            )
        )
        assert touring.tour.number == number and touring.card.accessibleName().startswith(f"{number + 1} of 6: ")
        touring.tour._next()
    assert (touring.tour.number, touring.card.isVisible(), touring.heard) == (None, False, ["ended", "left"])
    touring.tour._back()
    assert touring.tour.number is None
    touring.tour._show(2)
    touring.tour._back()
    assert touring.tour.number == 1
    touring.tour._back()
    touring.tour._back()
    assert touring.tour.number == 0


def test_a_deed_shows_the_next_card_once_the_hand_is_off(touring: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    touring.tour.check()
    assert touring.tour.number == 0
    monkeypatch.setattr(STEPS[0].__class__, "is_done", lambda *_: True, raising=False)
    done = [dataclasses.replace(step, is_done=lambda *_: True) for step in STEPS]
    monkeypatch.setattr(module, "STEPS", done)
    monkeypatch.setattr(type(touring.canvas.gestures), "is_dragging", True, raising=False)
    touring.tour.check()
    assert touring.tour.number == 0
    monkeypatch.setattr(type(touring.canvas.gestures), "is_dragging", False, raising=False)
    touring.tour.check()
    assert touring.tour.number == 1


def test_another_document_and_the_welcome_page_end_it(touring: Bench) -> None:
    touring.welcome[0] = True
    touring.tour.check()
    assert touring.tour.number is None
    touring.welcome[0] = False
    touring.tour.start()
    other = Session(Graph(), InlineEvaluator)
    touring.canvas.current.show(other)
    touring.tour.check()
    assert touring.tour.number is None and touring.heard == ["left", "left"]
    other.close()


@pytest.mark.parametrize("is_same", [True, False])
def test_its_end_heeds_the_stops_of_its_own_document_again(touring: Bench, is_same: bool) -> None:
    other = Session(Graph(), InlineEvaluator)
    if not is_same:
        touring.canvas.current.show(other)
    touring.canvas.session.runs.set_ignores_stops(True)
    touring.tour.stop()
    assert touring.canvas.session.runs.ignores_stops is not is_same
    assert not touring.tour._escape.isEnabled()
    touring.tour.stop()
    assert touring.heard == ["left"]
    other.close()


def test_escape_ends_a_drag_first(touring: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(type(touring.canvas.gestures), "is_dragging", True, raising=False)
    monkeypatch.setattr(type(touring.canvas.gestures), "let_go", lambda _: ended.append(True))
    touring.tour._cancel()
    assert (ended, touring.tour.number) == ([True], 0)
    monkeypatch.setattr(type(touring.canvas.gestures), "is_dragging", False, raising=False)
    touring.tour._cancel()
    assert (ended, touring.tour.number) == ([True], None)


def test_cards_point_at_what_is_seen_of_blocks_and_wires(touring: Bench) -> None:
    canvas, shown = touring.canvas, touring.canvas.rect().translated(20, 40)
    canvas.viewport.zoom_to(1.0)
    canvas.viewport.centre_on("x")
    place = canvas.camera.rect_to_view(canvas.mirror.rect("x")).toAlignedRect().translated(20, 40)
    assert STEPS[0].target(touring.stage) == place & shown == place
    # The last straight piece of a wire, with 24 px above and below for labels.
    points = canvas.mirror.points[canvas.mirror.wire_rows[WIRE]]
    xs, y = [x for x, at in points if abs(at - points[-1][1]) < 1], points[-1][1]
    box = QRectF(min(xs), y - 24, max(xs) - min(xs), 48)
    wanted = canvas.camera.rect_to_view(box).toAlignedRect().translated(20, 40) & shown
    assert STEPS[1].target(touring.stage) == wires_rect(touring.stage, WIRE) == wanted
    assert wanted.height() >= 48
    first, second = (wires_rect(touring.stage, wire) for wire in module._DASHED)
    assert STEPS[3].target(touring.stage) == first.united(second) != first
    # What has no wire and what is out of sight has the middle of the canvas.
    nowhere = QRect(QPoint(20 + 399, 40 + 249), QSize())
    assert middle(touring.stage) == nowhere == STEPS[5].target(touring.stage)
    assert wires_rect(touring.stage, Wire(Port("no", "y"), Port("z", "x"))) == nowhere
    assert module._block(touring.stage, "no") == nowhere
    canvas.viewport.pan(5000, 0)
    assert STEPS[0].target(touring.stage) == nowhere


def test_cards_point_at_widgets_that_are_there(touring: Bench) -> None:
    nowhere = middle(touring.stage)
    assert STEPS[2].target(touring.stage) == nowhere == STEPS[4].target(touring.stage)
    made = []
    for place, overlay in enumerate(Overlay):
        button = QWidget(touring.stage.frame)
        button.setObjectName(f"tool_overlay_{overlay}")
        button.setGeometry(100 + 30 * place, 5, 30, 20)
        button.show()
        made.append(button)
    assert STEPS[2].target(touring.stage) == QRect(100, 5, 30 * len(made), 20)
    made[0].hide()
    assert STEPS[2].target(touring.stage) == QRect(130, 5, 30 * (len(made) - 1), 20)
    switch = QWidget(touring.stage.frame)
    switch.setObjectName("stop_switch")
    switch.setGeometry(500, 5, 80, 20)
    assert STEPS[4].target(touring.stage) == nowhere
    switch.show()
    assert STEPS[4].target(touring.stage) == QRect(500, 5, 80, 20)


@pytest.mark.parametrize(("scale", "is_centred"), [(0.74, True), (0.75, False), (0.76, False)])
def test_a_block_that_is_too_small_for_its_slider_is_brought_in(touring: Bench, scale: float, is_centred: bool) -> None:
    asked: list[str] = []
    touring.canvas.viewport.zoom_to(scale)
    touring.canvas.viewport.centre_on = asked.append  # type: ignore[method-assign,assignment]
    touring.tour._bring_in()
    assert asked == (["x"] if is_centred else [])
    touring.tour.number = 2
    touring.tour._bring_in()
    touring.tour.number = None
    touring.tour._bring_in()
    assert asked == (["x"] if is_centred else [])
