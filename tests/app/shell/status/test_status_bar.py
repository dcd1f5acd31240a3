"""The status bar shows the state of the results."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.features.problems.problem_rows import rows_of
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Answer, InlineEvaluator
from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status.sentence import ERROR, SILENT, WARNING, Sentence
from gradwire.app.shell.status.sentence import NOTICE as NOTICE_WEIGHT
from gradwire.app.shell.status.sentences import problem_sentence
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.engine.advice.advice import Advice
from gradwire.engine.blocktypes.plan import Passes
from gradwire.engine.edits import edits
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.engine.own_gradients import of_cube


class Silent:
    """An evaluator that never answers."""

    running = ""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        pass

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        pass

    def ask(self, name: Question) -> None:
        pass

    def kill(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def bar(session: Session, qtbot: QtBot) -> StatusBar:
    made = StatusBar(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1200, 24)
    made.show()
    return made


def text(bar: StatusBar, name: str) -> str:
    found = bar.findChild(QLabel, f"status_{name}_text")
    assert isinstance(found, QLabel)
    return found.text()


def is_there(bar: StatusBar, name: str) -> bool:
    found = bar.findChild(QWidget, f"status_{name}")
    assert isinstance(found, QWidget)
    return not found.isHidden()


def show(bar: StatusBar, graph: Graph) -> Iterator[Session]:
    """Shows a graph together with the gravest row of its problems."""
    session = Session(graph, InlineEvaluator)
    bar.current.show(session)
    rows = rows_of(session.problems, session.results, graph, Advice(), ())
    bar.show_problem(problem_sentence(rows[0] if rows else None, session))
    yield session
    session.close()


def test_a_graph_that_is_well(bar: StatusBar) -> None:
    assert text(bar, "state") == "Up to date"
    assert re.fullmatch(r"forward [\d.]+ ms, backward [\d.]+ ms", bar.details[0])
    assert bar.details[1:] == [
        "9 blocks · 10 wires",
        "1 StopGradient, 2 wires blocked",
        "No NaN or Inf",
        "float64",
        f"CPU, {EXECUTOR}",
        *([NOTICE] if NOTICE else []),
    ]
    assert not is_there(bar, "sentence") and not is_there(bar, "action")


def test_what_a_page_with_its_own_gradient_blocks_is_no_stop(bar: StatusBar) -> None:
    for _ in show(bar, of_cube()):
        assert re.fullmatch(r"\d+ wires? blocked", bar.details[2])


def test_forward_and_backward_are_told_apart(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    assert session.results is not None
    found = dataclasses.replace(session.results, seconds=0.5, passes=Passes(0.0012, 0.0023))
    session.scheduler.arrived.emit(found)
    qtbot.waitUntil(lambda: bar.details[0] == "forward 1.2 ms, backward 2.3 ms")


def test_without_a_loss_nothing_goes_backward_and_one_is_offered(
    bar: StatusBar, session: Session, qtbot: QtBot
) -> None:
    session.apply("Delete", edits.remove_blocks, "main", ["loss"])
    qtbot.waitUntil(lambda: bool(re.fullmatch(r"forward [\d.]+ ms", bar.details[0])))
    assert bar.sentence.text == "Add a Loss to see gradients" and text(bar, "state") == "Up to date"
    with qtbot.waitSignal(bar.acted) as acted:
        qtbot.mouseClick(bar.findChild(QToolButton, "status_action"), Qt.MouseButton.LeftButton)
    assert acted.args == ["loss"]


def test_a_mask_that_is_meant_sounds_no_alarm_and_is_not_denied(bar: StatusBar) -> None:
    folder = Path(__file__).parents[3] / "data" / "field"
    for _ in show(bar, load(folder / "04_causal_mask_false_alarm.graph").graph):
        assert not bar.sentence.is_grave
        assert "No NaN, Inf is absorbed" in bar.details


def test_nan_takes_the_place_of_the_state_and_is_said_once(bar: StatusBar) -> None:
    for session in show(bar, load(example_path("softmax_naive")).graph):
        assert session.results is not None and len(session.results.nonfinite_wires) == 6
        assert bar.sentence.text == 'NaN starts at Exp "e" and reaches 6 of 6 wires'
        assert not is_there(bar, "state") and is_there(bar, "action")
        assert not any("NaN" in line for line in bar.details)


def test_saving_ends_what_was_said_of_the_file(bar: StatusBar, session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    session.apply("Delete", edits.remove_blocks, "main", ["x"])
    qtbot.waitUntil(lambda: bool(session.problems))
    session.file.set_lines({session.problems[0]: 3})
    assert "in this file" in bar.sentence.text
    session.file.mark_saved(tmp_path / "saved.graph")
    qtbot.waitUntil(lambda: "in this file" not in bar.sentence.text)


def test_manual_mode_leaves_the_results_stale_until_asked(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    session.runs.set_live(False)
    session.apply("Add", edits.add_block, "main", "Exp")
    assert text(bar, "state") == "Stale (paused)"
    with qtbot.waitSignal(session.results_changed):
        session.evaluate()
    assert text(bar, "state") == "Up to date"


def test_a_long_run_is_announced(qtbot: QtBot) -> None:
    session = Session(Graph(), Silent)
    bar = StatusBar(CurrentSession(session), Appearance("light"))
    qtbot.addWidget(bar)
    assert text(bar, "state") == "Computing"
    assert not any(line.startswith("forward") for line in bar.details)
    session.close()


def test_an_edit_counts(bar: StatusBar, session: Session) -> None:
    session.apply("Add", edits.add_block, "main", "StopGradient")
    assert "10 blocks · 10 wires" in bar.details
    assert any(line.startswith("2 StopGradients") for line in bar.details)


def test_ignored_stops_are_called_that(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    session.runs.set_ignores_stops(True)
    qtbot.waitUntil(lambda: "1 StopGradient open" in bar.details)


def test_a_graph_without_stops_does_not_speak_of_them(bar: StatusBar) -> None:
    for _ in show(bar, Graph()):
        assert not any("Stop" in line for line in bar.details)
        assert "0 blocks · 0 wires" in bar.details


@pytest.mark.parametrize(
    ("problem", "is_quiet"), [(("error", ERROR), True), (("warn", WARNING), True), (("info", NOTICE_WEIGHT), False)]
)
def test_a_grave_sentence_stands_in_place_of_up_to_date(
    bar: StatusBar, problem: tuple[str, int], is_quiet: bool
) -> None:
    bar.show_problem(Sentence("Something", icon=problem[0], weight=problem[1]))
    assert is_there(bar, "state") is not is_quiet


def test_a_note_without_room_is_a_line_unless_there_is_more_to_say(bar: StatusBar) -> None:
    bar.show_zoom(0.4, "What fades")
    assert bar.sentence[:3] == ("What fades", "Read the note", "read_note") and not bar.sentence.is_grave
    bar.show_problem(Sentence("Two are equal", weight=NOTICE_WEIGHT))
    assert bar.sentence.text == "Two are equal"
    bar.show_problem(SILENT)
    bar.show_zoom(1.0, "")
    assert bar.sentence.text == ""


def test_a_sentence_without_room_is_shortened_and_kept_whole_in_its_tip(bar: StatusBar) -> None:
    said = "A sentence that is long " * 30
    bar.show_problem(Sentence(said, "Go to", "go_to", "error", "error", ERROR))
    button = bar.findChild(QToolButton, "status_sentence")
    assert isinstance(button, QToolButton)
    assert button.text().endswith("…") and button.toolTip() == said and button.accessibleName() == said
    bar.show_zoom(0.755, "")
    assert bar.findChild(QToolButton, "status_zoom").text() == "76 %"  # type: ignore[union-attr]
