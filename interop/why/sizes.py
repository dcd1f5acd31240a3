"""Gradients that explode or vanish: their size beside that of the parameters and of the other gradients, and where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.interop.why.dataflow import Dataflow
from gradwire.interop.why.finding import Finding, Spot, State
from gradwire.interop.why.paths import Paths, Step, growth
from gradwire.interop.why.reasons import Words

# A gradient below this share of the largest one moves its parameter next to nowhere.
_FAINT: Final = 1e-6
# A gradient explodes if it is so many times the parameter, and grew so much over steps that enlarge it; or if it is
# enormous by itself. Units of the second: numbers, or times the parameter.
_STEEP: Final = 1e3
# Parameters that begin at 0 count as of this size.
_SMALL: Final = 0.1
_GROWN, _LEAST_STEPS = 1e5, 5
_ENORMOUS: Final = 1e6
# A spot that changes a gradient again and again is told first. Units: the logarithm of the ratio.
_SPOKEN_OF: Final = math.log(1e3)
# A squashing step that leaves less of a gradient is saturated.
_SATURATED: Final = math.log(1e3)
_SQUASHING: Final = ("sigmoid", "tanh", "softmax", "log_softmax", "erf", "hardsigmoid", "hardtanh", "softsign")


IN_EVAL: Final = (
    "Their sizes say little, for batch normalisations use stored statistics (eval): call .train() for the gradients of "
    "training."
)


@dataclass(frozen=True)
class _Change:
    """A spot that changes a gradient on its path, e to the power of `total` times in `count` steps from `first` on."""

    spot: Spot
    total: float
    count: int
    first: str = ""

    @property
    def how_often(self) -> str:
        return f"in {self.count} step{'s' * (self.count > 1)}"


class Sizes:
    """Findings about the sizes of the gradients of some parameters, which are given by name."""

    def __init__(self, flow: Dataflow, words: Words, parameters: Mapping[str, PortName]) -> None:
        self._flow, self._words, self._parameters, self._paths = flow, words, parameters, Paths(flow)

    def findings(self, names: Iterable[str]) -> dict[str, Finding]:
        """Returns a finding for each of these parameters whose gradient explodes or vanishes.

        Those of one spot have one reason, with the numbers of the parameter that suffers most.
        """
        groups: dict[tuple[State, Spot], list[tuple[_Change, str]]] = {}
        for name in names:
            state, steps = self._state(name)
            if state is not None:
                change = self._worst(steps, 1 if state is State.EXPLODING else -1)
                groups.setdefault((state, change.spot), []).append((change, name))
        found = dict[str, Finding]()
        for (state, spot), group in groups.items():
            worst, extreme = max(group, key=lambda item: item[0].total)
            reason = self._exploding(worst, extreme) if state is State.EXPLODING else self._vanishing(worst, extreme)
            found |= {name: Finding(name, state, str(state), reason, spot) for _, name in group}
        if self.is_in_eval:
            return {name: Finding(name, State.IN_EVAL, item.cause, IN_EVAL) for name, item in found.items()}
        return found

    def overflow(self, name: str) -> str:
        """Returns a sentence about a gradient that grew until it was infinite; "" for one that did not."""
        steps = [*self._paths.to_loss(self._parameters[name])]
        worst = self._worst(steps, 1)
        if not _is_long_growth(steps):
            return ""
        return f"The gradient explodes: {_enlarges(worst)}."

    def _state(self, name: str) -> tuple[State | None, list[Step]]:
        size, weights = self._size(name), largest(self._tensor(name, is_gradient=False))
        is_large, is_faint = _is_large(size, weights), 0 < size < _FAINT * self._top
        steps = [*self._paths.to_loss(self._parameters[name])] if is_large or is_faint else []
        if is_large and (_is_long_growth(steps) or size >= _ENORMOUS * max(weights, 1.0)):
            return State.EXPLODING, steps
        return (State.VANISHING if is_faint else None), steps

    def _exploding(self, worst: _Change, name: str) -> str:
        size = f"The largest is {self._size(name):.1g}"
        if worst.count < 1:
            return f"{size}, as the loss is that large."
        return f"{_enlarges(worst)}. {size}."

    def _vanishing(self, worst: _Change, name: str) -> str:
        factor = self._factor(worst)
        share = f"That of {name} is {self._size(name) / self._top:.1g} of the largest gradient"
        if worst.count < 1:
            return f"{share}; training hardly moves it."
        if factor is not None:
            small = f"{_titled(worst.spot)} multiplies it by what has vanished before: by {factor:.1g} at most."
            return f"{small} {share}; training hardly moves it."
        is_saturated = worst.spot.operation in _SQUASHING and worst.total / worst.count > _SATURATED
        how = "is saturated and leaves" if is_saturated else "leaves"
        left = f"{_titled(worst.spot)} {how} {math.exp(-worst.total):.1g} of the gradient {worst.how_often}."
        return f"{left} {share}; training hardly moves it."

    def _factor(self, worst: _Change) -> float | None:
        """Returns the size of the numbers by which one product shrinks a gradient; None if that is not what does it."""
        kind = self._flow.instances[worst.first].type if worst.count == 1 else None
        if kind is None or not kind.sums_products:
            return None
        run = self._flow.run
        sizes = [largest(run.tensor(port, is_gradient=False)) for port in self._flow.inputs(worst.first)]
        return min(sizes) if 0 < min(sizes) < math.exp(-worst.total / 2) else None

    def _worst(self, steps: list[Step], way: int) -> _Change:
        """Returns the spot that enlarges (1) or shrinks (-1) a gradient most."""
        sums: dict[Spot, _Change] = {}
        for step in steps:
            change = way * math.log(step.ratio) if step.ratio > 0 and math.isfinite(step.ratio) else 0.0
            if change > 0:
                spot = self._words.spot(step.at)
                before = sums.get(spot, _Change(spot, 0.0, 0))
                sums[spot] = _Change(spot, before.total + change, before.count + 1, before.first or step.at)
        often = [item for item in sums.values() if item.count >= _LEAST_STEPS and item.total > _SPOKEN_OF]
        return max(often or sums.values(), key=lambda item: item.total, default=_Change(Spot(), 0.0, 0))

    def _size(self, name: str) -> float:
        return largest(self._tensor(name, is_gradient=True))

    def _tensor(self, name: str, is_gradient: bool) -> Array | None:
        return self._flow.run.tensor(self._parameters[name], is_gradient)

    @cached_property
    def is_in_eval(self) -> bool:
        """Whether a batch normalisation uses stored statistics, which need not be those of these numbers."""
        for path, instance in self._flow.instances.items():
            if self._words.spot(path).operation == "batch_norm" and instance.block.type == "BatchNormalization":
                mean = self._flow.source(instance.inputs["mean"])
                if self._flow.instances[self._flow.shown(mean).path].role is Role.SOURCE:
                    return True
        return False

    @cached_property
    def _top(self) -> float:
        """The largest gradient of all parameters."""
        return max(map(self._size, self._parameters))


def _is_long_growth(steps: list[Step]) -> bool:
    return sum(step.ratio > 1 for step in steps) >= _LEAST_STEPS and growth(steps) >= _GROWN


def is_unusual(size: float, top: float, weights: float) -> bool:
    """Returns whether a gradient may explode or vanish; `top` is the largest one, `weights` the largest parameter."""
    return _is_large(size, weights) or size < _FAINT * top or size == 0


def _is_large(size: float, weights: float) -> bool:
    return size > _STEEP * max(weights, _SMALL)


def largest(array: Array | None) -> float:
    """Returns the largest finite size in an array."""
    finite = np.zeros(0) if array is None else np.abs(array[np.isfinite(array)])
    return float(finite.max(initial=0.0))


def _enlarges(worst: _Change) -> str:
    return f"{_titled(worst.spot)} enlarges it {math.exp(worst.total):.1g} times {worst.how_often}"


def _titled(spot: Spot) -> str:
    return f"{spot.operation} at {spot.where}"
