"""Losses over classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.interop.models.tensors import Tensor, cast, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import operator


def _likelihood(shares: Tensor, labels: Tensor, weights: Tensor | None, reduction: str, ignored: int | None) -> Tensor:
    """Returns the loss of logarithms of shares. Shapes: shares (batch, classes, ...), labels (batch, ...)."""
    dtype = np.dtype(shares.dtype)
    counts = None if ignored is None else made("NotEqual", labels, number(ignored, labels))
    known = labels if counts is None else made("Where", counts, labels, number(0, labels))
    picked = made("TakeAlongAxis", shares, made("ExpandDims", known, axis=1), axis=1)
    each = made("Negative", made("Squeeze", picked, axis=[1]))
    factors = None if weights is None else made("Gather", weights, known, axis=0)
    if counts is not None:
        mask = cast(counts, dtype)
        factors = mask if factors is None else made("Multiply", factors, mask)
    if factors is not None:
        each = made("Multiply", each, factors)
    if reduction == "none":
        return each  # type: ignore[no-any-return]
    total: Tensor = made("ReduceSum", each)
    if reduction == "sum":
        return total
    if factors is None:
        found: Tensor = made("ReduceMean", each)
        return found
    result: Tensor = made("Divide", total, made("ReduceSum", factors))
    return result


@operator("NegativeLogLikelihoodLoss")
def _negative_log_likelihood(
    shares: Tensor, labels: Tensor, weights: Tensor | None = None, *, reduction: str = "mean",
    ignore_index: int | None = None,
) -> Tensor:  # fmt: skip
    return _likelihood(shares, labels, weights, reduction, ignore_index)


@operator("SoftmaxCrossEntropyLoss")
def _cross_entropy(
    scores: Tensor, labels: Tensor, weights: Tensor | None = None, *, reduction: str = "mean",
    ignore_index: int | None = None, count: int,
) -> Any:  # fmt: skip
    shares = made("LogSoftmax", scores, axis=1)
    loss = _likelihood(shares, labels, weights, reduction, ignore_index)
    return (loss, shares) if count > 1 else loss
