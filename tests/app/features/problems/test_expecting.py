"""Checks made from the selection: which ports and wires they are about, and what they expect there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.problems.expecting import (
    EXPECTATIONS,
    has_ports,
    selected_links,
    selected_ports,
)
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Port
from tests.app.hidden import hide


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session with the loss of x squared, for x = 3."""
    x = gw.Variable(3.0, name="x")
    made = Session(gw.graph(gw.Loss(gw.Square(x, name="q"), name="loss")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


def select(session: Session, *blocks: str, wire: str = "") -> None:
    wires = [session.page.wires[Port(*wire.split("."))]] if wire else []
    session.select(Selection(frozenset(blocks), frozenset(wires)))


def added(session: Session, name: str) -> list[dict[str, object]]:
    """Returns the checks that an expectation adds."""
    before = len(session.graph.checks)
    next(item for item in EXPECTATIONS if item.id == name).add(session)
    return [dict(item) for item in session.graph.checks[before:]]


def test_ports_are_those_of_the_blocks_and_then_the_sources_of_the_wires(session: Session) -> None:
    assert not has_ports(session) and selected_ports(session) == []
    select(session, "x", "q", wire="loss.x")
    assert has_ports(session)
    assert [str(port) for port in selected_ports(session)] == ["main/q.y", "main/x.y"]
    assert [str(link.target) for link in selected_links(session)] == ["main/loss.x"]
    select(session, wire="q.x")
    assert has_ports(session) and [str(port) for port in selected_ports(session)] == ["main/x.y"]
    empty, _ = edits.add_block(session.graph, "main", "PageOutput", id="end")
    session.apply("", lambda _: empty)
    select(session, "end")
    assert not has_ports(session)


@pytest.mark.parametrize(("name", "status"), [("blocked", "blocked"), ("flow", "flow")])
def test_a_status_is_that_of_the_wire_where_one_is_chosen(session: Session, name: str, status: str) -> None:
    select(session, "x", "q", wire="loss.x")
    found = added(session, name)
    assert [{key: item[key] for key in ("at", "status") if key in item} for item in found] == [
        {"at": "main/x.y", "status": status},
        {"status": status},
    ]
    assert list(found[1]["wire"]) == ["main/q.y", "main/loss.x"]  # type: ignore[call-overload]  # a list of texts


def test_finite_numbers_are_expected_at_each_port(session: Session) -> None:
    select(session, "x", wire="loss.x")
    found = added(session, "finite")
    assert found == [{"at": "main/x.y", "finite": True}, {"at": "main/q.y", "finite": True}]


def test_a_size_is_expected_from_half_to_twice_as_large(session: Session) -> None:
    select(session, "x", wire="loss.x")
    # The gradient of x is 2x = 6, that of the square is 1.
    assert added(session, "norm") == [
        {"at": "main/x.y", "norm": [3.0, 12.0]}, {"at": "main/q.y", "norm": [0.5, 2.0]},
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "numbers"), [("value", [9.0, 3.0]), ("gradient", [1.0, 6.0])])
def test_numbers_are_expected_as_they_are_in_one_edit(session: Session, name: str, numbers: list[float]) -> None:
    select(session, "x", "q")
    found = added(session, name)
    assert [item["at"] for item in found] == ["main/q.y", "main/x.y"]
    assert [float(np.asarray(item[name])) for item in found] == numbers
    session.undo()
    assert session.graph.checks == () or not list(session.graph.checks)


def test_gradients_that_are_hidden_are_refused_in_a_sentence(session: Session) -> None:
    said: list[str] = []
    session.refused.connect(said.append)
    shown = frozenset(port for port in session.inferred.specs if port.path == "main/x")
    for mask, found in ((GradientMask(), []), (GradientMask(ports=shown), ["main/x.y"])):
        hide(session, mask)
        select(session, "x", "q")
        assert [item["at"] for item in added(session, "gradient")] == found
        assert said == ["There are no numbers to check yet."]
