"""Edits that place layers: a page of its own each, sized by what is wired to it, and unfolded in place."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.edits import edits
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Block, Graph, Page, Port

X = Port("x", "y")
SPEC = TensorSpec((4, 2), np.dtype(np.float64))


def with_input(shape: tuple[int, ...] = (4, 2)) -> Graph:
    return Graph((Page("main", {"x": Block("x", "Input", parameters={"value": np.ones(shape)})}),))


def joined(graph: Graph, name: str, *ends: Port) -> tuple[Graph, str]:
    specs = infer_specs(graph).specs
    found = {port: specs.get(layer_edits_port(port)) for port in ends}
    return layer_edits.add_joined(graph, "main", LAYERS[name], (0, 0), ends, True, found.get)


def layer_edits_port(port: Port) -> tuple[str, str]:
    return (f"main/{port.block}", port.name)


def kernel(graph: Graph, page: str) -> object:
    return graph.page(page).blocks["kernel"].parameters["shape"]


def test_a_layer_is_sized_by_what_it_is_joined_to() -> None:
    graph, made = joined(with_input(), "Dense", X)
    assert made == "Dense"
    assert kernel(graph, "Dense") == (2, 8)
    assert gw.evaluate(graph).value("Dense.y") is not None


def test_the_next_layer_reads_the_last_one_and_begins_differently() -> None:
    graph, first = joined(with_input((4, 8)), "Dense", X)
    graph, second = joined(graph, "Dense", Port(first, "y"))
    assert second == "Dense_1"
    assert kernel(graph, second) == (8, 8)
    values = [value_of(graph.page(page).blocks["kernel"]) for page in (first, second)]
    assert not np.array_equal(*values)  # type: ignore[arg-type]  # both have values


def test_a_layer_that_stood_alone_takes_the_size_of_its_first_wire() -> None:
    graph, made = layer_edits.add_layer(with_input(), "main", LAYERS["Dense"], (0, 0))
    assert kernel(graph, made) == (3, 8)
    graph = layer_edits.connect(graph, "main", X, Port(made, "x"), SPEC)
    assert kernel(graph, made) == (2, 8)
    assert [item for item in gw.evaluate(graph).problems if item.startswith("error")] == []


def test_a_residual_block_that_stood_alone_becomes_one_of_images() -> None:
    graph, made = layer_edits.add_layer(with_input((2, 4, 4, 3)), "main", LAYERS["ResidualBlock"], (0, 0))
    graph = layer_edits.connect(graph, "main", X, Port(made, "x"), TensorSpec((2, 4, 4, 3), SPEC.dtype))
    assert graph.page(made).blocks["kernel_1"].parameters["shape"] == (3, 3, 3, 3)
    assert np.asarray(gw.evaluate(graph).value(f"{made}.y")).shape == (2, 4, 4, 3)


def test_states_take_the_size_of_the_input() -> None:
    graph, made = layer_edits.add_layer(with_input((5, 2)), "main", LAYERS["LSTMCell"], (0, 0))
    graph = layer_edits.connect(graph, "main", X, Port(made, "x"), TensorSpec((5, 2), SPEC.dtype))
    run = gw.evaluate(graph)
    assert [item for item in run.problems if item.startswith("error")] == []
    assert np.asarray(run.value(f"{made}.c")).shape == (5, 8)


def test_a_layer_with_numbers_of_its_own_keeps_them() -> None:
    graph, made = layer_edits.add_layer(with_input(), "main", LAYERS["Dense"], (0, 0))
    graph = edits.set_parameter(graph, made, "kernel", "value", np.ones((3, 8)))
    page = graph.page(made)
    assert layer_edits.connect(graph, "main", X, Port(made, "x"), SPEC).page(made) is page


def test_a_page_that_was_changed_inside_or_is_used_twice_keeps_its_sizes() -> None:
    graph, made = layer_edits.add_layer(with_input(), "main", LAYERS["Dense"], (0, 0))
    changed, _ = edits.add_block(graph, made, "Exp")
    assert kernel(layer_edits.connect(changed, "main", X, Port(made, "x"), SPEC), made) == (3, 8)
    twice, _ = edits.add_block(graph, "main", "Page", id="again", parameters={"page": made})
    assert kernel(layer_edits.connect(twice, "main", X, Port(made, "x"), SPEC), made) == (3, 8)


def test_a_wire_to_another_block_is_just_a_wire() -> None:
    graph, made = edits.add_block(with_input(), "main", "Exp")
    expected = edits.connect(graph, "main", X, Port(made, "x"))
    assert layer_edits.connect(graph, "main", X, Port(made, "x"), SPEC) == expected


def test_settings_of_a_layer_make_its_page_anew() -> None:
    graph, made = joined(with_input(), "Dense", X)
    graph = layer_edits.set_setting(graph, "main", made, "units", 3, {"x": SPEC})
    graph = layer_edits.set_setting(graph, "main", made, "activation", "tanh", {"x": SPEC})
    assert kernel(graph, made) == (2, 3)
    template = graph.page(made).template
    assert template is not None
    assert template.parameters == {"units": 3, "activation": "tanh", "seed": 0}
    y = np.asarray(gw.evaluate(graph).value("Dense.y"))
    w = np.asarray(value_of(graph.page(made).blocks["kernel"]))
    np.testing.assert_allclose(y, np.tanh(np.ones((4, 2)) @ w), rtol=1e-14)
    again = layer_edits.set_setting(graph, "main", made, "units", 8, {"x": SPEC})
    template = again.page(made).template
    assert template is not None
    assert template.parameters == {"activation": "tanh", "seed": 0}


def test_settings_that_do_not_fit_are_refused() -> None:
    graph, made = joined(with_input(), "Dense", X)
    with pytest.raises(EditError, match="Dense: units must be at least 1, not 0"):
        layer_edits.set_setting(graph, "main", made, "units", 0, {"x": SPEC})
    with pytest.raises(EditError, match="has no parameter unit"):
        layer_edits.set_setting(graph, "main", made, "unit", 3, {"x": SPEC})
    changed, _ = edits.add_block(graph, made, "Exp")
    with pytest.raises(EditError, match="was changed inside"):
        layer_edits.set_setting(changed, "main", made, "units", 3, {"x": SPEC})
    plain = graph.with_page(dataclasses.replace(graph.page(made), template=None))
    with pytest.raises(EditError, match="is no layer"):
        layer_edits.set_setting(plain, "main", made, "units", 3, {"x": SPEC})


def test_a_layer_that_cannot_read_its_input_is_refused() -> None:
    with pytest.raises(EditError, match="Conv2D: x needs the axes batch, rows, columns and channels"):
        joined(with_input(), "Conv2D", X)
    with pytest.raises(EditError, match=r"Dense has no port that fits x\.y"):
        joined(with_input(), "Dense", X, X)


def test_unfolding_leaves_the_blocks_and_no_template() -> None:
    graph, made = joined(with_input(), "Dense", X)
    graph, loss = edits.add_block(graph, "main", "Loss")
    graph = edits.connect(graph, "main", Port(made, "y"), Port(loss, "x"))
    flat, ids = edits.ungroup(graph, "main", made)
    assert {"kernel", "bias"} <= set(ids)
    assert flat.page("main").template is None
    before, after = gw.evaluate(graph), gw.evaluate(flat)
    assert before.loss == after.loss
    np.testing.assert_array_equal(np.asarray(before.gradient("x.y")), np.asarray(after.gradient("x.y")))


def test_numbers_stay_where_the_shape_stays() -> None:
    graph, made = joined(with_input(), "Dense", X)
    graph = edits.set_parameter(graph, made, "kernel", "value", np.full((2, 8), 0.5))
    graph = layer_edits.set_setting(graph, "main", made, "activation", "relu", {"x": SPEC})
    assert (np.asarray(graph.page(made).blocks["kernel"].parameters["value"]) == 0.5).all()
    begun = layer_edits.set_setting(graph, "main", made, "seed", 5, {"x": SPEC})
    assert "start" in begun.page(made).blocks["kernel"].parameters
    wider = layer_edits.set_setting(graph, "main", made, "units", 9, {"x": SPEC})
    assert kernel(wider, made) == (2, 9)


def test_a_layer_whose_port_or_wire_was_changed_is_a_page_like_others() -> None:
    graph, made = joined(with_input(), "Dense", X)
    assert layer_edits.layer_of_page(graph.page(made), {"x": SPEC}) is LAYERS["Dense"]
    renamed = edits.set_parameter(graph, made, "x", "name", "input")
    assert layer_edits.layer_of_page(renamed.page(made), {"input": SPEC}) is None
    wire = next(iter(graph.page(made).wires.values()))
    cut = edits.disconnect(graph, made, wire)
    assert layer_edits.layer_of_page(cut.page(made), {"x": SPEC}) is None
    muted = edits.set_muted(graph, made, "Add", True)
    assert layer_edits.layer_of_page(muted.page(made), {"x": SPEC}) is None


def test_the_page_of_a_layer_goes_with_its_last_use() -> None:
    graph, made = joined(with_input(), "Dense", X)
    twice, again = edits.add_block(graph, "main", "Page", parameters={"page": made})
    assert edits.remove_blocks(twice, "main", again).has_page(made)
    assert [page.name for page in edits.remove_blocks(graph, "main", made).pages] == ["main"]
    both = edits.remove_blocks(twice, "main", [made, again])
    assert [page.name for page in both.pages] == ["main"]


def test_a_page_that_is_no_layer_stays() -> None:
    graph, page = edits.add_page(with_input(), "own")
    graph, made = edits.add_block(graph, "main", "Page", parameters={"page": page})
    assert edits.remove_blocks(graph, "main", made).has_page("own")
