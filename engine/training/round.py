"""Results of one round of a training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Sizes(NamedTuple):
    """Euclidean norm of a variable's gradient, and how far a step moves it, in shares of its own norm."""

    gradient: float
    step: float


@dataclass(frozen=True)
class Round:
    """Results of round n: the loss of each step that ran, before its update, and the metrics at the beginning.

    In rounds that test, `test` has losses and metrics of the rows that are held back, at the beginning too.
    `sizes` of gradients and steps, by variable, and `rates` by step are there where they were asked for. For the end
    of the plan, `ranges` has the smallest and largest element of a variable after the round, `statuses` a port's
    status in the first round and at the beginning of this one.
    """

    n: int
    losses: Mapping[str, float]
    metrics: Mapping[str, float] = field(default_factory=dict)
    test: Mapping[str, float] = field(default_factory=dict)
    sizes: Mapping[str, Sizes] = field(default_factory=dict)
    rates: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    statuses: Mapping[str, tuple[str, str]] = field(default_factory=dict)
