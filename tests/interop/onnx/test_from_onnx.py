"""Models of ONNX as graphs: names, Variables, pages, the loss and its gradients, graphs inside nodes, free sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.from_onnx import free_sizes, from_onnx, read_onnx
from tests.interop.onnx.written import Reference, function, graph, model, node, value
from tests.interop.opset.test_operators import assert_recorded, recorded

X = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]], np.float32)
W = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
B = np.array([0.1, -0.2, 0.3, 0.4], np.float32)


def layer() -> bytes:
    """Returns a layer: the sum of relu(x W^T + b)."""
    nodes = [
        node("Gemm", ["x", "net.0.weight", "net.0.bias"], ["z"], "/Gemm", transB=1),
        node("Relu", ["z"], ["h"], "/Relu"),
        node("ReduceSum", ["h"], ["total"], "/Sum", keepdims=0),
    ]
    weights = {"net.0.weight": W, "net.0.bias": B}
    return model(graph(nodes, [value("x", ["batch", 3])], ["total"], weights))


def types(found: Graph) -> dict[str, str]:
    return {block.id: block.type for page in found.pages for block in page.blocks.values()}


def gradient(found: Graph, name: str) -> Array:
    ports = run_graph(found).snapshot.ports
    return np.asarray(next(port.gradient for key, port in ports.items() if key.path == f"main/{name}"))


def number(found: Graph, name: str) -> Array:
    ports = run_graph(found).snapshot.ports
    return np.asarray(next(port.value for key, port in ports.items() if key.path == f"main/{name}"))


def test_a_layer_has_its_names_its_loss_and_its_gradients() -> None:
    found = gw.from_onnx(layer(), {"x": X})
    assert found.page("main").blocks["net_0_weight"].type == "Variable"
    loss = run_graph(found).snapshot.loss
    assert loss is not None
    z = X @ W.T + B
    np.testing.assert_allclose(loss.value, np.maximum(z, 0).sum(), rtol=1e-6)
    open_units = (z > 0).astype(np.float32)
    np.testing.assert_allclose(gradient(found, "net_0_weight"), open_units.T @ X, rtol=1e-6)
    np.testing.assert_allclose(gradient(found, "net_0_bias"), open_units.sum(0), rtol=1e-6)
    np.testing.assert_allclose(gradient(found, "x"), open_units @ W, rtol=1e-6)


def test_blocks_keep_the_names_of_their_nodes() -> None:
    blocks = from_onnx(layer(), {"x": X}).page("main").blocks
    assert blocks["Relu"].extra["origin"] == "/Relu"
    assert blocks["Gemm"].type == "Add" and blocks["Gemm"].extra["origin"] == "/Gemm"


def test_weights_without_training_are_constants_and_notices_stay_in_the_file() -> None:
    found = from_onnx(layer(), {"x": X}, train=False)
    assert "Variable" not in types(found).values()
    notices = gw.notices(loads(dumps(found)).graph)
    assert notices[0].startswith("An ONNX file does not say where gradients are stopped")
    assert notices[-1] == "Written by tests."


def test_inputs_are_drawn_in_sizes_that_can_be_chosen() -> None:
    (size,) = free_sizes(layer())
    assert (size.symbol, size.size, size.axes) == ("batch", 2, (("x", 0),))
    read = read_onnx(layer(), sizes={"batch": 7})
    assert np.asarray(read.graph.page("main").blocks["x"].parameters["value"]).shape == (7, 3)
    assert "Nobody gave x: its numbers are drawn with seed 0." in read.notices


def test_a_question_mark_names_no_size() -> None:
    nodes = [node("ReduceSum", ["x"], ["y"], keepdims=0)]
    whole = model(graph(nodes, [value("x", ["?", "?"])], ["y"]))
    assert [size.symbol for size in free_sizes(whole)] == ["x 0", "x 1"]
    np.testing.assert_allclose(number(gw.from_onnx(whole, {"x": X}), "y"), X.sum(), rtol=1e-6)


def test_weights_of_a_file_that_keeps_them_in_constants_are_variables() -> None:
    """So do Paddle's exporter and those that put one model into another."""
    nodes = [
        node("Constant", [], ["inlined.weight"], value=W.T.copy()),
        node("Constant", [], ["Constant@0"], value=np.array(2.0, np.float32)),
        node("MatMul", ["x", "inlined.weight"], ["z"]),
        node("Mul", ["z", "Constant@0"], ["h"]),
        node("ReduceSum", ["h"], ["total"], keepdims=0),
    ]
    found = gw.from_onnx(model(graph(nodes, [value("x", [2, 3])], ["total"])), {"x": X})
    assert [name for name, kind in types(found).items() if kind == "Variable"] == ["inlined_weight"]
    np.testing.assert_allclose(gradient(found, "inlined_weight"), 2 * np.tile(X.sum(0)[:, None], 4), rtol=1e-6)
    beside = gw.from_onnx(model(graph(nodes, [value("x", [2, 3])], ["total"], {"other": W})), {"x": X})
    assert "Variable" not in types(beside).values()


