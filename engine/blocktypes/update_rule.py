"""Update rules of training (optimizers): how a variable moves along its gradient, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import NamedTuple

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.expression import Expression

# A number, or a function of the round, counted from 0.
Rate = float | Callable[[int], float]
Coefficients = Callable[[float, int], Mapping[str, float]]


def _rate_alone(rate: float, step: int) -> Mapping[str, float]:
    return {"rate": rate}


class UpdateRule(NamedTuple):
    """Update rule of one variable.

    `update` takes a variable, its gradient and its memory, and returns the new variable and the new memory; `start`
    returns the first memory. Where there is a `rate`, `update` also takes each of the `coefficients` by name, as a
    scalar of the variable's dtype: they follow from the rate, which may change, and from the number of the update,
    counted from 1.
    """

    update: Callable[..., Sequence[Expression]]
    start: Callable[[TensorSpec], Sequence[Array]] = lambda _: ()
    rate: Rate | None = None
    coefficients: Coefficients = _rate_alone


@dataclass(frozen=True)
class RuleType:
    """Kind of update rule by the name that files use; `defaults` has its parameters besides the rate.

    `make` takes the rate and all parameters. A rate of None must be given.
    Raises (in `make`): ParameterError for a parameter that does not fit.
    """

    name: str
    make: Callable[..., UpdateRule]
    rate: float | None
    defaults: Mapping[str, object] = field(default_factory=dict)

    def rule(self, rate: Rate | None = None, **parameters: object) -> UpdateRule:
        """Returns the rule with these parameters; the others have their defaults."""
        return self.make(self.rate if rate is None else rate, **{**self.defaults, **parameters})


class RuleTypes(Mapping[str, RuleType]):
    """All kinds by name. The block library says which module adds them; the first question imports it."""

    def __init__(self) -> None:
        self._kinds: dict[str, RuleType] = {}
        self._module = ""

    def announce(self, module: str) -> None:
        """Takes the name of the module that adds the kinds."""
        self._module = module

    def add(self, kind: RuleType) -> None:
        """Adds a kind."""
        self._kinds[kind.name] = kind

    def __getitem__(self, name: str) -> RuleType:
        return self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def _whole(self) -> dict[str, RuleType]:
        if self._module:
            import_module(self._module)
        return self._kinds


RULES = RuleTypes()
