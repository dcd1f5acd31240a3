"""Statuses of ports during a training, for plans that end when one changes."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph


class Statuses:
    """Statuses of some ports, now and where the training began. Cost: one evaluation of the graph for each call."""

    def __init__(self, ports: Iterable[str], loss: str | None, ignored_stops: Set[str] = frozenset()) -> None:
        self._ports, self._loss, self._ignored_stops = tuple(ports), loss, ignored_stops
        self._first: dict[str, str] = {}

    def of(self, graph: Graph) -> dict[str, tuple[str, str]]:
        """Returns the first status and the newest one of each port."""
        snapshot = evaluate(replace(graph, loss=self._loss, training=None), self._ignored_stops)
        now = {port: snapshot.port(port).status.value.replace("_", " ") for port in self._ports}
        self._first = self._first or now
        return {port: (self._first[port], status) for port, status in now.items()}
