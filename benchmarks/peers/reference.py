"""The reference results: the same functions in float64, by plain NumPy and a tape."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from benchmarks.peers.case import Array, Case, Mode, unwatched

CHUNK = 10_000


class Node:
    """A value, its parents, and the vector-Jacobian product for each parent."""

    def __init__(self, value: Any, *parents: tuple[Node, Callable[[Array], Array]]) -> None:
        self.value, self.parents = np.asarray(value, float), parents
        self.gradient: Array = np.zeros_like(self.value)


def expected(case: Case) -> list[Array]:
    """Returns the correct results of a case."""
    case, inputs = case.final, case.final_inputs
    if not case.by_element:
        return _expected(case, inputs)
    ((name, whole),) = inputs.items()
    parts = [_expected(case, {name: whole[at : at + CHUNK]}) for at in range(0, len(whole), CHUNK)]
    return [np.sum([part[0] for part in parts]), np.concatenate([part[1] for part in parts])]


def _expected(case: Case, inputs: Mapping[str, Array]) -> list[Array]:
    seen: list[Node] = []

    def watch(node: Node) -> Node:
        seen.append(node)
        return node

    nodes = {name: Node(array) for name, array in inputs.items()}
    loss = case.loss(Ops, nodes, watch if case.mode.sees_all else unwatched)
    _walk_back(loss)
    if case.mode.sees_all:
        return [np.stack([node.value for node in seen]), np.stack([node.gradient for node in seen])]
    wanted = [nodes[name] for name in case.wanted]
    if case.mode is Mode.STEP:
        return [loss.value, *(node.value - case.rate * node.gradient for node in wanted)]
    return [loss.value, *(node.gradient for node in wanted)]


def _walk_back(loss: Node) -> None:
    loss.gradient = np.ones_like(loss.value)
    for node in reversed(_in_order(loss)):
        for parent, back in node.parents:
            parent.gradient = parent.gradient + _down_to(back(node.gradient), parent.value.shape)


def _in_order(loss: Node) -> list[Node]:
    found: dict[int, Node] = {}
    stack: list[tuple[Node, bool]] = [(loss, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            found.setdefault(id(node), node)
        elif id(node) not in found:
            stack += [(node, True), *((parent, False) for parent, _ in node.parents)]
    return list(found.values())


def _down_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    lead = gradient.ndim - len(shape)
    axes = (*range(lead), *(lead + axis for axis, size in enumerate(shape) if size == 1))
    return gradient.sum(axes).reshape(shape) if axes else gradient


class _Places(NamedTuple):
    image: tuple[slice, ...]
    filters: tuple[int, int]


def _places(rows: int, columns: int, size: int) -> Iterable[_Places]:
    for row, column in itertools.product(range(size), repeat=2):
        yield _Places((slice(None), slice(row, row + rows), slice(column, column + columns)), (row, column))


class Ops:
    """The operations as functions of nodes."""

    number = Node

    @staticmethod
    def add(x: Node, y: Node) -> Node:
        return Node(x.value + y.value, (x, lambda g: g), (y, lambda g: g))

    @staticmethod
    def subtract(x: Node, y: Node) -> Node:
        return Node(x.value - y.value, (x, lambda g: g), (y, lambda g: -g))

    @staticmethod
    def multiply(x: Node, y: Node) -> Node:
        return Node(x.value * y.value, (x, lambda g: g * y.value), (y, lambda g: g * x.value))

    @staticmethod
    def divide(x: Node, y: Node) -> Node:
        z = x.value / y.value
        return Node(z, (x, lambda g: g / y.value), (y, lambda g: -g * z / y.value))

    @staticmethod
    def maximum(x: Node, y: Node) -> Node:
        hit = x.value >= y.value
        return Node(np.maximum(x.value, y.value), (x, lambda g: g * hit), (y, lambda g: g * ~hit))

    @staticmethod
    def negative(x: Node) -> Node:
        return Node(-x.value, (x, lambda g: -g))

    @staticmethod
    def identity(x: Node) -> Node:
        return Node(x.value, (x, lambda g: g))

    @staticmethod
    def tanh(x: Node) -> Node:
        y = np.tanh(x.value)
        return Node(y, (x, lambda g: g * (1 - y * y)))

    @staticmethod
    def sin(x: Node) -> Node:
        return Node(np.sin(x.value), (x, lambda g: g * np.cos(x.value)))

    @staticmethod
    def sigmoid(x: Node) -> Node:
        y = 1 / (1 + np.exp(-x.value))
        return Node(y, (x, lambda g: g * y * (1 - y)))

    @staticmethod
    def exp(x: Node) -> Node:
        y = np.exp(x.value)
        return Node(y, (x, lambda g: g * y))

    @staticmethod
    def relu(x: Node) -> Node:
        return Node(np.maximum(x.value, 0), (x, lambda g: g * (x.value > 0)))

    @staticmethod
    def total(x: Node) -> Node:
        return Node(x.value.sum(), (x, lambda g: np.broadcast_to(g, x.value.shape)))

    @staticmethod
    def largest(x: Node) -> Node:
        hit = x.value == x.value.max()
        return Node(x.value.max(), (x, lambda g: g * hit / hit.sum()))

    @staticmethod
    def stop(x: Node) -> Node:
        return Node(x.value)

    @staticmethod
    def matmul(x: Node, y: Node) -> Node:
        return Node(
            x.value @ y.value,
            (x, lambda g: g @ np.swapaxes(y.value, -1, -2)),
            (y, lambda g: np.swapaxes(x.value, -1, -2) @ g),
        )

    @staticmethod
    def transpose(x: Node, perm: tuple[int, ...]) -> Node:
        return Node(x.value.transpose(perm), (x, lambda g: g.transpose(np.argsort(perm))))

    @staticmethod
    def split(x: Node, count: int, axis: int) -> list[Node]:
        def back(place: int, g: Array) -> Array:
            whole = np.zeros_like(x.value)
            np.split(whole, count, axis)[place][...] = g
            return whole

        parts = np.split(x.value, count, axis)
        return [Node(part, (x, functools.partial(back, place))) for place, part in enumerate(parts)]

    @staticmethod
    def softmax(x: Node) -> Node:
        e = np.exp(x.value - x.value.max(-1, keepdims=True))
        y = e / e.sum(-1, keepdims=True)
        return Node(y, (x, lambda g: y * (g - (g * y).sum(-1, keepdims=True))))

    @staticmethod
    def gelu(x: Node) -> Node:
        share = ndtr(x.value)
        density = np.exp(-(x.value**2) / 2) / np.sqrt(2 * np.pi)
        return Node(x.value * share, (x, lambda g: g * (share + x.value * density)))

    @staticmethod
    def normalize(x: Node, gamma: Node, beta: Node) -> Node:
        root = 1 / np.sqrt(x.value.var(-1, keepdims=True) + 0.001)
        unit = (x.value - x.value.mean(-1, keepdims=True)) * root

        def back(g: Array) -> Array:
            g = g * gamma.value
            return root * (g - g.mean(-1, keepdims=True) - unit * (g * unit).mean(-1, keepdims=True))

        return Node(unit * gamma.value + beta.value, (x, back), (gamma, lambda g: g * unit), (beta, lambda g: g))

    @staticmethod
    def plus_bias(x: Node, b: Node) -> Node:
        return Ops.add(x, b)

    @staticmethod
    def reshape(x: Node, shape: tuple[int, ...]) -> Node:
        return Node(x.value.reshape(shape), (x, lambda g: g.reshape(x.value.shape)))

    @staticmethod
    def convolve(x: Node, filters: Node) -> Node:
        size = len(filters.value)
        _, rows, columns, _ = x.value.shape
        edge = size // 2
        padded = np.pad(x.value, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
        places = list(_places(rows, columns, size))

        def to_image(g: Array) -> Array:
            found = np.zeros_like(padded)
            for part, at in places:
                found[part] += g @ filters.value[at].T
            return found[:, edge:-edge, edge:-edge]

        def to_filters(g: Array) -> Array:
            found = np.zeros_like(filters.value)
            for part, at in places:
                found[at] = np.einsum("nijc,nijo->co", padded[part], g)
            return found

        y = sum(padded[part] @ filters.value[at] for part, at in places)
        return Node(y, (x, to_image), (filters, to_filters))

    @staticmethod
    def pool(x: Node) -> Node:
        batch, rows, columns, channels = x.value.shape
        parts = x.value.reshape(batch, rows // 2, 2, columns // 2, 2, channels).transpose(0, 1, 3, 5, 2, 4)
        flat = parts.reshape(*parts.shape[:4], 4)
        hit = np.eye(4)[flat.argmax(-1)]

        def back(g: Array) -> Array:
            spread = (g[..., None] * hit).reshape(parts.shape)
            return spread.transpose(0, 1, 4, 2, 5, 3).reshape(x.value.shape)

        return Node(flat.max(-1), (x, back))

    @staticmethod
    def cross_entropy(logits: Node, labels: Node) -> Node:
        z = logits.value - logits.value.max(-1, keepdims=True)
        log_p = z - np.log(np.exp(z).sum(-1, keepdims=True))
        rows = len(z)
        return Node(
            -(labels.value * log_p).sum() / rows,
            (logits, lambda g: g * (np.exp(log_p) - labels.value) / rows),
        )
