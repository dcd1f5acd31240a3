"""The ground of a block: its header, ports, borders and marks, with pens, colours and icons. Units: px at 100 %."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter, outlines
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import MAIN, chain, mirror_of, wired, with_block
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
SCALAR = "ellipse {} 8.4 8.4 6px bg.canvas on bg.canvas", "ellipse {} 8.4 8.4 1.8px value on {}"


def shapes(mirror: Mirror, name: str, is_body: bool = False, **how: object) -> list[str]:
    """The shapes of a block's ground, or of its body, with its corner at 0, 0."""
    look = dataclasses.replace(LOOK, **how)
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded() as found:
        made, row = BlockPainter(painter, mirror, look), mirror.rows[name]
        made.draw_body(row) if is_body else made.draw_ground(row)
    return found


def port(x: float, y: float, is_filled: bool = True) -> list[str]:
    """A scalar's port of 8.4 px with a halo of 3 px, its middle at a place."""
    place = f"{x - 4.2:g} {y - 4.2:g}"
    return [SCALAR[0].format(place), SCALAR[1].format(place, "value" if is_filled else "bg.raised")]


def only(found: list[str], *kinds: str) -> list[str]:
    return [line for line in found if line.startswith(kinds)]


def with_number() -> Mirror:
    """x -> e = Exp -> loss, all of them numbers."""
    graph = with_block(with_block(chain(1.0), "t", "Tanh", (0, 200)), "a", "Add", (240, 200))
    return mirror_of(wired(graph, "s.y > t.x", "t.y > a.x", "s.y > a.y"))


def test_a_block_has_its_icon_title_and_ports_in_their_places() -> None:
    found = shapes(with_number(), "t")
    assert only(found, "rect", "icon", "ellipse") == [
        "rect 0 0 144 86 round 8 1px border.default",
        # In the middle of the header of 28 px, below the stripe.
        "icon 9 8 14 14 cat.math exp",
        *port(0, 44),
        *port(144, 44),
    ]
    name, title, input_ = only(found, "text")
    assert title.startswith("text 28 5 ") and title.endswith(" 20 left 12px text.primary “Tanh”")
    assert name.endswith(" 25 right 10px text.tertiary “t”")
    # The name ends 10 px before the edge; a title has what is left of it but 8 px.
    left, top, width = map(float, name.split()[1:4])
    assert (left + width - 1, top) == (134, 3)
    # Beside its port, 11 px from the edge; each has 18 px, and 60 or 70 % of the width.
    assert input_ == "text 11 35 87.4 18 left 11px text.secondary “x”"
    output = only(shapes(mirror_of(chain(1.0, 2.0)), "x"), "text 43.2")
    assert output == ["text 43.2 35 90.8 18 right 10px text.tertiary “2 numbers”"]


def test_inputs_stand_below_each_other_and_what_nothing_reads_is_open() -> None:
    mirror = mirror_of(edits.disconnect(with_number().session.document.graph, MAIN, Port("a", "y")))
    found = shapes(mirror, "a")
    assert only(found, "text 11") == [
        "text 11 35 87.4 18 left 11px text.secondary “x”",
        "text 11 55 87.4 18 left 11px text.secondary “y”",
    ]
    assert [line.split()[1:3] for line in only(found, "ellipse")[::2]] == [
        ["-4.2", "39.8"],
        ["-4.2", "59.8"],
        ["139.8", "39.8"],
    ]
    unread = mirror_of(edits.disconnect(with_number().session.document.graph, MAIN, Port("a", "x")))
    assert port(144, 44, is_filled=False)[1] in shapes(unread, "t"), "nothing reads it"


