"""Variables with a shape and a start: what edits, files, runs and training make of them."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gradwire as gw
from gradwire.engine.base.errors import EditError, GradwireError, ParameterError
from gradwire.engine.base.starts import KINDS
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.export.export import export
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.block_parameters import value_of, with_numbers
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph

START = {"kind": "glorot_uniform", "seed": 1}


def alone(**parameters: Any) -> Graph:
    """A Variable w."""
    return gw.graph(gw.Variable(**parameters, name="w"))


def started() -> Graph:
    """The loss sum((x @ w) ** 2) with a Variable w of shape [3, 2]."""
    w = gw.Variable(shape=(3, 2), start=START, name="w")
    return gw.graph(gw.Loss(gw.Square(gw.MatMul(gw.Input([[1.0, 2.0, 3.0]], name="x"), w)), name="loss"))


def numbers(graph: Graph) -> Any:
    value = value_of(graph.block("main/w"))
    assert value is not None
    return value


def test_a_run_reads_the_drawn_numbers() -> None:
    graph = started()
    run = gw.evaluate(graph)
    w, x = numbers(graph), np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(np.asarray(run.loss), np.sum((x @ w) ** 2), rtol=1e-15)
    np.testing.assert_allclose(np.asarray(run.gradient("w.y")), x.T @ (2 * (x @ w)), rtol=1e-14)


def test_a_start_is_the_same_as_its_numbers_given() -> None:
    graph = started()
    given_out = edits.set_parameter(graph, "main", "w", "value", numbers(graph))
    assert gw.evaluate(graph).snapshot.ports.keys() == gw.evaluate(given_out).snapshot.ports.keys()
    for target in ("numpy", "tensorflow", "torch", "jax"):
        assert export(graph, target) == export(given_out, target)


def test_the_file_has_shape_and_start_in_place_of_numbers() -> None:
    text = dumps(started())
    assert '"parameters": {"shape": [3, 2], "start": {"kind": "glorot_uniform", "seed": 1}}}' in text
    assert json.loads(text)["version"] == [1, 2]
    assert dumps(loads(text).graph) == text


def test_with_numbers_the_file_is_of_the_first_version() -> None:
    graph = started()
    graph = edits.set_parameter(graph, "main", "w", "value", numbers(graph))
    assert json.loads(dumps(graph))["version"] == [1, 0]


@given(st.sampled_from(KINDS), st.integers(0, 99), st.sampled_from(["float16", "float32", "float64"]))
def test_a_start_and_its_numbers_take_each_others_place(kind: str, seed: int, dtype: str) -> None:
    graph = alone(shape=(3, 2), start={"kind": kind, "seed": seed, "dtype": dtype})
    before = numbers(graph)
    kept = edits.set_parameter(graph, "main", "w", "start", None)
    assert set(kept.block("main/w").parameters) == {"value"}
    assert np.asarray(kept.block("main/w").parameters["value"]).tobytes() == before.tobytes()
    again = edits.set_parameter(kept, "main", "w", "start", {"kind": kind, "seed": seed})
    assert set(again.block("main/w").parameters) == {"shape", "start"}
    assert numbers(again).tobytes() == before.tobytes()


def test_a_shape_alone_begins_with_zeros() -> None:
    graph = edits.set_parameter(alone(value=[1.0]), "main", "w", "shape", (2, 2))
    assert (numbers(graph) == np.zeros((2, 2))).all()


def test_another_shape_keeps_the_start() -> None:
    graph = edits.set_parameter(started(), "main", "w", "shape", (5, 4))
    assert graph.block("main/w").parameters == {"shape": (5, 4), "start": START}


def test_a_variable_is_never_left_without_numbers() -> None:
    graph = alone(value=[1.0])
    with pytest.raises(EditError, match="value is missing; give a value, or a shape and a start"):
        edits.set_parameter(graph, "main", "w", "value", None)


def test_undo_brings_the_start_back() -> None:
    document = Document(started())
    before = document.graph
    document.apply("Set value", edits.set_parameter, "main", "w", "value", np.ones((3, 2)))
    assert set(document.graph.block("main/w").parameters) == {"value"}
    document.undo()
    assert document.graph is before


def test_training_writes_the_numbers() -> None:
    graph = started()
    w, x = numbers(graph), np.array([[1.0, 2.0, 3.0]])
    trained = gw.training(graph, gw.descent(0.01))
    trained.step()
    parameters = trained.graph.block("main/w").parameters
    assert set(parameters) == {"value"}
    np.testing.assert_allclose(np.asarray(parameters["value"]), w - 0.01 * x.T @ (2 * (x @ w)), rtol=1e-14)


def test_a_training_of_no_rounds_keeps_the_start() -> None:
    assert gw.train(started(), 0).graph.block("main/w").parameters == {"shape": (3, 2), "start": START}


def test_a_frozen_variable_keeps_its_start() -> None:
    w = gw.Variable(shape=(), start="normal", seed=3, trainable=False, name="w")
    loss = gw.Loss(gw.Square(gw.Variable(2.0, name="v") - w))
    assert "start" in gw.train(loss, 2).graph.block("main/w").parameters


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"glorot_uniform"', '"glorot"', "kind: it must be one of zeros"),
        ('"seed": 1', '"seed": -1', "seed: it must be a whole number of at least 0, not -1"),
        ('"seed": 1', '"seed": [1]', "seed: it must be a whole number"),
        ('"seed": 1', '"sed": 1', 'has no "sed"; glorot_uniform takes seed, dtype'),
        ('"kind": "glorot_uniform", ', "", "needs a kind"),
        ("[3, 2]", "[3, -2]", "sizes of at least 0"),
        ("[3, 2]", "[3, 2.5]", "must be a whole number"),
        ("[3, 2]", "7", "must be a list of whole numbers, not 7"),
        ("[3, 2]", "[100000, 100000]", "at most 256 MiB"),
        ('"shape": [3, 2], ', "", "parameter shape is missing; give a value, or a shape and a start"),
        (', "start": {"kind": "glorot_uniform", "seed": 1}', "", "start is missing"),
        ('{"kind": "glorot_uniform", "seed": 1}', '"zeros"', "must be an object"),
        ('"shape": [3, 2]', '"value": {"dtype": "float64", "shape": [], "data": [1]}', "a value and a start"),
    ],
)
def test_a_file_with_a_bad_start_opens_and_says_what_is_wrong_at_the_variable(
    old: str, new: str, sentence: str
) -> None:
    text = dumps(started())
    assert old in text
    changed = text.replace(old, new)
    loaded = loads(changed)
    problems = [item for item in evaluate(loaded.graph).problems if item.severity == "error" and item.at == "main/w"]
    assert [item.code for item in problems] == ["parameter"]
    assert re.search(re.escape(sentence), problems[0].message, re.IGNORECASE)
    assert dumps(loads(dumps(loaded.graph)).graph) == dumps(loaded.graph)


def test_numbers_written_out_are_those_of_the_start() -> None:
    block = started().block("main/w")
    assert set(with_numbers(block).parameters) == {"value"}
    np.testing.assert_array_equal(np.asarray(with_numbers(block).parameters["value"]), numbers(started()))


def test_in_python_a_variable_needs_a_value_or_a_start() -> None:
    assert gw.Variable(shape=[2], start={"kind": "constant", "value": 3}).shape == (2,)
    with pytest.raises(ParameterError, match="give a value, or a shape and a start"):
        gw.Variable()
    with pytest.raises(ParameterError, match="it has a value and a start"):
        gw.Variable([1.0], start="zeros")
    with pytest.raises(GradwireError, match="kind: it must be one of zeros"):
        gw.Variable(shape=(2,), start="xavier")


def test_the_starts_of_a_file_count_as_its_tensors() -> None:
    """Three of 200 MiB each: two fit into a file, the third does not."""
    variables = [gw.Variable(shape=(1,), start="zeros", name=f"v{number}") for number in range(3)]
    text = dumps(gw.graph(*variables)).replace('"shape": [1]', '"shape": [26214400]')
    with pytest.raises(gw.GradwireError, match="all tensors of a file together may have at most 512 MiB"):
        loads(text)
