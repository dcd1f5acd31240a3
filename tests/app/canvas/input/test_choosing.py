"""Drags that select or change a width, with a stand-in for the canvas: both sides of each limit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.gestures.choose import BoxSelect, Lasso
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.resize import Resize
from gradwire.app.canvas.input.page_actions import place_under
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from tests.app.canvas.pages import mirror_of
from tests.app.drawn_shapes import recorded
from tests.app.window.graphs import annotated

pytestmark = pytest.mark.usefixtures("qapp")


def host(mirror: Mirror) -> Any:
    return SimpleNamespace(mirror=mirror, session=mirror.session, update=lambda: None)


def pointer(x: float, y: float, keys: Modifiers = Modifiers.NoModifier) -> Pointer:
    return Pointer(QPointF(x, y), QPointF(x, y), keys)


@pytest.fixture
def mirror() -> Mirror:
    return mirror_of(annotated())


def dragged(kind: Any, mirror: Mirror, *ways: tuple[float, float], keys: Modifiers = Modifiers.NoModifier) -> Selection:
    gesture = kind(host(mirror), pointer(*ways[0], keys))
    for way in ways[1:]:
        gesture.move(pointer(*way, keys))
    gesture.finish(pointer(*ways[-1], keys))
    return mirror.session.selection


def test_a_rectangle_selects_what_it_touches_and_holds(mirror: Mirror) -> None:
    box, note, frame = mirror.rect("t"), mirror.notes["note"], mirror.frames["hollow"]
    assert dragged(BoxSelect, mirror, (box.left() - 9, box.top() - 9), (box.left() + 1, box.top() + 1)).blocks == {"t"}
    assert not dragged(BoxSelect, mirror, (box.left() - 9, box.top() - 9), (box.left() - 1, box.top() - 1))
    for rect, kind in ((note, "notes"), (frame, "frames")):
        name = "note" if kind == "notes" else "hollow"
        # Drawn from any corner.
        for start, end in (("topLeft", "bottomRight"), ("bottomLeft", "topRight")):
            whole = rect.adjusted(-2, -2, 2, 2)
            ways = [getattr(whole, corner)().toTuple() for corner in (start, end)]
            assert name in getattr(dragged(BoxSelect, mirror, *ways), kind)
        part = rect.adjusted(-2, -2, -2, 2)
        assert name not in getattr(
            dragged(BoxSelect, mirror, part.topLeft().toTuple(), part.bottomRight().toTuple()), kind
        )
    every = dragged(BoxSelect, mirror, (-500, -500), (5000, 5000))
    assert every == Selection(
        frozenset(mirror.ids), frozenset(mirror.wires), frozenset(mirror.frames), frozenset(mirror.notes)
    )


def test_with_shift_what_was_selected_stays(mirror: Mirror) -> None:
    mirror.session.select(Selection(frozenset({"x"})))
    box = mirror.rect("t")
    ways = (box.left() - 9, box.top() - 9), (box.left() + 1, box.top() + 1)
    assert dragged(BoxSelect, mirror, *ways, keys=Modifiers.ShiftModifier).blocks == {"x", "t"}
    assert dragged(BoxSelect, mirror, *ways).blocks == {"t"}


def test_a_lasso_selects_what_has_its_middle_inside(mirror: Mirror) -> None:
    box = mirror.rect("t")
    x, y = box.center().toTuple()
    around = ((x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5))
    assert dragged(Lasso, mirror, *around).blocks == {"t"}
    beside = [(a + 11, b) for a, b in around]
    assert dragged(Lasso, mirror, *beside).blocks == set()
    note, hollow = mirror.notes["note"].center(), mirror.frames["hollow"].center()
    for place, kind, name in ((note, "notes", "note"), (hollow, "frames", "hollow")):
        ways = [(place.x() + a, place.y() + b) for a, b in ((-5, -5), (5, -5), (5, 5), (-5, 5))]
        assert getattr(dragged(Lasso, mirror, *ways), kind) == {name}
    wire = mirror.wires[0]
    left, top = mirror.points[0].min(axis=0) - 3
    right, bottom = mirror.points[0].max(axis=0) + 3
    assert wire in dragged(Lasso, mirror, (left, top), (right, top), (right, bottom), (left, bottom)).wires
    assert wire not in dragged(Lasso, mirror, (left + 9, top), (right, top), (right, bottom), (left + 9, bottom)).wires


@pytest.mark.parametrize(("way", "stays"), [((2, 1), True), ((2, 2), False), ((-4, 0), False), ((0, 0), True)])
def test_a_press_that_moves_less_than_4_px_is_a_click_on_nothing(
    way: tuple[int, int], stays: bool, mirror: Mirror
) -> None:
    """With Shift the selection of before is back, else nothing is selected."""
    for keys, before in ((Modifiers.ShiftModifier, {"x"}), (Modifiers.NoModifier, set())):
        mirror.session.select(Selection(frozenset({"x"})))
        middle = mirror.rect("t").center()
        found = dragged(BoxSelect, mirror, middle.toTuple(), (middle.x() + way[0], middle.y() + way[1]), keys=keys)
        assert found.blocks == (before if stays else {*before, "t"})


def test_escape_selects_what_was_selected(mirror: Mirror) -> None:
    mirror.session.select(Selection(frozenset({"x"})))
    gesture = BoxSelect(host(mirror), pointer(-500, -500, Modifiers.ShiftModifier))
    gesture.move(pointer(5000, 5000, Modifiers.ShiftModifier))
    gesture.cancel()
    assert mirror.session.selection == Selection(frozenset({"x"}))


@pytest.mark.parametrize(
    ("way", "grown"),
    [(0, 0), (7, 0), (9, 16), (16, 16), (23, 16), (25, 32), (-7, 0), (-9, -16), (-9999, None), (9999, None)],
)
def test_a_block_is_made_wider_in_steps_of_the_grid_within_its_bounds(
    way: float, grown: int | None, mirror: Mirror
) -> None:
    rect, shape = mirror.rect("t"), mirror.shapes[mirror.rows["t"]]
    gesture = Resize(host(mirror), pointer(rect.right(), rect.bottom()), "t")
    gesture.move(pointer(rect.right() + way, rect.bottom() + 50))
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded() as found:
        gesture.paint(painter, Look(theme("dark")))
    gesture.finish(pointer(0, 0))
    if grown is None:
        assert gesture._to == (shape.widest if way > 0 else 112)
        return
    assert gesture._to == rect.width() + grown
    (line,) = found
    assert line.startswith(
        f"rect {rect.x():g} {rect.y():g} {rect.width() + grown:g} {rect.height():g} round 8 1.5px accent"
    )
    assert mirror.session.page.blocks["t"].width == (rect.width() + grown if grown else None)


@pytest.mark.parametrize("at", [(0, 0), (72, 14), (79.9, 21.9), (80.1, 22.1), (-500, 333)])
def test_a_new_block_has_its_header_under_the_pointer(at: tuple[float, float]) -> None:
    """On the grid of 16 px, no more than half of it away from the middle of 144 px and of a header of 28 px."""
    x, y = place_under(QPointF(*at))
    assert x % 16 == y % 16 == 0
    assert abs(x + 72 - at[0]) <= 8 and abs(y + 14 - at[1]) <= 8
