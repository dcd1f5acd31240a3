"""Folded panels: the canvas is the window, what stands in their place opens them, and the page gives way to them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain
from tests.app.windows import Make
from tests.sweeps import a_third_of

NAMES = ("inspector", "problems", "slice")


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


def test_a_pinned_inspector_is_a_dock(plain: Driver) -> None:
    overlay, inspector = plain.child(QWidget, "inspector_overlay"), plain.window.parts.docking.panels.inspector
    plain.session.select(Selection(frozenset("e")))
    plain.qtbot.mouseClick(plain.child(QToolButton, "pin_inspector"), LEFT)
    dock = plain.window.parts.docking.docks["inspector"]
    assert dock.isVisible() and dock.isAncestorOf(inspector) and not overlay.isVisible()
    dock.set_folded(True)
    assert overlay.isAncestorOf(inspector)


@pytest.mark.parametrize("name", ["inspector", "problems"])
def test_the_page_gives_way_to_a_panel_and_returns_to_the_pixel(plain: Driver, name: str) -> None:
    canvas, dock = plain.canvas, plain.window.parts.docking.docks[name]
    canvas.viewport.fit_page()
    plain.settle()
    before, picture = on_screen(plain, "e"), canvas.grab().toImage()
    dock.set_folded(False)
    plain.settle()
    assert canvas.viewport.seen.contains(canvas.mirror.block_bounds())
    dock.set_folded(True)
    plain.settle()
    assert on_screen(plain, "e") == before and canvas.grab().toImage() == picture


@pytest.mark.parametrize("order", a_third_of(map(" ".join, itertools.permutations(("inspector", "problems", "slice")))))
def test_panels_that_close_in_any_order_leave_the_page_as_it_was(plain: Driver, order: str) -> None:
    plain.window.resize(1366, 768)
    plain.open(example_path("softmax_stable"))
    plain.canvas.viewport.fit_page()
    before = plain.canvas.camera
    fold(plain, False, "inspector", "problems", "slice")
    plain.trigger("step_backward")
    assert plain.canvas.camera != before
    plain.trigger("step_leave")
    plain.window.parts.docking.lenses.close_lens("steps")
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
    assert plain.window.parts.docking.shown_lens == "steps"
    plain.trigger("step_leave")
    plain.qtbot.waitUntil(lambda: canvas.camera == before)
    assert plain.window.parts.docking.shown_lens == ""
    plain.window.parts.docking.lenses.close_lens("steps")


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
    plain.window.parts.docking.open_lens("flow")
    plain.show(chain())
    assert not any(dock.isVisible() for dock in plain.window.parts.docking.docks.values())
    plain.window.parts.docking.lenses.close_lens("flow")


def test_what_an_edit_makes_opens_no_inspector(plain: Driver) -> None:
    overlay = plain.child(QWidget, "inspector_overlay")
    made = plain.add("Exp", QPointF(200, 400))
    assert plain.selection.blocks == {made} and not overlay.isVisible()
    plain.trigger("duplicate")
    assert plain.selection.blocks and not overlay.isVisible()
    plain.hand.click(plain.points.title("e"))
    plain.settle()
    assert overlay.isVisible()


@pytest.mark.parametrize("size", [(1366, 768), pytest.param((1600, 1000), marks=pytest.mark.long)])
def test_panels_come_back_as_large_as_they_were(plain: Driver, size: tuple[int, int]) -> None:
    plain.window.resize(*size)
    fold(plain, False, *NAMES)
    first = sizes(plain)
    assert first["inspector"] == 320
    assert first["problems"] / first["slice"] == pytest.approx(640 / 400, rel=0.01)
    for names in [*((name,) for name in NAMES), ("slice", "inspector"), ("problems", "slice"), NAMES, NAMES[::-1]]:
        fold(plain, True, *names)
        # The last one first: those of the bottom stand alone for a time.
        for name in reversed(names):
            fold(plain, False, name)
        assert sizes(plain) == first, names


@pytest.mark.long
def test_panels_keep_the_sizes_that_a_hand_has_given_them(make_window: Make, qtbot: QtBot) -> None:
    user = Driver(make_window(InlineEvaluator), qtbot)
    user.window.resize(1600, 1000)
    user.show(chain())
    fold(user, False, *NAMES)
    docks, first = user.window.parts.docking.docks, sizes(user)
    drag_border(user, docks["slice"].geometry().topLeft() + QPoint(-1, 60), QPoint(150, 0))
    drag_border(user, docks["inspector"].geometry().topLeft() + QPoint(-1, 300), QPoint(-40, 0))
    given = sizes(user)
    assert given["slice"] < first["slice"] - 100 and given["inspector"] == 360
    fold(user, True, *NAMES)
    fold(user, False, *NAMES)
    assert sizes(user) == pytest.approx(given, abs=2)
    user.window.session.document.mark_saved()
    user.window.close()
    other = Driver(make_window(InlineEvaluator), qtbot)
    other.window.resize(1600, 1000)
    other.show(chain())
    fold(other, False, *NAMES)
    assert sizes(other) == pytest.approx(given, abs=2)


@pytest.mark.long
def test_the_height_of_one_panel_says_nothing_about_its_share_of_the_width(make_window: Make, qtbot: QtBot) -> None:
    user = Driver(make_window(InlineEvaluator), qtbot)
    user.window.resize(1600, 1000)
    user.show(chain())
    fold(user, False, "problems")
    docks = user.window.parts.docking.docks
    drag_border(user, docks["problems"].geometry().topLeft() + QPoint(200, -1), QPoint(0, -60))
    assert docks["problems"].height() > 260
    fold(user, False, "slice")
    assert docks["problems"].width() / docks["slice"].width() == pytest.approx(640 / 400, rel=0.01)
    assert docks["slice"].height() == docks["problems"].height()


@pytest.mark.parametrize(
    "written",
    a_third_of(
        [
            "inspector",
            "inspector wide high",
            "inspector -3 1 9",
            "chair 3 4",
            "\x00",
            f"slice {10**30} 9",
            "slice " + 5000 * "9 ",
        ]
    ),
)
def test_sizes_that_nobody_can_have_given_are_left_alone(plain: Driver, written: str) -> None:
    plain.window.settings.set_text("panel_sizes", written)
    fold(plain, False, "inspector")
    assert plain.window.parts.docking.docks["inspector"].width() == 320


@pytest.mark.long
def test_a_panel_that_lies_on_another_one_is_seen_when_it_is_opened(make_window: Make, qtbot: QtBot) -> None:
    user = Driver(make_window(InlineEvaluator), qtbot)
    user.show(chain())
    fold(user, False, *NAMES)
    docks = user.window.parts.docking.docks
    user.window.tabifyDockWidget(docks["problems"], docks["slice"])
    for name, other in (("problems", "slice"), ("slice", "problems")):
        fold(user, True, name)
        fold(user, False, name)
        qtbot.waitUntil(lambda name=name: not docks[name].visibleRegion().isEmpty())
        assert docks[other].visibleRegion().isEmpty()
    user.trigger("lens_stops")
    qtbot.waitUntil(lambda: not docks["problems"].visibleRegion().isEmpty())


def fold(user: Driver, is_folded: bool, *names: str) -> None:
    for name in names:
        user.window.parts.docking.docks[name].set_folded(is_folded)
    user.settle()


def sizes(user: Driver) -> dict[str, int]:
    """Width of each panel that is shown, and the height of the bottom. Units: px."""
    docks = user.window.parts.docking.docks
    shown = {name: dock.width() for name, dock in docks.items() if dock.isVisible()}
    return shown | {"bottom": docks["problems"].height()}


def drag_border(user: Driver, place: QPoint, way: QPoint) -> None:
    """Moves a border between panels with the mouse, by way of the system's window: it knows which buttons are held."""
    handle = user.window.windowHandle()
    QTest.mouseMove(handle, place)
    QTest.mousePress(handle, LEFT, pos=place)
    for share in (0.5, 1.0):
        QTest.mouseMove(handle, place + way * share)
        user.settle()
    QTest.mouseRelease(handle, LEFT, pos=place + way)
    user.settle()


