"""Guides while blocks are moved, the lasso, and scrolling at the edge."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from gradwire.app.canvas.input.edge_scroll import EdgeScroll
from gradwire.app.live.selection import Selection
from tests.app.canvas.pages import scrolls
from tests.app.window.driver import LEFT, MIDDLE, Driver, Kind, Mod
from tests.app.window.graphs import annotated, chain, with_block
from tests.sweeps import a_third_of

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain())
    return user


def picture(user: Driver) -> QImage:
    return user.canvas.grab().toImage()


def accents(user: Driver) -> int:
    """Returns the number of px above the minimap with the accent colour."""
    image, wanted = picture(user), user.canvas.page_look.now().theme.color("accent").rgb()
    bottom = image.height() - 140
    return sum(image.pixel(x, y) == wanted for x in range(0, image.width(), 3) for y in range(0, bottom, 3))


def test_a_block_stops_where_its_wire_is_straight_though_that_is_off_the_grid(user: Driver) -> None:
    user.show(with_block(chain(), "low", "Exp", (240, 424)))
    user.hand.connect(user.points.port("low.y"), user.points.port("t.x"))
    start, way = user.points.title("t"), user.points.port("low.y").y() - user.points.port("t.x").y()
    user.hand.drag(start, start + QPointF(250, way + 2))
    assert user.points.port("t.x").y() == user.points.port("low.y").y()
    assert user.block("t").at == (496, 424)


def test_equal_gaps_attract_and_alt_lets_go(user: Driver) -> None:
    user.show(with_block(with_block(chain(), "a", "Exp", (0, 700)), "b", "Exp", (203, 700)))
    user.hand.put_block("Exp", QPointF(700, 714))
    made = next(iter(user.selection.blocks))
    gap = 203 - user.canvas.mirror.rect("a").right()
    goal = user.canvas.mirror.rect("b").right() + gap
    start = user.points.title(made)
    user.hand.drag(start, start + QPointF(goal - user.canvas.mirror.rect(made).left() + 1, 0))
    assert user.block(made).at == (goal, 704)
    user.undo()
    user.hand.drag(start, start + QPointF(goal - user.canvas.mirror.rect(made).left() + 1, 0), keys=Mod.AltModifier)
    assert user.block(made).at[0] == goal + 1


def test_guides_are_drawn_while_a_block_is_aligned_and_gone_afterwards(here: Driver) -> None:
    start = here.points.title("t")
    seen: list[int] = []
    here.hand.drag(start, start + QPointF(240, 0), ends_with=lambda: (seen.append(accents(here)), here.escape()))
    here.session.select(Selection())
    assert seen[0] > accents(here)


def test_the_lasso_selects_what_it_encloses_and_shift_adds(user: Driver) -> None:
    user.show(annotated(), 0.8)
    box = user.canvas.mirror.rect("e").adjusted(-30, -30, 30, 30)
    around = [box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft(), box.topLeft()]
    keys = Mod.ControlModifier | Mod.AltModifier
    graph = user.graph
    user.hand.stroke(*around, keys=keys)
    assert user.selection == Selection(frozenset(["e"]))
    shift = QPointF(240, 0)
    user.hand.stroke(*(point + shift for point in around), keys=keys | Mod.ShiftModifier)
    assert user.selection == Selection(frozenset(["e", "s"]))
    user.hand.stroke(*around, keys=keys, ends_with=user.escape)
    assert user.selection == Selection(frozenset(["e", "s"]))
    assert user.graph is graph


def test_the_lasso_goes_round_corners_where_a_rectangle_could_not(user: Driver) -> None:
    user.show(annotated(), 0.6)
    # An L around x and c and then t, without e.
    corners = [(-60, -60), (180, -60), (180, 200), (420, 200), (420, 420), (-60, 420), (-60, -60)]
    user.hand.stroke(*(QPointF(x, y) for x, y in corners), keys=Mod.ControlModifier | Mod.AltModifier)
    assert user.selection.blocks == {"x", "c", "t"}
    assert user.selection.frames == {"spare"}


def at_edge(user: Driver, distance: float) -> QPointF:
    """Returns a point at this distance from the right edge of the view, half way up."""
    return QPointF(user.canvas.width() - distance, user.canvas.height() / 2)


def begin(user: Driver, start: QPointF, end: QPointF) -> EdgeScroll:
    """Drags from a point of the scene to one of the view and holds the button."""
    user.hand.enter(start)
    user.hand.press(start)
    user.hand.send(Kind.MouseMove, end, held=LEFT)
    return user.child(EdgeScroll, "edge_scroll")


def test_a_drag_near_the_edge_scrolls_until_it_ends(here: Driver) -> None:
    camera, start = here.canvas.camera, here.points.title("e")
    edge = begin(here, start, at_edge(here, 10))
    here.qtbot.waitUntil(lambda: here.canvas.camera.x < camera.x - 30)
    assert scrolls(edge)
    end = here.canvas.camera.to_scene(at_edge(here, 10))
    here.hand.release(end)
    assert not scrolls(edge)
    assert abs(here.block("e").at[0] - 240 - (end - start).x()) <= 16
    assert here.undo_text() == "Move"


def test_it_stops_when_the_pointer_comes_back_and_when_it_is_cancelled(here: Driver) -> None:
    graph = here.graph
    edge = begin(here, here.points.title("e"), at_edge(here, 10))
    assert scrolls(edge)
    here.hand.send(Kind.MouseMove, at_edge(here, 25), held=LEFT)
    assert not scrolls(edge)
    here.hand.send(Kind.MouseMove, at_edge(here, 23), held=LEFT)
    assert scrolls(edge)
    here.escape()
    assert not scrolls(edge)
    assert here.graph is graph


@pytest.mark.parametrize("grip", a_third_of(["wire", "box", "resize"]))
def test_every_drag_scrolls_but_those_of_the_view_and_of_numbers(here: Driver, grip: str) -> None:
    start = {"wire": here.points.port("c.y"), "box": here.points.empty(), "resize": here.points.edge("e")}[grip]
    assert scrolls(begin(here, start, at_edge(here, 5)))
    here.escape()
    assert not scrolls(begin(here, here.points.number("x", 0), at_edge(here, 5)))
    here.escape()
    here.hand.drag(here.points.empty(), here.canvas.camera.to_scene(at_edge(here, 5)), button=MIDDLE)
    assert not scrolls(here.child(EdgeScroll, "edge_scroll"))


def test_a_wire_follows_while_the_page_scrolls(here: Driver) -> None:
    begin(here, here.points.port("c.y"), at_edge(here, 2))
    camera = here.canvas.camera
    here.qtbot.waitUntil(lambda: here.canvas.camera.x < camera.x - 60)
    here.escape()
    assert not here.canvas.gestures.is_dragging
