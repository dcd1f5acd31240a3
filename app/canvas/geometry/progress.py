"""Progress of step mode on one page: the wires that it has reached, and each block as done, current or later."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Wire

Codes = np.ndarray[Any, np.dtype[np.uint8]]
# A wire that no gradient has reached looks as one that can have none: a thread of the value's colour.
THREAD, BARE = STATUS_ROW[Status.NO_GRADIENT_DTYPE], STATUS_ROW[Status.UNKNOWN]


class Turn(enum.Enum):
    """Whether a block has had its turn."""

    DONE = "done"
    CURRENT = "current"
    LATER = "later"


@dataclass(frozen=True)
class Mark:
    """The number of a block's step, the last one if there are several, and whether that is done, current or later."""

    number: int
    turn: Turn


@dataclass(frozen=True, eq=False)
class Progress:
    """The shown part of a page: `reached` wires with their gradients, all others as threads of their values.

    `without_label` are those whose value has not come yet, on the way forward. `count` is that of all steps,
    `asked` the wire whose gradient is to be guessed.
    """

    is_forward: bool
    reached: frozenset[Wire]
    without_label: frozenset[Wire]
    marks: Mapping[str, Mark]
    current: tuple[Wire, ...]
    count: int
    asked: Wire | None = None

    def has_gradient(self, block_id: str) -> bool:
        """Returns whether all that comes back to a block has arrived."""
        mark = self.marks.get(block_id)
        return not self.is_forward and (mark is None or mark.turn is not Turn.LATER)

    def statuses(self, wires: Sequence[Wire], known: Codes) -> Codes:
        """Returns the statuses by which the wires look, where `known` are their own."""
        shown = known.copy()
        for row, wire in enumerate(wires):
            if wire not in self.reached:
                shown[row] = BARE if wire in self.without_label else THREAD
        return shown


def norms_told_apart(session: Session, rows: np.ndarray[Any, np.dtype[np.int64]]) -> Array:
    """Returns the norms of wires with a gradient, by their rows in the results, by which the magnitudes are scaled.

    In step mode those ahead count too: else what a wire done looks like would change with each step.
    """
    is_ahead = session.results is not None and session.results.hidden is Hidden.AHEAD
    results = session.runs.true_results if is_ahead else session.results
    if results is None:
        return np.zeros(0)
    return results.wires.gradients.rows["norm"][rows[results.wires.statuses[rows] == STATUS_ROW[Status.FLOW]]]
