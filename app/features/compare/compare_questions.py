"""The questions of the comparison, and the state that the canvas shows beside its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.app.live.parts import Parts
from gradwire.app.live.questions.questions import Lasting, Question
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits.training_edits import set_values
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.compare_graphs import GraphComparison, compare_snapshots, first_difference
from gradwire.engine.explain.stop_effects import snapshot_with_stop, with_stop
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.lockstep import Lockstep, Reached, Variant


def other_graph(_: Graph, other: Graph) -> Graph:
    """Returns the other graph."""
    return other


def stop_on(graph: Graph, link: Link) -> Graph:
    """Returns the graph with a StopGradient on a wire."""
    return with_stop(graph, link)[0]


@dataclass(frozen=True)
class Against:
    """The graph B in the round `n` of a comparison, with the values that its variables have then."""

    number: int
    n: int
    variant: Variant = field(compare=False)
    values: Mapping[str, Array] = field(compare=False)

    def graph(self, graph: Graph) -> Graph:
        """Returns B for the graph A."""
        return set_values(self.variant.graph(graph), self.values)

    def snapshot(self, run: Evaluation) -> Snapshot:
        """Returns the results of B; a stop on a wire leaves the wire its name."""
        if self.variant.edit is stop_on:
            return snapshot_with_stop(run.of_other(set_values(run.graph, self.values)), *self.variant.args)
        return run.of_other(self.graph(run.graph), self.variant.ignored).snapshot

    def lets_pass(self, path: str, /) -> bool:
        """Returns whether gradients pass a StopGradient in B."""
        return path in self.variant.ignored


@dataclass(frozen=True)
class ComparedWith(Question):
    """A question for the differences between the run, A, and B in the same round."""

    other: Against

    def answer(self, run: Evaluation) -> GraphComparison:
        """Returns the comparison of both runs."""
        return compare_snapshots(run.snapshot, self.other.snapshot(run))


class _Kept:
    """The training in lockstep that was asked for last."""

    def __init__(self, _: Parts) -> None:
        self.number = -1
        self.lockstep: Lockstep | None = None


@dataclass(frozen=True)
class LockstepWanted(Lasting):
    """A question for what A and B have come to in a round; `number` says which comparison it is.

    They come only as far as the `seconds` last: no run interrupts it, and an edit must not wait long.
    """

    number: int
    n: int
    graph: Graph = field(compare=False)
    variant: Variant = field(compare=False)
    seconds: float = field(default=math.inf, compare=False)

    def answer_from(self, kept: Parts, run: Evaluation | None) -> Reached | str:
        """Trains on, or from the start where both are further already; returns why that is impossible."""
        held = kept.part(_Kept)
        if held.lockstep is None or held.number != self.number or held.lockstep.round > self.n:
            try:
                held.number, held.lockstep = self.number, Lockstep(self.graph, self.variant, first_difference)
            except EditError as error:
                return str(error)
        held.lockstep.go_to(self.n, self.seconds)
        return held.lockstep.reached()
