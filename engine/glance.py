"""The statuses of all ports and wires at once: what a run says before anybody asks why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from engine.evaluate import Evaluation, Structure
from engine.expression import Expression
from engine.gradients import Edge
from engine.outline import Place
from engine.redraw import Redrawn
from engine.status import Status
from engine.survey import Survey

STATUSES = tuple(Status)
STATUS_ROW = {status: row for row, status in enumerate(STATUSES)}
NOWHERE = -1
Codes = np.ndarray[Any, np.dtype[np.uint8]]
Slots = np.ndarray[Any, np.dtype[np.intp]]
# Slots of values and of gradients, statuses, and what is empty.
_Facts = tuple[Slots, Slots, Codes, np.ndarray[Any, np.dtype[np.bool_]]]
_Name = TypeVar("_Name")
NO_PLACE = Place(None, Status.UNKNOWN)


class Column(Generic[_Name]):
    """Ports or wires in rows: the slots of their values and gradients, NOWHERE for those that have none.

    After edits rows of what is gone are left empty, and new ones stand at the end; `rows` says where each name is.
    """

    def __init__(self, slots: Mapping[Expression, int], places: Mapping[_Name, Place]) -> None:
        self.rows = {name: row for row, name in enumerate(places)}
        self.values, self.gradients, self._fixed, self._is_empty = _facts(slots, places.values())
        self._arrivals = self._by_arrival(places)
        self._arriving = np.flatnonzero(self.gradients != NOWHERE)

    @property
    def has_gaps(self) -> bool:
        """Whether rows have been left empty."""
        return len(self.rows) < len(self.values)

    def follow(self, slots: Mapping[Expression, int], gone: Iterable[_Name], places: Mapping[_Name, Place]) -> None:
        """Empties the rows of what is gone, and takes over the places of what is new or other than before."""
        for name in gone:
            self._set([self.rows.pop(name)], _facts(slots, [NO_PLACE]))
        new = [name for name in places if name not in self.rows]
        self.rows |= {name: len(self.values) + index for index, name in enumerate(new)}
        empty = _facts(slots, [NO_PLACE] * len(new))
        whole = zip(self._columns, empty, strict=True)
        self.values, self.gradients, self._fixed, self._is_empty = (np.concatenate(pair) for pair in whole)
        self._set([self.rows[name] for name in places], _facts(slots, places.values()))
        self._arrivals |= self._by_arrival(places)
        self._arriving = np.flatnonzero(self.gradients != NOWHERE)

    def _by_arrival(self, places: Mapping[_Name, Place]) -> dict[Expression | Edge, int]:
        return {place.arrival: self.rows[name] for name, place in places.items() if place.arrival is not None}

    @property
    def _columns(self) -> _Facts:
        return self.values, self.gradients, self._fixed, self._is_empty

    def _set(self, rows: Sequence[int], facts: _Facts) -> None:
        for column, found in zip(self._columns, facts, strict=True):
            column[list(rows)] = found

    def statuses(self, run: Evaluation) -> Codes:
        """The status of each, as its row in STATUSES."""
        found = self._fixed.copy()
        found[self._arriving] = self._by_numbers(run.facts.survey)
        for arrival, status in run.tolerances.rounded():
            row = self._arrivals.get(arrival)
            if row is not None:
                found[row] = STATUS_ROW[status]
        return found

    def _by_numbers(self, survey: Survey) -> Codes:
        largest = survey["largest"][self.gradients[self._arriving]]
        found = np.full(len(largest), STATUS_ROW[Status.FLOW], np.uint8)
        found[(largest == 0) & ~self._is_empty[self._arriving]] = STATUS_ROW[Status.ZERO]
        # Not a number, where any is.
        found[~(largest < np.inf)] = STATUS_ROW[Status.NONFINITE]
        return found


def _facts(slots: Mapping[Expression, int], places: Iterable[Place]) -> _Facts:
    """Of each place the slots of value and gradient, its status without numbers, and whether there are no numbers."""
    places = list(places)
    return (
        np.array([NOWHERE if place.value is None else slots[place.value] for place in places], np.intp),
        np.array([NOWHERE if place.gradient is None else slots[place.gradient] for place in places], np.intp),
        np.array([STATUS_ROW[place.status or Status.FLOW] for place in places], np.uint8),
        np.array([place.gradient is not None and place.gradient.spec.size == 0 for place in places], bool),
    )


class Glance:
    """The columns of a graph's ports and wires, in the order of its outline; numbers change none of them."""

    def __init__(self, structure: Structure) -> None:
        slots, outline = structure.plan.slots, structure.outline
        self.ports, self.wires = Column(slots, outline.ports), Column(slots, outline.wires)

    @property
    def has_gaps(self) -> bool:
        """Whether rows have been left empty."""
        return self.ports.has_gaps or self.wires.has_gaps

    def follow(self, structure: Structure, redrawn: Redrawn) -> None:
        """Brings the columns up to date after an edit."""
        slots, outline = structure.plan.slots, structure.outline
        self.ports.follow(slots, redrawn.ports_gone, {name: outline.ports[name] for name in redrawn.ports})
        self.wires.follow(slots, redrawn.wires_gone, {link: outline.wires[link] for link in redrawn.wires})
