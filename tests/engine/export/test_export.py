"""Exported programs: the numbers of NumPy programs, and the text of the others."""

from __future__ import annotations

import ast
import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import ExportError
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.engine.programs import deviation, run_program
from tests.recorded import graph_of_recording, load, make_graph, recorded_graphs
from tests.sweeps import a_third_of

# The order of operations differs: sums of hundreds of terms of about 1 deviate by less than this.
ROOM = 1e-10


def source(name: str, value: object, kind: str = "Input") -> Block:
    return Block(name, kind, parameters={"value": np.asarray(value)})


def stable_softmax(**names: str) -> Graph:
    """Returns the stable softmax with its blocks named by `names`."""
    x, m, stop, z, loss = (names.get(name, name) for name in ("x", "m", "stop", "z", "loss"))
    blocks = [
        source(x, [1.0, 3.0, 3.0]),
        Block(m, "ReduceMax"),
        Block(stop, "StopGradient"),
        Block(z, "Subtract"),
        Block(loss, "Loss"),
    ]
    wires = [(f"{x}.y", f"{m}.x"), (f"{m}.y", f"{stop}.x"), (f"{x}.y", f"{z}.x"), (f"{stop}.y", f"{z}.y")]
    return make_graph(blocks, [*wires, (f"{z}.z", f"{loss}.x")])


@pytest.mark.parametrize("name", a_third_of(recorded_graphs(), 1))
def test_numpy_programs_of_the_recorded_graphs_give_the_numbers_of_gradwire(name: str) -> None:
    assert deviation(graph_of_recording(load("graphs", name))) < ROOM


def test_a_program_has_one_line_for_each_block_named_after_it() -> None:
    lines = export(stable_softmax(), "numpy").split("\n")
    for line in ("x = np.array([1.0, 3.0, 3.0])", "m = np.max(x)", "z = x - stop", "loss = np.sum(z)"):
        assert line in lines


@pytest.mark.parametrize(
    ("framework", "line"),
    [
        ("numpy", "stop = m"),
        ("tensorflow", "stop = tf.stop_gradient(m)"),
        ("torch", "stop = m.detach()"),
        ("jax", "stop = jax.lax.stop_gradient(m)"),
    ],
)
def test_each_framework_has_its_own_stop(framework: str, line: str) -> None:
    assert any(text.strip().startswith(line) for text in export(stable_softmax(), framework).split("\n"))


@pytest.mark.parametrize("framework", list(TARGETS))
def test_programs_are_python(framework: str) -> None:
    for name in ("softmax_stable_stop_plain", "higher_maml", "logreg_a"):
        ast.parse(export(graph_of_recording(load("graphs", name)), framework))


def test_the_program_says_how_far_it_is_from_gradwire() -> None:
    printed = run_program(export(stable_softmax(), "numpy"))["printed"]
    assert "loss = -2.0" in printed
    assert printed.rstrip().endswith("largest deviation from the numbers of Gradwire: 0")


def test_a_program_with_another_input_notices_the_deviation() -> None:
    text = export(stable_softmax(), "numpy").replace("x = np.array([1.0, 3.0, 3.0])", "x = np.array([2.0, 3.0, 3.0])")
    assert run_program(text)["largest"] == 1.0


@pytest.mark.parametrize(
    "names",
    [
        {"x": "loss", "loss": "total"},
        {"x": "np", "m": "lambda", "stop": "print", "z": "math"},
        {"x": "found", "m": "expected", "stop": "deviation", "z": "largest", "loss": "name"},
        {"x": "g_x", "z": "part", "m": "array"},
        {"x": "broadcast_axes", "z": "sum_to", "m": "x"},
    ],
)
def test_blocks_may_be_called_like_what_the_program_uses(names: dict[str, str]) -> None:
    assert deviation(stable_softmax(**names)) == 0


def test_a_leaf_may_be_called_like_the_gradient_of_another() -> None:
    blocks = [source("x", [1.0, 2.0]), source("g_x", [3.0, 5.0]), Block("y", "Divide"), Block("loss", "Loss")]
    graph = make_graph(blocks, [("x.y", "y.x"), ("g_x.y", "y.y"), ("y.z", "loss.x")])
    names = run_program(export(graph, "numpy"))
    np.testing.assert_array_equal(names["g_x"], [3.0, 5.0])
    assert names["largest"] == 0


def test_losses_of_the_same_name_on_two_pages_are_told_apart() -> None:
    pages = [
        make_graph([source("x", value), Block("loss", "Loss")], [("x.y", "loss.x")]).pages[0] for value in (3.0, 4.0)
    ]
    named = tuple(dataclasses.replace(page, name=name) for page, name in zip(pages, ("a", "b"), strict=True))
    for chosen, value in (("a/loss", 3.0), ("b/loss", 4.0), (None, 7.0)):
        names = run_program(export(Graph(pages=named, loss=chosen), "numpy"))
        assert (names["loss"], names["largest"]) == (value, 0)


def test_a_blocked_gradient_is_zero_and_says_why() -> None:
    graph = make_graph(
        [source("x", [1.0, 2.0]), Block("stop", "StopGradient"), Block("loss", "Loss")],
        [("x.y", "stop.x"), ("stop.y", "loss.x")],
    )
    text = export(graph, "numpy")
    assert "g_x = np.zeros_like(x)  # blocked by main/stop" in text.split("\n")
    assert deviation(graph) == 0


