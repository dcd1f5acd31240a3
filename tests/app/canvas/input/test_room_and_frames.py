"""Room that neighbours give, the wire that takes a block, and the frames that things enter or leave."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.gestures.frames import HomeFinder, Homes
from gradwire.app.canvas.input.gestures.insertion import LEVEL_REACH, ROOM, WireFinder, places_with_room
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, chain, mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")


def row(*places: tuple[str, str, tuple[int, int]], wires: tuple[str, ...]) -> Mirror:
    graph = Graph()
    for name, kind, at in places:
        given = {"value": np.ones(2)} if kind == "Constant" else {}
        graph = with_block(graph, name, kind, at, **given)
    return mirror_of(wired(graph, *wires))


def moved(mirror: Mirror, block: str) -> dict[str, tuple[float, float]]:
    return places_with_room(mirror.session.page, mirror, block)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        # Blocks are 144 px wide; between them there is room for a label.
        (144 + int(ROOM), {}),
        (144 + int(ROOM) + 16, {}),
        (144 + int(ROOM) - 16, {"e": (144 + ROOM, 0)}),
        (100, {"e": (144 + ROOM, 0)}),
    ],
)
def test_a_block_keeps_the_room_for_a_label_behind_its_source(x: int, expected: dict[str, tuple[float, float]]) -> None:
    mirror = row(("c", "Constant", (0, 0)), ("e", "Exp", (x, 0)), wires=("c.y > e.x",))
    found = moved(mirror, "e")
    whole = {name: (16 * -(-at[0] // 16), at[1]) for name, at in expected.items()}
    assert found == whole


def test_all_that_follows_is_moved_on_by_as_much() -> None:
    places = ("c", "Constant", (0, 0)), ("e", "Exp", (400, 0)), ("t", "Tanh", (560, 0)), ("s", "Exp", (900, 40))
    mirror = row(*places, ("far", "Exp", (560, 400)), wires=("c.y > e.x", "e.y > t.x", "t.y > s.x", "c.y > far.x"))
    shift = 16 * -(-(400 + 144 + ROOM - 560) // 16)
    assert moved(mirror, "e") == {"t": (560 + shift, 0), "s": (900 + shift, 40)}


@pytest.mark.parametrize(
    ("y", "level"),
    [(0, None), (10, 0), (int(LEVEL_REACH), 0), (int(LEVEL_REACH) + 1, None), (-20, 0), (-int(LEVEL_REACH) - 1, None)],
)
def test_a_wire_that_is_nearly_level_becomes_level(y: int, level: float | None) -> None:
    mirror = row(("c", "Constant", (0, 0)), ("e", "Exp", (600, y)), wires=("c.y > e.x",))
    assert moved(mirror, "e") == ({} if level is None else {"e": (600, level)})
    # As well seen from its source.
    assert moved(mirror, "c") == ({} if level is None else {"c": (0, y)})


def test_of_several_wires_the_nearest_to_level_decides() -> None:
    places = ("c", "Constant", (0, 0)), ("e", "Exp", (600, 20)), ("t", "Tanh", (1200, 30))
    mirror = row(*places, wires=("c.y > e.x", "e.y > t.x"))
    assert moved(mirror, "e") == {"e": (600, 30)}


def test_readers_keep_their_distance_from_each_other() -> None:
    mirror = mirror_of(chain(1.0))
    mirror.rects[mirror.rows["s"], 0] = 250
    found = moved(mirror, "e")
    assert "x" not in found and found["loss"][0] - found["s"][0] == 720 - 250


@pytest.mark.parametrize(("kind", "fits"), [("Tanh", True), ("Constant", False), ("MatMul", True)])
def test_a_wire_takes_a_block_that_fits_there(kind: str, fits: bool) -> None:
    graph = with_block(chain(1.0, 2.0), "new", kind, (0, 400), **({"value": np.ones(2)} if kind == "Constant" else {}))
    mirror = mirror_of(graph)
    finder = WireFinder(mirror, "new")
    wire = mirror.session.page.wires[Port("e", "x")]
    middle = QPointF(*mirror.points[mirror.wire_rows[wire]].mean(axis=0).tolist())
    for _ in range(2):
        found = finder.wire_at(middle, 5)
        assert (found == wire) if kind == "Tanh" or fits else found is None
    assert finder.wire_at(middle + QPointF(0, 6), 5) is None
    assert WireFinder(mirror, "e").wire_at(middle, 5) is None


# Frames


def framed() -> tuple[Mirror, str, str]:
    """a and b in `one`, c in `two` far to the right, d in none."""
    graph = Graph()
    for name, at in (("a", (0, 0)), ("b", (0, 200)), ("c", (1000, 0)), ("d", (500, 0))):
        graph = with_block(graph, name, "Exp", at)
    graph, one = annotations.add_frame(graph, MAIN, "one", ["a", "b"])
    graph, two = annotations.add_frame(graph, MAIN, "two", ["c"])
    return mirror_of(graph), one, two


def test_things_enter_the_frame_that_their_middle_comes_into() -> None:
    mirror, one, two = framed()
    finder = HomeFinder(mirror, Selection(frozenset(["d"])))
    # Its middle, 572, comes into `two` at 984 and into `one` at 160.
    for dx, homes in ((0, ()), (411, ()), (413, (("d", two),)), (-411, ()), (-413, (("d", one),))):
        assert finder.homes(dx, 0) == Homes(homes, ())
    assert Homes((("d", two), ("e", None)), (("f", one),)).entered() == {one, two}


def test_things_leave_their_frame_once_they_lie_wholly_outside() -> None:
    mirror, _, two = framed()
    finder = HomeFinder(mirror, Selection(frozenset(["a"])))
    # With one foot inside it stays: its left edge is at 160 when it leaves.
    for dx, homes in ((159, ()), (161, (("a", None),)), (1000, (("a", two),))):
        assert finder.homes(dx, 0) == Homes(homes, ())
    alone = HomeFinder(mirror, Selection(frozenset(["c"])))
    assert alone.homes(0, 900) == Homes()


def test_a_frame_goes_into_another_with_all_that_it_holds() -> None:
    mirror, one, two = framed()
    finder = HomeFinder(mirror, Selection(frames=frozenset([two])))
    assert finder.homes(-1000, 60) == Homes((), ((two, one),))
    changed = Homes((), ((two, one),)).applied(mirror.session.graph, MAIN)
    (frame,) = [frame for frame in changed.page(MAIN).frames if frame.id == one]
    assert (frame.frames, set(frame.blocks)) == ((two,), {"a", "b"})
    out = Homes((("a", None), ("d", one)), ()).applied(mirror.session.graph, MAIN)
    (frame,) = [frame for frame in out.page(MAIN).frames if frame.id == one]
    assert set(frame.blocks) == {"b", "d"}
    assert edits.put_into_frame(out, MAIN, None, ["b"], []) is not out
