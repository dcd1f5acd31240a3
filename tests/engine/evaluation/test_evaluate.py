"""Runs of small graphs: sums of losses, gradients of places that no path reaches, and what a run notices."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.snapshot import LossResult, PortResult, Tie, WireResult, ZeroCause
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import x
from tests.engine.own_gradients import entry, of_cube, page, result, scaled, use
from tests.recorded import make_graph


def source(name: str, value: object, kind: str = "Variable", dtype: str = "float64") -> Block:
    return Block(name, kind, parameters={"value": np.asarray(value, dtype)})


def notices(graph: Graph) -> list[tuple[str, str]]:
    return [(item.at, item.code) for item in run_graph(graph).snapshot.problems if item.severity != "error"]


def test_the_loss_is_the_sum_of_all_losses_and_unknown_with_one_of_them() -> None:
    blocks = [source("x", 2.0), source("y", 5.0), Block("l", "Loss"), Block("m", "Loss"), Block("n", "Loss")]
    wires = [("x.y", "l.x"), ("y.y", "m.x"), ("x.y", "n.x")]
    one, three = run_graph(make_graph(blocks[:3], wires[:1])).loss, run_graph(make_graph(blocks, wires)).loss
    assert one is not None and (one.name, one.value) == ("main/l", 2)
    assert three is not None and (three.name, three.value) == (None, 9)
    singular = [source("zeros", np.zeros((2, 2))), Block("inverse", "MatrixInverse")]
    failing = make_graph([*blocks, *singular], [*wires[:2], ("zeros.y", "inverse.x"), ("inverse.y", "n.x")])
    assert run_graph(failing).loss == LossResult(None, None)
    assert run_graph(make_graph(blocks[:2], [])).loss is None


def test_a_place_that_no_path_reaches_has_a_gradient_of_zeros_unless_its_dtype_has_none() -> None:
    blocks = [source("x", [1.0, 2.0]), source("free", [[3.0]]), source("whole", [1, 2], "Input", "int64")]
    run = run_graph(
        make_graph([*blocks, Block("e", "Exp"), Block("loss", "Loss")], [("x.y", "e.x"), ("e.y", "loss.x")])
    )
    np.testing.assert_array_equal(run.tensor(PortName("main/free", "y"), is_gradient=True), [[0.0]])
    np.testing.assert_array_equal(run.tensor(PortName("main/whole", "y"), is_gradient=False), [1, 2])
    assert run.tensor(PortName("main/whole", "y"), is_gradient=True) is None
    assert run.tensor(PortName("main/gone", "y"), is_gradient=True) is None
    link = Link(PortName("main/x", "y"), PortName("main/e", "x"))
    np.testing.assert_allclose(run.tensor(link, is_gradient=True), np.exp([1, 2]))
    assert run.snapshot.wire("main/x.y", "main/e.x") is run.snapshot.wires[link]
    with pytest.raises(KeyError):
        run.snapshot.wire("main/x.y", "main/gone.x")


def test_a_place_without_a_value_has_neither_value_nor_gradient() -> None:
    blocks = [
        source("zeros", np.zeros((2, 2))),
        Block("inverse", "MatrixInverse"),
        source("whole", 1, "Input", "int64"),
    ]
    blocks += [Block("open", "Exp"), Block("loss", "Loss")]
    run = run_graph(make_graph(blocks, [("zeros.y", "inverse.x"), ("inverse.y", "loss.x"), ("whole.y", "open.x")]))
    for name in ("main/inverse.y", "main/open.y"):
        for is_gradient in (False, True):
            assert run.tensor(PortName(*name.split(".")), is_gradient) is None
        assert run.snapshot.port(name) == PortResult()
    assert run.snapshot.wire("main/inverse.y", "main/loss.x") == WireResult()


def through_zeros(left: int, inner: int, outer: int) -> Graph:
    """Returns a graph in which so many elements are left of a Relu, or meet zeros in an inner or an outer factor."""
    x = np.repeat([-1.0, 1.0], [left, 9])
    factors = [source(name, np.ones(left + 9), "Constant") for name in ("v", "w")]
    factors[0].parameters["value"][left : left + inner] = 0
    factors[1].parameters["value"][left + inner : left + inner + outer] = 0
    blocks = [source("x", x), *factors, Block("r", "Relu"), Block("m", "Multiply"), Block("n", "Multiply")]
    wires = [("x.y", "r.x"), ("r.y", "m.x"), ("v.y", "m.y"), ("m.z", "n.x"), ("w.y", "n.y"), ("n.z", "loss.x")]
    return make_graph([*blocks, Block("loss", "Loss")], wires)


@pytest.mark.parametrize(
    ("counts", "cause", "at"),
    [
        ((4, 3, 2), Cause.ZERO_FACTOR, "main/m"),
        ((4, 2, 3), Cause.ZERO_FACTOR, "main/n"),
        # Of equally many the first in the order of causes counts.
        ((3, 2, 1), Cause.NOT_SELECTED, "main/r"),
        ((0, 2, 1), Cause.ZERO_FACTOR, "main/m"),
    ],
)
def test_zeros_have_the_cause_of_most_elements_at_the_block_of_most_of_these(
    counts: tuple[int, int, int], cause: Cause, at: str
) -> None:
    left, inner, outer = counts
    details = {Cause.NOT_SELECTED: left, Cause.ZERO_FACTOR: inner + outer}
    found = run_graph(through_zeros(*counts)).snapshot.port("main/x.y").zero
    assert found == ZeroCause(cause, at, {cause: count for cause, count in details.items() if count})


def test_a_stop_that_is_fed_and_used_by_nothing_is_told_of() -> None:
    stops = [Block(name, "StopGradient") for name in ("late", "used", "open", "early")]
    wires = [("x.y", "late.x"), ("x.y", "used.x"), ("x.y", "early.x"), ("used.y", "loss.x")]
    graph = make_graph([source("x", 1.0), *stops, Block("loss", "Loss")], wires)
    assert [item for item in notices(graph) if item[1] == "stop_unused"] == [
        ("main/late", "stop_unused"), ("main/early", "stop_unused"),
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "count"), [([1.0, 2.0, 3.0], 0), ([3.0, 1.0, 3.0], 1)])
def test_a_maximum_of_equal_elements_is_told_of(value: list[float], count: int) -> None:
    blocks = [source("x", value), Block("top", "ReduceMax"), Block("loss", "Loss")]
    told = notices(make_graph(blocks, [("x.y", "top.x"), ("top.y", "loss.x")]))
    assert [item for item in told if item[1] == "tie"] == [("main/top", "tie")] * count
    blocks.append(Block("stop", "StopGradient"))
    assert len(notices(make_graph(blocks, [("x.y", "top.x"), ("top.y", "stop.x"), ("stop.y", "loss.x")]))) >= count


def test_what_else_a_block_notices_is_no_tie() -> None:
    ends = [Block("loss", "Loss"), Block("most", "ReduceMax"), Block("top", "TopK", parameters={"k": 2})]
    wires = [("x.y", "top.x"), ("top.values", "loss.x")]
    nan = run_graph(make_graph([source("x", [3.0, np.nan]), ends[0], ends[2]], wires)).snapshot
    assert [(item.at, item.code) for item in nan.problems] == [("main/x", "nonfinite"), ("main/top", "nan_order")]
    assert nan.port("main/x.y").tie is nan.wire("main/x.y", "main/top.x").tie is None
    wires = [("x.y", "most.x"), ("most.y", "loss.x")]
    tied = run_graph(make_graph([source("x", [3.0, 3.0]), *ends[:2]], wires)).snapshot
    assert tied.port("main/x.y").tie == tied.wire("main/x.y", "main/most.x").tie == Tie("main/most", 2)


@pytest.mark.parametrize("wires", [["e", "most"], ["most", "e"]])
def test_a_tie_is_told_of_beside_other_wires(wires: list[str]) -> None:
    kinds = {"e": "ReduceMean", "most": "ReduceMax"}
    line = x([3.0, 3.0], "Variable")
    for name in wires:
        line.on("x.y").then(name, kinds[name])
    snapshot = run_graph(line.on(f"{wires[0]}.y").then("a", "AddN", *(f"{name}.y" for name in wires[1:])).loss())
    assert snapshot.snapshot.port("main/x.y").tie == Tie("main/most", 2)
    assert snapshot.snapshot.wire("main/x.y", "main/e.x").tie is None


def top(*values: float, gradient: str | None, is_reached: bool = True, also: str = "Exp") -> list[tuple[str, str]]:
    """Returns the ties of a maximum on a page that may have a gradient of its own, and of a block beside it."""
    inner = page("cube", [entry("x"), Block("m", "ReduceMax"), result("y")], [("x.y", "m.x"), ("m.y", "y.x")], gradient)
    blocks = [source("x", values), use("cube", "cube"), Block("beside", also), Block("loss", "Loss")]
    wires = [("x.y", "cube.x"), ("x.y", "beside.x"), ("cube.y" if is_reached else "beside.y", "loss.x")]
    found = notices(Graph(pages=(page("main", blocks, wires), inner, scaled())))
    return [item for item in found if item[1] == "tie"]


@pytest.mark.parametrize("is_reached", [True, False])
def test_a_tie_on_a_page_counts_unless_the_page_has_a_gradient_of_its_own(is_reached: bool) -> None:
    assert top(3.0, 3.0, gradient=None, is_reached=is_reached) == [("main/cube/m", "tie")]
    assert top(3.0, 3.0, gradient="cube_gradient", is_reached=is_reached) == []
    beside = [("main/beside", "tie")]
    assert top(3.0, 3.0, gradient="cube_gradient", is_reached=is_reached, also="ReduceMin") == beside
    assert top(3.0, 1.0, gradient=None, is_reached=is_reached) == []


DERIVED = {
    "of a power": x([1.0, 2.0], "Variable").then("q", "Pow", "x.y").then("s", "ReduceSum").then("d", "Gradients", "x.y")
    .then("l", "Square").loss(),
    "of a result and a loss": x([0.5, 2.0], "Variable").then("q", "Sin").then("s", "ReduceSum")
    .then("d", "Gradients", "x.y").then("m", "Multiply", "q.y").then("a", "Add", "x.y").loss(),
    "twice": x([0.5, 2.0], "Variable").then("q", "Exp").then("s", "ReduceSum").then("d", "Gradients", "x.y")
    .then("t", "ReduceSum").then("e", "Gradients", "x.y").then("m", "Multiply", "d.g_0").loss(),
}  # fmt: skip


@pytest.mark.parametrize("name", DERIVED)
def test_wires_and_derivatives_add_up_to_the_gradient_of_a_port(name: str) -> None:
    snapshot = run_graph(DERIVED[name]).snapshot
    assert not [item for item in snapshot.problems if item.severity == "error"]
    inner = 0
    for port, held in snapshot.ports.items():
        parts = [
            item.gradient for link, item in snapshot.wires.items() if link.source == port and item.gradient is not None
        ]
        inner += len(held.inner)
        assert {item.by for item in held.inner} <= {"main/d", "main/e"}
        parts += [item.gradient for item in held.inner]
        if parts:
            np.testing.assert_allclose(np.sum(parts, axis=0), held.gradient, rtol=1e-12)
    assert inner


def test_an_empty_tensor_has_an_empty_gradient_which_is_not_zero() -> None:
    for size, status in ((0, "flow"), (9, "zero")):
        factor = source("w", np.zeros(size), "Input")
        blocks = [source("x", np.ones(size)), factor, Block("m", "Multiply"), Block("s", "ReduceSum")]
        wires = [("x.y", "m.x"), ("w.y", "m.y"), ("m.z", "s.x"), ("s.y", "loss.x")]
        snapshot = evaluate(make_graph([*blocks, Block("loss", "Loss")], wires))
        assert snapshot.port("main/x.y").status == status


def test_a_wire_into_a_page_with_a_gradient_of_its_own_names_that_use() -> None:
    wires = run_graph(of_cube()).snapshot.wires
    assert {str(link.target): wire.own for link, wire in wires.items() if wire.own} == {"main/cube.x": "main/cube"}
    np.testing.assert_array_equal(run_graph(of_cube()).snapshot.port("main/x.y").gradient, [7, -14])


def test_a_gradient_that_is_not_finite_has_no_cause_of_its_zeros() -> None:
    """The square root of -1 has the gradient NaN, and what is multiplied by 0 the gradient 0."""
    for value, status in ((-1.0, "nonfinite"), (1.0, "flow")):
        blocks = [source("x", [value, 4.0]), source("w", [1.0, 0.0], "Constant"), Block("r", "Sqrt")]
        blocks += [Block("m", "Multiply"), Block("loss", "Loss")]
        wires = [("x.y", "r.x"), ("r.y", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
        snapshot = run_graph(make_graph(blocks, wires)).snapshot
        for found in (snapshot.port("main/x.y"), snapshot.wire("main/x.y", "main/r.x")):
            assert found.status == status
            told = None if found.zero is None else (found.zero.cause, found.zero.at)
            assert told == ((Cause.ZERO_FACTOR, "main/m") if status == "flow" else None)
