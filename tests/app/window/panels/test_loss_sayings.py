"""The status line says what changes while StopGradients let pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.stop_changes import changed_wires
from gradwire.app.live.session import Session
from gradwire.app.shell.status.sentences import sentence_of
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUSES
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph

Say = Callable[[Graph, bool], str]


def ignore_stops(session: Session, qtbot: QtBot) -> None:
    session.runs.set_ignores_stops(True)
    qtbot.waitUntil(lambda: session.results is not None and session.results.compared is not None)


@pytest.fixture
def say(qtbot: QtBot) -> Say:
    def said(graph: Graph, ignores_stops: bool = False) -> str:
        session = Session(graph, InlineEvaluator)
        if ignores_stops:
            ignore_stops(session, qtbot)
        return sentence_of(session).text

    return said


def test_in_a_stable_softmax_two_wires_change_and_no_gradient_of_the_input(say: Say) -> None:
    said = say(load(example_path("softmax_stable")).graph, True)
    assert said == (
        "StopGradients let pass; a wire that changes shows with → without. "
        "Here 2 wires change, and no gradient of x does"
    )


def test_a_changed_gradient_of_an_input_is_named(say: Say) -> None:
    # L = stop(x) * x: the gradient is x with the stop, and 2 x without it.
    x = gw.Input(np.array(3.0), name="x")
    said = say(gw.graph(gw.Loss(gw.StopGradient(x) * x)), True)
    assert said.endswith("and with it ∂L/∂x")


def test_a_stop_that_stops_nothing_changes_no_wire(say: Say) -> None:
    x = gw.Input(np.array([2, 3]), name="x")
    stopped = gw.Cast(gw.StopGradient(x), dtype="float64")
    assert say(gw.graph(gw.Loss(stopped)), True).endswith("Here no wire changes")


def test_the_changed_wires_are_those_before_the_stop(qtbot: QtBot) -> None:
    session = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    ignore_stops(session, qtbot)
    assert session.results is not None
    changed = {(str(link.source), str(link.target)) for link in changed_wires(session.results)}
    assert changed == {("main/x.y", "main/m.x"), ("main/m.y", "main/stop.x")}


def test_a_wire_that_changes_looks_as_it_is_without_the_stop(qtbot: QtBot) -> None:
    session = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    mirror = Mirror(session)
    mirror.rebuild()
    rows = [mirror.wire_rows[wire] for wire in mirror.wires if wire.target.block in ("m", "stop")]
    assert {STATUSES[mirror.wire_status[row]] for row in rows} == {Status.BLOCKED}
    scale = mirror.top, mirror.span
    ignore_stops(session, qtbot)
    mirror.read_results()
    assert {STATUSES[mirror.wire_status[row]] for row in rows} == {Status.ZERO}
    assert mirror.wire_blocked[rows].all() and mirror.wire_blocked.sum() == 2
    assert (mirror.top, mirror.span) == scale
