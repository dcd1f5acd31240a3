"""Layers as people type them: a name, numbers and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.blocks.layers.typed_layers import typed_layer


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("dense 8 tanh", "Dense", {"units": 8, "activation": "tanh"}),
        ("dense tanh 8", "Dense", {"units": 8, "activation": "tanh"}),
        ("Dense 3", "Dense", {"units": 3}),
        ("fully connected 16 relu", "Dense", {"units": 16, "activation": "relu"}),
        ("linear 4 he_normal", "Dense", {"units": 4, "start": "he_normal"}),
        ("conv2d 16 5 SAME relu", "Conv2D", {"filters": 16, "kernel_size": 5, "padding": "SAME", "activation": "relu"}),
        ("mlp 8 8 3", "MLP", {"units": (8, 8, 3)}),
        ("mlp 8, 3", "MLP", {"units": (8, 3)}),
        ("dropout 0.2", "Dropout", {"rate": 0.2}),
        ("lstm 16", "LSTMCell", {"units": 16}),
        ("embedding 1000 32", "Embedding", {"input_dim": 1000, "output_dim": 32}),
    ],
)
def test_a_layer_is_typed_with_its_settings(text: str, name: str, settings: dict[str, object]) -> None:
    found = typed_layer(text)
    assert found is not None
    assert (found.layer.name, dict(found.settings)) == (name, settings)
    assert found.text.startswith(name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dense",
        "8 dense",
        "dense swoosh",
        "dense 8.5",
        "dense 8 9 10 11",
        "[1, 2]",
        "x = 3",
        "dense(8)",
        "8",
        "add 3",
    ],
)
def test_what_is_no_layer_with_settings_is_none(text: str) -> None:
    assert typed_layer(text) is None


@given(st.text(max_size=80))
def test_no_text_is_an_accident(text: str) -> None:
    found = typed_layer(text)
    assert found is None or found.layer.normalize(found.settings)


@given(st.sampled_from(list(LAYERS)), st.integers(1, 500))
def test_the_first_number_is_the_first_setting_that_takes_one(name: str, number: int) -> None:
    found = typed_layer(f"{name} {number}")
    takes = [item for item in LAYERS[name].parameters.values() if item.kind.name in ("integer", "integers", "number")]
    assert (found is not None) == bool(takes)
    if found is not None:
        value = found.settings[takes[0].name]
        assert value == ((number,) if isinstance(value, tuple) else number)
