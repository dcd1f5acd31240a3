"""The window as a whole: welcome page, panels, pages, alarms, themes and the bars around the canvas."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QListView,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)

from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key, Mod
from tests.app.window.graphs import MAIN, chain, misfits, number, wired, with_block
from tests.app.windows import let_go


def with_page() -> Graph:
    """Returns the chain with a page `inner`, which a block `use` on the page main uses."""
    graph, _ = edits.add_page(chain(), "inner")
    return edits.add_block(graph, MAIN, "Page", id="use", at=(480, 240), parameters={"page": "inner"})[0]


def two_losses() -> Graph:
    graph = with_block(chain(), "other", "Loss", (480, 240))
    return wired(graph, "c.y > t.x", "t.y > other.x")


def broken_log() -> Graph:
    """Returns log(0) - log(0): the first wire that is not finite leaves the first Log."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([0.0, 1.0]))
    graph = with_block(graph, "log", "Log", (240, 0))
    graph = with_block(graph, "d", "Subtract", (480, 0))
    graph = with_block(graph, "loss", "Loss", (720, 0))
    return wired(graph, "x.y > log.x", "log.y > d.x", "log.y > d.y", "d.z > loss.x")


def chosen_tab(user: Driver) -> str:
    bar = user.child(QTabBar, "page_bar")
    return bar.tabText(bar.currentIndex())


def test_the_welcome_page_comes_first(user: Driver) -> None:
    assert user.child(QWidget, "welcome").isVisible()
    assert not user.canvas.isVisible()
    assert not user.window.parts.has_document
    assert not user.child(QWidget, "status_bar").isVisible()


def test_the_page_is_not_shown_at_start_where_it_is_not_wanted(user: Driver) -> None:
    user.window.settings.set_flag("show_welcome", False)
    user.window.start()
    assert not user.window.parts.layout.shows_welcome
    assert user.window.parts.has_document


def test_an_example_opens_as_an_untitled_evaluated_copy(user: Driver) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, "learn_softmax_stable"), LEFT)
    user.settle()
    assert user.canvas.isVisible()
    assert user.session.document.path is None
    assert user.session.document.is_saved
    results = user.session.results
    assert results is not None
    assert results.loss is not None
    # The value that the example's own file gives.
    assert float(results.loss.value) == pytest.approx(2.4049315925, abs=5e-11)
    seen = user.canvas.camera.rect_to_scene(user.canvas.rect().toRectF())
    assert seen.contains(user.canvas.mirror.bounds())


def test_the_document_stays_open_behind_the_welcome_page(user: Driver) -> None:
    user.show(chain())
    session = user.session
    user.trigger("welcome")
    assert user.window.parts.layout.shows_welcome
    assert user.window.session is session
    assert user.window.windowTitle() == "Gradwire"


def test_adding_a_page_shows_it(user: Driver) -> None:
    user.show(chain())
    graph = user.graph
    user.trigger("add_page")
    user.settle()
    assert len(user.graph.pages) == 2
    assert user.session.page_name == user.graph.pages[1].name == chosen_tab(user)
    user.undo()
    assert user.graph is graph
    assert user.session.page_name == MAIN


def test_a_page_is_renamed_by_a_double_click_on_its_tab(user: Driver) -> None:
    user.show(with_page())
    bar = user.child(QTabBar, "page_bar")
    place = bar.tabRect(1).center() - QPoint(10, 0)
    QTest.mouseClick(bar, LEFT, pos=place)
    QTest.mouseDClick(bar, LEFT, pos=place)
    field = user.child(QLineEdit, "page_name")
    assert field.isVisible()
    field.selectAll()
    QTest.keyClicks(field, "attention")
    QTest.keyClick(field, Key.Key_Return)
    user.settle()
    assert [page.name for page in user.graph.pages] == [MAIN, "attention"]
    assert user.graph.page(MAIN).blocks["use"].parameters["page"] == "attention"
    assert user.session.page_name == "attention"


def test_the_cross_removes_a_page_and_undo_brings_it_back(user: Driver) -> None:
    graph, _ = edits.add_page(chain(), "spare")
    user.show(graph)
    user.session.view.show("spare")
    user.qtbot.mouseClick(user.child(QToolButton, "close_spare"), LEFT)
    user.settle()
    assert [page.name for page in user.graph.pages] == [MAIN]
    assert user.session.page_name == MAIN
    user.undo()
    assert user.graph is graph


