"""Operators of ONNX beside the formulas of their pages, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find

X = np.random.default_rng(4).normal(size=(2, 3, 4))
M = X[0, :, :3]
K = np.array([[7, -7, 5], [-5, 0, 2]])
Case = tuple[str, tuple[Array | None, ...], dict[str, Any], Callable[[], object]]


def softmax(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(e / e.sum(axis=axis, keepdims=True))


def padded(**how: Any) -> Array:
    return np.pad(X, ((0, 0), (1, 0), (2, 1)), **how)


def normed(x: Array, axes: tuple[int, ...], epsilon: float = 1e-5) -> Array:
    return (x - x.mean(axis=axes, keepdims=True)) / np.sqrt(x.var(axis=axes, keepdims=True) + epsilon)


PADS = np.array([0, 1, 2, 0, 0, 1])
CASES: list[Case] = [
    ("Div", (K, np.array(3)), {}, lambda: np.trunc(K / 3).astype(int)),
    ("Div", (X, np.array(3.0)), {}, lambda: X / 3),
    ("Mod", (K, np.array(3)), {}, lambda: np.mod(K, 3)),
    ("Mod", (K, np.array(3)), {"fmod": 1}, lambda: np.fmod(K, 3)),
    ("Add", (X, np.array([1.0, 2, 3])), {"axis": 1, "broadcast": 1}, lambda: X + np.array([1.0, 2, 3])[:, None]),
    ("Sub", (X, np.array([1.0, 2, 3])), {"axis": -2}, lambda: X - np.array([1.0, 2, 3])[:, None]),
    ("Mul", (X, X[0]), {}, lambda: X * X[0]),
    ("Sum", (X, X[0], X[:, :1]), {}, lambda: X + X[0] + X[:, :1]),
    ("Mean", (X, X[0], X[:, :1]), {}, lambda: (X + X[0] + X[:, :1]) / 3),
    ("Mean", (X,), {}, lambda: X),
    ("Max", (X, X[0], X[:, :1]), {}, lambda: np.maximum(np.maximum(X, X[0]), X[:, :1])),
    ("Min", (X, X[0]), {}, lambda: np.minimum(X, X[0])),
    ("Pow", (np.abs(X), np.array(2)), {}, lambda: X**2),
    ("Neg", (X,), {}, lambda: -X),
    ("Round", (np.array([0.5, 1.5, -2.5]),), {}, lambda: np.array([0.0, 2, -2])),
    ("Erf", (X,), {}, lambda: special.erf(X)),
    ("LeakyRelu", (X,), {}, lambda: np.where(X > 0, X, 0.01 * X)),
    ("LeakyRelu", (X,), {"alpha": 0.3}, lambda: np.where(X > 0, X, 0.3 * X)),
    ("Elu", (X,), {}, lambda: np.where(X > 0, X, np.expm1(X))),
    ("Elu", (X,), {"alpha": 2.0}, lambda: np.where(X > 0, X, 2 * np.expm1(X))),
    ("Celu", (X,), {"alpha": 2.0}, lambda: np.maximum(X, 0) + np.minimum(0, 2 * np.expm1(X / 2))),
    ("Selu", (X,), {}, lambda: 1.05070102214813232 * np.where(X > 0, X, 1.67326319217681884 * np.expm1(X))),
    ("HardSigmoid", (3 * X,), {}, lambda: np.clip(0.2 * 3 * X + 0.5, 0, 1)),
    ("HardSigmoid", (X,), {"alpha": 0.5, "beta": 0.1}, lambda: np.clip(0.5 * X + 0.1, 0, 1)),
    ("HardSwish", (5 * X,), {}, lambda: 5 * X * np.clip(5 * X / 6 + 0.5, 0, 1)),
    ("Gelu", (X,), {}, lambda: X / 2 * (1 + special.erf(X / np.sqrt(2)))),
    ("Gelu", (X,), {"approximate": "tanh"},
     lambda: X / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3)))),
    ("Mish", (X,), {}, lambda: X * np.tanh(np.log1p(np.exp(X)))),
    ("Swish", (X,), {"alpha": 2.0}, lambda: X * special.expit(2 * X)),
    ("ThresholdedRelu", (X,), {}, lambda: np.where(X > 1, X, 0)),
    ("ThresholdedRelu", (X,), {"alpha": 0.2}, lambda: np.where(X > 0.2, X, 0)),
    ("Shrink", (X,), {"lambd": 0.3, "bias": 0.1}, lambda: np.where(X < -0.3, X + 0.1, np.where(X > 0.3, X - 0.1, 0))),
    ("PRelu", (X, np.array([[0.1], [0.2], [0.3]])), {},
     lambda: np.where(X > 0, X, np.array([[0.1], [0.2], [0.3]]) * X)),
    ("Clip", (X, np.array(-0.2), np.array(0.4)), {}, lambda: np.clip(X, -0.2, 0.4)),
    ("Clip", (X, None, np.array(0.4)), {}, lambda: np.minimum(X, 0.4)),
    ("Softmax", (X,), {}, lambda: softmax(X, -1)),
    ("Softmax", (X,), {"axis": 1}, lambda: softmax(X, 1)),
    ("LogSoftmax", (X,), {"axis": 0}, lambda: np.log(softmax(X, 0))),
    ("Hardmax", (X,), {"axis": 1}, lambda: (X.max(axis=1, keepdims=True) == X) * 1.0),
    ("ArgMax", (X,), {"axis": 1, "keepdims": 0}, lambda: X.argmax(axis=1)),
    ("ArgMin", (X,), {"axis": -1}, lambda: X.argmin(axis=-1)[..., None]),
    ("ArgMax", (np.array([1.0, 3, 3]),), {"select_last_index": 1}, lambda: np.array([2])),
    ("CumSum", (X, np.array(1)), {}, lambda: X.cumsum(axis=1)),
    ("CumSum", (X, np.array(1)), {"reverse": 1}, lambda: X[:, ::-1].cumsum(axis=1)[:, ::-1]),
    ("CumSum", (X, np.array(-1)), {"exclusive": 1}, lambda: X.cumsum(axis=-1) - X),
    ("Gemm", (M, M, M[0]), {"alpha": 0.5, "beta": 2.0, "transA": 1}, lambda: 0.5 * M.T @ M + 2 * M[0]),
    ("Gemm", (M, M), {"transB": 1}, lambda: M @ M.T),
    ("MatMul", (X, X.transpose(0, 2, 1)), {}, lambda: X @ X.transpose(0, 2, 1)),
    ("Det", (M,), {}, lambda: np.linalg.det(M)),
    ("Einsum", (X, X), {"equation": "bij,bkj->bik"}, lambda: np.einsum("bij,bkj->bik", X, X)),
    ("Transpose", (X,), {}, lambda: X.transpose()),
    ("Transpose", (X,), {"perm": [1, 0, 2]}, lambda: X.transpose(1, 0, 2)),
    ("Reshape", (X, np.array([0, -1])), {}, lambda: X.reshape(2, 12)),
    ("Reshape", (X, np.array([3, 8])), {}, lambda: X.reshape(3, 8)),
    ("Flatten", (X,), {}, lambda: X.reshape(2, 12)),
    ("Flatten", (X,), {"axis": 2}, lambda: X.reshape(6, 4)),
    ("Flatten", (X,), {"axis": 0}, lambda: X.reshape(1, 24)),
    ("Squeeze", (X[:, :1], np.array([1])), {}, lambda: X[:, 0]),
    ("Unsqueeze", (X, np.array([0, -1])), {}, lambda: X[None, ..., None]),
    ("Concat", (X, X[:, :1]), {"axis": 1}, lambda: np.concatenate([X, X[:, :1]], axis=1)),
    ("Tile", (X, np.array([1, 2, 1])), {}, lambda: np.tile(X, (1, 2, 1))),
    ("Expand", (X[:, :1], np.array([3, 1])), {}, lambda: np.broadcast_to(X[:, :1], (2, 3, 4))),
    ("Slice", (X, np.array([1, 3]), np.array([3, 0]), np.array([1, 2]), np.array([1, -2])), {},
     lambda: X[:, 1:3, 3:0:-2]),
    ("Slice", (X, np.array([-1]), np.array([99])), {}, lambda: X[-1:]),
    ("Gather", (X, np.array([[2, -1]])), {"axis": 1}, lambda: X[:, [[2, -1]]]),
    ("GatherElements", (M, np.array([[0, 2, 1], [1, 1, -1]])), {"axis": 0},
     lambda: np.take_along_axis(M, np.array([[0, 2, 1], [1, 1, 2]]), 0)),
    ("GatherND", (X, np.array([[0, 1], [1, 2]])), {}, lambda: X[[0, 1], [1, 2]]),
    ("ScatterElements", (M, np.array([[1, 0, 2]]), np.array([[9.0, 8, 7]])), {},
     lambda: np.array([[M[0, 0], 8, M[0, 2]], [9, M[1, 1], M[1, 2]], [M[2, 0], M[2, 1], 7]])),
    ("ScatterND", (np.zeros(4), np.array([[1], [3]]), np.array([5.0, 6])), {}, lambda: np.array([0, 5.0, 0, 6])),
    ("OneHot", (np.array([0, 2]), np.array(3), np.array([1.0, 5])), {}, lambda: 1 + 4 * np.eye(3)[[0, 2]]),
    ("OneHot", (np.array([0, 2]), np.array(3), np.array([0.0, 1])), {"axis": 0}, lambda: np.eye(3)[[0, 2]].T),
    ("Where", (X > 0, X, -X), {}, lambda: np.abs(X)),
    ("Trilu", (X,), {"upper": 0}, lambda: np.tril(X)),
    ("Trilu", (X, np.array(1)), {}, lambda: np.triu(X, 1)),
    ("EyeLike", (X[0],), {"k": 1}, lambda: np.eye(3, 4, 1)),
    ("Range", (np.array(5), np.array(1), np.array(-2)), {}, lambda: np.arange(5, 1, -2)),
    ("Shape", (X,), {}, lambda: np.array([2, 3, 4])),
    ("Shape", (X,), {"start": 1, "end": -1}, lambda: np.array([3])),
    ("Size", (X,), {}, lambda: np.array(24)),
    ("Pad", (X, PADS), {}, lambda: padded()),
    ("Pad", (X, PADS, np.array(7.0)), {}, lambda: padded(constant_values=7)),
    ("Pad", (X, PADS), {"mode": "reflect"}, lambda: padded(mode="reflect")),
    ("Pad", (X, PADS), {"mode": "edge"}, lambda: padded(mode="edge")),
    ("IsInf", (np.array([1, np.inf, -np.inf]),), {}, lambda: np.array([False, True, True])),
    ("IsInf", (np.array([1, np.inf, -np.inf]),), {"detect_negative": 0}, lambda: np.array([False, True, False])),
    ("IsInf", (np.array([1, np.inf, -np.inf]),), {"detect_positive": 0}, lambda: np.array([False, False, True])),
    ("LpNormalization", (X,), {"p": 1, "axis": 1}, lambda: X / np.abs(X).sum(axis=1, keepdims=True)),
    ("LpNormalization", (X,), {}, lambda: X / np.linalg.norm(X, axis=-1, keepdims=True)),
    ("InstanceNormalization", (X, np.array([1.0, 2, 3]), np.array([4.0, 5, 6])), {},
     lambda: normed(X, (2,)) * np.array([1.0, 2, 3])[:, None] + np.array([4.0, 5, 6])[:, None]),
    ("LayerNormalization", (X, np.ones(4) * 2, np.ones(4)), {"epsilon": 0.1}, lambda: 2 * normed(X, (2,), 0.1) + 1),
    ("LayerNormalization", (X, np.ones((3, 4))), {"axis": 1}, lambda: normed(X, (1, 2))),
    ("RMSNormalization", (X, np.ones(4)), {}, lambda: X / np.sqrt((X * X).mean(axis=-1, keepdims=True) + 1e-5)),
    ("BatchNormalization", (X, *np.array([[1.0, 2, 3], [4, 5, 6], [0, 1, 2], [1, 4, 9]])), {"epsilon": 0.0},
     lambda: (X - np.array([[0], [1], [2]])) / np.array([[1], [2], [3]]) * np.array([[1], [2], [3]])
     + np.array([[4], [5], [6]])),
    ("GlobalAveragePool", (X,), {}, lambda: X.mean(axis=2, keepdims=True)),
    ("GlobalMaxPool", (X,), {}, lambda: X.max(axis=2, keepdims=True)),
    ("GlobalLpPool", (X,), {"p": 3}, lambda: np.sum(np.abs(X) ** 3, axis=2, keepdims=True) ** (1 / 3)),
    ("MaxPool", (X,), {"kernel_shape": [2], "strides": [2]}, lambda: X.reshape(2, 3, 2, 2).max(axis=-1)),
    ("AveragePool", (X,), {"kernel_shape": [2]}, lambda: (X[..., 1:] + X[..., :-1]) / 2),
    ("AveragePool", (X,), {"kernel_shape": [2], "pads": [1, 0], "count_include_pad": 1},
     lambda: (X + np.pad(X, ((0, 0), (0, 0), (1, 0)))[..., :-1]) / 2),
    ("LpPool", (X,), {"kernel_shape": [2]}, lambda: np.sqrt(X[..., 1:] ** 2 + X[..., :-1] ** 2)),
    ("Conv", (X, np.ones((2, 3, 2)), np.array([10.0, 20])), {"dilations": [2]},
     lambda: (X[..., 2:] + X[..., :-2]).sum(axis=1, keepdims=True) + np.array([[10.0], [20]])),
    ("Conv", (X[..., None, :], np.ones((2, 3, 1, 2)), np.array([1.0, 2])), {},
     lambda: (X[..., 1:] + X[..., :-1]).sum(axis=1)[:, None, None] + np.array([1.0, 2])[:, None, None]),
    ("DepthToSpace", (np.arange(8.0).reshape(1, 4, 1, 2),), {"blocksize": 2},
     lambda: np.array([[[[0.0, 2, 1, 3], [4, 6, 5, 7]]]])),
    ("SpaceToDepth", (np.arange(8.0).reshape(1, 1, 2, 4),), {"blocksize": 2},
     lambda: np.array([[[[0.0, 2]], [[1, 3]], [[4, 6]], [[5, 7]]]])),
    ("ReverseSequence", (M, np.array([1, 2, 3])), {"time_axis": 0, "batch_axis": 1},
     lambda: np.stack([np.r_[M[n::-1, n], M[n + 1 :, n]] for n in range(3)], axis=1)),
    ("HannWindow", (np.array(5),), {}, lambda: np.hanning(6)[:-1]),
    ("HammingWindow", (np.array(5),), {"periodic": 0},
     lambda: 25 / 46 - 21 / 46 * np.cos(np.linspace(0, 2 * np.pi, 5))),
    ("BlackmanWindow", (np.array(5),), {"periodic": 0}, lambda: np.blackman(5)),
    ("Cast", (X,), {"to": np.dtype("int64")}, lambda: X.astype(np.int64)),
    ("BitShift", (np.array([1, 2, 8], np.uint8), np.array([1, 2, 2], np.uint8)), {"direction": "LEFT"},
     lambda: np.array([2, 8, 32])),
    ("SpaceToDepth", (np.arange(16.0).reshape(1, 2, 2, 4),), {"blocksize": 2, "mode": "CRD"},
     lambda: np.arange(16.0).reshape(1, 2, 1, 2, 2, 2).transpose(0, 1, 3, 5, 2, 4).reshape(1, 8, 1, 2)),
    ("SpaceToDepth", (np.arange(16.0).reshape(1, 2, 2, 4),), {"blocksize": 2},
     lambda: np.arange(16.0).reshape(1, 2, 1, 2, 2, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 1, 2)),
    ("AveragePool", (X,), {"kernel_shape": [3], "strides": [2], "ceil_mode": 1},
     lambda: np.stack([X[..., :3].mean(-1), X[..., 2:].mean(-1)], axis=-1)),
    ("AveragePool", (X,), {"kernel_shape": [3], "pads": [1, 1]},
     lambda: np.stack([X[..., :2].mean(-1), X[..., :3].mean(-1), X[..., 1:].mean(-1), X[..., 2:].mean(-1)], axis=-1)),
    *[("TfIdfVectorizer", (np.array([[1, 1, 3, 3, 3, 7]]),), {
        "mode": mode, "min_gram_length": 1, "max_gram_length": 1, "max_skip_count": 0, "ngram_counts": [0],
        "ngram_indexes": [0, 2, 1], "pool_int64s": [1, 3, 5], "weights": [2.0, 3.0, 4.0]}, formula)
      for mode, formula in (
          ("TF", lambda: [[2, 0, 3]]), ("IDF", lambda: [[2, 0, 4]]), ("TFIDF", lambda: [[4, 0, 12]]))],
    ("Pad", (X[0],), {"pads": [1, 0, 0, 2], "value": 3.0}, lambda: np.pad(X[0], ((1, 0), (0, 2)), constant_values=3)),
    ("Pad", (X[0],), {"paddings": [1, 0, 0, 2]}, lambda: np.pad(X[0], ((1, 0), (0, 2)))),
    ("Pad", (X, np.array([1, 2]), None, np.array([-1])), {}, lambda: np.pad(X, ((0, 0), (0, 0), (1, 2)))),
    ("Clip", (X, np.array(-0.2)), {}, lambda: np.maximum(X, -0.2)),
    ("Clip", (X,), {"min": -0.2, "max": 0.4}, lambda: np.clip(X, -0.2, 0.4)),
    ("Clip", (X,), {"max": 0.4}, lambda: np.minimum(X, 0.4)),
    ("Clip", (X,), {}, lambda: X),
    ("Clip", (K, np.array(0), np.array(6)), {}, lambda: np.clip(K, 0, 6)),
    ("Clip", (9 * X, np.array(0.0), np.array(5.0)), {}, lambda: np.clip(9 * X, 0, 5)),
    ("Clip", (9 * X, np.array(1.0), np.array(6.0)), {}, lambda: np.clip(9 * X, 1, 6)),
    ("Clip", (X, np.array(0.4), np.array(-0.2)), {}, lambda: np.full_like(X, -0.2)),
    ("Clip", (9 * X, np.array(0.0), np.array(6.0)), {}, lambda: np.clip(9 * X, 0, 6)),
    ("PRelu", (X, np.array([0.1, 0.2, 0.3])), {},
     lambda: np.where(X > 0, X, np.array([[0.1], [0.2], [0.3]]) * X)),
    ("PRelu", (X, np.array([0.1, 0.2, 0.3, 0.4])), {}, lambda: np.where(X > 0, X, np.array([0.1, 0.2, 0.3, 0.4]) * X)),
    ("PRelu", (M, np.array([0.1, 0.2, 0.3])), {}, lambda: np.where(M > 0, M, np.array([0.1, 0.2, 0.3]) * M)),
    ("DepthToSpace", (np.arange(8.0).reshape(1, 8, 1, 1),), {"blocksize": 2},
     lambda: np.array([[[[0.0, 2], [4, 6]], [[1, 3], [5, 7]]]])),
    ("DepthToSpace", (np.arange(8.0).reshape(1, 8, 1, 1),), {"blocksize": 2, "mode": "CRD"},
     lambda: np.arange(8.0).reshape(1, 2, 2, 2)),
    ("NonZero", (np.array([[1.0, 0], [0, 2]]),), {}, lambda: np.array([[0, 1], [0, 1]])),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[2]}")
def test_an_operator_is_its_formula(case: Case) -> None:
    name, inputs, settings, formula = case
    operator = find(name)
    assert operator is not None
    found = operator(list(inputs), settings, 20, 1)
    first, wanted = np.asarray(found[0] if isinstance(found, tuple | list) else found), np.asarray(formula())
    assert first.shape == wanted.shape
    np.testing.assert_allclose(first, wanted, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("axis", [0, -1])
def test_parts_and_largest_elements_are_those_of_numpy(axis: int) -> None:
    split, top = find("Split"), find("TopK")
    assert split is not None and top is not None
    parts = split([M, np.array([1, 2])], {"axis": axis}, 13, 2)
    for found, wanted in zip(parts, np.split(M, [1], axis=axis), strict=True):
        np.testing.assert_array_equal(np.asarray(found), wanted)
    for largest in (0, 1):
        values, _ = top([X[:, None], np.array([2])], {"axis": 2, "largest": largest}, 13, 2)
        ordered = np.sort(X[:, None], axis=2)
        wanted_top = ordered[:, :, :0:-1] if largest else ordered[:, :, :2]
        np.testing.assert_array_equal(np.asarray(values), wanted_top)
        values, places = top([M, np.array([2])], {"axis": axis, "largest": largest}, 13, 2)
        order = np.argsort(-M if largest else M, axis=axis, kind="stable").take([0, 1], axis=axis)
        np.testing.assert_array_equal(np.asarray(places), order)
        np.testing.assert_array_equal(np.asarray(values), np.take_along_axis(M, order, axis))


def test_normalization_of_each_place_alone_is_refused_but_for_rows() -> None:
    normal = find("BatchNormalization")
    assert normal is not None
    statistics = [np.ones(3)] * 4
    with pytest.raises(ModelRefusal, match="spatial 0"):
        normal([X, *statistics], {"spatial": 0}, 7, 1)
    np.testing.assert_allclose(
        np.asarray(normal([M, *statistics], {"spatial": 0}, 7, 1)).reshape(M.shape), M, atol=1e-4
    )