@pytest.mark.parametrize(
    "value",
    [
        np.array([0.1, 1e-40, 3e38], np.float32),
        np.array([[np.nan, np.inf], [-np.inf, -0.0]]),
        np.zeros((0, 3)),
        np.float16(0.1),
        np.linspace(0, 1, 2000).reshape(2, 1000),
    ],
    ids=["float32", "not finite", "empty", "float16", "large"],
)
def test_inputs_are_embedded_bit_by_bit(value: np.ndarray) -> None:
    names = run_program(export(make_graph([source("x", value), Block("loss", "Loss")], [("x.y", "loss.x")]), "numpy"))
    assert (names["x"].dtype, names["x"].shape) == (value.dtype, value.shape)
    assert names["x"].tobytes() == np.asarray(value).tobytes()


def test_float32_stays_float32() -> None:
    graph = make_graph(
        [source("x", np.array([0.1, 0.7], np.float32)), Block("y", "Sigmoid"), Block("loss", "Loss")],
        [("x.y", "y.x"), ("y.y", "loss.x")],
    )
    names = run_program(export(graph, "numpy"))
    assert {names[name].dtype.name for name in ("x", "y", "loss", "g_x")} == {"float32"}


def test_several_losses_are_added_up() -> None:
    graph = make_graph(
        [source("x", 3.0), Block("a", "Loss"), Block("b", "Loss"), Block("y", "Square")],
        [("x.y", "a.x"), ("x.y", "y.x"), ("y.y", "b.x")],
    )
    names = run_program(export(graph, "numpy"))
    assert (names["loss"], names["g_x"]) == (12, 7)


def test_without_a_loss_the_values_are_compared() -> None:
    graph = make_graph([source("x", 3.0), Block("y", "Square")], [("x.y", "y.x")])
    names = run_program(export(graph, "numpy"))
    assert names["found"] == {"main/y.y": 9.0}
    assert names["largest"] == 0


def test_a_graph_with_an_error_is_refused_with_the_error() -> None:
    graph = make_graph([source("x", [1.0]), Block("y", "Add")], [("x.y", "y.x")])
    broken = make_graph([*graph.pages[0].blocks.values(), Block("loss", "Loss")], [("x.y", "y.x"), ("y.z", "loss.x")])
    with pytest.raises(ExportError, match="main/y"):
        export(broken, "numpy")


def test_a_block_without_a_line_in_a_framework_is_refused_by_name() -> None:
    graph = make_graph(
        [source("x", [1.0]), Block("guard", "PreventGradient"), Block("y", "Square")],
        [("x.y", "guard.x"), ("guard.y", "y.x")],
    )
    with pytest.raises(ExportError, match=r"PyTorch has no line for PreventGradient \(main/guard\)"):
        export(graph, "torch")


def test_text_parameters_become_string_literals() -> None:
    message = '\'); import os  # \\ "quoted"'
    graph = make_graph(
        [source("x", [1.0]), Block("guard", "PreventGradient", parameters={"message": message})],
        [("x.y", "guard.x")],
    )
    tree = ast.parse(export(graph, "tensorflow"))
    assert message in {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert {item.name for node in ast.walk(tree) if isinstance(node, ast.Import) for item in node.names} == {
        "numpy",
        "tensorflow",
    }


@pytest.mark.parametrize("has_loss", [True, False])
def test_ports_of_pages_come_into_programs_as_names_and_texts(has_loss: bool) -> None:
    evil = '", __import__("os").abort(), "'
    ports = {name: Block(name, "PageOutput", parameters={"name": text}) for name, text in (("o", evil), ("p", "q\n"))}
    start = Block("i", "PageInput", parameters={"name": "in", "value": np.array([1.0, 2.0])})
    wires = {Port(name, "x"): Wire(Port("i", "y"), Port(name, "x")) for name in ports}
    blocks = {"use": Block("use", "Page", parameters={"page": "inner"}), "e": Block("e", "Exp")}
    blocks |= {"l": Block("l", "Loss")} if has_loss else {}
    used = [Wire(Port("use", evil), Port("e", "x")), *[Wire(Port("e", "y"), Port("l", "x"))] * has_loss]
    main = Page("main", blocks, {wire.target: wire for wire in used})
    program = export(Graph((main, Page("inner", {"i": start, **ports}, wires))), "numpy")
    assert all(not isinstance(node, ast.Name) or node.id != "__import__" for node in ast.walk(ast.parse(program)))
    assert run_program(program)["largest"] == 0


def test_no_block_hides_a_module_that_a_function_of_the_program_needs() -> None:
    pool = {"ksize": (2, 2), "strides": (1, 1), "padding": "VALID"}
    names = ("math", "itertools", "functools", "NamedTuple", "string")
    blocks = [source("math", np.arange(9.0).reshape(1, 3, 3, 1)), Block("itertools", "MaxPool2D", parameters=pool)]
    blocks += [Block("functools", "AvgPool2D", parameters=pool), Block("NamedTuple", "Add"), Block("string", "Loss")]
    assert [block.id for block in blocks] == list(names)
    wires = [("math.y", "itertools.input"), ("math.y", "functools.input"), ("itertools.y", "NamedTuple.x")]
    wires += [("functools.y", "NamedTuple.y"), ("NamedTuple.z", "string.x")]
    assert deviation(make_graph(blocks, wires)) < ROOM


def test_a_program_holds_the_examples_of_a_data_block() -> None:
    # The sum of the rows for training, 0 + 1 + 2 + 3 twice, and that of their labels in two columns, 1 + 2 + 3 + 4.
    x, y = gw.Data(set="file", inputs=np.arange(6.0).reshape(3, 2), targets=np.arange(1.0, 7.0).reshape(3, 2), held=1)
    graph = gw.graph(gw.Loss(gw.ReduceSum(x) * gw.Variable(2.0) + gw.ReduceSum(y)))
    assert gw.evaluate(graph).loss == 22
    assert deviation(graph) == 0
