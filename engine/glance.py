"""The statuses of all ports and wires at once: what a run says before anybody asks why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.evaluate import Evaluation, Structure
from engine.outline import Place
from engine.status import Status
from engine.survey import Survey

STATUSES = tuple(Status)
STATUS_ROW = {status: row for row, status in enumerate(STATUSES)}
NOWHERE = -1
Codes = np.ndarray[Any, np.dtype[np.uint8]]
Slots = np.ndarray[Any, np.dtype[np.intp]]


class Column:
    """Ports or wires in a row: the slots of their values and gradients, NOWHERE for those that have none."""

    def __init__(self, structure: Structure, places: Sequence[Place]) -> None:
        slots = structure.plan.slots
        self.values = _slots(NOWHERE if place.value is None else slots[place.value] for place in places)
        self.gradients = _slots(NOWHERE if place.gradient is None else slots[place.gradient] for place in places)
        self._fixed = np.array([STATUS_ROW[place.status or Status.FLOW] for place in places], np.uint8)
        self._rows = {place.arrival: row for row, place in enumerate(places) if place.arrival is not None}
        self._arriving = np.flatnonzero(self.gradients != NOWHERE)
        is_empty = [place.gradient is not None and place.gradient.spec.size == 0 for place in places]
        self._is_empty = np.array(is_empty, bool)[self._arriving]

    def statuses(self, run: Evaluation) -> Codes:
        """The status of each, as its row in STATUSES."""
        found = self._fixed.copy()
        found[self._arriving] = self._by_numbers(run.facts.survey)
        for arrival, status in run.tolerances.rounded():
            row = self._rows.get(arrival)
            if row is not None:
                found[row] = STATUS_ROW[status]
        return found

    def _by_numbers(self, survey: Survey) -> Codes:
        largest = survey["largest"][self.gradients[self._arriving]]
        found = np.full(len(largest), STATUS_ROW[Status.FLOW], np.uint8)
        found[(largest == 0) & ~self._is_empty] = STATUS_ROW[Status.ZERO]
        # Not a number, where any is.
        found[~(largest < np.inf)] = STATUS_ROW[Status.NONFINITE]
        return found


def _slots(items: Iterable[int]) -> Slots:
    return np.array(list(items), np.intp)


class Glance:
    """The columns of a graph's ports and wires, in the order of its outline; numbers change none of them."""

    def __init__(self, structure: Structure) -> None:
        self.ports = Column(structure, list(structure.outline.ports.values()))
        self.wires = Column(structure, list(structure.outline.wires.values()))
