"""Folded panels: the canvas is the window, what stands in their place opens them, and the page gives way to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from gradwire.app.base.examples import example_path
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain

NAMES = ("inspector", "problems")


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
    assert overlay.isVisible() and overlay.width() == 286
    plain.escape()
    assert not overlay.isVisible()
    assert plain.canvas.geometry() == room


def test_the_inspector_covers_neither_the_selection_nor_its_ends(plain: Driver) -> None:
    overlay, canvas = plain.child(QWidget, "inspector_overlay"), plain.canvas
    wire = next(wire for wire in plain.page.wires.values() if wire.source.block == "e")
    target = canvas.mirror.rect(wire.target.block)
    # It ends at the edge of the view, where the inspector would cover it.
    canvas.viewport.pan(round(canvas.width() - 20 - canvas.camera.rect_to_view(target).right()), 0)
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


@pytest.mark.parametrize("name", ["inspector", "problems"])
def test_the_page_gives_way_to_a_panel_and_returns_to_the_pixel(plain: Driver, name: str) -> None:
    canvas = plain.canvas
    canvas.viewport.fit_page()
    plain.settle()
    before, picture = on_screen(plain, "e"), canvas.grab().toImage()
    fold(plain, False, name)
    plain.settle()
    assert canvas.viewport.seen.contains(canvas.mirror.block_bounds())
    fold(plain, True, name)
    plain.settle()
    assert on_screen(plain, "e") == before and canvas.grab().toImage() == picture


@pytest.mark.parametrize("order", ["inspector problems", "problems inspector"])
def test_panels_that_close_in_any_order_leave_the_page_as_it_was(plain: Driver, order: str) -> None:
    plain.window.resize(1366, 768)
    plain.open(example_path("softmax_stable"))
    plain.canvas.viewport.fit_page()
    before = plain.canvas.camera
    fold(plain, False, "inspector", "problems")
    plain.trigger("step_backward")
    assert plain.canvas.camera != before
    plain.trigger("step_leave")
    fold(plain, True, *order.split())
    assert plain.canvas.camera == before


def test_the_page_gives_way_while_it_moves_and_the_bottom_closes_with_step_mode(
    plain: Driver, one_by_one: None
) -> None:
    canvas = plain.canvas
    plain.window.resize(1366, 768)
    plain.open(example_path("softmax_stable"))
    before = canvas.camera
    plain.trigger("step_backward")
    plain.qtbot.waitUntil(lambda: canvas.viewport.destination == canvas.camera != before)
    for _ in range(9):
        plain.trigger("step_next")
        plain.qtbot.waitUntil(lambda: canvas.viewport.destination == canvas.camera)
        assert canvas.viewport.seen.contains(canvas.mirror.block_bounds())
    assert plain.window.parts.panels.bottom.shown == "steps"
    plain.trigger("step_leave")
    plain.qtbot.waitUntil(lambda: canvas.camera == before)
    assert plain.window.parts.panels.bottom.shown == ""


@pytest.fixture
def one_by_one() -> Iterator[None]:
    """Changes of place that are animated, as on a screen."""
    set_moves(True)
    yield
    set_moves(False)


def test_who_pans_while_a_panel_is_open_keeps_that_place(plain: Driver) -> None:
    plain.canvas.viewport.fit_page()
    fold(plain, False, "problems")
    plain.canvas.viewport.pan(40, -30)
    there = on_screen(plain, "e")
    fold(plain, True, "problems")
    assert on_screen(plain, "e") == there


@pytest.mark.parametrize("is_unasked", [True, False])
def test_what_is_brought_into_view_unasked_is_no_choice_of_the_user(plain: Driver, is_unasked: bool) -> None:
    plain.canvas.viewport.fit_page()
    before = plain.canvas.camera
    fold(plain, False, "problems")
    plain.canvas.viewport.show_rect(QRectF(3000, 0, 10, 10), is_unasked)
    there = plain.canvas.camera
    fold(plain, True, "problems")
    assert plain.canvas.camera == (before if is_unasked else there) and there != before


def test_a_double_click_means_what_stood_there_at_the_first_press(plain: Driver) -> None:
    canvas = plain.canvas
    canvas.viewport.pan(round(canvas.width() - 20 - canvas.camera.rect_to_view(canvas.mirror.rect("e")).right()), 0)
    at, before = plain.points.view(plain.points.title("e")).toPoint(), canvas.camera
    plain.qtbot.mouseClick(canvas, LEFT, pos=at)
    plain.qtbot.mouseDClick(canvas, LEFT, pos=at)
    plain.qtbot.mouseRelease(canvas, LEFT, pos=at)
    plain.settle()
    assert plain.child(QLineEdit, "inline_edit").text() == "e"
    assert canvas.camera != before


def test_nothing_that_was_opened_comes_back_with_the_next_document(plain: Driver) -> None:
    fold(plain, False, *NAMES)
    plain.window.parts.panels.open_lens("console")
    plain.show(chain())
    assert not plain.window.parts.panels.bottom.isVisible() and not plain.window.parts.panels.overlay.isVisible()


def test_what_an_edit_makes_opens_no_inspector(plain: Driver) -> None:
    overlay = plain.child(QWidget, "inspector_overlay")
    made = plain.add("Exp", QPointF(200, 400))
    assert plain.selection.blocks == {made} and not overlay.isVisible()
    plain.trigger("duplicate")
    assert plain.selection.blocks and not overlay.isVisible()
    plain.hand.click(plain.points.title("e"))
    plain.settle()
    assert overlay.isVisible()


def fold(user: Driver, is_folded: bool, *names: str) -> None:
    panels = user.window.parts.panels
    for name in names:
        if name == "inspector":
            (panels.overlay.close_by_user if is_folded else panels.overlay.open)()
        elif is_folded:
            panels.bottom.close_panel()
        else:
            panels.open_lens(name)
    user.settle()
