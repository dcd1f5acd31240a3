"""Inference: specs, and a problem for every misfit."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.graph.graph import Block
from tests.recorded import make_graph


def source(name: str, value: object, dtype: str = "float64") -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, dtype)})


def problems(blocks: list[Block], wires: list[tuple[str, str]]) -> list[tuple[str, str, str]]:
    found = infer_specs(make_graph(blocks, wires)).problems
    return [(problem.severity, problem.at, problem.code) for problem in found if problem.code != "no_loss"]


def test_every_port_has_its_spec_without_running() -> None:
    blocks = [source("a", np.zeros((2, 3)), "float32"), source("b", np.zeros((3, 4)), "float32"), Block("m", "MatMul")]
    inferred = infer_specs(make_graph(blocks, [("a.y", "m.a"), ("b.y", "m.b")]))
    assert inferred.specs[PortName("main/m", "product")] == TensorSpec((2, 4), np.dtype("float32"))


def test_a_missing_input_is_an_error_where_a_loss_depends_on_it_and_else_a_warning() -> None:
    blocks = [Block("needed", "Exp"), Block("loss", "Loss"), Block("idle", "Exp")]
    found = problems(blocks, [("needed.y", "loss.x")])
    assert found == [("error", "main/needed", "missing_input"), ("warning", "main/idle", "missing_input")]


def test_a_loss_without_its_input_is_an_error_and_takes_no_part() -> None:
    blocks = [source("x", [1.0]), Block("fine", "Loss"), Block("open", "Loss")]
    inferred = infer_specs(make_graph(blocks, [("x.y", "fine.x")]))
    assert inferred.losses == ["main/fine"]
    assert [(item.severity, item.at, item.code) for item in inferred.problems] == [
        ("error", "main/open", "missing_input")
    ]


def test_a_gap_among_numbered_ports_is_a_missing_input() -> None:
    blocks = [source("x", [1.0]), Block("sum", "AddN"), Block("loss", "Loss")]
    wires = [("x.y", "sum.values_0"), ("x.y", "sum.values_2"), ("sum.z", "loss.x")]
    (problem,) = infer_specs(make_graph(blocks, wires)).problems
    assert (problem.severity, problem.code) == ("error", "missing_input")
    assert "values_1" in problem.message


def test_an_optional_input_may_stay_open() -> None:
    blocks = [source("x", np.ones((2, 3))), source("m", np.ones(3)), Block("b", "BatchNormalization")]
    assert problems(blocks, [("x.y", "b.x"), ("m.y", "b.mean"), ("m.y", "b.variance")]) == []


@pytest.mark.parametrize(
    ("dtypes", "code"), [(("float64", "float32"), "dtype"), (("int32", "int64"), "dtype"), (("bool", "bool"), "dtype")]
)
def test_dtypes_never_promote(dtypes: tuple[str, str], code: str) -> None:
    blocks = [source("a", [1], dtypes[0]), source("b", [1], dtypes[1]), Block("s", "Add")]
    assert problems(blocks, [("a.y", "s.x"), ("b.y", "s.y")]) == [("error", "main/s", code)]


@pytest.mark.parametrize("kind", ["int32", "bool"])
def test_a_loss_takes_floating_point_only(kind: str) -> None:
    found = problems([source("x", [1], kind), Block("loss", "Loss")], [("x.y", "loss.x")])
    assert found == [("error", "main/loss", "dtype")]


def test_an_output_that_a_split_does_not_have_breaks_the_wire() -> None:
    blocks = [source("x", [1, 2, 3, 4]), Block("s", "Split", parameters={"num_or_size_splits": 2}), Block("e", "Exp")]
    assert problems(blocks, [("x.y", "s.x"), ("s.y_2", "e.x")]) == [("error", "main/e", "broken_wire")]


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("ReduceSum", {"axes": 0}),
        ("ReduceSum", {"keepdims": 1}),
        ("Cast", {}),
        ("Cast", {"dtype": "complex64"}),
        ("OneHot", {"depth": 1.5}),
    ],
)
def test_a_parameter_that_does_not_fit_is_a_problem_of_its_block(kind: str, parameters: dict[str, object]) -> None:
    dtype, port = ("int32", "indices") if kind == "OneHot" else ("float64", "x")
    found = problems([source("x", [1], dtype), Block("b", kind, parameters=parameters)], [("x.y", f"b.{port}")])
    assert found == [("error", "main/b", "parameter")]


def test_what_depends_on_a_mistake_is_not_blamed_for_it() -> None:
    blocks = [source("a", [1, 2]), source("b", [1, 2, 3]), Block("bad", "Add"), Block("e", "Exp"), Block("f", "Exp")]
    found = problems(blocks, [("a.y", "bad.x"), ("b.y", "bad.y"), ("bad.z", "e.x"), ("e.y", "f.x")])
    assert found == [("error", "main/bad", "shape")]


def test_a_block_whose_shape_depends_on_values_is_told_of_and_no_other() -> None:
    told: list[str] = []
    mask = source("mask", [True, False], "bool")
    blocks = [source("x", [1.0, 2.0]), mask, Block("some", "BooleanMask"), Block("e", "Exp")]
    wires = [("x.y", "some.x"), ("mask.y", "some.mask"), ("x.y", "e.x")]
    infer_specs(make_graph(blocks, wires), watch=told.append)
    assert told == ["main/some", ""]
