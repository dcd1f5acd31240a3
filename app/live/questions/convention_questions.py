"""The question of the convention lens."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from gradwire.blocks.support.standpoints import Standpoint, standpoints_of
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class StandpointsName:
    """A question for the blocks at points where frameworks choose a gradient."""

    @property
    def topic(self) -> Hashable:
        """The class: there is one list."""
        return StandpointsName

    def answer(self, run: Evaluation) -> tuple[Standpoint, ...]:
        """Returns the standpoints of the run."""
        return standpoints_of(run)
