"""What is compared: a function written once, for whatever does the operations, and numbers to put into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from engine.graph import Graph

Array = np.ndarray[Any, Any]
# What stands on a wire: an array, a tensor of a framework, an expression.
Wire = Any
Watch = Callable[[Wire], Wire]


class Mode(StrEnum):
    """What is asked for, and so what is timed."""

    GRADIENTS = "loss and gradients of the inputs"
    STEP = "one step of SGD"
    EVERY_WIRE = "value and gradient of every block"
    ONE_LEAF = "every block again after one leaf changed"
    ONE_EDIT = "every block again after one block was edited"

    @property
    def sees_all(self) -> bool:
        """Whether the result is the value and the gradient of every block."""
        return self not in (Mode.GRADIENTS, Mode.STEP)


@dataclass(frozen=True)
class Case:
    """One row of the comparison.

    `loss` takes operations, wires by name, and a function through which it sends what every block gives. `wanted` are
    the inputs whose gradients are asked for. Where there is a `graph` it says the same as `loss`; `changed` are the
    numbers of a leaf, or `edited` the case after an edit. In a case that is `by_element` no element meets another
    before the loss adds them up.
    """

    name: str
    mode: Mode
    inputs: Mapping[str, Array]
    wanted: tuple[str, ...]
    loss: Callable[[Any, Mapping[str, Wire], Watch], Wire]
    graph: Graph | None = None
    changed: tuple[str, Array] | None = None
    edited: Case | None = None
    by_element: bool = False
    rate: float = 0.05

    @property
    def final(self) -> Case:
        """The case whose numbers are right after what is timed has been done once."""
        return self if self.edited is None else self.edited

    @property
    def final_inputs(self) -> Mapping[str, Array]:
        """The inputs after what is timed has been done once."""
        return self.inputs if self.changed is None else {**self.inputs, self.changed[0]: self.changed[1]}


class Prepared(NamedTuple):
    """What is timed, and how its results become arrays: loss and gradients (or what a step made of the inputs that
    are `wanted`), or the values and the gradients of all blocks, a row each."""

    action: Callable[[], Any]
    read: Callable[[Any], list[Array]]


def unwatched(wire: Wire) -> Wire:
    """Where nobody asks what the blocks between give."""
    return wire
