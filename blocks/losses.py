"""Loss, which says what is differentiated, and the loss functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.activations import Sigmoid
from gradwire.blocks.arithmetic import Multiply
from gradwire.blocks.comparison import LessEqual, Where
from gradwire.blocks.elementwise import Abs, Sign
from gradwire.blocks.indexing import OneHot
from gradwire.blocks.reduce import ReduceMean, ReduceSum
from gradwire.blocks.shape import ExpandDims
from gradwire.blocks.softmax import LogSoftmax, Softmax, along_axis, log_softmax
from gradwire.blocks.support.tensorflow_kernels import are_of_one_shape
from gradwire.engine.base.errors import ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.block_type import FLOAT, INDEX, Observation, Role, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.primitives import BroadcastTo
from gradwire.engine.blocktypes.spelling import Spelling, call, documented
from gradwire.engine.executors.recordable import holds

Reduction = Literal["sum", "mean"]


def _weighted_shape(x: Any, weights: Any) -> Shape:
    return x.shape if weights is None else broadcast_shapes((x.shape, weights.shape))


def _scalar(x: TensorSpec, weights: TensorSpec | None, *, reduction: Reduction) -> TensorSpec:
    _weighted_shape(x, weights)
    return TensorSpec((), x.dtype)


def _weighted(prefix: str) -> Callable[..., str]:
    @documented(f"{prefix}{{reduction!s}}({{weights}} * {{x}})")
    def write(x: str, weights: str | None, reduction: Reduction) -> str:
        return call(f"{prefix}{reduction}", x if weights is None else f"{weights} * {x}")

    return write


@block(
    "Losses",
    infer=_scalar,
    role=Role.LOSS,
    formula=r"L = \textstyle\sum w\,x",
    gradient_formula=r"\bar x = w,\quad \bar w = x",
    spelling=Spelling(*map(_weighted, ("np.", "tf.reduce_", "torch.", "jnp."))),
)
def Loss(x: Array, weights: Array | None = None, *, reduction: Reduction = "sum") -> Array:
    """The number that is differentiated: the sum of the input, weighted if weights are connected.

    With `reduction` mean, that sum divided by the number of elements of the product.
    """
    product = x if weights is None else x * weights
    return np.sum(product, dtype=x.dtype) if reduction == "sum" else ReduceMean.function(product)


@Loss.decompose
def loss_in_other_blocks(x: Any, weights: Any, *, reduction: Reduction) -> Any:
    product = x if weights is None else Multiply(x, weights, name="product")
    return ReduceMean(product) if reduction == "mean" else ReduceSum(product)


@Loss.gradient
def loss_gradient(g: Any, x: Any, weights: Any, y: Any, *, reduction: Reduction) -> Any:
    shape = _weighted_shape(x, weights)
    if reduction == "mean":
        g = g / float(np.prod(shape, dtype=np.float64))
    g = BroadcastTo(g, shape=shape)
    return (g, None) if weights is None else (g * weights, g * x)


def _same_shapes(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    if labels.shape != logits.shape:
        raise ShapeError(f"labels {list(labels.shape)} and logits {list(logits.shape)} must have the same shape")
    return logits


@block(
    "Losses",
    infer=_same_shapes,
    outputs=("loss",),
    formula=r"L = \max(x, 0) - x z + \ln(1 + e^{-|x|})",
    gradient_formula=r"\bar x = (\sigma(x) - z)\,\bar L,\quad \bar z = -x\,\bar L",
    spelling=Spelling(
        "np.logaddexp(0, {logits}) - {logits} * {labels}",
        "tf.nn.sigmoid_cross_entropy_with_logits(labels={labels}, logits={logits})",
        "torch.nn.functional.binary_cross_entropy_with_logits({logits}, {labels}, reduction='none')",
        "jnp.logaddexp(0, {logits}) - {logits} * {labels}",
    ),
    is_penalty=True,
)
def SigmoidCrossEntropyWithLogits(labels: Array, logits: Array) -> Array:
    """The cross entropy of independent yes-or-no labels, from the logits; stable however large they are.

    Also known as binary cross entropy and BCE.
    """
    return np.maximum(logits, logits.dtype.type(0)) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


@SigmoidCrossEntropyWithLogits.gradient
def sigmoid_cross_entropy_gradient(g: Any, labels: Any, logits: Any, loss: Any) -> Any:
    return -(g * logits), g * (Sigmoid(logits) - labels)


def _cross_entropy_spec(labels: TensorSpec, logits: TensorSpec, *, axis: int) -> TensorSpec:
    shape = broadcast_shapes((labels.shape, logits.shape))
    whole = along_axis(TensorSpec(shape, logits.dtype), axis=axis)
    axis = normalize_axis(axis, len(shape))
    if logits.shape != shape:
        found, expected = list(logits.shape), list(labels.shape)
        raise ShapeError(f"logits {found} do not have all the rows and classes of labels {expected}")
    # TensorFlow flattens everything but the classes, and then repeats one row of labels or none.
    place = axis - len(shape)
    lead = [size for at, size in enumerate(labels.shape, -labels.ndim) if at != place]
    if math.prod(lead) not in (1, math.prod(shape[:axis] + shape[axis + 1 :])):
        found, expected = list(labels.shape), list(logits.shape)
        raise ShapeError(f"labels {found} must have one row, or as many as logits {expected}")
    return TensorSpec(whole.shape[:axis] + whole.shape[axis + 1 :], logits.dtype)


@documented("tf.nn.softmax_cross_entropy_with_logits(labels={labels}, logits={logits}, axis={axis})")
def _cross_entropy_in_tensorflow(labels: str, logits: str, axis: int, specs: Sequence[TensorSpec]) -> str:
    """Returns TensorFlow's line, which counts no axis but the last from the end."""
    place = axis if axis == -1 else axis % specs[1].ndim
    return f"tf.nn.softmax_cross_entropy_with_logits(labels={labels}, logits={logits}, axis={place})"


