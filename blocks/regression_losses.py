"""Loss functions between numbers, most of them averaged over the last axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.comparison import GreaterEqual, Where
from gradwire.blocks.elementwise import Log, Sign, Tanh
from gradwire.blocks.losses import mean_of_last
from gradwire.blocks.normalization import L2Normalize, l2_normalize_gradient
from gradwire.blocks.reduce import ReduceMean
from gradwire.blocks.selection import ClipByValue, clip_by_value_gradient
from gradwire.blocks.shape import ExpandDims
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.block_type import Declaration, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.primitives import BroadcastTo, SumTo
from gradwire.engine.blocktypes.spelling import Spelling


def _of_one_rank(y_true: TensorSpec, y_pred: TensorSpec) -> bool:
    """Returns both tensors with one rank: Keras adds or drops a last axis first."""
    return y_true.ndim == y_pred.ndim


def averaged(
    formula: str, gradient_formula: str, source: str, spelling: Spelling, is_penalty: bool = True
) -> Declaration:
    """Returns the declaration of losses that are averaged over the last axis."""
    return block(
        "Losses",
        infer=mean_of_last,
        outputs=("loss",),
        formula=formula,
        gradient_formula=gradient_formula,
        source=source,
        spelling=spelling,
        is_penalty=is_penalty,
    )


def _mean(terms: Array) -> Array:
    mean: Array = ReduceMean.function(terms, axis=-1)
    return mean


def _share(g: Any, y_true: Any, y_pred: Any) -> Any:
    """Returns the gradient of each term of the mean over the last axis."""
    count = broadcast_shapes((y_true.shape, y_pred.shape))[-1]
    return ExpandDims(g, axis=-1) / float(count)


@averaged(
    r"L = \mathrm{mean}((y - \hat y)^2)",
    r"\bar{\hat y} = \tfrac2n (\hat y - y)\,\bar L,\quad \bar y = -\bar{\hat y}",
    "tf.keras.losses.MSE",
    Spelling(
        "np.mean(np.square({y_true} - {y_pred}), axis=-1)",
        "tf.reduce_mean(tf.math.squared_difference({y_true}, {y_pred}), axis=-1)",
        "torch.square({y_true} - {y_pred}).mean(-1)",
        "jnp.mean(jnp.square({y_true} - {y_pred}), axis=-1)",
    ),
)
def MeanSquaredError(y_true: Array, y_pred: Array) -> Array:
    """The squared difference of truth and prediction, averaged over the last axis."""
    return _mean(np.square(y_true - y_pred))


@MeanSquaredError.gradient
def mean_squared_error_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any) -> Any:
    part = _share(g, y_true, y_pred) * 2 * (y_true - y_pred)
    return part, -part


@averaged(
    r"L = \mathrm{mean}(|y - \hat y|)",
    r"\bar{\hat y} = \tfrac1n \mathrm{sign}(\hat y - y)\,\bar L,\quad \bar y = -\bar{\hat y}",
    "tf.keras.losses.MAE",
    Spelling(
        "np.mean(np.abs({y_true} - {y_pred}), axis=-1)",
        "tf.reduce_mean(tf.abs({y_true} - {y_pred}), axis=-1)",
        "torch.abs({y_true} - {y_pred}).mean(-1)",
        "jnp.mean(({y_true} - {y_pred}) * jnp.sign({y_true} - {y_pred}), axis=-1)",
    ),
)
def MeanAbsoluteError(y_true: Array, y_pred: Array) -> Array:
    """The distance of prediction and truth, averaged over the last axis.

    Where they are equal the gradient is 0 (JAX passes one).
    """
    return _mean(np.abs(y_true - y_pred))


@MeanAbsoluteError.gradient
def mean_absolute_error_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any) -> Any:
    part = _share(g, y_true, y_pred) * Sign(y_true - y_pred)
    return part, -part


@averaged(
    r"L = \mathrm{mean}(\ln \cosh(\hat y - y))",
    r"\bar{\hat y} = \tfrac1n \tanh(\hat y - y)\,\bar L,\quad \bar y = -\bar{\hat y}",
    "tf.keras.losses.LogCosh",
    Spelling(
        "np.mean(np.logaddexp({y_pred} - {y_true}, {y_true} - {y_pred}) - math.log(2), axis=-1)",
        spelled_for("tf.keras.losses.logcosh({y_true}, {y_pred})", _of_one_rank),
        "(torch.logaddexp({y_pred} - {y_true}, {y_true} - {y_pred}) - math.log(2)).mean(-1)",
        "jnp.mean(jnp.logaddexp({y_pred} - {y_true}, {y_true} - {y_pred}) - math.log(2), axis=-1)",
    ).noted("an error of -inf gives inf, in Gradwire NaN", "numpy", "torch", "jax"),
)
def LogCosh(y_true: Array, y_pred: Array) -> Array:
    """The logarithm of the hyperbolic cosine of the error, averaged over the last axis.

    Near zero it is half the squared error, far away the absolute error less ln 2; it does not overflow. An error of
    infinity gives infinity, one of minus infinity NaN, as in TensorFlow.
    """
    error = y_pred - y_true
    return _mean(error + np.logaddexp(error.dtype.type(0), -2 * error) - error.dtype.type(math.log(2)))


@LogCosh.gradient
def log_cosh_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any) -> Any:
    part = _share(g, y_true, y_pred) * Tanh(y_pred - y_true)
    return -part, part


@averaged(
    r"L = \mathrm{mean}(\max(1 - y \hat y, 0))",
    r"\bar{\hat y} = y \hat y \le 1 \,?\, -\tfrac1n y\,\bar L : 0,\quad \bar y \text{ likewise with } \hat y",
    "tf.keras.losses.Hinge without its conversion of labels",
    Spelling(
        "np.mean(np.maximum(1 - {y_true} * {y_pred}, 0), axis=-1)",
        "tf.reduce_mean(tf.maximum(1 - {y_true} * {y_pred}, 0), axis=-1)",
        "torch.where({y_true} * {y_pred} > 1, 0, 1 - {y_true} * {y_pred}).mean(-1)",
        "jnp.mean(jnp.where({y_true} * {y_pred} > 1, 0, 1 - {y_true} * {y_pred}), axis=-1)",
    ),
    is_penalty=False,
)
def Hinge(y_true: Array, y_pred: Array) -> Array:
    """The distance of predictions from the right side of the margin, averaged over the last axis; labels are -1 and 1.

    At the margin itself the gradient still flows. Labels of 0 and 1 are taken as they are: map them to -1 and 1 first
    (Keras does so when all labels are 0 or 1).
    """
    return _mean(np.maximum(1 - y_true * y_pred, y_pred.dtype.type(0)))


@Hinge.gradient
def hinge_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any) -> Any:
    is_open = GreaterEqual(1 - y_true * y_pred, 0)
    part = Where(is_open, -_share(g, y_true, y_pred), 0)
    return part * y_pred, part * y_true


SMALLEST_PROBABILITY = 1e-7


@block(
    "Losses",
    infer=mean_of_last,
    outputs=("loss",),
    formula=r"L = \textstyle\sum_i y_i \ln(y_i / \hat y_i) \text{, all clipped to } [10^{-7}, 1]",
    gradient_formula=r"\bar y_i = (\ln(y_i / \hat y_i) + 1)\,\bar L,\quad \bar{\hat y}_i = -y_i \bar L / \hat y_i",
    source="tf.keras.losses.KLDivergence",
    spelling=Spelling(
        "np.sum(scipy.special.rel_entr(np.clip({y_true}, 1e-7, 1), np.clip({y_pred}, 1e-7, 1)), axis=-1)",
        spelled_for("tf.keras.losses.kld({y_true}, {y_pred})", _of_one_rank),
        # Versions of PyTorch differ in the gradient of clamp at its bounds.
        "torch.nn.functional.kl_div("
        "torch.where({y_pred} < 1e-7, 1e-7, torch.where({y_pred} > 1, 1, {y_pred})).log(), "
        "torch.where({y_true} < 1e-7, 1e-7, torch.where({y_true} > 1, 1, {y_true})), reduction='none').sum(-1)",
        "jnp.sum(jax.scipy.special.rel_entr("
        "jnp.where({y_true} < 1e-7, 1e-7, jnp.where({y_true} > 1, 1, {y_true})), "
        "jnp.where({y_pred} < 1e-7, 1e-7, jnp.where({y_pred} > 1, 1, {y_pred}))), axis=-1)",
    ),
    is_penalty=True,
)
def KLDivergence(y_true: Array, y_pred: Array) -> Array:
    """The Kullback-Leibler divergence of predicted from true probabilities, summed over the last axis.

    Both are first clipped to the range from 1e-7 to 1; what was clipped, and NaN, receives no gradient.
    """
    true, pred = (np.clip(item, SMALLEST_PROBABILITY, 1) for item in (y_true, y_pred))
    return np.sum(true * np.log(true / pred), axis=-1, dtype=y_pred.dtype)


@KLDivergence.gradient
def kl_divergence_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any) -> Any:
    true, pred = (ClipByValue(item, SMALLEST_PROBABILITY, 1) for item in (y_true, y_pred))
    g, ratio = ExpandDims(g, axis=-1), true / pred
    return _through_clip(g * (Log(ratio) + 1), y_true, true), _through_clip(-(g * ratio), y_pred, pred)


def _through_clip(g: Any, x: Any, clipped: Any) -> Any:
    return clip_by_value_gradient(SumTo(g, shape=x.shape), x, SMALLEST_PROBABILITY, 1, clipped)[0]


def _along(y_true: TensorSpec, y_pred: TensorSpec, *, axis: int) -> TensorSpec:
    shape = broadcast_shapes((y_true.shape, y_pred.shape))
    for own in (y_true.shape, y_pred.shape):
        normalize_axis(axis, len(own))
    place = normalize_axis(axis, len(shape))
    return TensorSpec(shape[:place] + shape[place + 1 :], y_pred.dtype)


@block(
    "Losses",
    infer=_along,
    outputs=("loss",),
    formula=r"L = \textstyle\sum_i y_i \hat y_i / (\lVert y \rVert\,\lVert \hat y \rVert)",
    gradient_formula=(
        r"\bar{\hat y} = \frac{\bar L}{\lVert \hat y \rVert}"
        r"(\frac{y}{\lVert y \rVert} - L \frac{\hat y}{\lVert \hat y \rVert})"
    ),
    source="tf.keras.losses.CosineSimilarity, with the sign of the similarity",
    spelling=Spelling(
        "",
        "tf.reduce_sum(tf.math.l2_normalize({y_true}, {axis}) * tf.math.l2_normalize({y_pred}, {axis}), axis={axis})",
        "torch.nn.functional.cosine_similarity({y_true}, {y_pred}, dim={axis}, eps=1e-6)",
        "",
    ),
)
def CosineSimilarity(y_true: Array, y_pred: Array, *, axis: Axis = -1) -> Array:
    """The cosine of the angle between two vectors along `axis`: 1 if they point in the same direction.

    A vector of length 0 has similarity 0 to all others; shorter than 1e-6 it is normalized as L2Normalize does it.
    To bring vectors together, subtract it from the loss.
    """
    product = L2Normalize(y_true, axis=axis) * L2Normalize(y_pred, axis=axis)
    return np.sum(product, axis=axis, dtype=y_pred.dtype)


@CosineSimilarity.gradient
def cosine_similarity_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any, *, axis: int) -> Any:
    true, pred = L2Normalize(y_true, axis=axis), L2Normalize(y_pred, axis=axis)
    g = BroadcastTo(ExpandDims(g, axis=axis), shape=broadcast_shapes((y_true.shape, y_pred.shape)))
    how: dict[str, Any] = {"axis": axis, "epsilon": L2Normalize.parameters["epsilon"].default}
    of_true, of_pred = SumTo(g * pred, shape=y_true.shape), SumTo(g * true, shape=y_pred.shape)
    return (
        l2_normalize_gradient(of_true, y_true, true, **how),
        l2_normalize_gradient(of_pred, y_pred, pred, **how),
    )
