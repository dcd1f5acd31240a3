"""Runs of small graphs: sums of losses, gradients of places that no path reaches, and what a run notices."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.own_gradients import of_cube
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
    huge = Block("huge", "Fill", parameters={"dims": (2**45,)})
    failing = make_graph([*blocks, huge], [*wires[:2], ("x.y", "huge.value"), ("huge.y", "n.x")])
    found = run_graph(failing).loss
    assert found is None or found.value is None
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