def _cross_entropy(log_softmax: str, total: str, stop: str) -> Callable[..., str]:
    """Spells it by parts; a term that is 0 gives the logits the gradient for labels that add up to 1."""
    sizes = "({labels} + 0 * {logits}).sum({axis})"
    rest = f"({stop.format(f'1 - {sizes}')}) * ({total} - {stop.format(total)})"
    template = f"-({{labels}} * {log_softmax}).sum({{axis}}) + {rest}"

    @documented(template)
    def write(labels: str, logits: str, axis: int, specs: Sequence[TensorSpec]) -> str:
        place = axis % specs[1].ndim - specs[1].ndim
        return template.format(labels=labels, logits=logits, axis=place)

    return write


@block(
    "Losses",
    infer=_cross_entropy_spec,
    outputs=("loss",),
    formula=r"L = -\textstyle\sum_i z_i \ln \mathrm{softmax}(x)_i",
    gradient_formula=r"\bar x = (\mathrm{softmax}(x) - z)\,\bar L,\quad \bar z = -\ln \mathrm{softmax}(x)\,\bar L",
    source="tf.nn.softmax_cross_entropy_with_logits",
    spelling=Spelling(
        "-np.sum({labels} * scipy.special.log_softmax({logits}, axis={axis}), axis={axis})",
        _cross_entropy_in_tensorflow,
        _cross_entropy(
            "torch.log_softmax({logits}, dim={axis})", "torch.logsumexp({logits}, dim={axis})", "{0}.detach()"
        ),
        _cross_entropy(
            "jax.nn.log_softmax({logits}, axis={axis})",
            "jax.scipy.special.logsumexp({logits}, axis={axis})",
            "jax.lax.stop_gradient({0})",
        ),
    ).only_where("tensorflow", are_of_one_shape),
    is_penalty=True,
)
def SoftmaxCrossEntropyWithLogits(labels: Array, logits: Array, *, axis: Axis = -1) -> Array:
    """The cross entropy between label probabilities and the softmax of the logits, along one axis.

    The gradient of the logits assumes that the labels add up to 1, as in TensorFlow; it is wrong where they do not.
    Second derivatives by the labels are whole; TensorFlow drops terms of them.
    """
    return -np.sum(labels * log_softmax(logits, _from_the_end(axis, labels, logits)), axis=axis, dtype=logits.dtype)


