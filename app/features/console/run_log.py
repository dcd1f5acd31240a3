"""The record of a run: its time, its duration, and the errors that are new since the previous run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from gradwire.app.live.readings.readings import Results
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class Ran:
    """One run, or `count` runs of one gesture, of which this is the last.

    `errors` are those that the previous run did not have. `nonfinite` is the number of wires that hold NaN or infinity,
    if there were none before.
    Units: `seconds` is the time of the forward and backward pass together.
    """

    at: datetime
    revision: int
    seconds: float
    blocks: int
    errors: tuple[str, ...] = ()
    nonfinite: int = 0
    count: int = 1

    @property
    def is_bad(self) -> bool:
        """True if something has gone wrong that was right before."""
        return bool(self.errors or self.nonfinite)


class RunLog:
    """The log of the runs, which groups the runs of one gesture: those that one undo takes back."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._gestures: dict[int, int] = {}
        self._gesture = self._shown = 0
        self._before: Graph | None = None
        self._revision = 0
        self._errors: frozenset[str] = frozenset()
        self._was_nonfinite = False
        self._rows: Mapping[PortName, int] | None = None
        self._shapes: tuple[object, ...] = ()
        self._count = 0

    def note_edit(self, revision: int) -> None:
        """Notes that the graph has changed; the run of this revision will be the first to know."""
        before = self._document.graph_before
        if before is None or before is not self._before:
            self._gesture += 1
        self._before = before
        self._gestures[revision] = self._gesture

    def knows(self, results: Results) -> bool:
        """Returns whether the run has been recorded; its explanation may come later."""
        return results.revision == self._revision

    def record(self, results: Results) -> tuple[Ran, bool]:
        """Returns the record of a run, and whether it continues the gesture of the previous run."""
        errors = {problem.message: None for problem in results.problems if problem.severity == "error"}
        broken = len(results.nonfinite_wires)
        new = tuple(message for message in errors if message not in self._errors)
        nonfinite = 0 if self._was_nonfinite else broken
        ran = Ran(datetime.now(), results.revision, results.seconds, self._blocks(results), new, nonfinite)
        self._errors, self._was_nonfinite, self._revision = frozenset(errors), broken > 0, results.revision
        return ran, self._goes_on(results.revision)

    def _goes_on(self, revision: int) -> bool:
        gesture = self._gestures.get(revision, 0)
        goes_on = gesture != 0 and gesture == self._shown
        self._shown = gesture
        self._gestures = {number: item for number, item in self._gestures.items() if number > revision}
        return goes_on

    def _blocks(self, results: Results) -> int:
        """Returns the number of blocks with a value, cached while rows and shapes stay the same objects."""
        rows, shapes = results.ports.row_of, results.values.shapes
        if rows is not self._rows or shapes is not self._shapes:
            self._rows, self._shapes = rows, shapes
            self._count = len({name.path for name, row in rows.items() if shapes[row] is not None})
        return self._count
