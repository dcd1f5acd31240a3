"""The ghost of the loss while a number is dragged: what the gradient at the start of the drag predicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from app.live.readings import Results
from app.look.numbers import MINUS, fmt
from app.words import decimal, tr
from engine.expand import Instance, PortName
from engine.forecast import predicted_loss, steps_between
from engine.graph import Graph
from engine.ports import pages_along
from engine.tensor_spec import Array


class Ghost(NamedTuple):
    """The loss as it is and as it was predicted."""

    loss: float
    predicted: float

    @property
    def text(self) -> str:
        """Both numbers and the gap between them, which is the curvature of the loss."""
        gap = fmt(self.loss - self.predicted)
        return tr("L {loss}, predicted {ghost}, gap {gap}", loss=self.loss_text, ghost=self.ghost_text, gap=gap)

    @property
    def loss_text(self) -> str:
        """The loss, with more digits than usual: the two are often close."""
        return _digits(self.loss)

    @property
    def ghost_text(self) -> str:
        """The prediction, likewise."""
        return _digits(self.predicted)


@dataclass(frozen=True)
class Forecast:
    """A drag under way: the graph where it began and what was known of it."""

    graph: Graph
    results: Results
    # Each is looked for among all blocks, and never changes.
    _gradients: dict[tuple[str, str], Array | None] = field(default_factory=dict)

    def ghost(self, graph: Graph, results: Results, instances: Iterable[Instance]) -> Ghost | None:
        """The loss of a graph beside its prediction; None where nothing can be predicted."""
        start, now = _loss(self.results), _loss(results)
        steps = steps_between(self.graph, graph)
        if start is None or now is None or not steps:
            return None
        for place in steps.keys() - self._gradients.keys():
            self._gradients[place] = self._gradient(*place, [item.path for item in instances])
        predicted = predicted_loss(start, steps, lambda *place: self._gradients[place])
        return None if predicted is None else Ghost(now, predicted)

    def _gradient(self, page: str, block_id: str, paths: list[str]) -> Array | None:
        """What all uses of a block on a page get back together."""
        total: Array | None = None
        for path in paths:
            parent, _, name = path.rpartition("/")
            pages = pages_along(self.graph, parent) if name == block_id else []
            if not pages or pages[-1].name != page:
                continue
            reading = self.results.port(PortName(path, "y"))
            if reading is None or reading.gradient is None:
                return None
            part = np.array(reading.gradient.first)
            total = part if total is None else total + part
        return total


def _loss(results: Results) -> float | None:
    loss = results.loss
    return None if loss is None or loss.value is None else float(loss.value)


def _digits(number: float) -> str:
    if not np.isfinite(number) or not 0.001 <= abs(number) < 100_000:
        return fmt(number)
    return decimal(f"{number:.5g}".replace("-", MINUS))
