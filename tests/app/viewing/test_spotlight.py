"""The paths to the loss and from the inputs, by key and by Alt and a click."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.selection import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from tests.app.canvas.pages import chain, drawn_page, mirror_of, pixels
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import MAIN


@pytest.fixture
def user(here: Driver) -> Iterator[Driver]:
    yield here
    here.window.parts.viewing.spotlight.put_out()


def lit(user: Driver) -> frozenset[str] | None:
    return None if user.canvas.page_look.lit is None else user.canvas.page_look.lit.blocks


@pytest.mark.long
def test_p_shows_the_way_to_the_loss_then_from_the_inputs_then_both_then_no_more(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    for expected in ({"e", "s", "loss"}, {"x", "e"}, {"x", "e", "s", "loss"}, None):
        user.key(Key.Key_P)
        assert lit(user) == expected


def test_alt_and_a_click_on_a_wire_shows_its_way(user: Driver) -> None:
    user.hand.click(user.points.on_wire(user.wire("s.x")), keys=Mod.AltModifier)
    assert user.canvas.page_look.lit is not None
    assert user.canvas.page_look.lit.wires == {user.wire("s.x"), user.wire("loss.x")}


def test_alt_and_a_click_on_a_block_shows_its_way(user: Driver) -> None:
    graph = user.graph
    user.hand.click(user.points.title("s"), keys=Mod.AltModifier)
    assert lit(user) == {"s", "loss"}
    assert user.graph is graph


def test_escape_ends_it_before_the_selection(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_P)
    user.escape()
    assert user.canvas.page_look.lit is None
    assert user.selection


def test_escape_closes_a_card_first(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_P)
    user.ctrl(Key.Key_Space)
    user.escape()
    assert user.window.parts.viewing.cards.cards == []
    assert user.canvas.page_look.lit is not None


def test_what_is_shown_is_said(user: Driver) -> None:
    said: list[str] = []
    user.canvas.said.connect(said.append)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_P)
    assert "from e to the loss" in said[-1]
    user.hand.click(user.points.title("t"))
    user.key(Key.Key_P)
    assert said[-1].startswith("No path leads from t to the loss")
    user.canvas.said.disconnect(said.append)


def test_the_way_follows_the_graph(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_P)
    user.session.apply("Cut", edits.disconnect, MAIN, user.wire("loss.x").target)
    assert lit(user) == {"e"}
    user.session.apply("Remove", edits.remove_blocks, MAIN, ["e"])
    assert user.canvas.page_look.lit is None


def test_another_page_has_no_light(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_P)
    user.trigger("add_page")
    assert user.canvas.page_look.lit is None


def test_what_is_dimmed_keeps_two_fifths_of_its_colour() -> None:
    """Expects opacity 0.40 for dimmed items (DESIGN); highlighted items look as usual."""
    mirror = mirror_of(chain())
    look = Look(theme("dark"), scale=1.0, has_grid=False)
    everything = pixels(drawn_page(mirror, look)[0]).astype(float)
    dimmed = pixels(drawn_page(mirror, dataclasses.replace(look, lit=Selection()))[0]).astype(float)
    ground = look.theme.color("bg.canvas")
    back = np.array([ground.blue(), ground.green(), ground.red(), 255.0])
    np.testing.assert_allclose(dimmed, back + 0.4 * (everything - back), atol=2.5)


def test_what_is_lit_is_drawn_as_ever() -> None:
    mirror = mirror_of(chain())
    look = Look(theme("dark"), scale=1.0, has_grid=False)
    lit = Selection(frozenset(mirror.ids), frozenset(mirror.wires))
    both = [pixels(drawn_page(mirror, item)[0]) for item in (look, dataclasses.replace(look, lit=lit))]
    assert (both[0] == both[1]).all()
