"""A run of a live model in PyTorch: its calls, its gradients, and which call ends, zeroes or breaks one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.torch.exporting import array_of
from gradwire.interop.why.finding import Spot

# Calls that give numbers of Python or NumPy, which no gradient passes.
TO_NUMBERS: Final = ("item", "tolist", "numpy", "__float__", "__array__")
# States of a gradient.
SOUND: Final = "sound"
ZERO: Final = "zero"
BROKEN: Final = "broken"


@dataclass(frozen=True)
class Noted:
    """A call: its line and name, the tensors that it read, and those that it made; `had_gradients` says for which."""

    spot: Spot
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    is_without_gradients: bool


@dataclass
class Watched:
    """A run: the loss, the gradients by name (None where no path leads), and all calls in their order.

    `parameters` are all trainable ones; `outside` names those that the module does not have registered.
    """

    loss: Array | None
    gradients: dict[str, Array | None]
    outside: dict[str, Noted]
    calls: list[Noted]
    parameters: Mapping[str, Any]
    states: Mapping[int, str] = field(default_factory=dict)
    ends: Sequence[Any] = ()
    decisions: Sequence[tuple[str, Any]] = ()
    note: str = ""

    def largest(self, name: str) -> float:
        """Returns the largest number of a parameter."""
        array = array_of(self.parameters[name])
        return float(np.abs(array).max(initial=0.0))

    @property
    def has_crossed_shapes(self) -> bool:
        """Whether a call takes a column and a row, [8, 1] and [8], which may be a mistake in the labels."""
        shapes = ([tuple(item.shape) for item in call.inputs] for call in self.calls)
        return any(len(row) > 0 and row[-1] > 1 and (*row, 1) in found for found in shapes for row in found)

    def cut(self, name: str) -> Noted | None:
        """Returns the first call on the way to the loss that gives a parameter no gradient."""
        made_of = behind(self.calls, {id(self.parameters[name])})
        found = [call for call in self.calls if _ends_gradients(call, made_of)]
        to_numbers = {id(item) for call in self.calls if not call.outputs for item in call.inputs}
        needed = self._needed({id(item) for item in self.ends})
        # Numbers of Python and NumPy have no traces: any of them may lead to the loss.
        used = [call for call in found if _makes(call, needed)] or [
            call for call in found if not call.outputs or _makes(call, self._needed(to_numbers))
        ]
        floats = [call for call in used if any(item.is_floating_point() for item in call.outputs)]
        return next(iter([*floats, *used]), None)

    def guilty(self, name: str, state: str) -> Noted | None:
        """Returns the call that receives another gradient, and returns one in this state, `zero` or `broken`."""
        made_of, last = behind(self.calls, {id(self.parameters[name])}), None
        for call in self.calls:
            read = [item for item in call.inputs if id(item) in made_of]
            if any(self.states.get(id(item)) == state for item in read):
                arriving = {self.states.get(id(item)) for item in call.outputs} - {None}
                if arriving and state not in arriving:
                    last = call
        return last

    def born(self) -> Noted | None:
        """Returns the first call that makes NaN, or else infinity, of finite numbers."""
        for is_broken in (np.isnan, np.logical_not):
            for call in self.calls:
                if _holds(call.outputs, is_broken) and not _holds(call.inputs, is_broken):
                    return call
        return None

    def last(self, name: str) -> Noted | None:
        """Returns the last call that reads what is made of a parameter; None if none reads the parameter."""
        made_of = behind(self.calls, {id(self.parameters[name])})
        reading = [call for call in self.calls if any(id(item) in made_of for item in call.inputs)]
        return reading[-1] if reading else None

    def _needed(self, ends: set[int]) -> set[int]:
        """Returns the tensors that some are computed from, and these."""
        needed = set(ends)
        for call in reversed(self.calls):
            if _makes(call, needed):
                needed.update(map(id, call.inputs))
        return needed


def _ends_gradients(call: Noted, made_of: set[int]) -> bool:
    is_read = any(id(item) in made_of and item.requires_grad for item in call.inputs)
    return is_read and not any(item.requires_grad for item in call.outputs)


def _makes(call: Noted, wanted: set[int]) -> bool:
    return any(id(item) in wanted for item in call.outputs)


def behind(calls: Iterable[Noted], starts: set[int]) -> set[int]:
    """Returns the tensors that are computed from some, and these."""
    found = set(starts)
    for call in calls:
        if any(id(item) in found for item in call.inputs):
            found.update(map(id, call.outputs))
    return found


def _holds(tensors: Iterable[Any], is_broken: Callable[[Any], Any]) -> bool:
    """Returns whether any of some tensors holds NaN, or, asked for `logical_not`, what is not finite."""
    arrays = [array_of(item) for item in tensors if item.is_floating_point()]
    checks = (is_broken(item) if is_broken is np.isnan else ~np.isfinite(item) for item in arrays)
    return any(bool(check.any()) for check in checks)
