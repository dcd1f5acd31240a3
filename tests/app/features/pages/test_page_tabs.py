"""The tabs show the pages; users can undo adding, removing and renaming."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph


@pytest.fixture
def session() -> Iterator[Session]:
    graph, _ = edits.add_page(Graph(), "attention")
    graph, _ = edits.add_block(graph, "main", "Page", id="attention_1", parameters={"page": "attention"})
    made = Session(graph, InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def tabs(session: Session, qtbot: QtBot) -> PageTabs:
    made = PageTabs(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(700, 32)
    made.show()
    return made


def bar_of(tabs: PageTabs) -> QTabBar:
    found = tabs.findChild(QTabBar, "page_bar")
    assert isinstance(found, QTabBar)
    return found


def field_of(tabs: PageTabs) -> QLineEdit:
    found = tabs.findChild(QLineEdit, "page_name")
    assert isinstance(found, QLineEdit)
    return found


def button_of(tabs: PageTabs, name: str) -> QToolButton:
    found = tabs.findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    return found


def titles(tabs: PageTabs) -> list[str]:
    return [bar_of(tabs).tabText(place) for place in range(bar_of(tabs).count())]


def double_click(tabs: PageTabs, place: int, qtbot: QtBot) -> None:
    spot = bar_of(tabs).tabRect(place).center()
    qtbot.mouseClick(bar_of(tabs), Qt.MouseButton.LeftButton, pos=spot)
    qtbot.mouseDClick(bar_of(tabs), Qt.MouseButton.LeftButton, pos=spot)


def test_there_is_one_tab_a_page(tabs: PageTabs) -> None:
    assert titles(tabs) == ["main", "attention"]
    assert bar_of(tabs).currentIndex() == 0


def test_inside_a_use_the_tab_is_the_way_that_led_there(tabs: PageTabs, session: Session) -> None:
    session.view.enter(session.graph.block("main/attention_1"))
    assert titles(tabs) == ["main", "attention"]
    assert bar_of(tabs).currentIndex() == 1


def test_a_click_shows_the_page(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    qtbot.mouseClick(bar_of(tabs), Qt.MouseButton.LeftButton, pos=bar_of(tabs).tabRect(1).center())
    assert session.page_name == "attention"


def test_a_page_that_is_added_has_a_tab_while_it_is_there(tabs: PageTabs, session: Session) -> None:
    session.view.show(session.apply("Add page", edits.add_page))
    assert titles(tabs) == ["main", "attention", "page"]
    assert session.page_name == "page"
    session.undo()
    assert titles(tabs) == ["main", "attention"]
    assert bar_of(tabs).currentIndex() == 0


def test_the_cross_removes_a_page_and_undo_brings_it_back(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    session.apply("Add page", edits.add_page, "spare")
    qtbot.mouseClick(button_of(tabs, "close_spare"), Qt.MouseButton.LeftButton)
    assert not session.graph.has_page("spare")
    session.undo()
    assert titles(tabs) == ["main", "attention", "spare"]


def test_a_page_in_use_is_not_removed_and_the_reason_is_said(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    with qtbot.waitSignal(session.refused) as refused:
        qtbot.mouseClick(button_of(tabs, "close_attention"), Qt.MouseButton.LeftButton)
    assert refused.args is not None and "used by main/attention_1" in refused.args[0]
    assert titles(tabs) == ["main", "attention"]


def test_the_only_page_has_no_cross(qtbot: QtBot) -> None:
    alone = Session(Graph(), InlineEvaluator)
    tabs = PageTabs(CurrentSession(alone), Appearance("light"))
    qtbot.addWidget(tabs)
    assert titles(tabs) == ["main"]
    assert tabs.findChild(QToolButton, "close_main") is None
    alone.close()


def test_a_double_click_renames_the_page_shown_in_place(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    double_click(tabs, 1, qtbot)
    assert session.page_name == "attention"
    field_of(tabs).selectAll()
    qtbot.keyClicks(field_of(tabs), "focus")
    qtbot.keyClick(field_of(tabs), Qt.Key.Key_Return)
    assert [page.name for page in session.graph.pages] == ["main", "focus"]
    assert session.page_name == "focus"
    assert not field_of(tabs).isVisible()
    session.undo()
    assert "attention" in [page.name for page in session.graph.pages]


def test_a_wrong_name_is_refused_and_stays_to_be_mended(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    qtbot.keyClick(bar_of(tabs), Qt.Key.Key_F2)
    field_of(tabs).selectAll()
    qtbot.keyClicks(field_of(tabs), "a b")
    with qtbot.waitSignal(session.refused):
        qtbot.keyClick(field_of(tabs), Qt.Key.Key_Return)
    assert field_of(tabs).isVisible()
    assert field_of(tabs).property("state") == "error"
    qtbot.keyClick(field_of(tabs), Qt.Key.Key_Escape)
    assert not field_of(tabs).isVisible()
    assert session.graph.has_page("main")


def test_a_name_that_is_taken_is_refused(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    tabs.rename_page("main")
    field_of(tabs).selectAll()
    qtbot.keyClicks(field_of(tabs), "attention")
    with qtbot.waitSignal(session.refused):
        qtbot.keyClick(field_of(tabs), Qt.Key.Key_Return)
    assert titles(tabs) == ["main", "attention"]
    assert session.page_name == "main"


def test_another_document_has_its_own_tabs(tabs: PageTabs, session: Session) -> None:
    other = Session(Graph(), InlineEvaluator)
    tabs.current.show(other)
    assert titles(tabs) == ["main"]
    session.apply("Add page", edits.add_page)
    assert titles(tabs) == ["main"]
    other.close()


def test_the_page_where_nan_arises_has_a_mark(tabs: PageTabs) -> None:
    bar = bar_of(tabs)
    assert [bar.tabToolTip(place) for place in range(2)] == ["", ""]
    infinite = gw.graph(gw.Loss(gw.Log(gw.Input(np.array(0.0), name="x"))))
    graph, _ = edits.add_page(infinite, "quiet")
    session = Session(graph, InlineEvaluator, parent=tabs)
    tabs.current.show(session)
    assert [bar.tabToolTip(place) for place in range(2)] == ["NaN or infinity arises on this page.", ""]


def visible(tabs: PageTabs) -> list[str]:
    return [title for place, title in enumerate(titles(tabs)) if bar_of(tabs).isTabVisible(place)]


def test_the_page_of_a_layer_has_a_tab_while_it_is_shown(session: Session, tabs: PageTabs) -> None:
    before = visible(tabs)
    session.apply("Add Dense", layer_edits.add_layer, "main", LAYERS["Dense"], (0, 0))
    assert visible(tabs) == before
    session.view.show("Dense")
    assert visible(tabs) == [*before, "Dense"]
    assert bar_of(tabs).tabText(bar_of(tabs).currentIndex()) == "Dense"
    session.view.show("main")
    assert visible(tabs) == before
    session.apply("Remove", edits.remove_blocks, "main", "Dense")
    assert titles(tabs) == before


def test_a_page_beside_layers_alone_cannot_be_removed(qtbot: QtBot) -> None:
    graph, made = layer_edits.add_layer(Graph(), "main", LAYERS["Dense"], (0, 0))
    session = Session(graph, InlineEvaluator)
    tabs = PageTabs(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(tabs)
    tabs.show()
    side = QTabBar.ButtonPosition.RightSide
    assert bar_of(tabs).tabButton(0, side) is None
    session.view.show(made)
    assert bar_of(tabs).tabButton(0, side) is not None
    session.view.show("main")
    assert bar_of(tabs).tabButton(0, side) is None
    session.close()


def large(session: Session) -> list[str]:
    """Makes the document one of 21 pages, 20 of which are used; returns the names of these."""

    def add(graph: Graph) -> Graph:
        for number in range(19):
            graph, name = edits.add_page(graph, f"layer_{number}")
            graph, _ = edits.add_block(graph, "main", "Page", parameters={"page": name})
        return graph

    session.apply("Add layers", add)
    return [page.name for page in session.graph.pages if page.name != "main"]


def test_used_pages_of_a_large_document_have_tabs_once_they_were_shown(session: Session, tabs: PageTabs) -> None:
    used = large(session)
    assert len(used) == 20
    assert visible(tabs) == ["main"]
    session.view.enter(session.graph.block("main/attention_1"))
    assert visible(tabs) == ["main", "attention"]
    session.view.show("main")
    assert visible(tabs) == ["main", "attention"]
    for name in used:
        session.view.show(name)
    assert visible(tabs) == ["main", *used[-6:]]


def test_the_cross_of_such_a_tab_closes_it_and_keeps_the_page(tabs: PageTabs, session: Session, qtbot: QtBot) -> None:
    large(session)
    before = session.graph
    session.view.show("layer_3")
    assert button_of(tabs, "close_layer_3").accessibleName() == "Close the tab of page layer_3"
    qtbot.mouseClick(button_of(tabs, "close_layer_3"), Qt.MouseButton.LeftButton)
    assert (session.page_name, visible(tabs)) == ("main", ["main"])
    assert session.graph is before
    session.view.show("layer_3")
    assert visible(tabs) == ["main", "layer_3"]


def test_many_tabs_scroll_and_keep_their_words(tabs: PageTabs, session: Session) -> None:
    for number in range(9):
        session.apply("Add", edits.add_page, f"layer_{number}")
    bar = tabs.findChild(QTabBar)
    assert bar is not None and bar.sizeHint().width() > bar.width()
    for row in range(bar.count()):
        room = bar.tabRect(row).width() - bar.iconSize().width()
        assert room > bar.fontMetrics().horizontalAdvance(bar.tabText(row))
