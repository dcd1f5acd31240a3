"""Small parts that readers of models share: lines, notices, dtypes, pages with names that meet, and what went."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire
from gradwire.interop.models.again import kept_from
from gradwire.interop.models.graphs import Found, Model, Origin, Origins, model_of, notices_of
from gradwire.interop.models.own_pages import page_of
from gradwire.interop.models.source_lines import innermost_line, is_of_pytorch, line_of
from gradwire.interop.models.tensors import axis_of, broadcast, cast


def frame(file: str, number: int, code: str) -> str:
    return f'File "{file}", line {number}, in forward\n    {code}\n'


OWN, LIBRARY = "/home/me/model.py", "/env/lib/python3.11/site-packages/torch/nn/modules/module.py"


@pytest.mark.parametrize(
    ("trace", "line", "code"),
    [
        ("", "", ""),
        (frame(OWN, 3, "y = x"), "model.py:3", "y = x"),
        (frame(OWN, 3, "y = x") + frame(OWN, 12, "z = y"), "model.py:12", "z = y"),
        (frame(OWN, 3, "y = x") + frame(LIBRARY, 99, "return f()"), "model.py:3", "y = x"),
        (frame(LIBRARY, 99, "return f()"), "module.py:99", "return f()"),
        (frame("C:\\me\\net.py", 7, "a\x07b"), "net.py:7", "ab"),
        (frame(OWN, 3, "x" * 160), "model.py:3", "x" * 160),
        (frame(OWN, 3, "x" * 161), "model.py:3", "x" * 160),
        (f'File "{OWN}", line 5', "model.py:5", ""),
    ],
)
def test_the_innermost_line_outside_of_pytorch_is_told(trace: str, line: str, code: str) -> None:
    assert innermost_line(trace) == (line, code)


def test_files_of_pytorch_lie_in_its_package() -> None:
    assert is_of_pytorch(LIBRARY) and is_of_pytorch("torch/_ops.py")
    assert not any(map(is_of_pytorch, (OWN, "/home/torch/me.py", LIBRARY.replace("/torch/", "/torchvision/"))))
    assert line_of("a/b/c.py", 4) == line_of("a\\b\\c.py", "4") == "c.py:4"


def test_a_tensor_that_is_as_wanted_stays_itself() -> None:
    x = gw.Input(np.ones((1, 3)))
    assert cast(x, np.dtype("float64")) is x and broadcast(x, [1, 3]) is x
    assert cast(x, np.dtype("float32")).dtype == np.float32 and broadcast(x, (2, 3)).shape == (2, 3)
    assert [axis_of(dim, x) for dim in (0, 1, -1, -2)] == [0, 1, 1, 0]
    assert axis_of(-1, gw.Input(1.0)) == axis_of(0, gw.Input(1.0)) == 0


def test_an_origin_is_noted_for_all_that_was_made_on_the_way_and_once() -> None:
    x, w = gw.Input(np.ones(2)), gw.Variable(np.ones(2))
    first = gw.Exp(x * w)
    second = gw.Sin(first) + first
    origins = Origins()
    origins.add(first, Origin("m.py:1"))
    origins.add(second, Origin("m.py:2"))
    origins.add(3.0, Origin("m.py:3"))
    texts = {item.type.name: origin.text for item, origin in origins.items()}
    assert texts["Exp"] == texts["Multiply"] == "m.py:1" and texts["Sin"] == texts["Add"] == "m.py:2"
    assert not {"Input", "Variable"} & texts.keys() and "m.py:3" not in texts.values()


def test_an_origin_says_what_it_knows() -> None:
    assert Origin("m.py:1", "net", "", "add").notes == {"origin": "m.py:1", "operation": "add"}
    assert Origin("m.py:1", "net", "y = x").notes == {"origin": "m.py:1", "code": "y = x"}
    assert Origin("", "net", "y = x", "add").notes == {}
    first = Model(gw.graph(gw.Exp(gw.Input(1.0))), ("b",)).with_notices(["a"])
    assert first.notices == ("a", "b") and notices_of(first.graph) == ["a", "b"]


def test_a_leaf_says_where_its_trace_ends_and_how_the_model_calls_it() -> None:
    x, w, v = gw.Input(np.ones(2), name="x"), gw.Variable(np.ones(2), name="w"), gw.Variable(np.ones(2), name="v")
    found = Found("m", {"y": gw.Exp(x * w)}, {"x": x, "net.w": w, "net.v": v}, {}, (), {"net.v": Origin("m.py:4")})
    blocks = model_of(found).graph.pages[0].blocks
    assert blocks["w"].extra == {"parameter": "net.w"}
    assert blocks["v"].extra == {"parameter": "net.v", "origin": "m.py:4"}
    assert blocks["x"].extra == {}


def test_ports_of_a_page_keep_their_names_beside_blocks_of_the_same() -> None:
    x = gw.Input(np.ones(2))
    inner = gw.Exp(x, name="y")
    page = page_of("P", {"x": x}, {"y": gw.Sin(inner), "k": np.ones(2)}, {inner.application: Origin("m.py:2")}, "G")
    ports = {
        (block.type, str(block.parameters["name"])): name
        for name, block in page.blocks.items()
        if block.type in ("PageInput", "PageOutput")
    }
    assert set(ports) == {("PageInput", "x"), ("PageOutput", "y"), ("PageOutput", "k")}
    assert (page.name, page.gradient, page.blocks["y"].type) == ("P", "G", "Exp")
    assert page.blocks["y"].extra == {"origin": "m.py:2"}
    into = {
        port: page.wires[Port(name, "x")].source.block for (kind, port), name in ports.items() if kind != "PageInput"
    }
    assert page.blocks[into["y"]].type == "Sin" and page.blocks[into["k"]].type == "Constant"


def graph_of(*names: str, **more: str) -> Graph:
    """Returns a graph of an Input x and of blocks behind it in a row, Exp unless another type is told."""
    blocks, wires, last = {"x": Block("x", "Input", {"value": np.ones(2)})}, dict[Port, Wire](), "x"
    for name in names:
        blocks[name] = Block(name, more.get(name, "Exp"), extra={} if name.startswith("my") else {"origin": "m.py:1"})
        wires[Port(name, "x")] = Wire(Port(last, "y"), Port(name, "x"))
        last = name
    return Graph((Page("main", blocks, wires),))


def test_a_place_of_another_type_keeps_where_it_stands_alone() -> None:
    old = graph_of("a", "b")
    blocks = {
        name: replace(block, at=(5 * place, 7), label=f"label of {name}", is_muted=True)
        for place, (name, block) in enumerate(old.pages[0].blocks.items())
    }
    again = kept_from(Graph((replace(old.pages[0], blocks=blocks),)), Model(graph_of("a", "b", b="Sin"))).graph
    a, b = (again.pages[0].blocks[name] for name in "ab")
    assert (a.at, a.label, a.is_muted) == ((5, 7), "label of a", True)
    assert (b.at, b.label, b.is_muted, b.type) == ((10, 7), None, False, "Sin")


@pytest.mark.parametrize(
    ("check", "stays"),
    [
        ({"at": "main/a.y"}, True), ({"at": "main/a.x"}, True), ({"at": "main/a"}, True), ({"at": "main/a.q"}, False),
        ({"at": "main/c.y"}, False), ({"at": "other/a.y"}, False), ({"wire": ["main/a.y", "main/b.x"]}, True),
        ({"wire": ["main/a.y", "main/c.x"]}, False), ({"loss": "main/c"}, False), ({"other_loss": "main/c"}, False),
        ({"gradient_equals": "main/c.y"}, False), ({"gradient_equals": 3.0}, True), ({}, True),
    ],
)  # fmt: skip
def test_a_check_stays_where_all_of_its_places_are(check: dict[str, object], stays: bool) -> None:
    before = replace(graph_of("a", "b", "c"), checks=(check,))
    again = kept_from(before, Model(graph_of("a", "b")))
    assert again.graph.checks == ((check,) if stays else ())
    gone = [line for line in again.notices if line.startswith("The check at")]
    assert len(gone) == (not stays)


def test_all_blocks_of_a_page_that_went_are_lost() -> None:
    before = graph_of("a")
    other = replace(graph_of("b").pages[0], name="net")
    again = kept_from(replace(before, pages=(*before.pages, other)), Model(graph_of("a")))
    assert again.notices == ("No longer in the model: net/x, net/b.",)


def test_the_chosen_loss_stays_where_the_model_has_it() -> None:
    before = graph_of("a", "b")
    for loss, wanted in (("main/b", "main/b"), ("main/c", None), (None, None)):
        assert kept_from(replace(before, loss=loss), Model(graph_of("a", "b"))).graph.loss == wanted


def test_a_stop_goes_whose_source_is_another_block_now_and_a_loss_without_a_wire() -> None:
    before = graph_of("a", "my_stop", "b", my_stop="StopGradient")
    page = before.pages[0]
    lonely = replace(page, blocks={**page.blocks, "my_loss": Block("my_loss", "Loss")})
    kept = kept_from(Graph((lonely,)), Model(graph_of("a", "b"))).graph.pages[0]
    assert "my_stop" in kept.blocks and kept.wires[Port("b", "x")].source == Port("my_stop", "y")
    assert "my_loss" not in kept.blocks
    for now in (graph_of("a", "b", a="Sin"), graph_of("a", "c", "b"), graph_of("c", "b")):
        again = kept_from(before, Model(now))
        assert "my_stop" not in again.graph.pages[0].blocks
        assert "The StopGradient main/my_stop went: the model has no such wire any more." in again.notices
        assert again.graph.pages[0].wires == now.pages[0].wires


def test_frames_that_lost_their_blocks_go_and_those_that_hold_frames_stay() -> None:
    frames = (
        Frame("f", "Lost", ("c",)), Frame("g", "", ("c",)), Frame("h", "Half", ("a", "c")), Frame("i", "Empty", ()),
        Frame("o", "Outer", ("c",), ("f", "h")),
    )  # fmt: skip
    page = replace(graph_of("a", "b", "c").pages[0], frames=frames)
    again = kept_from(Graph((page,)), Model(graph_of("a", "b")))
    found = {item.id: (item.blocks, item.frames) for item in again.graph.pages[0].frames}
    assert found == {"h": (("a",), ()), "i": ((), ()), "o": ((), ("h",))}
    assert [line for line in again.notices if "frame" in line] == [
        f'The frame "{name}" went: none of its blocks is there any more.' for name in ("Lost", "g")
    ]
