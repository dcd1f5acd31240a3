"""An evaluation in plain NumPy that knows the operands of each element, to judge where NaN and infinity come from."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph

Array = np.ndarray[Any, Any]
Element = tuple[str, tuple[int, ...]]

UNARY: dict[str, Callable[[Array], Array]] = {
    "Exp": np.exp, "Log": np.log, "Sqrt": np.sqrt, "Tanh": np.tanh, "Sin": np.sin, "Negative": np.negative,
    "Square": np.square, "Reciprocal": np.reciprocal, "Abs": np.abs,
}  # fmt: skip
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "Add": np.add, "Subtract": np.subtract, "Multiply": np.multiply, "Divide": np.divide, "Maximum": np.maximum,
}  # fmt: skip


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _log_softmax(x: Array) -> Array:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def _logsumexp(x: Array) -> Array:
    highest = x.max(-1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0)
    return np.log(np.exp(x - highest).sum(-1, keepdims=True)) + highest


# Each result of a row depends on the whole row.
ROWS: dict[str, Callable[[Array], Array]] = {
    "Softmax": _softmax, "LogSoftmax": _log_softmax,
    "ReduceSum": lambda x: x.sum(-1, keepdims=True),
    "ReduceMax": lambda x: x.max(-1, keepdims=True),
    "ReduceMean": lambda x: x.mean(-1, keepdims=True),
    "ReduceLogSumExp": _logsumexp,
}  # fmt: skip


@dataclass
class Model:
    """A graph as plain arrays: the values of each block, and the operands of each of their elements."""

    blocks: list[Block] = field(default_factory=list)
    wires: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, Array] = field(default_factory=dict)
    operands: dict[str, Callable[[tuple[int, ...]], list[Element]]] = field(default_factory=dict)
    ports: dict[str, str] = field(default_factory=dict)

    def source(self, kind: str, value: Array) -> str:
        """Adds a block that holds an array."""
        return self._add(kind, {}, value, lambda _: [], {"value": value})

    def apply(self, kind: str, *sources: str) -> str:
        """Adds a block of one of the kinds above, or Where (of x > y), MatMul or Transpose."""
        given = [self.values[name] for name in sources]
        with np.errstate(all="ignore"):
            if kind in UNARY or kind in BINARY:
                result = UNARY[kind](given[0]) if kind in UNARY else BINARY[kind](*given)
                return self._add(kind, dict(zip("xy", sources, strict=False)), result, self._same(sources))
            if kind in ROWS:
                x, result = given[0], ROWS[kind](given[0])
                options = {"axis": [-1], "keepdims": True} if kind.startswith("Reduce") else {}
                row = [*range(x.shape[-1])]
                return self._add(
                    kind, {"x": sources[0]}, result, lambda at: [(sources[0], (*at[:-1], i)) for i in row], options
                )
            if kind == "MatMul":
                a, b = sources
                inner = range(given[0].shape[1])
                return self._add(
                    kind, {"a": a, "b": b}, given[0] @ given[1],
                    lambda at: [item for i in inner for item in ((a, (at[0], i)), (b, (i, at[1])))],
                )  # fmt: skip
            assert kind == "Transpose"
            return self._add(kind, {"x": sources[0]}, given[0].T, lambda at: [(sources[0], at[::-1])])

    def where(self, mask: Array, x: str, y: str) -> str:
        """Adds a Where with a constant condition."""
        condition = self.source("Constant", mask)
        result = np.where(mask, self.values[x], self.values[y])
        taken = np.broadcast_to(mask, result.shape)

        def operands(at: tuple[int, ...]) -> list[Element]:
            return self._same([x if taken[at] else y])(at)

        return self._add("Where", {"condition": condition, "x": x, "y": y}, result, operands)

    def graph(self, end: str) -> Graph:
        """Returns the graph with a Loss of the last block."""
        loss = Block("loss", "Loss")
        return make_graph([*self.blocks, loss], [*self.wires, (f"{end}.{self.ports[end]}", "loss.x")])

    def births(self, element: Element) -> Iterator[Element]:
        """Yields the elements where the NaN of an element arises: NaN, and none of their operands is."""
        waiting, seen = [element], {element}
        while waiting:
            name, at = waiting.pop()
            broken = [item for item in self.operands[name](at) if np.isnan(self.values[item[0]][item[1]])]
            if not broken:
                yield name, at
            waiting += [item for item in broken if item not in seen]
            seen.update(broken)

    def makers(self, element: Element) -> Iterator[Element]:
        """Yields the elements that make an element's NaN or infinity: not finite, although all operands are."""
        waiting, seen = [element], {element}
        while waiting:
            name, at = waiting.pop()
            broken = [item for item in self.operands[name](at) if not np.isfinite(self.values[item[0]][item[1]])]
            if not broken:
                yield name, at
            waiting += [item for item in broken if item not in seen]
            seen.update(broken)

    def is_source(self, name: str) -> bool:
        """Returns whether a block holds its numbers."""
        return any(block.id == name and "value" in block.parameters for block in self.blocks)

    def _same(self, sources: Sequence[str]) -> Callable[[tuple[int, ...]], list[Element]]:
        def operands(at: tuple[int, ...]) -> list[Element]:
            found = []
            for name in sources:
                shape = self.values[name].shape
                own = at[len(at) - len(shape) :]
                found.append((name, tuple(0 if size == 1 else i for size, i in zip(shape, own, strict=True))))
            return found

        return operands

    def _add(
        self, kind: str, wires: dict[str, str], value: Array, operands: Callable[[tuple[int, ...]], list[Element]],
        parameters: dict[str, Any] | None = None,
    ) -> str:  # fmt: skip
        name = f"b{len(self.blocks)}"
        port = {"MatMul": "product"}.get(kind, "z" if kind in BINARY or kind == "Where" else "y")
        self.blocks.append(Block(name, kind, parameters=parameters or {}))
        self.wires += [(f"{source}.{self.ports[source]}", f"{name}.{port}") for port, source in wires.items()]
        self.values[name], self.operands[name], self.ports[name] = value, operands, port
        return name