def test_a_page_in_use_cannot_be_removed(user: Driver) -> None:
    user.show(with_page())
    graph, said = user.graph, user.listen()
    user.qtbot.mouseClick(user.child(QToolButton, "close_inner"), LEFT)
    user.settle()
    if user.graph is graph:
        assert len(said) == 1 and said[0].endswith(".")
    else:
        user.undo()
        assert user.graph is graph


def test_a_double_click_enters_a_page_block_and_a_tab_leads_back(user: Driver) -> None:
    user.show(with_page())
    user.hand.double_click(user.points.body("use"))
    assert (user.session.page_name, user.session.prefix) == ("inner", "main/use")
    assert chosen_tab(user) == "inner"
    bar = user.child(QTabBar, "page_bar")
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(0).center() - QPoint(10, 0))
    user.settle()
    assert user.session.page_name == MAIN


def test_each_page_keeps_its_view(user: Driver) -> None:
    user.show(with_page())
    user.canvas.viewport.zoom_to(1.7)
    camera = user.canvas.camera
    user.session.view.show("inner")
    user.session.view.show(MAIN)
    assert user.canvas.camera == camera


def test_without_pages_but_one_there_is_no_cross(user: Driver) -> None:
    user.show(chain())
    assert not [item for item in user.window.findChildren(QToolButton) if item.objectName().startswith("close_")]


def test_a_click_on_a_problem_selects_its_block_and_centres_it(user: Driver) -> None:
    user.show(wired(misfits(), "b.y > mm.b"))
    user.canvas.viewport.pan(4000, 3000)
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
    listed = user.child(QListView, "problems_list")
    user.qtbot.waitUntil(lambda: listed.model().rowCount() > 0)
    user.qtbot.mouseClick(listed.viewport(), LEFT, pos=listed.visualRect(listed.model().index(0, 0)).center())
    user.settle()
    assert user.selection == Selection(frozenset(["mm"]))
    middle = user.canvas.camera.to_scene(user.canvas.rect().center().toPointF())
    assert (middle - user.points.body("mm")).manhattanLength() < 4


def test_a_problem_on_another_page_shows_that_page(user: Driver) -> None:
    graph, _ = edits.add_page(chain(), "second")
    graph, _ = edits.add_block(graph, "second", "MatMul", id="mm", at=(0, 0))
    user.show(graph)
    user.window.parts.viewing.go_to("second/mm")
    assert user.session.page_name == "second"
    assert user.selection.blocks == {"mm"}


def test_the_sentence_about_a_nan_leads_to_its_first_wire_and_tells_why(user: Driver) -> None:
    user.show(broken_log())
    button = user.child(QToolButton, "status_action")
    user.qtbot.waitUntil(button.isVisible)
    assert user.window.parts.layout.status.sentence.text.startswith("NaN starts at ")
    user.canvas.viewport.pan(4000, 0)
    user.qtbot.mouseClick(button, LEFT)
    user.settle()
    (wire,) = user.selection.wires
    results = user.session.results
    assert results is not None and user.session.link(wire) == results.nonfinite_wires[0]
    assert user.canvas.viewport.seen.contains(user.points.on_wire(wire))
    assert user.child(QWidget, "inspector_overlay").isVisible()


def test_the_inspector_leads_to_the_block_where_nan_begins(user: Driver) -> None:
    """Uses d log(0) - d log(0): Log receives 0, its derivative is infinite, and x gets NaN."""
    user.show(broken_log())
    user.window.parts.viewing.go_to("main/x")
    button = user.child(QPushButton, "why_origin_0")
    user.qtbot.waitUntil(button.isVisible)
    user.canvas.viewport.pan(4000, 0)
    user.qtbot.mouseClick(button, LEFT)
    user.settle()
    assert user.selection == Selection(frozenset(["log"]))
    assert user.canvas.camera.rect_to_scene(user.canvas.rect().toRectF()).contains(user.points.body("log"))


