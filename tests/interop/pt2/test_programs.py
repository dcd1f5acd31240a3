"""Programs written by hand: what their nodes, sizes and graphs mean, and what is refused in which words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2 import reading
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.from_pt2 import read_program, read_pt2
from gradwire.interop.pt2.program import Program, names_in, needs_of, nodes_of, symbol_of
from tests.interop.pt2.written import at, call, free, graph, meta, program

X = np.array([1.0, -2.0], np.float32)
RELU = call("aten.relu.default", "y", self="x")


def refusal(content: bytes, given: Mapping[str, Any] | None = None) -> str:
    with pytest.raises(ModelRefusal) as found:
        read_program(content, given)
    return str(found.value)


def outputs(content: bytes, **given: Any) -> list[Any]:
    """Returns the numbers that a program gives."""
    found = read_program(content, given or {"x": X}).outputs
    return [gw.evaluate(item).value(item) if isinstance(item, gw.Expression) else item for item in found]


def gradient(content: bytes) -> np.ndarray:
    """Returns the gradient that arrives at x from the sum of the only output."""
    found = read_program(content, {"x": X})
    return np.asarray(gw.evaluate(gw.Loss(gw.ReduceSum(found.outputs[0]))).gradient(found.leaves["x"]))


@pytest.mark.parametrize(
    ("argument", "names"),
    [
        ({"as_tensor": {"name": "a"}}, ["a"]),
        ({"as_sym_int": {"as_name": "n"}}, ["n"]),
        ({"as_sym_int": {"as_int": 3}}, []),
        ({"as_tensors": [{"name": "a"}, {"name": "b"}]}, ["a", "b"]),
        ({"as_sym_ints": [{"as_name": "n"}, {"as_int": 3}]}, ["n"]),
        ({"as_nested_tensors": [[{"name": "a"}], [{"name": "b"}]]}, ["a", "b"]),
        ({"as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "a"}}]}, ["a"]),
        ({"as_optional_tensor": {"as_tensor": {"name": "a"}}}, ["a"]),
        ({"as_optional_tensor": {"as_none": True}}, []),
        ({"as_int": 3}, []),
        ({"as_none": True}, []),
    ],
)
def test_an_argument_names_its_values(argument: dict[str, Any], names: list[str]) -> None:
    assert names_in(argument) == names


@pytest.mark.parametrize(
    ("target", "modules", "name", "module", "writes"),
    [
        ("aten.add.Tensor", "L__self__,,m.M;L__self__net.0,net.0,torch.nn.Linear", "add", "net.0", False),
        ("aten.add_.Tensor", "L,L['self'].layers.0@1,torch.nn.Linear", "add_", "layers.0", True),
        ("aten._unsafe_view.default", "", "_unsafe_view", "", False),
        ("aten.__or_.Tensor", "a,b", "__or_", "", False),
        ("own.rule", "L,L['self'],M", "own", "", False),
    ],
)
def test_a_node_has_a_name_and_a_module(target: str, modules: str, name: str, module: str, writes: bool) -> None:
    (node,) = nodes_of({"nodes": [call(target, "y", at(7), modules, self="x", other=["a", "b"], dim=1)]})
    assert (node.target, node.name, node.module, node.writes_in_place) == (target, name, module, writes)
    assert (node.line, node.code, node.read, node.made) == ("m.py:7", "y = f(x)", ["x", "a", "b"], ["y"])
    assert node.origin.text == "m.py:7" and not node.is_own_function


@pytest.mark.parametrize(
    ("text", "symbol"),
    [("Symbol('s17', positive=True)", "s17"), ("s3", "s3"), ("2*s3", "2*s3"), ("s3 + 1", "s3 + 1")],
)
def test_a_size_has_the_name_of_its_symbol(text: str, symbol: str) -> None:
    assert symbol_of({"as_expr": {"expr_str": text}}) == symbol


@pytest.mark.parametrize(
    ("hint", "least", "size"), [(5, None, 5), (1, 4, 1), (None, 4, 4), (None, 1, 2), (None, 0, 2), (None, None, 2)]
)
def test_a_free_size_is_its_hint_or_the_least_that_is_allowed(hint: int | None, least: int | None, size: int) -> None:
    ranges = {} if least is None else {"s0": {"min_val": least}}
    content = program(
        [RELU], inputs={"x": meta(free("s0", hint))}, change=lambda it: it.update(range_constraints=ranges)
    )
    found = Program(Archive(content))
    assert found.size(free("s0", hint)) == size
    # A size that has a number keeps it.
    assert found.bind(free("s0"), size) and not found.bind(free("s0"), size + 1)
    assert found.bind({"as_int": 3}, 3) and not found.bind({"as_int": 3}, 2)
    assert (found.text({"as_int": 3}), found.text(free("s0"))) == ("3", "?")
    assert Program(Archive(content), {"s0": 9}).size(free("s0", hint)) == 9


def test_only_what_an_output_needs_and_what_writes_is_carried_out() -> None:
    nodes = [
        call("aten.exp.default", "a", self="x"),
        call("os.system", "unread", self="a"),
        call("aten.neg.default", "b", self="a"),
        call("aten.add_.Tensor", "c", self="z", other="b"),
        call("aten.exp.default", "y", self="x"),
    ]
    needs = needs_of(graph(nodes, ["x"], ["y"], {}), nodes_of({"nodes": nodes}))
    assert needs.places == {0, 2, 3, 4}
    assert needs.last == {"y": 5, "x": 4, "z": 3, "b": 3, "a": 2}
    np.testing.assert_allclose(outputs(program([nodes[0], nodes[1], nodes[4]]))[0], np.exp(X), rtol=1e-6)


@pytest.mark.parametrize(
    ("traces", "said"),
    [
        ([""], "my.op.default (1 node)"),
        ([at(3)], "my.op.default (1 node at m.py:3)"),
        ([at(3), at(5)], "my.op.default (2 nodes, first at m.py:3)"),
    ],
)
def test_operations_without_blocks_are_counted_with_their_first_line(traces: list[str], said: str) -> None:
    nodes = [call("my.op.default", f"y{place}", trace, self="x") for place, trace in enumerate(traces)]
    content = program(nodes, [f"y{place}" for place in range(len(nodes))])
    assert refusal(content) == f"the model: it needs operations without blocks: {said}."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it["schema_version"].update(major=9), "its schema is 9, and 8 is read; save it with PyTorch 2.9 to "
         "2.14"),
        (lambda it: it.update(verifiers=["ATEN"]), "it was decomposed before it was saved, which loses detach and "
         "no_grad without a word; save what torch.export.export gives"),
        (lambda it: it["graph_module"]["signature"]["input_specs"].append({"token": {"arg": {"name": "t"}}}),
         "an input of it is a token, which no block has"),
        (lambda it: it["graph_module"]["signature"]["input_specs"].append({"user_input": {"arg": {"as_int": 3}}}),
         "an input of it is a int and no tensor"),
        (lambda it: it["graph_module"]["signature"]["input_specs"].append(
            {"buffer": {"arg": {"name": "b"}, "buffer_name": "mean"}}), "mean has no numbers in it"),
        (lambda it: it["graph_module"]["graph"].pop("nodes"), "its graph is not what torch.export writes"),
    ],
)  # fmt: skip
def test_a_program_that_is_not_read_says_why(change: Callable[[dict[str, Any]], object], said: str) -> None:
    assert refusal(program([RELU], change=change)) == f"the model: {said}."


@pytest.mark.parametrize("verifiers", [None, [], ["TRAINING"]])
def test_programs_that_were_not_decomposed_are_read(verifiers: list[str] | None) -> None:
    np.testing.assert_array_equal(outputs(program([RELU], change=lambda it: it.update(verifiers=verifiers)))[0], [1, 0])


@pytest.mark.parametrize(
    ("says", "said"),
    [
        (meta(2), ""),
        (meta(free("s0")), ""),
        (meta(3), "m.py:1: aten.relu.default gives [2], but the file says [3]."),
        (meta(2, 1), "m.py:1: aten.relu.default gives [2], but the file says [2, 1]."),
        (meta(), "m.py:1: aten.relu.default gives [2], but the file says []."),
        (meta(2, dtype="float64"), "m.py:1: aten.relu.default gives float32, but the file says float64."),
        (meta(2) | {"dtype": 13}, ""),
    ],
)
def test_results_have_the_shape_and_the_dtype_that_the_file_says(says: dict[str, Any], said: str) -> None:
    content = program([call("aten.relu.default", "y", at(1), self="x")], says={"y": says})
    if said:
        assert refusal(content) == said
    else:
        assert len(outputs(content)) == 1


@pytest.mark.parametrize(
    ("version", "has_states", "is_told"),
    [("2.9.1", True, True), ("2.10.0", True, True), ("2.11.0", True, False), ("2.9.1", False, False),
     ("12.9.1", True, False)],
)  # fmt: skip
def test_a_wrong_shape_of_an_old_pytorch_is_told_where_there_is_an_lstm(
    version: str, has_states: bool, is_told: bool
) -> None:
    nodes = [RELU, call("aten.lstm.input", ["z", "h", "c"], input="y")]
    ends = ["y", "z"] if has_states else ["y"]
    content = program(nodes, ends, says={"y": meta(3)}, change=lambda it: it.update(torch_version=version))
    hint = "; PyTorch 2.9 and 2.10 write wrong shapes for the states of an LSTM: export it with 2.13 or newer"
    said = f"the model: aten.relu.default gives [2], but the file says [3]{hint if is_told else ''}."
    assert refusal(content) == said


def test_more_results_than_an_operation_gives_and_one_name_for_two_are_refused() -> None:
    content = program([call("aten.relu.default", ["y", "z"], at(2), self="x")])
    assert refusal(content) == "m.py:2: aten.relu.default gives 1 results, but the file says more."
    assert refusal(program([RELU, RELU])) == "the model: two values of it are called y."
    assert refusal(program([call("aten.relu.default", "y", self="z")])) == "the model: z is used before it is made."
    other = program([call("aten.relu.default", "y", at(2), selfish="x")])
    assert refusal(other) == "m.py:2: aten.relu.default has other arguments than those that are read."


@pytest.mark.parametrize(
    ("node", "bytes_wanted"),
    [
        (call("aten.arange.default", "y", at(1), end=100), 800),
        (call("aten.eye.default", "y", at(1), n=10), 800),
        (call("aten.linspace.default", "y", at(1), start=0, end=1, steps=100), 800),
        (call("aten.zeros.default", "y", at(1), size=[10, 10]), 800),
        (call("aten.full.default", "y", at(1), size=[10, 10], fill_value=2.0), 800),
    ],
)
def test_what_would_be_too_large_is_refused_before_it_is_made(
    node: dict[str, Any], bytes_wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_OF_TENSOR", bytes_wanted)
    assert len(outputs(program([node]))) == 1
    monkeypatch.setattr(reading, "MOST_OF_TENSOR", bytes_wanted - 1)
    target = node["target"].removeprefix("torch.ops.")
    assert (
        refusal(program([node]))
        == f"m.py:1: {target} wants {bytes_wanted} bytes, and {bytes_wanted - 1} are the limit."
    )


def test_what_has_become_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    node = call("aten.cat.default", "y", tensors=["x", "x"])
    monkeypatch.setattr(reading, "MOST_OF_TENSOR", 16)
    assert len(outputs(program([node]))) == 1
    monkeypatch.setattr(reading, "MOST_OF_TENSOR", 15)
    assert refusal(program([node])) == "the model: aten.cat.default wants 16 bytes, and 15 are the limit."


def mode(is_on: bool, inner: dict[str, Any], name: str, *given: str) -> dict[str, Any]:
    """Returns a node that carries out a graph with gradients on or off."""
    rest = {f"given{place}": item for place, item in enumerate(given)}
    return call("higher_order.wrap_with_set_grad_enabled", [name], at(3), enable_grad=is_on,
                wrapped={"as_graph": {"name": "inner", "graph": inner}}, **rest)  # fmt: skip


EXP = graph([call("aten.exp.default", "e", at(4), self="a")], ["a"], ["e"], {})


def test_what_is_made_without_gradients_is_stopped_and_what_passes_through_is_not() -> None:
    np.testing.assert_allclose(gradient(program([mode(True, EXP, "y", "x")])), np.exp(X), rtol=1e-6)
    assert gradient(program([mode(False, EXP, "y", "x")])).tolist() == [0, 0]
    passed = graph([call("aten.exp.default", "e", self="a")], ["a"], ["a"], {})
    assert gradient(program([mode(False, passed, "y", "x")])).tolist() == [1, 1]


def test_gradients_that_are_on_again_do_not_pass_what_was_made_without() -> None:
    again = mode(True, EXP, "f", "d")
    twice = graph([call("aten.mul.Tensor", "d", self="a", other="a"), again], ["a"], ["f"], {})
    assert gradient(program([mode(False, twice, "y", "x")])).tolist() == [0, 0]
    # What was not made there keeps its gradient.
    through = graph([mode(True, EXP, "f", "a")], ["a"], ["f"], {})
    np.testing.assert_allclose(gradient(program([mode(False, through, "y", "x")])), np.exp(X), rtol=1e-6)
    on = graph([call("aten.mul.Tensor", "d", self="a", other="a"), again], ["a"], ["f"], {})
    np.testing.assert_allclose(gradient(program([mode(True, on, "y", "x")])), 2 * X * np.exp(X * X), rtol=1e-6)


def test_a_stop_says_its_line_and_that_it_is_no_grad() -> None:
    found = read_program(program([mode(False, EXP, "y", "x")]), {"x": X})
    (origin,) = {item for key, item in found.origins.items() if key.type.name == "StopGradient"}
    assert (origin.text, origin.operation) == ("m.py:4", "no_grad")
    whole = graph([call("aten.round.default", "e", self="a"), call("aten.to.dtype", "i", self="e",
                   dtype={"as_scalar_type": 5})], ["a"], ["i"], {})  # fmt: skip
    whole_numbers = read_program(program([mode(False, whole, "y", "x")]), {"x": X})
    assert all(key.type.name != "StopGradient" for key in whole_numbers.origins)


@pytest.mark.parametrize(
    ("is_on", "said"), [(True, "m.py:3: autocast chooses other dtypes; export the model without it."), (False, "")]
)
def test_autocast_is_refused_where_it_is_on(is_on: bool, said: str) -> None:
    node = call("higher_order.wrap_with_autocast", ["y"], at(3), device_type={"as_string": "cpu"}, dtype=None,
                enabled=is_on, cache=None, wrapped={"as_graph": {"name": "inner", "graph": EXP}}, a="x")  # fmt: skip
    if said:
        assert refusal(program([node])) == said
    else:
        np.testing.assert_allclose(gradient(program([node])), np.exp(X), rtol=1e-6)


def test_graphs_that_lie_too_deep_are_refused() -> None:
    def nested(depth: int) -> bytes:
        inner = EXP
        for _ in range(depth - 1):
            inner = graph([mode(True, inner, "e", "a")], ["a"], ["e"], {})
        return program([mode(True, inner, "y", "x")])

    np.testing.assert_allclose(gradient(nested(16)), np.exp(X), rtol=1e-6)
    assert refusal(nested(17)) == "the model: its graphs lie more than 16 deep."


def test_a_function_with_a_rule_of_its_own_is_noted_once_a_line() -> None:
    nodes = [
        call("aten.relu.default", "a", at(5, "y = Own.apply(x)"), self="x"),
        call("aten.exp.default", "b", at(5, "y = Own.apply(x)"), self="a"),
        call("aten.exp.default", "y", "Own.apply(", self="b"),
    ]
    lost = "the gradient rule of an autograd.Function is not in the file."
    notices = read_pt2(program(nodes), {"x": X}).notices
    assert notices == (f"m.py:5: {lost}", f"The model: {lost}", "Saved by PyTorch 2.13.0.")
    assert gw.why(program(nodes), {"x": X}).notes[-2:] == (f"m.py:5: {lost}", f"The model: {lost}")


def test_kinks_are_said_once_a_line_by_operation_or_block() -> None:
    clamp = "on a bound of the range the gradient is 1 here, and in PyTorch 2.14 and newer half of it or 0."
    nodes = [
        call("aten.clamp.default", "a", at(5), self="x", min=0.0, max=1.0),
        call("aten.clamp.default", "b", at(5), self="a", min=0.0, max=1.0),
        call("aten.std.default", "c", at(6), self="b"),
        call("aten.hardtanh.default", "y", self="c"),
    ]
    assert read_pt2(program(nodes), {"x": X}).notices[:-1] == (
        f"m.py:5: {clamp}",
        "m.py:6: the deviation of equal numbers has no gradient here (NaN), and in PyTorch the gradient 0.",
        "hardtanh: on a bound of the range the gradient is 1 here, and in PyTorch 0.",
    )


def test_several_outputs_are_numbered_and_what_a_call_would_change_is_said() -> None:
    def change(whole: dict[str, Any]) -> None:
        signature = whole["graph_module"]["signature"]
        signature["output_specs"][0] = {"buffer_mutation": {"arg": {"name": "a"}, "buffer_name": "bn.mean"}}

    nodes = [call("aten.neg.default", "a", self="x"), call("aten.exp.default", "b", self="x"), RELU]
    found = read_pt2(program(nodes, ["a", "b", "y"], change=change), {"x": X})
    assert found.notices == ("A call would change bn.mean; here it stays as it is.", "Saved by PyTorch 2.13.0.")
    assert {"output_0", "output_1"} <= found.graph.page("main").blocks.keys()
    assert "output" in read_pt2(program([RELU]), {"x": X}).graph.page("main").blocks


@pytest.mark.parametrize(
    ("view", "wanted"),
    [
        (call("aten.select.int", "v", self="d", dim=0, index=1), [[0, 1, 2], [9, 9, 9]]),
        (call("aten.select.int", "v", self="d", dim=1, index=2), [[0, 1, 9], [3, 4, 9]]),
        (call("aten.slice.Tensor", "v", self="d", dim=1, start=1, end=3), [[0, 9, 9], [3, 9, 9]]),
        (call("aten.slice.Tensor", "v", self="d", dim=-1, start=0, end=3, step=2), [[9, 1, 9], [9, 4, 9]]),
        (call("aten.slice.Tensor", "v", self="d", dim=0, start=1, end=None), [[0, 1, 2], [9, 9, 9]]),
        (call("aten.slice.Tensor", "v", self="d", start=None, end=1), [[9, 9, 9], [3, 4, 5]]),
    ],
)
def test_what_is_written_into_a_view_reaches_the_tensor(view: dict[str, Any], wanted: list[list[int]]) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    nodes = [
        call("aten.mul.Tensor", "d", self="x", other=1.0),
        view,
        call("aten.fill_.Scalar", "f", self="v", value=9.0),
    ]
    assert outputs(program(nodes, ["d"], {"x": meta(2, 3)}), x=x)[0].tolist() == wanted


@pytest.mark.parametrize(
    ("reads_before", "reads_after", "is_refused"),
    [(False, False, False), (True, False, False), (False, True, True)],
)
def test_writing_is_refused_while_another_view_is_read_later(
    reads_before: bool, reads_after: bool, is_refused: bool
) -> None:
    read = call("aten.exp.default", "e", self="other")
    nodes = [
        call("aten.mul.Tensor", "d", self="x", other=1.0),
        call("aten.select.int", "v", self="d", dim=0, index=1),
        call("aten.select.int", "other", self="d", dim=0, index=0),
        *([read] if reads_before else []),
        call("aten.fill_.Scalar", "f", at(8), self="v", value=9.0),
        *([read] if reads_after else []),
    ]
    content = program(nodes, ["d", "e"] if reads_before or reads_after else ["d"])
    if is_refused:
        assert refusal(content, {"x": X}).startswith("m.py:8: fill_ writes into a view, which changes another tensor;")
    else:
        assert outputs(content)[0].tolist() == [1, 9]
