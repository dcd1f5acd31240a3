"""Mistakes in explanations of a run: each is a problem and costs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import gradwire.engine.blocktypes.plan
import gradwire.engine.causes.nonfinite_origins
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import CodeError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Observation, block
from gradwire.engine.blocktypes.expression import topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import NOT_TIMED
from gradwire.engine.causes.zero_roots import ZeroRoots
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.why_zero import Kind, why_zero
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x

SAYS_NOTHING_ELSE = "Values and gradients are right all the same."


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError("the dice fell off the table")


@pytest.fixture
def fussy(monkeypatch: pytest.MonkeyPatch) -> BlockType:
    """Block type of a plug-in: it doubles its input, and rejects all numbers but its own."""

    @block("Arithmetic", sums_products=True)
    def Fussy(x: Array) -> Array:
        """Twice the tensor."""
        if not np.isin(x, [-1, 0, 1, 2, 3]).all():
            raise ValueError("the dice fell off the table")
        return 2 * x

    @Fussy.gradient
    def fussy_gradient(g: Any, x: Any, y: Any) -> Any:
        return Fussy(g)

    monkeypatch.setitem(library._types, "Fussy", Fussy)
    return Fussy


def told(snapshot: Snapshot) -> list[Problem]:
    return [problem for problem in snapshot.problems if problem.code == "unexplained"]


def fail_at_relu(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = ZeroRoots._trace

    def fails_there(self: ZeroRoots, edge: Edge, *rest: Any) -> None:
        return fails() if edge.application.type.name == "Relu" else trace(self, edge, *rest)

    monkeypatch.setattr(ZeroRoots, "_trace", fails_there)


def two_zeros() -> Graph:
    """Returns zeros made by two blocks: one column behind Relu, one behind Sign."""
    return x([-1, 2]).then("r", "Relu").on("x.y").then("s", "Sign").then("a", "Add", "r.y").loss()


def test_a_zero_whose_root_cannot_be_worked_out_is_told_and_all_else_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    graph = two_zeros()
    expected = evaluate(graph)
    fail_at_relu(monkeypatch)
    run = run_graph(graph)
    (problem,) = told(run.snapshot)
    assert (problem.severity, problem.at) == ("warning", "main/r")
    assert SAYS_NOTHING_ELSE in problem.message and "dice" not in problem.message
    assert "the dice fell off the table" in caplog.text
    assert run.snapshot.wire("main/x.y", "main/s.x").zero == expected.wire("main/x.y", "main/s.x").zero
    assert run.snapshot.wire("main/x.y", "main/r.x").zero is None
    for name, port in expected.ports.items():
        np.testing.assert_array_equal(run.snapshot.ports[name].gradient, port.gradient)
        assert run.snapshot.ports[name].status == port.status
    assert why_zero(run, PortName("main/x", "y"))[-1].kind in (Kind.UNKNOWN, Kind.FLAT, Kind.FLOW)


def test_a_zero_behind_one_without_a_root_gets_no_wrong_root(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_at_relu(monkeypatch)
    run = run_graph(x([-1, -2]).then("s", "Sinh").then("r", "Relu").loss())
    port = run.snapshot.port("main/x.y")
    assert (port.status, port.zero) == ("zero", None)
    assert [reason.kind for reason in why_zero(run, PortName("main/x", "y"))] == [Kind.UNKNOWN]


def test_a_block_that_refuses_the_numbers_of_an_explanation_is_run_and_explained(fussy: BlockType) -> None:
    """The explanation reruns steps on numbers that the block was not made for."""
    snapshot = evaluate(x([1, 2]).then("f", "Fussy").then("r", "Negative").then("s", "Relu").loss())
    port = snapshot.port("main/x.y")
    np.testing.assert_array_equal(port.gradient, [0, 0])
    assert port.zero is not None and (port.zero.cause, port.zero.at) == ("not_selected", "main/s")
    assert not snapshot.has_errors and not told(snapshot)


def test_a_block_whose_code_fails_is_a_problem_and_the_rest_is_computed(
    fussy: BlockType, caplog: pytest.LogCaptureFixture
) -> None:
    snapshot = evaluate(x([7, 8]).then("f", "Fussy").on("x.y").then("e", "Square").loss())
    (problem,) = [problem for problem in snapshot.problems if problem.severity == "error"]
    assert (problem.at, problem.code) == ("main/f", "fault") and "the log names it" in problem.message
    assert "the dice fell off the table" in caplog.text
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [14, 16])


@pytest.mark.parametrize("observer", [fails, lambda *_: Observation("tie", "Two are equal.", 2)])
def test_an_observation_that_fails_is_told_where_the_block_is(
    monkeypatch: pytest.MonkeyPatch, observer: Callable[..., Observation]
) -> None:
    monkeypatch.setattr(library["Relu"], "observer", observer)
    snapshot = evaluate(x([-1, 2]).then("r", "Relu").loss())
    assert [problem.at for problem in told(snapshot)] == (["main/r"] if observer is fails else [])
    assert snapshot.port("main/x.y").zero is not None


@pytest.mark.parametrize("name", ["step_reason", "derivative_reason"])
def test_a_reason_of_nan_that_fails_leaves_the_place(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    graph = x([0.0]).then("l", "Log").loss()
    before = evaluate(graph).port("main/x.y").origin
    monkeypatch.setattr(gradwire.engine.causes.nonfinite_origins, name, fails)
    snapshot = evaluate(graph)
    found = snapshot.port("main/x.y").origin
    assert before is not None and found is not None and found.first is not None and before.first is not None
    assert found.first.at == before.first.at == "main/l"
    assert [problem.at for problem in told(snapshot)] == ["main/l"]


def births(snapshot: Snapshot) -> Iterator[str]:
    return (problem.message for problem in snapshot.problems if problem.code == "nonfinite")


def test_a_reason_that_fails_says_so_in_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradwire.engine.causes.nonfinite_origins, "step_reason", fails)
    found = list(births(evaluate(x([0.0]).then("l", "Log").loss())))
    assert 'Log "l" makes -inf at element 0: why could not be worked out.' in found


def odd(monkeypatch: pytest.MonkeyPatch, made: BlockType) -> Graph:
    """Returns x = [1, 2] -> a block of that type -> loss, and beside it the square of x."""
    monkeypatch.setitem(library._types, made.name, made)
    return x([1, 2]).then("square", "Square").on("x.y").then("odd", made.name).loss()


def test_a_rule_that_fails_leaves_its_gradient_unknown_and_the_values_known(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    @block("Arithmetic")
    def Unruly(x: Array) -> Array:
        """Twice the tensor."""
        return 2 * x

    @Unruly.gradient
    def unruly_gradient(g: Any, x: Any, y: Any) -> Any:
        return fails()

    snapshot = evaluate(odd(monkeypatch, Unruly))
    (problem,) = [item for item in snapshot.problems if item.severity == "error"]
    assert (problem.at, problem.code) == ("main/odd", "fault")
    assert problem.message.startswith("Its gradient rule fails") and "the log names it" in problem.message
    assert "the dice fell off the table" in caplog.text
    assert snapshot.port("main/loss.y").value == 6.0
    assert snapshot.wire("main/x.y", "main/odd.x").status is Status.UNKNOWN


def test_shapes_that_cannot_be_told_are_told_of_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    @block("Arithmetic", infer=fails)
    def Shapeless(x: Array) -> Array:
        """The tensor."""
        return x

    (problem,) = infer_specs(odd(monkeypatch, Shapeless)).problems
    assert (problem.at, problem.code, problem.severity) == ("main/odd", "fault", "error")


def test_what_is_no_number_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    @block("Arithmetic")
    def Wordy(x: Array) -> Array:
        """Words."""
        return np.array(["one", "two"])

    snapshot = evaluate(odd(monkeypatch, Wordy))
    assert [(item.at, item.code) for item in snapshot.problems if item.severity == "error"] == [("main/odd", "fault")]
    assert snapshot.port("main/odd.y").value is None
    np.testing.assert_array_equal(snapshot.port("main/square.y").value, [1, 4])


def test_both_passes_of_a_run_are_timed(fussy: BlockType) -> None:
    whole = run_graph(x([1, 2]).then("f", "Fussy").then("e", "Exp").loss()).results
    assert whole.passes.forward > 0 and whole.passes.backward > 0


def test_only_steps_behind_the_values_count_as_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that advances by one at every block counts the steps of each pass."""
    ran, run_step = [], gradwire.engine.blocktypes.plan.run_step
    monkeypatch.setattr(gradwire.engine.blocktypes.plan.time, "perf_counter", lambda: len(ran))

    def counted(*args: Any) -> None:
        ran.append(args[0])
        run_step(*args)

    monkeypatch.setattr(gradwire.engine.blocktypes.plan, "run_step", counted)
    run = run_graph(x([1, 2]).then("e", "Exp").loss())
    assert run.results.passes.forward == len(topological_order(run.lowered.ports.values()))
    assert sum(run.results.passes) == len(run.results.plan.steps)


def test_a_number_that_a_block_refuses_while_it_is_dragged_ends_the_shortcut_and_no_more(fussy: BlockType) -> None:
    graph = x([1, 2]).then("f", "Fussy").loss()
    refused = edits.set_parameter(graph, "main", "x", "value", np.array([7.0, 8.0]))
    values = new_values(graph, refused)
    assert values is not None
    with pytest.raises(CodeError, match="its code fails"):
        Rerun(run_graph(graph)).run(refused, values)


def test_a_run_that_is_repeated_times_its_passes_too() -> None:
    graph = x([1, 2]).then("e", "Exp").loss()
    other = edits.set_parameter(graph, "main", "x", "value", np.array([3.0, 4.0]))
    again = Rerun(run_graph(graph))
    again.arena.results.passes = NOT_TIMED
    found = again.run(other, new_values(graph, other) or {})
    assert found is not None and min(found.results.passes) > 0
