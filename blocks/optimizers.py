"""Optimizers: one step of an update rule for each gradient, from the old state to the new one.

They are pure: a variable changes only where training writes their result back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from gradwire.blocks.support.update_formulas import (
    adadelta_step,
    adagrad_step,
    adam_rate,
    adam_step,
    adamax_step,
    centered_rmsprop_step,
    descent_step,
    momentum_step,
    rmsprop_step,
)
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Declaration, block
from gradwire.engine.blocktypes.spelling import Spelling

_NO_GRADIENT = r"\text{none: TensorFlow registers no gradient}"
_LIMITS: dict[str, Callable[[float], bool]] = {
    "above 0": lambda value: value > 0,
    "at least 0": lambda value: value >= 0,
    "at most 0": lambda value: value <= 0,
}


def optimizer(*state: str, limits: Mapping[str, str] = MappingProxyType({}), **declaration: Any) -> Declaration:
    """Declares an optimizer: a variable and what is remembered of it come in, all of one shape, and go out updated.

    `limits` says which values of parameters TensorFlow takes, where it does not take all.
    """

    def infer(*specs: TensorSpec, **parameters: Any) -> tuple[TensorSpec, ...]:
        for name, limit in limits.items():
            if not _LIMITS[limit](parameters[name]):
                raise ParameterError(f"parameter {name} is {parameters[name]:g}, but must be {limit}")
        for index, spec in enumerate(specs):
            if spec.shape != specs[0].shape:
                name = state[index] if index < len(state) else f"grad_{index - len(state)}"
                raise ShapeError(f"{name} is {list(spec.shape)} but {state[0]} is {list(specs[0].shape)}")
        return specs[: len(state)]

    return block(
        "Optimizers",
        differentiable="cut",
        infer=infer,
        outputs=state,
        gradient_formula=_NO_GRADIENT,
        **declaration,
    )


def debiased(rate: float, dtype: np.dtype[Any], step: int, beta1: float, beta2: float = 0.0) -> Any:
    """Returns Adam's rate at a step, counted from 1."""
    return dtype.type(adam_rate(rate, step, beta1, beta2))


_SUM_OF_GRADIENTS = "{var} - {alpha} * sum([{grad}])"


@optimizer(
    "var",
    formula=r"w \leftarrow w - \alpha\,g",
    source="tf.raw_ops.ApplyGradientDescent, tf.keras.optimizers.SGD",
    spelling=Spelling(_SUM_OF_GRADIENTS, _SUM_OF_GRADIENTS, _SUM_OF_GRADIENTS, _SUM_OF_GRADIENTS),
)
def ApplyGradientDescent(var: Array, *grad: Array, alpha: float = 0.01) -> Array:
    """Gradient descent: against each gradient in turn, `alpha` times as far as it is long.

    Without a gradient the variable stays as it is.

    Also known as SGD.
    """
    for g in grad:
        (var,) = descent_step(np, var, g, rate=alpha)
    return var


@optimizer(
    "var",
    "accum",
    formula=r"a \leftarrow \mu\,a + g,\quad w \leftarrow w - \eta\,a",
    source="tf.raw_ops.ApplyMomentum, tf.keras.optimizers.SGD; Polyak 1964, Nesterov 1983",
)
def ApplyMomentum(
    var: Array, accum: Array, *grad: Array, lr: float = 0.01, momentum: float = 0.0, use_nesterov: bool = False
) -> tuple[Array, ...]:
    """Gradient descent that keeps part of its speed: the accumulated gradients fade by `momentum` a step.

    With `use_nesterov` the variable moves by the speed that it will have after the next equal gradient. As in the
    TensorFlow operation the rate is not part of the speed, so a change of `lr` acts at once; Keras multiplies before
    it accumulates, which is the same at a constant rate.
    """
    for g in grad:
        var, accum = momentum_step(np, var, g, accum, rate=lr, momentum=momentum, use_nesterov=use_nesterov)
    return var, accum


