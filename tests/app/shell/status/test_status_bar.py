"""The status bar shows the state of the results."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Answer, InlineEvaluator
from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.engine.blocktypes.plan import Passes
from gradwire.engine.edits import edits
from gradwire.engine.executors.chosen import EXECUTOR
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
    made.resize(1200, 26)
    made.show()
    return made


def text(bar: StatusBar, name: str) -> str:
    found = bar.findChild(QLabel, f"status_{name}_text")
    assert isinstance(found, QLabel)
    return found.text()


def alarm_of(bar: StatusBar) -> QPushButton:
    found = bar.findChild(QPushButton, "alarm_button")
    assert isinstance(found, QPushButton)
    return found


def test_a_graph_that_is_well(bar: StatusBar) -> None:
    assert text(bar, "state") == "Up to date"
    assert re.fullmatch(r"forward [\d.]+ ms, backward [\d.]+ ms", text(bar, "time"))
    assert text(bar, "size") == "9 blocks · 10 wires"
    assert text(bar, "stops") == "1 StopGradient, 2 wires blocked"
    assert text(bar, "finite") == "No NaN or Inf"
    assert text(bar, "dtype") == "float64"
    assert text(bar, "device") == f"CPU, {EXECUTOR}"
    assert text(bar, "saved") == "Saved"
    assert not alarm_of(bar).isVisible()


def test_what_a_page_with_its_own_gradient_blocks_is_no_stop(qtbot: QtBot) -> None:
    session = Session(of_cube(), InlineEvaluator)
    bar = StatusBar(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(bar)
    assert re.fullmatch(r"\d+ wires? blocked", text(bar, "stops"))
    session.close()


def test_forward_and_backward_are_told_apart_from_the_whole(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    assert session.results is not None
    found = dataclasses.replace(session.results, seconds=0.5, passes=Passes(0.0012, 0.0023))
    session.scheduler.arrived.emit(found)
    qtbot.waitUntil(lambda: text(bar, "time") == "forward 1.2 ms, backward 2.3 ms")
    item = bar.findChild(QWidget, "status_time")
    assert isinstance(item, QWidget) and item.toolTip() == "Evaluated in 500 ms"


def test_without_a_loss_nothing_goes_backward(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    session.apply("Delete", edits.remove_blocks, "main", ["loss"])
    qtbot.waitUntil(lambda: bool(re.fullmatch(r"forward [\d.]+ ms", text(bar, "time"))))


def test_a_mask_that_is_meant_sounds_no_alarm_and_is_not_denied(bar: StatusBar) -> None:
    folder = Path(__file__).parents[3] / "data" / "field"
    masked = Session(load(folder / "04_causal_mask_false_alarm.graph").graph, InlineEvaluator)
    bar.current.show(masked)
    assert not alarm_of(bar).isVisible()
    assert text(bar, "finite") == "No NaN, Inf is absorbed"
    masked.close()


def test_nan_sounds_the_alarm_and_leads_to_the_first_wire(bar: StatusBar, qtbot: QtBot) -> None:
    broken = Session(load(example_path("softmax_naive")).graph, InlineEvaluator)
    bar.current.show(broken)
    assert alarm_of(bar).isVisible()
    assert alarm_of(bar).text() == "NaN in 6 wires"
    assert text(bar, "finite") == ""
    with qtbot.waitSignal(bar.alarm_clicked) as clicked:
        qtbot.mouseClick(alarm_of(bar), Qt.MouseButton.LeftButton)
    assert broken.results is not None
    assert clicked.args == [broken.results.nonfinite_wires[0]]
    broken.close()


def test_manual_mode_leaves_the_results_stale_until_asked(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    session.runs.set_live(False)
    session.apply("Add", edits.add_block, "main", "Exp")
    assert text(bar, "state") == "Stale (Manual)"
    with qtbot.waitSignal(session.results_changed):
        session.evaluate()
    assert text(bar, "state") == "Up to date"


def test_a_long_run_is_announced(qtbot: QtBot) -> None:
    session = Session(Graph(), Silent)
    bar = StatusBar(CurrentSession(session), Appearance("light"))
    qtbot.addWidget(bar)
    assert text(bar, "state") == "Evaluating"
    assert text(bar, "time") == ""
    session.close()


def test_an_edit_counts_and_is_not_saved(bar: StatusBar, session: Session) -> None:
    session.apply("Add", edits.add_block, "main", "StopGradient")
    assert text(bar, "size") == "10 blocks · 10 wires"
    assert text(bar, "stops").startswith("2 StopGradients")
    assert text(bar, "saved") == "Not saved"
    session.undo()
    assert text(bar, "saved") == "Saved"


def test_ignored_stops_are_called_that(bar: StatusBar, session: Session, qtbot: QtBot) -> None:
    session.runs.set_ignores_stops(True)
    qtbot.waitUntil(lambda: text(bar, "stops") == "1 StopGradient ignored")


def test_a_graph_without_stops_does_not_speak_of_them(qtbot: QtBot) -> None:
    session = Session(Graph(), InlineEvaluator)
    bar = StatusBar(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(bar)
    assert text(bar, "stops") == ""
    assert text(bar, "size") == "0 blocks · 0 wires"
    session.close()


def test_a_loss_that_cannot_be_computed_is_said(bar: StatusBar) -> None:
    assert text(bar, "loss") == ""
    bar.current.show(Session(load(example_path("softmax_naive")).graph, InlineEvaluator))
    assert text(bar, "loss") == "L is NaN"
