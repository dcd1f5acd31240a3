"""The path on which a gradient travels from the loss to a parameter, and the ratios by which blocks scale it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.norms import norm_of
from gradwire.interop.why.dataflow import Dataflow


@dataclass(frozen=True)
class Step:
    """A block on the path, with the ratio by which it scales the gradient."""

    at: str
    ratio: float


class Paths:
    """Paths from parameters to the loss in one run, along the wires with the largest gradients."""

    def __init__(self, flow: Dataflow) -> None:
        self._flow, self._norms = flow, dict[PortName | Link, float]()

    def to_loss(self, start: PortName) -> Iterator[Step]:
        """Yields the blocks that a gradient passes on its way, from the parameter's side on."""
        port = start
        while (link := max(self._flow.readers(port), key=self._norm, default=None)) is not None:
            outputs = self._flow.outputs(link.target.path)
            if not outputs:
                return
            port = max(outputs, key=self._norm)
            arriving, sent = self._norm(port), self._norm(link)
            if arriving > 0:
                yield Step(link.target.path, sent / arriving)

    def _norm(self, place: PortName | Link) -> float:
        if place not in self._norms:
            gradient = self._flow.run.tensor(place, is_gradient=True)
            norm = 0.0 if gradient is None else norm_of(gradient)
            self._norms[place] = norm if math.isfinite(norm) else math.inf
        return self._norms[place]


def growth(steps: Iterable[Step]) -> float:
    """Returns the largest factor by which a gradient grows between two places of its path."""
    most = reached = 1.0
    for ratio in reversed([step.ratio for step in steps if math.isfinite(step.ratio)]):
        reached = max(1.0, reached * ratio)
        most = max(most, reached)
    return most