def test_the_banner_lies_over_the_canvas(plain: Driver) -> None:
    room = plain.canvas.geometry()
    plain.session.runs.set_ignores_stops(True)
    plain.settle()
    banner = plain.child(QWidget, "banner")
    assert banner.isVisible() and plain.canvas.geometry() == room
    assert banner.geometry().topLeft() == room.topLeft() and banner.height() == 28
    plain.session.runs.set_ignores_stops(False)


def test_of_two_panels_without_room_at_the_bottom_the_newer_one_stays(plain: Driver) -> None:
    docking = plain.window.parts.docking

    def shown() -> set[str]:
        plain.settle()
        there = {name: dock for name, dock in docking.docks.items() if dock.isVisible()}
        boxes = [dock.geometry() for dock in there.values()]
        assert not any(box.intersects(other) for row, box in enumerate(boxes) for other in boxes[:row])
        assert all(plain.window.rect().contains(box) for box in boxes)
        return {*there}

    plain.trigger("text_scale_125")
    plain.window.resize(1300, 768)
    for dock in docking.docks.values():
        dock.set_folded(False)
    assert shown() == set(NAMES)
    docking.open_lens("training")
    assert shown() == {*NAMES} - {"slice"}
    docking.show_slice()
    assert shown() == {*NAMES} - {"problems"}
    docking.open_lens("training")
    assert shown() == {*NAMES} - {"slice"}
    plain.window.resize(1500, 768)
    assert shown() == set(NAMES)
    plain.window.resize(1300, 768)
    assert shown() == {*NAMES} - {"slice"}
    docking.lenses.close_lens("training")
    assert shown() == set(NAMES)
    plain.trigger("text_scale_100")