def _from_the_end(axis: int, labels: Any, logits: Any) -> int:
    """Returns the axis of the broadcast result, counted from the end, where it is the same axis of the logits."""
    ndim = max(labels.ndim, logits.ndim)
    return axis % ndim - ndim


@SoftmaxCrossEntropyWithLogits.gradient
def softmax_cross_entropy_gradient(g: Any, labels: Any, logits: Any, loss: Any, *, axis: int) -> Any:
    axis = _from_the_end(axis, labels, logits)
    g = ExpandDims(g, axis=axis)
    return -(g * LogSoftmax(logits, axis=axis)), g * (Softmax(logits, axis=axis) - labels)


def _sums_of_labels(labels: Array, logits: Array, loss: Array, *, axis: int) -> Observation:
    sums = np.unique(labels.sum(axis=_from_the_end(axis, labels, logits)))
    shown = [f"{number:.4g}" for number in sums[np.abs(sums - 1) > 1e-6][:2].tolist()]
    are_numbers = bool((labels == np.rint(labels)).all() and (labels >= 0).all() and labels.max(initial=0) > 1)
    message = f"has labels that add up to {' and '.join(shown)}, but its rule assumes 1"
    if are_numbers:
        message = f"{message}; class numbers belong to SparseSoftmaxCrossEntropyWithLogits, or to OneHot before"
    return Observation("not_the_derivative", message)


@SoftmaxCrossEntropyWithLogits.deviates(_sums_of_labels, "PyTorch and JAX give the derivative.")
def softmax_cross_entropy_derivative(g: Array, labels: Array, logits: Array, loss: Array, *, axis: int) -> Any:
    """Returns the gradients for labels of any sum: it is a factor of the softmax."""
    at = _from_the_end(axis, labels, logits)
    whole = labels + np.zeros_like(logits)
    softmax = np.exp(log_softmax(logits + np.zeros_like(labels), at))
    of_labels, _ = softmax_cross_entropy_gradient(g, labels, logits, loss, axis=axis)
    return of_labels, np.expand_dims(g, axis) * (softmax * whole.sum(axis=at, keepdims=True) - whole)


