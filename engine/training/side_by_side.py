"""Two trainings side by side, of a graph as it is and as a fix would make it."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer

# Both trainings take so many rounds, as far as they get in so many seconds together.
ROUNDS, SECONDS = 50, 2.0


@dataclass(frozen=True)
class SideBySide:
    """Losses of two trainings: at the start, and after `rounds`.

    NaN stands for a training that broke off, because a number was not finite or nothing could be trained.
    """

    rounds: int
    before: tuple[float, float]
    after: tuple[float, float]


class _Course:
    """Training of a graph by its plan, or by Adam without one, until a number is not finite."""

    def __init__(self, graph: Graph) -> None:
        self.losses: list[float] = []
        try:
            self._trainer: Trainer | None = Trainer(graph)
        except (JsonFault, GradwireError):
            self._trainer = None

    def go_on(self) -> None:
        """Runs a round and notes the loss before its step, NaN once the training has broken off."""
        losses: dict[str, float] = {}
        if self._trainer is not None:
            try:
                with np.errstate(all="ignore"):
                    losses = dict(self._trainer.run_round().losses)
            except GradwireError:
                self._trainer = None
        self.losses.append(next(iter(losses.values()), float("nan")))


def train_both(graph: Graph, other: Graph, seconds: float = SECONDS) -> SideBySide | None:
    """Returns the losses of two graphs after some rounds each; None if the time is too short for one, or both fail.

    Cost: `ROUNDS` rounds of each graph, or as many as both do in the time. Units: `seconds`.
    """
    end = time.perf_counter() + seconds
    first, second = _Course(graph), _Course(other)
    # The loss of a round is that before its step: one round more shows what the last step has made of it.
    while len(second.losses) <= ROUNDS and time.perf_counter() < end:
        first.go_on()
        second.go_on()
    rounds = len(second.losses) - 1
    if rounds < 1 or np.isnan([first.losses[0], second.losses[0]]).all():
        return None
    before, after = ((course.losses[0], course.losses[-1]) for course in (first, second))
    return SideBySide(rounds, before, after)
