"""What the lens of comparison asks of a run."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.compare_graphs import GraphComparison, compare_snapshots
from engine.evaluate import Evaluation
from engine.graph import Graph


@dataclass(frozen=True, eq=False)
class ComparedWith:
    """Asks how the run differs from that of another graph.

    A question travels to another process and back, and is known again by its `number`: graphs are not compared for it.
    """

    graph: Graph
    number: int

    @property
    def topic(self) -> Hashable:
        """There is one comparison."""
        return ComparedWith

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComparedWith) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def answer(self, run: Evaluation) -> GraphComparison:
        """The comparison of the run, A, with the other graph, B."""
        return compare_snapshots(run.snapshot, run.of_other(self.graph).snapshot)
