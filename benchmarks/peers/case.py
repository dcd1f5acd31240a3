"""The subject of the comparison: a function of abstract operations, and numbers for its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.graph.graph import Graph

Array = np.ndarray[Any, Any]
# The content of a wire: an array, a framework's tensor, or an expression.
Wire = Any
Watch = Callable[[Wire], Wire]


class Mode(StrEnum):
    """The task that is timed."""

    GRADIENTS = "loss and gradients of the inputs"
    STEP = "one step of SGD"
    EVERY_WIRE = "value and gradient of every block"
    ONE_LEAF = "every block again after one leaf changed"
    ONE_EDIT = "every block again after one block was edited"

    @property
    def sees_all(self) -> bool:
        """True if the result is the value and the gradient of every block."""
        return self not in (Mode.GRADIENTS, Mode.STEP)


@dataclass(frozen=True)
class Case:
    """One row of the comparison.

    `loss` takes operations, wires by name, and a function that receives each block's output. `wanted` are the
    inputs whose gradients are requested. A `graph` computes the same as `loss`. `changed` holds a leaf's new
    numbers, `edited` the case after an edit. If a case is `by_element`, elements are independent until the loss
    adds them up.
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
        """The case with the correct numbers after the timed action has run once."""
        return self if self.edited is None else self.edited

    @property
    def final_inputs(self) -> Mapping[str, Array]:
        """The inputs after the timed action has run once."""
        return self.inputs if self.changed is None else {**self.inputs, self.changed[0]: self.changed[1]}


class Prepared(NamedTuple):
    """A timed action, and the conversion of its results to arrays.

    The arrays are loss and gradients, a step's new values of the `wanted` inputs, or values and gradients of all
    blocks, a row each.
    """

    action: Callable[[], Any]
    read: Callable[[Any], list[Array]]


def unwatched(wire: Wire) -> Wire:
    """Returns the wire, for cases that ignore the outputs of inner blocks."""
    return wire
