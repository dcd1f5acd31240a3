"""Curved wires: chosen in the View menu or the settings, stored, and used like all wires."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.geometry.curves import is_curve
from gradwire.app.canvas.geometry.routing import distances
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.app.shell.documents.exports.pictures import drawing
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.graph.graph import Wire
from tests.app.canvas.pages import pixels
from tests.app.window.driver import LEFT, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import chain, wired, with_block
from tests.sweeps import a_third_of

pytestmark = pytest.mark.long


@pytest.fixture
def here(user: Driver) -> Driver:
    """Curved wires, one that rises and one that runs back."""
    graph = with_block(chain(), "back", "Tanh", (-240, 200))
    user.show(wired(graph, "c.y > t.x", "e.y > back.x"))
    user.trigger("wires_curves")
    return user


def on_curve(user: Driver, wire: Wire, share: float = 0.5) -> QPointF:
    mirror = user.canvas.mirror
    return mirror.path(mirror.wire_rows[wire]).pointAtPercent(share)


def picture(widget: QWidget) -> np.ndarray:
    return pixels(widget.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32))


def test_the_view_menu_curves_the_wires_and_straightens_them(here: Driver) -> None:
    actions = here.window.parts.actions_by_id
    assert is_curve(here.canvas.mirror.points)
    assert (actions["wires_curves"].isChecked(), actions["wires_corners"].isChecked()) == (True, False)
    here.trigger("wires_corners")
    assert not is_curve(here.canvas.mirror.points)
    assert (actions["wires_curves"].isChecked(), actions["wires_corners"].isChecked()) == (False, True)


def test_the_canvas_and_the_minimap_show_the_change_and_the_graph_has_none(here: Driver) -> None:
    minimap, graph = here.child(QWidget, "minimap"), here.graph
    before = picture(here.canvas), picture(minimap)
    here.trigger("wires_corners")
    assert not np.array_equal(picture(here.canvas), before[0])
    assert not np.array_equal(picture(minimap), before[1])
    here.trigger("wires_curves")
    assert np.array_equal(picture(here.canvas), before[0])
    assert here.graph is graph


def test_the_settings_offer_both(here: Driver) -> None:
    here.trigger("settings")
    box = here.child(QComboBox, "setting_wires")
    assert box.currentData() == "curves"
    box.activated.emit(box.findData("corners"))
    assert not is_curve(here.canvas.mirror.points)
    assert here.window.settings.text("wires") == "corners"
    here.child(QDialog, "settings_dialog").close()


def test_another_document_and_another_page_are_curved_too(here: Driver) -> None:
    here.show(chain())
    assert is_curve(here.canvas.mirror.points)


def test_wires_are_curved_again_at_the_next_start(qapp: QApplication, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "kept.ini")
    settings.set_text("wires", "curves")
    settings.sync()
    window = MainWindow(Settings(tmp_path / "kept.ini"), Appearance("dark"), InlineEvaluator)
    window.parts.document.show(chain())
    assert is_curve(window.parts.canvas.mirror.points)
    window.close()
    window.deleteLater()


@pytest.mark.parametrize("text", a_third_of(["", "round", "CURVES"]))
def test_what_nobody_can_have_chosen_means_corners(here: Driver, text: str) -> None:
    here.window.settings.set_text("wires", text)
    assert not is_curve(here.canvas.mirror.points)


def test_a_click_on_the_curve_selects_its_wire_and_one_beside_it_nothing(here: Driver) -> None:
    wire = here.wire("back.x")
    here.hand.click(on_curve(here, wire))
    assert here.selection == Selection(wires=frozenset([wire]))
    beside = on_curve(here, wire) + QPointF(0, 16)
    while here.canvas.mirror.label_at(beside) is not None:
        beside += QPointF(0, 8)
    here.hand.click(beside)
    assert here.selection == Selection()


def test_the_knife_cuts_where_the_curve_runs(here: Driver) -> None:
    at, before = on_curve(here, here.wire("back.x")), here.wires()
    here.hand.drag(at - QPointF(0, 20), at + QPointF(0, 20), button=RIGHT, keys=Mod.ControlModifier)
    assert before - here.wires() == {"e.y > back.x"}
    here.undo()
    assert here.wires() == before


def test_a_click_on_the_curve_selects_its_wire_for_the_search(here: Driver) -> None:
    here.hand.click(on_curve(here, here.wire("back.x")))
    here.key(Key.Key_Tab)
    here.popups.search("Identity")
    made = here.only("Identity")
    assert {f"e.y > {made}.x", f"{made}.y > back.x"} <= here.wires()


def test_a_dot_lies_on_the_curve_and_both_parts_are_curves(here: Driver) -> None:
    at = on_curve(here, here.wire("back.x"))
    here.hand.double_click(at)
    dot = here.only("Reroute")
    assert (here.canvas.mirror.rect(dot).center() - at).manhattanLength() <= 16
    mirror = here.canvas.mirror
    for wire in (here.wire(f"{dot}.x"), here.wire("back.x")):
        points = mirror.points[mirror.wire_rows[wire]]
        assert is_curve(points) and np.ptp(points, axis=0).max() > 16


def test_the_wire_that_is_being_drawn_is_a_curve(here: Driver) -> None:
    seen: list[np.ndarray] = []
    start, end = here.points.port("s.y"), here.points.port("s.y") + QPointF(120, 140)
    for shape in ("wires_corners", "wires_curves"):
        here.trigger(shape)
        here.hand.drag(start, end, ends_with=lambda: (seen.append(picture(here.canvas)), here.escape()))
    assert not np.array_equal(*seen)


def test_curves_follow_a_block_that_is_dragged(here: Driver) -> None:
    here.hand.drag(here.points.title("back"), here.points.title("back") + QPointF(32, 64))
    mirror = here.canvas.mirror
    points = mirror.points[[mirror.wire_rows[here.wire("back.x")]]]
    port = here.points.port("back.x")
    assert distances(points, port.x(), port.y())[0] < 1e-6


def test_the_shape_of_wires_can_change_in_the_middle_of_a_drag(here: Driver) -> None:
    start = here.points.title("back")
    here.hand.drag(start, start + QPointF(48, 32), ends_with=lambda: here.trigger("wires_corners"))
    assert not is_curve(here.canvas.mirror.points)
    port = here.points.port("back.x")
    mirror = here.canvas.mirror
    assert mirror.points[mirror.wire_rows[here.wire("back.x")], -1].tolist() == [port.x(), port.y()]


def test_pictures_for_files_show_what_the_canvas_shows(here: Driver) -> None:
    made = drawing(here.canvas, None)
    curved = made.svg(theme("light")), made.image(theme("light")), made.pdf(theme("light"))
    here.trigger("wires_corners")
    cornered = made.svg(theme("light")), made.image(theme("light")), made.pdf(theme("light"))
    assert all(one != other for one, other in zip(curved, cornered, strict=True))
    assert curved[0].count(b"C") > cornered[0].count(b"C")


def test_pointing_at_a_curve_marks_it(here: Driver) -> None:
    at = on_curve(here, here.wire("back.x"))
    before = picture(here.canvas)
    here.hand.enter(at)
    assert not np.array_equal(picture(here.canvas), before)
    here.hand.press(here.points.empty(), LEFT)
    here.hand.release(here.points.empty(), LEFT)
