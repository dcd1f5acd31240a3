"""Block types whose code raises: a problem on their blocks, while independent blocks run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import pytest

from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, block
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Kind
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.loss_matrix import loss_matrix
from gradwire.engine.explain.slices import slice_of
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x

Declare = Callable[..., BlockType]


def no_number(value: object) -> int:
    return 1 // int(str(value))


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Function that declares a block type `Foreign` that returns its input, and adds it to the library."""

    def declare(**declaration: Any) -> BlockType:
        @block("Arithmetic", **declaration)
        def Foreign(x: Array, *, size: Annotated[int, Kind("integer", no_number)] = 2) -> Array:
            """The tensor itself."""
            return x

        Foreign.gradient(lambda g, *_, **__: g)
        monkeypatch.setitem(library._types, "Foreign", Foreign)
        return Foreign

    return declare


def beside_a_square(**parameters: object) -> Graph:
    """Returns loss = foreign(-x) + x * x at 2, where x * x needs no foreign block."""
    line = x([2.0]).then("n", "Negative").then("f", "Foreign", **parameters).on("x.y").then("k", "Square")
    return line.then("a", "Add", "f.y").loss()


def errors(snapshot: Snapshot) -> list[Problem]:
    return [problem for problem in snapshot.problems if problem.severity == "error"]


def raises(*_: object, **__: object) -> Any:
    raise IndexError("list index\nout of range")


RULES: dict[str, Callable[..., Any]] = {
    "raises": raises,
    "gives what is no expression": lambda *_, **__: 1.0,
    "gives too many": lambda g, *_, **__: (g, g),
    "calls a block that does not fit": lambda g, *_, **__: library["Reshape"](g, shape=(7,)),
    "gives another dtype": lambda g, *_, **__: library["Cast"](g, dtype="float32"),
}


@pytest.mark.parametrize("name", RULES)
def test_gradients_through_a_rule_that_fails_are_unknown_and_all_others_are_there(foreign: Declare, name: str) -> None:
    foreign().gradient(RULES[name])
    snapshot = evaluate(beside_a_square())
    (problem,) = errors(snapshot)
    assert (problem.at, problem.code) == ("main/f", "fault")
    assert problem.message == "Its gradient rule fails, which is a mistake in the block type; the log names it."
    assert snapshot.port("main/f.y").value == -2 and snapshot.port("main/f.y").gradient == 1
    assert snapshot.wire("main/x.y", "main/k.x").gradient == 4
    for unknown in ("main/x.y", "main/n.y"):
        assert (snapshot.port(unknown).status, snapshot.port(unknown).gradient) == ("unknown", None)
    assert snapshot.wire("main/n.y", "main/f.x").status == "unknown"


def test_a_failing_rule_inside_a_gradients_block_leaves_its_output_open(foreign: Declare) -> None:
    foreign().gradient(raises)
    line = x([2.0]).then("f", "Foreign").then("d", "Gradients", "x.y").on("x.y").then("k", "Square")
    snapshot = evaluate(line.loss())
    assert [problem.at for problem in errors(snapshot)] == ["main/f"]
    assert snapshot.port("main/x.y").gradient == 4


def test_every_loss_by_itself_knows_what_does_not_come_through_a_failing_rule(foreign: Declare) -> None:
    foreign().gradient(raises)
    line = x([2.0]).source("w", [3.0], "Input").then("f", "Foreign").then("far", "Loss")
    matrix = loss_matrix(line.on("w.y").then("k", "Square").loss())
    found = {
        (loss, variable): pull.status
        for loss, row in zip(matrix.losses, matrix.pulls, strict=True)
        for variable, pull in zip(matrix.variables, row, strict=True)
    }
    assert found["main/far", "main/x"] == "unknown" and found["main/loss", "main/w"] == "flow"


