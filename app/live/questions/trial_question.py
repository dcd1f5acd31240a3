"""The question for the trial of a fix: how loss and gradients would change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gradwire.app.live.questions.questions import OwnTopic, Question
from gradwire.engine.advice.advice import fix_trial
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.side_by_side import SideBySide, train_both


@dataclass(frozen=True)
class TrialWanted(OwnTopic):
    """A question for the trial of an edit, a module's function that takes the graph and then `args`.

    The edit is to give a gradient to the wire or port `place`.
    """

    place: PortName | Link
    edit: Callable[..., Graph]
    args: tuple[Any, ...] = ()  # Any: each edit has arguments of its own

    def answer(self, run: Evaluation) -> Trial | None:
        """Returns the trial, or None if the edit is impossible."""
        return fix_trial(run, edit_with(self.edit, self.args), self.place)


@dataclass(frozen=True)
class RoundsWanted(Question):
    """A question for what a fix would give: some rounds of training with it, and as many without it.

    `key` says which fix is meant.
    """

    key: str
    edit: Callable[[Graph], Graph] = field(compare=False)

    def answer(self, run: Evaluation) -> SideBySide | None:
        """Returns the losses of both trainings; None if the edit is impossible or there is nothing to compare."""
        try:
            return train_both(run.graph, self.edit(run.graph))
        except (EditError, BlockError):
            return None


def edit_with(edit: Callable[..., Graph], args: tuple[Any, ...]) -> Callable[[Graph], Graph]:
    """Returns an edit with its arguments, which travels between processes."""
    return partial(_with_args, edit=edit, args=args)


def _with_args(graph: Graph, edit: Callable[..., Graph], args: tuple[Any, ...]) -> Graph:
    return edit(graph, *args)
