"""The statuses of all ports and wires at once: what a run says before anybody asks why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
_ZERO, _FLOW = np.uint8(STATUS_ROW[Status.ZERO]), np.uint8(STATUS_ROW[Status.FLOW])
NOWHERE = -1
Codes = np.ndarray[Any, np.dtype[np.uint8]]
Slots = np.ndarray[Any, np.dtype[np.intp]]
# Of each place the slots of value and gradient, its status without numbers, and whether its gradient has none.
_FACTS = np.dtype([("value", np.intp), ("gradient", np.intp), ("fixed", np.uint8), ("is_empty", np.bool_)])
_Facts = np.ndarray[Any, np.dtype[np.void]]
_Name = TypeVar("_Name")
NO_PLACE = Place(None, Status.UNKNOWN)


class Column(Generic[_Name]):
    """Ports or wires in rows: the slots of their values and gradients, NOWHERE for those that have none.

    After edits rows of what is gone are left empty, and new ones stand at the end; `rows` says where each name is.
    """

    def __init__(self, slots: Mapping[Expression, int], places: Mapping[_Name, Place]) -> None:
        self.rows = {name: row for row, name in enumerate(places)}
        self._facts = _facts_of(slots, places.values())
        self._arrivals = self._by_arrival(places)
        self._note_arriving()

    @property
    def values(self) -> Slots:
        """The slots of values."""
        found: Slots = self._facts["value"]
        return found

    @property
    def gradients(self) -> Slots:
        """The slots of gradients."""
        found: Slots = self._facts["gradient"]
        return found

    @property
    def has_gaps(self) -> bool:
        """Whether rows have been left empty."""
        return len(self.rows) < len(self._facts)

    def follow(self, slots: Mapping[Expression, int], gone: Iterable[_Name], places: Mapping[_Name, Place]) -> None:
        """Empties the rows of what is gone, and takes over the places of what is new or other than before."""
        for name in gone:
            self._facts[self.rows.pop(name)] = _facts_of(slots, [NO_PLACE])[0]
        new = [name for name in places if name not in self.rows]
        self.rows |= {name: len(self._facts) + index for index, name in enumerate(new)}
        self._facts = np.concatenate([self._facts, np.zeros(len(new), _FACTS)])
        self._facts[[self.rows[name] for name in places]] = _facts_of(slots, places.values())
        self._arrivals |= self._by_arrival(places)
        self._note_arriving()

    def _note_arriving(self) -> None:
        """Keeps the rows of those with a gradient, its slot, and whether it has numbers, in pieces of their own."""
        self._arriving = np.flatnonzero(self.gradients != NOWHERE)
        facts = self._facts[self._arriving]
        self._slots, self._has_numbers = facts["gradient"].copy(), ~facts["is_empty"]

    def _by_arrival(self, places: Mapping[_Name, Place]) -> dict[Expression | Edge, int]:
        return {place.arrival: self.rows[name] for name, place in places.items() if place.arrival is not None}

    def statuses(self, run: Evaluation) -> Codes:
        """The status of each, as its row in STATUSES."""
        found: Codes = self._facts["fixed"].copy()
        found[self._arriving] = self._by_numbers(run.facts.survey)
        for arrival, status in run.rounded.items():
            row = self._arrivals.get(arrival)
            if row is not None:
                found[row] = STATUS_ROW[status]
        return found

    def _by_numbers(self, survey: Survey) -> Codes:
        largest = survey["largest"][self._slots]
        found = np.where((largest == 0) & self._has_numbers, _ZERO, _FLOW)
        # Not a number, where any is.
        found[~(largest < np.inf)] = STATUS_ROW[Status.NONFINITE]
        return found


def _facts_of(slots: Mapping[Expression, int], places: Iterable[Place]) -> _Facts:
    rows = [
        (
            NOWHERE if place.value is None else slots[place.value],
            NOWHERE if place.gradient is None else slots[place.gradient],
            STATUS_ROW[place.status or Status.FLOW],
            place.gradient is not None and place.gradient.spec.size == 0,
        )
        for place in places
    ]
    return np.array(rows, _FACTS)


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
