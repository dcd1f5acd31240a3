"""Pictures on blocks follow the runs, and cost nothing where there is nothing to show."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.canvas.painting.monitors.pictures import Curves, Points, Rounds, Said
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question
from gradwire.app.live.session import Selection, Session
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.engine.monitored import with_monitor

PATH = "main/shown"


def line(**monitor: object) -> Graph:
    x = gw.Input(np.array([[0.0], [2.0]]), name="x")
    graph = gw.graph(gw.Loss(gw.Multiply(x, gw.Variable(3.0, name="w"), name="y"), name="L"))
    return with_monitor(graph, **monitor) if monitor else graph


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(line(y="y.z", x="x.y", kind="fit"), InlineEvaluator)
    yield made
    made.close()


def asked(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """Returns a list that grows with every question that goes to the evaluator from now on."""
    found: list[Question] = []
    ask = session.scheduler.ask
    monkeypatch.setattr(session.scheduler, "ask", lambda question: (found.append(question), ask(question)))
    return found


def end(session: Session) -> float:
    """Returns the last number of the line shown; NaN as long as there is none."""
    picture = session.part(Monitors).picture(PATH)
    return float(picture.y[-1, 0]) if isinstance(picture, Curves) else np.nan


def test_a_block_shows_what_the_newest_run_gives(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: end(session) == 6)
    with qtbot.waitSignal(session.part(Monitors).changed) as told:
        session.apply("Set", edits.set_parameter, "main", "w", "value", np.array(-4.0))
    assert told.args == [PATH]
    qtbot.waitUntil(lambda: end(session) == -8)


def test_nothing_is_asked_when_nothing_changes(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    qtbot.waitUntil(lambda: end(session) == 6)
    found = asked(session, monkeypatch)
    session.select(Selection(frozenset({"shown"})))
    QCoreApplication.processEvents()
    assert not [timer for timer in session.part(Monitors).findChildren(QTimer) if timer.isActive()]
    assert found == []


def test_a_graph_without_a_monitor_asks_nothing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(line(), InlineEvaluator)
    found = asked(session, monkeypatch)
    for number in (1.0, 2.0):
        with qtbot.waitSignal(session.results_changed):
            session.apply("Set", edits.set_parameter, "main", "w", "value", np.array(number))
    assert found == []
    session.close()


def test_of_many_runs_in_a_row_the_last_one_is_shown(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: end(session) == 6)
    now = [1e9]
    monkeypatch.setattr("gradwire.app.canvas.painting.monitors.monitors.time.monotonic", lambda: now[0])
    found = asked(session, monkeypatch)
    for number in range(20):
        with qtbot.waitSignal(session.results_changed):
            session.apply("Set", edits.set_parameter, "main", "w", "value", np.array(float(number)))
    assert len(found) == 1, "as long as the clock stands, only one picture is due"
    now[0] += 1
    qtbot.waitUntil(lambda: end(session) == 38)


def test_a_removed_block_takes_its_picture_along(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: end(session) == 6)
    with qtbot.waitSignal(session.results_changed):
        session.apply("Remove", edits.remove_blocks, "main", ["shown"])
    assert session.part(Monitors).picture(PATH) is None


@pytest.mark.parametrize(("source", "size"), [("y.z", abs), ("both.y", lambda number: abs(number) * 5.0)])
def test_a_chart_has_the_number_of_each_round_and_the_norm_of_a_tensor(
    qtbot: QtBot, source: str, size: Callable[[float], float]
) -> None:
    w = gw.Variable(2.0, name="w")
    y = gw.Multiply(w, gw.Constant(1.0), name="y")
    both = gw.Stack(gw.Multiply(y, gw.Constant(3.0)), gw.Multiply(y, gw.Constant(4.0)), name="both")
    graph = with_monitor(gw.graph(gw.Loss(gw.Square(y), name="L"), both), "Chart", x=source)
    plan = {"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},), "until": {"steps": 4}}
    session = Session(dataclasses.replace(graph, training=plan), InlineEvaluator)
    session.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: session.part(TrainingDesk).can_reset and not session.part(TrainingDesk).is_running)
    found = session.part(Monitors).picture(PATH)
    assert isinstance(found, Rounds)
    # The last number is that of the round shown, which begins with the values that the run has left.
    assert found.rounds.tolist() == [0, 1, 2, 3, 4]
    # Descent by 0.1 on w^2 multiplies w by 0.8.
    np.testing.assert_allclose(found.numbers, [size(2 * 0.8**n) for n in range(5)], rtol=1e-14)
    session.close()


@pytest.mark.parametrize("source", ["w.y", "y.z", "c.y"])
def test_a_chart_of_a_gradient_has_that_of_a_variable_or_a_port_and_says_where_there_is_none(
    qtbot: QtBot, source: str
) -> None:
    c = gw.Constant(1.0, name="c")
    y = gw.Multiply(gw.Variable(2.0, name="w"), gw.StopGradient(c, name="stop"), name="y")
    graph = with_monitor(gw.graph(gw.Loss(gw.Square(y), name="L")), "Chart", x=source, show="gradient")
    plan = {"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}},), "until": {"steps": 4}}
    session = Session(dataclasses.replace(graph, training=plan), InlineEvaluator)
    empty = session.part(Monitors).picture(PATH)
    assert isinstance(empty, Rounds)
    assert not empty.rounds.size
    session.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: session.part(TrainingDesk).can_reset and not session.part(TrainingDesk).is_running)
    found = session.part(Monitors).picture(PATH)
    if source == "c.y":
        assert isinstance(found, Said)
    else:
        assert isinstance(found, Rounds)
        assert found.rounds[0] == 0
        # The derivative of w^2 is 2 w, and descent by 0.1 multiplies w by 0.8.
        np.testing.assert_allclose(found.numbers, 4 * 0.8**found.rounds, rtol=1e-14)
    session.close()


def test_the_picture_of_data_is_made_when_its_parameters_change(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    x, _ = gw.Data(set="moons", n=8, name="data")
    session = Session(gw.graph(gw.Loss(gw.MatMul(x, gw.Variable(np.eye(2), name="w")), name="L")), InlineEvaluator)
    qtbot.waitUntil(lambda: session.part(Monitors).picture("main/data") is not None)
    found = asked(session, monkeypatch)
    with qtbot.waitSignal(session.results_changed):
        session.apply("Set", edits.set_parameter, "main", "w", "value", np.ones((2, 2)))
    assert found == []
    with qtbot.waitSignal(session.part(Monitors).changed):
        session.apply("Set", edits.set_parameter, "main", "data", "n", 6)
    picture = session.part(Monitors).picture("main/data")
    assert isinstance(picture, Points)
    assert picture.at.shape == (6, 2)
    session.close()
