"""Statuses of all ports and wires in bulk, without their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation, Structure
from gradwire.engine.evaluation.port_index_update import PortIndexDiff

STATUSES = tuple(Status)
STATUS_ROW = {status: row for row, status in enumerate(STATUSES)}
_ZERO, _FLOW = np.uint8(STATUS_ROW[Status.ZERO]), np.uint8(STATUS_ROW[Status.FLOW])
NOWHERE = -1
Codes = np.ndarray[Any, np.dtype[np.uint8]]
Slots = np.ndarray[Any, np.dtype[np.intp]]
# Columns: the slots of value and gradient, the status without numbers, and whether the gradient is empty.
_FACTS = np.dtype([("value", np.intp), ("gradient", np.intp), ("fixed", np.uint8), ("is_empty", np.bool_)])
_Facts = np.ndarray[Any, np.dtype[np.void]]
_Name = TypeVar("_Name")
NO_PLACE = PortEntry(None, Status.UNKNOWN)


class Column(Generic[_Name]):
    """Table of ports or wires: the slots of their values and gradients, NOWHERE for missing ones.

    Edits leave the rows of removed names empty and append new ones at the end; `rows` maps names to rows.
    """

    def __init__(self, slots: Mapping[Expression, int], places: Mapping[_Name, PortEntry]) -> None:
        self.rows = {name: row for row, name in enumerate(places)}
        self._facts = _facts_of(slots, places.values())
        self._arrivals = self._by_arrival(places)
        self._note_arriving()

    @property
    def values(self) -> Slots:
        """Slots of values."""
        found: Slots = self._facts["value"]
        return found

    @property
    def gradients(self) -> Slots:
        """Slots of gradients."""
        found: Slots = self._facts["gradient"]
        return found

    @property
    def has_gaps(self) -> bool:
        """True if some rows are empty."""
        return len(self.rows) < len(self._facts)

    def update(self, slots: Mapping[Expression, int], gone: Iterable[_Name], places: Mapping[_Name, PortEntry]) -> None:
        """Clears the rows of removed names and writes those of new or changed ones."""
        for name in gone:
            self._facts[self.rows.pop(name)] = _facts_of(slots, [NO_PLACE])[0]
        new = [name for name in places if name not in self.rows]
        self.rows |= {name: len(self._facts) + index for index, name in enumerate(new)}
        self._facts = np.concatenate([self._facts, np.zeros(len(new), _FACTS)])
        self._facts[[self.rows[name] for name in places]] = _facts_of(slots, places.values())
        self._arrivals |= self._by_arrival(places)
        self._note_arriving()

    def _note_arriving(self) -> None:
        """Caches the rows with a gradient, its slot, and whether it has elements, in contiguous arrays."""
        self._arriving = np.flatnonzero(self.gradients != NOWHERE)
        facts = self._facts[self._arriving]
        self._slots, self._has_numbers = facts["gradient"].copy(), ~facts["is_empty"]

    def _by_arrival(self, places: Mapping[_Name, PortEntry]) -> dict[Expression | Edge, int]:
        return {place.arrival: self.rows[name] for name, place in places.items() if place.arrival is not None}

    def statuses(self, run: Evaluation) -> Codes:
        """Returns the status of each row, as an index into STATUSES."""
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
        # Negated, so that the comparison catches NaN.
        found[~(largest < np.inf)] = STATUS_ROW[Status.NONFINITE]
        return found


def _facts_of(slots: Mapping[Expression, int], places: Iterable[PortEntry]) -> _Facts:
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


class StatusTable:
    """Tables of a graph's ports and wires, in the order of its port index; they do not depend on numbers."""

    def __init__(self, structure: Structure) -> None:
        slots, port_index = structure.plan.slots, structure.port_index
        self.ports, self.wires = Column(slots, port_index.ports), Column(slots, port_index.wires)

    @property
    def has_gaps(self) -> bool:
        """True if some rows are empty."""
        return self.ports.has_gaps or self.wires.has_gaps

    def update(self, structure: Structure, index_diff: PortIndexDiff) -> None:
        """Updates the tables after an edit."""
        slots, port_index = structure.plan.slots, structure.port_index
        self.ports.update(slots, index_diff.ports_gone, {name: port_index.ports[name] for name in index_diff.ports})
        self.wires.update(slots, index_diff.wires_gone, {link: port_index.wires[link] for link in index_diff.wires})
