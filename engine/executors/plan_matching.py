"""What two plans compute alike: the same is done in both with the same."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from engine.graph import same_value
from engine.plan import Plan, Step

# Arrays up to this size are told apart by their bytes before they are compared. Units: bytes.
SMALL = 4096


def twins(plan: Plan, before: Plan) -> dict[int, int]:
    """Slots of a plan, in the order of its steps, with those of another one that hold the same to the last bit."""
    kinds = _Kinds()
    theirs: dict[Hashable, list[int]] = {}
    for slot, kind in reversed(kinds.of_slots(before).items()):
        theirs.setdefault(kind, []).append(slot)
    found = {}
    for slot, kind in kinds.of_slots(plan).items():
        if kind in theirs:
            # Where the same is computed several times each has its own, as far as there are enough.
            found[slot] = theirs[kind][-1] if len(theirs[kind]) == 1 else theirs[kind].pop()
    return found


class _Kinds:
    """One number for all steps that do the same with the same."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[int, Mapping[str, Any]]]] = {}
        self._count = 0

    def of_slots(self, plan: Plan) -> dict[int, Hashable]:
        """What each slot of a plan holds, in the order of its steps."""
        found: dict[int, Hashable] = {}
        for step in plan.steps:
            number = self._number(step, tuple(None if slot is None else found[slot] for slot in step.inputs))
            found.update((slot, (number, index)) for index, slot in enumerate(step.outputs))
        return found

    def _number(self, step: Step, inputs: tuple[Hashable, ...]) -> int:
        specs = tuple(output.spec for output in step.application.outputs)
        alike = self._known.setdefault((id(step.application.type), inputs, specs, _mark(step.parameters)), [])
        for number, parameters in alike:
            if same_value(step.parameters, parameters):
                return number
        self._count += 1
        alike.append((self._count, step.parameters))
        return self._count


def _mark(value: Any) -> Hashable:
    """The same for values that are the same; mostly another one for others."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes() if value.nbytes <= SMALL else None
    if isinstance(value, Mapping):
        return tuple((name, _mark(value[name])) for name in sorted(value))
    return repr(value)
