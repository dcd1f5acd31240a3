"""Layers: values and gradients recorded from Keras, pages made of them, and what does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire import layers
from gradwire.blocks.layers.catalogue import LAYERS, layer_of
from gradwire.blocks.layers.templates import layer_page
from gradwire.engine.base.errors import BlockError, ParameterError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.edits import edits
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Template, Wire
from gradwire.engine.graph.ports import page_ports

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "layers" / "keras.json").read_text())["layers"]


def array(item: dict[str, Any]) -> Array:
    return np.array(item["data"], item["dtype"]).reshape(item["shape"])


def names(record: dict[str, Any]) -> str:
    settings = "-".join(str(item) for item in record["settings"].values())
    return f"{record['layer']}-{settings}-{len(next(iter(record['inputs'].values()))['shape'])}"


def built(record: dict[str, Any]) -> tuple[list[Expression], Graph]:
    """The outputs of a recorded layer, and its graph with the recorded weights and incoming gradients."""
    inputs = {key: gw.Input(array(item), name=key) for key, item in record["inputs"].items()}
    made = getattr(layers, record["layer"])(**inputs, **record["settings"], name="layer")
    outputs = list(made) if isinstance(made, tuple) else [made]
    losses = [
        gw.Loss(y, gw.Constant(array(item)), name=f"loss_{number}")
        for number, (y, item) in enumerate(zip(outputs, record["upstream"], strict=True))
    ]
    graph = gw.graph(*losses)
    return outputs, set_values(graph, {f"main/layer_{key}": array(item) for key, item in record["weights"].items()})


@pytest.mark.parametrize("record", RECORDED, ids=names)
def test_a_layer_is_its_counterpart_in_keras(record: dict[str, Any]) -> None:
    _, graph = built(record)
    run = gw.evaluate(graph)
    found = [
        run.value(str(graph.page("main").wires[Port(f"loss_{k}", "x")].source)) for k in range(len(record["outputs"]))
    ]
    for mine, theirs in zip(found, record["outputs"], strict=True):
        np.testing.assert_allclose(np.asarray(mine), array(theirs), rtol=1e-9, atol=1e-10)
    for key, item in record["input_gradients"].items():
        np.testing.assert_allclose(np.asarray(run.gradient(f"{key}.y")), array(item), rtol=1e-8, atol=1e-9)
    for key, item in record["weight_gradients"].items():
        np.testing.assert_allclose(np.asarray(run.gradient(f"layer_{key}.y")), array(item), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("record", RECORDED, ids=names)
def test_a_layer_has_the_weights_of_its_counterpart(record: dict[str, Any]) -> None:
    blocks = built(record)[1].page("main").blocks.values()
    variables = {item.id: value_of(item) for item in blocks if item.type == "Variable"}
    assert {key: value.shape for key, value in variables.items() if value is not None} == {
        f"layer_{key}": tuple(item["shape"]) for key, item in record["weights"].items()
    }
    frozen = {item.id for item in blocks if item.type == "Variable" and not item.parameters.get("trainable", True)}
    assert frozen == {f"layer_{key}" for key in record["weights"].keys() - record["weight_gradients"].keys()}


def test_every_layer_is_recorded() -> None:
    assert {record["layer"] for record in RECORDED} == set(layers.__all__) == set(LAYERS)


# Starts as the layers of Keras have them.
@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("Dense", {"kernel": "glorot_uniform", "bias": "zeros"}),
        ("Conv2D", {"kernel": "glorot_uniform", "bias": "zeros"}),
        ("Embedding", {"embeddings": "uniform"}),
        ("BatchNorm", {"gamma": "ones", "beta": "zeros"}),
        ("LayerNorm", {"gamma": "ones", "beta": "zeros"}),
        ("RNNCell", {"kernel": "glorot_uniform", "recurrent_kernel": "orthogonal", "bias": "zeros"}),
        ("LSTMCell", {"bias_forget": "ones", "bias_write": "zeros", "recurrent_kernel": "orthogonal"}),
    ],
)
def test_variables_begin_as_in_keras(name: str, starts: dict[str, str]) -> None:
    blocks = layer_page(LAYERS[name], "layer").blocks
    assert {key: blocks[key].parameters["start"]["kind"] for key in starts} == starts  # type: ignore[index]  # starts


def used(name: str, **settings: object) -> Graph:
    """A page of a layer, used on the page main with an Input at each of its inputs but the states."""
    layer = LAYERS[name]
    inner = layer_page(layer, "inner", settings=settings)
    rng = np.random.default_rng(1)
    blocks, wires = {"use": Block("use", "Page", parameters={"page": "inner"})}, {}
    for key, shape in layer.shapes.items():
        value = rng.integers(0, 9, shape) if layer.dtype == "int64" else rng.normal(size=shape)
        blocks[f"{key}_in"] = Block(f"{key}_in", "Input", parameters={"value": value})
        wires[Port("use", key)] = Wire(Port(f"{key}_in", "y"), Port("use", key))
    for key in layer.outputs:
        blocks[f"{key}_loss"] = Block(f"{key}_loss", "Loss")
        wires[Port(f"{key}_loss", "x")] = Wire(Port("use", key), Port(f"{key}_loss", "x"))
    return Graph((Page("main", blocks, wires), inner))


@pytest.mark.parametrize("name", LAYERS)
def test_a_page_of_a_layer_computes_what_the_function_does(name: str) -> None:
    graph = used(name)
    run = gw.evaluate(graph)
    assert [item for item in run.problems if item.startswith("error")] == []
    inputs = {key: gw.Input(graph.block(f"main/{key}_in").parameters["value"]) for key in LAYERS[name].shapes}
    made = getattr(layers, name)(**inputs)
    for key, y in zip(LAYERS[name].outputs, made if isinstance(made, tuple) else (made,), strict=True):
        np.testing.assert_array_equal(run.value(f"use.{key}"), gw.evaluate(y).value(y))


@pytest.mark.parametrize("name", LAYERS)
def test_a_page_of_a_layer_says_so_in_its_file_until_it_is_unfolded(name: str) -> None:
    graph = used(name)
    text = dumps(graph)
    assert f'"template": "{name}"' in text
    assert '"version": [1, 2]' in text
    assert loads(text).graph == graph
    assert dumps(loads(text).graph) == text
    flat = edits.ungroup(graph, "main", "use")[0]
    before, after = gw.evaluate(graph), gw.evaluate(flat)
    assert before.loss == after.loss
    assert '"template"' not in dumps(edits.remove_page(flat, "inner") if flat.has_page("inner") else flat)


def test_settings_that_differ_from_the_usual_stand_in_the_file() -> None:
    graph = used("Dense", units=2, activation="tanh", seed=5)
    assert graph.page("inner").template == Template("Dense", {"units": 2, "activation": "tanh", "seed": 5})
    lines = dumps(graph).splitlines()
    at = next(number for number, line in enumerate(lines) if '"template"' in line)
    assert lines[at - 1].strip() == '"parameters": {"activation": "tanh", "seed": 5, "units": 2},'


def test_an_unknown_layer_is_kept_and_what_is_no_name_is_refused() -> None:
    text = dumps(used("Dense", units=2))
    assert dumps(loads(text.replace('"Dense"', '"Later"')).graph) == text.replace('"Dense"', '"Later"')
    for wrong in ("5", "null", "[1]", '{"a": 1}'):
        with pytest.raises(gw.GradwireError, match="template must be text"):
            loads(text.replace('"template": "Dense"', f'"template": {wrong}'))
    with pytest.raises(gw.GradwireError, match="parameters must be an object"):
        loads(text.replace('"parameters": {"units": 2},', '"parameters": 2,'))


def test_a_layer_is_sized_by_its_input() -> None:
    page = layer_page(LAYERS["Dense"], "dense", {"x": TensorSpec((7, 5), np.dtype(np.float32))}, {"units": 2})
    assert page.blocks["kernel"].parameters == {
        "shape": (5, 2),
        "start": {"kind": "glorot_uniform", "dtype": "float32", "seed": 0},
    }


def test_a_vector_is_one_example() -> None:
    y = layers.Dense([1.0, 2.0, 3.0], 2)
    assert y.shape == (2,)
    run = gw.evaluate(y)
    kernel = next(value_of(item) for item in run.graph.page("main").blocks.values() if item.type == "Variable")
    np.testing.assert_allclose(np.asarray(run.value(y)), np.array([1.0, 2.0, 3.0]) @ np.asarray(kernel), rtol=1e-15)


def test_layers_behind_each_other_begin_differently() -> None:
    y = layers.Dense(layers.Dense(np.ones((1, 3)), 3, use_bias=False), 3, use_bias=False)
    kernels = [value_of(item) for item in gw.graph(y).page("main").blocks.values() if item.type == "Variable"]
    assert len(kernels) == 2
    assert not np.array_equal(*kernels)  # type: ignore[arg-type]  # both have values


def test_dropout_keeps_or_scales_each_element() -> None:
    x = np.arange(1.0, 1001.0)
    found = np.asarray(gw.evaluate(y := layers.Dropout(x, 0.25, seed=3)).value(y))
    kept = found != 0
    np.testing.assert_allclose(found[kept], x[kept] / 0.75, rtol=1e-15)
    # Of 1000 elements, 250 +- 4 deviations of sqrt(1000 * 0.25 * 0.75).
    assert abs((~kept).sum() - 250) < 55


def test_a_causal_head_reads_nothing_that_comes_later() -> None:
    x = gw.Input(np.random.default_rng(2).normal(size=(4, 3)), name="x")
    y = layers.AttentionHead(x, 2, causal=True)
    early = gw.evaluate(gw.Loss(y[0] if hasattr(y, "__getitem__") else gw.Slice(y, begin=[0, 0], size=[1, 2])))
    assert (np.asarray(early.gradient("x.y"))[1:] == 0).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: layers.Dense(1.0), "x needs at least 1 axes"),
        (lambda: layers.Dense([1.0], 0), "units must be at least 1, not 0"),
        (lambda: layers.Dense([1.0], activation="swoosh"), "activation must be one of linear"),
        (lambda: layers.Conv2D(np.ones((2, 3))), "batch, rows, columns and channels"),
        (lambda: layers.Embedding([0.5]), "indices must be int32 or int64"),
        (lambda: layers.MultiHeadAttention(np.ones((2, 3))), "batch, time and features"),
        (lambda: layers.RNNCell(np.ones((2, 3)), np.ones((2, 5)), 4), r"h must have the shape \[2, 4\]"),
        (lambda: layers.BatchNorm([1.0]), "x needs at least 2 axes"),
        (lambda: layers.LayerNorm([1.0], epsilon=-1), "epsilon must be at least 0"),
        (lambda: layers.MLP([1.0], ()), "1 to 100 layers, not of 0"),
        (lambda: layers.MLP([1.0], [1] * 101), "1 to 100 layers, not of 101"),
        (lambda: layers.Embedding(np.array([1]), 70_000_000, 1), "its weights together may have at most 512 MiB"),
        (lambda: LAYERS["Dense"].normalize({"unit": 3}), "has no parameter unit"),
        (lambda: LAYERS["Dense"].normalize({"seed": -1}), "seed must be a whole number of at least 0"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(BlockError, match=sentence):
        call()


def test_layers_have_names_beside_those_of_blocks() -> None:
    assert layer_of("layers.Conv2D") is LAYERS["Conv2D"]
    assert layer_of("Conv2D") is None
    assert layer_of("layers.Conv9D") is None


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_can_be_found_and_explains_itself(name: str) -> None:
    layer = LAYERS[name]
    assert layer.summary.endswith(".")
    assert layer.words
    assert all(word == word.lower() and word.strip() == word for word in layer.words)


def test_a_setting_that_is_no_parameter_names_those_that_are() -> None:
    with pytest.raises(ParameterError, match="it has: rate, every, seed"):
        LAYERS["Dropout"].normalize({"p": 0.1})


@pytest.mark.parametrize("name", LAYERS)
def test_a_page_of_a_layer_reads_from_left_to_right(name: str) -> None:
    page = layer_page(LAYERS[name], "layer")
    places = {block.id: block.at for block in page.blocks.values() if block.at is not None}
    assert places.keys() == page.blocks.keys()
    assert all(places[wire.source.block][0] < places[wire.target.block][0] for wire in page.wires.values())
    corners = sorted(places.values())
    # Blocks are 144 px wide, and those with pictures up to 130 px high.
    near = [(a, b) for a in corners for b in corners if a < b and abs(a[0] - b[0]) < 144 and abs(a[1] - b[1]) < 130]
    assert near == []


@pytest.mark.parametrize("name", LAYERS)
def test_the_ports_of_a_layer_stand_in_their_order(name: str) -> None:
    page = layer_page(LAYERS[name], "layer")
    assert tuple(port.name for port in page_ports(page, Role.PAGE_INPUT)) == LAYERS[name].inputs
    assert tuple(port.name for port in page_ports(page, Role.PAGE_OUTPUT)) == LAYERS[name].outputs
