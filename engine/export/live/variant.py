"""One state of a graph's stops as a page holds it: its instructions, and where each port and wire finds its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.export.live.laid_plan import LaidPlan, Row, View
from gradwire.engine.export.live.loops import DTYPES, PlayableRecordings, dtype_name
from gradwire.engine.export.live.roundings import Roundings
from gradwire.engine.export.live.steps import StepKind, owners_of, step_rows

NOTHING = -1
# Flags of an entry: its value, or its gradient, is behind Python. In steps of ROUNDING its row of roundings, from 1.
OLD_VALUE, OLD_GRADIENT, ROUNDING = 1, 2, 4
Json = dict[str, object]


class Numbers:
    """Numbers of views, loops, and of steps' kinds and owners, which all variants of a page share.

    They share the recordings of their functions, too.
    """

    def __init__(self) -> None:
        self.views: dict[View, int] = {}
        self.loops: dict[tuple[str, ...], int] = {}
        self.kinds: dict[StepKind, int] = {}
        self.owners: dict[str, int] = {}
        self.recordings = PlayableRecordings()

    @property
    def entries(self) -> Json:
        """All of them, as the document of a page has them."""
        return {
            "views": [list(view) for view in self.views],
            "loops": [list(loop) for loop in self.loops],
            "stepKinds": [list(kind) for kind in self.kinds],
            "owners": list(self.owners),
        }

    def of_view(self, view: View) -> int:
        """Returns the number of a view."""
        return self.views.setdefault(view, len(self.views))

    def of_kind(self, kind: StepKind) -> int:
        """Returns the number of a kind of steps."""
        return self.kinds.setdefault(kind, len(self.kinds))

    def of_owner(self, path: str) -> int:
        """Returns the number of a block, "" for none."""
        return self.owners.setdefault(path, len(self.owners))

    def of_loops(self, loops: Iterable[tuple[str, ...]]) -> Mapping[tuple[str, ...], int]:
        """Returns the numbers of all loops, these among them."""
        for loop in loops:
            self.loops.setdefault(loop, len(self.loops))
        return self.loops


@dataclass(frozen=True)
class Variant:
    """A run with some stops open, its instructions and its entries in the notation of the format."""

    opened: tuple[str, ...]
    run: Evaluation
    laid: LaidPlan
    rows: list[Row]
    entries: Json


def variant_of(run: Evaluation, opened: tuple[str, ...], numbers: Numbers) -> Variant:
    """Returns one run as a variant of a page."""
    plan = run.structure.plan
    laid = LaidPlan(plan, [run.results.values[slot] for slot in range(len(plan.slots))], numbers.recordings)
    writer = _Entries(run, laid, numbers)
    index = run.structure.port_index
    entries: Json = {
        "guards": [offset for offset, _ in laid.guards],
        "ports": {str(name): writer.entry(place) for name, place in index.ports.items()},
        "wires": {f"{link.source}>{link.target}": writer.entry(place) for link, place in index.wires.items()},
        "roundings": writer.roundings.rows,
        "steps": writer.steps(),
        "loss": [writer.entry(PortEntry(item, Status.NO_PATH)) for item in run.lowered.losses],
    }
    return Variant(opened, run, laid, laid.rows(numbers.of_loops(laid.loops)), entries)


class _Entries:
    """Writer of entries: `[value, gradient, status without numbers, flags, guards of the value, of the gradient]`."""

    def __init__(self, run: Evaluation, laid: LaidPlan, numbers: Numbers) -> None:
        self._run, self._laid, self._numbers = run, laid, numbers
        self._slots, self._results = run.structure.plan.slots, run.results
        self.roundings = Roundings(run)

    def steps(self) -> list[list[int]]:
        """Returns all steps."""
        run, numbers, owners = self._run, self._numbers, owners_of(self._run.lowered)
        values, plan = self._results.values, run.structure.plan

        def owner(step: Application) -> int:
            return numbers.of_owner(owners.get(step, ""))

        return step_rows(plan, self._laid, values, self._view_of, numbers.of_kind, owner)

    def entry(self, place: PortEntry) -> list[object]:
        """Returns the entry of a port or wire; what is zero or empty at its end is left out."""
        value, gradient = self._slot(place.value), self._slot(place.gradient)
        is_known = value is not None and (place.gradient is None or gradient is not None)
        status = (place.status or Status.FLOW) if is_known else Status.UNKNOWN
        old = self._laid.behind_python
        row = None if place.arrival is None else self.roundings.places.get(place.arrival)
        flags = 0 if row is None else ROUNDING * (row + 1)
        flags += OLD_VALUE * (value in old) + OLD_GRADIENT * (gradient in old)
        found: list[object] = [self._view(value), self._view(gradient), STATUS_ROW[status], flags]
        found += [self._guards(value), self._guards(gradient)]
        while len(found) > 3 and not found[-1]:
            found.pop()
        return found

    def _slot(self, item: Expression | None) -> int | None:
        if item is None or item not in self._slots or not self._results.has(item):
            return None
        return self._slots[item] if dtype_name(item.dtype) in DTYPES else None

    def _view(self, slot: int | None) -> int:
        return NOTHING if slot is None else self._numbers.of_view(self._laid.view(slot))

    def _view_of(self, slot: int) -> int:
        value = self._results.values[slot]
        return self._view(slot if value is not None and dtype_name(value.dtype) in DTYPES else None)

    def _guards(self, slot: int | None) -> list[int]:
        return [number for number, (_, reached) in enumerate(self._laid.guards) if slot in reached]
