"""The question for the effect of a StopGradient."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gradwire.app.live.questions.questions import Question
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.stop_effects import StopEffect, effect_of_stop


@dataclass(frozen=True)
class StopAnswer:
    """The effect of a stop: `effect` without its changes, the largest of them, and on how many wires and ports."""

    effect: StopEffect
    largest: float
    wires: int
    ports: int


@dataclass(frozen=True)
class StopName(Question):
    """A question for the effect of a StopGradient block, by its path."""

    place: str

    def answer(self, run: Evaluation) -> StopAnswer | None:
        """Returns the effect, or None if the block is gone."""
        if self.place not in run.lowered.inferred.expanded.instances:
            return None
        effect = effect_of_stop(run, self.place)
        real = [change.place for change in effect.real]
        wires = sum(isinstance(place, Link) for place in real)
        return StopAnswer(replace(effect, changes=()), effect.largest, wires, len(real) - wires)
