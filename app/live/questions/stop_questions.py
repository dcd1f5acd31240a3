"""Asking what a StopGradient changes: the answer holds readings instead of tensors."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from app.live.readings import Reading, reading_of
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.stop_effects import StopEffect, effect_of_stop, effect_on_wire

# How many changes are handed on, the largest.
LISTED = 300


@dataclass(frozen=True)
class ChangeReading:
    """The gradient of a port or wire before and after, and how far they are apart."""

    place: PortName | Link
    before: Reading
    after: Reading
    difference: Reading
    largest: float
    is_rounding: bool


@dataclass(frozen=True)
class StopAnswer:
    """What a stop changes: `effect` without its changes, the largest of them as readings, and how many are real."""

    effect: StopEffect
    largest: float
    changes: tuple[ChangeReading, ...]
    wires: int
    ports: int


@dataclass(frozen=True)
class StopName:
    """Asks what a StopGradient block changes, by its path, or one on a wire."""

    place: str | Link

    @property
    def topic(self) -> Hashable:
        """One is compared at a time."""
        return StopName

    def answer(self, run: Evaluation) -> StopAnswer | None:
        """What it changes; None if the block or wire is gone."""
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
