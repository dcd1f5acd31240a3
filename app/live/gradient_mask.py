"""A mask over gradients that lie ahead of the steps: results with only revealed ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.readings.readings import Name, Places, Results, Table
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUS_ROW

_UNKNOWN = STATUS_ROW[Status.UNKNOWN]
# Notices that reveal gradients which are not finite.
_TELLING = ("nonfinite",)
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Item = TypeVar("Item")


@dataclass(frozen=True)
class GradientMask:
    """The mask: it shows only gradients of revealed wires and ports, and of ports whose wires are all revealed."""

    revealed: frozenset[Link] = frozenset()
    ports: frozenset[PortName] = frozenset()
    why: Hidden = Hidden.AHEAD

    def over(self, results: Results) -> Results:
        """Returns the results as shown: a hidden gradient is as unknown as one that was never computed."""
        wires = _rows(results.wires, self.revealed)
        return replace(
            results,
            ports=_shown(results.ports, _rows(results.ports, self._ports(results))),
            wires=_shown(results.wires, wires),
            withheld=_kept(results.withheld, wires),
            problems=tuple(item for item in results.problems if item.code not in _TELLING),
            compared=None,
            inner={},
            hidden=self.why,
        )

    def lets_pass(self, question: Question) -> bool:
        """Returns whether the answer to a question reveals no hidden gradient: values and revealed wires."""
        told = question.reveals
        return told is not None and all(place in self.revealed or place in self.ports for place in told)

    def _ports(self, results: Results) -> set[PortName]:
        """Returns the ports that are revealed, or whose wires are all revealed."""
        closed = {link.source for link in results.wires.row_of if link not in self.revealed}
        closed |= {name for name, row in results.ports.row_of.items() if row in results.inner}
        return ({link.source for link in self.revealed} - closed) | self.ports


def _rows(places: Places[Name], names: Iterable[Name]) -> Mask:
    mask = np.zeros(len(places.statuses), bool)
    mask[[row for name in names if (row := places.row_of.get(name)) is not None]] = True
    return mask


def _shown(places: Places[Name], shown: Mask) -> Places[Name]:
    return Places(
        places.row_of,
        _masked(places.gradients, shown),
        np.where(shown, places.statuses, _UNKNOWN).astype(np.uint8),
        _kept(places.by, shown),
        _kept(places.origins, shown),
        _kept(places.zeros, shown),
        _kept(places.ties, shown),
    )


def _masked(table: Table, shown: Mask) -> Table:
    rows, first = table.rows.copy(), table.first.copy()
    rows[~shown], first[~shown] = np.zeros((), rows.dtype), 0
    shapes = tuple(shape if is_shown else None for shape, is_shown in zip(table.shapes, shown, strict=True))
    pictures = replace(table.thumbnails, places=_kept(table.thumbnails.places, shown))
    return Table(rows, first, shapes, table.dtypes, pictures, _kept(table.moments, shown))


def _kept(items: Mapping[int, Item], shown: Mask) -> dict[int, Item]:
    return {row: item for row, item in items.items() if shown[row]}