def test_the_output_of_a_loss_is_seen_where_a_wire_may_begin_or_does() -> None:
    mirror, output = with_number(), port(144, 44, is_filled=False)[1]
    assert [line.split()[1:3] for line in only(shapes(mirror, "loss"), "ellipse")[::2]] == [
        ["-4.2", "39.8"],
        ["-4.2", "59.8"],
    ]
    for how in (
        {"hovered": Target(block="loss")},
        {"hovered": Target(port=(Port("loss", "y"), False))},
        {"selection": Selection(frozenset({"loss"}))},
    ):
        assert output in shapes(mirror, "loss", **how)
    read = with_block(mirror.session.document.graph, "d", "Square", (600, 0))
    assert port(144, 44)[1] in shapes(mirror_of(wired(read, "loss.y > d.x")), "loss")


@pytest.mark.parametrize(("scale", "text"), [(1.0, "“2 numbers”"), (1.6, "“2 numbers f64”")])
def test_from_153_percent_on_the_dtype_follows_the_shape(scale: float, text: str) -> None:
    assert only(shapes(mirror_of(chain(1.0, 2.0)), "x", scale=scale), "text 43.2")[0].endswith(text)


def test_a_single_number_has_no_shape() -> None:
    assert not only(shapes(with_number(), "t"), "text 43.2")
    assert only(shapes(with_number(), "t", scale=1.6), "text 43.2")[0].endswith("“f64”")


def test_several_outputs_have_their_names() -> None:
    graph = with_block(chain(1.0, 2.0), "top", "TopK", (240, 200))
    found = only(shapes(mirror_of(wired(graph, "x.y > top.x")), "top"), "text 43.2")
    assert [line.split("“")[1] for line in found] == ["values”", "indices”"]


@pytest.mark.parametrize(
    ("how", "edit", "icons", "end"),
    [
        ({}, None, [], 134),
        ({"is_stale": True}, None, ["icon 122 9 12 12 text.tertiary clock"], 116),
        ({}, "mute", ["icon 122 9 12 12 text.tertiary mute"], 116),
        (
            {"is_stale": True},
            "mute",
            ["icon 122 9 12 12 text.tertiary clock", "icon 104 9 12 12 text.tertiary mute"],
            98,
        ),
    ],
)
def test_marks_of_the_header_stand_at_the_right_and_the_name_before_them(
    how: dict[str, object], edit: str | None, icons: list[str], end: float
) -> None:
    graph = with_number().session.document.graph
    mirror = mirror_of(edits.set_muted(graph, MAIN, "t", True) if edit else graph)
    found = shapes(mirror, "t", **how)
    assert only(found, "icon")[1:] == icons
    left, _, width = map(float, only(found, "text")[0].split()[1:4])
    assert left + width - 1 == pytest.approx(end, abs=0.01)


# From afar


def test_from_afar_a_large_icon_stands_in_the_middle_without_ports() -> None:
    """42 % of the smaller side, below the stripe of 3 px."""
    found = shapes(with_number(), "t", scale=0.2)
    side = 0.42 * (86 - 3)
    assert found[0] == "rect 0 0 144 86 round 8 1px border.default"
    place = [round(number, 2) for number in (72 - side / 2, 89 / 2 - side / 2, side, side)]
    assert [float(item) for item in found[1].split()[1:5]] == place and len(found) == 2


def test_a_small_block_has_its_icon_of_14_px_on_the_screen_and_ports() -> None:
    found = shapes(with_number(), "t", scale=0.5)
    # At the left, in the middle below the stripe.
    assert found[1:] == ["icon 18 32 28 28 cat.math exp", *port(0, 44), *port(144, 44)]


def test_a_stop_has_a_wall_only_where_it_stops() -> None:
    graph = with_block(chain(1.0), "stop", "StopGradient", (240, 200))
    mirror = mirror_of(wired(graph, "s.y > stop.x"))
    assert len(only(shapes(mirror, "stop", scale=0.5), "line ")) > 3
    for stop in (shapes(mirror, "stop", scale=0.5, comparison=WithoutStops()), shapes(mirror, "stop")):
        assert not only(stop, "line ")
    assert not only(shapes(mirror, "stop"), "rect 0 0"), "an octagon has no round corners"
    assert only(shapes(mirror, "stop", comparison=WithoutStops()), "rect 0 0")
    text = only(shapes(mirror, "stop", scale=1.6), "text 48")[-1]
    # 36 px for the wall, and 30 % of 160 px are the input's.
    assert text == "text 48 35 77 18 right 10px text.tertiary “f64”"


