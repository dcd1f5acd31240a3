"""A right click lists what can be done with the thing under the pointer, with the shortcuts, and nothing else."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest

from app.commands import COMMANDS
from app.live.session import Selection
from engine import edits
from tests.app.window.driver import RIGHT, Driver, Key
from tests.app.window.graphs import annotated


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def is_possible(user: Driver, name: str) -> bool:
    (command,) = [item for item in COMMANDS if item.id == name]
    return command.is_possible is None or command.is_possible(user.window)


def test_on_a_block(here: Driver) -> None:
    entries = here.menu_of(here.title("e"))
    assert here.selection == Selection(frozenset(["e"]))
    assert {"rename": "F2", "mute": "M", "collapse": "H", "copy": "Ctrl+C", "delete": "Del"}.items() <= entries.items()
    assert "enter" not in entries
    assert "use_loss" not in entries
    assert "stop_here" not in entries


def test_on_a_loss(here: Driver) -> None:
    assert "use_loss" in here.menu_of(here.title("loss"))


def test_on_a_page_block(here: Driver) -> None:
    graph, _ = edits.add_page(here.graph, "inner")
    graph, _ = edits.add_block(graph, "main", "Page", id="use", at=(480, 320), parameters={"page": "inner"})
    here.show(graph)
    assert "enter" in here.menu_of(here.title("use"))


def test_on_a_wire(here: Driver) -> None:
    entries = here.menu_of(here.on_wire(here.wire("s.x")))
    assert entries == {
        "why": "W",
        "stop_here": "S",
        "search": "Tab",
        "ways": "P",
        "card": "Ctrl+Space",
        "delete": "Del",
    }


def test_on_a_note_and_on_a_frame(here: Driver) -> None:
    expected = {"rename": "F2", "delete": "Del"}
    assert here.menu_of(here.canvas.mirror.notes["note"].center()) == expected
    assert here.menu_of(here.canvas.mirror.frames["hollow"].topLeft() + QPointF(20, 10)) == expected


def test_on_nothing(here: Driver) -> None:
    entries = here.menu_of(here.empty())
    assert {"search": "Tab", "select_all": "Ctrl+A", "fit": "Shift+1", "paste": "Ctrl+V"}.items() <= entries.items()
    assert "delete" not in entries


def test_every_entry_is_possible(here: Driver) -> None:
    for place in (here.title("e"), here.title("loss"), here.on_wire(here.wire("s.x")), here.empty()):
        for name in here.menu_of(place):
            assert is_possible(here, name), name


def test_nothing_is_entered_twice_and_no_line_stands_at_the_edge(here: Driver) -> None:
    for place in (here.title("e"), here.on_wire(here.wire("s.x")), here.empty()):
        here.click(place, RIGHT)
        actions = here.menu().actions()
        names = [item.objectName() for item in actions if not item.isSeparator()]
        assert len(names) == len(set(names))
        assert not actions[0].isSeparator()
        assert not actions[-1].isSeparator()
        here.menu().close()
        here.settle()


def test_a_right_click_on_one_of_several_selected_keeps_them(here: Driver) -> None:
    here.ctrl(Key.Key_A)
    everything = here.selection
    here.menu_of(here.title("e"))
    assert here.selection == everything


def test_an_entry_does_what_it_says(here: Driver) -> None:
    here.click(here.title("e"), RIGHT)
    menu = here.menu()
    (mute,) = [item for item in menu.actions() if item.objectName() == "mute"]
    QTest.mouseClick(menu, RIGHT.__class__.LeftButton, pos=menu.actionGeometry(mute).center())
    here.settle()
    assert here.block("e").is_muted


def test_escape_closes_the_menu_and_it_is_gone(here: Driver) -> None:
    graph = here.graph
    here.menu_of(here.title("e"))
    assert here.graph is graph
    assert not [item for item in here.window.children() if item.objectName() == "context_menu"]
