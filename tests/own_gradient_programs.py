"""Random programs whose functions have gradients of their own, as plain data: for graphs, and for TensorFlow.

Nothing but the standard library is used, so that a recording can read them where Gradwire is not installed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

COUNT, SIZE = 300, 3
KINDS = ("clip", "reversal", "straight_through", "softplus", "scale", "random")
UNARY = ("Tanh", "Sin", "Cos", "Sigmoid", "Negative", "Relu", "Identity")
BINARY = ("Add", "Subtract", "Multiply", "Maximum", "Minimum")
# Bounds and factors of rules, and values of inputs: few numbers, so that elements tie.
NUMBERS = (-1.5, -1.0, -0.5, 0.5, 1.0, 2.0)


class Step(NamedTuple):
    """One block: its name, its type, and the tensors or numbers that it takes.

    The type "use NAME" is the use of a function with results `name.y0`, `name.y1`; another one's result has its name.
    "Gradients" takes a tensor and one by which to differentiate its sum.
    """

    name: str
    kind: str
    arguments: tuple[str | float, ...]

    @property
    def used(self) -> str | None:
        """Name of the function that is used."""
        return self.kind.removeprefix("use ") if self.kind.startswith("use ") else None


@dataclass
class Function:
    """Inputs, steps and results by their names; `gradient` is the function that gives its gradient."""

    inputs: list[str]
    steps: list[Step] = field(default_factory=list)
    results: dict[str, str] = field(default_factory=dict)
    gradient: str | None = None


@dataclass
class Program:
    """Values of the inputs, functions, the steps with names of tensors whose sums are the loss."""

    kind: str
    inputs: dict[str, list[float]]
    functions: dict[str, Function]
    steps: list[Step]
    losses: list[str]


class _Draw:
    """Random choices that are the same for every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def is_true(self, share: float) -> bool:
        return self._random() < share

    def one(self, items: Sequence[str]) -> str:
        return items[int(self._random() * len(items))]

    def number(self) -> float:
        return NUMBERS[int(self._random() * len(NUMBERS))]

    def whole(self, first: int, last: int) -> int:
        return first + int(self._random() * (last - first + 1))


def program(seed: int) -> Program:
    """Returns the random program of a number below COUNT."""
    draw = _Draw(seed)
    kind = KINDS[seed % len(KINDS)]
    made = Program(kind, {}, {}, [], [])
    made.inputs = {f"i{place}": [draw.whole(-8, 8) / 4 for _ in range(SIZE)] for place in range(draw.whole(1, 3))}
    _declare(kind, "f", made, draw)
    if draw.is_true(0.4):
        _declare(KINDS[draw.whole(0, len(KINDS) - 1)], "g", made, draw)
    if draw.is_true(0.3):
        _nest(made, draw)
    known = list(made.inputs)
    for place in range(draw.whole(5, 9)):
        names = list(made.functions)
        used = [name for name in names if not name.startswith("d")]
        must = place in (1, 3)
        made.steps.append(_step(f"b{place}", known, draw, used if must or draw.is_true(0.2) else []))
        known += _results(made.steps[-1], made.functions)
    if draw.is_true(0.4):
        made.steps.append(Step("by", "Gradients", (known[-1], draw.one(known[:-1]))))
        made.steps.append(Step("last", "Multiply", ("by", draw.one(known))))
        known.append("last")
    made.losses = list(dict.fromkeys([known[-1], draw.one(known)]))
    return made


def _results(step: Step, functions: dict[str, Function]) -> list[str]:
    return [step.name] if step.used is None else [f"{step.name}.{name}" for name in functions[step.used].results]


def _step(name: str, known: Sequence[str], draw: _Draw, used: Sequence[str] = ()) -> Step:
    """Returns a random step that takes known tensors, the last one first."""
    if used:
        return Step(name, f"use {draw.one(used)}", tuple(draw.one(known[-4:]) for _ in range(3)))
    if draw.is_true(0.05):
        return Step(name, "StopGradient", (known[-1],))
    if draw.is_true(0.5):
        return Step(name, draw.one(UNARY), (known[-1],))
    return Step(name, draw.one(BINARY), (known[-1], draw.one(known)))


