"""`gw.why` without PyTorch: models that it has saved with one mistake each, and graphs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.interop.models.graphs import origin_at
from gradwire.interop.pt2.from_pt2 import from_pt2
from gradwire.interop.why.assumed_loss import ASSUMED
from gradwire.interop.why.problems import problems_of
from tests.interop.onnx.written import graph, model, node, value
from tests.interop.pt2.recorded import Recorded
from tests.interop.pt2.written import at, call, program

BROKEN, MODELS = Recorded("broken"), Recorded("models")


@pytest.mark.parametrize("row", BROKEN.rows(), ids=lambda row: row["id"])
def test_a_saved_mistake_is_named_with_its_parameters_and_its_line(row: Mapping[str, Any]) -> None:
    report = gw.why(BROKEN.model(row["id"]))
    first = report.findings[0]
    found, wanted = {item.parameter for item in report.findings if not item.is_note} - {"loss"}, {*row["parameters"]}
    # Where a gradient becomes too small is a matter of degree.
    assert found >= wanted if row["status"] == "vanishing" else found == wanted, str(report)
    assert (str(first.status), first.where) == (row["status"], row["where"] or first.where), str(report)
    assert any(row["words"].replace("60 ", "") in item.reason for item in report.findings), str(report)
    assert first.where in first.sentence and first.parameter in str(report)


@pytest.mark.parametrize("name", ["mlp", "attention", "conv_batch_norm", "two_outputs"])
def test_a_sound_model_gives_no_alarm(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pt2"
    path.write_bytes(MODELS.model(name))
    report = gw.why(path)
    assert report.ok and not report.findings, str(report)
    assert any("the loss is assumed" in note for note in report.notes) == (name == "two_outputs")


def test_a_graph_names_blocks_where_it_has_no_lines() -> None:
    w, v = gw.Variable([1.0, 2.0], name="w"), gw.Variable([1.0], name="v")
    loss = gw.Loss(gw.ReduceSum(gw.StopGradient(w * 2, name="stop")) + v * 0.0, name="loss")
    found = gw.why(gw.graph(loss)).findings
    assert [(item.parameter, str(item.status), item.where) for item in found] == [
        ("w", "blocked", "main/stop"),
        ("v", "zero", "main/Multiply_1"),
    ]
    assert 'StopGradient "stop" cuts every path' in found[0].sentence


def test_an_expression_and_a_run_have_the_findings_of_their_numbers() -> None:
    w = gw.Variable([2.0], name="w")
    loss = gw.relu(w)
    assert gw.why(loss).ok
    run = gw.evaluate(loss, feed={"w": np.array([-2.0])})
    (found,) = gw.why(run).findings
    assert (found.cause, found.parameter) == ("not_selected", "w")
    assert "x = -2" in found.reason


def test_parameters_come_by_their_names_in_which_numbers_are_numbers() -> None:
    names = ["b10", "b2", "a", "b2_x", "B1"]
    loss = gw.Loss(sum((gw.ReduceSum(gw.StopGradient(gw.Variable([1.0], name=name))) for name in names), 0.0))
    assert [item.parameter for item in gw.why(loss).findings] == ["B1", "a", "b2", "b2_x", "b10"]


def test_a_zero_that_is_multiplied_by_infinity_is_broken_and_does_not_explode() -> None:
    w, v = gw.Variable([1.0], name="w"), gw.Variable([1.0], name="v")
    loss = gw.Loss(gw.ReduceSum(w * gw.Input([np.inf]) * gw.Input([0.0])))
    found = {item.parameter: item for item in gw.why(loss).findings}
    assert str(found["w"].status) == "nonfinite" and found["w"].reason.startswith("Multiply")
    # The second of two losses is the one that is broken.
    both = gw.graph(gw.Loss(gw.ReduceSum(v), name="a"), gw.Loss(gw.ReduceSum(gw.Log(gw.Input([0.0]), name="log"))))
    assert [(item.parameter, item.where) for item in gw.why(both).findings] == [("loss", "main/log")]


def test_a_lost_gradient_rule_is_a_note_beside_the_loss_that_is_assumed() -> None:
    own = call("aten.relu.default", "y", at(5, "y = Own.apply(x)"), self="x")
    notes = gw.why(program([own]), {"x": [1.0, 2.0]}).notes
    assert notes == (ASSUMED, "m.py:5: the gradient rule of an autograd.Function is not in the file.")
    assert gw.why(MODELS.model("mlp")).notes == ()


def test_a_dead_unit_is_a_finding_about_the_nearest_parameter() -> None:
    x = gw.Input(np.random.default_rng(0).normal(size=(32, 4)), name="x")
    w, b = gw.Variable(np.eye(4), name="w"), gw.Variable([0.5, 0.5, -40.0, 0.5], name="b")
    (found,) = gw.why((gw.relu(x @ w + b) @ gw.Variable(np.ones(4), name="v") - 1.0).square().mean()).findings
    assert (found.parameter, str(found.status)) == ("b", "dead_units")
    assert "1 of 4 units in any of 32 examples" in found.reason


def test_a_file_of_onnx_names_parameters_and_nodes(tmp_path: Path) -> None:
    nodes = [node("Gemm", ["x", "net.weight", "net.bias"], ["z"], "/net/Gemm"), node("Relu", ["z"], ["y"], "/Relu")]
    weights = {"net.weight": np.eye(3, dtype=np.float32), "net.bias": np.full(3, -50, np.float32)}
    path = tmp_path / "m.onnx"
    path.write_bytes(model(graph(nodes, [value("x", [8, 3])], ["y"], weights)))
    report = gw.why(path)
    assert {(item.parameter, str(item.status), item.where) for item in report.findings} == {
        ("net.bias", "zero", "/Relu"),
        ("net.weight", "zero", "/Relu"),
    }
    assert any("the loss is assumed" in note for note in report.notes)
    assert any("does not say where gradients are stopped" in note for note in report.notes)
    given = {"x": np.full((8, 3), 100, np.float32)}
    assert gw.why(path, given).ok
    for arguments in ([given["x"]], [given, given], [given, 1]):
        with pytest.raises(gw.GradwireError, match=r"given by their names"):
            gw.why(path, *arguments)
    with pytest.raises(gw.GradwireError, match=r"given by their names"):
        gw.why(path, **given)


@pytest.mark.parametrize("name", ["DetachedInTheMiddle", "RoundedOnThePath", "ClampedOutside"])
def test_a_cause_is_a_problem_at_the_block_of_its_line(name: str) -> None:
    (row,) = (item for item in BROKEN.rows() if item["id"] == name)
    found = from_pt2(BROKEN.model(name))
    problem = problems_of(run_graph(found))[0]
    assert origin_at(found, problem.at) == row["where"] and row["words"] in problem.message
    assert problem.message.startswith(f"{row['parameters'][0]} and {len(row['parameters']) - 1} more: ")


def test_problems_leave_out_notes_and_what_others_say() -> None:
    w, v = gw.Variable([-1.0], name="w"), gw.Variable([0.0], name="v")
    gone = run_graph(gw.graph(gw.Loss(gw.ReduceSum(gw.relu(w, name="r") + gw.Sqrt(v)))))
    assert [(item.severity, item.at, item.code, item.message.partition("(")[0]) for item in problems_of(gone)] == [
        ("warning", "main/r", "why", 'w: zero gradient. The inputs of Relu "r" are negative or 0 ')
    ]
    assert problems_of(run_graph(gw.graph(gw.Loss(gw.ReduceSum(v**2))))) == ()
    assert problems_of(run_graph(gw.graph(v))) == ()


def test_dead_units_are_a_problem_of_their_rule() -> None:
    x = gw.Input(np.random.default_rng(0).normal(size=(32, 4)), name="x")
    w, b = gw.Variable(np.eye(4), name="w"), gw.Variable([0.5, 0.5, -40.0, 0.5], name="b")
    loss = gw.Loss(gw.mean((gw.relu(x @ w + b, name="r") @ gw.Variable(np.ones(4), name="v") - 1.0) ** 2))
    (problem,) = problems_of(run_graph(gw.graph(loss)))
    assert (problem.at, problem.code) == ("main/r", "lint_dead_units")
    assert problem.message.startswith('b: zero gradient for dead units. Relu "r" passes nothing for 1 of 4 units')


def test_a_saved_graph_keeps_parameters_and_lines(tmp_path: Path) -> None:
    graph = gw.from_pt2(BROKEN.model("DetachedInTheMiddle"))
    gw.save(graph, tmp_path / "model.graph")
    assert str(gw.why(tmp_path / "model.graph")) == str(gw.why(graph))
    assert "fc1.bias, fc1.weight: blocked" in str(gw.why(graph))


def test_inputs_stand_in_where_there_are_no_variables() -> None:
    x = gw.Input([0.0, 4.0], name="x")
    (found,) = gw.why(gw.sqrt(x)).findings
    assert (found.parameter, str(found.status)) == ("x", "nonfinite")


def test_a_minimum_is_a_note() -> None:
    w = gw.Variable([3.0], name="w")
    report = gw.why((w - 3.0) ** 2)
    assert report.ok
    assert [str(item.status) for item in report.findings] == ["at_rest"]
    assert str(report).startswith("Nothing is wrong, though 1 of 1 parameter receives a gradient of 0 now:")


def test_labels_that_broadcast_to_all_pairs_are_a_finding_about_the_loss() -> None:
    x, w = gw.Input(np.arange(24.0).reshape(8, 3) / 24), gw.Variable(np.ones((3, 1)), name="w")
    labels = np.linspace(0, 1, 8)
    report = gw.why(gw.mean((x @ w - gw.Input(labels)) ** 2))
    (found,) = report.findings
    assert (found.parameter, str(found.status), report.ok) == ("loss", "crossed_shapes", False)
    assert "broadcasts [8, 1] with [8] to [8, 8]" in found.reason
    assert str(report).startswith("The loss compares shapes that do not fit. Every gradient flows, to 1 parameter.")
    assert gw.why(gw.mean((x @ w - gw.Input(labels[:, None])) ** 2)).ok


def test_a_graph_without_a_loss_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match="has no Loss"):
        gw.why(gw.graph(gw.Variable([1.0]) * 2))
