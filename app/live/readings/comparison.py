"""What the gradients on the canvas are compared with: the same graph with other stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.evaluate import Evaluation
from engine.expand import Link
from engine.snapshot import Snapshot
from engine.stop_effects import snapshot_with_stop


class Comparison(Protocol):
    """Another state of the stops. Comparisons are values: they travel between processes and are compared."""

    def snapshot(self, run: Evaluation) -> Snapshot:
        """The results in that state, under the names that the run has; in the evaluator's process."""

    def lets_pass(self, path: str, /) -> bool:
        """Whether gradients pass a StopGradient block in that state."""


@dataclass(frozen=True)
class WithoutStops:
    """The graph without some StopGradient blocks, by their paths; None stands for all."""

    stops: frozenset[str] | None = None

    def snapshot(self, run: Evaluation) -> Snapshot:
        """The results without those stops."""
        return run.of_other(run.graph, self.stops).snapshot

    def lets_pass(self, path: str, /) -> bool:
        """Whether it is one of them."""
        return self.stops is None or path in self.stops


@dataclass(frozen=True)
class WithStop:
    """The graph with a StopGradient on a wire."""

    link: Link

    def snapshot(self, run: Evaluation) -> Snapshot:
        """The results with that stop; those without it if the wire is gone."""
        return snapshot_with_stop(run, self.link) if self.link in run.snapshot.wires else run.snapshot

    def lets_pass(self, _: str, /) -> bool:
        """No stop is taken away."""
        return False
