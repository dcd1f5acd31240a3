"""Where the search puts blocks, how the view is shown, and what the window says, in one window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QToolTip

from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.kit.search.places import Thing
from gradwire.app.live.editing import NewBlock
from gradwire.app.live.selection import Selection
from gradwire.app.shell.window.placing import Placer, Side
from gradwire.engine.graph.graph import Port
from tests.app.window.driver import Driver
from tests.app.window.graphs import annotated

pytestmark = pytest.mark.usefixtures("one_window")
GRID = 16


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(annotated())
    return user


def placer(user: Driver) -> Placer:
    return user.window.parts.editor.placer


def corner(user: Driver, side: Side, *names: str) -> tuple[float, float]:
    return placer(user)._corner_beside(names, side).toTuple()  # type: ignore[return-value]


def test_a_block_stands_a_column_beside_others_on_the_grid(here: Driver) -> None:
    """150 px beside them; a new block is 144 px wide. x, e, s and loss are 240 px apart, and c stands below x."""
    rect = here.canvas.mirror.rect("loss")
    after = -(-(rect.right() + 150) // GRID) * GRID
    assert corner(here, Side.AFTER, "loss") == (after, rect.top())
    left = here.canvas.mirror.rect("x")
    assert corner(here, Side.BEFORE, "x") == ((left.left() - 150 - 144) // GRID * GRID, left.top())


def test_beside_several_a_block_stands_below_all_of_them(here: Driver) -> None:
    """48 px below the lowest, beside the last one to the right or the first one to the left."""
    rects = [here.canvas.mirror.rect(name) for name in ("s", "loss")]
    top = -(-(max(rect.bottom() for rect in rects) + 48) // GRID) * GRID
    right = -(-(rects[1].right() + 150) // GRID) * GRID
    assert corner(here, Side.AFTER, "s", "loss") == (right, top)
    x, y = corner(here, Side.BELOW, "loss", "s")
    assert x == rects[1].left() and y >= top


def placed(user: Driver, kind: str) -> str:
    before = set(user.page.blocks)
    placer(user)._take(NewBlock(kind))
    user.settle()
    (made,) = set(user.page.blocks) - before
    return made


def test_what_is_selected_is_continued(here: Driver) -> None:
    here.session.select(Selection(frozenset({"t"})))
    placer(here).search_here()
    made = placed(here, "Exp")
    assert str(here.wire(f"{made}.x").source) == "t.y"
    assert here.page.blocks[made].at is not None and here.page.blocks[made].at[0] > here.page.blocks["t"].at[0]  # type: ignore[index]


def test_a_source_feeds_the_input_that_is_free(here: Driver) -> None:
    """Tanh has its input free: the new block stands to the left of it."""
    here.session.select(Selection(frozenset({"t"})))
    placer(here).search_here()
    made = placed(here, "Constant")
    assert str(here.wire("t.x").source) == f"{made}.y"
    assert here.page.blocks[made].at[0] < here.page.blocks["t"].at[0]  # type: ignore[index]


def test_what_is_chosen_for_a_wire_is_put_into_it(here: Driver) -> None:
    here.session.select(Selection(wires=frozenset({here.wire("s.x")})))
    placer(here).search_here()
    made = placed(here, "Negative")
    assert {f"e.y > {made}.x", f"{made}.y > s.x"} <= here.wires() and "e.y > s.x" not in here.wires()


@pytest.mark.parametrize(
    ("port", "are_outputs", "shift"), [("t.y", True, QPointF(0, -44)), ("t.x", False, QPointF(-144, -44))]
)
def test_a_wire_that_is_drawn_ends_at_the_header_of_the_new_block(
    here: Driver, port: str, are_outputs: bool, shift: QPointF
) -> None:
    """Its port is 44 px below its corner, at the left edge or at the right one, rounded to the grid."""
    at = QPointF(960, 480)
    here.canvas.request_search(at, Port(*port.split(".")), are_outputs=are_outputs)
    made = placed(here, "Exp")
    x, y = here.page.blocks[made].at  # type: ignore[misc]
    wanted = at + shift
    assert abs(x - wanted.x()) <= GRID and abs(y - wanted.y()) <= GRID
    assert (f"t.y > {made}.x" if are_outputs else f"{made}.y > t.x") in here.wires()


def test_without_anything_selected_a_block_stands_where_the_search_was_opened(here: Driver) -> None:
    here.session.select(Selection())
    placer(here).search_at(QPoint(50, 50), "add")
    middle = placer(here).middle
    made = placed(here, "Exp")
    x, y = here.page.blocks[made].at  # type: ignore[misc]
    rect = here.canvas.mirror.rect(made)
    assert abs(x - middle.x()) <= rect.width() and abs(y - middle.y()) <= rect.height()
    placer(here)._take(NewBlock("Exp"))
    assert here.graph is here.session.graph and len(here.page.blocks) == 7, "nothing was asked for"


# The view


def test_gradients_are_shown_in_one_way_after_the_other(here: Driver) -> None:
    viewing, seen = here.window.parts.viewing, []
    heard: list[bool] = []
    here.canvas.page_look.changed.connect(lambda: heard.append(True))
    before = here.canvas.page_look.overlay
    for _ in Overlay:
        viewing.next_overlay(1)
        seen.append(here.canvas.page_look.overlay)
    assert set(seen) == set(Overlay) and seen[-1] is before and len(heard) == 4
    viewing.next_overlay(-1)
    viewing.next_overlay(1)
    assert here.canvas.page_look.overlay is before


def test_fitting_twice_shows_the_whole_page(here: Driver) -> None:
    viewport = here.canvas.viewport
    for _ in range(2):
        viewport.zoom_to(2.0)
        here.window.parts.viewing.fit_page()
        here.settle()
        assert viewport.destination == viewport.page_camera()
    here.window.parts.viewing.fit_page()
    here.settle()
    assert viewport.destination == viewport.whole_camera(viewport.smallest)
    here.session.select(Selection(frozenset({"c"})))
    here.window.parts.viewing.fit_selection()
    here.settle()
    assert viewport.destination == viewport.selection_camera()


@pytest.mark.parametrize(
    ("kind", "name", "chosen"),
    [
        ("block", "t", Selection(frozenset({"t"}))),
        ("frame", "spare", Selection(frames=frozenset({"spare"}))),
        ("note", "note", Selection(notes=frozenset({"note"}))),
    ],
)
def test_what_is_found_is_selected_and_seen(here: Driver, kind: str, name: str, chosen: Selection) -> None:
    here.canvas.viewport.pan(9000, 9000)
    here.window.parts.viewing.go_to_thing(Thing("main", kind, name, ""))  # type: ignore[arg-type, call-arg]
    here.settle()
    assert here.selection == chosen
    before = here.canvas.camera
    here.window.parts.viewing.go_to_thing(Thing("nowhere", kind, name, ""))  # type: ignore[arg-type, call-arg]
    assert here.canvas.camera == before and here.selection == chosen


def test_bookmarks_tell_how_to_set_them_and_lead_back(here: Driver) -> None:
    viewing, said = here.window.parts.viewing, list[str]()
    here.canvas.said.connect(said.append)
    viewing.go_to_bookmark(7)
    viewing.set_bookmark(7)
    place = here.canvas.camera
    here.canvas.viewport.pan(300, 200)
    viewing.go_to_bookmark(7)
    here.settle()
    assert here.canvas.viewport.destination == place
    assert said[:2] == [
        "There is no bookmark 7. Ctrl+Alt+7 sets it.",
        "Bookmark 7 is set. Alt+7 goes there.",
    ]


# What is said


def test_a_sentence_stands_beside_the_pointer_and_in_the_status_bar(here: Driver) -> None:
    layout = here.window.parts.layout
    layout.sayings.say("<b>No</b>.")
    assert layout.status.currentMessage() == "<b>No</b>." and "&lt;b&gt;" in QToolTip.text()
    QToolTip.hideText()
    layout.sayings.say_briefly("Shortly.")
    assert layout.status.currentMessage() == "Shortly."
    layout.sayings.say_briefly("")
    assert layout.status.currentMessage() == ""


# Panels


def test_the_keyboard_goes_round_the_parts_that_are_seen(here: Driver) -> None:
    panels = here.window.parts.panels
    here.canvas.setFocus()
    parts = [here.canvas, *panels.bars]
    seen = []
    for step in (1, 1, 1, 1, -1, -1):
        panels.focus_next(step)
        focused = here.window.focusWidget()
        seen.append(next((n for n, part in enumerate(parts) if part is focused or part.isAncestorOf(focused)), None))
    shown = [n for n, part in enumerate(parts) if part.isVisible()]
    wanted = [shown[place % len(shown)] for place in (1, 2, 3, 4, 3, 2)]
    assert seen == wanted
