"""Statuses of ports during a training, for plans that end when one changes."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.graph.graph import Graph


class Statuses:
    """Statuses of some ports, now and where the training began. Cost: one run of the graph for each call."""

    def __init__(self, ports: Iterable[str], loss: str | None, ignored_stops: Set[str] = frozenset()) -> None:
        self._ports, self._loss, self._ignored_stops = tuple(ports), loss, ignored_stops
        self._first: dict[str, str] = {}
        self._rerun: Rerun | None = None
        self._newest: Graph | None = None

    def of(self, graph: Graph) -> dict[str, tuple[str, str]]:
        """Returns the first status and the newest one of each port."""
        with collection_paused():
            run = self._run(replace(graph, loss=self._loss, training=None))
            now = {port: _status(run, port).value.replace("_", " ") for port in self._ports}
        self._first = self._first or now
        return {port: (self._first[port], status) for port, status in now.items()}

    def _run(self, graph: Graph) -> Evaluation:
        before, self._newest = self._newest, graph
        values = None if before is None else new_values(before, graph)
        found = None
        if self._rerun is not None and values is not None:
            found = self._rerun.run(graph, values)
        elif self._rerun is not None:
            # A data block shows another batch, which is an edit of its parameters.
            updated = self._rerun.update(graph)
            found = None if updated is None else updated[0]
        if found is None:
            found = run_graph(graph, self._ignored_stops)
            self._rerun = Rerun(found)
        return found


def _status(run: Evaluation, port: str) -> Status:
    path, _, name = port.rpartition(".")
    place = run.structure.port_index.ports[PortName(path, name)]
    if place.status is not None or place.arrival is None or isinstance(place.arrival, Edge):
        return place.status or Status.UNKNOWN
    return run.tolerances.status_of_total(place.arrival)
