"""How large blocks are, where their ports are, and that every block can be drawn."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gradwire.app.canvas.geometry.main_setting import axis_text
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import BlockShape, Body
from gradwire.app.canvas.painting.cache.sprites import Sprites
from gradwire.app.canvas.painting.look import Level, Look, level_at
from gradwire.app.canvas.painting.page_painter import PagePainter
from gradwire.app.live.editing import NewBlock, place_block
from gradwire.app.look.theme import theme
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.canvas.pages import MAIN, drawn_page, mirror_of, pixels, wired, with_block
from tests.blocks.contract.contract import in_one_test

pytestmark = pytest.mark.usefixtures("qapp")

SCALES = (0.3, 0.6, 1.0, 2.0)


def alone(kind: str) -> tuple[Graph, str]:
    """A page with one block of a type, and its id."""
    graph = Graph((Page(MAIN), Page("inner")))
    return place_block(graph, MAIN, NewBlock(kind, {"page": "inner"} if kind == "Page" else {}), (0, 0))


@functools.cache
def mirror_alone(kind: str) -> tuple[Mirror, str]:
    """The mirror of a page with one block of a type, which all tests look at and none changes, and its id."""
    graph, name = alone(kind)
    return mirror_of(graph), name


def shape_alone(kind: str) -> BlockShape:
    mirror, name = mirror_alone(kind)
    return mirror.shapes[mirror.rows[name]]


def fed(kind: str, value: object, name: str | None = None) -> BlockShape:
    """The shape of a block of one input whose input is joined to a Constant."""
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.asarray(value, float))
    graph = wired(with_block(graph, name or kind, kind, (300, 0)), f"c.y > {name or kind}.x")
    return shape(graph, name or kind)


def shape(graph: Graph, name: str) -> BlockShape:
    mirror = mirror_of(graph)
    return mirror.shapes[mirror.rows[name]]


def subtract(**fields: object) -> Graph:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(4))
    graph = wired(with_block(graph, "Subtract", "Subtract", (300, 0)), "c.y > Subtract.x", "c.y > Subtract.y")
    page = graph.page(MAIN)
    block = dataclasses.replace(page.blocks["Subtract"], **fields)
    return graph.with_page(dataclasses.replace(page, blocks={**page.blocks, block.id: block}))


# Sizes: 28 header + 6 + 20 x max(ports in, ports out) + body + 6


def test_a_block_is_144_px_wide() -> None:
    assert fed("Exp", 1.0).width == 144


@pytest.mark.parametrize(
    ("kind", "value", "height"),
    [("ReduceMax", 1.0, 86), ("Exp", np.ones(4), 110), ("StopGradient", 1.0, 86)],
)
def test_a_block_is_as_high_as_its_ports_and_its_value(kind: str, value: object, height: float) -> None:
    assert fed(kind, value).height == height


def test_two_inputs_take_two_rows() -> None:
    assert shape(subtract(), "Subtract").height == 130


def test_ports_stand_20_px_apart_below_the_header() -> None:
    found = shape(subtract(), "Subtract")
    assert [(port.x, port.y) for port in found.inputs] == [(0, 28 + 6 + 10), (0, 28 + 6 + 30)]
    assert [(port.x, port.y) for port in found.outputs] == [(found.width, 28 + 6 + 10)]


def test_a_collapsed_block_is_its_header_with_all_ports_at_mid_height() -> None:
    found = shape(subtract(is_collapsed=True), "Subtract")
    assert found.height == 28 and found.body is Body.COLLAPSED
    assert {port.y for port in found.ports} == {14}


@pytest.mark.parametrize("width", [112, 192, 320])
def test_a_block_has_the_width_it_was_given(width: int) -> None:
    found = shape(subtract(width=width), "Subtract")
    assert found.width == width == found.outputs[0].x


@pytest.mark.parametrize("letters", [1, 8, 20, 40, 200])
def test_a_width_of_its_own_choice_is_a_multiple_of_16_between_144_and_320(letters: int) -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.ones(3))
    found = shape(edits.set_label(graph, MAIN, "x", "n" * letters), "x")
    assert 144 <= found.width <= 320 and found.width % 16 == 0


# Ports


def test_a_variadic_input_shows_the_port_that_the_next_wire_takes() -> None:
    graph = with_block(Graph(), "n", "AddN", (300, 0))
    graph = with_block(graph, "c", "Constant", (0, 0), value=np.ones(2))
    for count in range(3):
        free = [port for port in shape(graph, "n").inputs if port.is_free]
        assert len(shape(graph, "n").inputs) == count + 1 and len(free) == 1
        assert not free[0].is_connected
        graph = wired(graph, f"c.y > n.{free[0].name}")


@pytest.mark.long
@in_one_test(list(library))
def test_every_port_of_a_type_lies_on_its_border(block_type: BlockType) -> None:
    found = shape_alone(block_type.name)
    assert found.type is not None and found.body_box.bottom() <= found.height
    declared = [port.name for port in found.type.inputs if not port.variadic]
    assert [port.name for port in found.inputs][: len(declared)] == declared
    for port in found.ports:
        assert 0 < port.y < found.height
        assert found.body is Body.REROUTE or port.x == (0 if port.is_input else found.width)


@in_one_test(list(library))
def test_only_variadic_inputs_have_a_free_port(block_type: BlockType) -> None:
    found = shape_alone(block_type.name)
    assert found.type is not None
    assert any(port.is_free for port in found.ports) is any(port.variadic for port in found.type.inputs)


def unknown() -> Graph:
    """An unknown type with two wires in and one out, between a Constant and an Exp."""
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    page = with_block(graph, "e", "Exp", (600, 0)).page(MAIN)
    ends = [("c.y", "u.left"), ("c.y", "u.right"), ("u.out", "e.x")]
    wires = [Wire(Port(*source.split(".")), Port(*target.split("."))) for source, target in ends]
    blocks = {**page.blocks, "u": Block("u", "FromTheFuture", at=(300, 0))}
    return graph.with_page(dataclasses.replace(page, blocks=blocks, wires={wire.target: wire for wire in wires}))


def test_an_unknown_type_keeps_the_ports_of_its_wires() -> None:
    mirror = mirror_of(unknown())
    found = mirror.shapes[mirror.rows["u"]]
    assert [port.name for port in found.inputs] == ["left", "right"]
    assert [port.name for port in found.outputs] == ["out"]
    assert all(port.is_connected for port in found.ports)
    assert found.type is None and not mirror.broken


@pytest.mark.parametrize(
    ("value", "body"),
    [
        (2.0, Body.NUMBER),
        (np.ones(1), Body.NUMBER),
        (np.ones(2), Body.BARS),
        (np.ones(16), Body.BARS),
        (np.ones(17), Body.CURVE),
        (np.ones((2, 3)), Body.HEAT),
        (np.ones((2, 3, 4)), Body.HEAT),
        (np.ones((0, 3)), Body.NONE),
    ],
)
def test_a_body_shows_the_value_by_its_rank_and_size(value: object, body: Body) -> None:
    assert fed("Exp", value).body is body


def test_without_its_wire_a_body_says_what_to_connect() -> None:
    assert shape(with_block(Graph(), "e", "Exp", (0, 0)), "e").body is Body.HINT


@pytest.mark.parametrize("count", range(1, 7))
def test_a_small_input_has_a_slider_for_every_element(count: int) -> None:
    found = shape(with_block(Graph(), "x", "Input", (0, 0), value=np.ones(count)), "x")
    assert (found.body, found.sliders) == (Body.SLIDERS, count)
    boxes = [found.slider_box(index) for index in range(count)]
    assert all(left.right() == pytest.approx(right.left()) for left, right in pairwise(boxes))
    assert all(found.body_box.adjusted(-1e-6, 0, 1e-6, 0).contains(box) for box in boxes)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "all"), (0, "0"), ((0, 1), "0 1"), ((), "none"), (True, "yes"), (np.False_, "no"), (0.5, "0.5")],
)
def test_a_setting_is_written_in_a_few_letters(value: object, text: str) -> None:
    assert axis_text(value) == text


# Drawing


def changed_pixels(mirror: Mirror, look: Look) -> int:
    """How many pixels of a page's picture are not its background."""
    image, _ = drawn_page(mirror, look)
    background = QColor(look.theme.color("bg.canvas"))
    levels = np.array([background.blue(), background.green(), background.red(), 255], np.uint8)
    # The four bytes of a pixel as one number.
    return int(np.count_nonzero(pixels(image).view(np.uint32) != levels.view(np.uint32)))