@optimizer(
    "var",
    "m",
    "v",
    formula=(
        r"m \leftarrow \beta_1 m + (1 - \beta_1) g,\quad v \leftarrow \beta_2 v + (1 - \beta_2) g^2,\quad "
        r"w \leftarrow w - \eta \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \frac{m}{\sqrt v + \epsilon}"
    ),
    source="tf.raw_ops.ApplyAdam, tf.keras.optimizers.Adam; Kingma and Ba 2015, the form before section 2.1",
)
def ApplyAdam(
    var: Array,
    m: Array,
    v: Array,
    *grad: Array,
    lr: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-7,
    use_nesterov: bool = False,
) -> tuple[Array, ...]:
    """Adam: the mean gradient over the root of the mean square, so that steps have about the size of `lr`.

    The step t of the first gradient is 1. Epsilon is added to the root of the uncorrected v, as in TensorFlow; the
    paper's algorithm adds it to the corrected one. A gradient of 0 still moves the variable, by what m remembers.
    With `use_nesterov` the gradient counts once more, as in Nadam.
    """
    for step, g in enumerate(grad, 1):
        rate = debiased(lr, var.dtype, step, beta1, beta2)
        how = {"rate": rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        var, m, v = adam_step(np, var, g, m, v, use_nesterov=use_nesterov, **how)
    return var, m, v


@optimizer(
    "var",
    "m",
    "v",
    formula=(
        r"m \leftarrow \beta_1 m + (1 - \beta_1) g,\quad v \leftarrow \max(\beta_2 v, |g|),\quad "
        r"w \leftarrow w - \frac{\eta}{1 - \beta_1^t} \frac{m}{v + \epsilon}"
    ),
    source="tf.raw_ops.ApplyAdaMax, tf.keras.optimizers.Adamax; Kingma and Ba 2015, section 7.1",
)
def ApplyAdaMax(
    var: Array,
    m: Array,
    v: Array,
    *grad: Array,
    lr: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-7,
) -> tuple[Array, ...]:
    """Adam with the largest recent gradient in place of the root of the mean square.

    The step t of the first gradient is 1. A gradient that is NaN leaves v to fade; m and the variable
    become NaN.
    """
    for step, g in enumerate(grad, 1):
        rate = debiased(lr, var.dtype, step, beta1)
        var, m, v = adamax_step(np, var, g, m, v, rate=rate, beta1=beta1, beta2=beta2, epsilon=epsilon)
    return var, m, v


@optimizer(
    "var",
    "accum",
    formula=r"a \leftarrow a + g^2,\quad w \leftarrow w - \eta\,\frac{g}{\sqrt a}",
    source="tf.raw_ops.ApplyAdagrad, tf.keras.optimizers.Adagrad; Duchi, Hazan and Singer 2011",
)
def ApplyAdagrad(
    var: Array, accum: Array, *grad: Array, lr: float = 0.001, update_slots: bool = True
) -> tuple[Array, ...]:
    """Adagrad: the rate of each element falls with the root of the sum of its squared gradients.

    There is no epsilon: a gradient of 0 with nothing accumulated gives NaN, so the accumulator usually starts at
    0.1. Without `update_slots` it stays as it is.
    """
    for g in grad:
        var, accum = adagrad_step(np, var, g, accum, rate=lr, update_slots=update_slots)
    return var, accum


@optimizer(
    "var",
    "accum",
    "accum_update",
    formula=(
        r"a \leftarrow \rho\,a + (1 - \rho) g^2,\quad u = \frac{\sqrt{d + \epsilon}}{\sqrt{a + \epsilon}}\,g,\quad "
        r"d \leftarrow \rho\,d + (1 - \rho) u^2,\quad w \leftarrow w - \eta\,u"
    ),
    source="tf.raw_ops.ApplyAdadelta, tf.keras.optimizers.Adadelta; Zeiler 2012",
)
def ApplyAdadelta(
    var: Array,
    accum: Array,
    accum_update: Array,
    *grad: Array,
    lr: float = 0.001,
    rho: float = 0.95,
    epsilon: float = 1e-7,
) -> tuple[Array, ...]:
    """Adadelta: steps have the size of recent steps, so the scale of the gradients does not matter.

    Recent means that squares fade by `rho` a step. The paper has no rate; it is `lr` 1.
    """
    for g in grad:
        state = accum, accum_update
        var, accum, accum_update = adadelta_step(np, var, g, *state, rate=lr, rho=rho, epsilon=epsilon)
    return var, accum, accum_update


@optimizer(
    "var",
    "ms",
    "mom",
    formula=(
        r"s \leftarrow \rho\,s + (1 - \rho) g^2,\quad "
        r"p \leftarrow \mu\,p + \frac{\eta\,g}{\sqrt{s + \epsilon}},\quad w \leftarrow w - p"
    ),
    source="tf.raw_ops.ApplyRMSProp, tf.keras.optimizers.RMSprop; Hinton, lecture 6e, 2012",
)
def ApplyRMSProp(
    var: Array,
    ms: Array,
    mom: Array,
    *grad: Array,
    lr: float = 0.001,
    rho: float = 0.9,
    momentum: float = 0.0,
    epsilon: float = 1e-7,
) -> tuple[Array, ...]:
    """RMSProp: each gradient over the root of the mean square of recent ones, with momentum.

    Epsilon is inside the root, as in the TensorFlow operation; PyTorch adds it to the root.
    """
    for g in grad:
        how = {"rho": rho, "momentum": momentum, "epsilon": epsilon}
        var, ms, mom = rmsprop_step(np, var, g, ms, mom, rate=lr, **how)
    return var, ms, mom


@optimizer(
    "var",
    "mg",
    "ms",
    "mom",
    formula=(
        r"s \leftarrow \rho\,s + (1 - \rho) g^2,\quad n \leftarrow \rho\,n + (1 - \rho) g,\quad "
        r"p \leftarrow \mu\,p + \frac{\eta\,g}{\sqrt{s - n^2 + \epsilon}},\quad w \leftarrow w - p"
    ),
    source="tf.raw_ops.ApplyCenteredRMSProp, tf.keras.optimizers.RMSprop; Graves 2013",
)
def ApplyCenteredRMSProp(
    var: Array,
    mg: Array,
    ms: Array,
    mom: Array,
    *grad: Array,
    lr: float = 0.001,
    rho: float = 0.9,
    momentum: float = 0.0,
    epsilon: float = 1e-7,
) -> tuple[Array, ...]:
    """RMSProp with the variance of recent gradients in place of their mean square.

    A state in which ms is below the square of mg, which no run from zeros reaches, gives NaN.
    """
    for g in grad:
        how = {"rho": rho, "momentum": momentum, "epsilon": epsilon}
        var, mg, ms, mom = centered_rmsprop_step(np, var, g, mg, ms, mom, rate=lr, **how)
    return var, mg, ms, mom
