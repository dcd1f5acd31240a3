"""Names of the series that a training logs: a kind before the name of a step, port, Variable or wire.

Losses and metrics have no kind: they are named by their step and port.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.engine.training.probe import Measured
from gradwire.engine.training.round import Round

GRADIENT, STEP, TEST, RATE, DEAD, SATURATED = "|∂L| ", "step ", "test ", "rate ", "dead ", "saturated "
KINDS = (GRADIENT, STEP, TEST, RATE, DEAD, SATURATED)


@dataclass(frozen=True)
class Chunk:
    """Numbers logged in some rounds, by name; `rounds` has the round of each."""

    rounds: Mapping[str, list[int]] = field(default_factory=dict)
    numbers: Mapping[str, list[float]] = field(default_factory=dict)


def is_plain(name: str) -> bool:
    """Returns whether a series is a loss or a metric."""
    return not name.startswith(KINDS)


def numbers_of(done: Round) -> dict[str, float]:
    """Returns the numbers of a round by series."""
    found = {**done.losses, **done.metrics}
    # Most rounds are neither tested nor measured, and small ones take no longer than a few lines.
    if done.test:
        found |= {TEST + name: number for name, number in done.test.items()}
    if done.rates:
        found |= {RATE + name: number for name, number in done.rates.items()}
    if done.sizes:
        found |= {GRADIENT + name: size.gradient for name, size in done.sizes.items()}
        found |= {STEP + name: size.step for name, size in done.sizes.items()}
    return found


def numbers_beside(measured: Measured) -> dict[str, float]:
    """Returns the numbers of a probe by series."""
    found = {GRADIENT + name: number for name, number in measured.norms.items()}
    found |= {DEAD + name: number for name, number in measured.dead.items()}
    return found | {SATURATED + name: number for name, number in measured.saturated.items()}