def test_the_scales_of_these_tests_cover_all_levels() -> None:
    assert [level_at(scale) for scale in SCALES] == list(Level)


@pytest.mark.long
@in_one_test(list(library))
def test_every_block_type_can_be_drawn_at_every_level(block_type: BlockType) -> None:
    mirror, name = mirror_alone(block_type.name)
    rect = mirror.rect(name)
    # Themes differ in colours only.
    for dress, scale in zip(itertools.cycle((theme("dark"), theme("light"))), SCALES, strict=False):
        # A block has a surface: at the very least half of its rectangle is not the page's.
        assert changed_pixels(mirror, Look(dress, scale)) >= rect.width() * rect.height() * scale**2 / 2


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("fields", [{"is_collapsed": True}, {"is_muted": True}, {"width": 112}, {"label": "own"}])
def test_a_block_can_be_drawn_in_any_condition(fields: dict[str, object], scale: float) -> None:
    assert changed_pixels(mirror_of(subtract(**fields)), Look(theme("dark"), scale)) > 0


@pytest.mark.parametrize("scale", SCALES)
def test_an_unknown_type_can_be_drawn(scale: float) -> None:
    assert changed_pixels(mirror_of(unknown()), Look(theme("dark"), scale)) > 0


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e308, 5e-324, np.zeros(0), np.full((3, 40), np.nan), np.ones(900)])
def test_any_value_can_be_drawn(value: object) -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.asarray(value, float))
    mirror = mirror_of(wired(with_block(graph, "i", "Identity", (300, 0)), "c.y > i.x"))
    for scale in SCALES:
        assert changed_pixels(mirror, Look(theme("light"), scale)) > 0


def test_sprites_of_one_zoom_are_painted_once() -> None:
    mirror, painter = mirror_of(subtract()), PagePainter(mirror_of(subtract()))
    painter.sprites = Sprites(1.0)
    look = Look(theme("dark"))
    assert np.array_equal(*(pixels(drawn_page(mirror, look, painter)[0]) for _ in range(2)))
