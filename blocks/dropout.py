"""Dropout, which draws its mask itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import GreaterEqual
from gradwire.blocks.normalization import DropoutWithMask
from gradwire.blocks.random import check_request, embedded
from gradwire.blocks.support.noise import Every, drawn_by_step, generator_of
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.draw import Parameters
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.spelling import Spelling, Written, documented


def _spec(x: TensorSpec, *, rate: float, seed: int, every: str) -> TensorSpec:
    check_request(seed)
    if not 0 <= rate < 1:
        raise ParameterError(f"rate must be at least 0 and below 1, not {rate:g}")
    return x


def _shares(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    return rng.random(shape)


def _share_spec(outputs: Sequence[TensorSpec], _: Parameters) -> Sequence[TensorSpec]:
    return [TensorSpec(outputs[0].shape, np.dtype(np.float64))]


def _dropped(numbers: Sequence[Expression], x: Expression, *, rate: float, **_: object) -> Sequence[Expression]:
    return [DropoutWithMask(x, GreaterEqual(numbers[0], rate), rate=rate)]


def _kept(shape: tuple[int, ...], rate: float, seed: int, every: str) -> Array:
    return np.asarray(generator_of(seed, every).random(shape) >= rate)


def _masked(framework: str, where: str, line: str) -> Written:
    @documented(line)
    def write(x: str, rate: float, seed: int, every: str, specs: Sequence[TensorSpec]) -> str:
        return f"{where}({embedded(framework, _kept(specs[0].shape, rate, seed, every))}, {x} * {1 / (1 - rate)}, 0)"

    return write


_SCALED = "{x} / (1 - {rate}), 0)"


@block(
    "Random",
    infer=_spec,
    formula=r"y = [u \ge r]\,x / (1 - r),\quad u \sim U[0, 1)",
    gradient_formula=r"\bar x = [u \ge r]\,\bar y / (1 - r)",
    source="tf.nn.dropout",
    spelling=Spelling(
        _masked("numpy", "np.where", "np.where(np.random.default_rng({seed}).random({x}.shape) >= {rate}, " + _SCALED),
        _masked("tensorflow", "tf.where", "tf.nn.experimental.stateless_dropout({x}, {rate}, [{seed}, 0])"),
        _masked("torch", "torch.where", "torch.nn.functional.dropout({x}, {rate})"),
        _masked(
            "jax",
            "jnp.where",
            "jnp.where(jax.random.bernoulli(jax.random.key({seed}), 1 - {rate}, {x}.shape), " + _SCALED,
        ),
    ),
    draw=drawn_by_step(_shares, _dropped, _share_spec, in_test={"rate": 0.0}, kind="uniform"),
)
def Dropout(x: Array, *, rate: float = 0.5, seed: int = 0, every: Every = "step") -> Array:
    """Each element with the probability `rate` becomes 0; what is kept is scaled up by 1 / (1 - rate).

    With `every` step, training drops others in each step, by seeds, path, step, repetition and round; outside of
    training the block shows one draw. With run it drops the same ones always. Nothing is dropped where held back rows
    are tested.
    """
    if rate == 0:
        return x
    return np.where(_kept(x.shape, rate, seed, every), x * x.dtype.type(1 / (1 - rate)), x.dtype.type(0))


@Dropout.gradient
def dropout_gradient(g: Any, x: Any, y: Any, **how: Any) -> Any:
    return Dropout(g, **how)