def _declare(kind: str, name: str, made: Program, draw: _Draw) -> None:
    """Adds a function of a kind, and the one that gives its gradient."""
    number = draw.number()
    forward, backward = Function(["x0"], gradient=f"d{name}"), Function(["d_y0"])
    forward.steps, forward.results = [Step("f0", "Identity", ("x0",))], {"y0": "f0"}
    backward.results = {"d_x0": "g0"}
    if kind == "clip":
        backward.steps = [Step("low", "Constant", (-abs(number),)), Step("high", "Constant", (abs(number),))]
        backward.steps.append(Step("g0", "ClipByValue", ("d_y0", "low", "high")))
    elif kind == "reversal":
        backward.steps = [Step("g0", "Negative", ("d_y0",))]
    elif kind == "straight_through":
        forward.steps = [Step("f0", draw.one(("Round", "Floor", "Sign")), ("x0",))]
        backward.steps = [Step("g0", "Identity", ("d_y0",))]
    elif kind == "softplus":
        forward.steps = [Step("one", "Constant", (1.0,)), Step("e", "Exp", ("x0",))]
        forward.steps += [Step("sum", "Add", ("one", "e")), Step("f0", "Log", ("sum",))]
        backward.inputs.append("x0")
        backward.steps = [Step("s", "Sigmoid", ("x0",)), Step("g0", "Multiply", ("d_y0", "s"))]
    elif kind == "scale":
        backward.steps = [Step("factor", "Constant", (number,)), Step("g0", "Multiply", ("factor", "d_y0"))]
    else:
        forward, backward = _random_pair(f"d{name}", draw)
    made.functions |= {name: forward, f"d{name}": backward}


def _random_pair(gradient: str, draw: _Draw) -> tuple[Function, Function]:
    inputs = [f"x{place}" for place in range(draw.whole(1, 3))]
    forward = Function(inputs, gradient=gradient)
    known = list(inputs)
    for place in range(draw.whole(1, 4)):
        forward.steps.append(_step(f"f{place}", known, draw))
        known.append(f"f{place}")
    made = known[len(inputs) :]
    forward.results = {f"y{place}": item for place, item in enumerate(dict.fromkeys((made[-1], draw.one(made))))}
    incoming = [f"d_{name}" for name in forward.results]
    given = [name for name in (*inputs, *forward.results) if draw.is_true(0.6)]
    backward = Function([*given, *incoming])
    known = [*backward.inputs]
    for place in range(draw.whole(1, 4)):
        backward.steps.append(_step(f"g{place}", known, draw))
        known.append(f"g{place}")
    backward.results = {f"d_{name}": draw.one(known[-3:]) for name in inputs if draw.is_true(0.85)}
    if not backward.results:
        backward.results = {f"d_{inputs[0]}": known[-1]}
    return forward, backward


def _nest(made: Program, draw: _Draw) -> None:
    """Adds a function that uses the others: in its own blocks, or in those of its gradient."""
    used = [name for name in made.functions if not name.startswith("d")]
    steps = [_step("u0", ["x0"], draw, used)]
    inner = _results(steps[0], made.functions)
    outer = Function(["x0"], [*steps, Step("u1", "Tanh", (inner[-1],))], {"y0": "u1"})
    if draw.is_true(0.5):
        outer.gradient = "dh"
        steps = [_step("v0", ["x0"], draw, used)]
        last = _results(steps[0], made.functions)[-1]
        made.functions["dh"] = Function(
            ["x0", "d_y0"], [*steps, Step("v1", "Multiply", (last, "d_y0"))], {"d_x0": "v1"}
        )
    made.functions["h"] = outer
