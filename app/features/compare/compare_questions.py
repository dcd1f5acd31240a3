"""The question of the comparison lens."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import Question
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.compare_graphs import GraphComparison, compare_snapshots
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class ComparedWith(Question):
    """A question for the differences between the run and the run of another graph.

    A question travels to another process and back. Its `number` identifies it, so that graphs need not be compared.
    """

    graph: Graph
    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComparedWith) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def answer(self, run: Evaluation) -> GraphComparison:
        """Returns the comparison of the run, A, with the other graph, B."""
        return compare_snapshots(run.snapshot, run.of_other(self.graph).snapshot)
