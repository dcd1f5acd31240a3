"""The checks of a document after each run, their texts and rows, without a window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.problems.advice_questions import TriedCheck
from gradwire.app.features.problems.check_rows import check_rows, check_title, place_in
from gradwire.app.features.problems.checks import Checks
from gradwire.app.features.problems.problem_rows import Row
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits

HOLDS = {"at": "main/q.y", "finite": True}
X = PortName("main/x", "y")
FAILS = {"at": "main/q.y", "norm": [0.0, 1e-9]}
RECORDED = {"at": "main/x.y", "value": np.array(7.0)}


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session with the loss of (w x)², for x = 3 and w = 2."""
    x, w = gw.Variable(3.0, name="x"), gw.Variable(2.0, name="w")
    made = Session(gw.graph(gw.Loss(gw.Square(gw.Multiply(x, w, name="m"), name="q"), name="loss")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


def rows_with(session: Session, qtbot: QtBot, *checks: dict[str, object]) -> list[Row]:
    """Returns the rows of checks after some were added and tried."""
    found = session.part(Checks)
    session.apply("", edits.add_checks, checks)
    qtbot.waitUntil(lambda: all(item.result is not None for item in found.tried))
    return check_rows(found, are_all_wanted=True)


def test_a_check_that_fails_is_an_error_unless_numbers_were_recorded(session: Session, qtbot: QtBot) -> None:
    assert rows_with(session, qtbot) == []
    found = rows_with(session, qtbot, HOLDS, FAILS, RECORDED)
    assert [(row.severity, row.code, row.check, row.at) for row in found] == [
        ("error", "check", 1, "main/q"), ("info", "checks", None, ""), ("info", "check_differs", 2, "main/x"),
        ("info", "check_passes", 0, "main/q"),
    ]  # fmt: skip
    assert [row.sentence for row in found] == [
        "Check fails: The size of the gradient is between 0.0 and 1e-09",
        "1 of 3 checks pass",
        "Value equals the recorded one",
        "Everything is finite",
    ]


def test_checks_of_an_opened_graph_are_tried_at_once() -> None:
    graph = edits.add_checks(gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="x"), name="q"))), [HOLDS, FAILS])
    session = Session(graph, InlineEvaluator)
    assert [row.code for row in check_rows(Checks(session), are_all_wanted=False)] == ["check", "checks"]
    session.close()


def test_a_check_that_was_not_tried_has_no_row(session: Session) -> None:
    found = session.part(Checks)
    found.tried = (TriedCheck(HOLDS, None),)
    assert check_rows(found, are_all_wanted=True) == []


def test_a_check_keeps_its_outcome_and_other_edits_tell_nothing(session: Session, qtbot: QtBot) -> None:
    rows_with(session, qtbot, HOLDS, FAILS)
    found, heard = session.part(Checks), list[int]()
    found.changed.connect(lambda: heard.append(len(found.tried)))
    session.apply("", edits.remove_check, 0)
    assert [item.result is not None for item in found.tried] == [True]
    assert heard and set(heard) == {1}
    count = len(heard)
    found._take_edit(session.graph, edits.move_blocks(session.graph, "main", {"x": (9, 9)}))
    assert len(heard) == count
    found._take_edit(session.graph, edits.remove_check(session.graph, 0))
    assert len(heard) == count + 1


def test_blocks_with_other_parameters_than_at_first_are_named(session: Session, qtbot: QtBot) -> None:
    row = rows_with(session, qtbot, RECORDED)[1]
    found = session.part(Checks)
    assert found.changed_blocks == () and row.detail.startswith("Differs from the recorded run. ")
    session.apply("", edits.set_parameter, "main", "x", "value", np.array(4.0))
    assert found.changed_blocks == ("x",)
    assert check_rows(found, are_all_wanted=True)[1].detail.startswith("Differs from the recorded run, you changed x. ")
    session.apply("", edits.add_block, "main", "Constant", id="new")
    session.apply("", edits.move_blocks, "main", {"w": (9, 9)})
    assert found.changed_blocks == ("x",)
    session.apply("", edits.set_parameter, "main", "w", "value", np.array(4.0))
    assert set(found.changed_blocks) == {"x", "w"}
    session.apply("", edits.set_parameter, "main", "x", "value", np.array(3.0))
    assert found.changed_blocks == ("w",)


@pytest.mark.parametrize(
    ("check", "place"),
    [
        ({"at": "main/x.y"}, X),
        ({"at": "main/a.b/x.y"}, PortName("main/a.b/x", "y")),
        ({"at": "main/x"}, None),
        ({"at": 3}, None),
        ({}, None),
        ({"wire": ["main/x.y", "main/q.x"]}, Link(X, PortName("main/q", "x"))),
        ({"wire": ("main/x.y", "main/q.x")}, Link(X, PortName("main/q", "x"))),
        ({"wire": ["main/x.y"]}, X),
        ({"wire": "main/x.y"}, None),
        ({"wire": []}, None),
    ],
)
def test_a_check_stands_at_a_port_or_a_wire(check: dict[str, object], place: object) -> None:
    assert place_in(check) == place


@pytest.mark.parametrize(
    ("check", "title"),
    [
        ({"title": "Mine", "finite": True}, "Mine"),
        ({"title": "", "finite": True}, "Everything is finite"),
        ({"title": 3, "finite": True}, "Everything is finite"),
        ({"finite": False}, "NaN or infinity"),
        ({"status": "blocked"}, "The status is blocked"),
        ({"norm": [1, 2]}, "The size of the gradient is between 1 and 2"),
        ({"norm": (1, 2)}, "The size of the gradient is between 1 and 2"),
        ({"norm": [1, 2, 3]}, "A check"),
        ({"norm": [1]}, "A check"),
        ({"norm": 3}, "A check"),
        ({"gradient_equals": "main/w.y"}, "The gradient is that of main/w.y"),
        ({"value": 1}, "Value equals the recorded one"),
        ({"gradient": 1}, "Gradient equals the recorded one"),
        ({}, "A check"),
    ],
)
def test_a_check_is_called_as_its_author_does_or_by_what_it_expects(check: dict[str, object], title: str) -> None:
    assert check_title(check) == title
