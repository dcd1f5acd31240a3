"""Modules as pages, names that differ, and outputs under their names."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import Found, Origin, make_names_differ, model_of
from gradwire.interop.models.pages import with_pages
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import MOST_OF_TENSOR, is_tensor, kind, made, refuse_large


def chain(count: int) -> Graph:
    """Returns x and the blocks b0, b1 ... behind it in a row."""
    last = gw.Input(value=np.ones(2), name="x")
    for number in range(count):
        last = gw.Sin(last, name=f"b{number}")
    return gw.graph(gw.Loss(last, name="loss"))


def tree(graph: Graph, page: str = "main") -> dict[str, object]:
    """Returns the blocks of a page without its ports; a block that uses a page has what is on that."""
    return {
        name: tree(graph, str(block.parameters["page"])) if block.type == "Page" else block.type
        for name, block in graph.page(page).blocks.items()
        if block.type not in ("PageInput", "PageOutput")
    }


def test_a_module_of_three_blocks_has_a_page_and_inner_ones_lie_on_it() -> None:
    modules = {f"b{number}": "net.first" if number < 3 else "net.second" for number in range(5)}
    found = tree(with_pages(chain(7), modules))
    inner = {f"b{number}": "Sin" for number in range(3)}
    assert found == {
        "x": "Input", "loss": "Loss", "b5": "Sin", "b6": "Sin",
        "net": {"net_first": inner, "b3": "Sin", "b4": "Sin"},
    }  # fmt: skip


def test_modules_lie_as_deep_as_their_names_say() -> None:
    names = ["a.b.c", "a.b.c", "a.b.c", "a.b", "a.d.e", "a.d.e", "a.d.e"]
    found = tree(with_pages(chain(7), {f"b{number}": name for number, name in enumerate(names)}))
    assert found == {
        "x": "Input", "loss": "Loss",
        "a": {
            "a_b": {"a_b_c": {"b0": "Sin", "b1": "Sin", "b2": "Sin"}, "b3": "Sin"},
            "a_d": {"a_d_e": {"b4": "Sin", "b5": "Sin", "b6": "Sin"}},
        },
    }  # fmt: skip


def test_blocks_outside_of_modules_and_modules_that_would_close_a_circle_stay() -> None:
    graph = chain(5)
    assert with_pages(graph, {"b0": "", "b1": "", "b2": "", "b3": ""}) == graph
    assert with_pages(graph, {"b0": "a", "b1": "a", "b4": "a"}) == graph
    assert with_pages(graph, {"b0": "a", "b1": "a"}) == graph
    assert with_pages(graph, {}) == graph


def test_blocks_of_one_name_are_numbered_but_for_the_root() -> None:
    def named(x: Expression, name: str) -> Expression:
        made_of: Expression = gw.Sin(x, name=name)
        return made_of

    first = gw.Input(value=np.ones(1))
    items = [first]
    for name in ("a", "b", "a", "a_1", "a"):
        items.append(named(items[-1], name))
    make_names_differ([items[-1]])
    assert [item.application.name for item in items] == [None, "a_1", "b", "a_2", "a_1_1", "a"]


def test_outputs_are_called_as_the_model_calls_them() -> None:
    x = gw.Input(value=np.ones(2), name="x")
    w = gw.Variable(np.ones(2))
    inner, read = gw.Sin(x), gw.Cos(x * w)
    outputs = {"first": inner, "second": read, "sum": gw.ReduceSum(read), "weight": w, "raw": x}
    origins = {item.application: Origin("m.py:1", "layer", "", "") for item in (inner, read)}
    blocks = model_of(Found("m", outputs, {"x": x, "layer.weight": w}, origins, (), {}, [])).graph.page("main").blocks
    types = {name: block.type for name, block in blocks.items()}
    assert types["first"] == "Identity" and types["second"] == "Cos" and types["sum"] == "ReduceSum"
    assert types["x"] == "Input" and "raw" not in types and "weight" not in types


def test_the_loss_is_a_scalar_output_or_the_one_that_is_named() -> None:
    x = gw.Input(value=np.ones(2), name="x")

    def types(outputs: dict[str, Expression], loss: str | None = None) -> list[str]:
        graph = model_of(Found("m", outputs, {"x": x}, {}, (), {}, []), loss).graph
        return [block.type for page in graph.pages for block in page.blocks.values() if block.type == "Loss"]

    assert types({"y": gw.ReduceSum(x)}) == ["Loss"]
    assert types({"y": gw.Sin(x)}) == types({"y": gw.ReduceSum(x), "z": gw.Sin(x)}) == []
    assert types({"y": gw.ReduceSum(x), "z": gw.Sin(x)}, "z") == ["Loss"]
    with pytest.raises(ModelRefusal, match='no output "w"; there are: y'):
        types({"y": gw.ReduceSum(x)}, "w")


def test_tensors_that_would_be_too_large_are_refused_before_they_are_made() -> None:
    most = MOST_OF_TENSOR // 8
    refuse_large("Fill", [most], np.dtype("float64"))
    refuse_large("Fill", [0, most], np.dtype("float64"))
    for shape in ([most + 1], [1, most + 1], [0, most + 1]):
        with pytest.raises(ModelRefusal, match="Fill wants"):
            refuse_large("Fill", shape, np.dtype("float64"))
    with pytest.raises(ModelRefusal):
        made("BroadcastTo", np.ones(1), shape=(most + 1,))
    assert [kind(np.zeros(1, dtype)) for dtype in ("float32", "int8", "uint8", "bool")] == ["f", "i", "u", "b"]
    assert is_tensor(np.ones(1)) and is_tensor(gw.Input(value=1.0)) and not is_tensor(1.0)


def test_a_variable_lies_in_the_innermost_module_around_all_that_reads_it() -> None:
    x = gw.Input(value=np.ones(2), name="x")
    own, shared, outside = (gw.Variable(np.ones(2), name=name) for name in ("own", "shared", "outside"))
    origins, last = {}, x
    for module, read in (("net.a", (own, shared, own)), ("net.b", (shared, shared, outside)), ("head", (outside,) * 3)):
        for item in read:
            last = last * item
            origins[last.application] = Origin("line", module)
    leaves = {"x": x, "own": own, "shared": shared, "outside": outside}
    found = tree(model_of(Found("f", {"y": gw.ReduceSum(last)}, leaves, origins, ())).graph)
    net = found["net"]
    assert isinstance(net, dict)
    inner, other = net["net_a"], net["net_b"]
    assert isinstance(inner, dict) and isinstance(other, dict)
    assert inner["own"] == net["shared"] == found["outside"] == "Variable"
    assert not {"shared", "outside"} & {*inner, *other}
