"""Two trainings in lockstep: a graph as it is, A, and with one thing otherwise, B; and where they first differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.run import USUAL_ROUNDS
from gradwire.engine.training.trainer import Trainer


@dataclass(frozen=True)
class Variant:
    """What B has otherwise: StopGradients, by their paths, that let gradients pass, and an edit of the graph.

    `edit` is a module's function that takes the graph and then `args`, so that a variant can travel.
    """

    ignored: frozenset[str] = frozenset()
    edit: Callable[..., Graph] | None = None
    args: tuple[Any, ...] = ()  # Any: each edit has arguments of its own

    def graph(self, graph: Graph) -> Graph:
        """Returns the graph that B is. Raises: EditError if the edit is impossible."""
        return graph if self.edit is None else self.edit(graph, *self.args)


# Finds the first wire at which two runs differ, and whether it is in its gradient.
Finder = Callable[[Evaluation, Evaluation], tuple[Link, bool] | None]


@dataclass(frozen=True)
class FirstDifference:
    """First wire at which A and B differ, in the order in which a round computes: values, then gradients backward."""

    round: int
    link: Link
    is_gradient: bool


@dataclass(frozen=True)
class Reached:
    """What both trainings have come to after so many rounds of `end`.

    `losses` has for A and B the loss before each round, `values` their variables, by `page/id`. `fault` says why they
    go no further.
    """

    round: int
    end: int
    losses: tuple[tuple[float, ...], tuple[float, ...]]
    values: tuple[dict[str, Array], dict[str, Array]]
    first: FirstDifference | None
    fault: str = ""


class Lockstep:
    """Training of A and B, one round of each after the other; `finder` tells whether they differ.

    A graph that cannot be trained stays at round 0.
    """

    def __init__(self, graph: Graph, variant: Variant, finder: Finder) -> None:
        self._finder = finder
        self._graphs, self._ignored = (graph, variant.graph(graph)), (frozenset[str](), variant.ignored)
        self._trainers: list[Trainer] = []
        self._losses: tuple[list[float], list[float]] = [], []
        self._first: FirstDifference | None = None
        self._fault = ""
        self.round, self.end = 0, 0
        try:
            self._trainers = [
                Trainer(graph, ignored_stops=ignored)
                for graph, ignored in zip(self._graphs, self._ignored, strict=True)
            ]
            steps = plan_of(graph).until.steps
            self.end = USUAL_ROUNDS if steps is None else steps
        except (JsonFault, GradwireError) as error:
            self._fault = str(error)
        self._look()

    def go_to(self, n: int, seconds: float = math.inf) -> None:
        """Trains both to a round, or as far as both come in so many seconds, by one round at least."""
        end = perf_counter() + seconds
        while self.round < min(n, self.end) and not self._fault:
            try:
                with np.errstate(all="ignore"):
                    losses = [next(iter(trainer.run_round().losses.values()), np.nan) for trainer in self._trainers]
            except GradwireError as error:
                self._fault = str(error)
                return
            for series, loss in zip(self._losses, losses, strict=True):
                series.append(loss)
            self.round += 1
            self._look()
            if perf_counter() >= end:
                return

    def reached(self) -> Reached:
        """Returns what both have come to."""
        values = [trainer.variables for trainer in self._trainers] or [{}, {}]
        losses = tuple(self._losses[0]), tuple(self._losses[1])
        return Reached(self.round, self.end, losses, (values[0], values[1]), self._first, self._fault)

    def _look(self) -> None:
        """Looks for the first difference, until there is one. Cost: an evaluation of both graphs."""
        if self._first is None:
            graphs = [trainer.graph for trainer in self._trainers] or self._graphs
            a, b = (run_graph(graph, ignored) for graph, ignored in zip(graphs, self._ignored, strict=True))
            found = self._finder(a, b)
            self._first = None if found is None else FirstDifference(self.round, *found)
