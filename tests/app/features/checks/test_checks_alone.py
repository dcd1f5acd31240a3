"""The checks of a document after each run, their texts and rows, without a window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.checks.check_questions import TriedCheck
from gradwire.app.features.checks.check_texts import (
    check_row,
    check_title,
    checks_summary,
    failure_text,
    record_text,
)
from gradwire.app.features.checks.checks import Checks
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.explain.contracts import CheckResult

HOLDS = {"at": "main/q.y", "finite": True}
ALSO = {"at": "main/x.y", "finite": True}
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


def tried(session: Session, qtbot: QtBot, *checks: dict[str, object]) -> Checks:
    """Returns the checks of a session after some were added and tried."""
    found = session.part(Checks)
    session.apply("", edits.add_checks, checks)
    qtbot.waitUntil(lambda: found.is_known)
    return found


@pytest.mark.parametrize(
    ("checks", "holding", "is_record", "summary", "failure"),
    [
        ((), 0, False, "", ""),
        ((HOLDS,), 1, False, "1 of 1 checks pass", ""),
        ((FAILS,), 0, False, "0 of 1 checks pass", "0 of 1 checks pass"),
        ((HOLDS, FAILS, ALSO), 2, False, "2 of 3 checks pass", "2 of 3 checks pass"),
        ((RECORDED,), 0, True, "0 of 1 checks pass", ""),
        ((RECORDED, HOLDS), 1, True, "1 of 2 checks pass", ""),
        ((RECORDED, FAILS), 0, False, "0 of 2 checks pass", "0 of 2 checks pass"),
    ],
)
def test_checks_are_counted_and_those_of_recorded_numbers_are_no_failures(
    session: Session,
    qtbot: QtBot,
    checks: tuple[dict[str, object], ...],
    holding: int,
    is_record: bool,
    summary: str,
    failure: str,
) -> None:
    found = tried(session, qtbot, *checks)
    assert (found.holding, found.differs_from_record) == (holding, is_record)
    assert (checks_summary(found), failure_text(found)) == (summary, failure)


def test_checks_that_were_not_tried_are_neither_counted_nor_failures(session: Session, qtbot: QtBot) -> None:
    found = tried(session, qtbot, HOLDS, FAILS)
    assert failure_text(found) == "1 of 2 checks pass"
    found.rows = (found.rows[1], TriedCheck(HOLDS, None))
    assert not found.is_known and (found.holding, found.differs_from_record) == (0, False)
    assert (checks_summary(found), failure_text(found)) == ("Checks: not tried yet", "")


def test_checks_of_an_opened_graph_are_tried_at_once() -> None:
    graph = edits.add_checks(gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="x"), name="q"))), [HOLDS, FAILS])
    session = Session(graph, InlineEvaluator)
    found = Checks(session)
    assert found.is_known and checks_summary(found) == "1 of 2 checks pass"
    session.close()


def test_a_check_keeps_its_outcome_and_other_edits_tell_nothing(session: Session, qtbot: QtBot) -> None:
    found = tried(session, qtbot, HOLDS, FAILS)
    heard: list[int] = []
    found.changed.connect(lambda: heard.append(len(found.rows)))
    session.apply("", edits.remove_check, 0)
    assert [row.result is not None for row in found.rows] == [True]
    assert heard and set(heard) == {1}
    count = len(heard)
    found._take_edit(session.graph, edits.move_blocks(session.graph, "main", {"x": (9, 9)}))
    assert len(heard) == count
    found._take_edit(session.graph, edits.remove_check(session.graph, 0))
    assert len(heard) == count + 1


def test_blocks_with_other_parameters_than_at_first_are_named(session: Session, qtbot: QtBot) -> None:
    found = tried(session, qtbot, RECORDED)
    assert found.changed_blocks == () and record_text(found) == "Differs from the recorded run"
    session.apply("", edits.set_parameter, "main", "x", "value", np.array(4.0))
    assert found.changed_blocks == ("x",)
    assert record_text(found) == "Differs from the recorded run, you changed x"
    session.apply("", edits.add_block, "main", "Constant", id="new")
    session.apply("", edits.move_blocks, "main", {"w": (9, 9)})
    assert found.changed_blocks == ("x",)
    session.apply("", edits.set_parameter, "main", "w", "value", np.array(4.0))
    assert set(found.changed_blocks) == {"x", "w"}
    session.apply("", edits.set_parameter, "main", "x", "value", np.array(3.0))
    assert found.changed_blocks == ("w",)


def test_a_row_says_what_was_found() -> None:
    def row(check: dict[str, object], result: CheckResult | None) -> tuple[object, ...]:
        made = check_row(4, TriedCheck(check, result), "Differs")
        return made.key, made.texts, made.tokens, made.icon

    title, quiet = "Everything is finite", "text.secondary"
    assert row(HOLDS, None) == (4, (title, "Not tried yet", "main/q.y"), (quiet,), "clock")
    assert row(HOLDS, CheckResult("", True)) == (
        4, (title, "Passes", "main/q.y"), ("ok", quiet, quiet), "check-circle",
    )  # fmt: skip
    broken = CheckResult("", False, "It is 3.")
    assert row(HOLDS, broken) == (4, (title, "It is 3.", "main/q.y"), ("error", "text.primary", quiet), "error")
    texts = ("Value equals the recorded one", "Differs. It is 3.", "main/x.y")
    assert row(RECORDED, broken) == (4, texts, (quiet,), "info")
    wire = {"wire": ["main/a.y", "main/b.x"], "status": "flow"}
    assert row(wire, None)[1] == ("The status is flow", "Not tried yet", "main/a.y → main/b.x")


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
