"""Operators that are other ones in special cases: linear attention, deformable convolutions, counts of n-grams."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.onnx.from_onnx import from_onnx
from gradwire.interop.opset.operators import find
from tests.interop.onnx.test_from_onnx import gradient
from tests.interop.onnx.written import field, graph, model, node, value
from tests.interop.opset.test_bits import called

RANDOM = np.random.default_rng(1)


def called_first(name: str, *inputs: Array, **settings: Any) -> Array:
    found = find(name)
    assert found is not None
    return np.asarray(found(list(inputs), settings, 27, 2)[0])


def test_linear_attention_reads_earlier_values_by_products_of_keys() -> None:
    q, k, v = (RANDOM.normal(size=(2, 5, 3)).astype(np.float32) for _ in range(3))
    heads: dict[str, Any] = {"q_num_heads": 1, "kv_num_heads": 1, "update_rule": "linear", "scale": 0.5}
    found = called_first("LinearAttention", q, k, v, **heads)
    scores = np.tril(np.einsum("bik,bjk->bij", q, k))
    np.testing.assert_allclose(found, 0.5 * scores @ v, atol=1e-5)
    with pytest.raises(ModelRefusal, match="its inputs decay and beta do not fit its rule delta"):
        called_first("LinearAttention", q, k, v, **{**heads, "update_rule": "delta"})


def test_offsets_of_whole_pixels_move_the_picture_of_a_convolution() -> None:
    x, w = RANDOM.normal(size=(2, 4, 7, 8)), RANDOM.normal(size=(6, 2, 3, 2))
    how: dict[str, Any] = {"strides": [2, 1], "dilations": [1, 2], "pads": [1, 0, 1, 2], "group": 2}
    plain = called("Conv", x, w, **how)
    offset = np.zeros((2, 2 * 12, *plain.shape[2:]))
    np.testing.assert_allclose(called("DeformConv", x, w, offset, offset_group=2, **how), plain, atol=1e-12)
    offset[:, ::2], offset[:, 1::2] = 1, -2
    moved = np.zeros_like(x)
    moved[:, :, :-1, 2:] = x[:, :, 1:, :-2]
    inside = {**how, "pads": [0, 0, 0, 0]}
    small = called("Conv", moved, w, **inside)
    offset = offset[:, :, : small.shape[2], : small.shape[3]]
    np.testing.assert_allclose(called("DeformConv", x, w, offset, offset_group=2, **inside), small, atol=1e-12)
    with pytest.raises(ModelRefusal, match=r"its offsets are for \[1, 1\] windows"):
        called("DeformConv", x, w, offset[:, :, :1, :1], offset_group=2, **inside)


def test_the_gradient_of_an_offset_is_the_slope_between_pixels() -> None:
    x, offset = np.array([[[[1.0, 4.0, 9.0]]]]), np.zeros((1, 2, 1, 3))
    offset[0, 1] = 0.25
    nodes = [node("DeformConv", ["x", "w", "o"], ["y"]), node("ReduceSum", ["y"], ["total"], keepdims=0)]
    inputs = [value("x", x.shape, "float64"), value("o", offset.shape, "float64")]
    found = from_onnx(model(graph(nodes, inputs, ["total"], {"w": np.ones((1, 1, 1, 1))}), 22), {"x": x, "o": offset})
    # Beyond the last pixel lies 0.
    np.testing.assert_allclose(gradient(found, "o")[0, 1, 0], [3, 5, -9], atol=1e-12)
    np.testing.assert_allclose(gradient(found, "x")[0, 0, 0], [0.75, 1, 1], atol=1e-12)


@pytest.mark.parametrize(("mode", "wanted"), [("TF", [2, 1, 0, 1]), ("IDF", [3, 5, 0, 9]), ("TFIDF", [6, 5, 0, 9])])
def test_counts_of_n_grams_are_weighed(mode: str, wanted: list[float]) -> None:
    settings: dict[str, Any] = {
        "min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 0, "ngram_counts": [0, 3],
        "ngram_indexes": [0, 1, 2, 3], "pool_int64s": [1, 2, 3, 2, 1], "weights": [3.0, 5.0, 7.0, 9.0],
    }  # fmt: skip
    assert called("TfIdfVectorizer", np.array([1, 2, 1]), mode=mode, **settings).tolist() == wanted


def test_an_input_that_may_be_missing_wants_its_numbers() -> None:
    # The type of an optional tensor of two floats.
    kind = field(9, field(1, value("", [2])[len(field(1, "")) + 2 :]))
    nodes = [node("OptionalGetElement", ["x"], ["y"]), node("ReduceSum", ["y"], ["total"], keepdims=0)]
    whole = model(graph(nodes, [field(1, "x") + field(2, kind)], ["total"]))
    np.testing.assert_array_equal(gradient(from_onnx(whole, {"x": np.ones(2, np.float32)}), "x"), [1, 1])
    with pytest.raises(ModelRefusal, match="x may be missing, so give its numbers"):
        from_onnx(whole)
