"""Shapes, losses and curves of PyTorch beside formulas of NumPy, at each boundary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import DECLARED
from gradwire.interop.models.refusals import ModelRefusal
from tests.interop.aten.test_by_hand import called

X = np.arange(24.0).reshape(2, 3, 4)
M, V = np.arange(12.0).reshape(3, 4) - 5, np.array([1.0, -2.0, 3.0])
ROW = X[:1]


def embedded(rows: Array, offset: int = 0) -> Array:
    return np.stack([np.diag(row, offset) for row in rows])


@pytest.mark.parametrize(
    ("target", "args", "keywords", "wanted"),
    [
        ("view.default", (X, [4, 6]), {}, X.reshape(4, 6)), ("view_as.default", (M, X[0].T), {}, M.reshape(4, 3)),
        ("reshape.default", (X,), {"shape": [24]}, X.ravel()),
        ("permute.default", (X, [2, 0, -2]), {}, X.transpose(2, 0, 1)),
        ("transpose.int", (X, 0, -1), {}, X.swapaxes(0, 2)), ("swapaxes.default", (X, 1, 2), {}, X.swapaxes(1, 2)),
        ("t.default", (M,), {}, M.T), ("t.default", (V,), {}, V), ("mT.default", (X,), {}, X.swapaxes(1, 2)),
        ("movedim.int", (X, 0, 2), {}, np.moveaxis(X, 0, 2)), ("movedim.int", (X, -1, 0), {}, np.moveaxis(X, -1, 0)),
        ("movedim.intlist", (X, [0, 1], [-1, 0]), {}, np.moveaxis(X, [0, 1], [-1, 0])),
        ("unsqueeze.default", (M, 1), {}, M[:, None]), ("unsqueeze.default", (M, -1), {}, M[..., None]),
        ("squeeze.default", (ROW[:, :, :1],), {}, ROW[0, :, 0]), ("squeeze.dim", (ROW, 0), {}, ROW[0]),
        ("squeeze.dim", (ROW, 1), {}, ROW), ("squeeze.dims", (ROW[..., :1], [0, -1]), {}, ROW[0, :, 0]),
        ("squeeze.default", (np.array(2.0),), {}, 2.0), ("squeeze.dim", (X[:, :, :1], -1), {}, X[:, :, 0]),
        ("unflatten.int", (X, 2, [2, 2]), {}, X.reshape(2, 3, 2, 2)), ("unflatten.int", (X, 0, [1, 2]), {}, X[None]),
        ("unflatten.int", (X, -2, [3, 1]), {}, X[:, :, None]), ("flatten.using_ints", (X,), {}, X.ravel()),
        ("flatten.using_ints", (X, 1), {}, X.reshape(2, 12)), ("flatten.using_ints", (X, 0, 1), {}, X.reshape(6, 4)),
        ("flatten.using_ints", (X, 1, 1), {}, X), ("flatten.using_ints", (X, 0, -2), {}, X.reshape(6, 4)),
        ("expand.default", (V, [2, 3]), {}, np.tile(V, (2, 1))), ("expand.default", (V[:, None], [2, -1, 4]), {},
         np.broadcast_to(V[:, None], (2, 3, 4))), ("expand_as.default", (V[:, None], M), {}, np.tile(V[:, None], 4)),
        ("repeat.default", (V, [2, 2]), {}, np.tile(V, (2, 2))),
        ("repeat.default", (M, [1, 2, 3]), {}, np.tile(M, (1, 2, 3))),
        ("tile.default", (M, [2]), {}, np.tile(M, 2)), ("tile.default", (V, [2, 1]), {}, np.tile(V, (2, 1))),
        ("repeat_interleave.self_int", (M, 2), {}, np.repeat(M, 2)),
        ("repeat_interleave.self_int", (M, 2, 0), {}, np.repeat(M, 2, 0)),
        ("repeat_interleave.self_int", (M, 3, 1), {}, np.repeat(M, 3, 1)),
        ("repeat_interleave.self_int", (M, 3, -1), {}, np.repeat(M, 3, 1)),
        ("select.int", (X, 1, 0), {}, X[:, 0]), ("select.int", (X, 1, -1), {}, X[:, 2]),
        ("select.int", (X, -1, 3), {}, X[..., 3]),
        ("slice.Tensor", (X, 1, 0, 2), {}, X[:, :2]), ("slice.Tensor", (X, 1, 1, 9), {}, X[:, 1:]),
        ("slice.Tensor", (X, -1, -3, -1), {}, X[..., 1:3]), ("slice.Tensor", (X, 2, 0, 4, 2), {}, X[..., ::2]),
        ("slice.Tensor", (X, 2, 1, 4, 2), {}, X[..., 1::2]), ("slice.Tensor", (X, 1, 2, 1), {}, X[:, 2:1]),
        ("slice.Tensor", (X, 0, 0, 2), {}, X), ("slice.Tensor", (X, 1, 0, 3, 3), {}, X[:, ::3]),
        ("slice.Tensor", (X,), {}, X), ("slice.Tensor", (X, 0, 1), {}, X[1:]),
        ("narrow.default", (X, 1, 1, 2), {}, X[:, 1:]),
        ("roll.default", (M, [1]), {}, np.roll(M, 1)), ("roll.default", (M, [1], [1]), {}, np.roll(M, 1, 1)),
        ("roll.default", (M, [1, -2], [0, 1]), {}, np.roll(M, (1, -2), (0, 1))),
        ("flip.default", (X, [1, 2]), {}, X[:, ::-1, ::-1]),
        ("diff.default", (M**2,), {}, np.diff(M**2)), ("diff.default", (M**2, 2, 0), {}, np.diff(M**2, 2, 0)),
        ("diff.default", (V, 0), {}, V), ("diff.default", (V, 1, 0, V[:1], V[:2]), {}, np.diff([1, 1, -2, 3, 1, -2])),
        ("diff.default", (np.array([True, True, False]),), {}, [False, True]),
        ("tril.default", (X,), {}, np.tril(X)), ("tril.default", (M, 1), {}, np.tril(M, 1)),
        ("tril.default", (M, -1), {}, np.tril(M, -1)),
        ("triu.default", (X,), {}, np.triu(X)), ("triu.default", (M, 2), {}, np.triu(M, 2)),
        ("triu.default", (M, -1), {}, np.triu(M, -1)),
        ("diag.default", (V,), {}, np.diag(V)), ("diag.default", (V, 2), {}, np.diag(V, 2)),
        ("diag.default", (V, -1), {}, np.diag(V, -1)),
        ("diag.default", (M,), {}, np.diag(M)), ("diag.default", (M, 1), {}, np.diag(M, 1)),
        ("diag.default", (M, -2), {}, np.diag(M, -2)),
        ("diag_embed.default", (V,), {}, np.diag(V)), ("diag_embed.default", (M,), {}, embedded(M)),
        ("diag_embed.default", (M, 1), {}, embedded(M, 1)), ("diag_embed.default", (M, -2), {}, embedded(M, -2)),
        ("diag_embed.default", (M, 1, 0, 2), {}, embedded(M, 1).transpose(1, 0, 2)),
        ("diag_embed.default", (M, 1, -1, -2), {}, embedded(M, -1)),
        ("diagonal.default", (X,), {}, np.diagonal(X)), ("diagonal.default", (X, 1, 1, 2), {}, np.diagonal(X, 1, 1, 2)),
        ("diagonal.default", (X, -1, -1, 0), {}, np.diagonal(X, -1, 2, 0)),
        ("constant_pad_nd.default", (M, [1, 2]), {}, np.pad(M, [(0, 0), (1, 2)])),
        ("constant_pad_nd.default", (M, [1, 2, 0, 3]), {"value": 7}, np.pad(M, [(0, 3), (1, 2)], constant_values=7)),
        ("channel_shuffle.default", (X.reshape(1, 6, 2, 2), 3), {},
         X.reshape(1, 3, 2, 2, 2).swapaxes(1, 2).reshape(1, 6, 2, 2)),
        ("arange.default", (4,), {}, [0, 1, 2, 3]), ("arange.start", (5,), {"start": 2}, [2, 3, 4]),
        ("arange.start_step", (2.0, 1.0, 0.5), {}, [1, 1.5]),
        ("linspace.default", (0, 1, 5), {}, [0, 0.25, 0.5, 0.75, 1]),
        ("eye.m", (2, 3), {}, np.eye(2, 3)), ("one_hot.default", (np.array([2, 0]), 3), {}, [[0, 0, 1], [1, 0, 0]]),
        ("zeros.default", ([2],), {}, [0, 0]), ("ones_like.default", (V,), {}, [1, 1, 1]),
        ("full.default", ([2], 3), {}, [3, 3]),
        ("new_full.default", (V, [1], 5), {}, [5]), ("full_like.default", (V, 5), {}, [5] * 3),
        ("kron.default", (M, M[:2]), {}, np.kron(M, M[:2])),
        ("linalg_cross.default", (V, V[::-1]), {}, np.cross(V, V[::-1])),
        ("outer.default", (V, V[:2]), {}, np.outer(V, V[:2])), ("cosine_similarity.default", (M, M[::-1]), {},
         (M * M[::-1]).sum(1) / np.sqrt((M**2).sum(1) * (M[::-1] ** 2).sum(1))),
        ("cdist.default", (M, M[:2], 1), {}, np.abs(M[:, None] - M[:2]).sum(-1)),
        ("tensordot.default", (X, M, [1, 2], [0, 1]), {}, np.tensordot(X, M, 2)),
        ("linalg_solve.default", (np.array([[2.0, 1], [0, 4]]), np.array([4.0, 8])), {}, [1, 2]),
        ("addcdiv.default", (V, V, V), {"value": 3}, V + 3), ("addcdiv.default", (V, V, 2 * V), {}, V + 0.5),
        ("addcmul.default", (V, V, V), {"value": 3}, V + 3 * V**2), ("addcmul.default", (V, V, V), {}, V + V**2),
        ("lerp.Scalar", (V, 3 * V, 0.25), {}, 1.5 * V), ("rsub.Scalar", (V, 1), {"alpha": 2}, 1 - 2 * V),
        ("pow.Tensor_Scalar", (V, 2), {}, V**2), ("pow.Tensor_Scalar", (V, 3), {}, V**3),
        ("pow.Scalar", (2, V), {}, 2**V),
        ("clamp.default", (V, -1, 2), {}, [1, -1, 2]), ("clamp.default", (V, 0), {}, [1, 0, 3]),
        ("clamp_max.default", (V,), {"max": 0}, [0, -2, 0]),
        ("threshold.default", (V, 1, 9), {}, [9, 9, 3]), ("hardshrink.default", (V, 2), {}, [0, 0, 3]),
        ("hardshrink.default", (V / 2,), {}, [0, -1, 1.5]),
        ("softshrink.default", (V, 2), {}, [0, 0, 1]), ("softshrink.default", (V,), {}, [0.5, -1.5, 2.5]),
        ("trunc.default", (V / 2,), {}, [0, -1, 1]),
        ("frac.default", (V / 4,), {}, [0.25, -0.5, 0.75]), ("hardtanh.default", (V,), {}, [1, -1, 1]),
        ("hardtanh.default", (3 * V, 0, 6), {}, [3, 0, 6]),
        ("hardsigmoid.default", (V,), {}, [4 / 6, 1 / 6, 1]), ("hardswish.default", (V,), {}, [4 / 6, -2 / 6, 3]),
        ("rrelu.default", (V,), {}, [1, -11 / 24, 1 * 3]), ("leaky_relu.default", (V,), {}, [1, -0.02, 3]),
        ("logit.default", (np.array([0.25, 0.5]),), {}, [-math.log(3), 0]),
        ("logit.default", (np.array([0.0, 1.0]), 0.25), {}, [-math.log(3), math.log(3)]),
        ("elu.default", (V, 2), {}, [1, 2 * math.expm1(-2), 3]),
        ("elu.default", (V,), {}, [1, math.expm1(-2), 3]), ("celu.default", (V, 2), {}, [1, 2 * math.expm1(-1), 3]),
        ("softplus.default", (V, 2), {}, np.log1p(np.exp(2 * V)) / 2),
        ("softplus.default", (V, 1, 0.5), {}, [1, math.log1p(math.exp(-2)), 3]),
        ("softplus.default", (V, 2, 2), {}, [math.log1p(math.exp(2)) / 2, math.log1p(math.exp(-4)) / 2, 3]),
        ("glu.default", (np.array([1.0, 2, 0, 0]),), {}, [0.5, 1]),
        ("glu.default", (np.zeros((2, 3)), 0), {}, np.zeros((1, 3))),
        ("nan_to_num.default", (np.array([np.nan, np.inf, -np.inf, 1]), 5, 6, 7), {}, [5, 6, 7, 1]),
        ("nan_to_num.default", (np.array([np.nan, 1.0]),), {}, [0, 1]),
        ("div.Tensor_mode", (V, 2, "trunc"), {}, [0, -1, 1]),
        ("div.Tensor_mode", (V / 2, 1, "floor"), {}, [0, -1, 1]), ("div.Tensor_mode", (V, 2, None), {}, V / 2),
        ("div.Tensor_mode", (np.array([-3, 3]), 2, "trunc"), {}, [-1, 1]),
        ("div.Tensor_mode", (np.array([-3, 3]), 2, "floor"), {}, [-2, 1]),
        ("masked_fill.Scalar", (V, V > 0, 7), {}, [7, -2, 7]), ("fill_.Scalar", (V, 2), {}, [2, 2, 2]),
        ("zero_.default", (V,), {}, [0, 0, 0]),
        ("var.correction", (V,), {}, V.var(ddof=1)), ("var.correction", (M, [1]), {"correction": 0}, M.var(1)),
        ("var.dim", (M, 0, False), {}, M.var(0)),
        ("var.correction", (M, [-1], True, True), {"correction": 3}, M.var(1, keepdims=True) * 4),
        ("var.correction", (M, [0]), {"correction": 2}, M.var(0) * 3),
        ("std.correction", (V,), {"correction": None}, V.std(ddof=1)),
        ("var.correction", (M, [1]), {"correction": 4}, [math.inf] * 3),
        ("argmax.default", (M,), {}, 11), ("argmax.default", (M,), {"keepdim": True}, [[11]]),
        ("argmin.default", (M, 1), {}, [0] * 3),
        ("argmax.default", (M, 1, True), {}, [[3]] * 3), ("max.dim", (M, 0), {}, M.max(0)),
        ("min.dim", (M, 1, True), {}, M.min(1, keepdims=True)),
        ("cumsum.default", (M, 1), {}, M.cumsum(1)), ("cumsum.default", (np.array([True, True]), 0), {}, [1, 2]),
        ("logcumsumexp.default", (V, 0), {}, np.log(np.cumsum(np.exp(V)))),
        ("nansum.default", (np.array([1, np.nan]),), {}, 1),
        ("topk.default", (V, 2), {}, [3, 1]), ("sort.default", (V,), {}, [-2, 1, 3]),
        ("sort.default", (M, 0, True), {}, M[::-1]),
        ("normalize.default", (M + 6, 1.0), {}, (M + 6) / (M + 6).sum(1, keepdims=True)),
        ("amax.default", (M, []), {}, 6), ("all.default", (V,), {}, True),
        ("any.dim", (np.array([[0, 2], [0, 0]]), 1), {}, [True, False]),
        ("sum.default", (np.array([True, True]),), {}, 2),
    ],
)  # fmt: skip
def test_elements_are_those_of_numpy(target: str, args: Any, keywords: dict[str, Any], wanted: Any) -> None:
    with np.errstate(all="ignore"):
        found = called(target, *args, **keywords)
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("more", [0, 1, 2])
@pytest.mark.parametrize("cut", [0, 1])
def test_more_rows_of_a_transposed_convolution_are_what_reaches_there(cut: int, more: int) -> None:
    """Each element puts its filter of ones at every third place."""
    x, weight = np.array([[[[1.0, 2.0]]]]), np.ones((1, 1, 1, 3))
    found = called("conv_transpose2d.input", x, weight, None, [1, 3], [0, cut], [0, more])
    line = np.array([1.0, 1, 1, 2, 2, 2, 0, 0])
    assert found.tolist() == [[[line[cut : 6 - cut + more].tolist()]]]


@pytest.mark.parametrize(
    ("target", "args", "each"),
    [
        ("mse_loss.default", (V, 2 * V), V**2), ("l1_loss.default", (V, 3 * V), 2 * np.abs(V)),
        ("smooth_l1_loss.default", (V, np.zeros(3)), [0.5, 1.5, 2.5]),
        ("huber_loss.default", (V, np.zeros(3)), [0.5, 1.5, 2.5]),
        ("kl_div.default", (V, np.array([0.5, 0.25, 0])), [0.5 * math.log(0.5) - 0.5, 0.25 * math.log(0.25) + 0.5, 0]),
        ("margin_ranking_loss.default", (V, np.zeros(3), np.ones(3), 1.5), [0.5, 3.5, 0]),
        ("hinge_embedding_loss.default", (V, np.array([1, -1, -1])), [1, 3, 0]),
        ("soft_margin_loss.default", (V, np.array([1.0, -1, -1])), np.log1p(np.exp([-1, -2, 3]))),
        ("binary_cross_entropy.default", (np.array([0.25, 1, 0]), np.ones(3)), [math.log(4), 0, 100]),
        ("binary_cross_entropy_with_logits.default", (V, np.array([1.0, 0, 0.5])),
         np.log1p(np.exp(V)) - V * [1, 0, 0.5]),
        ("cosine_embedding_loss.default", (np.eye(2)[[0, 0, 0]],
         np.array([[3.0, 4], [3, 4], [4, 3]]), np.array([1, -1, -1]), 0.7), [0.4, 0, 0.1]),
        ("cosine_embedding_loss.default", (np.array([1.0, 0, 0]), np.array([3.0, 4, 0]), np.array(1)), 0.4),
    ],
)  # fmt: skip
def test_losses_are_means_sums_or_one_number_each(target: str, args: Any, each: Any) -> None:
    for reduction, wanted in ((0, each), (1, np.mean(each)), (2, np.sum(each))):
        np.testing.assert_allclose(called(target, *args, reduction=reduction), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("beta", "each"), [(2.0, [0.25, 1.0, 2.0]), (1.0, [0.5, 1.5, 2.5]), (0.5, [0.75, 1.75, 2.75])])
def test_a_huber_loss_is_square_up_to_its_border(beta: float, each: list[float]) -> None:
    found = called("smooth_l1_loss.default", V, np.zeros(3), 0, beta)
    np.testing.assert_allclose(found, each)
    np.testing.assert_allclose(called("huber_loss.default", V, np.zeros(3), 0, delta=beta), np.multiply(each, beta))


@pytest.mark.parametrize(("log_input", "full"), [(True, False), (False, False), (True, True)])
def test_a_poisson_loss_has_stirlings_term_above_one(log_input: bool, full: bool) -> None:
    x, t = np.array([0.5, 1.0, 2.0]), np.array([0.0, 1.0, 3.0])
    wanted = np.exp(x) - t * x if log_input else x - t * np.log(x + 0.5)
    wanted[2] += (3 * math.log(3) - 3 + 0.5 * math.log(6 * math.pi)) * full
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(called("poisson_nll_loss.default", x, t, log_input, full, 0.5, 0), wanted)


@pytest.mark.parametrize("weight", [None, np.array([1.0, 2.0, 4.0])])
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("ignored", [-100, 2])
def test_an_entropy_of_classes_has_weights_smoothing_and_labels_that_do_not_count(
    weight: Array | None, smoothing: float, ignored: int
) -> None:
    x, t = np.array([[1.0, 2, 4], [0, 0, 1], [3, 1, 1]]), np.array([2, 0, 1])
    logs, w = x - np.log(np.exp(x).sum(1, keepdims=True)), np.ones(3) if weight is None else weight
    counts = t != ignored
    each = (-(1 - smoothing) * w[t] * logs[range(3), t] - smoothing / 3 * (w * logs).sum(1)) * counts
    for reduction, wanted in ((0, each), (1, each.sum() / w[t][counts].sum()), (2, each.sum())):
        found = called("cross_entropy_loss.default", x, t, weight, reduction, ignored, smoothing)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        if not smoothing:
            found = called("nll_loss.default", logs, t, weight, reduction, ignored)
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
    shares = np.array([[0.5, 0.5, 0], [0, 1, 0], [0.25, 0.25, 0.5]])
    each = -(((1 - smoothing) * shares + smoothing / 3) * logs * w).sum(1)
    found = called("cross_entropy_loss.default", x, shares, weight, 1, ignored, smoothing)
    np.testing.assert_allclose(found, each.mean(), rtol=1e-6)


@pytest.mark.parametrize(
    ("target", "arguments"),
    [
        ("dropout.default", {"p": 0.5, "train": True, "input": V}), ("rrelu.default", {"self": V, "training": True}),
        ("elu.default", {"self": V, "scale": 2}), ("elu.default", {"self": V, "input_scale": 2}),
        ("topk.default", {"self": M, "k": 1, "dim": 0}), ("topk.default", {"self": M, "k": 1, "largest": False}),
        ("kron.default", {"self": V, "other": M}), ("kron.default", {"self": M, "other": V}),
        ("linalg_solve.default", {"A": np.eye(2), "B": np.eye(2), "left": False}),
        ("one_hot.default", {"self": np.array([1])}),
        ("constant_pad_nd.default", {"self": V, "pad": [-1, 0]}),
        ("constant_pad_nd.default", {"self": V, "pad": [0, -1]}),
    ],
)  # fmt: skip
def test_what_has_no_block_is_refused(target: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ModelRefusal):
        DECLARED[target](**arguments)


@pytest.mark.parametrize(("p", "train"), [(0.0, True), (0.5, False)])
def test_dropout_that_drops_nothing_is_its_input(p: float, train: bool) -> None:
    assert DECLARED["dropout.default"](p, train, V) is V and DECLARED["dropout.default"](p, train, None, V) is V
