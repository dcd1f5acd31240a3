"""Losses of pairs and triplets from PyTorch, and those of Keras that compute from probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.losses import reduced
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Operand, Tensor, as_real, as_tensor, cast, together
from gradwire.blocks.names.systems import pairwise_distance
from gradwire.engine.blocktypes.library import library

# Keras keeps probabilities so far away from 0 and 1.
_EPSILON = 1e-7
_REDUCTION = "size_average=None, reduce=None, reduction='mean'"


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


def _above_zero(x: Tensor) -> Any:
    """Returns what PyTorch takes by `clamp_min`, whose gradient at the margin is not that of a Relu."""
    return _apply("Maximum", x, np.zeros((), x.dtype))


@named(
    "margin_ranking_loss",
    f"torch.nn.functional.margin_ranking_loss(input1: x, input2: y, target, margin=0.0, {_REDUCTION})",
)
def margin_ranking_loss(
    x: Operand, y: Operand, target: Operand, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """How far `x` is from being greater than `y` by the margin where the target is 1, and less where it is -1."""
    ahead = operate("multiply", operate("negative", as_real(target)), operate("subtract", x, y))
    return reduced(_above_zero(operate("add", ahead, margin)), reduction)


@named(
    "triplet_margin_loss",
    "torch.nn.functional.triplet_margin_loss(anchor: x, positive: y, negative, margin=1.0, p=2, eps=1e-6, swap=False, "
    f"{_REDUCTION})",
)
def triplet_margin_loss(
    x: Operand,
    y: Operand,
    negative: Operand,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """How much closer the negative is to the anchor than the positive, plus the margin, and at least 0."""
    apart = operate("subtract", pairwise_distance(x, y, p, eps), pairwise_distance(x, negative, p, eps))
    return reduced(_above_zero(operate("add", apart, margin)), reduction)


@named("hinge_embedding_loss", f"torch.nn.functional.hinge_embedding_loss(input, target, margin=1.0, {_REDUCTION})")
def hinge_embedding_loss(x: Operand, target: Operand, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """The distance `x` where the target is 1, and what it lacks to the margin where it is -1."""
    distance, wanted = together(as_real(x), target)
    far = _above_zero(operate("subtract", margin, distance))
    return reduced(_apply("Where", operate("equal", wanted, 1), distance, far), reduction)


@named("soft_margin_loss", f"torch.nn.functional.soft_margin_loss(input, target, {_REDUCTION})")
def soft_margin_loss(x: Operand, target: Operand, reduction: str = "mean") -> Tensor:
    """The logistic loss of labels 1 and -1."""
    scores, wanted = together(as_real(x), target)
    return reduced(_apply("Softplus", operate("negative", operate("multiply", wanted, scores))), reduction)


@named(
    "gaussian_nll_loss",
    "torch.nn.functional.gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction='mean')",
)
def gaussian_nll_loss(
    x: Operand, target: Operand, var: Operand, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """The negative logarithm of a normal density with mean `x`; the variance is at least `eps`."""
    mean, wanted, variance = together(as_real(x), target, var)
    variance = _apply("Maximum", variance, np.asarray(eps, variance.dtype))
    squared = operate("divide", _apply("Square", operate("subtract", mean, wanted)), variance)
    losses = operate("multiply", 0.5, operate("add", _apply("Log", variance), squared))
    return reduced(operate("add", losses, 0.5 * float(np.log(2 * np.pi))) if full else losses, reduction)


@named(
    "poisson_nll_loss",
    "torch.nn.functional.poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, "
    "reduce=None, reduction='mean')",
)
def poisson_nll_loss(
    x: Operand, target: Operand, log_input: bool = True, eps: float = 1e-8, reduction: str = "mean"
) -> Tensor:
    """The negative logarithm of a Poisson probability, without its constant term."""
    rate, wanted = together(as_real(x), target)
    if log_input:
        return reduced(operate("subtract", _apply("Exp", rate), operate("multiply", wanted, rate)), reduction)
    logarithm = _apply("Log", operate("add", rate, eps))
    return reduced(operate("subtract", rate, operate("multiply", wanted, logarithm)), reduction)


# Keras


def _keras(*spellings: str, more: str = "", block: str = "") -> tuple[str, ...]:
    homes = ("keras.losses", "tf.keras.losses", "keras.metrics")
    names = "|".join(f"{home}.{name}" for name in spellings for home in homes)
    return (f"{names}(y_true: target, y_pred: x{more})",)


@named("binary_crossentropy", *_keras("binary_crossentropy", more=", from_logits=False, label_smoothing=0.0, axis=-1"))
def binary_crossentropy(
    target: Operand, x: Operand, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The mean over `axis` of the cross entropy between truths and probabilities, or logits, as in Keras."""
    wanted, scores = together(as_real(target), as_real(x))
    if label_smoothing:
        wanted = operate("add", operate("multiply", wanted, 1 - label_smoothing), 0.5 * label_smoothing)
    if from_logits:
        losses = _apply("SigmoidCrossEntropyWithLogits", wanted, scores)
    else:
        p = _clipped(scores)
        no = operate("multiply", operate("subtract", 1, wanted), _apply("Log", operate("subtract", 1, p)))
        losses = operate("negative", operate("add", operate("multiply", wanted, _apply("Log", p)), no))
    return losses if not losses.ndim else _apply("ReduceMean", losses, axis=axis)


