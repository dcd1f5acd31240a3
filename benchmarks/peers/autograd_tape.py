"""The framework autograd: NumPy with a tape in Python, the simplest of all; it has no convolution."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import autograd
import autograd.numpy as np
from autograd.builtins import dict as dict_of_boxes
from autograd.extend import defvjp, primitive
from autograd.scipy.special import erf

from benchmarks.peers.case import Case, Mode, Prepared, unwatched

NAME, VERSION = "autograd", version("autograd")


@primitive
def _stopped(x: Any) -> Any:
    return x


defvjp(_stopped, None)


class Ops:
    """The operations by their names in NumPy."""

    add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide
    negative, tanh, sin, exp = np.negative, np.tanh, np.sin, np.exp
    maximum, total, largest, matmul, reshape = np.maximum, np.sum, np.max, np.matmul, np.reshape
    number, stop, plus_bias = np.float32, staticmethod(_stopped), np.add
    identity = staticmethod(unwatched)
    transpose, split = np.transpose, np.split

    @staticmethod
    def softmax(x: Any) -> Any:
        e = np.exp(x - np.max(x, -1, keepdims=True))
        return e / np.sum(e, -1, keepdims=True)

    @staticmethod
    def gelu(x: Any) -> Any:
        return x * np.float32(0.5) * (1 + erf(x * np.float32(0.5**0.5)))

    @staticmethod
    def normalize(x: Any, gamma: Any, beta: Any) -> Any:
        mean, variance = np.mean(x, -1, keepdims=True), np.var(x, -1, keepdims=True)
        return (x - mean) / np.sqrt(variance + np.float32(0.001)) * gamma + beta

    @staticmethod
    def sigmoid(x: Any) -> Any:
        return 1 / (1 + np.exp(-x))

    @staticmethod
    def relu(x: Any) -> Any:
        return np.maximum(x, np.float32(0))

    @staticmethod
    def cross_entropy(logits: Any, labels: Any) -> Any:
        z = logits - np.max(logits, -1, keepdims=True)
        return -np.mean(np.sum(labels * (z - np.log(np.sum(np.exp(z), -1, keepdims=True))), -1))


def prepare(case: Case) -> Prepared:
    """Returns the case as a function that runs block by block; nothing can be prepared."""
    if case.mode.sees_all:
        return _every_wire(case)
    wanted = {name: case.inputs[name] for name in case.wanted}
    others = {name: array for name, array in case.inputs.items() if name not in wanted}

    def loss(wanted: Any) -> Any:
        return case.loss(Ops, {**{name: wanted[name] for name in case.wanted}, **others}, unwatched)

    gradients = autograd.value_and_grad(loss)

    def step() -> Any:
        value, found = gradients(dict_of_boxes(wanted))
        wanted.update({name: wanted[name] - np.float32(case.rate) * found[name] for name in wanted})
        return value, wanted

    def action() -> Any:
        return gradients(dict_of_boxes(wanted))

    return Prepared(
        step if case.mode is Mode.STEP else action,
        lambda found: [np.asarray(found[0]), *(np.array(found[1][name]) for name in case.wanted)],
    )


def _every_wire(case: Case) -> Prepared:
    """Returns the case with zeros added to every block; their gradients are the gradients of the wires."""
    inputs = case.final_inputs
    zeros = [np.zeros_like(next(iter(inputs.values()))) for _ in range(len(case.graph.pages[0].blocks) - 1)]

    def action() -> Any:
        seen: list[Any] = []

        def loss(zeros: Any) -> Any:
            def watch(wire: Any) -> Any:
                seen.append(wire + zeros[len(seen)])
                return seen[-1]

            return case.final.loss(Ops, inputs, watch)

        return autograd.grad(loss)(zeros), [wire._value for wire in seen]

    return Prepared(action, lambda found: [np.stack(found[1]), np.stack(found[0])])