def test_a_clean_graph_sounds_no_alarm(user: Driver) -> None:
    user.show(chain())
    user.qtbot.waitUntil(lambda: not user.session.scheduler.is_busy)
    assert user.window.parts.layout.status.sentence.token != "alarm"


def test_a_loss_is_differentiated_alone_or_with_all_others(user: Driver) -> None:
    user.show(two_losses())
    user.session.select(Selection(frozenset(["loss"])))
    user.settle()
    user.trigger("use_loss")
    assert user.graph.loss == "main/loss"
    user.trigger("use_loss")
    assert user.graph.loss is None


def test_the_status_line_adds_a_loss_to_the_selected_block(user: Driver) -> None:
    graph = edits.remove_blocks(chain(), MAIN, ["loss", "t"])
    user.show(graph)
    button = user.child(QToolButton, "status_action")
    user.qtbot.waitUntil(button.isVisible)
    user.hand.click(user.points.title("s"))
    user.qtbot.mouseClick(button, LEFT)
    user.settle()
    assert f"s.y > {user.only('Loss')}.x" in user.wires()
    assert user.window.parts.layout.status.sentence.act != "loss"
    user.undo()
    assert user.graph is graph


def test_a_run_that_takes_long_offers_a_pause_and_goes_with_the_run(
    user: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.show(number())
    session, status = user.session, user.window.parts.layout.status
    for is_paused in (False, True):
        monkeypatch.setattr(type(session.scheduler), "seconds", 2.5)
        session.busy_changed.emit(True)
        user.qtbot.waitUntil(lambda: status.sentence.act == "pause")
        if is_paused:
            user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
            user.settle()
        monkeypatch.setattr(type(session.scheduler), "seconds", 0.0)
        session.busy_changed.emit(False)
        assert status.sentence.act != "pause" and session.runs.is_live is not is_paused


def test_the_status_line_turns_stopgradient_on_again_and_nothing_covers_the_page(user: Driver) -> None:
    user.show(chain())
    camera, button = user.canvas.camera, user.child(QToolButton, "status_action")
    user.key(Key.Key_S, Mod.ShiftModifier)
    user.settle()
    assert button.text() == "Turn on"
    assert user.canvas.camera == camera
    user.qtbot.mouseClick(button, LEFT)
    user.settle()
    assert not user.session.runs.ignores_stops and button.text() != "Turn on"


def test_f11_shows_only_the_canvas_and_everything_again(user: Driver) -> None:
    user.show(chain())
    user.trigger("add_page")
    user.window.parts.panels.open_lens("problems")
    others = ["problems_panel", "top_bar", "page_tabs", "status_bar"]
    user.key(Key.Key_F11)
    assert user.canvas.isVisible()
    assert [name for name in others if user.child(QWidget, name).isVisible()] == []
    user.escape()
    assert [name for name in others if not user.child(QWidget, name).isVisible()] == []


@pytest.mark.long
def test_the_theme_changes_the_colours_on_the_screen(user: Driver) -> None:
    user.show(chain())
    place = user.points.view(user.points.empty()).toPoint()

    def color() -> int:
        return user.canvas.grab().toImage().pixelColor(place).lightness()

    dark = color()
    user.trigger("theme_light")
    assert color() > dark + 100
    assert user.window.settings.text("theme") == "light"
    user.trigger("theme_dark")
    assert color() == dark


def test_the_title_tells_whether_the_graph_is_saved(user: Driver) -> None:
    user.show(chain())
    assert "untitled" in user.window.windowTitle()
    assert not user.window.isWindowModified()
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    assert user.window.isWindowModified()
    assert user.child(QToolButton, "graph_name").text() == "untitled •"
    user.undo()
    assert not user.window.isWindowModified()
    assert user.child(QToolButton, "graph_name").text() == "untitled"


def test_the_status_bar_counts_blocks_and_wires(user: Driver) -> None:
    user.show(chain())
    assert "6 blocks · 3 wires" in user.window.parts.layout.status.details


def test_a_window_that_was_closed_hears_of_no_size_of_texts(user: Driver) -> None:
    other = user.window.open_beside()
    other.close_unasked()
    other.deleteLater()
    let_go()
    # An exception in what the closed window had connected would fail the test.
    user.window.appearance.set_text_scale(1.25)
    user.window.appearance.set_text_scale(1.0)
