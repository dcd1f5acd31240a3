"""Gestures that change the view or the selection, never the graph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gradwire.app.canvas.geometry.view.camera import STEP
from gradwire.app.canvas.overlays import corner
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.selection import Selection
from tests.app.window.driver import LEFT, MIDDLE, RIGHT, Driver, Key, Kind, Mod
from tests.app.window.graphs import annotated

pytestmark = pytest.mark.usefixtures("one_window")

WAY = QPointF(70, -45)


@pytest.fixture
def here(user: Driver) -> Iterator[Driver]:
    """A user with the annotated chain open, who must not change it."""
    user.show(annotated())
    graph = user.graph
    yield user
    assert user.graph is graph


def offset(user: Driver) -> QPointF:
    return QPointF(user.canvas.camera.x, user.canvas.camera.y)


def test_a_middle_drag_pans(here: Driver) -> None:
    before, start = offset(here), here.points.body("e")
    here.hand.drag(start, start + WAY, MIDDLE)
    assert offset(here) == before + WAY
    assert not here.selection


def test_space_with_the_left_button_pans(here: Driver) -> None:
    before, start = offset(here), here.points.body("e")
    here.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyPress(here.canvas, Key.Key_Space)
    here.hand.drag(start, start + WAY)
    QTest.keyRelease(here.canvas, Key.Key_Space)
    assert offset(here) == before + WAY
    assert not here.selection


def test_after_space_the_left_button_selects_again(here: Driver) -> None:
    here.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(here.canvas, Key.Key_Space)
    here.hand.click(here.points.body("e"))
    assert here.selection == Selection(frozenset(["e"]))


def test_a_right_drag_pans_and_opens_no_menu(here: Driver) -> None:
    before, start = offset(here), here.points.body("e")
    here.hand.drag(start, start + WAY, RIGHT)
    assert offset(here) == before + WAY
    assert QApplication.activePopupWidget() is None


def test_the_wheel_zooms_in_and_keeps_the_point_under_the_pointer(here: Driver) -> None:
    at = here.points.body("s")
    seen, scale = here.points.view(at), here.canvas.camera.scale
    here.hand.wheel(at, QPoint(0, 120))
    assert here.canvas.camera.scale == pytest.approx(scale * STEP)
    # The offset is whole px.
    assert (here.points.view(at) - seen).manhattanLength() <= 1.5
    here.hand.wheel(at, QPoint(0, -240))
    assert here.canvas.camera.scale == pytest.approx(scale / STEP)


def test_shift_with_the_wheel_looks_sideways(here: Driver) -> None:
    before = offset(here)
    here.hand.wheel(here.points.body("s"), QPoint(0, 120), keys=Mod.ShiftModifier)
    assert offset(here) == before + QPointF(120, 0)


def test_two_fingers_on_a_trackpad_pan(here: Driver) -> None:
    before, scale = offset(here), here.canvas.camera.scale
    here.hand.wheel(here.points.body("s"), QPoint(0, 40), QPoint(13, -7), phase=Qt.ScrollPhase.ScrollUpdate)
    assert offset(here) == before + QPointF(13, -7)
    assert here.canvas.camera.scale == scale


def test_two_fingers_with_ctrl_zoom(here: Driver) -> None:
    scale = here.canvas.camera.scale
    pixels, phase = QPoint(0, 20), Qt.ScrollPhase.ScrollUpdate
    here.hand.wheel(here.points.body("s"), QPoint(0, 120), pixels, Mod.ControlModifier, phase)
    assert here.canvas.camera.scale > scale


def test_a_pinch_zooms_at_its_middle(here: Driver) -> None:
    at = here.points.body("s")
    view, scale = here.points.view(at), here.canvas.camera.scale
    everywhere = QPointF(here.canvas.mapToGlobal(QPoint())) + view
    device = QPointingDevice.primaryPointingDevice()
    gesture = Qt.NativeGestureType.ZoomNativeGesture
    pinch = QNativeGestureEvent(gesture, device, 2, view, view, everywhere, 0.25, QPointF())
    QApplication.sendEvent(here.canvas, pinch)
    assert here.canvas.camera.scale == pytest.approx(scale * 1.25)
    assert (here.points.view(at) - view).manhattanLength() <= 1.5


def test_a_box_selects_the_blocks_it_touches_and_the_wires_in_it(here: Driver) -> None:
    mirror = here.canvas.mirror
    start = mirror.rect("e").topLeft() - QPointF(70, 40)
    here.hand.drag(start, mirror.rect("s").bottomRight() - QPointF(60, 10))
    assert here.selection.blocks == {"e", "s"}
    assert here.wire("s.x") in here.selection.wires
    assert here.wire("loss.x") not in here.selection.wires


def test_a_box_with_shift_adds_to_the_selection(here: Driver) -> None:
    here.hand.click(here.points.body("c"))
    rect = here.canvas.mirror.rect("loss")
    here.hand.drag(rect.topLeft() - QPointF(30, 30), rect.topLeft() + QPointF(20, 20), keys=Mod.ShiftModifier)
    assert here.selection.blocks == {"c", "loss"}


def test_a_box_without_shift_replaces_the_selection(here: Driver) -> None:
    here.hand.click(here.points.body("c"))
    rect = here.canvas.mirror.rect("loss")
    here.hand.drag(rect.topLeft() - QPointF(30, 30), rect.topLeft() + QPointF(20, 20))
    assert here.selection.blocks == {"loss"}


def test_escape_takes_a_box_back(here: Driver) -> None:
    here.hand.click(here.points.body("c"))
    rect = here.canvas.mirror.rect("loss")
    here.hand.drag(rect.topLeft() - QPointF(30, 30), rect.center(), keys=Mod.ShiftModifier, ends_with=here.escape)
    assert here.selection == Selection(frozenset(["c"]))


def test_a_click_selects_one_thing(here: Driver) -> None:
    for target, expected in (
        (here.points.body("e"), Selection(frozenset(["e"]))),
        (here.points.on_wire(here.wire("s.x")), Selection(wires=frozenset([here.wire("s.x")]))),
        (here.canvas.mirror.frames["spare"].topLeft() + QPointF(20, 10), Selection(frames=frozenset(["spare"]))),
        (here.canvas.mirror.notes["note"].center(), Selection(notes=frozenset(["note"]))),
        (here.points.empty(), Selection()),
    ):
        here.hand.click(target)
        assert here.selection == expected


def test_shift_click_adds_and_takes_away(here: Driver) -> None:
    here.hand.click(here.points.body("e"))
    here.hand.click(here.points.body("s"), keys=Mod.ShiftModifier)
    assert here.selection.blocks == {"e", "s"}
    here.hand.click(here.points.body("e"), keys=Mod.ShiftModifier)
    assert here.selection.blocks == {"s"}


def test_a_click_on_one_of_several_selected_keeps_them_all(here: Driver) -> None:
    here.ctrl(Key.Key_A)
    everything = here.selection
    here.hand.click(here.points.title("e"))
    assert here.selection == everything


def test_escape_without_a_gesture_selects_nothing(here: Driver) -> None:
    here.hand.click(here.points.body("e"))
    here.key(Key.Key_Escape)
    assert not here.selection


def test_a_click_on_the_minimap_goes_there(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner, "MANY", 1)
    minimap = here.child(QWidget, "minimap")
    here.canvas.viewport.pan(-3000, 0)
    assert minimap.isVisible()
    here.qtbot.mouseClick(minimap, LEFT, pos=minimap.rect().center())
    middle = here.canvas.camera.to_scene(QPointF(here.canvas.rect().center()))
    bounds = here.canvas.mirror.bounds(frozenset(here.page.blocks))
    # One px of the minimap, whose middle lies between two, is up to 15 of the scene, across and down.
    assert (middle - bounds.center()).manhattanLength() < 30


def test_minimap_and_legend_make_room_while_something_is_dragged(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner, "MANY", 1)
    minimap, legend = here.child(QWidget, "minimap"), here.child(QWidget, "legend_button")
    during: list[bool] = []
    here.canvas.viewport.pan(0, -round(here.canvas.height() / 2))
    start = here.points.body("e")
    here.hand.drag(
        start, start + WAY, MIDDLE, ends_with=lambda: during.extend([minimap.isVisible(), legend.isVisible()])
    )
    assert during == [False, False]
    assert minimap.isVisible() and legend.isVisible()


def test_the_minimap_comes_only_where_something_is_out_of_view(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner, "MANY", 1)
    minimap = here.child(QWidget, "minimap")
    here.canvas.viewport.fit_page()
    assert not minimap.isVisible()
    here.canvas.viewport.pan(-here.canvas.width(), 0)
    assert minimap.isVisible()


def test_the_legend_turns_the_gradients_off_and_on(here: Driver) -> None:
    button = here.child(QWidget, "legend_button")
    assert (button.x(), button.height()) == (14, 26)
    here.qtbot.mouseClick(button, LEFT)
    assert here.canvas.page_look.overlay is Overlay.OFF
    QTest.keyClick(button, Key.Key_Return)
    assert here.canvas.page_look.overlay is Overlay.MAGNITUDE


@pytest.mark.parametrize(
    ("key", "keys", "moved"),
    [
        (Key.Key_Left, Mod.ControlModifier, (80, 0)),
        (Key.Key_Right, Mod.ControlModifier, (-80, 0)),
        (Key.Key_Up, Mod.ControlModifier, (0, 80)),
        (Key.Key_Down, Mod.ControlModifier, (0, -80)),
    ],
)
def test_ctrl_with_arrows_pans(here: Driver, key: Qt.Key, keys: Qt.KeyboardModifier, moved: tuple[int, int]) -> None:
    before = offset(here)
    here.key(key, keys)
    assert offset(here) == before + QPointF(*moved)


def test_zoom_keys_step_and_go_back_to_100_percent(here: Driver) -> None:
    here.ctrl(Key.Key_Plus)
    assert here.canvas.camera.scale == pytest.approx(STEP)
    here.ctrl(Key.Key_0)
    assert here.canvas.camera.scale == 1.0
    here.ctrl(Key.Key_Minus)
    assert here.canvas.camera.scale == pytest.approx(1 / STEP)


def test_shift_1_fits_the_page_and_shift_2_the_selection(here: Driver) -> None:
    here.canvas.viewport.pan(-5000, 900)
    here.key(Key.Key_1, Mod.ShiftModifier)
    seen = here.canvas.camera.rect_to_scene(here.canvas.rect().toRectF())
    assert seen.contains(here.canvas.mirror.bounds())
    here.hand.click(here.points.body("e"))
    here.key(Key.Key_2, Mod.ShiftModifier)
    assert here.canvas.camera.scale > 1
    middle = here.canvas.camera.to_scene(QPointF(here.canvas.rect().center()))
    assert (middle - here.points.body("e")).manhattanLength() < 4


def test_g_walks_through_the_ways_to_show_gradients_and_back(here: Driver) -> None:
    first = here.canvas.page_look.overlay
    seen = []
    for _ in range(4):
        here.key(Key.Key_G)
        seen.append(here.canvas.page_look.overlay)
    assert len(set(seen)) == 4
    assert seen[-1] is first
    here.key(Key.Key_G, Mod.ShiftModifier)
    assert here.canvas.page_look.overlay is seen[-2]


def test_a_right_press_in_a_drag_with_the_left_button_does_not_end_it(here: Driver) -> None:
    start = here.points.empty()
    here.hand.enter(start)
    here.hand.press(start)
    here.hand.move(start + QPointF(50, 50))
    here.hand.send(Kind.MouseButtonPress, here.points.view(start), RIGHT, LEFT | RIGHT)
    here.hand.send(Kind.MouseButtonRelease, here.points.view(start), RIGHT, LEFT)
    assert here.canvas.gestures.is_dragging
    here.hand.release(start + QPointF(50, 50))
    assert not here.canvas.gestures.is_dragging
