"""Tabs of pages: their marks, their menus, who has a cross, and the path beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.pages.breadcrumb import Breadcrumb
from gradwire.app.features.pages.page_bar import PageBar
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar, _RoundField
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import decay
from tests.gallery import example

DARK = Appearance("dark")


def session_of(graph: Graph) -> Session:
    return Session(graph, InlineEvaluator)


@pytest.fixture
def session() -> Iterator[Session]:
    """The pages main, a and b; main uses a, and its loss is NaN."""
    graph, _ = edits.add_page(gw.graph(gw.Loss(gw.Log(gw.Input(np.array(0.0), name="x"), name="log"))), "a")
    graph, _ = edits.add_page(graph, "b")
    graph, _ = edits.add_block(graph, "main", "Page", id="use", parameters={"page": "a"})
    made = session_of(graph)
    yield made
    made.close()


@pytest.fixture
def tabs(session: Session, qtbot: QtBot) -> PageTabs:
    made = PageTabs(CurrentSession(session), DARK)
    qtbot.addWidget(made)
    made.resize(700, 32)
    return made


def bar_of(tabs: PageTabs) -> QTabBar:
    found = tabs.findChild(PageBar)
    assert isinstance(found, PageBar)
    return found


def tips(tabs: PageTabs) -> list[str]:
    return [bar_of(tabs).tabToolTip(place) for place in range(bar_of(tabs).count())]


def is_like(one: QIcon, other: QIcon) -> bool:
    """Whether two icons are drawn alike, at 14 px."""
    size = QSize(14, 14)
    return one.availableSizes()[0] == size and one.pixmap(size).toImage() == other.pixmap(size).toImage()


def results(session: Session, *problems: Problem) -> Results:
    found = session.results
    assert found is not None
    return dataclasses.replace(found, problems=problems)


NAN = "NaN or infinity arises on this page."


def test_pages_where_nan_arises_are_marked_while_the_loss_is_so(tabs: PageTabs, session: Session) -> None:
    assert tips(tabs) == [NAN, "", ""]
    tabs._take_results(results(session, Problem("error", "a/log", "nonfinite", "It does."),
                               Problem("error", "main/log", "shape", "It is wrong.")))  # fmt: skip
    assert tips(tabs) == ["", NAN, ""]
    warned = icon(DARK.theme, "warn", "alarm", 14)
    assert [is_like(bar_of(tabs).tabIcon(place), warned) for place in range(3)] == [False, True, False]
    tabs._take_results(None)
    assert tips(tabs) == ["", "", ""]


def test_a_finite_loss_marks_no_page(tabs: PageTabs, session: Session) -> None:
    x = gw.Input(np.array([0.0, 1.0]), name="x")
    fine = session_of(gw.graph(gw.Loss(gw.ReduceSum(gw.Where(gw.Greater(x, 0.5), gw.Log(x, name="log"), 0.0)))))
    tabs.current.show(fine)
    assert fine.results is not None
    tabs._take_results(dataclasses.replace(fine.results, problems=(Problem("error", "main/log", "nonfinite", "It."),)))
    assert tips(tabs) == [""]
    fine.close()


def test_icons_tell_pages_in_use_from_those_that_stand_alone(tabs: PageTabs, session: Session) -> None:
    session.apply("Mend", edits.set_parameter, "main", "x", "value", np.array(1.0))
    looks = [icon(DARK.theme, name, "text.secondary", 14) for name in ("route", "folder", "route")]
    assert [is_like(bar_of(tabs).tabIcon(place), looks[place]) for place in range(3)] == [True] * 3


def test_a_page_that_gives_a_gradient_says_whose(qtbot: QtBot) -> None:
    graph = example("own_clip")
    ((name, given),) = graph.gradients.items()
    shown = session_of(graph)
    tabs = PageTabs(CurrentSession(shown), DARK)
    qtbot.addWidget(tabs)
    names = [page.name for page in graph.pages]
    found = dict(zip(names, tips(tabs), strict=True))
    assert f"Its own gradient is on page {given}" in found[name]
    assert f"Gives the gradient of page {name}" in found[given]
    assert found["main"] == ""
    assert is_like(bar_of(tabs).tabIcon(names.index(given)), icon(DARK.theme, "grad", "text.secondary", 14))
    shown.close()


def possible(menu: QMenu) -> list[str]:
    return [action.objectName().removeprefix("page_") for action in menu.actions() if action.isEnabled()]


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("main", ["rename", "duplicate", "right", "remove"]),
        ("a", ["rename", "duplicate", "use", "left", "right", "remove"]),
        ("b", ["rename", "duplicate", "use", "left", "remove"]),
    ],
)
def test_the_menu_of_a_page_has_what_is_possible(tabs: PageTabs, name: str, entries: list[str]) -> None:
    assert possible(tabs.menu_of(name)) == entries


def test_the_only_page_cannot_be_moved_or_removed(qtbot: QtBot) -> None:
    alone = session_of(Graph())
    tabs = PageTabs(CurrentSession(alone), DARK)
    qtbot.addWidget(tabs)
    assert possible(tabs.menu_of("main")) == ["rename", "duplicate"]
    assert tabs.isHidden()
    alone.close()


def chosen(tabs: PageTabs, name: str, entry: str) -> None:
    next(action for action in tabs.menu_of(name).actions() if action.objectName() == f"page_{entry}").trigger()


def names(session: Session) -> list[str]:
    return [page.name for page in session.graph.pages]


def test_the_menu_does_what_it_says(tabs: PageTabs, session: Session) -> None:
    asked: list[str] = []
    tabs.use_requested.connect(asked.append)
    chosen(tabs, "a", "use")
    assert asked == ["a"]
    chosen(tabs, "b", "left")
    assert names(session) == ["main", "b", "a"]
    chosen(tabs, "main", "right")
    assert names(session) == ["b", "main", "a"]
    chosen(tabs, "b", "duplicate")
    assert len(names(session)) == 4 and session.page_name not in ("main", "a", "b")
    chosen(tabs, "b", "remove")
    assert "b" not in names(session)
    chosen(tabs, "a", "rename")
    assert not tabs._editor.isHidden() and tabs._editor.text() == "a"


def test_the_menu_of_a_place_beside_all_tabs_is_that_of_the_current_one(
    tabs: PageTabs, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tabs, "menu_of", lambda name: (asked.append(name), QMenu(tabs))[1])
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    session.view.show("b")
    for at in (bar_of(tabs).tabRect(0).center(), bar_of(tabs).tabRect(1).center(), QPoint(5000, 5)):
        tabs._open_menu(at)
    assert asked == ["main", "a", "b"]


def test_a_dropped_tab_moves_its_page_or_goes_back(tabs: PageTabs, session: Session) -> None:
    bar = bar_of(tabs)
    bar.moveTab(0, 2)
    assert tabs._names == ["a", "b", "main"]
    tabs._move(0, 2)
    assert names(session) == ["a", "b", "main"] == [bar.tabText(place) for place in range(3)]
    session.undo()
    assert [bar.tabText(place) for place in range(3)] == ["main", "a", "b"]


def test_f2_alone_renames(tabs: PageTabs) -> None:
    for key, kind, is_taken in (
        (Qt.Key.Key_F2, QEvent.Type.KeyRelease, False),
        (Qt.Key.Key_F3, QEvent.Type.KeyPress, False),
        (Qt.Key.Key_F2, QEvent.Type.KeyPress, True),
    ):
        event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier)
        assert tabs.eventFilter(bar_of(tabs), event) is is_taken
        assert tabs._editor.isHidden() is not is_taken


def test_places_beyond_the_tabs_show_and_rename_nothing(tabs: PageTabs, session: Session) -> None:
    for place in (-1, 3):
        tabs._show(place)
        tabs._rename_tab(place)
        assert session.page_name == "main" and tabs._editor.isHidden()
    tabs._show(2)
    assert session.page_name == "b"
    tabs._rename_tab(2)
    assert tabs._editor.text() == "b"


def test_a_renamed_page_is_followed_only_where_it_was_shown(tabs: PageTabs, session: Session) -> None:
    tabs._rename("b", "c")
    assert session.page_name == "main" and names(session) == ["main", "a", "c"]
    tabs._rename("main", "m")
    assert session.page_name == "m"
    tabs._rename("a", "c")
    assert tabs._editor.property("state") == "error" and names(session) == ["m", "a", "c"]


def test_tabs_are_there_where_there_are_several_and_wanted(tabs: PageTabs, session: Session) -> None:
    assert not tabs.isHidden()
    tabs.set_wanted(False)
    assert tabs.isHidden()
    tabs.set_wanted(True)
    assert not tabs.isHidden()
    button = bar_of(tabs).tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert isinstance(button, QToolButton) and button.accessibleName() == "Remove page a"
    assert button.icon().availableSizes()[0] == QSize(11, 11)
    session.apply("Remove", edits.remove_page, "b")
    session.apply("Remove", edits.remove_blocks, "main", "use")
    session.apply("Remove", edits.remove_page, "a")
    assert names(session) == ["main"] and tabs.isHidden()
    assert bar_of(tabs).tabButton(0, QTabBar.ButtonPosition.RightSide) is None


def test_a_document_of_13_pages_hides_those_in_use(qtbot: QtBot) -> None:
    for count, are_hidden in ((12, False), (13, True)):
        graph = Graph()
        for number in range(count - 1):
            graph, name = edits.add_page(graph, f"layer_{number}")
            graph, _ = edits.add_block(graph, "main", "Page", parameters={"page": name})
        shown = session_of(graph)
        tabs = PageTabs(CurrentSession(shown), DARK)
        qtbot.addWidget(tabs)
        assert tabs._tabs_in_sight() == (1 if are_hidden else count)
        shown.close()


# The path


def parts(shown: Breadcrumb) -> list[str]:
    layout = shown.layout()
    widgets = [layout.itemAt(place).widget() for place in range(layout.count())]  # type: ignore[union-attr]
    return [item.text() for item in widgets if isinstance(item, QLabel | QToolButton)]


def test_the_path_leads_back_to_each_page_on_it(qtbot: QtBot) -> None:
    graph, _ = edits.add_page(Graph(), "inner")
    graph, _ = edits.add_page(graph, "outer")
    graph, _ = edits.add_block(graph, "main", "Page", id="o", parameters={"page": "outer"})
    graph, _ = edits.add_block(graph, "outer", "Page", id="i", parameters={"page": "inner"})
    shown, parent = session_of(graph), QWidget()
    qtbot.addWidget(parent)
    path = Breadcrumb(CurrentSession(shown), parent)
    path.show_trail()
    assert path.isHidden() and parts(path) == []
    for entered, texts in (("main/o", ["main", "/", "o"]), ("outer/i", ["main", "/", "o", "/", "i"])):
        shown.view.enter(shown.graph.block(entered))
        path.show_trail()
        assert not path.isHidden() and parts(path) == texts
    here = path.layout().itemAt(4).widget()  # type: ignore[union-attr]
    assert here.toolTip() == "main/o/i uses page inner"
    crumb = path.findChild(QToolButton, "crumb_1")
    assert isinstance(crumb, QToolButton) and crumb.height() == 24 and crumb.font().pixelSize() == 12
    crumb.click()
    assert shown.page_name == "outer"
    path.show_trail()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    shown.view.enter(shown.graph.block("outer/i"))
    path.show_trail()
    first = list(path.findChildren(QToolButton, "crumb_0"))[-1]
    first.click()
    assert shown.page_name == "main"
    path.show_trail()
    assert path.isHidden()
    shown.close()


# Rounds


@pytest.mark.parametrize("is_modified", [True, False])
def test_undo_is_the_documents_while_nothing_is_typed(qtbot: QtBot, is_modified: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    field = _RoundField(parent)
    field.lineEdit().setModified(is_modified)
    for keys, is_left in (("Ctrl+Z", True), ("Ctrl+Shift+Z", True), ("A", False)):
        key = QKeySequence(keys)[0]
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key.key(), key.keyboardModifiers())
        event.accept()
        is_taken = field.eventFilter(field.lineEdit(), event)
        assert is_taken is (is_left and not is_modified)
        assert event.isAccepted() is not is_taken
        press = QKeyEvent(QEvent.Type.KeyPress, key.key(), key.keyboardModifiers())
        assert not field.eventFilter(field.lineEdit(), press)
    assert not field.eventFilter(field.lineEdit(), QEvent(QEvent.Type.ShortcutOverride))


def test_of_two_loops_each_has_its_row_and_the_name_of_its_block(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = session_of(decay(6, 2))
    rounds = RoundBar(CurrentSession(shown), DARK)
    qtbot.addWidget(rounds)
    assert (rounds.minimumHeight(), rounds.isHidden()) == (32, True)
    shown.view.enter(shown.page.blocks["rec"])
    (loop,) = shown.view.loops
    (row,) = rounds._rows
    row.show_loop(loop, has_others=True)
    assert row._label.text() == "Round of rec" and row._slider.accessibleName() == "Round of rec"
    row.show_loop(loop._replace(times=0, round=0), has_others=False)
    assert (row._label.text(), row._slider.maximum(), row._field.maximum()) == ("Round", 0, 0)
    assert (row._back.isEnabled(), row._next.isEnabled()) == (False, False)
    assert row._slider.sizeHint().width() == 420
    for button in (row._back, row._next):
        assert button.icon().availableSizes()[0] == QSize(14, 14) == button.iconSize() and button.autoRepeat()
    asked, show = list[int](), shown.view.show_round
    monkeypatch.setattr(shown.view, "show_round", lambda of, number: [asked.append(number), show(of, number)])
    row.show_loop(loop._replace(round=3), has_others=False)
    row._back.click()
    row._slider.setValue(3)
    row._next.click()
    assert asked == [2, 3, 4]
    shown.close()
