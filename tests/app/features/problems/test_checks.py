"""The checks of a graph in the window: tested after every run, made from the selection, listed and removed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QToolButton

from gradwire.app.base.examples import example_path
from gradwire.app.features.problems.problem_list import ROW
from gradwire.app.features.problems.problem_rows import CHECKS, Row
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.contracts import run_checks
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain, wired, with_block
from tests.sweeps import a_third_of

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]


def open_list(user: Driver) -> QListView:
    user.trigger("lens_checks")
    user.settle()
    return user.child(QListView, "problems_list")


def rows(user: Driver) -> list[Row]:
    """The rows of checks in the list of problems."""
    user.settle()
    model = user.child(QListView, "problems_list").model()
    found = [model.index(row, 0).data(ROW) for row in range(model.rowCount())]
    return [row for row in found if row.check is not None]


def summary(user: Driver) -> list[str]:
    """What is said of all checks together."""
    user.settle()
    model = user.child(QListView, "problems_list").model()
    found = [model.index(row, 0).data(ROW) for row in range(model.rowCount())]
    return [row.sentence for row in found if row.code == CHECKS]


def codes(user: Driver) -> list[str]:
    return [row.code for row in rows(user)]


def index_of(user: Driver, sentence: str) -> int:
    model = user.child(QListView, "problems_list").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())].index(sentence)


def expect(user: Driver, kind: str) -> None:
    user.window.parts.actions_by_id[f"expect_{kind}"].trigger()
    user.settle()


def select(user: Driver, *blocks: str) -> None:
    user.session.select(Selection(frozenset(blocks)))
    user.settle()


def stopped_chain(user: Driver) -> None:
    """Shows x -> e -> s -> loss, and x -> stop -> t."""
    graph = wired(with_block(chain(), "stop", "StopGradient", (240, 400)), "x.y > stop.x", "stop.y > t.x")
    user.show(graph)


def test_every_check_of_an_example_holds_and_nothing_is_said_of_them(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    assert (codes(user), summary(user)) == ([], ["7 of 7 checks pass"])
    shown = open_list(user)
    assert codes(user) == ["check_passes"] * 7
    assert not user.window.parts.layout.status.sentence.is_grave
    told = {(row.sentence, row.detail, row.at) for row in rows(user)}
    assert ("The maximum receives 0", "This check passes.", "main/mx") in told
    shown.clicked.emit(shown.model().index(index_of(user, "7 of 7 checks pass"), 0))
    assert (codes(user), summary(user)) == ([], ["7 of 7 checks pass"])


def test_a_check_that_an_edit_breaks_is_a_problem_that_comes_up_by_itself(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    user.session.apply("Mute", edits.set_muted, "main", "sg", True)
    assert (codes(user), summary(user)) == (["check"] * 2, ["5 of 7 checks pass"])
    first = rows(user)[0]
    assert (first.severity, first.sentence) == ("error", "Check fails: The maximum receives 0")
    assert first.detail == "The status is zero, not blocked."
    said = user.window.parts.layout.status.sentence
    assert said.text == 'Check fails: The maximum receives 0, at ReduceMax "mx"' and said.is_grave
    user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    assert user.selection.blocks == {"mx"}


def test_a_click_goes_to_the_wire_or_block_of_a_check(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    shown = open_list(user)
    of_block = next(row for row in rows(user) if row.link is None and row.at == "main/p")
    shown.clicked.emit(shown.model().index(index_of(user, of_block.sentence), 0))
    assert user.selection.blocks == {"p"}
    shown.setCurrentIndex(shown.model().index(index_of(user, "The maximum receives 0"), 0))
    QTest.keyClick(shown, Key.Key_Return)
    assert user.selection.wires == {user.wire("sg.x")}


@pytest.mark.parametrize(
    ("kind", "block", "check"),
    a_third_of(
        [
            ("blocked", "stop", {"at": "main/stop.y", "status": "blocked"}),
            ("flow", "e", {"at": "main/e.y", "status": "flow"}),
            ("finite", "e", {"at": "main/e.y", "finite": True}),
        ]
    ),
)
def test_a_check_from_a_block_is_one_undoable_edit(user: Driver, kind: str, block: str, check: object) -> None:
    stopped_chain(user)
    before = user.graph
    select(user, block)
    expect(user, kind)
    assert list(user.graph.checks) == [check] and user.undo_text() == "Add check"
    expect(user, kind)
    assert len(user.graph.checks) == 1
    user.session.undo()
    assert user.graph is before


def test_a_status_of_a_wire_is_expected_of_the_wire_itself(user: Driver) -> None:
    stopped_chain(user)
    user.session.select(Selection(wires=frozenset([user.wire("stop.x")])))
    user.settle()
    expect(user, "flow")
    assert list(user.graph.checks) == [{"wire": ["main/x.y", "main/stop.x"], "status": "flow"}]
    assert codes(user) == ["check"]


def test_the_numbers_of_now_are_noted_whole_and_hold_until_they_change(user: Driver) -> None:
    user.show(chain())
    select(user, "x", "e")
    for kind in ("value", "gradient"):
        expect(user, kind)
    user.qtbot.waitUntil(lambda: len(user.graph.checks) == 4)
    np.testing.assert_array_equal(user.graph.checks[1]["value"], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(user.graph.checks[3]["gradient"], np.exp([1.0, 2.0, 3.0]))
    assert (codes(user), summary(user)) == ([], ["4 of 4 checks pass"])
    open_list(user)
    user.session.apply("Change", edits.set_parameter, "main", "x", "value", [1.0, 2.0, 4.0])
    assert sorted(set(codes(user))) == ["check_differs", "check_passes"]
    different = next(row for row in rows(user) if row.code == "check_differs")
    assert different.severity == "info"
    assert different.detail.startswith("Differs from the recorded run, you changed x. ")
    assert "heck" not in user.window.parts.layout.status.sentence.text


def test_delete_or_the_menu_removes_the_current_check_and_undo_brings_it_back(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    shown, before = open_list(user), user.graph
    shown.setCurrentIndex(shown.model().index(index_of(user, "The maximum receives 0"), 0))
    QTest.keyClick(shown, Key.Key_Delete)
    assert "The maximum receives 0" not in {row.sentence for row in rows(user)}
    assert codes(user) == ["check_passes"] * 6
    menu = user.window.parts.panels.problems._menu(shown.model().index(index_of(user, rows(user)[0].sentence), 0))
    next(action for action in menu.actions() if action.objectName() == "remove_check").trigger()
    assert len(user.graph.checks) == 5 and user.page is before.page("main")
    user.session.undo()
    user.session.undo()
    assert user.graph is before and len(rows(user)) == 7


def test_a_renamed_block_keeps_its_checks(user: Driver) -> None:
    user.show(chain())
    select(user, "e")
    expect(user, "flow")
    user.session.apply("Rename", edits.rename_block, "main", "e", "grown")
    assert user.graph.checks[0]["at"] == "main/grown.y" and summary(user) == ["1 of 1 checks pass"]


def test_a_check_that_says_nothing_or_names_nothing_is_shown_and_can_be_clicked(user: Driver) -> None:
    odd = ({"title": "Odd"}, {"wire": 3, "status": "flow"}, {"at": "main/gone.y", "finite": True}, {"norm": "x"})
    graph = dataclasses.replace(chain(), checks=odd)
    assert not any(result.holds for result in run_checks(graph, evaluate(graph)))
    user.show(graph)
    shown = open_list(user)
    for found in rows(user):
        shown.clicked.emit(shown.model().index(index_of(user, found.sentence), 0))
    assert codes(user) == ["check"] * 4 and not user.selection
