"""Losses, by PyTorch's numbers of reductions: 0 none, 1 the mean, 2 the sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.reductions import mean_of
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.tensors import Tensor, cast, kind, made


@operation("cross_entropy_loss.default")
def _cross_entropy(
    self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = 1, ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    logits = self if self.ndim < 3 else made("Transpose", self, perm=[0, *range(2, self.ndim), 1])
    is_plain = weight is None and not label_smoothing and not _may_hold(target, ignore_index)
    if kind(target) != "f" and is_plain:
        return mean_of(made("SparseSoftmaxCrossEntropyWithLogits", target, logits), reduction)
    shares = made("LogSoftmax", logits)
    if kind(target) == "f":
        labels = target if target.ndim < 3 else made("Transpose", target, perm=[0, *range(2, target.ndim), 1])
        if label_smoothing:
            spread = number(label_smoothing / logits.shape[-1], labels)
            labels = made("Add", made("Multiply", labels, number(1 - label_smoothing, labels)), spread)
        weighed = made("Multiply", labels, shares)
        if weight is not None:
            weighed = made("Multiply", weighed, weight)
        each = made("Negative", made("ReduceSum", weighed, axis=-1))
        # The mean is over the examples, not over weights.
        return mean_of(each, reduction)
    return _by_class(shares, target, weight, reduction, ignore_index, label_smoothing)


@operation("multi_margin_loss.default")
def _margins(
    self: Tensor, target: Tensor, p: float = 1, margin: float = 1, weight: Tensor | None = None, reduction: int = 1
) -> Tensor:
    if self.ndim < 2:
        self, target = made("ExpandDims", self, axis=0), made("ExpandDims", target, axis=0)
        return mean_of(_margins(self, target, p, margin, weight, 0), reduction or 2)
    is_right = made("OneHot", target, depth=self.shape[1], dtype=np.dtype(self.dtype).name)
    right = made("ReduceSum", made("Multiply", self, is_right), axis=1, keepdims=True)
    short = made("Relu", made("Add", made("Subtract", self, right), number(margin, self)))
    short = made("Multiply", short, made("Subtract", number(1.0, self), is_right))
    each = made("ReduceMean", short if p == 1 else made("Square", short), axis=1)
    if weight is not None:
        each = made("Multiply", each, made("Gather", weight, target, axis=0))
    return mean_of(each, reduction)


@operation("nll_loss.default", "nll_loss_nd.default", "nll_loss2d.default", "nll_loss_forward.default")
def _likelihood(
    self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = 1, ignore_index: int = -100
) -> Tensor:
    shares = self if self.ndim < 3 else made("Transpose", self, perm=[0, *range(2, self.ndim), 1])
    return _by_class(shares, target, weight, reduction, ignore_index, 0.0)


def _may_hold(target: Tensor, sought: int) -> bool:
    """Returns whether labels may hold a number: those that are given are looked at."""
    if isinstance(target, Expression):
        given = target.application.parameters.get("value") if target.application.type.is_input else None
        return given is None or bool((np.asarray(given) == sought).any())
    return bool((target == sought).any())


def _by_class(
    shares: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignored: int, smoothing: float
) -> Tensor:
    """Returns the loss of classes by number; those that are ignored have none, and do not count in the mean."""
    dtype, classes = np.dtype(shares.dtype), shares.shape[-1]
    counts = made("NotEqual", target, number(ignored, target))
    known = made("Where", counts, target, number(0, target))
    mask = cast(counts, dtype)
    places = made("ExpandDims", known, axis=-1)
    picked = made(
        "Negative",
        made("Squeeze", made("TakeAlongAxis", shares, places, axis=shares.ndim - 1), axis=[-1 % shares.ndim]),
    )
    factors = mask if weight is None else made("Multiply", mask, made("Gather", weight, known, axis=0))
    each = made("Multiply", picked, factors)
    if smoothing:
        weighed = shares if weight is None else made("Multiply", shares, weight)
        spread = made("Multiply", made("Negative", made("ReduceSum", weighed, axis=-1)), mask)
        part = made("Multiply", spread, number(smoothing / classes, spread))
        each = made("Add", made("Multiply", each, number(1 - smoothing, each)), part)
    if reduction != 1:
        return mean_of(each, reduction)
    found: Tensor = made("Divide", made("ReduceSum", each), made("ReduceSum", factors))
    return found


@operation("binary_cross_entropy_with_logits.default")
def _with_logits(
    self: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 1
) -> Tensor:
    if pos_weight is None:
        each = made("SigmoidCrossEntropyWithLogits", target, self)
    else:
        positive = made("Multiply", made("Multiply", target, pos_weight), made("LogSigmoid", self))
        rest = made("Subtract", number(1.0, target), target)
        negative = made("Multiply", rest, made("LogSigmoid", made("Negative", self)))
        each = made("Negative", made("Add", positive, negative))
    return mean_of(each if weight is None else made("Multiply", each, weight), reduction)


@operation("binary_cross_entropy.default")
def _of_shares(self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = 1) -> Tensor:
    # PyTorch holds logarithms above -100.
    least = number(-100.0, self)
    one = number(1.0, self)
    logs = [made("Maximum", made("Log", item), least) for item in (self, made("Subtract", one, self))]
    parts = [made("Multiply", *pair) for pair in zip((target, made("Subtract", one, target)), logs, strict=True)]
    each = made("Negative", made("Add", *parts))
    return mean_of(each if weight is None else made("Multiply", each, weight), reduction)


@operation("mse_loss.default")
def _square_error(self: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    return mean_of(made("SquaredDifference", self, target), reduction)


@operation("l1_loss.default")
def _distance(self: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    return mean_of(made("Abs", made("Subtract", self, target)), reduction)


@operation("smooth_l1_loss.default", "huber_loss.default")
def _huber(self: Tensor, target: Tensor, reduction: int = 1, beta: float = 1.0, delta: float | None = None) -> Tensor:
    error = made("Abs", made("Subtract", self, target))
    border, half = number(beta if delta is None else delta, error), number(0.5, error)
    small = made("Multiply", half, made("Square", error))
    large = made("Multiply", border, made("Subtract", error, made("Multiply", half, border)))
    each = made("Where", made("Less", error, border), small, large)
    return mean_of(each if delta is not None else made("Divide", each, border), reduction)


@operation("kl_div.default")
def _divergence(self: Tensor, target: Tensor, reduction: int = 1, log_target: bool = False) -> Tensor:
    if log_target:
        each = made("Multiply", made("Exp", target), made("Subtract", target, self))
    else:
        each = made("Subtract", made("Xlogy", target, target), made("Multiply", target, self))
    return mean_of(each, reduction)


def _above_zero(x: Tensor) -> Tensor:
    """Returns what PyTorch takes by `clamp_min`, whose gradient at the margin is not that of a Relu."""
    found: Tensor = made("Maximum", x, number(0.0, x))
    return found


@operation("cosine_embedding_loss.default")
def _cosine_embedding(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 1
) -> Tensor:
    small = number(1e-12, input1)  # as PyTorch has it
    sizes = [made("Add", made("ReduceSum", made("Square", item), axis=[-1]), small) for item in (input1, input2)]
    dot = made("ReduceSum", made("Multiply", input1, input2), axis=[-1])
    cosine = made("Divide", dot, made("Sqrt", made("Multiply", *sizes)))
    alike = made("Subtract", number(1.0, cosine), cosine)
    other = _above_zero(made("Subtract", cosine, number(margin, cosine)))
    return mean_of(made("Where", made("Equal", target, number(1, target)), alike, other), reduction)


@operation("margin_ranking_loss.default")
def _ranking(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 1) -> Tensor:
    apart = made("Multiply", made("Negative", target), made("Subtract", input1, input2))
    return mean_of(_above_zero(made("Add", apart, number(margin, apart))), reduction)


@operation("hinge_embedding_loss.default")
def _hinge_embedding(self: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 1) -> Tensor:
    far = _above_zero(made("Subtract", number(margin, self), self))
    return mean_of(made("Where", made("Equal", target, number(1, target)), self, far), reduction)


@operation("soft_margin_loss.default")
def _soft_margin(self: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    return mean_of(made("Softplus", made("Multiply", made("Negative", target), self)), reduction)


@operation("poisson_nll_loss.default")
def _poisson(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    if log_input:
        each: Any = made("Subtract", made("Exp", input), made("Multiply", target, input))
    else:
        logs = made("Log", made("Add", input, number(eps, input)))
        each = made("Subtract", input, made("Multiply", target, logs))
    if full:
        stirling = made(
            "Add",
            made("Subtract", made("Xlogy", target, target), target),
            made("Multiply", number(0.5, target), made("Log", made("Multiply", number(2 * math.pi, target), target))),
        )
        each = made(
            "Add", each, made("Where", made("Greater", target, number(1.0, target)), stirling, number(0.0, target))
        )
    return mean_of(each, reduction)
