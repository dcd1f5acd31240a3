"""The checks of a graph in the window: tested after every run, made from the selection, and removed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QLineEdit, QMenu, QPushButton, QToolButton

from gradwire.app.base.examples import example_path
from gradwire.app.features.checks.check_texts import checks_summary, record_text
from gradwire.app.features.checks.checks import Checks
from gradwire.app.features.checks.norm_dialog import NormDialog
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.contracts import run_checks
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain, wired, with_block
from tests.sweeps import a_third_of

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]

OK = QDialogButtonBox.StandardButton.Ok


def open_lens(user: Driver) -> RowsTable:
    user.window.parts.panels.show_lens("checks")
    user.settle()
    return user.child(RowsTable, "checks_table")


def rows(user: Driver) -> list[tuple[str, ...]]:
    user.settle()
    return [row.texts for row in user.child(RowsTable, "checks_table").rows.rows]


def summary(user: Driver) -> str:
    user.settle()
    return user.child(QLabel, "checks_summary").text()


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
    open_lens(user)
    assert summary(user) == "7 of 7 checks pass"
    assert not user.window.parts.layout.status.sentence.is_grave
    assert {row[1] for row in rows(user)} == {"Passes"}
    assert ("The maximum receives 0", "Passes", "main/mx.y → main/sg.x") in rows(user)


def test_a_graph_without_checks_is_told_how_to_begin(user: Driver) -> None:
    user.show(chain())
    table = open_lens(user)
    assert summary(user) == ""
    assert "Select a block or a wire and choose Add check" in table.accessibleDescription()


def test_a_check_that_an_edit_breaks_turns_red_says_what_was_found_and_comes_first(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    open_lens(user)
    user.session.apply("Mute", edits.set_muted, "main", "sg", True)
    first = rows(user)[0]
    assert first == ("The maximum receives 0", "The status is zero, not blocked.", "main/mx.y → main/sg.x")
    assert summary(user) == "5 of 7 checks pass"
    assert user.child(RowsTable, "checks_table").rows.rows[0].icon == "error"


def test_a_click_goes_to_the_wire_or_block_of_a_check(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    table = open_lens(user)
    for row, at in enumerate(["loss", "x", "p"]):
        QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, 0)).center())
        assert user.selection.blocks == {at}
    table.setCurrentIndex(table.model().index(3, 0))
    QTest.keyClick(table, Key.Key_Return)
    assert user.selection.wires == {user.wire("sg.x")}


def test_a_check_that_fails_comes_up_by_itself_and_its_button_opens_the_lens(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    user.session.apply("Mute", edits.set_muted, "main", "sg", True)
    user.settle()
    assert user.window.parts.layout.status.sentence.text == "5 of 7 checks pass"
    user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    assert user.window.parts.panels.bottom.shown == "checks"


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
    assert checks_summary(user.session.part(Checks)) == "0 of 1 checks pass"


def summary_rows(user: Driver) -> set[str]:
    """The icons of the rows of the lens."""
    open_lens(user)
    return {row.icon for row in user.child(RowsTable, "checks_table").rows.rows}


def test_the_numbers_of_now_are_noted_whole_and_hold_until_they_change(user: Driver) -> None:
    user.show(chain())
    select(user, "x", "e")
    for kind in ("value", "gradient"):
        expect(user, kind)
    user.qtbot.waitUntil(lambda: len(user.graph.checks) == 4)
    np.testing.assert_array_equal(user.graph.checks[1]["value"], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(user.graph.checks[3]["gradient"], np.exp([1.0, 2.0, 3.0]))
    assert checks_summary(user.session.part(Checks)) == "4 of 4 checks pass"
    user.session.apply("Change", edits.set_parameter, "main", "x", "value", [1.0, 2.0, 4.0])
    user.settle()
    assert record_text(user.session.part(Checks)) == "Differs from the recorded run, you changed x"
    assert user.window.parts.layout.status.sentence.act != "checks"
    assert summary_rows(user) == {"info", "check-circle"}


def test_the_norm_is_asked_for_around_the_present_one_and_only_a_range_is_taken(user: Driver) -> None:
    user.show(chain())
    select(user, "x")
    expect(user, "norm")
    dialog = user.child(NormDialog, "norm_dialog")
    low, high = (user.child(QLineEdit, f"norm_{name}") for name in ("low", "high"))
    norm = float(np.linalg.norm(np.exp([1.0, 2.0, 3.0])))
    assert float(low.text()) == pytest.approx(norm / 2, rel=1e-3)
    assert float(high.text()) == pytest.approx(norm * 2, rel=1e-3)
    low.setText("30")
    high.setText("20")
    assert not dialog.findChild(QDialogButtonBox).button(OK).isEnabled()
    QTest.keyClick(high, Key.Key_Return)
    assert not user.graph.checks
    high.setText("40.5")
    QTest.keyClick(high, Key.Key_Return)
    assert list(user.graph.checks) == [{"at": "main/x.y", "norm": [30.0, 40.5]}]


def test_escape_leaves_the_question_for_the_norm_without_an_edit(user: Driver) -> None:
    user.show(chain())
    select(user, "x")
    expect(user, "norm")
    QTest.keyClick(user.child(NormDialog, "norm_dialog"), Key.Key_Escape)
    user.settle()
    assert not user.graph.checks and user.undo_text() is None


def test_delete_or_the_button_removes_the_current_check_and_undo_brings_it_back(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    table, before = open_lens(user), user.graph
    table.setCurrentIndex(table.model().index(3, 0))
    QTest.keyClick(table, Key.Key_Delete)
    assert "The maximum receives 0" not in {row[0] for row in rows(user)}
    assert summary(user) == "6 of 6 checks pass"
    table.setCurrentIndex(table.model().index(0, 0))
    user.qtbot.mouseClick(user.child(QPushButton, "remove_check"), LEFT)
    assert len(user.graph.checks) == 5 and user.page is before.page("main")
    user.session.undo()
    user.session.undo()
    assert user.graph is before and summary(user) == "7 of 7 checks pass"


def test_the_lens_offers_the_same_checks_as_the_menu_and_only_where_something_is_selected(user: Driver) -> None:
    user.show(chain())
    open_lens(user)
    adding = user.child(QPushButton, "add_check")
    assert not adding.isEnabled()
    select(user, "s")
    assert adding.isEnabled()
    menu = user.child(QMenu, "menu_add_check")
    next(action for action in menu.actions() if action.text() == "Expect a gradient").trigger()
    assert rows(user) == [("The status is flow", "Passes", "main/s.y")]


def test_a_renamed_block_keeps_its_checks(user: Driver) -> None:
    user.show(chain())
    select(user, "e")
    expect(user, "flow")
    user.session.apply("Rename", edits.rename_block, "main", "e", "grown")
    assert (
        user.graph.checks[0]["at"] == "main/grown.y"
        and checks_summary(user.session.part(Checks)) == "1 of 1 checks pass"
    )


def test_a_check_that_says_nothing_or_names_nothing_is_shown_and_can_be_clicked(user: Driver) -> None:
    odd = ({"title": "Odd"}, {"wire": 3, "status": "flow"}, {"at": "main/gone.y", "finite": True}, {"norm": "x"})
    graph = dataclasses.replace(chain(), checks=odd)
    assert not any(result.holds for result in run_checks(graph, evaluate(graph)))
    user.show(graph)
    table = open_lens(user)
    for row in range(4):
        QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, 0)).center())
    assert summary(user) == "0 of 4 checks pass" and not user.selection
