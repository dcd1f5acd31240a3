"""Hover cards: when they appear, their positions, when they disappear."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from gradwire.app.canvas.overlays.cards.card import Card
from gradwire.app.canvas.overlays.cards.hover_cards import WAIT_MS
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from tests.app.window.driver import LEFT, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import MAIN


@pytest.fixture
def pointing(here: Driver) -> Iterator[Driver]:
    yield here
    while here.window.parts.viewing.cards.close_one():
        pass


def cards(user: Driver) -> list[Card]:
    return user.window.parts.viewing.cards.cards


def waited(user: Driver) -> None:
    """Simulates the end of the waiting time; no card may have appeared before."""
    timer = next(item for item in user.window.parts.viewing.cards.findChildren(QTimer) if item.interval() == WAIT_MS)
    if timer.isActive():
        timer.stop()
        timer.timeout.emit()
    user.settle()


def hover(user: Driver, at: QPointF) -> None:
    user.hand.enter(at)
    waited(user)


def only(user: Driver) -> Card:
    (card,) = cards(user)
    return card


def test_the_card_waits_350_milliseconds() -> None:
    assert WAIT_MS == 350


def test_a_wire_gets_a_card_after_a_moment(pointing: Driver) -> None:
    pointing.hand.enter(pointing.points.on_wire(pointing.wire("s.x")))
    assert cards(pointing) == []
    waited(pointing)
    assert only(pointing).facts.title == "e.y → s.x"
    assert only(pointing).isVisible()


def test_a_card_comes_by_itself(pointing: Driver) -> None:
    pointing.hand.enter(pointing.points.body("e"))
    pointing.qtbot.waitUntil(lambda: len(cards(pointing)) == 1)


def test_a_port_and_a_block_get_cards(pointing: Driver) -> None:
    hover(pointing, pointing.points.output("e.y"))
    assert only(pointing).facts.title == "e.y"
    hover(pointing, pointing.points.body("s"))
    assert only(pointing).facts.title == "ReduceSum s"


def test_a_card_is_as_wide_as_the_design_says(pointing: Driver) -> None:
    for at in (
        pointing.points.on_wire(pointing.wire("e.x")),
        pointing.points.output("x.y"),
        pointing.points.body("loss"),
    ):
        hover(pointing, at)
        assert 286 <= only(pointing).width() <= 330


def test_a_card_does_not_cover_its_wire(pointing: Driver) -> None:
    wire, mirror = pointing.wire("s.x"), pointing.canvas.mirror
    hover(pointing, pointing.points.on_wire(wire))
    box = QRectF(only(pointing).geometry())
    for a, b in pairwise(mirror.points[mirror.wire_rows[wire]]):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            assert not box.contains(pointing.points.view(QPointF(*(a + (b - a) * share))))


def test_a_card_follows_the_values(pointing: Driver) -> None:
    hover(pointing, pointing.points.on_wire(pointing.wire("e.x")))
    (before,) = [row for row in only(pointing).facts.rows if row.label == "value"]
    pointing.session.apply("Set", edits.set_parameter, MAIN, "x", "value", pointing.block("x").parameters["value"] + 1)
    (after,) = [row for row in only(pointing).facts.rows if row.label == "value"]
    assert (before.cells, after.cells) == (("1", "2", "3"), ("2", "3", "4"))


def test_a_click_pins_it_and_several_may_be_pinned(pointing: Driver) -> None:
    for name in ("e", "s"):
        hover(pointing, pointing.points.body(name))
        pointing.qtbot.mouseClick(cards(pointing)[-1], LEFT)
    hover(pointing, pointing.points.empty())
    pointing.window.parts.viewing.cards.close_passing()
    assert [card.facts.title for card in cards(pointing)] == ["Exp e", "ReduceSum s"]
    assert not QRectF(cards(pointing)[0].geometry()).intersects(QRectF(cards(pointing)[1].geometry()))


def test_escape_closes_one_card_after_the_other_then_ends_the_selection(pointing: Driver) -> None:
    pointing.hand.click(pointing.points.title("loss"))
    for name in ("e", "s"):
        hover(pointing, pointing.points.body(name))
        cards(pointing)[-1].pin()
    for left in (1, 0):
        pointing.escape()
        assert len(cards(pointing)) == left
        assert pointing.selection
    pointing.escape()
    assert not pointing.selection


def test_a_pinned_card_has_a_button_that_closes_it(pointing: Driver) -> None:
    hover(pointing, pointing.points.body("e"))
    card = only(pointing)
    card.pin()
    pointing.qtbot.mouseClick(card.findChild(QToolButton, "hover_card_close"), LEFT)
    assert cards(pointing) == []


def test_ctrl_space_opens_the_card_of_the_selection_and_then_pins_it(pointing: Driver) -> None:
    pointing.session.select(Selection(wires=frozenset([pointing.wire("s.x")])))
    pointing.settle()
    pointing.ctrl(Key.Key_Space)
    assert only(pointing).facts.title == "e.y → s.x"
    assert not only(pointing).is_pinned
    pointing.ctrl(Key.Key_Space)
    assert only(pointing).is_pinned


def test_a_drag_ends_the_card(pointing: Driver) -> None:
    hover(pointing, pointing.points.body("e"))
    pointing.hand.press(pointing.points.body("e"))
    assert cards(pointing) == []
    pointing.hand.release(pointing.points.body("e"))


def test_a_press_of_any_button_ends_the_waiting(pointing: Driver) -> None:
    pointing.hand.click(pointing.points.body("e"), RIGHT)
    pointing.popups.menu().close()
    waited(pointing)
    assert cards(pointing) == []


def test_the_card_of_a_wire_goes_with_it(pointing: Driver) -> None:
    hover(pointing, pointing.points.on_wire(pointing.wire("s.x")))
    only(pointing).pin()
    pointing.session.apply("Delete", edits.disconnect, MAIN, pointing.wire("s.x").target)
    assert cards(pointing) == []


def test_the_card_of_a_block_goes_with_it(pointing: Driver) -> None:
    hover(pointing, pointing.points.title("s"))
    only(pointing).pin()
    pointing.hand.click(pointing.points.title("s"))
    pointing.key(Key.Key_Delete)
    assert cards(pointing) == []


def test_the_card_of_an_input_follows_another_wire_into_it(pointing: Driver) -> None:
    hover(pointing, pointing.points.port("t.x"))
    only(pointing).pin()
    for source in ("c.y", "e.y"):
        pointing.hand.connect(pointing.points.port(source), pointing.points.port("t.x"))
        pointing.hand.click(pointing.points.on_wire(pointing.wire("t.x")))
        assert only(pointing).facts.title == f"{source} → t.x"


def test_pinned_cards_wait_for_their_page(pointing: Driver) -> None:
    hover(pointing, pointing.points.body("e"))
    card = only(pointing)
    card.pin()
    pointing.trigger("add_page")
    assert not card.isVisible()
    pointing.session.view.show(MAIN)
    assert card.isVisible()


def test_another_document_has_no_cards_of_this_one(pointing: Driver) -> None:
    hover(pointing, pointing.points.body("e"))
    only(pointing).pin()
    pointing.show(pointing.graph)
    assert cards(pointing) == []


def test_a_pinned_card_stays_off_its_wire_while_one_pans(pointing: Driver) -> None:
    wire = pointing.wire("s.x")
    hover(pointing, pointing.points.on_wire(wire))
    only(pointing).pin()
    pointing.canvas.viewport.pan(0, 60)
    box, mirror = QRectF(only(pointing).geometry()), pointing.canvas.mirror
    assert not any(
        box.contains(pointing.points.view(QPointF(*point))) for point in mirror.points[mirror.wire_rows[wire]]
    )


def test_looking_changes_nothing(pointing: Driver) -> None:
    graph = pointing.graph
    hover(pointing, pointing.points.body("e"))
    QTest.keyClick(pointing.canvas, Key.Key_Space, Mod.ControlModifier)
    assert pointing.graph is graph
    assert pointing.undo_text() is None
