"""The questions that a selection allows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.problems.expecting import has_ports
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.shell.commands.explained import is_checkable, shows_zero
from gradwire.engine.graph.graph import Block
from tests.engine.edit_sequences import source, wire
from tests.recorded import make_graph

NOTHING, ONE, CUT, ALL = (
    Selection(),
    Selection(frozenset(["x"])),
    Selection(wires=frozenset([wire("x.y", "stop.x")])),
    Selection(frozenset(["x", "stop"])),
)


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session with loss = stop(x)."""
    made = make_graph([source("x"), Block("stop", "StopGradient"), Block("loss", "Loss")],
                      [("x.y", "stop.x"), ("stop.y", "loss.x")])  # fmt: skip
    session = Session(made, InlineEvaluator)
    yield session
    session.close()


@pytest.mark.parametrize(("chosen", "expected"), [(NOTHING, False), (ONE, True), (CUT, True), (ALL, True)])
def test_where_a_port_is_selected_something_can_be_expected(
    session: Session, chosen: Selection, expected: bool
) -> None:
    session.select(chosen)
    assert has_ports(session) is expected


@pytest.mark.parametrize(("chosen", "expected"), [(NOTHING, False), (ONE, True), (CUT, True), (ALL, False)])
def test_one_gradient_at_a_time_can_be_asked_about(session: Session, chosen: Selection, expected: bool) -> None:
    session.select(chosen)
    assert is_checkable(session) is expected
    assert shows_zero(session) is expected
