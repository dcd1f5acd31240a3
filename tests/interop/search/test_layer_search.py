"""Layers are found by their names and by the words of frameworks and people, beside the blocks."""

from __future__ import annotations

import pytest

from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import find_offers


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("dense", "Dense"),
        ("Linear", "Dense"),
        ("fully connected", "Dense"),
        ("fc", "Dense"),
        ("nn.Linear(4, 8)", "Dense"),
        ("attention", "AttentionHead"),
        ("lstm", "LSTMCell"),
        ("rnn", "RNNCell"),
        ("nn.GRUCell(3, 4)", "GRUCell"),
        ("skip connection", "ResidualBlock"),
        ("embedding", "Embedding"),
        ("vollverbunden", "Dense"),
        ("BatchNorm", "BatchNorm"),
        ("layer_norm", "LayerNorm"),
    ],
)
def test_a_word_names_a_layer(query: str, name: str) -> None:
    assert find_offers(query)[0].type is LAYERS[name]


@pytest.mark.parametrize("name", ["Conv2D", "Dropout"])
def test_a_block_of_the_same_name_comes_first(name: str) -> None:
    first, second = (hit.type for hit in find_offers(name)[:2])
    assert (first, second) == (library[name], LAYERS[name])


def test_the_word_layers_finds_all() -> None:
    assert {hit.type.name for hit in find_offers("layers") if isinstance(hit.type, Layer)} == set(LAYERS)


def test_layers_that_do_not_fit_are_left_out() -> None:
    assert all(hit.type.name != "Dense" for hit in find_offers("dense", lambda item: item.name != "Dense"))
