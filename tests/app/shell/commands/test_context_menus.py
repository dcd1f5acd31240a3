"""A right click lists exactly the commands for the item under the pointer, with the shortcuts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from gradwire.app.features.problems.expecting import EXPECTATIONS
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.engine.edits import edits
from tests.app.window.driver import RIGHT, Driver, Key
from tests.app.window.graphs import annotated

pytestmark = pytest.mark.usefixtures("one_window")

EXPECTED = {f"expect_{kind.id}": "" for kind in EXPECTATIONS}


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def is_possible(user: Driver, name: str) -> bool:
    (command,) = [item for item in COMMANDS if item.id == name]
    return command.can_run(user.window.parts)


def test_on_a_block(here: Driver) -> None:
    entries = here.popups.menu_of(here.points.title("e"))
    assert here.selection == Selection(frozenset(["e"]))
    assert {"rename": "F2", "mute": "M", "collapse": "H", "copy": "Ctrl+C", "delete": "Del"}.items() <= entries.items()
    assert EXPECTED.items() <= entries.items() and {"why", "check_gradient"} <= entries.keys()
    assert "enter" not in entries
    assert "use_loss" not in entries
    assert "stop_here" not in entries


def test_on_a_loss(here: Driver) -> None:
    assert "use_loss" in here.popups.menu_of(here.points.title("loss"))


def test_on_a_page_block(here: Driver) -> None:
    graph, _ = edits.add_page(here.graph, "inner")
    graph, _ = edits.add_block(graph, "main", "Page", id="use", at=(480, 320), parameters={"page": "inner"})
    here.show(graph)
    assert "enter" in here.popups.menu_of(here.points.title("use"))


def test_on_a_wire(here: Driver) -> None:
    entries = here.popups.menu_of(here.points.on_wire(here.wire("s.x")))
    assert entries == {
        "why": "W",
        "check_gradient": "",
        **EXPECTED,
        "stop_here": "S",
        "search": "Tab",
        "track": "",
        "ways": "P",
        "card": "Ctrl+Space",
        "delete": "Del",
    }


def test_on_a_note_and_on_a_frame(here: Driver) -> None:
    frame = here.canvas.mirror.frames["hollow"].topLeft() + QPointF(20, 10)
    for place in (here.canvas.mirror.notes["note"].center(), frame):
        entries = here.popups.menu_of(place)
        assert {"rename": "F2", "delete": "Del", "colour_none": "", "colour_violet": ""}.items() <= entries.items()


def test_a_note_takes_the_colour_of_its_menu(here: Driver) -> None:
    here.session.select(Selection(notes=frozenset(["note"])))
    here.settle()
    here.trigger("colour_green")
    assert [note.color for note in here.page.notes if note.id == "note"] == ["green"]
    here.settle()
    assert here.window.parts.actions_by_id["colour_green"].isChecked()


def test_on_nothing(here: Driver) -> None:
    entries = here.popups.menu_of(here.points.empty())
    assert {"search": "Tab", "select_all": "Ctrl+A", "fit": "Shift+1", "paste": "Ctrl+V"}.items() <= entries.items()
    assert "delete" not in entries


def test_every_entry_is_possible(here: Driver) -> None:
    for place in (
        here.points.title("e"),
        here.points.title("loss"),
        here.points.on_wire(here.wire("s.x")),
        here.points.empty(),
    ):
        for name in here.popups.menu_of(place):
            assert is_possible(here, name), name


def test_nothing_is_entered_twice_and_no_line_stands_at_the_edge(here: Driver) -> None:
    for place in (here.points.title("e"), here.points.on_wire(here.wire("s.x")), here.points.empty()):
        here.hand.click(place, RIGHT)
        actions = here.popups.menu().actions()
        names = [item.objectName() for item in actions if not item.isSeparator()]
        assert len(names) == len(set(names))
        assert not actions[0].isSeparator()
        assert not actions[-1].isSeparator()
        here.popups.menu().close()
        here.settle()


BLOCK = ["cut", "copy", "paste", "duplicate", "delete", "rename", "dissolve", "mute", "why", "submenu_More"]
WIRE = ["why", "stop_here", "check_gradient", "submenu_Check", "search", "track", "ways", "card", "delete"]
NOTHING = ["search", "add_note", "add_frame", "add_page", "paste", "select_all", "fit", "arrange", "submenu_More"]


NOTE = ["cut", "copy", "paste", "duplicate", "delete", "rename", "submenu_Colour"]


def test_no_menu_has_more_than_ten_entries(here: Driver) -> None:
    mirror, points = here.canvas.mirror, here.points
    places = {
        "block": (points.title("e"), BLOCK),
        "loss": (points.title("loss"), BLOCK),
        "port": (points.port("e.y"), BLOCK),
        "wire": (points.on_wire(here.wire("s.x")), WIRE),
        "note": (mirror.notes["note"].center(), NOTE),
        "frame": (mirror.frames["hollow"].topLeft() + QPointF(20, 10), NOTE),
        "nothing": (points.empty(), NOTHING),
    }
    for kind, (place, expected) in places.items():
        here.hand.click(place, RIGHT)
        menu = here.popups.menu()
        entries = [item.menu() or item for item in menu.actions() if not item.isSeparator()]
        assert [item.objectName() for item in entries] == expected and len(entries) <= 10, kind
        menu.close()
        here.settle()


def test_a_right_click_on_one_of_several_selected_keeps_them(here: Driver) -> None:
    here.ctrl(Key.Key_A)
    everything = here.selection
    here.popups.menu_of(here.points.title("e"))
    assert here.selection == everything


def test_an_entry_does_what_it_says(here: Driver) -> None:
    here.hand.click(here.points.title("e"), RIGHT)
    menu = here.popups.menu()
    (mute,) = [item for item in menu.actions() if item.objectName() == "mute"]
    QTest.mouseClick(menu, RIGHT.__class__.LeftButton, pos=menu.actionGeometry(mute).center())
    here.settle()
    assert here.block("e").is_muted


def choose(user: Driver, at: QPointF, name: str) -> None:
    """Runs an entry of the context menu at a point by keyboard, also one in the submenu."""
    user.hand.click(at, RIGHT)
    menu = user.popups.menu()
    if name not in [item.objectName() for item in menu.actions()]:
        (below,) = [item for item in menu.actions() if isinstance(item.menu(), QMenu)]
        menu.setActiveAction(below)
        QTest.keyClick(menu, Key.Key_Right)
        found = below.menu()
        assert isinstance(found, QMenu)
        menu = found
    (entry,) = [item for item in menu.actions() if item.objectName() == name]
    menu.setActiveAction(entry)
    QTest.keyClick(menu, Key.Key_Return)
    user.settle()


@pytest.mark.parametrize("on_wire", [True, False])
def test_a_gradient_is_checked_from_the_menu_of_its_wire_and_of_its_block(here: Driver, on_wire: bool) -> None:
    choose(here, here.points.on_wire(here.wire("s.x")) if on_wire else here.points.title("e"), "check_gradient")
    said = [item for item in here.window.findChildren(QLabel, "check_outcome") if item.isVisible()]
    assert [item.text() for item in said] == ["All 3 elements agree with central differences."]
    assert said[0].visibleRegion().boundingRect() == said[0].rect()


def test_a_check_is_added_from_the_menu_of_a_wire(here: Driver) -> None:
    choose(here, here.points.on_wire(here.wire("s.x")), "expect_flow")
    assert here.graph.checks == ({"wire": ["main/e.y", "main/s.x"], "status": "flow"},)
    assert here.session.document.undo_text == "Add check"


def test_in_step_mode_no_gradient_is_checked_or_explained_beside_the_step(here: Driver) -> None:
    here.key(Key.Key_B)
    assert not {"why", "check_gradient"} & here.popups.menu_of(here.points.title("e")).keys()


def test_escape_closes_the_menu_and_it_is_gone(here: Driver) -> None:
    graph = here.graph
    here.popups.menu_of(here.points.title("e"))
    assert here.graph is graph
    assert not [item for item in here.window.children() if item.objectName() == "context_menu"]
