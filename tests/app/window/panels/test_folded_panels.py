"""Folded panels: the canvas is the window, what stands in their place opens them, and nothing moves the page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from gradwire.app.live.selection import Selection
from gradwire.app.panels.palette.palette_strip import in_place
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain


@pytest.fixture
def plain(user: Driver) -> Driver:
    user.show(chain())
    return user


def on_screen(user: Driver, block: str) -> QPointF:
    """Where the title of a block is in the window."""
    return QPointF(user.canvas.mapTo(user.window, QPoint())) + user.points.view(user.points.title(block))


@pytest.mark.parametrize(("size", "least"), [((1366, 768), 0.75), ((1600, 1000), 0.80), ((1024, 640), 0.70)])
def test_at_the_first_start_the_canvas_is_the_window(plain: Driver, size: tuple[int, int], least: float) -> None:
    plain.window.resize(*size)
    plain.settle()
    assert plain.canvas.width() * plain.canvas.height() >= least * size[0] * size[1]


def test_the_inspector_opens_with_a_selection_and_closes_without(plain: Driver) -> None:
    overlay, room = plain.child(QWidget, "inspector_overlay"), plain.canvas.geometry()
    assert not overlay.isVisible()
    plain.hand.click(plain.points.title("e"))
    plain.settle()
    assert overlay.isVisible() and overlay.width() == 300
    plain.escape()
    assert not overlay.isVisible()
    assert plain.canvas.geometry() == room


@pytest.mark.parametrize("is_left", [False, True])
def test_the_inspector_covers_neither_the_selection_nor_its_ends(plain: Driver, is_left: bool) -> None:
    overlay, canvas = plain.child(QWidget, "inspector_overlay"), plain.canvas
    wire = next(wire for wire in plain.page.wires.values() if wire.source.block == "e")
    ends = [canvas.mirror.rect(end.block).center() for end in (wire.source, wire.target)]
    target = max(ends, key=lambda end: end.x()) if not is_left else min(ends, key=lambda end: end.x())
    # One end stands where the other side would be covered.
    edge = canvas.width() - 100 if not is_left else 100
    canvas.viewport.pan(round(edge - canvas.camera.to_view(target).x()), 0)
    plain.session.select(Selection(wires=frozenset([wire])))
    plain.settle()
    boxes = [canvas.camera.rect_to_view(canvas.mirror.rect(end.block)) for end in (wire.source, wire.target)]
    column = overlay.geometry().translated(-canvas.pos()).toRectF()
    assert overlay.isVisible() and not any(column.intersects(box) for box in boxes)


@pytest.mark.parametrize("way", ["button", "escape"])
def test_the_user_closes_the_inspector_until_something_else_is_selected(plain: Driver, way: str) -> None:
    overlay = plain.child(QWidget, "inspector_overlay")
    plain.session.select(Selection(frozenset("e")))
    if way == "button":
        plain.qtbot.mouseClick(plain.child(QToolButton, "leave_inspector"), LEFT)
    else:
        QTest.keyClick(overlay, Key.Key_Escape)
    assert not overlay.isVisible() and plain.selection.blocks == {"e"}
    plain.session.select(Selection(frozenset("t")))
    assert overlay.isVisible()


def test_a_pinned_inspector_is_a_dock(plain: Driver) -> None:
    overlay, inspector = plain.child(QWidget, "inspector_overlay"), plain.window.parts.inspector
    plain.session.select(Selection(frozenset("e")))
    plain.qtbot.mouseClick(plain.child(QToolButton, "pin_inspector"), LEFT)
    dock = plain.window.parts.docking.docks["inspector"]
    assert dock.isVisible() and dock.isAncestorOf(inspector) and not overlay.isVisible()
    assert plain.window.settings.text("open_panels") == "inspector"
    dock.set_folded(True)
    assert overlay.isAncestorOf(inspector)


@pytest.mark.parametrize("name", ["palette", "inspector", "problems"])
def test_no_panel_moves_the_page(plain: Driver, name: str) -> None:
    before, dock = on_screen(plain, "e"), plain.window.parts.docking.docks[name]
    for is_folded in (False, True):
        dock.set_folded(is_folded)
        plain.settle()
        assert on_screen(plain, "e") == before


def test_the_strip_opens_each_panel_at_the_bottom(plain: Driver) -> None:
    strip, docks = plain.child(QWidget, "bottom_strip"), plain.window.parts.docking.docks
    plain.qtbot.mouseClick(plain.child(QToolButton, "strip_slice"), LEFT)
    assert docks["slice"].isVisible() and strip.isVisible()
    plain.qtbot.mouseClick(plain.child(QToolButton, "strip_steps"), LEFT)
    assert plain.window.parts.docking.lenses.current == "steps"
    assert docks["problems"].isVisible() and not strip.isVisible()


def test_the_strip_says_the_gravest_problem(plain: Driver) -> None:
    sentence, rows = plain.child(QLabel, "strip_sentence"), plain.window.parts.problems.places
    assert sentence.text() and plain.child(QLabel, "strip_count").text() == str(len(rows))


def test_blocks_that_are_placed_become_chips(plain: Driver) -> None:
    strip = plain.window.parts.docking.palette_strip
    assert "Tanh" not in strip.names
    plain.window.parts.placer.place_in_middle("Tanh")
    assert "Tanh" in strip.names
    before = len(plain.page.blocks)
    plain.qtbot.mouseClick(plain.child(QToolButton, "chip_Tanh"), LEFT)
    assert len(plain.page.blocks) == before + 1


def test_the_field_beside_the_tabs_opens_the_search(plain: Driver) -> None:
    plain.qtbot.mouseClick(plain.child(QToolButton, "strip_search"), LEFT)
    popup = plain.window.parts.search
    assert popup.isVisible()
    popup.close()


def test_chips_keep_their_places() -> None:
    assert in_place(list("abc"), list("dab")) == list("abd")
    assert in_place([], list("ab")) == list("ab")


def test_tabs_take_the_room_of_chips(plain: Driver) -> None:
    strip = plain.window.parts.docking.palette_strip
    for _ in range(14):
        plain.window.parts.pages.add()
    plain.settle()
    shown = [name for name in strip.names if plain.child(QToolButton, f"chip_{name}").isVisible()]
    assert len(shown) < len(strip.names)


def test_the_banner_lies_over_the_canvas(plain: Driver) -> None:
    room = plain.canvas.geometry()
    plain.session.runs.set_ignores_stops(True)
    plain.settle()
    banner = plain.child(QWidget, "banner")
    assert banner.isVisible() and plain.canvas.geometry() == room
    assert banner.geometry().topLeft() == room.topLeft() and banner.height() == 28
    plain.session.runs.set_ignores_stops(False)