def said(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    return [(problem.at, problem.code, problem.message) for problem in errors(snapshot)]


def inverse(g: Any, *_: object, **__: object) -> Any:
    return library["MatrixInverse"](g)


def test_a_step_of_a_gradient_that_fails_is_a_problem_where_no_block_is_to_blame(foreign: Declare) -> None:
    foreign().gradient(inverse)
    line = x(np.ones((2, 2))).then("f", "Foreign").then("k", "Square")
    step = "A gradient cannot be computed, in a step of MatrixInverse."
    ((at, _, message),) = said(evaluate(line.loss()))
    assert at == "main/f" and message.startswith(step) and len(message) > len(step) + 5
    line.source("zeros", np.zeros((2, 2))).on("zeros.y").then("i", "MatrixInverse").then("beside", "Loss")
    assert [at for at, _, _ in said(evaluate(line.graph()))] == ["main/i"]


@pytest.mark.parametrize(("message", "reason"), [("", "."), ("It is a number.", ": It is a number.")])
def test_a_block_that_forbids_a_gradient_says_so_itself(message: str, reason: str) -> None:
    graph = x([2.0]).then("p", "PreventGradient", message=message).loss()
    assert said(evaluate(graph)) == [("main/p", "prevented", f"this block forbids a gradient here{reason}")]


def test_a_rule_that_forbids_a_gradient_forbids_that_of_the_derivative(foreign: Declare) -> None:
    foreign().gradient(lambda g, *_, **__: library["PreventGradient"](g, message="once only"))
    line = x([2.0]).then("f", "Foreign").then("k", "Square").then("d", "Gradients", "x.y").on("d.g_0")
    ((at, code, message),) = said(evaluate(line.loss()))
    assert (at, code, message) == ("main/d", "prevented", "its derivative forbids a gradient here: once only.")


@pytest.mark.parametrize("infer", [raises, lambda *_, **__: None, lambda x, **_: [x]])
def test_a_block_whose_shapes_cannot_be_told_is_a_problem_and_the_rest_goes_on(
    foreign: Declare, infer: Callable[..., Any]
) -> None:
    foreign(infer=infer)
    snapshot = evaluate(beside_a_square())
    (problem,) = errors(snapshot)
    assert problem.at == "main/f"
    assert problem.message == "Its code fails, which is a mistake in the block type; the log names it."
    assert snapshot.port("main/k.y").value == 4


def test_a_parameter_whose_kind_fails_is_a_problem_and_no_edit_can_set_it(foreign: Declare) -> None:
    foreign()
    snapshot = evaluate(beside_a_square(size="0"))
    (problem,) = errors(snapshot)
    sentence = "Parameter size cannot be checked, which is a mistake in the block type; the log names it"
    assert problem.at == "main/f" and problem.message.startswith(sentence)
    assert snapshot.port("main/k.y").value == 4
    with pytest.raises(EditError, match="parameter size cannot be checked"):
        set_parameter(beside_a_square(), "main", "f", "size", 0)


def test_a_block_of_open_shape_whose_code_fails_is_a_problem(foreign: Declare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign(infer=None), "function", raises)
    (problem,) = errors(evaluate(beside_a_square()))
    assert problem.at == "main/f" and problem.code == "fault"


def test_the_window_infers_the_same_problems_without_computing(foreign: Declare) -> None:
    foreign(infer=raises)
    found = infer_specs(beside_a_square())
    assert [problem.at for problem in found.problems] == ["main/f"]
    assert found.is_computable("main/k") and not found.is_computable("main/f")


def test_the_slice_knows_no_slope_where_a_rule_on_the_way_fails(foreign: Declare) -> None:
    foreign().gradient(raises)
    found = slice_of(beside_a_square(), "main/x.y", (0,), [1.0, 2.0, 3.0])
    assert math.isnan(found.slope) and found.losses[1] == 2.0


def test_the_words_of_a_library_are_for_the_log(foreign: Declare, caplog: pytest.LogCaptureFixture) -> None:
    foreign(infer=lambda *_, **__: np.zeros((2, 3)) @ np.zeros((2, 3)))
    (problem,) = errors(evaluate(beside_a_square()))
    assert problem.message == "Its code fails, which is a mistake in the block type; the log names it."
    assert "matmul: Input operand 1 has a mismatch" in caplog.text
