"""Back and forward, bookmarks, and the commands that fit the view."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradwire.app.canvas.overlays.view_history import Place, as_list, from_list
from gradwire.app.canvas.painting.magnitudes import magnitude
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import moves
from gradwire.engine.files.files import save
from tests.app.window.driver import NONE, Driver, Key, Kind, Mod
from tests.app.window.graphs import MAIN, annotated
from tests.sweeps import a_third_of


def middle(user: Driver) -> QPointF:
    return user.canvas.camera.to_scene(QPointF(user.canvas.width() / 2, user.canvas.height() / 2))


def go_to(user: Driver, path: str) -> None:
    user.window.parts.viewing.go_to(path)
    user.settle()


def close_to(one: QPointF, other: QPointF) -> bool:
    return (one - other).manhattanLength() < 4


@pytest.mark.long
def test_back_and_forward_go_between_places(here: Driver) -> None:
    first = middle(here)
    go_to(here, "main/loss")
    second = middle(here)
    assert not close_to(first, second)
    here.ctrl(Key.Key_BracketLeft)
    assert close_to(middle(here), first)
    here.ctrl(Key.Key_BracketRight)
    assert close_to(middle(here), second)


def test_the_buttons_of_the_mouse_do_so_too(here: Driver) -> None:
    first = middle(here)
    go_to(here, "main/loss")
    second = middle(here)
    here.hand.send(Kind.MouseButtonPress, QPointF(50, 50), Qt.MouseButton.BackButton, Qt.MouseButton.BackButton)
    assert close_to(middle(here), first)
    here.hand.send(Kind.MouseButtonPress, QPointF(50, 50), Qt.MouseButton.ForwardButton, Qt.MouseButton.ForwardButton)
    assert close_to(middle(here), second)


def test_panning_and_zooming_move_the_place_they_do_not_add_one(here: Driver) -> None:
    go_to(here, "main/loss")
    here.canvas.viewport.pan(60, 40)
    here.canvas.viewport.zoom_by(1)
    moved = middle(here)
    here.ctrl(Key.Key_BracketLeft)
    here.ctrl(Key.Key_BracketRight)
    assert close_to(middle(here), moved)


def test_back_returns_to_the_page_one_came_from(here: Driver) -> None:
    here.canvas.viewport.pan(-90, 30)
    # Tabs are there already.
    here.trigger("add_page")
    here.session.view.show(MAIN)
    before = middle(here)
    here.trigger("add_page")
    other = here.session.page_name
    assert other != MAIN
    here.ctrl(Key.Key_BracketLeft)
    assert here.session.page_name == MAIN
    assert close_to(middle(here), before)
    here.ctrl(Key.Key_BracketRight)
    assert here.session.page_name == other


def test_a_page_that_is_gone_is_passed_over(here: Driver) -> None:
    # Tabs are there already.
    here.trigger("add_page")
    here.session.view.show(MAIN)
    first, pages = middle(here), [page.name for page in here.graph.pages]
    here.trigger("add_page")
    here.session.view.show(MAIN)
    go_to(here, "main/loss")
    here.undo()
    assert [page.name for page in here.graph.pages] == pages
    for _ in range(4):
        here.ctrl(Key.Key_BracketLeft)
    assert here.session.page_name == MAIN
    assert close_to(middle(here), first)


def test_a_new_way_ends_the_way_forward(here: Driver) -> None:
    go_to(here, "main/loss")
    here.ctrl(Key.Key_BracketLeft)
    go_to(here, "main/t")
    assert not here.window.parts.viewing.history.can_turn(1)


def test_another_document_has_its_own_history(here: Driver) -> None:
    go_to(here, "main/loss")
    here.show(annotated())
    assert not here.window.parts.viewing.history.can_turn(-1)
    assert not here.window.parts.actions_by_id["back"].isEnabled()


def test_a_bookmark_leads_back(here: Driver) -> None:
    go_to(here, "main/t")
    place = middle(here)
    here.key(Key.Key_3, Mod.ControlModifier | Mod.AltModifier)
    go_to(here, "main/loss")
    here.key(Key.Key_3, Mod.AltModifier)
    assert close_to(middle(here), place)
    assert here.undo_text() is None


def test_a_bookmark_that_is_not_set_goes_nowhere(here: Driver) -> None:
    before = here.canvas.camera
    here.key(Key.Key_8, Mod.AltModifier)
    assert here.canvas.camera == before


def test_bookmarks_are_remembered_with_the_file(here: Driver, tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    save(annotated(), path)
    here.open(path)
    go_to(here, "main/t")
    place = middle(here)
    here.trigger("set_bookmark_1")
    here.show(annotated())
    here.key(Key.Key_1, Mod.AltModifier)
    assert not close_to(middle(here), place)
    here.open(path)
    here.key(Key.Key_1, Mod.AltModifier)
    assert close_to(middle(here), place)


def test_a_document_saved_later_keeps_its_bookmarks(here: Driver, tmp_path: Path) -> None:
    path = tmp_path / "b.graph"
    go_to(here, "main/t")
    place = middle(here)
    here.trigger("set_bookmark_2")
    here.window.parts.documents.saving.save_to(path)
    here.show(annotated())
    here.open(path)
    here.key(Key.Key_2, Mod.AltModifier)
    assert close_to(middle(here), place)


@pytest.mark.parametrize("values", [None, [], ["main"], ["main", "main", 0, 0, 0], ["main", 1, 0, 0, 1], [1] * 5])
def test_a_damaged_bookmark_is_none(values: object) -> None:
    assert from_list(values) is None


def test_a_place_is_written_down_and_read_back() -> None:
    place = Place("main", "main/a", 1.5, -2.0, 0.75)
    assert from_list(as_list(place)) == place


@pytest.mark.parametrize("key", [(Key.Key_1, Mod.ShiftModifier), (Key.Key_Home, NONE)])
def test_the_page_is_fitted(here: Driver, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    whole = here.canvas.camera
    here.canvas.viewport.zoom_to(2.0)
    here.key(*key)
    assert here.canvas.camera == whole


@pytest.mark.parametrize("key", [(Key.Key_2, Mod.ShiftModifier), (Key.Key_Period, Mod.KeypadModifier)])
def test_the_selection_is_fitted(here: Driver, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    here.session.select(Selection(frozenset(["t"])))
    here.key(*key)
    assert close_to(middle(here), here.canvas.mirror.rect("t").center())


def test_a_note_and_a_wire_can_be_fitted_too(here: Driver) -> None:
    here.session.select(Selection(notes=frozenset(["note"])))
    here.trigger("fit_selection")
    assert close_to(middle(here), here.canvas.mirror.notes["note"].center())


@pytest.mark.parametrize(("key", "scale"), a_third_of([(Key.Key_Plus, 1.0), (Key.Key_Minus, 1.0), (Key.Key_0, 1.0)]))
def test_the_keys_that_zoom_keep_the_middle(here: Driver, key: Qt.Key, scale: float) -> None:
    before = middle(here)
    here.ctrl(key)
    assert close_to(middle(here), before)


def test_the_wheel_pans_where_that_is_set(here: Driver) -> None:
    here.window.settings.set_flag("wheel_pans", True)
    camera = here.canvas.camera
    here.hand.wheel(here.points.body("e"), QPoint(0, 120))
    assert here.canvas.camera == camera.moved(0, 120)
    here.hand.wheel(here.points.body("e"), QPoint(0, 120), keys=Mod.ControlModifier)
    assert here.canvas.camera.scale > camera.scale
    here.window.settings.set_flag("wheel_pans", False)
    here.hand.wheel(here.points.body("e"), QPoint(0, 120))
    assert here.canvas.camera.scale > camera.scale * 1.3


def test_the_setting_of_motion_is_followed(here: Driver) -> None:
    for setting, is_moving in (("full", True), ("reduced", False), ("system", False)):
        here.window.settings.set_text("motion", setting)
        assert moves() is is_moving


def test_a_drag_in_the_minimap_moves_the_view(here: Driver) -> None:
    minimap = here.window.parts.viewing.corner.minimap
    here.canvas.viewport.zoom_to(2.0)
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    first = middle(here)
    QTest.mouseMove(minimap, QPoint(120, 60))
    here.settle()
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=QPoint(120, 60))
    assert middle(here).x() > first.x() + 50


def test_the_legend_offers_fixed_ranges(here: Driver) -> None:
    menu = here.window.parts.viewing.corner.button.menu()
    actions = [item for item in menu.actions() if "ange" in item.text() or "…" in item.text()]
    assert actions[0].isChecked()
    next(item for item in actions if item.text() == "1e−6 … 1").trigger()
    mirror = here.canvas.mirror
    assert (mirror.top, mirror.span) == (1.0, 6.0)
    # t = 1 − (log10 top − log10 |g|) / span
    row = mirror.wire_rows[here.wire("loss.x")]
    assert magnitude(mirror, row) == 1.0
    actions[0].trigger()
    assert mirror.fixed_range is None
    menu.deleteLater()


def test_the_scale_begins_at_the_smallest_gradient_that_is_shown(here: Driver) -> None:
    mirror = here.canvas.mirror
    norms = [here.session.wire(wire).gradient.norm for wire in mirror.wires]
    assert mirror.low == min(norm for norm in norms if norm > 0)
    here.canvas.page_look.set_range((1e6, 1.0))
    assert mirror.low == 1e5
    here.canvas.page_look.set_range(None)


def test_the_range_of_magnitudes_is_in_the_menu_of_the_legend(here: Driver) -> None:
    here.trigger("range")
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert menu.objectName() == "legend_menu"
    menu.close()
    here.settle()
