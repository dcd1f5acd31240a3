"""The framework JAX: the function is traced and compiled once, then only called."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.peers.case import Case, Mode, Prepared, unwatched

NAME, VERSION = "jax.jit", jax.__version__
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


class Ops:
    """The operations by their names in JAX."""

    number = float
    add, subtract, multiply, divide = jnp.add, jnp.subtract, jnp.multiply, jnp.divide
    negative, tanh, sin, sigmoid, exp = jnp.negative, jnp.tanh, jnp.sin, jax.nn.sigmoid, jnp.exp
    maximum, total, largest, matmul, reshape = jnp.maximum, jnp.sum, jnp.max, jnp.matmul, jnp.reshape
    stop, relu, plus_bias = lax.stop_gradient, jax.nn.relu, jnp.add
    identity = staticmethod(unwatched)
    transpose, split, softmax = jnp.transpose, jnp.split, jax.nn.softmax

    @staticmethod
    def scan(step: Any, state: Any, rows: Any) -> Any:
        return lax.scan(lambda before, row: (step(before, row[None]), None), state, rows)[0]

    @staticmethod
    def gelu(x: Any) -> Any:
        return jax.nn.gelu(x, approximate=False)

    @staticmethod
    def normalize(x: Any, gamma: Any, beta: Any) -> Any:
        mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 0.001) * gamma + beta

    @staticmethod
    def convolve(x: Any, filters: Any) -> Any:
        return lax.conv_general_dilated(x, filters, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    @staticmethod
    def pool(x: Any) -> Any:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    @staticmethod
    def cross_entropy(logits: Any, labels: Any) -> Any:
        return -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(logits), -1))


def prepare(case: Case) -> Prepared:
    """Returns the case as one compiled function; an edit compiles again."""
    wanted = {name: jnp.asarray(case.inputs[name]) for name in case.wanted}
    others = {name: jnp.asarray(array) for name, array in case.inputs.items() if name not in wanted}
    if case.mode.sees_all:
        return _every_wire(case)

    def loss(wanted: Any, others: Any) -> Any:
        return case.loss(Ops, wanted | others, unwatched)

    gradients = jax.value_and_grad(loss)

    def step(wanted: Any, others: Any) -> Any:
        value, found = gradients(wanted, others)
        return value, {name: wanted[name] - case.rate * found[name] for name in wanted}

    def read(found: Any) -> Any:
        return jax.device_get([found[0], *(found[1][name] for name in case.wanted)])

    if case.mode is Mode.STEP:
        return Prepared(_Training(jax.jit(step, donate_argnums=0), wanted, others), read)
    compiled = jax.jit(gradients)
    return Prepared(lambda: jax.block_until_ready(compiled(wanted, others)), read)


class _Training:
    """A series of steps, each of which starts from the last one's result."""

    def __init__(self, step: Any, wanted: Any, others: Any) -> None:
        self._step, self._wanted, self._others = step, wanted, others

    def __call__(self) -> Any:
        loss, self._wanted = jax.block_until_ready(self._step(self._wanted, self._others))
        return loss, self._wanted


def _every_wire(case: Case) -> Prepared:
    """Returns the case with zeros added to every block, as JAX gives no other access to inner gradients."""
    inputs = {name: jnp.asarray(array) for name, array in case.final_inputs.items()}
    count = len(case.graph.pages[0].blocks) - 1
    zeros = jnp.zeros((count, *next(iter(inputs.values())).shape))

    def compiled() -> Any:
        def loss(zeros: Any, inputs: Any) -> Any:
            rows, seen = iter(jnp.unstack(zeros)), []

            def watch(wire: Any) -> Any:
                seen.append(wire + next(rows))
                return seen[-1]

            return case.final.loss(Ops, inputs, watch), jnp.stack(seen)

        return jax.jit(jax.grad(loss, has_aux=True))

    if case.mode is Mode.ONE_EDIT:
        return Prepared(lambda: jax.block_until_ready(compiled()(zeros, inputs)), _stacked)
    function = compiled()
    return Prepared(lambda: jax.block_until_ready(function(zeros, inputs)), _stacked)


def _stacked(found: Any) -> Any:
    gradients, values = jax.device_get(found)
    return [values, gradients]
