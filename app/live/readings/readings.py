"""The window's knowledge of a run: one small reading per tensor instead of the tensor itself.

Readings are columns of a table, so that thousands can be sent between processes and painted in bulk.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.readings.notes import VALUES_KEPT, Note, first_of, note_of, told_by
from gradwire.app.live.readings.pictures import Pictures, pictures_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.array_statistics import COLUMNS, Survey, as_survey, survey_of
from gradwire.engine.base.norms import Moments, moments_of
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.plan import NOT_TIMED, Passes
from gradwire.engine.causes.births import Origin
from gradwire.engine.evaluation.snapshot import LossResult, PortResult, Snapshot, Tie, WireResult, ZeroCause
from gradwire.engine.evaluation.status_table import STATUS_ROW, STATUSES, Codes

# Larger tensors are read one by one, so that not all of them must be in memory.
# Units: bytes.
_ONE_BY_ONE = 2**20
Name = TypeVar("Name", PortName, Link)


class Reading(NamedTuple):
    """The summary of one tensor.

    `first` holds all elements of a tensor with at most 16, otherwise the first 16. `thumbnail` is a matrix sampled by
    area mean (at most 4 by 13) or a vector sampled to 64 points. Tensors of more than 16 elements and small matrices
    have one. `low`, `high` and `mean` are those of the finite elements, 0 if there are none. `spread` is their standard
    deviation, NaN beside elements that are not finite.
    """

    shape: tuple[int, ...] | None
    dtype: str
    size: int
    norm: float
    low: float
    high: float
    mean: float
    total: float
    nan: int
    infinite: int
    first: tuple[float, ...]
    thumbnail: Array | None
    spread: float

    @property
    def is_finite(self) -> bool:
        """True if no element is NaN or infinite."""
        return not self.nan and not self.infinite

    @property
    def has_all(self) -> bool:
        """True if `first` holds every element."""
        return self.size <= VALUES_KEPT


@dataclass(frozen=True)
class Table:
    """A table with one reading per row; an unknown tensor has shape None.

    `rows` is a survey, `first` has the elements kept. `moments` has means and deviations that do not follow from the
    survey, because a sum overflows or cancels.
    Shapes: `first` (rows, 16), padded with zeros.
    """

    rows: Survey
    first: Array
    shapes: tuple[tuple[int, ...] | None, ...]
    dtypes: tuple[str, ...]
    thumbnails: Pictures
    moments: Mapping[int, Moments] = field(default_factory=dict)

    def __getitem__(self, row: int) -> Reading | None:
        """Returns the reading of one row, or None if the tensor is unknown."""
        shape = None if row < 0 else self.shapes[row]
        if shape is None:
            return None
        nan, infinite, _, _, low, high, total, norm = self.rows[row].item()
        size, picture = math.prod(shape), self.thumbnails.get(row)
        known, moments = size - nan - infinite, self.moments.get(row)
        mean, spread = _moments(norm, total, size, known, low == high) if moments is None else moments
        first = tuple(self.first[row, : min(size, VALUES_KEPT)].tolist())
        return Reading(
            shape, self.dtypes[row], size, norm, low, high, mean, total, int(nan), int(infinite), first, picture, spread
        )


class PlaceReading(NamedTuple):
    """The reading of an output port or a wire on the canvas: the value there, its gradient, and the causes.

    A wire has the value of its source. `withheld` is the norm of what a StopGradient withholds from it.
    """

    value: Reading | None
    gradient: Reading | None
    status: Status
    by: tuple[str, ...] = ()
    withheld: float | None = None
    origin: Origin | None = None
    zero: ZeroCause | None = None
    tie: Tie | None = None


class InnerReading(NamedTuple):
    """The gradient that a Gradients block (`by`) passes into a port that it reads without a wire."""

    by: str
    gradient: Reading | None


@dataclass(frozen=True)
class Places(Generic[Name]):
    """The gradients of all ports, or of all wires, of a run: each name has a row.

    The cuts `by` which it is blocked, the origins of NaN and infinity, the causes of zeros and the ties are sparse.
    """

    row_of: Mapping[Name, int]
    gradients: Table
    statuses: Codes
    by: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    origins: Mapping[int, Origin] = field(default_factory=dict)
    zeros: Mapping[int, ZeroCause] = field(default_factory=dict)
    ties: Mapping[int, Tie] = field(default_factory=dict)

    def has_rows_of(self, other: Places[Name]) -> bool:
        """Returns whether the same names have the same rows, and there are as many rows.

        Equal names are the same objects. They do not say how many rows are free since an edit removed their names.
        """
        return self.row_of is other.row_of and len(self.statuses) == len(other.statuses)

    def with_causes_of(self, other: Places[Name]) -> Places[Name]:
        """Returns the places with the origins, causes of zeros and ties of others in the same rows."""
        return replace(self, origins=other.origins, zeros=other.zeros, ties=other.ties)

    def reading(self, row: int, value: Reading | None, withheld: float | None = None) -> PlaceReading:
        """Returns the reading of a row with the value there."""
        status, by = STATUSES[self.statuses[row]], self.by.get(row, ())
        origin, zero, tie = self.origins.get(row), self.zeros.get(row), self.ties.get(row)
        return PlaceReading(value, self.gradients[row], status, by, withheld, origin, zero, tie)


@dataclass(frozen=True)
class Results:
    """Everything that the window knows of one run.

    `values` has the rows of the ports; `withheld` and `inner` are sparse. `compared` are the results in the other
    state, which `comparison` describes. `hidden` is the reason why gradients are hidden, None if they are not. If it
    `owes_causes`, what is said of zeros, ties and origins is that of an earlier run. `seconds` is the time of the whole
    run, `passes` the time of its forward and backward pass.
    """

    revision: int
    ports: Places[PortName]
    wires: Places[Link]
    values: Table
    withheld: Mapping[int, float]
    loss: LossResult | None
    problems: tuple[Problem, ...]
    seconds: float = 0.0
    passes: Passes = NOT_TIMED
    comparison: Comparison | None = None
    compared: Results | None = None
    inner: Mapping[int, tuple[InnerReading, ...]] = field(default_factory=dict)
    hidden: Hidden | None = None
    owes_causes: bool = False

    @property
    def tables(self) -> tuple[Table, Table, Table]:
        """The tables of values, of gradients of ports, and of those of wires."""
        return self.values, self.ports.gradients, self.wires.gradients

    def has_rows_of(self, other: Results) -> bool:
        """Returns whether the tables have one layout."""
        return self.ports.has_rows_of(other.ports) and self.wires.has_rows_of(other.wires)

    def inner_parts(self, name: PortName) -> tuple[InnerReading, ...]:
        """Returns the gradients that flow into an output port without a wire."""
        return self.inner.get(self.ports.row_of.get(name, -1), ())

    def port(self, name: PortName) -> PlaceReading | None:
        """Returns the reading of an output port, or None if the run did not know it."""
        row = self.ports.row_of.get(name)
        return None if row is None else self.ports.reading(row, self.values[row])

    def wire(self, link: Link) -> PlaceReading | None:
        """Returns the reading of a wire, or None if the run did not know it."""
        row, source = self.wires.row_of.get(link), self.ports.row_of.get(link.source, -1)
        return None if row is None else self.wires.reading(row, self.values[source], self.withheld.get(row))

    def at(self, place: PortName | Link) -> PlaceReading | None:
        """Returns the reading of an output port or a wire, or None if the run did not know it."""
        return self.wire(place) if isinstance(place, Link) else self.port(place)

    @functools.cached_property
    def broken_ports(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """A mask of the ports whose value holds NaN or an infinity that nobody means; origins may follow later."""
        rows = self.values.rows
        found: np.ndarray[Any, np.dtype[np.bool_]] = rows["nan"] > 0
        told = np.array([row for row, origin in self.ports.origins.items() if not origin.is_meant], np.intp)
        found[told] |= rows["infinite"][told] > 0
        meant = [row for row, origin in self.ports.origins.items() if origin.is_meant]
        found[meant] = False
        return found

    @functools.cached_property
    def nonfinite_wires(self) -> list[Link]:
        """The wires whose value or gradient holds NaN or infinity, in topological order."""
        broken, status = self.broken_ports, STATUS_ROW[Status.NONFINITE]
        if not (broken.any() or (self.wires.statuses == status).any()):
            return []
        return [
            link
            for link, row in self.wires.row_of.items()
            if self.wires.statuses[row] == status
            or ((port := self.ports.row_of.get(link.source)) is not None and broken[port])
        ]


def results_of(snapshot: Snapshot, revision: int) -> Results:
    """Returns the readings of a whole run."""
    arriving = ((row, item.withheld) for row, item in enumerate(snapshot.wires.values()))
    return Results(
        revision,
        explained(snapshot.ports, table_of(item.gradient for item in snapshot.ports.values())),
        explained(snapshot.wires, table_of(item.gradient for item in snapshot.wires.values())),
        table_of(item.value for item in snapshot.ports.values()),
        {row: reading_of(array).norm for row, array in arriving if array is not None},
        snapshot.loss,
        snapshot.problems,
        inner=inner_readings(snapshot),
    )


def rows_of(names: Iterable[Name]) -> dict[Name, int]:
    """Returns the row of each name, in their order."""
    return {name: row for row, name in enumerate(names)}


def explained(found: Mapping[Name, PortResult | WireResult], gradients: Table) -> Places[Name]:
    """Returns what a snapshot has found of its ports or wires, with the causes and the table of the gradients."""
    rows = list(enumerate(found.values()))
    return Places(
        rows_of(found),
        gradients,
        np.array([STATUS_ROW[item.status] for _, item in rows], np.uint8),
        {row: item.by for row, item in rows if item.by},
        {row: item.origin for row, item in rows if item.origin is not None},
        {row: item.zero for row, item in rows if item.zero is not None},
        {row: item.tie for row, item in rows if item.tie is not None},
    )


def inner_readings(snapshot: Snapshot) -> dict[int, tuple[InnerReading, ...]]:
    """Returns the gradients that flow into output ports without a wire, by row."""
    return {row: _inner(item) for row, item in enumerate(snapshot.ports.values()) if item.inner}


def _inner(port: PortResult) -> tuple[InnerReading, ...]:
    parts = ((part.by, part.gradient) for part in port.inner)
    return tuple(InnerReading(by, None if array is None else reading_of(array)) for by, array in parts)


def table_of(tensors: Iterable[Array | Note | None], survey: Survey | None = None) -> Table:
    """Returns the readings of some tensors; None means an unknown tensor. `survey` has the rows of the known ones."""
    told = list(tensors) if survey is not None else list(map(_noted, tensors))
    known = {row: item for row, item in enumerate(told) if item is not None}
    places, kept = np.fromiter(known, np.intp, len(known)), list(known.values())
    rows, first = as_survey(np.zeros((len(told), len(COLUMNS)))), np.zeros((len(told), VALUES_KEPT))
    rows[places], first[places] = _survey_of(kept) if survey is None else survey, _heads(kept)
    shapes = tuple(None if item is None else item.shape for item in told)
    dtypes = tuple("" if item is None else dtype_name(item.dtype) for item in told)
    arrays = {row: item for row, item in known.items() if not isinstance(item, Note)}
    notes = {row: item for row, item in known.items() if isinstance(item, Note)}
    made = {row: note.picture for row, note in notes.items() if note.picture is not None}
    return Table(rows, first, shapes, dtypes, pictures_of(arrays, made), moments_by_row(rows, shapes, told.__getitem__))


def _noted(item: Array | Note | None) -> Array | Note | None:
    """Returns a note in place of a large tensor, or the tensor itself."""
    return note_of(item, survey_of([item])[0]) if isinstance(item, np.ndarray) and item.nbytes > _ONE_BY_ONE else item


def _survey_of(tensors: Sequence[Array | Note]) -> Survey:
    found = survey_of([None if isinstance(item, Note) else item for item in tensors])
    for row, item in enumerate(tensors):
        if isinstance(item, Note):
            found[row] = item.numbers
    return found


@functools.cache
def dtype_name(dtype: np.dtype[Any]) -> str:
    """Returns the name of a dtype, which NumPy would build again at each access."""
    return dtype.name


def moments_by_row(
    rows: Survey, shapes: Sequence[tuple[int, ...] | None], tensor_of: Callable[[int], Array | Note | None]
) -> dict[int, Moments]:
    """Returns the moments of the tensors of which the survey does not tell them."""
    sizes = np.array([0 if shape is None else math.prod(shape) for shape in shapes], np.float64)
    places = np.flatnonzero(~told_by(rows, sizes) & (sizes > 0)).tolist()
    found = ((place, tensor_of(place)) for place in places)
    return {
        row: item.moments if isinstance(item, Note) else moments_of(item) for row, item in found if item is not None
    }


def _moments(norm: float, total: float, size: int, known: float, is_even: bool) -> Moments:
    """Returns mean and deviation as a survey tells them, without squares, which might overflow or vanish."""
    mean = total / known if known > 0 else 0.0
    if known < size:
        return Moments(mean, math.nan)
    level = norm / math.sqrt(size) if size and not is_even else 0.0
    return Moments(mean, math.sqrt(max(level - abs(mean), 0.0)) * math.sqrt(level + abs(mean)) if level else 0.0)


def _heads(tensors: Sequence[Array | Note]) -> Array:
    """Returns the first elements of each tensor, padded with zeros."""
    found = np.zeros((len(tensors), VALUES_KEPT))
    flat = [item.first if isinstance(item, Note) else first_of(item) for item in tensors]
    lengths = np.array([len(item) for item in flat], np.intp)
    if len(flat):
        columns = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        found[np.repeat(np.arange(len(flat)), lengths), columns] = np.concatenate(flat).astype(np.float64)
    return found


def reading_of(array: Array) -> Reading:
    """Returns the reading of one tensor."""
    found = table_of([array])[0]
    if found is None:
        raise ValueError("a tensor has a reading")
    return found


def gradient_range(norms: Array | Sequence[float]) -> tuple[float, float]:
    """Returns the largest norm, and the number of decades that widths and colours span.

    The span covers the norms, at least 2 decades and at most 6. Without a norm above 0 the result is (1, 2).
    """
    whole = np.asarray(norms, float)
    known = whole[(whole > 0) & (whole < np.inf)]
    if not known.size:
        return 1.0, 2.0
    decades = float(np.log10(known.max()) - np.log10(known.min()))
    return float(known.max()), min(max(decades, 2.0), 6.0)