def random_model(seed: int) -> tuple[Model, str]:
    """Returns a model of 3 by 3 tensors with masks of infinities among its sources, and its last block."""
    choose, model = random.Random(seed), Model()
    numbers = [-2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 800.0]
    names = [
        model.source("Variable", np.array([choose.choice(numbers) for _ in range(9)]).reshape(3, 3)),
        model.source(choose.choice(["Constant", "Input"]), _mask(choose)),
        model.source("Constant", np.array([choose.choice([0.0, 1.0]) for _ in range(9)]).reshape(3, 3)),
    ]
    kinds = [*UNARY, *BINARY, *ROWS, *("MatMul", "Transpose", "Where", "Softmax", "Add", "Multiply") * 2]
    for _ in range(choose.randint(2, 9)):
        kind = choose.choice(kinds)
        x, y = choose.choice(names[-4:]), choose.choice(names)
        if kind == "Where":
            names.append(model.where(np.array([choose.random() < 0.5 for _ in range(3)]), x, y))
        elif kind in ("MatMul", "Transpose") and not all(model.values[item].shape == (3, 3) for item in (x, y)):
            continue
        else:
            names.append(model.apply(kind, x, y) if kind in BINARY or kind == "MatMul" else model.apply(kind, x))
    return model, names[-1]


def _mask(choose: random.Random) -> Array:
    """Returns a mask: causal, of random places, of whole rows, or with infinities of both signs."""
    kind = choose.randrange(4)
    if kind == 0:
        return np.where(np.tri(3, dtype=bool), 0.0, -np.inf)
    allowed = [0.0, -np.inf] if kind < 3 else [0.0, np.inf, -np.inf]
    mask = np.array([choose.choice(allowed) for _ in range(9)]).reshape(3, 3)
    if kind == 2:
        mask[choose.randrange(3)] = -np.inf
    return mask


def every_index(array: Array) -> Iterator[tuple[int, ...]]:
    """Yields the index of each element."""
    yield from itertools.product(*map(range, array.shape))
