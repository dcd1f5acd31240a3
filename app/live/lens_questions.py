"""What the lenses of numbers ask of a run; each answer is worked out by a function of the engine."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.evaluate import Evaluation
from engine.flow import Flow, flow_of


@dataclass(frozen=True)
class FlowName:
    """Asks how much of the gradient each block passes on."""

    @property
    def topic(self) -> Hashable:
        """There is one flow."""
        return FlowName

    def answer(self, run: Evaluation) -> Flow:
        """The flow of the run."""
        return flow_of(run)