def test_a_weight_inside_a_loop_is_one_variable_in_all_rounds() -> None:
    body = graph(
        [node("Identity", ["go"], ["on"]), node("Mul", ["state", "factor"], ["next"])],
        [value("round", [], "int64"), value("go", [], "bool"), value("state", [3])],
        ["on", "next"],
        {"factor": B[:3]},
    )
    nodes = [
        node("Loop", ["rounds", "", "x"], ["y"], body=body),
        node("ReduceSum", ["y"], ["total"], keepdims=0),
    ]
    weights = {"rounds": np.array(3)}
    found = gw.from_onnx(model(graph(nodes, [value("x", [3])], ["total"], weights)), {"x": X[0]})
    np.testing.assert_allclose(gradient(found, "factor"), 3 * B[:3] ** 2 * X[0], rtol=1e-5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"x": np.ones((2, 4))}, r"x has shape \[2, 4\]; the program is for \[\?, 3\]"),
        ({"y": [1.0]}, 'There is no input "y"; there are: x'),
        ({"x": "abc"}, "x is no tensor of numbers"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(given: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ModelRefusal, match=said):
        from_onnx(layer(), given)


def test_modules_are_pages_with_their_weights_inside() -> None:
    """Newer exporters of PyTorch note the module; its name in the node is that of an operation."""
    nodes = []
    for place in range(2):
        scope = {"pkg.torch.onnx.name_scopes": f"['', 'layers', 'layers.{place}', 'linear']"}
        source, outcome = ("x", "m") if place == 0 else ("m", "y")
        nodes += [
            node("MatMul", [source, f"layers.{place}.w"], [f"p{place}"], f"node_{place}_1", notes=scope),
            node("Add", [f"p{place}", f"layers.{place}.b"], [f"s{place}"], f"node_{place}_2", notes=scope),
            node("Tanh", [f"s{place}"], [outcome], f"node_{place}_3", notes=scope),
        ]
    weights = {f"layers.{place}.{name}": array for place in (0, 1) for name, array in (("w", W[:3]), ("b", B[:3]))}
    found = from_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"], weights)), {"x": X})
    pages = {page.name: page for page in found.pages}
    assert {"main", "layers", "layers_0"} <= pages.keys()
    assert "layers_0_w" in pages["layers_0"].blocks
    np.testing.assert_allclose(number(found, "y"), np.tanh(np.tanh(X @ W[:3] + B[:3]) @ W[:3] + B[:3]), rtol=1e-6)


def test_a_function_of_the_model_is_called_with_its_settings() -> None:
    scaled = function(
        "Scaled", ["a", "b"], ["c"],
        [
            node("Constant", [], ["alpha_"], value_float=Reference("alpha")),
            node("Mul", ["b", "alpha_"], ["s"]),
            node("Add", ["a", "s"], ["c"]),
        ],
        "own",
    )  # fmt: skip
    nodes = [node("Scaled", ["x", "x"], ["y"], "call", domain="own", alpha=3.0)]
    found = from_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"]), functions=[scaled], domains=["own"]), {"x": X})
    np.testing.assert_allclose(number(found, "y"), 4 * X)


def test_equal_weights_that_an_exporter_merged_are_variables_of_their_own() -> None:
    zeros = np.zeros(3, np.float32)
    nodes = [
        node("Identity", ["b"], ["c"]),
        node("Add", ["x", "b"], ["s"]),
        node("Tanh", ["s"], ["t"]),
        node("Mul", ["t", "c"], ["y"]),
    ]
    read = read_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"], {"b": zeros})), {"x": X})
    assert {name for name, kind in types(read.graph).items() if kind == "Variable"} == {"b", "c"}
    assert "c: merged in the file with equal weights; here Variables of their own." in read.notices


def test_weights_that_two_modules_share_are_one_variable_unless_they_are_all_alike() -> None:
    def read(array: Array) -> Graph:
        scopes = [{"pkg.torch.onnx.name_scopes": f"['', '{name}', 'add']"} for name in ("first", "second")]
        nodes = [
            node("Add", ["x", "first.b"], ["s"], "n1", notes=scopes[0]),
            node("Mul", ["s", "first.b"], ["y"], "n2", notes=scopes[1]),
        ]
        return from_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"], {"first.b": array})), {"x": X})

    def variables(array: Array) -> set[str]:
        return {name for name, kind in types(read(array)).items() if kind == "Variable"}

    assert variables(B[:3]) == {"first_b"}
    assert variables(np.ones(3, np.float32)) == {"first_b", "second_b"}


def test_running_statistics_are_no_variables() -> None:
    weights = dict(zip("sbmv", (B[:3], B[1:], B[:3], np.ones(3, np.float32)), strict=True))
    nodes = [node("BatchNormalization", ["x", *weights], ["y"], epsilon=0.5)]
    found = from_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"], weights)), {"x": X})
    assert {name for name, kind in types(found).items() if kind == "Variable"} == {"s", "b"}
    np.testing.assert_allclose(number(found, "y"), (X - B[:3]) / np.sqrt(1.5) * B[:3] + B[1:], rtol=1e-6)


@pytest.mark.parametrize(("flag", "wanted"), [(True, 2 * X), (False, -X)])
def test_of_a_branch_these_inputs_take_one(flag: bool, wanted: Array) -> None:
    branches = {
        name: graph([node(kind, ["x", *more], [name])], [], [name])
        for name, kind, more in (("then_branch", "Add", ["x"]), ("else_branch", "Neg", []))
    }
    nodes = [node("If", ["flag"], ["y"], "choice", **branches)]
    whole = model(graph(nodes, [value("x", [2, 3]), value("flag", [], "bool")], ["y"]))
    read = read_onnx(whole, {"x": X, "flag": flag})
    np.testing.assert_array_equal(number(read.graph, "y"), wanted)
    assert any(notice.startswith('If "choice": these inputs take its ') for notice in read.notices)


def rounds(count: int) -> bytes:
    """Returns a model that adds x so many times, and collects the sums."""
    body = graph(
        [node("Add", ["state", "x"], ["next"]), node("Identity", ["c"], ["d"]), node("Identity", ["next"], ["kept"])],
        [value("i", [], "int64"), value("c", [], "bool"), value("state", [3])],
        ["d", "next", "kept"],
    )
    nodes = [node("Loop", ["n", "", "zero"], ["end", "all"], "rounds", body=body)]
    weights = {"n": np.asarray(count, np.int64), "zero": np.zeros(3, np.float32)}
    return model(graph(nodes, [value("x", [3])], ["end", "all"], weights))


def test_a_loop_is_unrolled_with_a_notice_up_to_a_limit() -> None:
    read = read_onnx(rounds(4), {"x": X[0]})
    np.testing.assert_allclose(number(read.graph, "end"), 4 * X[0])
    np.testing.assert_allclose(number(read.graph, "all"), np.arange(1, 5)[:, None] * X[0])
    assert 'Loop "rounds": its 4 rounds with these inputs are unrolled.' in read.notices
    with pytest.raises(ModelRefusal, match="more than 200 rounds"):
        from_onnx(rounds(10**9), {"x": X[0]})


def test_a_scan_goes_along_an_axis_backwards_if_it_says_so() -> None:
    body = graph(
        [node("Add", ["s", "row"], ["t"]), node("Identity", ["t"], ["u"])],
        [value("s", [2]), value("row", [2])],
        ["t", "u"],
    )
    nodes = [
        node("Scan", ["zero", "x"], ["end", "sums"], "scan", body=body, num_scan_inputs=1, scan_input_axes=[1],
             scan_input_directions=[1], scan_output_axes=[1])
    ]  # fmt: skip
    whole = model(graph(nodes, [value("x", [2, 3])], ["end", "sums"], {"zero": np.zeros(2, np.float32)}))
    found = from_onnx(whole, {"x": X})
    np.testing.assert_allclose(number(found, "sums"), np.cumsum(X[:, ::-1], axis=1), rtol=1e-6)


def test_shapes_that_inputs_decide_are_fixed_with_a_notice() -> None:
    nodes = [node("Reshape", ["x", "shape"], ["y"], "flat")]
    whole = model(graph(nodes, [value("x", [2, 3]), value("shape", [2], "int64")], ["y"]))
    read = read_onnx(whole, {"x": X, "shape": [3, 2]})
    assert number(read.graph, "y").shape == (3, 2)
    assert 'Reshape "flat": it reads numbers of these inputs, and what they decide is fixed.' in read.notices


def test_numbers_alone_that_an_exporter_has_named_are_constants() -> None:
    nodes = [node("Mul", ["x", "val_3"], ["s"]), node("Mul", ["s", "scale"], ["y"])]
    weights = {"val_3": np.full(1, 2, np.float32), "scale": np.full((), 3, np.float32)}
    found = types(from_onnx(model(graph(nodes, [value("x", [2, 3])], ["y"], weights)), {"x": X}))
    assert [name for name, kind in found.items() if kind == "Variable"] == ["scale"]


def test_an_output_can_be_made_the_loss() -> None:
    nodes = [node("Relu", ["x"], ["a"]), node("Exp", ["x"], ["b.c"])]
    whole = model(graph(nodes, [value("x", [2, 3])], ["a", "b.c"]))
    assert run_graph(from_onnx(whole, {"x": X})).snapshot.loss is None
    chosen = read_onnx(whole, {"x": X}, loss="b.c").graph
    np.testing.assert_allclose(gradient(chosen, "x"), np.exp(X), rtol=1e-6)
    with pytest.raises(ModelRefusal, match=r'There is no output "c"; there are: a, b\.c'):
        read_onnx(whole, {"x": X}, loss="c")


def test_a_stop_that_our_own_export_notes_is_a_stop_again() -> None:
    nodes = [node("Identity", ["x"], ["s"], notes={"gradwire.stop": ""}), node("Mul", ["x", "s"], ["y"])]
    whole = model(graph([*nodes, node("ReduceSum", ["y"], ["l"], keepdims=0)], [value("x", [2, 3])], ["l"]))
    np.testing.assert_allclose(gradient(from_onnx(whole, {"x": X}), "x"), X)


@pytest.mark.parametrize("part", range(8))
def test_models_of_one_operator_have_their_recorded_outputs(part: int) -> None:
    assert_recorded(recorded()[0][part::40])
