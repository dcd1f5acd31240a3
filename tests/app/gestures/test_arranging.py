"""Arranging and aligning in the window: one edit each, animated, and the first input ends the animation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.canvas.overlays.glide import DURATION_MS, Glide
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def moving(user: Driver) -> Iterator[None]:
    # This comes after the window, which applies the settings.
    set_moves(True)
    yield
    set_moves(None)


def scattered() -> Graph:
    """Returns the chain with its blocks in the wrong order."""
    page = chain().pages[0]
    at = {"x": (700, 300), "e": (300, 0), "s": (0, 500), "loss": (-200, -200)}
    moved = {name: dataclasses.replace(block, at=at.get(name, block.at)) for name, block in page.blocks.items()}
    return chain().with_page(dataclasses.replace(page, blocks=moved))


def bare() -> Graph:
    """Returns the chain without positions."""
    page = chain().pages[0]
    blocks = {name: dataclasses.replace(block, at=None) for name, block in page.blocks.items()}
    return chain().with_page(dataclasses.replace(page, blocks=blocks))


def shown(user: Driver, name: str) -> tuple[float, float]:
    rect = user.canvas.mirror.rect(name)
    return rect.x(), rect.y()


def glide(user: Driver) -> Glide:
    (found,) = user.canvas.findChildren(Glide)
    return found


@pytest.mark.long
def test_arranging_puts_the_blocks_in_the_order_of_the_wires_in_one_edit(user: Driver) -> None:
    user.show(scattered())
    before = user.graph
    user.trigger("arrange")
    places = [user.block(name).at or (0, 0) for name in ("x", "e", "s", "loss")]
    # From left to right, and on in a line below where the canvas is narrow.
    assert places == sorted(places, key=lambda at: (at[1], at[0]))
    assert user.undo_text() == "Arrange"
    user.undo()
    assert user.graph is before


def test_arranging_twice_leaves_one_entry(user: Driver) -> None:
    user.show(scattered())
    user.trigger("arrange")
    once = user.graph
    user.trigger("arrange")
    assert user.graph is once


def test_without_movement_blocks_are_there_at_once(user: Driver) -> None:
    user.show(scattered())
    user.trigger("arrange")
    assert not glide(user)._ids
    assert all(shown(user, name) == user.block(name).at for name in user.page.blocks)


@pytest.mark.usefixtures("moving")
def test_blocks_glide_from_where_they_were(user: Driver) -> None:
    user.show(scattered())
    before = user.graph
    user.window.parts.actions_by_id["arrange"].trigger()
    assert glide(user)._ids
    assert shown(user, "x") == (700, 300)
    assert user.graph is not before
    arranged = user.graph
    user.qtbot.waitUntil(lambda: not glide(user)._ids, timeout=20 * DURATION_MS)
    assert shown(user, "x") == user.block("x").at
    assert user.graph is arranged


@pytest.mark.usefixtures("moving")
@pytest.mark.parametrize("what", ["key", "wheel", "press"])
def test_any_input_brings_the_blocks_to_their_places(user: Driver, what: str) -> None:
    user.show(scattered())
    user.window.parts.actions_by_id["arrange"].trigger()
    assert glide(user)._ids
    if what == "key":
        QTest.keyPress(user.canvas, Qt.Key.Key_Control)
    elif what == "wheel":
        user.hand.wheel(user.canvas.camera.to_scene(user.canvas.rect().center().toPointF()), QPoint(0, 120))
    else:
        user.hand.press(user.points.empty())
    assert not glide(user)._ids
    assert all(shown(user, name) == user.block(name).at for name in user.page.blocks)
    user.escape()


@pytest.mark.usefixtures("moving")
def test_an_undo_on_the_way_brings_everything_back(user: Driver) -> None:
    user.show(scattered())
    before = user.graph
    user.window.parts.actions_by_id["arrange"].trigger()
    user.session.undo()
    user.qtbot.waitUntil(lambda: not glide(user)._ids, timeout=20 * DURATION_MS)
    assert user.graph is before
    assert all(shown(user, name) == user.block(name).at for name in user.page.blocks)


@pytest.mark.usefixtures("moving")
def test_another_document_may_be_shown_on_the_way(user: Driver) -> None:
    user.show(scattered())
    user.window.parts.actions_by_id["arrange"].trigger()
    user.show(Graph())
    user.qtbot.waitUntil(lambda: not glide(user)._ids, timeout=20 * DURATION_MS)
    assert user.canvas.mirror.ids == []


def test_aligning_is_possible_with_two_blocks_and_equal_gaps_with_three(user: Driver) -> None:
    user.show(chain())
    actions = user.window.parts.actions_by_id
    user.hand.click(user.points.title("x"))
    assert not actions["align_left"].isEnabled()
    user.hand.click(user.points.title("e"), keys=Qt.KeyboardModifier.ShiftModifier)
    assert actions["align_left"].isEnabled() and not actions["distribute_across"].isEnabled()
    user.hand.click(user.points.title("c"), keys=Qt.KeyboardModifier.ShiftModifier)
    assert actions["distribute_across"].isEnabled()


def test_aligned_blocks_have_one_side_in_common(user: Driver) -> None:
    user.show(chain())
    user.hand.click(user.points.title("e"))
    user.hand.click(user.points.title("c"), keys=Qt.KeyboardModifier.ShiftModifier)
    user.trigger("align_right")
    mirror = user.canvas.mirror
    assert mirror.rect("c").right() == mirror.rect("e").right() == 240 + mirror.rect("e").width()
    assert user.undo_text() == "Align"
    user.trigger("align_bottom")
    assert mirror.rect("c").bottom() == mirror.rect("e").bottom()


def test_a_bar_at_several_blocks_aligns_them(user: Driver) -> None:
    user.show(chain())
    bar = user.window.findChild(QWidget, "align_bar")
    assert bar is not None
    user.hand.click(user.points.title("e"))
    user.settle()
    assert not bar.isVisible()
    user.hand.click(user.points.title("c"), keys=Qt.KeyboardModifier.ShiftModifier)
    user.settle()
    assert bar.isVisible() and user.canvas.rect().contains(bar.geometry())
    mirror = user.canvas.mirror
    boxes = [user.canvas.camera.rect_to_view(mirror.rect(name)).toRect() for name in "ec"]
    assert not any(bar.geometry().intersects(box) for box in boxes)
    user.qtbot.mouseClick(user.child(QToolButton, "tool_align_right"), Qt.MouseButton.LeftButton)
    user.settle()
    assert mirror.rect("c").right() == mirror.rect("e").right() and user.undo_text() == "Align"
    user.session.select(Selection())
    user.settle()
    assert not bar.isVisible()


def test_pasted_blocks_without_places_are_arranged(user: Driver) -> None:
    user.show(Graph())
    QGuiApplication.clipboard().setText(dumps(bare()))
    user.ctrl(Qt.Key.Key_V)
    xs = [user.block(name).at for name in ("x", "e", "s", "loss")]
    assert len({at and at[0] for at in xs}) == 4
    assert xs == sorted(xs, key=lambda at: at or (0, 0))
    assert user.undo_text() == "Paste"
