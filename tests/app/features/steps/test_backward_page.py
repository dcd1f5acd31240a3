"""The backward pass as a page of the document: one command, one undo, highlighted partner blocks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from gradwire.app.base.examples import example_path
from gradwire.app.features.steps.backward_questions import PlacesName
from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, with_block

pytestmark = pytest.mark.usefixtures("one_window")


def show_backward(user: Driver) -> None:
    user.window.parts.actions_by_id["show_backward"].trigger()
    user.settle()


def lit_blocks(user: Driver) -> frozenset[str]:
    return frozenset() if user.canvas.page_look.lit is None else user.canvas.page_look.lit.blocks


def test_the_command_shows_the_backward_graph_beside_the_page_and_undo_takes_it_back(user: Driver) -> None:
    user.show(chain())
    before = user.graph
    show_backward(user)
    assert [page.name for page in user.graph.pages] == ["main", "main_backward"]
    assert user.session.page_name == "main_backward" and user.undo_text() == "Show the backward graph"
    assert user.graph.page("main") is before.page("main")
    reading = user.session.results.port(PortName("main_backward/grad_x", "y"))  # type: ignore[union-attr]
    np.testing.assert_allclose(reading.value.first, np.exp([1.0, 2.0, 3.0]))  # type: ignore[union-attr]
    user.session.undo()
    assert user.graph is before and user.session.page_name == "main"


def test_every_block_of_the_page_has_a_place_of_its_own(user: Driver) -> None:
    user.open(example_path("xor_221_good"))
    show_backward(user)
    mirror = user.canvas.mirror
    rects = [mirror.rect(name) for name in user.page.blocks]
    assert not any(a.intersects(b) for row, a in enumerate(rects) for b in rects[:row])


def test_its_blocks_get_their_places_even_if_the_evaluator_has_ended_before_it_found_any(
    user: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.show(chain())
    show_backward(user)
    places = {name: block.at for name, block in user.page.blocks.items()}
    assert len(set(places.values())) == len(places) > 1
    user.session.undo()
    monkeypatch.setattr(PlacesName, "answer", lambda *_: None)
    show_backward(user)
    assert {name: block.at for name, block in user.page.blocks.items()} == places


def test_the_window_does_not_wait_while_they_are_arranged(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that the evaluator arranges the page: thousands of blocks take seconds."""
    user.show(chain())
    monkeypatch.delattr("gradwire.app.shell.window.pages.arranged")
    show_backward(user)
    assert user.session.page_name == "main_backward"


def test_a_graph_without_a_loss_says_why_there_is_nothing_to_show(user: Driver) -> None:
    user.show(with_block(Graph(), "x", "Input", (0, 0), value=np.array(1.0)))
    refusals = user.listen()
    show_backward(user)
    assert refusals == ['Page "main" has no loss that could be differentiated; add a Loss first.']
    assert user.undo_text() is None


def test_a_selected_block_lights_the_blocks_of_its_rule_and_the_other_way_round(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    show_backward(user)
    for name in ("e", "grad_e_1"):
        user.session.select(Selection(frozenset([name])))
        user.settle()
        assert user.canvas.page_look.lit is not None and user.canvas.page_look.lit.blocks == {"e", "grad_e", "grad_e_1"}
    user.session.select(Selection())
    user.settle()
    assert user.canvas.page_look.lit is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["e", "grad_e_1"])
def test_the_block_under_the_pointer_lights_its_partners_until_the_pointer_leaves(user: Driver, name: str) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    show_backward(user)
    before = user.undo_text()
    user.hand.enter(user.canvas.mirror.rect(name).center())
    user.qtbot.waitUntil(lambda: lit_blocks(user) == {"e", "grad_e", "grad_e_1"})
    user.hand.enter(QPointF(-5000, -5000))
    user.qtbot.waitUntil(lambda: user.canvas.page_look.lit is None)
    assert user.undo_text() == before and not user.session.selection


@pytest.mark.long
def test_after_the_pointer_the_selected_block_is_lit_again(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    show_backward(user)
    user.session.select(Selection(frozenset(["e"])))
    user.hand.enter(user.canvas.mirror.rect("s").center())
    user.qtbot.waitUntil(lambda: "s" in lit_blocks(user))
    user.hand.enter(QPointF(-5000, -5000))
    user.qtbot.waitUntil(lambda: lit_blocks(user) == {"e", "grad_e", "grad_e_1"})


@pytest.mark.long
def test_a_way_that_was_asked_for_stays_while_the_pointer_moves(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    show_backward(user)
    user.session.select(Selection(frozenset(["s"])))
    user.window.parts.actions_by_id["ways"].trigger()
    way = lit_blocks(user)
    user.hand.enter(user.canvas.mirror.rect("e").center())
    user.qtbot.waitUntil(lambda: bool(user.window.parts.viewing.cards.cards))
    assert way and lit_blocks(user) == way


def test_on_other_pages_a_selection_lights_nothing(user: Driver) -> None:
    user.open(example_path("softmax_stable_tie_sg"))
    user.session.select(Selection(frozenset(["e"])))
    user.settle()
    assert user.canvas.page_look.lit is None


def test_from_inside_a_used_page_the_page_around_it_is_differentiated(user: Driver) -> None:
    graph, made = edits.group(chain(), "main", ["e"])
    user.show(graph)
    user.session.view.enter(graph.page("main").blocks[made])
    show_backward(user)
    assert user.session.page_name == "main_backward"
