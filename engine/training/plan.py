"""Plan of training: the steps of a round, what each trains and by which rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gradwire.engine.blocktypes.update_rule import UpdateRule
from gradwire.engine.training.schedules import Schedule
from gradwire.engine.training.until import Until


@dataclass(frozen=True)
class Clip:
    """Limit of gradients: `kind` is value, norm or global_norm."""

    kind: str
    limit: float


@dataclass(frozen=True)
class Rule:
    """Update rule of a step with its schedule; decay is added to the gradient (coupled) or taken from the variable.

    `parameters` has those of its type, besides the rate.
    """

    type: str
    update: UpdateRule
    rate: Schedule
    coupled: float = 0.0
    decoupled: float = 0.0
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step of a round.

    `rule` is None where it only assigns. `loss` is the `page/id` of a Loss block, None the sum of all. `variables` are
    the names as the plan lists them; `assign` maps a Variable to the port whose value it takes. It runs in rounds
    `begin` to `end`, without that one, each time that `every` rounds have passed. The rule moves once for the mean
    gradient of `accumulate` computations.
    """

    name: str
    rule: Rule | None = None
    loss: str | None = None
    maximize: bool = False
    variables: tuple[str, ...] = ("*",)
    clip: Clip | None = None
    assign: Mapping[str, str] = field(default_factory=dict)
    accumulate: int = 1
    times: int = 1
    every: int = 1
    begin: int = 0
    end: int | None = None

    def runs_in(self, n: int) -> bool:
        """Returns whether the step runs in round n, counted from 0."""
        return self.begin <= n and (self.end is None or n < self.end) and n % self.every == self.every - 1

    @property
    def runs_always(self) -> bool:
        """Whether the step runs in every round."""
        return self.every == 1 and self.begin == 0 and self.end is None


@dataclass(frozen=True)
class Plan:
    """Whole plan; `metrics` are ports that are logged at the beginning of each round."""

    steps: tuple[Step, ...]
    seed: int = 0
    until: Until = field(default_factory=Until)
    metrics: tuple[str, ...] = ()
    test_every: int = 0
    checks: tuple[Mapping[str, object], ...] = ()