# Borders and marks


@pytest.mark.parametrize(
    ("how", "border"),
    [
        ({}, "1px border.default"),
        ({"hovered": Target(block="t")}, "1px border.strong"),
        ({"hovered": Target(block="e")}, "1px border.default"),
        ({"selection": Selection(frozenset({"t"})), "hovered": Target(block="t")}, "2px accent"),
        ({"selection": Selection(frozenset({"e"}))}, "1px border.default"),
    ],
)
def test_a_border_says_what_is_chosen_or_under_the_pointer(how: dict[str, object], border: str) -> None:
    assert shapes(with_number(), "t", **how)[0] == f"rect 0 0 144 86 round 8 {border}"


def broken(kind: str) -> tuple[Mirror, str]:
    if kind == "error":
        graph = with_block(chain(1.0, 2.0), "b", "Input", (0, 240), value=np.ones(3))
        return mirror_of(wired(with_block(graph, "bad", "Add", (240, 240)), "x.y > bad.x", "b.y > bad.y")), "bad"
    if kind == "alarm":
        return mirror_of(wired(with_block(chain(-1.0), "bad", "Log", (240, 200)), "x.y > bad.x")), "bad"
    return mirror_of(with_block(chain(1.0), "bad", "StopGradient", (240, 200))), "bad"


@pytest.mark.parametrize(("kind", "border"), [("error", "1.6px error"), ("alarm", "2px alarm")])
def test_a_problem_has_its_border_and_a_badge_on_the_corner(kind: str, border: str) -> None:
    mirror, name = broken(kind)
    found = shapes(mirror, name)
    assert only(found, "rect 0 0")[0].endswith(border)
    badges = [line for line in found if line.startswith("icon") and line.endswith(("error", "warn"))]
    # 12 px in the middle of the corner, a little higher; where NaN arises a tag says so in words.
    assert badges == (["icon 138 -6.5 12 12 error error"] if kind == "error" else [])
    assert any("starts here" in line for line in found) is (kind == "alarm")
    if kind == "alarm":
        # It is 19 px high and stands 7 px above its block.
        assert [line.split()[2:5:2] for line in only(found, "rect") if line.endswith("on alarm")] == [["-26", "19"]]
    chosen = shapes(mirror, name, selection=Selection(frozenset({name})))
    assert only(chosen, "rect 0 0")[0].endswith("2px accent")


@pytest.mark.parametrize(("scale", "is_there"), [(1.0, True), (0.26, True), (0.24, False)])
def test_a_badge_is_left_out_where_it_would_be_larger_than_its_block(scale: float, is_there: bool) -> None:
    mirror, name = broken("error")
    assert any(line.endswith("error error") for line in shapes(mirror, name, scale=scale)) is is_there


def test_a_hot_port_has_a_ring_of_22_px() -> None:
    mirror, ring = with_number(), "ellipse {} 33 22 22 1.5px accent on accent.soft"
    for name, is_input, place in (("x", True, "-11"), ("y", False, "133")):
        found = shapes(mirror, "t", hovered=Target(port=(Port("t", name), is_input)))
        assert found.count(ring.format(place)) == 1
        assert found.index(ring.format(place)) == found.index(port(0 if is_input else 144, 44)[0]) - 1
    for other in ((Port("t", "x"), False), (Port("e", "x"), True), (Port("t", "y"), True)):
        assert not [line for line in shapes(mirror, "t", hovered=Target(port=other)) if "accent" in line]


