"""The state with which the canvas compares gradients: the same graph with other stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import Snapshot


class Comparison(Protocol):
    """Another state of the stops. Comparisons are values: they travel between processes and can be compared."""

    def snapshot(self, run: Evaluation) -> Snapshot:
        """Returns the results in that state, with the names of the run. It is called in the evaluator's process."""

    def lets_pass(self, path: str, /) -> bool:
        """Returns whether gradients pass a StopGradient block in that state."""


@dataclass(frozen=True)
class WithoutStops:
    """The graph without its StopGradient blocks."""

    def snapshot(self, run: Evaluation) -> Snapshot:
        """Returns the results without stops."""
        return run.of_other(run.graph, None).snapshot

    def lets_pass(self, _: str, /) -> bool:
        """Returns true: gradients pass every StopGradient."""
        return True
