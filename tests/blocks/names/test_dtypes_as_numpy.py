"""Dtypes that functions of NumPy give for numbers of each dtype: those of NumPy itself."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.layers.typed_layers import typed_layer
from gradwire.blocks.names.table import names


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("name", ["exp", "sqrt", "sin", "tanh", "log1p", "sum", "mean", "prod", "cumsum", "std"])
def test_a_function_gives_the_dtype_of_numpy(name: str, dtype: str) -> None:
    function = names().find(f"np.{name}")
    assert function is not None
    value = np.array([1, 0], dtype)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(value)
        found = function(gw.Input(value))
    # Whole numbers without a sign have no dtype of 64 bits here.
    assert found.dtype.name == {"uint64": "int64"}.get(wanted.dtype.name, wanted.dtype.name)


@pytest.mark.parametrize("text", ["Dense 3 4", "Dropout 0.5 3", "LSTMCell 4 2", "Conv2D 3 2 1 5", "GRUCell 1 2"])
def test_a_typed_layer_has_no_more_numbers_than_settings_and_none_is_its_seed(text: str) -> None:
    assert typed_layer(text) is None
    assert typed_layer(text.rpartition(" ")[0]) is not None