def _clipped(p: Tensor) -> Tensor:
    bounds = (np.asarray(bound, p.dtype) for bound in (_EPSILON, 1 - _EPSILON))
    return _apply("ClipByValue", p, *bounds)


@named(
    "categorical_crossentropy",
    *_keras("categorical_crossentropy", more=", from_logits=False, label_smoothing=0.0, axis=-1"),
)
def categorical_crossentropy(
    target: Operand, x: Operand, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The cross entropy between the probabilities of classes and those predicted, or logits, as in Keras."""
    wanted, scores = together(as_real(target), as_real(x))
    if label_smoothing:
        wanted = operate("add", operate("multiply", wanted, 1 - label_smoothing), label_smoothing / wanted.shape[axis])
    if from_logits:
        logarithms = _apply("LogSoftmax", scores, axis=axis)
    else:
        total = _apply("ReduceSum", scores, axis=axis, keepdims=True)
        logarithms = _apply("Log", _clipped(operate("divide", scores, total)))
    return operate("negative", _apply("ReduceSum", operate("multiply", wanted, logarithms), axis=axis))


@named(
    "sparse_categorical_crossentropy",
    *_keras("sparse_categorical_crossentropy", more=", from_logits=False, ignore_class=None, axis=-1"),
)
def sparse_categorical_crossentropy(target: Operand, x: Operand, from_logits: bool = False) -> Tensor:
    """The cross entropy between numbers of classes and predicted probabilities, or logits, as in Keras."""
    scores = as_real(x)
    logits = scores if from_logits else _apply("Log", _clipped(scores))
    return _apply("SparseSoftmaxCrossEntropyWithLogits", cast(as_tensor(target), "int64"), logits)


def _of_block(name: str, block: str, *others: str, summary: str) -> None:
    def function(target: Operand, x: Operand) -> Tensor:
        return _apply(block, *together(as_real(target), as_real(x)))

    function.__doc__ = summary
    named(name, *_keras(name, *others), block=block)(function)


_of_block("kl_divergence", "KLDivergence", "KLD", summary="The Kullback-Leibler divergence, as in Keras.")
_of_block("log_cosh", "LogCosh", "logcosh", summary="The logarithm of the hyperbolic cosine of errors, as in Keras.")
_of_block("hinge", "Hinge", summary="The hinge loss of labels 1 and -1, as in Keras.")
named("mse", *_keras("mse", "MSE"), block="MeanSquaredError")(
    lambda target, x: _apply("MeanSquaredError", *together(as_real(target), as_real(x)))
)
named("mae", *_keras("mae", "MAE"), block="MeanAbsoluteError")(
    lambda target, x: _apply("MeanAbsoluteError", *together(as_real(target), as_real(x)))
)
