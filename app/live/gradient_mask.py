"""A mask over gradients that the user guesses or that lie ahead of the steps: results with only revealed ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.readings.readings import Results, Table
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
    why: Hidden = Hidden.GUESSED

    def over(self, results: Results) -> Results:
        """Returns the results as shown: a hidden gradient is as unknown as one that was never computed."""
        wires = _rows(len(results.wire_status), (results.wire_rows.get(link) for link in self.revealed))
        ports = _rows(len(results.port_status), (results.port_rows.get(name) for name in self._ports(results)))
        return replace(
            results,
            gradients=_masked(results.gradients, ports),
            wires=_masked(results.wires, wires),
            port_status=np.where(ports, results.port_status, _UNKNOWN).astype(np.uint8),
            wire_status=np.where(wires, results.wire_status, _UNKNOWN).astype(np.uint8),
            port_by=_kept(results.port_by, ports),
            wire_by=_kept(results.wire_by, wires),
            withheld=_kept(results.withheld, wires),
            problems=tuple(item for item in results.problems if item.code not in _TELLING),
            compared=None,
            inner={},
            port_origins=_kept(results.port_origins, ports),
            wire_origins=_kept(results.wire_origins, wires),
            port_zeros=_kept(results.port_zeros, ports),
            wire_zeros=_kept(results.wire_zeros, wires),
            port_ties=_kept(results.port_ties, ports),
            wire_ties=_kept(results.wire_ties, wires),
            hidden=self.why,
        )

    def lets_pass(self, question: Question) -> bool:
        """Returns whether the answer to a question reveals no hidden gradient: values and revealed wires."""
        told = question.reveals
        return told is not None and all(place in self.revealed or place in self.ports for place in told)

    def _ports(self, results: Results) -> set[PortName]:
        """Returns the ports that are revealed, or whose wires are all revealed."""
        closed = {link.source for link in results.wire_rows if link not in self.revealed}
        closed |= {name for name, row in results.port_rows.items() if row in results.inner}
        return ({link.source for link in self.revealed} - closed) | self.ports


def _rows(count: int, rows: Iterable[int | None]) -> Mask:
    mask = np.zeros(count, bool)
    mask[[row for row in rows if row is not None]] = True
    return mask


def _masked(table: Table, shown: Mask) -> Table:
    rows, first = table.rows.copy(), table.first.copy()
    rows[~shown], first[~shown] = np.zeros((), rows.dtype), 0
    shapes = tuple(shape if is_shown else None for shape, is_shown in zip(table.shapes, shown, strict=True))
    pictures = replace(table.thumbnails, places=_kept(table.thumbnails.places, shown))
    return Table(rows, first, shapes, table.dtypes, pictures, _kept(table.moments, shown))


def _kept(items: Mapping[int, Item], shown: Mask) -> dict[int, Item]:
    return {row: item for row, item in items.items() if shown[row]}
