"""Update rules of training: those of the optimizer blocks, by the names that files use, and three that Keras adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Where
from gradwire.blocks.elementwise import Abs, Sign, Sqrt
from gradwire.blocks.optimizers import (
    ApplyAdadelta,
    ApplyAdagrad,
    ApplyAdam,
    ApplyAdaMax,
    ApplyCenteredRMSProp,
    ApplyGradientDescent,
    ApplyMomentum,
    ApplyRMSProp,
)
from gradwire.blocks.proximal_optimizers import (
    ApplyAdagradDA,
    ApplyFtrl,
    ApplyProximalAdagrad,
    ApplyProximalGradientDescent,
)
from gradwire.blocks.selection import Maximum
from gradwire.blocks.support import update_formulas as formulas
from gradwire.blocks.support.update_formulas import Moved, adam_rate
from gradwire.engine.base import schema
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.update_rule import RULES, Rate, RuleType, UpdateRule

# Any below: expressions and parameters of any kind.
# The functions of NumPy that the formulas use, for expressions.
EXPRESSIONS = SimpleNamespace(sqrt=Sqrt, abs=Abs, sign=Sign, maximum=Maximum, where=Where, power=Expression.__pow__)
RATES = ("lr", "alpha")
INITIAL = "initial_accumulator_value"
Formula = Callable[..., Moved]
Rates = Callable[..., Mapping[str, float]]


def _rate_alone(rate: float, step: int, **_: Any) -> Mapping[str, float]:
    return {"rate": rate}


def _declare(
    name: str,
    formula: Formula,
    block: BlockType | None,
    memory: str = "",
    rates: Rates = _rate_alone,
    **defaults: Any,
) -> None:
    """Adds a rule; `memory` has a letter for each tensor that it remembers: 0 for zeros, i for the initial value.

    Parameters and defaults are those of the block, where `defaults` has no others; `rates` gives the coefficients.
    """
    declared = {} if block is None else block.parameters
    rate = defaults.pop("rate", None)
    rate_name = next((item for item in RATES if item in declared), None)
    if rate_name is not None and not declared[rate_name].is_required:
        rate = declared[rate_name].default
    known = {key: item.default for key, item in declared.items() if key not in RATES} | defaults
    known |= {INITIAL: 0.1} if "i" in memory else {}

    def make(rate: Rate, **parameters: Any) -> UpdateRule:
        how = {key: _normal(key, value, declared, known) for key, value in parameters.items()}
        initial = how.pop(INITIAL, 0.0)
        if block is not None:
            _check(block, rate_name, {key: value for key, value in how.items() if key in declared})

        def update(variable: Any, g: Any, *remembered: Any, **coefficients: Any) -> Moved:
            return formula(EXPRESSIONS, variable, g, *remembered, **coefficients, **how)

        def start(spec: TensorSpec) -> list[Array]:
            return [np.full(spec.shape, initial if kind == "i" else 0, spec.dtype) for kind in memory]

        return UpdateRule(update, start, rate, lambda rate, step: rates(rate, step, **how))

    RULES.add(RuleType(name, make, rate, known))


def _normal(key: str, value: Any, declared: Mapping[str, Parameter], known: Mapping[str, Any]) -> Any:
    """Returns a parameter of the kind of its default; raises ParameterError for an unknown one or another kind."""
    if key not in known:
        raise ParameterError(f"there is no parameter {key}; there are: {', '.join(('rate', *known))}")
    if key in declared and key not in _RANGES:
        return declared[key].normalize(value)
    try:
        return _RANGES.get(key, schema.at_least_0)(value)
    except schema.JsonFault as fault:
        raise ParameterError(f"parameter {key} {fault.message}") from None


# Shares by which something remembered fades: Keras refuses the others too, which run away.
_RANGES: dict[str, Callable[[object], float]] = {
    "beta1": schema.share_below_1,
    "beta2": schema.share_below_1,
    "rho": schema.share,
    "momentum": schema.share,
    "epsilon": schema.at_least_0,
}


def _check(block: BlockType, rate_name: str | None, parameters: Mapping[str, Any]) -> None:
    """Raises: ParameterError where the block refuses the parameters, whatever its rate."""
    rates = {} if rate_name is None else {rate_name: 1.0}
    specs = [TensorSpec((), DTYPES["float64"])] * (len(block.outputs) + 1)
    block.infer_outputs(specs, {**parameters, **rates})


def _adam_rates(rate: float, step: int, *, beta1: float, beta2: float, **_: Any) -> Mapping[str, float]:
    return {"rate": adam_rate(rate, step, beta1, beta2)}


def _adamax_rates(rate: float, step: int, *, beta1: float, **_: Any) -> Mapping[str, float]:
    return {"rate": adam_rate(rate, step, beta1)}


def _adamw_rates(rate: float, step: int, *, weight_decay: float, **how: Any) -> Mapping[str, float]:
    return {**_adam_rates(rate, step, **how), "decay": rate * weight_decay}


def _counted(rate: float, step: int, **_: Any) -> Mapping[str, float]:
    return {"rate": rate, "step": step}


def _nadam_rates(rate: float, step: int, *, beta1: float, beta2: float, **_: Any) -> Mapping[str, float]:
    now, ahead = _slowed(beta1, step), _slowed(beta1, step + 1)
    product = _product_of_slowed(beta1, step)
    return {
        "ahead": rate * ahead / (1 - product * ahead),
        "now": rate * (1 - now) / (1 - product),
        "correction": 1 - float(np.power(beta2, step)),
    }


def _slowed(beta1: float, step: int) -> float:
    """Returns Nadam's share of the mean at a step, which grows to `beta1`."""
    return beta1 * (1 - 0.5 * float(np.power(0.96, step)))


