"""The predicted loss during the drag of a number, from the gradient at the start of the drag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from gradwire.app.base.translation import decimal, tr
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.app.look.numbers import MINUS, fmt
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.explain.forecast import predicted_loss, steps_between
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import pages_along


class Prediction(NamedTuple):
    """The actual loss and the predicted loss."""

    loss: float
    predicted: float

    @property
    def text(self) -> str:
        """Both numbers and the gap between them, which is the curvature of the loss."""
        gap, predicted = fmt(self.loss - self.predicted), _digits(self.predicted)
        return tr("L {loss}, predicted {predicted}, gap {gap}", loss=_digits(self.loss), predicted=predicted, gap=gap)


@dataclass(frozen=True)
class Forecast:
    """A drag in progress: the graph and results at its start."""

    graph: Graph
    results: Results
    # Finding a gradient searches all blocks, and the gradients at the start never change: a cache.
    _gradients: dict[tuple[str, str], Array | None] = field(default_factory=dict)

    def predicted(self, graph: Graph, results: Results, instances: Iterable[Instance]) -> Prediction | None:
        """Returns the loss of a graph beside its prediction, or None if nothing can be predicted."""
        start, now = _loss(self.results), _loss(results)
        steps = steps_between(self.graph, graph)
        if start is None or now is None or not steps:
            return None
        for place in steps.keys() - self._gradients.keys():
            self._gradients[place] = self._gradient(*place, [item.path for item in instances])
        predicted = predicted_loss(start, steps, lambda *place: self._gradients[place])
        return None if predicted is None else Prediction(now, predicted)

    def _gradient(self, page: str, block_id: str, paths: list[str]) -> Array | None:
        """Returns the sum of the gradients of all instances of a block on a page."""
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


class LossPrediction(QObject):
    """The prediction of the loss while a number is dragged. `changed()` when a drag begins or ends."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._forecast: Forecast | None = None

    def begin(self) -> None:
        """Predicts from here on, or already does, by the gradient of the graph as it is now."""
        graph, results = self._session.runs.graph, self._session.results
        if self._forecast is None and self._session.runs.are_current and graph is not None and results is not None:
            self._forecast = Forecast(graph, results)
            self.changed.emit()

    def end(self) -> None:
        """Predicts nothing any longer."""
        if self._forecast is not None:
            self._forecast = None
            self.changed.emit()

    @property
    def newest(self) -> Prediction | None:
        """The newest loss beside the one predicted when a number began to move."""
        graph, results = self._session.runs.graph, self._session.results
        if self._forecast is None or results is None or graph is None:
            return None
        return self._forecast.predicted(graph, results, self._session.inferred.expanded.instances.values())


def _loss(results: Results) -> float | None:
    loss = results.loss
    return None if loss is None or loss.value is None else float(loss.value)


def _digits(number: float) -> str:
    if not np.isfinite(number) or not 0.001 <= abs(number) < 100_000:
        return fmt(number)
    return decimal(f"{number:.5g}".replace("-", MINUS))
