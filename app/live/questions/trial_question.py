"""The question for the trial of a fix: how loss and gradients would change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from gradwire.engine.advice.advice import fix_trial
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class TrialWanted:
    """A question for the trial of an edit, a module's function that takes the graph and then `args`.

    The edit is to give a gradient to the wire or port `place`.
    """

    place: PortName | Link
    edit: Callable[..., Graph]
    args: tuple[Any, ...] = ()  # Any: each edit has arguments of its own

    @property
    def topic(self) -> TrialWanted:
        """The question itself: each edit has its own topic."""
        return self

    def answer(self, run: Evaluation) -> Trial | None:
        """Returns the trial, or None if the edit is impossible."""
        return fix_trial(run, partial(_with_args, edit=self.edit, args=self.args), self.place)


def _with_args(graph: Graph, edit: Callable[..., Graph], args: tuple[Any, ...]) -> Graph:
    return edit(graph, *args)