def _sparse_cross_entropy_spec(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    if logits.ndim == 0 or labels.shape != logits.shape[:-1]:
        expected = list(logits.shape[:-1])
        raise ShapeError(
            f"labels of shape {list(labels.shape)} do not fit logits {list(logits.shape)}; {expected} would"
        )
    return TensorSpec(labels.shape, logits.dtype)


@block(
    "Losses",
    infer=_sparse_cross_entropy_spec,
    outputs=("loss",),
    accepts={"labels": INDEX, "logits": FLOAT},
    formula=r"L = -\ln \mathrm{softmax}(x)_k",
    gradient_formula=r"\bar x = (\mathrm{softmax}(x) - e_k)\,\bar L",
    spelling=Spelling(
        "",
        "tf.nn.sparse_softmax_cross_entropy_with_logits(labels={labels}, logits={logits})",
        "-torch.gather(torch.log_softmax({logits}, dim=-1), -1, {labels}.long().unsqueeze(-1)).squeeze(-1)",
        "-jnp.take_along_axis(jax.nn.log_softmax({logits}), {labels}[..., None], axis=-1)[..., 0]",
    ),
    is_penalty=True,
)
def SparseSoftmaxCrossEntropyWithLogits(labels: Array, logits: Array) -> Array:
    """The cross entropy of the softmax of the logits when the true class is given by its index.

    A label outside the classes is an error.

    Also known as NLL loss.
    """
    classes = logits.shape[-1]
    is_class = (labels >= 0) & (labels < classes)
    if not holds(is_class):
        wrong = labels[~is_class]
        raise ValueProblem(f"label {wrong.flat[0]} is not one of the {classes} classes, which count from 0")
    chosen = np.take_along_axis(log_softmax(logits, -1), np.expand_dims(labels, -1).astype(np.intp), axis=-1)
    return -chosen[..., 0]


@SparseSoftmaxCrossEntropyWithLogits.gradient
def sparse_cross_entropy_gradient(g: Any, labels: Any, logits: Any, loss: Any) -> Any:
    truth = OneHot(labels, depth=logits.shape[-1], dtype=logits.dtype.name)
    return None, ExpandDims(g, axis=-1) * (Softmax(logits) - truth)


def mean_of_last(y_true: TensorSpec, y_pred: TensorSpec, **_: object) -> TensorSpec:
    """Infers the spec of losses that lose the last axis of what is compared."""
    shape = broadcast_shapes((y_true.shape, y_pred.shape))
    if not shape:
        raise ShapeError("scalars have no last axis to go over")
    return TensorSpec(shape[:-1], y_pred.dtype)


@block(
    "Losses",
    infer=mean_of_last,
    outputs=("loss",),
    formula=r"L = \mathrm{mean}(|e| \le \delta \,?\, \tfrac12 e^2 : \delta |e| - \tfrac12 \delta^2),\ e = \hat y - y",
    gradient_formula=r"\bar{\hat y} = \mathrm{clip}(e, -\delta, \delta)\,\bar L / n,\quad \bar y = -\bar{\hat y}",
    source="tf.keras.losses.huber",
    spelling=Spelling(
        "",
        "tf.keras.losses.huber({y_true}, {y_pred}, delta={delta})",
        "torch.nn.functional.huber_loss({y_pred}, {y_true}, reduction='none', delta={delta}).mean(-1)",
        "jnp.where(jnp.abs({y_pred} - {y_true}) <= {delta}, ({y_pred} - {y_true}) ** 2 / 2,"
        " {delta} * jnp.abs({y_pred} - {y_true}) - {delta} ** 2 / 2).mean(-1)",
    ),
    is_penalty=True,
)
def Huber(y_true: Array, y_pred: Array, *, delta: float = 1.0) -> Array:
    """Squared error up to `delta`, absolute error beyond, averaged over the last axis; no kink at `delta`.

    With a `delta` of 1 also known as smooth L1.
    """
    error, limit = np.abs(y_pred - y_true), y_pred.dtype.type(delta)
    loss = np.where(error <= limit, error * error / 2, limit * error - limit * limit / 2)
    mean: Array = ReduceMean.function(loss, axis=-1)
    return mean


@Huber.gradient
def huber_gradient(g: Any, y_true: Any, y_pred: Any, loss: Any, *, delta: float) -> Any:
    error = y_pred - y_true
    # An infinite error gives NaN, as in TensorFlow: there 0 times it comes back from the branch that was not chosen.
    slope = Where(LessEqual(Abs(error), delta), error, delta * Sign(error)) + 0.0 * error
    part = ExpandDims(g, axis=-1) * slope / float(error.shape[-1])
    return -part, part


@block(
    "Losses",
    infer=lambda x: TensorSpec((), x.dtype),
    formula=r"y = \tfrac12 \textstyle\sum x^2",
    gradient_formula=r"\bar x = x\,\bar y",
    spelling=Spelling("np.sum({x} ** 2) / 2", "tf.nn.l2_loss({x})", "({x} ** 2).sum() / 2", "jnp.sum({x} ** 2) / 2"),
    is_penalty=True,
)
def L2Loss(x: Array) -> Array:
    """Half the sum of squares, as for weight decay."""
    return np.sum(x * x, dtype=x.dtype) / x.dtype.type(2)


@L2Loss.gradient
def l2_loss_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * x
