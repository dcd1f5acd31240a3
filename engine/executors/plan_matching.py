"""Value numbering: matches slots of a new plan with slots of an old one that hold the same value.

Source: value numbering by hashing (Cocke and Schwartz, Programming Languages and Their Compilers, 1970). Cost: O(steps
of both plans), and a comparison of the large arrays that steps hold as parameters.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from gradwire.engine.blocktypes.plan import Plan, Step
from gradwire.engine.graph.graph import same_value

# Arrays up to this size are hashed by their bytes before they are compared. Units: bytes.
HASHED = 4096


def matching_slots(plan: Plan, before: Plan) -> dict[int, int]:
    """Maps slots of a plan, in the order of its steps, to slots of another one with the same bits."""
    kinds = _Kinds()
    theirs: dict[Hashable, list[int]] = {}
    for slot, kind in reversed(kinds.of_slots(before).items()):
        theirs.setdefault(kind, []).append(slot)
    found = {}
    for slot, kind in kinds.of_slots(plan).items():
        if kind in theirs:
            # Repeated computations get one slot each, as far as there are enough.
            found[slot] = theirs[kind][-1] if len(theirs[kind]) == 1 else theirs[kind].pop()
    return found


class _Kinds:
    """Value numbers of steps; equal steps with equal inputs share one number."""

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[int, Mapping[str, Any]]]] = {}
        self._count = 0

    def of_slots(self, plan: Plan) -> dict[int, Hashable]:
        """Returns the value number of each slot of a plan, in the order of its steps."""
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
    """Returns a hash key that is equal for equal values, and mostly different for others."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes() if value.nbytes <= HASHED else None
    if isinstance(value, Mapping):
        return tuple((name, _mark(value[name])) for name in sorted(value))
    return repr(value)
