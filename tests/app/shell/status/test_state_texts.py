"""The words of the state for each state of a session, and what is said beside them. Units: px."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status import status_bar
from gradwire.app.shell.status.counts import Counter, Counts
from gradwire.app.shell.status.sentence import ERROR, HINT, Sentence
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.drawn_shapes import rooms
from tests.app.window.graphs import decay


def session_of(**changes: Any) -> Any:
    """A session at rest but for some changes: `steps` is "", "forward" or "backward"."""
    state = {"steps": "", "trains": False, "busy": False, "stale": False, "live": True, "lost": False} | changes
    steps = SimpleNamespace(is_on=bool(state["steps"]), is_forward=state["steps"] == "forward")
    training = SimpleNamespace(is_running=state["trains"])
    return SimpleNamespace(
        part=lambda kind: steps if kind is StepMode else training,
        scheduler=SimpleNamespace(is_busy=state["busy"], has_lost_run=state["lost"], running="main/e", seconds=7.9),
        runs=SimpleNamespace(is_live=state["live"], ignores_stops=state.get("ignores", False)),
        is_stale=state["stale"],
        inferred=None,
    )


OK, OLD, CLOCK = "Up to date", "Stale", ("clock", "warn")


@pytest.mark.parametrize(
    ("changes", "is_long", "look"),
    [
        ({}, False, (OK, "check-circle", "ok")),
        ({"live": False}, False, (OK, "pause", "ok")),
        ({"lost": True}, False, (OK, "check-circle", "ok")),
        ({"stale": True}, False, (OLD, *CLOCK)),
        ({"stale": True, "live": False}, False, ("Stale (paused)", *CLOCK)),
        ({"stale": True, "lost": True}, False, ("Stopped; F5 computes", *CLOCK)),
        ({"stale": True, "lost": True, "live": False}, False, ("Stale (paused)", *CLOCK)),
        ({"stale": True, "busy": True}, False, ("Computing", "refresh", "text.secondary")),
        ({"busy": True}, True, ("Computing it for 7 s", "refresh", "text.secondary")),
        ({"busy": True, "trains": True}, False, ("Training", "play", "accent")),
        ({"steps": "forward", "trains": True}, False, ("Step 3", "step-fwd", "value")),
        ({"steps": "backward", "busy": True}, False, ("Step 3", "step-back", "grad.text")),
    ],
)
def test_a_state_has_its_word_its_icon_and_its_colour(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], is_long: bool, look: tuple[str, str, str]
) -> None:
    monkeypatch.setattr(status_bar, "heading", lambda _: "Step 3")
    monkeypatch.setattr(status_bar, "title_at", lambda *_: "it")
    assert status_bar._state_of(session_of(**changes), is_long) == look


def test_a_run_without_a_block_says_only_how_long_it_takes() -> None:
    session = session_of(busy=True)
    session.scheduler.running = ""
    assert status_bar._state_of(session, True)[0] == "Computing for 7 s"


def results_with(blocked: int) -> Any:
    rows = [STATUS_ROW[Status.BLOCKED]] * blocked + [
        row for status, row in STATUS_ROW.items() if status is not Status.BLOCKED
    ]
    return SimpleNamespace(wires=SimpleNamespace(statuses=np.array(rows)))


@pytest.mark.parametrize(
    ("stops", "blocked", "ignores", "text"),
    [
        (0, None, False, ""),
        (0, 0, False, ""),
        (0, 1, False, "1 wire blocked"),
        (0, 2, True, "2 wires blocked"),
        (1, None, False, "1 StopGradient, 0 wires blocked"),
        (1, 2, False, "1 StopGradient, 2 wires blocked"),
        (2, 1, False, "2 StopGradients, 1 wire blocked"),
        (1, 2, True, "1 StopGradient open"),
    ],
)
def test_stops_are_said_with_what_they_block(stops: int, blocked: int | None, ignores: bool, text: str) -> None:
    results = None if blocked is None else results_with(blocked)
    assert status_bar._stops_text(session_of(ignores=ignores), Counts(0, 0, stops), results) == text


@pytest.mark.parametrize(
    ("nonfinite", "infinite", "text"),
    [(["w"], [0], ""), ([], [0, 0], "No NaN or Inf"), ([], [0, 1], "No NaN, Inf is absorbed")],
)
def test_infinity_that_is_absorbed_is_not_denied(nonfinite: list[str], infinite: list[int], text: str) -> None:
    values = SimpleNamespace(rows={"infinite": np.array(infinite)})
    found: Any = SimpleNamespace(nonfinite_wires=nonfinite, values=values)
    assert status_bar._finite_text(found) == text


@pytest.mark.parametrize(
    ("dtypes", "text"),
    [
        ((), ""),
        (("int32", "", "float64", "int32"), "float64, int32"),
        (("int8", "bool", "float32"), "float32, bool, int8"),
        (("int8", "bool", "float32", "float64"), "float32, float64, bool +1"),
        (("int8", "bool", "float32", "float64", "int16"), "float32, float64, bool +2"),
    ],
)
def test_three_dtypes_are_named_and_the_others_counted(dtypes: tuple[str, ...], text: str) -> None:
    assert status_bar._dtype_text(dtypes) == text


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def look() -> Appearance:
    return Appearance("dark")


@pytest.fixture
def bar(session: Session, look: Appearance, qtbot: QtBot) -> StatusBar:
    made = StatusBar(CurrentSession(session), look)
    qtbot.addWidget(made)
    made.resize(1200, 24)
    made.show()
    return made


def tool(bar: StatusBar, name: str) -> QToolButton:
    found = bar.findChild(QToolButton, f"status_{name}")
    assert isinstance(found, QToolButton)
    return found


def test_sizes_and_gaps_of_the_line(bar: StatusBar) -> None:
    assert (bar.minimumHeight(), bar.maximumHeight()) == (24, 24)
    assert {tool(bar, name).maximumHeight() for name in ("sentence", "action", "zoom")} == {22}
    assert bar._line.minimumSize().toTuple() == bar._line.maximumSize().toTuple() == (17, 12)  # type: ignore[attr-defined]
    assert rooms(bar._state_parts) == ["4 0 4 0 · 5"] and rooms(bar._left) == ["0 · 0"]
    assert bar._mark.pixmap().deviceIndependentSize().toTuple() == (13, 13)  # type: ignore[attr-defined]
    bar.show_problem(Sentence("Something is so", weight=HINT))
    # With a gap before the text.
    assert tool(bar, "sentence").iconSize().toTuple() == (13 + 4, 13)  # type: ignore[attr-defined]


def test_a_part_of_the_heights_grows_with_texts(
    bar: StatusBar, look: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "text_scale", 1.5)
    look.changed.emit(look.theme)
    assert bar.minimumHeight() == 34 and tool(bar, "action").maximumHeight() == 32


def test_the_sentence_has_the_room_that_the_others_leave_but_60_and_60_at_least(bar: StatusBar) -> None:
    said = "A sentence that is long " * 30
    bar.show_problem(Sentence(said, "Go to", "go_to", weight=HINT))
    button = tool(bar, "sentence")

    def shortened(room: int) -> str:
        return button.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room)

    others = [bar._state_parts, bar._line, tool(bar, "action"), tool(bar, "zoom")]
    assert not any(part.isHidden() for part in others) and bar._stop.isHidden()
    used = sum(part.sizeHint().width() for part in others)
    for width in (1200, 900, used + 16 + 120 + 40):
        bar.resize(width, 24)
        assert button.text() == shortened(bar.contentsRect().width() - used - 60)
    bar._left.hide()
    bar.setMinimumWidth(10)
    bar.resize(40, 24)
    assert button.text() == shortened(max(bar.contentsRect().width() - used - 60, 60))


@pytest.mark.parametrize(
    ("text", "weight", "has_state", "has_line"),
    [("", 0, True, False), ("Something", HINT, True, True), ("Something", ERROR, False, False)],
)
def test_state_and_sentence_are_kept_apart_by_a_line(
    bar: StatusBar, text: str, weight: int, has_state: bool, has_line: bool
) -> None:
    bar.show_problem(Sentence(text, weight=weight))
    assert (not bar._state_parts.isHidden(), not bar._line.isHidden()) == (has_state, has_line)
    assert bar.state == ("Up to date" if has_state else "")
    assert (not tool(bar, "sentence").isHidden(), tool(bar, "action").isHidden()) == (bool(text), True)


def test_a_state_that_is_not_well_stays_beside_a_grave_sentence(bar: StatusBar, session: Session) -> None:
    bar.show_problem(Sentence("Something", weight=ERROR))
    session.runs.set_live(False)
    session.apply("Add", edits.add_block, "main", "Exp")
    assert bar.state == "Stale (paused)" and not bar._line.isHidden()
    assert bar._appearance.theme.css("warn") in bar._state.styleSheet()


def test_a_run_shows_its_state_only_when_it_lasts(bar: StatusBar) -> None:
    assert bar._busy.interval() == 120 and not bar._busy.isActive()
    bar._take_busy(True)
    assert bar._busy.isActive()
    bar._take_busy(False)
    assert not bar._busy.isActive()


@pytest.mark.parametrize(("is_live", "has_loss", "shows"), [(True, True, 0), (True, False, 1), (False, True, 1)])
def test_an_edit_is_shown_at_once_only_if_no_run_follows(
    bar: StatusBar, monkeypatch: pytest.MonkeyPatch, is_live: bool, has_loss: bool, shows: int
) -> None:
    seen = list[int]()
    monkeypatch.setattr(bar, "_show", lambda: seen.append(1))
    runs, losses = SimpleNamespace(is_live=is_live), ("main/loss",) if has_loss else ()
    monkeypatch.setattr(StatusBar, "session", property(lambda _: SimpleNamespace(runs=runs, losses=losses)))
    bar._take_graph()
    assert len(seen) == shows
    monkeypatch.undo()


def test_a_zoom_is_said_in_percent(bar: StatusBar) -> None:
    for scale, text in ((1.0, "100 %"), (0.376, "38 %"), (2.5, "250 %")):
        bar.show_zoom(scale, "")
        assert tool(bar, "zoom").text() == text


@pytest.mark.parametrize(
    ("graph", "counts"),
    [
        (Graph(), Counts(0, 0, 0)),
        (gw.graph(gw.Loss(gw.StopGradient(gw.Input(1.0, name="x"), name="s"))), Counts(3, 2, 1)),
        # Page and block; three blocks and two wires inside, four and three outside.
        (decay(6), Counts(8, 6, 0)),
        # A stop before the rounds 2, 4 and 6, or 3 and 6, each for h, which is all that is carried.
        (decay(7, stop_every=2), Counts(8, 6, 3)),
        (decay(7, stop_every=3), Counts(8, 6, 2)),
        (edits.set_muted(decay(7, stop_every=3), "main", ["rec"], True), Counts(8, 6, 0)),
    ],
)
def test_blocks_wires_and_stops_are_counted_those_of_loops_too(graph: Graph, counts: Counts) -> None:
    counter = Counter()
    assert counter.count(graph) == counts == counter.count(graph)


def test_a_count_follows_its_graph() -> None:
    counter, graph = Counter(), gw.graph(gw.Loss(gw.Exp(gw.Input(1.0, name="x"), name="e"), name="loss"))
    assert counter.count(graph) == Counts(3, 2, 0)
    stopped, _ = edits.add_block(graph, "main", "StopGradient", id="s", at=(0, 0))
    assert counter.count(stopped) == Counts(4, 2, 1)
    assert counter.count(edits.remove_blocks(stopped, "main", ["loss"])) == Counts(3, 1, 1)
    assert counter.count(graph) == Counts(3, 2, 0)
    wrong = edits.set_parameter(stopped, "main", "x", "value", np.ones(2))
    assert counter.count(wrong) == Counts(4, 2, 1)