@pytest.mark.parametrize(("chosen", "pen"), [(False, "1.5px border.strong"), (True, "2px accent")])
def test_a_dot_is_12_px_in_the_middle_of_its_block(chosen: bool, pen: str) -> None:
    mirror = mirror_of(wired(with_block(chain(1.0), "dot", "Reroute", (240, 200)), "s.y > dot.x"))
    how = {"selection": Selection(frozenset({"dot"}))} if chosen else {}
    assert shapes(mirror, "dot", **how) == []
    assert shapes(mirror, "dot", True, **how) == [f"ellipse 2 2 12 12 {pen} on bg.raised"]


def dashes(mirror: Mirror, name: str, **how: object) -> list[float]:
    block, look = mirror.blocks[mirror.rows[name]], dataclasses.replace(LOOK, **how)
    made = BlockPainter(QPainter(), mirror, look)
    passed = made._is_passed(block, mirror.shapes[mirror.rows[name]])
    pen = made._border(block, False, passed)
    return [item * pen.widthF() for item in pen.dashPattern()]


def test_what_only_passes_has_dashes_of_5_and_4_px() -> None:
    graph = with_number().session.document.graph
    for name in ("t", "x", "loss"):
        graph = edits.set_muted(graph, MAIN, name, True)
    muted = mirror_of(graph)
    assert dashes(muted, "t") == pytest.approx([5, 4])
    assert dashes(muted, "t", selection=Selection(frozenset({"t"}))) == pytest.approx([5, 4])
    # A source and a loss have nothing to pass on.
    for name in ("x", "loss", "e"):
        assert dashes(muted, name) == []


# What makes two grounds the same


def key(mirror: Mirror, name: str, **how: object) -> tuple[object, ...]:
    return BlockPainter(QPainter(), mirror, dataclasses.replace(LOOK, **how)).ground_key(mirror.rows[name])


def test_what_looks_alike_has_one_key_and_nothing_else() -> None:
    graph = with_block(chain(1.0), "u", "Exp", (0, 300))
    graph = wired(graph, "x.y > u.x")
    mirror = mirror_of(graph)
    plain = key(mirror, "u")
    moved = edits.set_parameter(edits.move_blocks(graph, MAIN, {"u": (640, 320)}), MAIN, "x", "value", np.array([2.0]))
    assert plain == key(mirror_of(moved), "u") != key(mirror, "e")
    changes: list[Callable[[], tuple[object, ...]]] = [
        lambda: key(mirror, "u", selection=Selection(frozenset({"u"}))),
        lambda: key(mirror, "u", hovered=Target(block="u")),
        lambda: key(mirror, "u", hovered=Target(port=(Port("u", "x"), True))),
        lambda: key(mirror, "u", hovered=Target(port=(Port("u", "y"), False))),
        lambda: key(mirror_of(edits.set_muted(graph, MAIN, "u", True)), "u"),
        lambda: key(mirror_of(edits.set_label(graph, MAIN, "u", "other")), "u"),
        lambda: key(mirror_of(edits.disconnect(graph, MAIN, Port("u", "x"))), "u"),
    ]
    keys = [change() for change in changes]
    assert len({plain, *keys}) == len(keys) + 1
    assert plain == key(mirror, "u", hovered=Target(block="e"), selection=Selection(frozenset({"e"})))
    assert plain == key(mirror, "u", hovered=Target(port=(Port("e", "x"), True)))


def test_the_stripe_is_3_px_and_the_header_25_below_it() -> None:
    whole, stripe, header = (path.boundingRect().getRect() for path in outlines(144.0, 86.0))
    assert whole == (0, 0, 144, 86)
    # Where the stripe ends, its round corners of 8 px leave out 8 - sqrt(64 - 25) px on either side.
    assert (
        stripe[1] == 0
        and stripe[3] == pytest.approx(3, abs=0.01)
        and stripe[2] == pytest.approx(128 + 2 * 39**0.5, abs=0.01)
    )
    assert header[1] == pytest.approx(3, abs=0.01) and header[3] == pytest.approx(25, abs=0.01) and header[2] == 144
