"""Muted blocks pass on one input; a Reroute is only a dot on a wire."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import can_be_muted
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Block
from tests.recorded import make_graph


def source(name: str, value: object) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, float)})


def test_a_muted_block_passes_value_and_gradient_as_identity() -> None:
    blocks = [source("x", [1, 2]), Block("e", "Exp", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "e.x"), ("e.y", "loss.x")]))
    np.testing.assert_array_equal(snapshot.port("main/e.y").value, [1, 2])
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1, 1])


def test_a_muted_stop_is_an_identity() -> None:
    blocks = [source("x", [1, 2]), Block("stop", "StopGradient", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "stop.x"), ("stop.y", "loss.x")]))
    assert snapshot.wire("main/x.y", "main/stop.x").status == "flow"


def test_the_first_input_with_the_spec_of_the_output_is_passed_on() -> None:
    blocks = [source("s", 5), source("x", [1, 2]), Block("a", "Add", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("s.y", "a.x"), ("x.y", "a.y"), ("a.z", "loss.x")]))
    np.testing.assert_array_equal(snapshot.port("main/a.z").value, [1, 2])
    assert snapshot.wire("main/s.y", "main/a.x").status == "no_path"
    assert snapshot.wire("main/x.y", "main/a.y").status == "flow"


def test_else_the_first_connected_input_is_passed_on() -> None:
    blocks = [source("x", [1, 2]), Block("r", "ReduceSum", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "r.x"), ("r.y", "loss.x")]))
    np.testing.assert_array_equal(snapshot.port("main/r.y").value, [1, 2])


def test_a_muted_block_with_inputs_that_do_not_fit_passes_on_the_first() -> None:
    blocks = [source("x", [1, 2]), source("u", [1, 2, 3]), Block("a", "Add", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "a.x"), ("u.y", "a.y"), ("a.z", "loss.x")]))
    assert not snapshot.has_errors
    np.testing.assert_array_equal(snapshot.port("main/a.z").value, [1, 2])


def test_a_muted_block_with_several_outputs_gives_each_the_input() -> None:
    blocks = [
        source("x", [4, 6]),
        Block("m", "Moments", is_muted=True, parameters={"axes": [0]}),
        Block("a", "Add"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "m.x"), ("m.mean", "a.x"), ("m.variance", "a.y"), ("a.z", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    np.testing.assert_array_equal(snapshot.port("main/a.z").value, [8, 12])
    np.testing.assert_array_equal(snapshot.wire("main/x.y", "main/m.x").gradient, [2, 2])


def test_a_loss_and_a_source_cannot_be_muted() -> None:
    blocks = [
        Block("x", "Input", is_muted=True, parameters={"value": np.ones(2)}),
        Block("loss", "Loss", is_muted=True),
    ]
    snapshot = evaluate(make_graph(blocks, [("x.y", "loss.x")]))
    assert [(problem.severity, problem.code) for problem in snapshot.problems] == [("info", "muted")] * 2
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1, 1])


def test_a_reroute_changes_nothing() -> None:
    blocks = [source("x", [1, 2]), Block("dot", "Reroute"), Block("e", "Exp"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "dot.x"), ("dot.y", "e.x"), ("e.y", "loss.x")]))
    np.testing.assert_allclose(snapshot.wire("main/x.y", "main/dot.x").gradient, np.exp([1, 2]))


def test_a_derivative_by_a_rerouted_wire_is_that_by_its_source() -> None:
    blocks = [
        source("x", [3.0]),
        Block("s", "Square"),
        Block("dot", "Reroute"),
        Block("g", "Gradients"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "s.x"), ("x.y", "dot.x"), ("s.y", "g.y"), ("dot.y", "g.xs_0"), ("g.g_0", "loss.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    np.testing.assert_array_equal(snapshot.port("main/g.g_0").value, [6])
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [2])


def test_a_muted_block_passes_on_what_is_known_although_another_input_is_not() -> None:
    blocks = [source("x", [1, 2]), Block("bad", "Exp"), Block("a", "Add", is_muted=True), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "a.x"), ("bad.y", "a.y"), ("a.z", "loss.x")]))
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1, 1])


@pytest.mark.parametrize(
    ("kind", "can_be"),
    [("Exp", True), ("Page", True), ("Input", False), ("Loss", False), ("PageOutput", False), ("no.Such", False)],
)
def test_what_has_an_input_and_is_no_end_can_be_muted(kind: str, can_be: bool) -> None:
    assert can_be_muted(Block("a", kind)) is can_be
