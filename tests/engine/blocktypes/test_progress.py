"""Progress reports: they name running blocks that may take long, and omit small steps."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block, same_shape
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import Library, library
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.plugins.plugin_types import described, read_described
from tests.recorded import make_graph

LARGE = 2**19


def square(size: int) -> Graph:
    """Returns loss = sum of the squares of x."""
    x = Block("x", "Input", parameters={"value": np.arange(float(size))})
    kinds = [("q", "Square"), ("s", "ReduceSum"), ("loss", "Loss")]
    return make_graph([x, *(Block(*kind) for kind in kinds)], [("x.y", "q.x"), ("q.y", "s.x"), ("s.y", "loss.x")])


def test_large_steps_are_told_of_forward_and_backward() -> None:
    told: list[str] = []
    run_graph(square(LARGE), watch=told.append)
    assert told[1::2] == [""] * (len(told) // 2)
    begun = told[::2]
    assert begun[:3] == ["main/x", "main/q", "main/s"]
    assert {"main/q"} <= set(begun[3:]) <= {"main/q", "main/s"}


def test_small_steps_are_not_told_of() -> None:
    told: list[str] = []
    run_graph(square(3), watch=told.append)
    assert told == []


def test_a_run_with_other_numbers_tells_of_the_same_blocks() -> None:
    told: list[str] = []
    graph = square(LARGE)
    rerun = Rerun(run_graph(graph, watch=told.append))
    edited = edits.set_parameter(graph, "main", "x", "value", np.ones(LARGE))
    values = new_values(graph, edited)
    assert values is not None
    told.clear()
    found = rerun.run(edited, values)
    assert found is not None and {"main/q", "main/s", ""} == set(told)
    assert found.snapshot.loss is not None and found.snapshot.loss.value == LARGE


def _foreign_shape(x: TensorSpec) -> TensorSpec:
    return x


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Library:
    """Library with two types of a plug-in, one of which has its own shape function."""

    @block("Tests", infer=_foreign_shape)
    def Double(x: Array) -> Array:
        """Twice x."""
        return 2 * x

    @Double.gradient
    def double_gradient(g: Expression, x: Expression, y: Expression) -> Expression:
        return g * 2

    @block("Tests", infer=same_shape)
    def Triple(x: Array) -> Array:
        """Thrice x."""
        return 3 * x

    Double.plugin = Triple.plugin = "tests"
    monkeypatch.setitem(library._types, "Double", Double)
    monkeypatch.setitem(library._types, "Triple", Triple)
    return library


def doubled(kind: str) -> Graph:
    x = Block("x", "Input", parameters={"value": np.array([1.0, 2.0])})
    return make_graph([x, Block("d", kind), Block("loss", "Loss")], [("x.y", "d.x"), ("d.y", "loss.x")])


@pytest.mark.usefixtures("foreign")
def test_all_code_of_a_plug_in_is_told_of_however_small() -> None:
    """Reports of its shape function, its gradient rule and its function, in this order."""
    told: list[str] = []
    run_graph(doubled("Double"), watch=told.append)
    assert told == ["main/d", ""] * 3


def test_a_window_asks_no_code_of_plug_ins_for_shapes_and_a_run_finds_them(foreign: Library) -> None:
    port = PortName("main/d", "y")
    assert infer_specs(doubled("Double")).specs[port].shape == (2,)
    known = [foreign[name] for name in ("Double", "Triple")]
    for item in read_described(described(known)):
        foreign._types[item.name] = item
    inferred = infer_specs(doubled("Double"))
    assert port not in inferred.specs and "main/d" in inferred.awaiting
    assert not [problem for problem in inferred.problems if problem.severity == "error"]
    # Functions of the program itself are called as usual.
    assert infer_specs(doubled("Triple")).specs[port].shape == (2,)
    for item in known:
        foreign._types[item.name] = item
    found = run_graph(doubled("Double")).snapshot.ports[port].value
    np.testing.assert_array_equal(found, [2.0, 4.0])
