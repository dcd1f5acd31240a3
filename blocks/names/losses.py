"""Losses as PyTorch and TensorFlow define them, with a `reduction` where those have one."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Operand, Tensor, as_real, as_tensor, cast, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """Returns the mean, the sum or all of the losses."""
    if reduction == "none":
        return losses
    if reduction not in ("mean", "sum"):
        raise CallError(f'reduction is "mean", "sum" or "none", not {reduction!r}')
    return _apply("ReduceMean" if reduction == "mean" else "ReduceSum", losses)


def _pair(x: Operand, target: Operand, name: str) -> list[Tensor]:
    """Returns a prediction and its target in one floating-point dtype.

    Raises: CallError if their shapes differ, which PyTorch warns of: they would broadcast to all pairs.
    """
    one, other = together(as_real(x), target)
    if one.shape != other.shape:
        raise CallError(f"{name}: the prediction is {list(one.shape)} but the target {list(other.shape)}")
    return [as_real(one), as_real(other)]


def _signature(name: str, more: str = "") -> str:
    return f"torch.nn.functional.{name}(input, target, size_average=None, reduce=None, reduction='mean'{more})"


@named("mse_loss", _signature("mse_loss"))
def mse_loss(x: Operand, target: Operand, reduction: str = "mean") -> Tensor:
    """The mean of squared differences."""
    return reduced(_apply("SquaredDifference", *_pair(x, target, "mse_loss")), reduction)


@named("l1_loss", _signature("l1_loss"))
def l1_loss(x: Operand, target: Operand, reduction: str = "mean") -> Tensor:
    """The mean of absolute differences."""
    return reduced(_apply("Abs", _apply("Subtract", *_pair(x, target, "l1_loss"))), reduction)


def _rounded_corner(name: str, x: Operand, target: Operand, beta: float) -> Tensor:
    """Returns losses that are half squares (divided by `beta`) below `beta`, and straight lines above."""
    error = _apply("Subtract", *_pair(x, target, name))
    size = _apply("Abs", error)
    if not beta:
        return size
    inner = operate("divide", operate("multiply", _apply("Square", error), 0.5), beta)
    return _apply("Where", operate("less", size, beta), inner, operate("subtract", size, 0.5 * beta))


@named("smooth_l1_loss", _signature("smooth_l1_loss", ", beta=1.0"))
def smooth_l1_loss(x: Operand, target: Operand, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """The mean of absolute differences, rounded below `beta`."""
    return reduced(_rounded_corner("smooth_l1_loss", x, target, beta), reduction)


@named("huber_loss", "torch.nn.functional.huber_loss(input, target, reduction='mean', delta=1.0)")
def huber_loss(x: Operand, target: Operand, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """The mean of Huber losses: half squares below `delta`, straight lines above."""
    return reduced(operate("multiply", _rounded_corner("huber_loss", x, target, delta), delta), reduction)


@named(
    "binary_cross_entropy_with_logits",
    "torch.nn.functional.binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, "
    "reduction='mean', pos_weight=None)",
)
def binary_cross_entropy_with_logits(
    x: Operand, target: Operand, weight: Operand = None, reduction: str = "mean", pos_weight: Operand = None
) -> Tensor:
    """The cross entropy of truths and the sigmoid of logits."""
    logits, labels = _pair(x, target, "binary_cross_entropy_with_logits")
    if pos_weight is None:
        losses = _apply("SigmoidCrossEntropyWithLogits", labels, logits)
    else:
        factor = cast(pos_weight, logits.dtype)
        losses = _apply("WeightedCrossEntropyWithLogits", labels, logits, factor)
    return reduced(losses if weight is None else operate("multiply", losses, weight), reduction)


@named(
    "binary_cross_entropy",
    "torch.nn.functional.binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, "
    "reduction='mean')",
)
def binary_cross_entropy(x: Operand, target: Operand, weight: Operand = None, reduction: str = "mean") -> Tensor:
    """The cross entropy of truths and probabilities; logarithms are at least -100, as in PyTorch."""
    p, labels = _pair(x, target, "binary_cross_entropy")
    floor = np.asarray(-100.0, p.dtype)
    yes = _apply("Maximum", _apply("Log", p), floor)
    no = _apply("Maximum", _apply("Log1p", _apply("Negative", p)), floor)
    gain = operate("add", operate("multiply", labels, yes), operate("multiply", operate("subtract", 1, labels), no))
    losses = _apply("Negative", gain)
    return reduced(losses if weight is None else operate("multiply", losses, weight), reduction)


@named(
    "cross_entropy",
    "torch.nn.functional.cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
    "reduction='mean', label_smoothing=0.0)",
)
def cross_entropy(
    x: Operand,
    target: Operand,
    weight: Operand = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
    ignore_index: int = -100,
) -> Tensor:
    """The cross entropy of classes (numbers or probabilities) and the softmax of logits, whose classes are axis 1."""
    logits, wanted = as_real(x), as_tensor(target)
    axis = 0 if logits.ndim == 1 else 1
    if wanted.dtype.kind in "iu":
        return _of_classes(logits, wanted, axis, weight, reduction, label_smoothing, ignore_index)
    if wanted.shape != logits.shape:
        raise CallError(f"cross_entropy: the logits are {list(logits.shape)} but the target {list(wanted.shape)}")
    logarithms, p = together(_apply("LogSoftmax", logits, axis=axis), as_real(wanted))
    if label_smoothing:
        even = label_smoothing / logits.shape[axis]
        p = operate("add", operate("multiply", p, 1 - label_smoothing), even)
    terms = operate("multiply", p, logarithms)
    if weight is not None:
        terms = operate("multiply", terms, _along_classes(cast(weight, logits.dtype), logits.ndim, axis))
    losses = _apply("Negative", _apply("ReduceSum", terms, axis=axis))
    if reduction != "mean":
        return reduced(losses, reduction)
    return operate("divide", _apply("ReduceSum", losses), max(1, int(np.prod(losses.shape))))


def _along_classes(weight: Tensor, rank: int, axis: int) -> Tensor:
    return _apply("Reshape", weight, shape=[-1 if item == axis else 1 for item in range(rank)])


def _of_classes(
    logits: Tensor, target: Tensor, axis: int, weight: Operand, reduction: str, smoothing: float, ignored: int
) -> Tensor:
    """Returns the loss for class numbers."""
    expected = tuple(size for item, size in enumerate(logits.shape) if item != axis)
    if target.shape != expected:
        raise CallError(
            f"cross_entropy: the logits are {list(logits.shape)}, so the classes must be {list(expected)}, "
            f"not {list(target.shape)}"
        )
    last = [*(item for item in range(logits.ndim) if item != axis), axis]
    rows = logits if axis == logits.ndim - 1 else _apply("Transpose", logits, perm=last)
    plain = weight is None and not smoothing and ignored == -100
    if plain:
        losses = _apply("SparseSoftmaxCrossEntropyWithLogits", target, rows)
        return reduced(losses, reduction)
    return _weighted(rows, target, weight, reduction, smoothing, ignored)


def _weighted(rows: Tensor, target: Tensor, weight: Operand, reduction: str, smoothing: float, ignored: int) -> Tensor:
    """Returns the loss with weights of classes, smoothed labels and a class that does not count."""
    classes = rows.shape[-1]
    counts = cast(operate("not_equal", target, ignored), rows.dtype)
    known = _apply("Where", operate("equal", target, ignored), np.zeros((), target.dtype), target)
    hot = _apply("OneHot", known, depth=classes, dtype=rows.dtype.name)
    gains = cast(np.ones(classes) if weight is None else weight, rows.dtype)
    of_class = operate("multiply", _apply("ReduceSum", operate("multiply", hot, gains), axis=-1), counts)
    logarithms = operate("multiply", _apply("LogSoftmax", rows), gains)
    exact = _apply("ReduceSum", operate("multiply", hot, logarithms), axis=-1)
    even = operate("divide", _apply("ReduceSum", logarithms, axis=-1), classes)
    mixed = operate("add", operate("multiply", exact, 1 - smoothing), operate("multiply", even, smoothing))
    losses = operate("multiply", operate("negative", mixed), counts)
    if reduction != "mean":
        return reduced(losses, reduction)
    return operate("divide", _apply("ReduceSum", losses), _apply("ReduceSum", of_class))


@named(
    "nll_loss",
    "torch.nn.functional.nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
    "reduction='mean')",
)
def nll_loss(x: Operand, target: Operand, reduction: str = "mean") -> Tensor:
    """The negative logarithm at the class of each row; `x` holds logarithms of probabilities."""
    logarithms = as_real(x)
    if logarithms.ndim > 2:
        raise CallError("nll_loss takes rows of logarithms, one for each class number")
    hot = _apply("OneHot", as_tensor(target), depth=logarithms.shape[-1], dtype=logarithms.dtype.name)
    chosen = _apply("ReduceSum", _apply("Multiply", hot, logarithms), axis=-1)
    return reduced(_apply("Negative", chosen), reduction)


@named("kl_div", _signature("kl_div", ", log_target=False"))
def kl_div(x: Operand, target: Operand, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """The Kullback-Leibler divergence of target probabilities from the logarithms in `x`, as PyTorch defines it."""
    logarithms, wanted = _pair(x, target, "kl_div")
    p = _apply("Exp", wanted) if log_target else wanted
    gain = operate("multiply", p, wanted) if log_target else _apply("Xlogy", wanted, wanted)
    losses = operate("subtract", gain, operate("multiply", p, logarithms))
    if reduction == "batchmean":
        return operate("divide", _apply("ReduceSum", losses), losses.shape[0])
    return reduced(losses, reduction)


_KERAS = "keras.losses.{0}|tf.keras.losses.{0}(y_true: target, y_pred: x)"
named("mean_squared_error", _KERAS.format("mean_squared_error"), block="MeanSquaredError")(
    lambda target, x: _apply("MeanSquaredError", *together(target, x))
)
named("mean_absolute_error", _KERAS.format("mean_absolute_error"), block="MeanAbsoluteError")(
    lambda target, x: _apply("MeanAbsoluteError", *together(target, x))
)
named(
    "softmax_cross_entropy_with_logits",
    "tf.nn.softmax_cross_entropy_with_logits(labels, logits, axis=-1)",
    block="SoftmaxCrossEntropyWithLogits",
)(lambda target, x, axis=-1: _apply("SoftmaxCrossEntropyWithLogits", *together(target, x), axis=axis))
