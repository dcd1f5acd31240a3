"""The lens of stops: their verdicts, the effect of the chosen one, and a hypothetical stop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from gradwire.app.base.examples import example_path
from gradwire.app.features.stops.stop_lens import StopLens
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.comparison import WithoutStops, WithStop
from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain, with_block
from tests.engine.explain.test_stop_effects import temporal_difference


def see(user: Driver, graph: Graph) -> None:
    user.show(graph)
    user.window.parts.panels.show_lens("stops")
    wait(user)


def wait(user: Driver) -> None:
    """Waits until no question is open: every row shows the effect of its stop."""
    user.qtbot.waitUntil(lambda: not any(row.icon == "clock" for row in stops(user).rows.rows))
    user.settle()


def stops(user: Driver) -> RowsTable:
    return user.child(RowsTable, "stops_list")


def changes(user: Driver) -> RowsTable:
    return user.child(RowsTable, "stop_changes")


def texts(table: RowsTable) -> list[tuple[str, ...]]:
    return [row.texts for row in table.rows.rows]


def verdict(user: Driver) -> str:
    return user.child(QLabel, "stop_verdict").text()


def click(user: Driver, table: RowsTable, row: int) -> None:
    place = table.visualRect(table.model().index(row, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    wait(user)


def test_the_stop_of_the_softmax_is_said_to_have_no_effect(user: Driver) -> None:
    user.open(example_path("softmax_stable"))
    user.window.parts.panels.show_lens("stops")
    wait(user)
    ((name, wires, said),) = texts(stops(user))
    assert (name, wires) == ("main / stop", "0")
    assert said.startswith("Changes no gradient: the stopped contributions cancel. Largest difference: 1.7e−16")
    assert said.endswith("It blocks 2 of 4 paths to the loss.")


@pytest.mark.long
def test_a_chosen_stop_lists_what_it_changes_and_the_canvas_shows_both(user: Driver) -> None:
    see(user, temporal_difference(True))
    click(user, stops(user), 0)
    found = {row[0]: row[1:4] for row in texts(changes(user))}
    assert found["next.y"] == ("1.26", "0", "1.26")
    assert [row[4] for row in texts(changes(user))][:2] == ["1.4", "1.4"]
    assert user.session.runs.comparison == WithoutStops(frozenset({"main/sg"}))
    results, link = user.session.results, Link(PortName("main/target", "z"), PortName("main/sg", "x"))
    assert results is not None and results.compared is not None
    compared = results.compared.wire(link)
    assert compared is not None and compared.gradient is not None
    assert compared.gradient.first == pytest.approx((1.4,))
    assert verdict(user).startswith("Changes 10 gradients, by at most 1.4.")


@pytest.mark.long
def test_escape_and_closing_end_the_comparison(user: Driver) -> None:
    see(user, temporal_difference(True))
    click(user, stops(user), 0)
    QTest.keyClick(stops(user), Key.Key_Escape)
    assert user.session.runs.comparison is None and texts(changes(user)) == []
    click(user, stops(user), 0)
    user.window.parts.panels.open_lens("problems")
    assert user.session.runs.comparison is None


@pytest.mark.long
def test_enter_chooses_a_stop_and_a_change_leads_to_its_wire(user: Driver) -> None:
    see(user, temporal_difference(True))
    stops(user).setCurrentIndex(stops(user).model().index(0, 0))
    QTest.keyClick(stops(user), Key.Key_Return)
    wait(user)
    row = [row.key for row in changes(user).rows.rows].index(
        Link(PortName("main/scaled", "z"), PortName("main/target", "y"))
    )
    click(user, changes(user), row)
    assert user.selection == Selection(wires=frozenset([user.wire("target.y")]))
    assert user.session.runs.comparison == WithoutStops(frozenset({"main/sg"}))


@pytest.mark.long
def test_a_stop_on_the_selected_wire_is_tried_without_an_edit(user: Driver) -> None:
    graph = temporal_difference(False)
    see(user, graph)
    assert "Select a wire" in stops(user).accessibleDescription()
    user.session.select(Selection(wires=frozenset([user.wire("delta.x")])))
    user.settle()
    wait(user)
    click(user, stops(user), 0)
    assert texts(stops(user))[0][0] == "Stop here: target → delta.x"
    assert isinstance(user.session.runs.comparison, WithStop)
    found = {row[0]: row[1:4] for row in texts(changes(user))}
    assert found["next.y"] == ("−1.26", "1.26", "0")
    assert user.graph is graph and user.undo_text() is None


@pytest.mark.long
def test_the_stop_that_was_tried_is_inserted_by_one_edit(user: Driver) -> None:
    graph = temporal_difference(False)
    see(user, graph)
    user.session.select(Selection(wires=frozenset([user.wire("delta.x")])))
    user.settle()
    wait(user)
    click(user, stops(user), 0)
    user.qtbot.mouseClick(user.child(QPushButton, "insert_stop"), LEFT)
    wait(user)
    stop = user.only("StopGradient")
    assert {f"target.z > {stop}.x", f"{stop}.y > delta.x"} <= user.wires()
    assert user.session.runs.comparison is None
    assert [row[0] for row in texts(stops(user))] == [f"main / {stop}"]
    user.session.undo()
    assert user.graph is graph


@pytest.mark.long
def test_the_toolbar_switch_ends_what_is_tried(user: Driver) -> None:
    see(user, temporal_difference(True))
    click(user, stops(user), 0)
    user.session.runs.set_ignores_stops(True)
    assert user.session.runs.comparison == WithoutStops()


def test_a_stop_that_nothing_uses_and_one_that_is_deleted_are_followed(user: Driver) -> None:
    see(user, with_block(chain(), "sg", "StopGradient", (480, 240)))
    assert texts(stops(user)) == [("main / sg", "", "Nothing uses its output, so it has no effect.")]
    click(user, stops(user), 0)
    user.session.select(Selection(blocks=frozenset(["sg"])))
    user.window.parts.editor.delete()
    user.settle()
    assert texts(stops(user)) == [] and user.session.runs.comparison is None


@pytest.mark.long
def test_a_slider_that_moves_is_followed(live_user: Driver) -> None:
    user = live_user
    see(user, temporal_difference(True))
    user.qtbot.waitUntil(lambda: user.session.results is not None)
    click(user, stops(user), 0)
    user.session.apply("Change", _set_reward, 0.0)
    user.qtbot.waitUntil(lambda: {row[0]: row[1] for row in texts(changes(user))}["next.y"] == "0.36")


def _set_reward(graph: Graph, value: float) -> Graph:
    return edits.set_parameter(graph, "main", "r", "value", value)


@pytest.mark.long
@pytest.mark.parametrize("width", [640, 337])
def test_the_stops_and_what_they_change_need_no_horizontal_scroll_bar(user: Driver, width: int) -> None:
    user.show(temporal_difference(True))
    lens = StopLens(CurrentSession(user.session), user.window.appearance, user.window)
    user.qtbot.addWidget(lens)
    lens.setGeometry(0, 0, width, 188)
    lens.show()
    for table in (list_of(lens, "stops_list"), list_of(lens, "stop_changes")):
        user.qtbot.waitUntil(lambda table=table: bool(table.rows.rows))  # type: ignore[misc]
        QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(0, 0)).center())
        user.settle()
        assert table.horizontalScrollBar().maximum() == 0
        assert table.viewport().height() >= table.rowHeight(0)


def list_of(lens: StopLens, name: str) -> RowsTable:
    found = lens.findChild(RowsTable, name)
    assert isinstance(found, RowsTable)
    return found


@pytest.mark.long
def test_what_is_cut_is_read_in_the_tip(user: Driver) -> None:
    see(user, temporal_difference(True))
    click(user, stops(user), 0)
    role = Qt.ItemDataRole.ToolTipRole
    model, (row,) = stops(user).model(), stops(user).rows.rows
    assert model.index(0, 0).data(role) == f"{row.texts[0]}\n{row.texts[2]}"
    heading = changes(user).model().headerData(4, Qt.Orientation.Horizontal, role)
    assert heading == "largest |Δ|"
