"""A mistake in what explains a run is told as a problem and costs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import engine.origins
from engine.block_type import BlockType, Observation, block
from engine.evaluate import evaluate, run_graph
from engine.expand import PortName
from engine.gradients import Edge
from engine.graph import Graph
from engine.library import library
from engine.problems import Problem
from engine.snapshot import Snapshot
from engine.tensor_spec import Array
from engine.why_zero import Kind, why_zero
from engine.zero_roots import ZeroRoots
from tests.engine.cause_graphs import x

SAYS_NOTHING_ELSE = "Values and gradients are right all the same."


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError("the dice fell off the table")


@pytest.fixture
def fussy(monkeypatch: pytest.MonkeyPatch) -> BlockType:
    """A block type of somebody else: it doubles, and refuses all but the numbers that it was made for."""

    @block("Arithmetic", adds_products=True)
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
    """Zeros that two blocks make: one column behind Relu, one behind Sign."""
    return x([-1, 2]).then("r", "Relu").on("x.y").then("s", "Sign").then("a", "Add", "r.y").loss()


def test_a_zero_whose_root_cannot_be_worked_out_is_told_and_all_else_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = two_zeros()
    expected = evaluate(graph)
    fail_at_relu(monkeypatch)
    run = run_graph(graph)
    (problem,) = told(run.snapshot)
    assert (problem.severity, problem.at) == ("warning", "main/r")
    assert "ValueError: the dice fell off the table." in problem.message and SAYS_NOTHING_ELSE in problem.message
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
    """Zeros are followed by running steps again, on numbers that the block was not made for."""
    snapshot = evaluate(x([1, 2]).then("f", "Fussy").then("r", "Negative").then("s", "Relu").loss())
    port = snapshot.port("main/x.y")
    np.testing.assert_array_equal(port.gradient, [0, 0])
    assert port.zero is not None and (port.zero.cause, port.zero.at) == ("not_selected", "main/s")
    assert not snapshot.has_errors and not told(snapshot)


def test_a_block_whose_code_fails_is_a_problem_and_the_rest_is_computed(fussy: BlockType) -> None:
    snapshot = evaluate(x([7, 8]).then("f", "Fussy").on("x.y").then("e", "Square").loss())
    (problem,) = [problem for problem in snapshot.problems if problem.severity == "error"]
    assert (problem.at, problem.code) == ("main/f", "runtime") and "the dice fell off the table" in problem.message
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
    monkeypatch.setattr(engine.origins, name, fails)
    snapshot = evaluate(graph)
    found = snapshot.port("main/x.y").origin
    assert before is not None and found is not None and found.first is not None and before.first is not None
    assert found.first.at == before.first.at == "main/l"
    assert [problem.at for problem in told(snapshot)] == ["main/l"]


def births(snapshot: Snapshot) -> Iterator[str]:
    return (problem.message for problem in snapshot.problems if problem.code == "nonfinite")


def test_a_reason_that_fails_says_so_in_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.origins, "step_reason", fails)
    found = list(births(evaluate(x([0.0]).then("l", "Log").loss())))
    assert 'Log "l" makes -inf at element 0: why could not be worked out.' in found
