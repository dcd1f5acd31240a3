"""Nodes of models: which are needed and counted, in what scope they run, and rounds on both sides of their bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import constant
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx import control, program, reading
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.from_onnx import free_sizes, from_onnx, read_onnx
from gradwire.interop.onnx.known import Known, depends_on_inputs
from gradwire.interop.onnx.messages import (
    AttributeMessage,
    DimMessage,
    GraphMessage,
    NodeMessage,
    ShapeMessage,
    TensorTypeMessage,
    TypeMessage,
    ValueMessage,
)
from gradwire.interop.onnx.program import Axis, Program, Sizes, full_name, graphs_of, made_twice, needed_of, opsets_of
from gradwire.interop.onnx.protobuf import decode
from gradwire.interop.onnx.scopes import Weight
from tests.interop.onnx.test_from_onnx import number, types
from tests.interop.onnx.written import field, function, graph, model, node, tensor, value

X = np.array([1.0, -2.0, 0.5], np.float32)


def messages(*nodes: bytes) -> list[NodeMessage]:
    return [decode(NodeMessage, item) for item in nodes]


def of_x(*nodes: bytes, outputs: tuple[str, ...] = ("y",), **more: Any) -> bytes:
    return model(graph(nodes, [value("x", [3])], outputs, more.pop("weights", None)), **more)


def value_of(content: bytes, name: str = "y") -> Array:
    return number(from_onnx(content, {"x": X}), name)


def refusal(content: bytes, **inputs: Any) -> str:
    with pytest.raises(ModelRefusal) as found:
        from_onnx(content, inputs or {"x": X})
    return str(found.value)


def test_nodes_are_needed_that_outputs_or_graphs_inside_read() -> None:
    inner = graph([node("Add", ["b", ""], ["p"])], [], ["p", "c"])
    a, b, c, d, e = messages(
        node("A", ["x"], ["a"]),
        node("B", ["a"], ["b"]),
        node("C", ["x"], ["c"]),
        node("D", ["x"], ["", "d"]),
        node("If", ["f"], ["e"], then_branch=inner),
    )
    assert needed_of([a, b, c, d, e], ["e"]) == [a, b, c, e]
    assert needed_of([a, b, c, d, e], ["d"]) == [d]
    assert needed_of([a, b, c, d, e], [""]) == needed_of([a], ["x"]) == []


def test_a_name_is_made_once() -> None:
    rows = messages(node("A", ["x"], ["a", ""]), node("B", ["a"], ["b", ""]))
    assert made_twice(rows, {"x"}) == ""
    assert made_twice(rows, {"b"}) == "b"
    assert made_twice([*rows, *rows[:1]], set()) == "a"
    double = {"weights": {"w": X}}
    assert "w is made twice in it" in refusal(of_x(node("Add", ["x", "w"], ["w"]), node("Neg", ["w"], ["y"]), **double))
    twice = graph([node("Neg", ["x"], ["y"])], [value("x", [3])] * 2, ["y"])
    assert "x is made twice in it" in refusal(model(twice))
    weights = graph([node("Add", ["x", "w"], ["y"])], [value("x", [3])], ["y"], {"w": X})
    again = graph([], [], [], {"w": X})
    assert "w is made twice in it" in refusal(model(weights + again))


def test_operators_of_other_domains_are_named_with_them() -> None:
    own, plain, onnx = messages(*(node("F", [], ["a"], domain=domain) for domain in ("com.own", "", "ai.onnx")))
    assert [full_name(item) for item in (own, plain, onnx)] == ["com.own.F", "F", "F"]
    file = ModelFile(model(graph([], [], []), opset=17, domains=["com.own"]))
    assert opsets_of(file.message.opset_import) == {"": 17, "com.own": 1}
    assert Program(file).producer == "tests"


def test_the_newest_operators_are_read_and_no_newer_ones() -> None:
    assert value_of(of_x(node("Neg", ["x"], ["y"]), opset=28)).tolist() == (-X).tolist()
    assert "of version 29, and up to 28 is read" in refusal(of_x(node("Neg", ["x"], ["y"]), opset=29))
    assert "does not say which version" in refusal(field(7, graph([], [], [])))


def test_sizes_are_numbers_or_symbols() -> None:
    sizes = Sizes({"n": 5})
    n, m, three = Axis(None, "n"), Axis(None, "m"), Axis(3)
    assert [sizes.size(item) for item in (n, m, three)] == [5, 2, 3]
    assert [sizes.bind(n, 5), sizes.bind(n, 4), sizes.bind(three, 3), sizes.bind(three, 2)] == [True, False] * 2
    assert sizes.bind(Axis(None, "k"), 7) and not sizes.bind(Axis(None, "k"), 8)
    assert [sizes.text(item) for item in (n, three)] == ["?", "3"]


@pytest.mark.parametrize(
    ("size", "symbol", "axis"),
    [
        (4, "", Axis(4)),
        (0, "", Axis(0)),
        (-1, "", Axis(None, "x 1")),
        (None, "batch", Axis(None, "batch")),
        (None, "?", Axis(None, "x 1")),
        (4, "n", Axis(None, "n")),
        (None, "", Axis(None, "x 1")),
    ],
)
def test_an_axis_is_free_without_a_size_and_has_a_name_of_letters(size: int | None, symbol: str, axis: Axis) -> None:
    shape = ShapeMessage((DimMessage(3), DimMessage(size, symbol)))
    row = ValueMessage(name="x", type=TypeMessage(TensorTypeMessage(1, shape)))
    assert Program(ModelFile(model(graph([], [], [])))).axes_of(row) == ([Axis(3), axis], 1)


def test_free_sizes_are_listed_with_all_their_axes() -> None:
    inputs = [value("a", ["n", 3]), value("b", ["m", "n"]), value("w", ["k"])]
    whole = model(graph([node("Neg", ["a"], ["y"])], inputs, ["y"], {"w": X}))
    found = {item.symbol: (item.size, item.axes) for item in free_sizes(whole)}
    assert found == {"n": (2, (("a", 0), ("b", 1))), "m": (2, (("b", 0),))}


def test_graphs_may_lie_16_deep() -> None:
    for depth, opens in ((16, True), (17, False)):
        inner = graph([node("Relu", ["x"], ["y"])], [], ["y"])
        for _ in range(depth):
            inner = graph(
                [node("If", ["c"], ["y"], then_branch=inner)], [value("x", [3]), value("c", [], "bool")], ["y"]
            )
        file = ModelFile(model(inner))
        if opens:
            assert Program(file).functions == {}
        else:
            with pytest.raises(ModelRefusal, match="more than 16 deep"):
                Program(file)


def chain(length: int) -> bytes:
    """Returns a model of functions each of which calls the next one; the last negates."""
    functions = [
        function(f"F{n}", ["a"], ["b"], [node(f"F{n + 1}", ["a"], ["b"], domain="own")], "own")
        for n in range(length - 1)
    ]
    functions.append(function(f"F{length - 1}", ["a"], ["b"], [node("Neg", ["a"], ["b"])], "own"))
    return of_x(node("F0", ["x"], ["y"], domain="own"), functions=functions, domains=["own"])


def test_functions_may_call_each_other_100_deep() -> None:
    assert len(Program(ModelFile(chain(100))).functions) == 100
    assert "more than 100 deep" in refusal(chain(101))
    itself = function("F", ["a"], ["b"], [node("F", ["a"], ["b"], domain="own")], "own")
    assert "its function F calls itself" in refusal(
        of_x(node("F", ["x"], ["y"], domain="own"), functions=[itself], domains=["own"])
    )
    assert "two functions of it are called F0" in refusal(
        model(graph([], [], []), functions=[function("F0", [], [], [], "own")] * 2)
    )


def test_nodes_of_functions_and_graphs_are_counted_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = function("F", ["a"], ["b"], [node("Neg", ["a"], ["c"]), node("Neg", ["c"], ["b"])], "own")
    nodes = [node("F", ["x"], ["p"], domain="own"), node("F", ["p"], ["q"], domain="own"), node("Neg", ["q"], ["y"])]
    whole = of_x(*nodes, functions=[twice], domains=["own"])
    # Two calls of two nodes, and one.
    monkeypatch.setattr(program, "MOST_NODES", 5)
    assert value_of(whole).tolist() == (-X).tolist()
    monkeypatch.setattr(program, "MOST_NODES", 4)
    assert "it has 5 nodes, and 4 are the limit" in refusal(whole)
    branches = {name: graph([node("Neg", ["x"], ["b"])], [], ["b"]) for name in ("then_branch", "else_branch")}
    flag = {"weights": {"f": np.asarray(True)}}
    assert "3 nodes" not in refusal(of_x(*nodes, node("Fancy", ["x"], ["z"]), outputs=("y", "z"), functions=[twice]))
    monkeypatch.setattr(program, "MOST_NODES", 2)
    assert "it has 3 nodes" in refusal(of_x(node("If", ["f"], ["y"], **branches), **flag))
    monkeypatch.setattr(program, "MOST_NODES", 3)
    assert value_of(of_x(node("If", ["f"], ["y"], **branches), **flag)).tolist() == (-X).tolist()


def test_nodes_that_run_are_counted_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    # The loop, and two nodes in each of three rounds.
    monkeypatch.setattr(reading, "MOST_NODES", 7)
    assert value_of(looped(3), "s").tolist() == (3 * X).tolist()
    monkeypatch.setattr(reading, "MOST_NODES", 6)
    assert "it runs more than 6 nodes" in refusal(looped(3))


def looped(count: int | None, *more: str) -> bytes:
    """Returns a loop that adds x, up to `count` times, while the sum of its first column is below 4."""
    body = graph(
        [node("Add", ["s", "x"], ["t"]), node("Identity", ["go"], ["on"])],
        [value("i", [], "int64"), value("go", [], "bool"), value("s", [3])],
        ["on", "t", *more],
    )
    weights = {"zero": np.zeros(3, np.float32)} | ({} if count is None else {"n": np.asarray(count, np.int64)})
    outputs = ["s", *(f"all{place}" for place in range(len(more)))]
    loop = node("Loop", ["" if count is None else "n", "", "zero"], outputs, "loop", body=body)
    return of_x(loop, outputs=tuple(outputs), weights=weights)


def test_a_loop_runs_up_to_as_many_rounds_as_are_unrolled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "MOST_STEPS", 4)
    read = read_onnx(looped(4), {"x": X})
    np.testing.assert_array_equal(number(read.graph, "s"), 4 * X)
    assert 'Loop "loop": its 4 rounds with these inputs are unrolled.' in read.notices
    assert "more than 4 rounds" in refusal(looped(5))
    assert "more than 4 rounds" in refusal(looped(None))


def test_a_loop_of_no_round_hands_its_state_on_and_has_nothing_to_collect() -> None:
    (state,) = (item for item in from_onnx(looped(0), {"x": X}).page("main").blocks.values() if item.id == "zero")
    assert np.array_equal(np.asarray(state.parameters["value"]), [0, 0, 0])
    assert "what it collects in no round has no shape" in refusal(looped(0, "t"))


def test_a_loop_ends_when_its_condition_says_so() -> None:
    body = graph(
        [node("Add", ["s", "x"], ["t"]), node("Add", ["i", "one"], ["k"]), node("Less", ["k", "two"], ["on"])],
        [value("i", [], "int64"), value("go", [], "bool"), value("s", [3])],
        ["on", "t"],
    )
    weights = {"zero": np.zeros(3, np.float32), "one": np.asarray(1), "two": np.asarray(2), "no": np.asarray(False)}
    for condition, rounds in (("", 2), ("no", 0)):
        loop = node("Loop", ["", condition, "zero"], ["end"], body=body)
        whole = of_x(loop, node("Add", ["end", "x"], ["y"]), weights=weights)
        assert value_of(whole).tolist() == ((rounds + 1) * X).tolist()


def scanned(**settings: Any) -> bytes:
    """Returns a scan of a matrix: its running sums along an axis."""
    body = graph(
        [node("Add", ["s", "row"], ["t"]), node("Identity", ["t"], ["u"])],
        [value("s", [2]), value("row", [2])],
        ["t", "u"],
    )
    scan = node("Scan", ["zero", "m"], ["end", "sums"], "scan", body=body, num_scan_inputs=1, **settings)
    zero = np.zeros(2, np.float32)
    return model(graph([scan], [value("m", [2, 2])], ["end", "sums"], {"zero": zero}), opset=settings.pop("opset", 20))


M = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)


@pytest.mark.parametrize(
    ("settings", "sums"),
    [
        ({}, [[1, 2], [4, 7]]),
        ({"scan_input_axes": [1]}, [[1, 3], [3, 8]]),
        ({"scan_input_directions": [1]}, [[3, 5], [4, 7]]),
        ({"scan_output_directions": [1]}, [[4, 7], [1, 2]]),
        ({"scan_output_axes": [1]}, [[1, 4], [2, 7]]),
        ({"scan_input_axes": [-1], "scan_output_axes": [-1]}, [[1, 3], [3, 8]]),
    ],
)
def test_a_scan_reads_and_collects_along_axes_in_two_directions(settings: dict[str, Any], sums: list[Any]) -> None:
    wanted = np.array(sums).T if settings.get("scan_output_axes") == [-1] else np.array(sums)
    found = from_onnx(scanned(**settings), {"m": M})
    np.testing.assert_array_equal(number(found, "sums"), wanted)
    last = M.sum(axis=1 if "scan_input_axes" in settings else 0)
    np.testing.assert_array_equal(number(found, "end"), last)


def test_a_scan_is_read_from_version_9_on_and_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    old = scanned()
    version = field(8, field(1, "") + field(2, 20))
    assert "from version 9 of the operators on" in refusal(
        old.replace(version, field(8, field(1, "") + field(2, 8))), m=M
    )
    found = from_onnx(old.replace(version, field(8, field(1, "") + field(2, 9))), {"m": M})
    np.testing.assert_array_equal(number(found, "end"), M.sum(axis=0))
    monkeypatch.setattr(control, "MOST_STEPS", 2)
    assert from_onnx(old, {"m": M}).pages
    monkeypatch.setattr(control, "MOST_STEPS", 1)
    assert "more than 1 rounds" in refusal(old, m=M)


def test_numbers_depend_on_inputs_only_where_blocks_read_some() -> None:
    x, w = gw.Input(X, name="x"), gw.Variable(X, name="w")
    assert depends_on_inputs(x) and depends_on_inputs(gw.Exp(x) + w)
    assert not depends_on_inputs(w) and not depends_on_inputs(gw.Exp(w)) and not depends_on_inputs(X)
    known = Known()
    np.testing.assert_array_equal(known.numbers(x + constant(X)), 2 * X)
    assert known.numbers(X) is X
    np.testing.assert_array_equal(known.numbers(gw.Unstack(x)[2]), X[2])


def test_weights_and_what_is_computed_of_them_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two weights of twelve bytes.
    weights = {"a": X, "b": X + 1}
    nodes = [node("Add", ["x", "a"], ["p"]), node("Add", ["p", "b"], ["y"])]
    monkeypatch.setattr(reading, "MOST_BYTES", 24)
    assert value_of(of_x(*nodes, weights=weights)).tolist() == (2 * X + X + 1).tolist()
    monkeypatch.setattr(reading, "MOST_BYTES", 23)
    assert "its weights want more than" in refusal(of_x(*nodes, weights=weights))


def test_what_nodes_compute_without_inputs_may_be_a_few_times_as_large_as_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Eight bytes of a whole number; each negation makes eight more.
    for count, opens in ((8, True), (9, False)):
        nodes = [node("Neg", [f"n{place}"], [f"n{place + 1}"]) for place in range(count)]
        cast = [node("Cast", [f"n{count}"], ["f"], to=1), node("Add", ["x", "f"], ["y"])]
        whole = of_x(*nodes, *cast, weights={"n0": np.asarray([3])})
        monkeypatch.setattr(reading, "_MOST_COMPUTED", 4)
        if opens:
            assert value_of(whole).tolist() == (X + 3).tolist()
        else:
            assert "too large to be kept" in refusal(whole)


def test_old_files_name_dtypes_by_text() -> None:
    whole = of_x(node("Cast", ["x"], ["y"], to="INT32"), opset=5)
    found = value_of(whole)
    assert found.dtype == np.int32 and found.tolist() == [1, -2, 0]
    assert "the result of Cast is of an unknown dtype" in refusal(of_x(node("Cast", ["x"], ["y"], to="NONE"), opset=5))


def test_a_block_has_the_last_part_of_the_name_of_its_node() -> None:
    whole = of_x(node("Softmax", ["x"], ["p"], "/net/act/Softmax"), node("Neg", ["p"], ["y"]))
    names = types(from_onnx(whole, {"x": X}))
    assert names["Softmax"] == "Softmax" and set(names.values()) >= {"Input", "Softmax", "Negative"}


def test_a_graph_is_a_setting_that_says_so_or_says_nothing() -> None:
    inner = GraphMessage()
    found = {
        kind: list(graphs_of(NodeMessage(attribute=(AttributeMessage(name="body", g=inner, type=kind),))))
        for kind in (0, 1, 5, 9)
    }
    assert found == {0: [inner], 1: [], 5: [inner], 9: []}


@pytest.mark.parametrize(
    ("name", "size", "is_parameter"),
    [("w", 1, True), ("onnx::Mul_3", 1, False), ("onnx::Mul_3", 2, True), ("val_7", 1, False), ("", 1, False)],
)
def test_one_number_without_a_name_of_its_own_is_no_parameter(name: str, size: int, is_parameter: bool) -> None:
    assert Weight(name, lambda: np.ones(size, np.float32), True).is_parameter is is_parameter
    assert not Weight(name, lambda: np.ones(size, np.float32), False).is_parameter
    assert not Weight("w", lambda: np.ones(size, np.int64), True).is_parameter


def test_a_split_has_as_many_parts_as_outputs_are_named() -> None:
    nodes = [node("Split", ["x"], ["a", "b"]), node("Concat", ["b", "a"], ["y"], axis=0)]
    whole = model(graph(nodes, [value("x", [4])], ["y"]), opset=13)
    four = np.array([1, 2, 3, 4], np.float32)
    assert number(from_onnx(whole, {"x": four}), "y").tolist() == [3, 4, 1, 2]
    first = [node("Split", ["x"], ["a", "b"]), node("Neg", ["a"], ["y"])]
    whole = model(graph(first, [value("x", [4])], ["y"]), opset=13)
    assert number(from_onnx(whole, {"x": four}), "y").tolist() == [-1, -2]


def test_an_input_without_a_type_is_no_tensor() -> None:
    untyped = graph([node("Neg", ["x"], ["y"])], [field(1, "x")], ["y"])
    assert "its input x is no tensor" in refusal(model(untyped))


def test_weights_in_constants_are_called_by_their_tensor_once_and_then_by_what_is_made() -> None:
    nodes = []
    for output, name in (("a", "w"), ("b", "w"), ("c", "")):
        value_ = field(1, "value") + field(5, tensor(name, X)) + field(20, 4)
        nodes.append(field(2, output) + field(4, "Constant") + field(5, value_))
    sums = [node("Add", ["x", "a"], ["p"]), node("Add", ["p", "b"], ["q"]), node("Add", ["q", "c"], ["y"])]
    found = from_onnx(of_x(*nodes, *sums), {"x": X})
    assert {name for name, kind in types(found).items() if kind == "Variable"} == {"w", "b", "c"}
    np.testing.assert_array_equal(number(found, "y"), 4 * X)
