"""Bulk readings of the same graph with other numbers: causes, ties and origins follow when there is time."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gradwire.app.live.readings.followed_results import followed
from gradwire.app.live.readings.notes import VALUES_KEPT
from gradwire.app.live.readings.pictures import Pictures, Shape, batches, sampled, shown_part, stacked
from gradwire.app.live.readings.readings import Results, Table, moments_by_row
from gradwire.engine.base.array_statistics import COLUMNS, Survey
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import Evaluation, Structure
from gradwire.engine.evaluation.port_index_update import PortIndexDiff
from gradwire.engine.evaluation.status_table import NOWHERE, Slots, StatusTable
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.leading_elements import Runs

_SURVEY_ROW = np.dtype(f"V{8 * len(COLUMNS)}")


class QuickResults:
    """The results of runs that share one structure, or follow edits, from those of the first run."""

    def __init__(self, structure: Structure, arena: Arena, first: Results) -> None:
        self._arena, self._statuses = arena, StatusTable(structure)
        self._take(structure, first)

    def update(self, run: Evaluation, index_diff: PortIndexDiff) -> None:
        """Takes over an edit that a run has followed."""
        self._statuses.update(run.structure, index_diff)
        self._take(run.structure, followed(self._first, run, self._statuses, index_diff, self._inferred))

    def renew(self, run: Evaluation, known: Results) -> None:
        """Takes the causes from other results of the same graph from now on."""
        if self._statuses.has_gaps:
            self._statuses = StatusTable(run.structure)
            self._take(run.structure, known)
        self._first = known

    def _take(self, structure: Structure, first: Results) -> None:
        ports, wires, arena = self._statuses.ports, self._statuses.wires, self._arena
        self._first, self._inferred = first, tuple(structure.lowered.inferred.problems)
        self._values = _Rows(arena, ports.values, first.values)
        self._gradients = _Rows(arena, ports.gradients, first.ports.gradients)
        self._wires = _Rows(arena, wires.gradients, first.wires.gradients)
        slots, totals = structure.plan.slots, structure.lowered.backward.totals
        places = structure.port_index.wires.items()
        kept = {wires.rows[link]: place.withheld for link, place in places if place.withheld is not None}
        self._withheld = {row: slots[totals[item]] for row, item in kept.items() if item in totals}

    def of(self, run: Evaluation, revision: int, seconds: float) -> Results:
        """Returns the results of a run, with the causes of the first run."""
        survey, values = run.facts.survey, run.results.values
        norms, first = survey["norm"], self._first
        # Wires show the pictures of ports again: large ones are made once.
        made: dict[int, Array] = {}
        return dataclasses.replace(
            first,
            revision=revision,
            values=self._values.table(survey, values, made),
            ports=dataclasses.replace(
                first.ports,
                gradients=self._gradients.table(survey, values, made),
                statuses=self._statuses.ports.statuses(run),
            ),
            wires=dataclasses.replace(
                first.wires,
                gradients=self._wires.table(survey, values, made),
                statuses=self._statuses.wires.statuses(run),
            ),
            withheld={**first.withheld} | {row: float(norms[slot]) for row, slot in self._withheld.items()},
            loss=run.loss,
            seconds=seconds,
            passes=run.results.passes,
            comparison=None,
            compared=None,
        )


class _Rows:
    """The rows of one table: each run rewrites the rows with a slot; the others stay."""

    def __init__(self, arena: Arena, slots: Slots, first: Table) -> None:
        self._table, self._rows = first, np.flatnonzero(slots != NOWHERE)
        # Two buffers alternate: the sender recognises a changed table by its being another object.
        self._turns = itertools.cycle([(first.rows.copy(), first.first.copy()) for _ in range(2)])
        self._slots = dict(zip(self._rows.tolist(), slots[self._rows].tolist(), strict=True))
        self._taken = slots[self._rows]
        self._heads = arena.leading_elements(self._taken.tolist(), VALUES_KEPT)
        self._pictures = _Pictures(arena, first.thumbnails, self._slots)

    def table(self, survey: Survey, values: Sequence[Array | None], made: dict[int, Array]) -> Table:
        """Returns the table after a run; the next run but one overwrites its rows.

        `made` has the pictures of single slots in this run, and receives more.
        """
        rows, first = next(self._turns)
        # Copying a row as one item is ten times faster than copying number by number.
        rows.view(_SURVEY_ROW)[self._rows] = np.take(survey.view(_SURVEY_ROW), self._taken)
        self._heads.write(first, self._rows)
        slots = self._slots
        moments = moments_by_row(rows, self._table.shapes, lambda row: values[slots[row]] if row in slots else None)
        return dataclasses.replace(
            self._table, rows=rows, first=first, thumbnails=self._pictures.of(values, made), moments=moments
        )


class _Pictures:
    """The pictures of one table: each run remakes the pictures of rows with a slot; the others stay."""

    def __init__(self, arena: Arena, first: Pictures, slots: Mapping[int, int]) -> None:
        self._first = first
        groups: dict[tuple[Shape, str, bool], list[int]] = {}
        values = arena.results.values
        for row in first:
            array = values[slots[row]] if row in slots else None
            part = None if array is None else shown_part(array)
            if part is not None:
                groups.setdefault((part.shape, part.dtype.str, part.flags.c_contiguous), []).append(row)
        self._batches: list[_Batch] = []
        for (shape, _, is_run), rows in groups.items():
            for some in batches(rows, shape):
                chosen = [slots[row] for row in some]
                # A part that is alone need not be copied.
                runs = arena.runs(chosen, math.prod(shape)) if is_run and len(chosen) > 1 else None
                self._batches.append(_Batch(chosen, shape, runs, _cells_of(first, some)))

    def of(self, values: Sequence[Array | None], made: dict[int, Array]) -> Pictures:
        """Returns the pictures after a run; `made` has those of single slots, and receives more."""
        if not self._batches:
            return self._first
        cells = self._first.cells.copy()
        for batch in self._batches:
            cells[batch.cells] = batch.pictures(values, made).reshape(batch.cells.shape)
        return dataclasses.replace(self._first, cells=cells)


class _Batch(NamedTuple):
    """Slots whose shown parts have one shape, the location of contiguous elements, and the cells they fill."""

    slots: Sequence[int]
    shape: Shape
    runs: Runs | None
    cells: Array

    def pictures(self, values: Sequence[Array | None], made: dict[int, Array]) -> Array:
        """Returns the picture of each slot, stacked."""
        if len(self.slots) > 1:
            return sampled(self.parts(values))
        slot = self.slots[0]
        if slot not in made:
            made[slot] = sampled(self.parts(values))
        return made[slot]

    def parts(self, values: Sequence[Array | None]) -> Array:
        """Returns the shown part of each slot, stacked."""
        if self.runs is not None:
            return self.runs.read().reshape(-1, *self.shape)
        arrays = (values[slot] for slot in self.slots)
        return stacked([part for array in arrays if array is not None and (part := shown_part(array)) is not None])


def _cells_of(pictures: Pictures, rows: Sequence[int]) -> Array:
    """Returns the cells of pictures of one shape.

    Shapes: (rows, cells of each).
    """
    starts = np.array([pictures.places[row][0] for row in rows], np.intp)
    found: Array = starts[:, np.newaxis] + np.arange(math.prod(pictures.places[rows[0]][1]))
    return found