def _product_of_slowed(beta1: float, step: int) -> float:
    """Returns the product of the shares of the first steps."""
    known = _PRODUCTS.setdefault(beta1, [1.0])
    while len(known) <= step and known[-1]:
        known.append(known[-1] * _slowed(beta1, len(known)))
    return known[min(step, len(known) - 1)]


_PRODUCTS: dict[float, list[float]] = {}


def _adamw(f: Any, w: Any, g: Any, m: Any, v: Any, *, decay: Any, rate: Any, weight_decay: Any, **how: Any) -> Moved:
    """Adam after decoupled decay, of which `decay` is the share (Loshchilov and Hutter 2019, as in Keras)."""
    return formulas.adam_step(f, w - decay * w, g, m, v, rate=rate, **how)


_BETAS = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7}
_declare("descent", formulas.descent_step, ApplyGradientDescent)
_declare("momentum", formulas.momentum_step, ApplyMomentum, "0", momentum=0.9)
_declare("adam", formulas.adam_step, ApplyAdam, "00", _adam_rates)
_declare("adamax", formulas.adamax_step, ApplyAdaMax, "00", _adamax_rates)
_declare("adagrad", formulas.adagrad_step, ApplyAdagrad, "i")
_declare("adagrad_da", formulas.adagrad_da_step, ApplyAdagradDA, "0i", _counted)
_declare("adadelta", formulas.adadelta_step, ApplyAdadelta, "00")
_declare("rmsprop", formulas.rmsprop_step, ApplyRMSProp, "00")
_declare("centered_rmsprop", formulas.centered_rmsprop_step, ApplyCenteredRMSProp, "000")
_declare("ftrl", formulas.ftrl_step, ApplyFtrl, "i0")
_declare("proximal_descent", formulas.proximal_descent_step, ApplyProximalGradientDescent)
_declare("proximal_adagrad", formulas.proximal_adagrad_step, ApplyProximalAdagrad, "i")
_declare("adamw", _adamw, ApplyAdam, "00", _adamw_rates, weight_decay=0.004)
_declare("nadam", formulas.nadam_step, None, "00", _nadam_rates, rate=0.001, **_BETAS)
_declare("lion", formulas.lion_step, None, "0", rate=0.001, beta1=0.9, beta2=0.99)


def descent(rate: Rate = 0.01) -> UpdateRule:
    """Returns gradient descent: against the gradient, `rate` times as far as it is long."""
    return RULES["descent"].rule(rate)


def momentum(rate: Rate = 0.01, momentum: float = 0.9, use_nesterov: bool = False) -> UpdateRule:
    """Returns gradient descent that keeps part of its speed, as the block ApplyMomentum."""
    return RULES["momentum"].rule(rate, momentum=momentum, use_nesterov=use_nesterov)


def adam(rate: Rate = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-7) -> UpdateRule:
    """Returns Adam, step for step as the block ApplyAdam with one gradient after the other."""
    return RULES["adam"].rule(rate, beta1=beta1, beta2=beta2, epsilon=epsilon)
