"""Rules of TensorFlow that are not the derivative: named where they deviate, with the derivative, and nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.advice.linter import lint
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes.deviations import Deviating, _differs, deviations_of
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.check import check_gradients
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph

# A type, its inputs, the one that deviates, and its derivative for the weights 1, 2, ... at the output, by hand.
CASES: dict[str, tuple[str, dict[str, Any], str, list[Any]]] = {
    # y = (2, 0, 0): dy2 = 2 x1 = 6, dy3 = 2 * 5 * 3 = 30 for the zero; the others receive 1 + 0 and 0.
    "one zero": ("Cumprod", {"x": [2.0, 0.0, 5.0]}, "x", [1.0, 2 * 2.0 + 3 * 2.0 * 5.0, 0.0]),
    "written twice": (
        "TensorScatterNdUpdate",
        {"tensor": [1.0, 2.0], "indices": np.array([[0], [0]], np.int32), "updates": [5.0, 7.0]},
        "updates",
        [0.0, 1.0],
    ),
    # The softmax of equal logits is 1/2 each; labels of 3 and 1 add up to 4.
    "labels of 4": (
        "SoftmaxCrossEntropyWithLogits",
        {"labels": [[3.0, 1.0]], "logits": [[0.0, 0.0]]},
        "logits",
        [[4 / 2 - 3, 4 / 2 - 1]],
    ),
    "no factor": ("Xlogy", {"x": [0.0, 1.0], "y": [np.e, 2.0]}, "x", [1.0, 2 * np.log(2)]),
    "nothing divided": ("Xdivy", {"x": [0.0, 1.0], "y": [4.0, 2.0]}, "x", [1 / 4, 2 / 2]),
    "no factor of one more": ("Xlog1py", {"x": [0.0, 1.0], "y": [np.e - 1, 1.0]}, "x", [1.0, 2 * np.log(2)]),
}


def graph_of(kind: str, inputs: dict[str, Any]) -> Graph:
    blocks, wires = [Block("b", kind), Block("loss", "Loss")], []
    for name, value in inputs.items():
        array = np.asarray(value)
        source = "Variable" if array.dtype.kind == "f" else "Constant"
        blocks.append(Block(name, source, parameters={"value": array}))
        wires.append((f"{name}.y", f"b.{name}"))
    output = library[kind].outputs[0].name
    size = np.asarray(next(iter(inputs.values()))).shape[-1 if kind != "SoftmaxCrossEntropyWithLogits" else 0]
    blocks.append(Block("w", "Constant", parameters={"value": np.arange(1.0, size + 1)}))
    return make_graph(blocks, [*wires, (f"b.{output}", "loss.x"), ("w.y", "loss.weights")])


def deviating(graph: Graph) -> list[Deviating]:
    run = run_graph(graph)
    return list(deviations_of(run.lowered, run.results.__getitem__))


@pytest.mark.parametrize(("kind", "inputs", "port", "derivative"), CASES.values(), ids=CASES)
def test_the_derivative_is_known_where_the_rule_deviates(
    kind: str, inputs: dict[str, Any], port: str, derivative: list[Any]
) -> None:
    graph = graph_of(kind, inputs)
    (found,) = deviating(graph)
    assert (found.path, found.port) == ("main/b", port)
    np.testing.assert_allclose(found.derivative, derivative, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.differs, ~np.isclose(found.gradient, derivative))
    (advice,) = [item for item in lint(run_graph(graph)) if item.rule == "not_the_derivative"]
    index, gradient, true = found.example
    assert f"{port}{list(index)} receives {gradient:.6g}; the derivative is {true:.6g}." in advice.message


@pytest.mark.parametrize(("kind", "inputs", "port", "derivative"), CASES.values(), ids=CASES)
def test_the_check_names_the_block(kind: str, inputs: dict[str, Any], port: str, derivative: list[Any]) -> None:
    compared = check_gradients(graph_of(kind, inputs))
    assert {item.by.path for item in compared.mismatches if item.by is not None} == {"main/b"}
    assert all(item.by is not None for item in compared.mismatches)


def test_a_rule_that_is_wrong_elsewhere_is_not_excused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The square behind the running product has a wrong rule, so the derivative there is not the quotient either."""
    blocks = [
        Block("x", "Variable", parameters={"value": np.array([2.0, 0.0, 5.0])}),
        Block("b", "Cumprod"),
        Block("s", "Exp"),
        Block("loss", "Loss"),
    ]
    graph = make_graph(blocks, [("x.y", "b.x"), ("b.y", "s.x"), ("s.y", "loss.x")])
    assert all(item.by is not None for item in check_gradients(graph).mismatches)
    monkeypatch.setattr(library["Exp"], "rule", lambda g, *_: g * 0.5)
    assert all(item.by is None for item in check_gradients(graph).mismatches)


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("Cumprod", {"x": [2.0, 3.0, 5.0]}),
        ("TensorScatterNdUpdate", {**CASES["written twice"][1], "indices": np.array([[0], [1]], np.int32)}),
        ("SoftmaxCrossEntropyWithLogits", {"labels": [[0.25, 0.75]], "logits": [[0.3, 0.0]]}),
        ("Xlogy", {"x": [2.0, 1.0], "y": [3.0, 2.0]}),
    ],
)
def test_where_the_rule_is_the_derivative_nothing_is_said(kind: str, inputs: dict[str, Any]) -> None:
    graph = graph_of(kind, inputs)
    assert deviating(graph) == [] and check_gradients(graph).mismatches == ()


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_elements_of_a_symmetric_matrix_move_with_their_mirror_images(factor: float) -> None:
    """Only the lower triangle is read, yet the gradient is that of a symmetric change, also before a factor."""
    blocks = [
        Block("A", "Variable", parameters={"value": np.array([[2.0, 0.5], [0.5, 1.0]])}),
        Block("f", "Constant", parameters={"value": np.array(factor)}),
        Block("m", "Multiply"),
        Block("c", "Cholesky"),
        Block("loss", "Loss"),
    ]
    wires = [("A.y", "m.x"), ("f.y", "m.y"), ("m.z", "c.x"), ("c.y", "loss.x")]
    compared = check_gradients(make_graph(blocks, wires))
    assert compared.mismatches == () and compared.skipped == 0 and compared.elements == 4 + 1 + 4 + 4


