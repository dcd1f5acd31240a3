"""What the lens of conventions asks of a run."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from blocks.standpoints import Standpoint, standpoints_of
from engine.evaluate import Evaluation


@dataclass(frozen=True)
class StandpointsName:
    """Asks which blocks stand where frameworks choose a gradient."""

    @property
    def topic(self) -> Hashable:
        """There is one list."""
        return StandpointsName

    def answer(self, run: Evaluation) -> tuple[Standpoint, ...]:
        """The standpoints of the run."""
        return standpoints_of(run)
