"""Sizes that a model leaves open, and how inputs are filled that nobody gives."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.inputs import Drawn
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.free_sizes import free_sizes
from gradwire.interop.pt2.from_pt2 import read_pt2
from tests.interop.pt2.recorded import Recorded

MODELS = Recorded("models")


def value_of(graph: Graph, name: str) -> np.ndarray:
    return np.asarray(graph.page("main").blocks[name].parameters["value"])


def test_a_free_size_is_named_by_all_axes_that_have_it() -> None:
    (size,) = free_sizes(MODELS.model("regressor"))
    assert size.axes == (("x", 0), ("y", 0))
    # It was exported with a batch of five.
    assert size.size == 5
    assert free_sizes(MODELS.model("mlp")) == []


def test_a_free_size_is_chosen_for_all_axes_that_have_it() -> None:
    model = MODELS.model("regressor")
    graph = read_pt2(model, sizes={free_sizes(model)[0].symbol: 9}).graph
    assert value_of(graph, "x").shape == (9, 3)
    assert value_of(graph, "y").shape[0] == 9


def test_inputs_are_filled_as_it_was_chosen() -> None:
    model = MODELS.model("mlp")
    ones = read_pt2(model, drawn=Drawn(number=1.0))
    assert (value_of(ones.graph, "x") == 1).all()
    assert "Nobody gave x: its numbers are all 1." in ones.notices
    first, again, other = (value_of(read_pt2(model, drawn=Drawn(seed)).graph, "x") for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_what_is_no_model_has_no_free_sizes() -> None:
    with pytest.raises(ModelRefusal, match="it is no zip"):
        free_sizes(b"no zip")
