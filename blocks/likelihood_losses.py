"""Losses that are the negative logarithm of a likelihood: of counts, and of yes-or-no labels with a weight."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.activations import Sigmoid, Softplus
from gradwire.blocks.comparison import Equal, GreaterEqual, LessEqual, Where
from gradwire.blocks.elementwise import Exp, Log
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling


def _of_equal_shape(name: str, other: str, a: TensorSpec, b: TensorSpec) -> None:
    if a.shape != b.shape:
        raise ShapeError(f"{name} {list(a.shape)} and {other} {list(b.shape)} must have the same shape")


def _counts(targets: TensorSpec, log_input: TensorSpec, *, compute_full_loss: bool) -> TensorSpec:
    _of_equal_shape("targets", "log_input", targets, log_input)
    return log_input


def _poisson_in_numpy(targets: str, log_input: str, compute_full_loss: bool) -> str:
    """np.exp({log_input}) - {log_input} * {targets}"""
    return "" if compute_full_loss else f"np.exp({log_input}) - {log_input} * {targets}"


def _poisson_in_torch(targets: str, log_input: str, compute_full_loss: bool) -> str:
    """torch.nn.functional.poisson_nll_loss({log_input}, {targets}, reduction='none')"""
    # PyTorch takes targets below 0 for 0 in the full loss.
    line = f"torch.nn.functional.poisson_nll_loss({log_input}, {targets}, reduction='none')"
    return "" if compute_full_loss else line


@block(
    "Losses",
    infer=_counts,
    outputs=("loss",),
    formula=r"L = e^x - x z + (z > 1 \,?\, z \ln z - z + \tfrac12 \ln(2 \pi z) : 0)",
    gradient_formula=r"\bar x = (e^x - z)\,\bar L,\quad \bar z = (z > 1 \,?\, \ln z + \tfrac{1}{2 z} - x : -x)\,\bar L",
    source="tf.nn.log_poisson_loss",
    spelling=Spelling(
        _poisson_in_numpy,
        "tf.nn.log_poisson_loss({targets}, {log_input}, compute_full_loss={compute_full_loss})",
        _poisson_in_torch,
        "",
    ),
    is_penalty=True,
)
def LogPoissonLoss(targets: Array, log_input: Array, *, compute_full_loss: bool = False) -> Array:
    """The negative logarithm of the Poisson probability of counts, from the logarithm of the expected count.

    With `compute_full_loss` Stirling's approximation of the factorial is added for targets above 1; then the gradient
    of a target of 0 is NaN, as in TensorFlow. Negative targets give NaN in that case too.
    """
    loss: Array = np.exp(log_input) - log_input * targets
    if not compute_full_loss:
        return loss
    factorial = targets * np.log(targets) - targets + 0.5 * np.log(2 * math.pi * targets)
    is_small = (targets >= 0) & (targets <= 1)
    return loss + np.where(is_small, targets.dtype.type(0), factorial)


@LogPoissonLoss.gradient
def log_poisson_loss_gradient(g: Any, targets: Any, log_input: Any, loss: Any, *, compute_full_loss: bool) -> Any:
    of_targets = -(g * log_input)
    if compute_full_loss:
        large = Where(GreaterEqual(targets, 0), Where(LessEqual(targets, 1), 0, g), g)
        of_targets = of_targets + large * Log(targets) + large * 0.5 / targets
    return of_targets, g * (Exp(log_input) - targets)


def _weighted_classes(labels: TensorSpec, logits: TensorSpec, pos_weight: TensorSpec) -> TensorSpec:
    _of_equal_shape("labels", "logits", labels, logits)
    return TensorSpec(broadcast_shapes((logits.shape, pos_weight.shape)), logits.dtype)


@block(
    "Losses",
    infer=_weighted_classes,
    outputs=("loss",),
    formula=r"L = (1 - z)\,x + (1 + (q - 1) z) \ln(1 + e^{-x})",
    gradient_formula=(
        r"\bar x = (1 - z - (1 + (q - 1) z)\,\sigma(-x))\,\bar L,\quad"
        r" \bar z = ((q - 1) \ln(1 + e^{-x}) - x)\,\bar L,\quad \bar q = z \ln(1 + e^{-x})\,\bar L"
    ),
    source="tf.nn.weighted_cross_entropy_with_logits",
    spelling=Spelling(
        "(1 - {labels}) * {logits} + (1 + ({pos_weight} - 1) * {labels}) * np.logaddexp(0, -{logits})",
        "tf.nn.weighted_cross_entropy_with_logits({labels}, {logits}, {pos_weight})",
        "(1 - {labels}) * {logits} + (1 + ({pos_weight} - 1) * {labels}) * "
        "(torch.log1p(torch.exp(-torch.abs({logits}))) + torch.relu(-{logits}))",
        "(1 - {labels}) * {logits} + (1 + ({pos_weight} - 1) * {labels}) * "
        "(jnp.log1p(jnp.exp(-{logits} * jnp.sign({logits}))) + jax.nn.relu(-{logits}))",
    ),
    is_penalty=True,
)
def WeightedCrossEntropyWithLogits(labels: Array, logits: Array, pos_weight: Array) -> Array:
    """The cross entropy of yes-or-no labels from logits, with mistakes on the yes side weighted by `pos_weight`.

    A weight above 1 finds more of the positive, one below 1 gives fewer false alarms. It is stable however large the
    logits are. At a logit of exactly 0 the logarithm passes no gradient to the logit, as in TensorFlow.
    """
    softplus = np.log1p(np.exp(-np.abs(logits))) + np.maximum(-logits, logits.dtype.type(0))
    return (1 - labels) * logits + (1 + (pos_weight - 1) * labels) * softplus


@WeightedCrossEntropyWithLogits.gradient
def weighted_cross_entropy_gradient(g: Any, labels: Any, logits: Any, pos_weight: Any, loss: Any) -> Any:
    softplus, extra = Softplus(-logits), pos_weight - 1
    slope = Where(Equal(logits, 0), 0, Sigmoid(-logits))
    of_logits = g * (1 - labels - (1 + extra * labels) * slope)
    return g * (extra * softplus - logits), of_logits, g * labels * softplus