def test_without_a_gradient_or_an_input_nothing_is_said() -> None:
    kind, inputs, *_ = CASES["one zero"]
    graph = graph_of(kind, inputs)
    page = graph.pages[0]
    for gone in ("loss", "x"):
        blocks = [item for name, item in page.blocks.items() if name != gone]
        wires = [wire for wire in page.wires.values() if gone not in (wire.source.block, wire.target.block)]
        assert deviating(make_graph(blocks, [(str(wire.source), str(wire.target)) for wire in wires])) == []


def test_the_example_is_the_element_that_differs_most() -> None:
    kind, inputs, _, derivative = CASES["one zero"]
    (found,) = deviating(graph_of(kind, inputs))
    assert found.example == ((1,), 0.0, derivative[1])
    remark = found.remark("The product")
    assert (remark.code, remark.count) == ("not_the_derivative", 1)
    assert remark.message.startswith("The product ") and remark.message.endswith(found.elsewhere)
    assert "x[1] receives 0; the derivative is 34." in remark.message


@pytest.mark.parametrize(("own", "differs"), [(1.0 + 0.9e-6, False), (1.0 + 1.1e-6, True), (1.0 - 1.1e-6, True)])
def test_what_differs_by_a_millionth_of_the_largest_derivative_deviates(own: float, differs: bool) -> None:
    true = np.array([1.0, 0.25, np.nan, np.inf])
    found = _differs(np.array([own, 0.25, 1.0, 2.0]), true)
    assert found.tolist() == [differs, False, False, False]
    assert _differs(10 * np.array([own, 0.25]), 10 * true[:2]).tolist() == [differs, False]
    assert not _differs(np.array([10.0, 0.25 + own - 1]), np.array([10.0, 0.25])).any()
