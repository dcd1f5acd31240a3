"""Questions for the effect of a StopGradient; the answer holds readings instead of tensors."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.readings import Reading, reading_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.stop_effects import StopEffect, effect_of_stop, effect_on_wire

# The answer holds this many changes, the largest ones.
LISTED = 300


@dataclass(frozen=True)
class ChangeReading:
    """The gradient of a port or wire before and after, and the distance between them."""

    place: PortName | Link
    before: Reading
    after: Reading
    difference: Reading
    largest: float
    is_rounding: bool


@dataclass(frozen=True)
class StopAnswer:
    """The effect of a stop: `effect` without its changes, the largest ones as readings, and the number of real ones."""

    effect: StopEffect
    largest: float
    changes: tuple[ChangeReading, ...]
    wires: int
    ports: int


@dataclass(frozen=True)
class StopName(Question):
    """A question for the effect of a StopGradient block, by its path, or of one on a wire."""

    place: str | Link

    def answer(self, run: Evaluation) -> StopAnswer | None:
        """Returns the effect, or None if the block or wire is gone."""
        if isinstance(self.place, Link):
            return _answer(effect_on_wire(run, self.place)) if self.place in run.snapshot.wires else None
        is_there = self.place in run.lowered.inferred.expanded.instances
        return _answer(effect_of_stop(run, self.place)) if is_there else None


def _answer(effect: StopEffect) -> StopAnswer:
    real = [change.place for change in effect.real]
    wires = sum(isinstance(place, Link) for place in real)
    changes = tuple(
        ChangeReading(
            change.place, reading_of(change.before), reading_of(change.after), reading_of(change.difference),
            change.largest, change.is_rounding,
        )
        for change in effect.changes[:LISTED]
    )  # fmt: skip
    return StopAnswer(replace(effect, changes=()), effect.largest, changes, wires, len(real) - wires)
