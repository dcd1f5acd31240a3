"""Tables of what a block shows by its type, its name and its wires, and where its parts lie. Units: px at 100 %."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from gradwire.app.canvas.geometry.shapes import (
    BlockShape,
    Body,
    PortShape,
    Wired,
    loss_row,
    ports_by_name,
    shape_like,
    wired_ports,
)
from gradwire.app.look.theme import font
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.canvas.pages import MAIN, mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")

INNER = Page(
    "inner",
    {
        "a": Block("a", "PageInput", parameters={"name": "first", "value": np.ones(2)}, at=(0, 0)),
        "b": Block("b", "PageInput", parameters={"name": "second", "value": np.ones(2)}, at=(0, 100)),
        "z": Block("z", "PageOutput", parameters={"name": "sum"}, at=(300, 0)),
    },
)


def shape(graph: Graph, name: str) -> BlockShape:
    mirror = mirror_of(graph)
    return mirror.shapes[mirror.rows[name]]


def of(kind: str, name: str | None = None, parameters: Mapping[str, object] | None = None, **fields: object) -> Graph:
    """A graph of two pages, with one block on the main one."""
    block = Block(name or kind, kind, parameters=dict(parameters or {}), at=(0, 0))
    return Graph((Page(MAIN, {block.id: dataclasses.replace(block, **fields)}), INNER))  # type: ignore[arg-type]


def fed(kind: str, value: object, **fields: object) -> Graph:
    """A block `k` of one input behind a Constant `c`."""
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.asarray(value))
    graph = wired(with_block(graph, "k", kind, (300, 0)), "c.y > k.x")
    page = graph.page(MAIN)
    block = dataclasses.replace(page.blocks["k"], **fields)
    return graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "k": block}))


# Names


@pytest.mark.parametrize(
    ("kind", "name", "label", "expected"),
    [
        ("Exp", "Exp", None, ("Exp", "")),
        ("Exp", "Exp_1", None, ("Exp", "")),
        ("Exp", "Exp_12", None, ("Exp", "")),
        ("Exp", "Exp_", None, ("Exp", "Exp_")),
        ("Exp", "Exp_1a", None, ("Exp", "Exp_1a")),
        ("Exp", "Exp1", None, ("Exp", "Exp1")),
        ("Exp", "Exps", None, ("Exp", "Exps")),
        ("Exp", "e", None, ("Exp", "e")),
        ("Exp", "Exp_1", "mine", ("Exp", "mine")),
        ("Exp", "Exp", "Exp", ("Exp", "Exp")),
        ("mine.Swish", "Swish_2", None, ("mine.Swish", "")),
        ("mine.Swish", "mine.Swish", None, ("mine.Swish", "mine.Swish")),
        ("Input", "x", None, ("Input", "x")),
        ("Input", "Input", None, ("Input", "")),
        ("Variable", "w", "weights", ("Variable", "weights")),
        ("Monitor", "m", None, ("Monitor", "m")),
        ("Monitor", "Monitor", None, ("Monitor", "")),
        ("Monitor", "Monitor", "mine", ("Monitor", "mine")),
        ("PageInput", "PageInput_1", None, ("Input of page", "PageInput_1")),
        ("PageOutput", "out", "mine", ("Output of page", "mine")),
    ],
)
def test_a_header_has_two_names(kind: str, name: str, label: str | None, expected: tuple[str, str]) -> None:
    found = shape(of(kind, name, label=label), name)
    assert (found.title, found.name) == expected


@pytest.mark.parametrize(("kind", "title"), [("PageInput", "Input of page"), ("PageOutput", "Output of page")])
def test_a_port_of_a_page_is_called_by_its_parameter(kind: str, title: str) -> None:
    found = shape(of(kind, "p", {"name": "scores"}), "p")
    assert (found.title, found.own_name, found.is_known_by_name) == (title, "scores", True)


@pytest.mark.parametrize(
    ("kind", "parameters", "name", "label", "expected"),
    [
        ("Page", {}, "Page", None, ("inner", "page")),
        ("Page", {}, "Page_3", None, ("inner", "page")),
        ("Page", {}, "inner", None, ("inner", "page")),
        ("Page", {}, "Page", "inner", ("inner", "page")),
        ("Page", {}, "Page", "mine", ("mine", "inner")),
        ("Page", {}, "p", None, ("p", "inner")),
        ("Scan", {"times": 1200}, "Scan", None, ("inner", "× 1,200")),
        ("Scan", {"times": 3}, "inner", None, ("inner", "× 3")),
        ("Scan", {"times": 3}, "s", None, ("s", "× 3 inner")),
        ("Scan", {"times": 3}, "Scan", "mine", ("mine", "× 3 inner")),
    ],
)
def test_a_used_page_is_called_by_its_own_name_or_by_the_blocks(
    kind: str, parameters: dict[str, object], name: str, label: str | None, expected: tuple[str, str]
) -> None:
    found = shape(of(kind, name, {"page": "inner", **parameters}, label=label), name)
    assert (found.title, found.name) == expected


@pytest.mark.parametrize(
    ("kind", "is_by_name"),
    [("Exp", False), ("Input", True), ("Constant", True), ("Monitor", True), ("Page", True), ("Loss", False)],
)
def test_what_is_known_by_its_name_alone(kind: str, is_by_name: bool) -> None:
    assert shape(of(kind), kind).is_known_by_name is is_by_name


def test_an_unknown_type_is_not_known_by_its_name() -> None:
    found = shape(of("FromTheFuture"), "FromTheFuture")
    assert found.is_known_by_name is False and found.role is None and found.widest == 320


# Widths


def px(text: str, size: int, weight: int) -> float:
    return QFontMetricsF(font("ui", size, weight)).horizontalAdvance(text)


@pytest.mark.parametrize("letters", [1, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 30])
@pytest.mark.parametrize("kind", ["Exp", "Input"])
def test_a_width_leaves_room_for_the_title_and_the_name(kind: str, letters: int) -> None:
    """Beside the title are 28 px for the icon and 12 at the end, and 8 before the name, which mostly has 60 at most."""
    name = "n" * letters
    needed = 28 + px(kind, 12, 600) + 12 + 8 + min(320 if kind == "Input" else 60, px(name, 11, 400))
    graph = of(kind, name, {"value": np.ones(3)} if kind == "Input" else {})
    assert shape(graph, name).width == min(320, max(144, 16 * math.ceil(needed / 16)))


def test_beside_a_number_the_name_gets_no_room_of_its_own() -> None:
    name = "n" * 12
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.asarray(1.0))
    graph = wired(with_block(graph, name, "LeakyRelu", (0, 0)), f"c.y > {name}.x")
    assert 28 + px("LeakyRelu", 12, 600) + 12 + 8 + 60 > 144
    assert shape(graph, name).width == 144


def test_a_picture_is_352_px_wide_and_720_at_most() -> None:
    found = shape(of("Monitor"), "Monitor")
    assert (found.width, found.widest, found.body) == (352, 720, Body.PICTURE)
    names = max(px(name, 11, 400) for name in ("y", "x", "target"))
    assert found.body_box.left() == pytest.approx(10 + 4 + 1.3 * names)
    assert (found.body_box.top(), found.body_box.right(), found.body_box.height()) == (34, 342, 140)
    assert found.height == 28 + 6 + 140 + 6
    assert [port.y for port in found.inputs] == [44, 64, 84]


@pytest.mark.parametrize(("kind", "height"), [("fit", 280), ("boundary", 704 - 2 * 6)])
def test_a_wider_picture_is_higher_and_a_plane_as_high_as_wide(kind: str, height: int) -> None:
    found = shape(of("Monitor", parameters={"kind": kind}, width=704), "Monitor")
    assert (found.width, found.body_box.height()) == (704, height)


# Bodies


@pytest.mark.parametrize(
    ("kind", "parameters", "fields", "body"),
    [
        ("Exp", {}, {}, Body.HINT),
        ("Exp", {}, {"is_muted": True}, Body.MUTED),
        ("Exp", {}, {"is_muted": True, "is_collapsed": True}, Body.COLLAPSED),
        ("AddN", {}, {}, Body.HINT),
        ("FromTheFuture", {}, {}, Body.MESSAGE),
        ("FromTheFuture", {}, {"is_muted": True}, Body.MESSAGE),
        ("FromTheFuture", {}, {"is_collapsed": True}, Body.COLLAPSED),
        ("Input", {"value": np.ones(6)}, {}, Body.SLIDERS),
        ("Input", {"value": np.ones(6)}, {"is_muted": True}, Body.SLIDERS),
        ("Input", {"value": np.ones(6)}, {"is_collapsed": True}, Body.COLLAPSED),
        ("Input", {"value": np.ones(7)}, {}, Body.BARS),
        ("Input", {"value": np.asarray(2.0)}, {}, Body.SLIDER),
        ("Input", {"value": np.ones((1, 2))}, {}, Body.HEAT),
        ("Input", {"value": np.ones(0)}, {}, Body.NONE),
        ("Input", {"value": np.ones(2, "int32")}, {}, Body.SLIDERS),
        ("Input", {"value": np.ones(2, "uint8")}, {}, Body.SLIDERS),
        ("Input", {"value": np.ones(2, bool)}, {}, Body.BARS),
        ("Constant", {"value": np.ones(1)}, {}, Body.NUMBER),
        ("Constant", {"value": np.ones(2)}, {}, Body.NUMBERS),
        ("Constant", {"value": np.ones(4)}, {}, Body.NUMBERS),
        ("Constant", {"value": np.ones(5)}, {}, Body.BARS),
        ("Constant", {"value": np.ones((1, 1))}, {}, Body.HEAT),
        ("Variable", {"value": np.ones(2)}, {}, Body.TRAINABLE),
        ("Variable", {"value": np.ones((2, 2))}, {}, Body.TRAINABLE),
        ("Variable", {"value": np.asarray(1.0)}, {}, Body.NUMBER),
        ("Data", {}, {}, Body.ROWS),
        ("Page", {"page": "inner"}, {}, Body.PAGE),
        ("Page", {"page": "inner"}, {"is_muted": True}, Body.MUTED),
        ("Monitor", {}, {}, Body.PICTURE),
        ("Monitor", {}, {"is_muted": True}, Body.MUTED),
        ("Reroute", {}, {"is_muted": True, "is_collapsed": True}, Body.REROUTE),
    ],
)
def test_a_body_alone_is_decided_by_type_value_and_state(
    kind: str, parameters: dict[str, object], fields: dict[str, object], body: Body
) -> None:
    assert shape(of(kind, "k", parameters, **fields), "k").body is body


@pytest.mark.parametrize(
    ("kind", "value", "fields", "body", "sliders"),
    [
        ("StopGradient", np.ones(3), {}, Body.STOP, 0),
        ("StopGradient", np.ones(3), {"is_muted": True}, Body.MUTED, 0),
        ("Loss", np.asarray(1.0), {}, Body.LOSS, 0),
        ("Loss", np.asarray(1.0), {"is_muted": True}, Body.LOSS, 0),
        ("Exp", np.ones(3), {}, Body.BARS, 0),
        ("PreventGradient", np.ones(3), {}, Body.BARS, 0),
    ],
)
def test_a_body_with_its_wire_is_decided_by_type_and_state(
    kind: str, value: object, fields: dict[str, object], body: Body, sliders: int
) -> None:
    found = shape(fed(kind, value, **fields), "k")
    assert (found.body, found.sliders) == (body, sliders)


def test_one_wire_is_enough_for_an_input_of_any_number() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    assert shape(wired(with_block(graph, "n", "AddN", (300, 0)), "c.y > n.values_0"), "n").body is Body.BARS


def test_both_inputs_must_be_joined() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    graph = with_block(graph, "a", "Add", (300, 0))
    found = {port: shape(wired(graph, f"c.y > a.{port}"), "a").body for port in "xy"}
    assert found == {"x": Body.HINT, "y": Body.HINT}
    assert shape(wired(graph, "c.y > a.x", "c.y > a.y"), "a").body is Body.BARS


# Ports


def test_of_an_input_of_any_number_the_least_free_one_comes_next() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    graph = with_block(graph, "n", "AddN", (300, 0))
    page = graph.page(MAIN)
    wires = [Wire(Port("c", "y"), Port("n", f"values_{number}")) for number in (10, 0, 2, 1)]
    graph = graph.with_page(dataclasses.replace(page, wires={wire.target: wire for wire in wires}))
    found = shape(graph, "n")
    assert [port.name for port in found.inputs] == ["values_0", "values_1", "values_2", "values_10", "values_3"]
    assert [port.is_free for port in found.inputs] == [False, False, False, False, True]
    assert [port.is_connected for port in found.inputs] == [True, True, True, True, False]


def test_outputs_of_any_number_are_those_of_the_results() -> None:
    graph = with_block(fed("Unstack", np.ones((3, 2))), "e", "Exp", (600, 0))
    found = shape(wired(graph, "k.y_1 > e.x"), "k")
    assert [(port.name, port.is_connected) for port in found.outputs] == [("y_0", False), ("y_1", True), ("y_2", False)]
    assert [port.y for port in found.outputs] == [44, 64, 84]
    assert found.height == 28 + 6 + 60 + 50 + 6


@pytest.mark.parametrize("kind", ["Page", "Scan"])
def test_a_used_page_has_the_ports_of_that_page(kind: str) -> None:
    found = shape(of(kind, "p", {"page": "inner", "times": 2} if kind == "Scan" else {"page": "inner"}), "p")
    assert [port.name for port in found.inputs] == ["first", "second"]
    assert [port.name for port in found.outputs] == ["sum"]


def test_a_page_that_is_gone_has_the_ports_of_its_wires() -> None:
    page = Page(
        MAIN, {"p": Block("p", "Page", parameters={"page": "gone"}, at=(0, 0)), "e": Block("e", "Exp", at=(300, 0))}
    )
    wires = [Wire(Port("p", "out"), Port("e", "x")), Wire(Port("e", "y"), Port("p", "in"))]
    found = shape(Graph((dataclasses.replace(page, wires={wire.target: wire for wire in wires}),)), "p")
    assert [port.name for port in found.inputs] == ["in"] and [port.name for port in found.outputs] == ["out"]


def test_a_wrong_wire_adds_no_output() -> None:
    page = Page(MAIN, {"a": Block("a", "Exp", at=(0, 0)), "b": Block("b", "Exp", at=(300, 0))})
    wire = Wire(Port("a", "nope"), Port("b", "x"))
    graph = Graph((dataclasses.replace(page, wires={wire.target: wire}),))
    assert [port.name for port in shape(graph, "a").outputs] == ["y"]


def test_a_page_output_has_no_output() -> None:
    assert shape(of("PageOutput"), "PageOutput").outputs == []


@pytest.mark.parametrize("wires", [(), ("c.y > r.x",), ("r.y > e.x",), ("c.y > r.x", "r.y > e.x")])
def test_a_reroute_has_both_ports_in_its_middle(wires: tuple[str, ...]) -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    graph = with_block(with_block(graph, "r", "Reroute", (300, 0)), "e", "Exp", (600, 0))
    found = shape(wired(graph, *wires), "r")
    assert [(port.x, port.y) for port in found.ports] == [(8, 8), (8, 8)]
    assert [port.is_connected for port in found.ports] == ["c.y > r.x" in wires, "r.y > e.x" in wires]
    assert (found.width, found.height, found.title, found.name, found.chip) == (16, 16, "", "r", "")


def test_ports_are_found_by_name_and_side() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2))
    found = shape(wired(with_block(graph, "a", "Add", (300, 0)), "c.y > a.x"), "a")
    assert found.port("x", True) is found.ports[0] and found.port("y", True) is found.ports[1]
    assert found.port("z", False) is found.ports[2]
    assert found.port("x", False) is found.port("z", True) is found.port("w", True) is None


def test_ports_are_found_by_all_that_names_them_the_first_of_each_name() -> None:
    one = BlockShape(None, "", "", "", 9, 9, (PortShape("x", True, 0, 1, None, False),), Body.NONE, QRectF())
    twice = one._replace(
        ports=(*one.ports, PortShape("x", True, 0, 2, None, False), PortShape("x", False, 9, 3, None, False))
    )
    found = ports_by_name(twice.ports)
    assert found["x", True, ""].y == 1 and found["x", False, ""].y == 3
    assert len(found) == 2 and len(ports_by_name(one.ports)) == 1


def test_wires_tell_which_ports_are_joined_also_those_too_many() -> None:
    wire, second = Wire(Port("a", "y"), Port("b", "x")), Wire(Port("a", "z"), Port("b", "x"))
    third = Wire(Port("b", "y"), Port("c", "w"))
    found = wired_ports(Page(MAIN, wires={wire.target: wire, third.target: third}, surplus=(second,)))
    assert found == {"a": Wired((), ("y", "z")), "b": Wired(("x",), ("y",)), "c": Wired(("w",), ())}


def test_of_an_unknown_type_ports_are_in_order_of_their_names() -> None:
    page = Page(MAIN, {"u": Block("u", "FromTheFuture", at=(0, 0)), "c": Block("c", "Exp", at=(-300, 0))})
    wires = [Wire(Port("c", "y"), Port("u", name)) for name in ("d", "b", "c")]
    graph = Graph((dataclasses.replace(page, wires={wire.target: wire for wire in wires}),))
    assert [port.name for port in shape(graph, "u").inputs] == ["b", "c", "d"]


# Boxes


def test_one_slider_takes_the_body_and_several_share_it() -> None:
    one = shape(of("Input", "x", {"value": np.asarray(1.0)}), "x")
    assert one.sliders == 1 and one.slider_box(0) == one.body_box
    box = one.body_box
    assert (box.left(), box.top(), box.width(), box.height()) == (10, 54, one.width - 20, 44)
    assert one.slider_track(0) == QRectF(18, 85, one.width - 36, 0)
    three = shape(of("Input", "x", {"value": np.ones(3)}), "x")
    each = (three.width - 20) / 3
    for index in range(3):
        assert three.slider_box(index).getRect() == pytest.approx((10 + index * each, 54, each, 70))
        assert three.slider_track(index).getRect() == pytest.approx((10 + (index + 0.5) * each, 62, 0, 44))


def test_a_field_stands_above_the_body() -> None:
    cast, exp = shape(fed("Cast", np.ones(3), parameters={"dtype": "float32"}), "k"), shape(fed("Exp", np.ones(3)), "k")
    assert (cast.field, exp.field) == ("dtype", "")
    assert exp.field_box.isNull()
    box = cast.body_box
    assert cast.field_box == QRectF(10, 54, cast.width - 20, box.top() - 54)
    # 24 px in the field's row.
    assert cast.height - exp.height == box.top() - 54 == cast.field_box.height() > 0


@pytest.mark.parametrize("fields", [{"is_collapsed": True}, {"is_muted": True}])
def test_a_block_that_shows_no_value_has_no_field(fields: dict[str, object]) -> None:
    assert shape(fed("Cast", np.ones(3), **fields), "k").field == ""


def test_a_click_on_the_number_of_a_loss_chooses_it() -> None:
    loss = shape(fed("Loss", np.asarray(1.0)), "k")
    left, top, width, _ = loss.body_box.getRect()
    assert loss_row(loss) == QRectF(left + 1, top + 6, width - 3, 24)
    assert loss.body_box.contains(loss_row(loss))


# Blocks that are alike


@pytest.mark.parametrize(
    ("name", "label", "width", "expected"),
    [
        ("Tanh_1", None, None, ""),
        ("t", None, None, "t"),
        ("Tanh", "mine", None, "mine"),
        ("a_name_that_is_long", None, 144, "a_name_that_is_long"),
        ("a_name_that_is_long", None, None, None),
    ],
)
def test_a_shape_serves_another_block_where_its_name_fits(
    name: str, label: str | None, width: int | None, expected: str | None
) -> None:
    like = shape(fed("LeakyRelu", np.ones(3)), "k")._replace(name="", width=144.0)
    kind = "LeakyRelu"
    block = Block(name.replace("Tanh", kind), kind, label=label, width=width)
    found = shape_like(like, block)
    assert (None if found is None else found.name) == expected
    assert (found is like) is (expected == "")
    assert found is None or found.ports is like.ports


def test_the_shape_of_a_dot_serves_all_dots() -> None:
    dot = shape(of("Reroute", "r"), "r")
    found = shape_like(dot, Block("a_name_that_is_very_long_for_a_dot", "Reroute"))
    assert found == dot._replace(name="a_name_that_is_very_long_for_a_dot")


def test_edits_of_an_inner_page_change_the_blocks_that_use_it() -> None:
    graph = of("Page", "p", {"page": "inner"})
    mirror = mirror_of(graph)
    session = mirror.session
    session.apply(
        "Add",
        lambda old: edits.add_block(old, "inner", "PageInput", id="c", at=(0, 200), parameters={"name": "third"})[0],
    )
    mirror.update(graph, session.graph)
    assert [port.name for port in mirror.shapes[mirror.rows["p"]].inputs] == ["first", "second", "third"]
