"""A prepared run: its results and the answers about it are shown at once, and nothing of it before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.live.process import scheduler
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph

W = PortName("main/w", "y")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(gw.graph(gw.Loss(gw.Square(gw.Variable(2.0, name="w")), name="L")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


def with_w(graph: Graph, number: float) -> Graph:
    return edits.set_parameter(graph, "main", "w", "value", np.array(number))


def w_shown(session: Session) -> float:
    assert session.results is not None
    reading = session.results.port(W)
    assert reading is not None
    assert reading.value is not None
    return float(reading.value.first[0])


def test_results_and_answers_are_shown_together(qtbot: QtBot, session: Session) -> None:
    question, answers, ready = TensorName(W), list[float](), list[bool]()
    session.replied.connect(lambda reply: answers.append(float(reply.answer)))
    session.ask(question)
    graph = with_w(session.graph, 5.0)
    session.runs.prepare(graph, ready.append)
    qtbot.waitUntil(lambda: ready == [True])
    # All is there, and nothing of it is seen.
    assert (w_shown(session), answers) == (2.0, [2.0])
    session.runs.show_prepared(lambda: session.document.apply("Train", lambda _: graph))
    assert (w_shown(session), session.graph) == (5.0, graph)
    assert session.runs.are_current
    assert not session.scheduler.is_busy
    session.ask(question)
    assert answers[-1] == 5.0


def test_an_edit_takes_the_place_of_a_prepared_run(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    # The next run waits for longer than the test takes.
    monkeypatch.setattr(scheduler, "FRAME", 10_000.0)
    ready = list[bool]()
    session.runs.prepare(with_w(session.graph, 5.0), ready.append)
    session.apply("Set", edits.set_parameter, "main", "w", "value", np.array(3.0))
    assert ready == [False]
    session.runs.show_prepared(lambda: None)
    assert w_shown(session) == 2.0


def test_what_is_not_live_is_ready_without_results(qtbot: QtBot, session: Session) -> None:
    ready = list[bool]()
    session.runs.set_live(False)
    session.runs.prepare(with_w(session.graph, 5.0), ready.append)
    assert ready == [True]
    session.runs.show_prepared(lambda: session.document.apply("Train", with_w, 5.0))
    assert w_shown(session) == 2.0
    assert session.is_stale


def test_an_answer_that_is_wanted_once_is_not_asked_for_again(qtbot: QtBot, session: Session) -> None:
    heard, ready = list[Reply](), list[bool]()
    session.replied.connect(heard.append)
    session.ask(TensorName(W), is_once=True)
    session.runs.prepare(with_w(session.graph, 5.0), ready.append)
    qtbot.waitUntil(lambda: ready == [True])
    session.runs.show_prepared(lambda: session.document.apply("Train", with_w, 5.0))
    assert not session.runs.knows_answer(TensorName(W))
    assert len(heard) == 1
