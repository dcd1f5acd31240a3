"""Comparison of two graphs by name: how far values and gradients differ, and which ports and wires only one has.

The first graph is called A, the second B.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.norms import exponent_of, scaled
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult

# Differences up to this many units in the last place of the largest element count as rounding.
ROUNDING = 4096

Place = PortName | Link
Key = TypeVar("Key", PortName, Link)


@dataclass(frozen=True)
class Delta:
    """Difference of two tensors of one shape: its largest element, also relative to `scale`, the largest of both.

    The difference is infinite where only one of them is NaN, or where they hold different infinities. `unit` is the
    spacing around 1 of their dtypes. Sums of numbers as large as `floor` may have left what is smaller as rounding.
    """

    largest: float
    relative: float
    scale: float
    unit: float
    floor: float = 1.0

    @property
    def is_rounding(self) -> bool:
        """True if rounding explains the difference."""
        return self.largest <= ROUNDING * self.unit * max(self.floor, self.scale)


@dataclass(frozen=True)
class Difference:
    """Port or wire that both graphs have.

    A delta is None where a tensor is unknown or the shapes are not the same; `shapes` and `statuses` are those of A
    and B. A wire has the value of its source.
    """

    place: Place
    value: Delta | None
    gradient: Delta | None
    shapes: tuple[Shape | None, Shape | None]
    statuses: tuple[Status, Status]

    @property
    def is_equal(self) -> bool:
        """True if only rounding differs."""
        deltas = [delta for delta in (self.value, self.gradient) if delta is not None]
        same_kind = self.shapes[0] == self.shapes[1] and self.statuses[0] is self.statuses[1]
        return same_kind and all(delta.is_rounding for delta in deltas)


@dataclass(frozen=True)
class GraphComparison:
    """Result of comparing two graphs; `differences` has every common port and wire, the most different first."""

    loss: Delta | None
    losses: tuple[float | None, float | None]
    differences: tuple[Difference, ...]
    only_a: tuple[Place, ...]
    only_b: tuple[Place, ...]

    @property
    def unequal(self) -> int:
        """Number of common ports and wires that differ by more than rounding."""
        return sum(not item.is_equal for item in self.differences)


def compare_snapshots(a: Snapshot, b: Snapshot) -> GraphComparison:
    """Compares the ports and wires of two runs that have the same qualified name."""
    found = [_port(name, a.ports[name], b.ports[name]) for name in _common(a.ports, b.ports)]
    for link in _common(a.wires, b.wires):
        found.append(_wire(link, a, b))
    loss_a, loss_b = (None if run.loss is None else run.loss.value for run in (a, b))
    values, gradients = ([getattr(item, name) for item in found] for name in ("value", "gradient"))
    of_values, of_gradients = (
        max((item.scale for item in deltas if item), default=1.0) for deltas in (values, gradients)
    )
    loss = delta(loss_a, loss_b)
    return GraphComparison(
        None if loss is None else _above(loss, of_values),
        (_number(loss_a), _number(loss_b)),
        tuple(sorted((_judged(item, of_values, of_gradients) for item in found), key=_rank)),
        tuple(_only(a, b)),
        tuple(_only(b, a)),
    )


def first_difference(a: Evaluation, b: Evaluation) -> tuple[Link, bool] | None:
    """Returns the first wire that differs by more than rounding, and whether it is its gradient that does.

    Wires are taken in the order of evaluation: first all values from the inputs on, then gradients from the loss back.
    """
    found = {item.place: item for item in compare_snapshots(a.snapshot, b.snapshot).differences}
    wires = [(link, item) for link in _in_order(a) if (item := found.get(link)) is not None]
    value = next((link for link, item in wires if _has_other_value(item)), None)
    if value is not None:
        return value, False
    gradient = next((link for link, item in reversed(wires) if not item.is_equal), None)
    return None if gradient is None else (gradient, True)


def _has_other_value(item: Difference) -> bool:
    return item.shapes[0] != item.shapes[1] or (item.value is not None and not item.value.is_rounding)


def _in_order(run: Evaluation) -> Iterator[Link]:
    expanded = run.lowered.inferred.expanded
    place = {path: number for number, path in enumerate(expanded.instances)}
    known = [link for link in expanded.links if link.source.path in place and link.target.path in place]
    yield from sorted(known, key=lambda link: (place[link.target.path], place[link.source.path]))


def delta(a: Array | None, b: Array | None) -> Delta | None:
    """Returns the difference of two tensors; None if one is unknown or the shapes differ."""
    if a is None or b is None or a.shape != b.shape:
        return None
    exponent = exponent_of(a, b)
    wide_a, wide_b = scaled(a, exponent), scaled(b, exponent)
    with np.errstate(invalid="ignore"):
        gaps = np.abs(wide_a - wide_b)
    gaps = np.where(np.isfinite(wide_a) & np.isfinite(wide_b), gaps, np.inf)
    gaps = np.where((wide_a == wide_b) | (np.isnan(wide_a) & np.isnan(wide_b)), 0.0, gaps)
    scale, largest = max(_largest(wide_a), _largest(wide_b)), float(gaps.max(initial=0.0))
    relative = largest / scale if largest and scale else largest
    with np.errstate(over="ignore"):
        return Delta(float(np.ldexp(largest, exponent)), relative, float(np.ldexp(scale, exponent)), _unit(a, b))


def _judged(found: Difference, of_values: float, of_gradients: float) -> Difference:
    """Returns a difference whose rounding is that of sums of the largest numbers of both runs.

    A gradient that flows in both runs is no rounding error, however small it is.
    """
    floor = 0.0 if found.statuses == (Status.FLOW, Status.FLOW) else of_gradients
    value = None if found.value is None else _above(found.value, of_values)
    return replace(found, value=value, gradient=None if found.gradient is None else _above(found.gradient, floor))


def _above(found: Delta, floor: float) -> Delta:
    return replace(found, floor=min(1.0, floor))


def _largest(array: Array) -> float:
    """Returns the largest finite magnitude."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0))


def _unit(a: Array, b: Array) -> float:
    """Returns the spacing around 1 of the coarser of two dtypes; integers have none."""
    return max((float(np.finfo(item.dtype).eps) for item in (a, b) if item.dtype.kind == "f"), default=0.0)


def _number(loss: Array | None) -> float | None:
    return None if loss is None else float(loss)


def _common(a: Mapping[Key, object], b: Mapping[Key, object]) -> list[Key]:
    return [key for key in a if key in b]


def _only(a: Snapshot, b: Snapshot) -> Iterable[Place]:
    """Yields the ports and wires of the first that the second lacks."""
    yield from (name for name in a.ports if name not in b.ports)
    yield from (link for link in a.wires if link not in b.wires)


def _port(name: PortName, a: PortResult, b: PortResult) -> Difference:
    shapes = (None if a.value is None else a.value.shape, None if b.value is None else b.value.shape)
    return Difference(name, delta(a.value, b.value), delta(a.gradient, b.gradient), shapes, (a.status, b.status))


def _wire(link: Link, a: Snapshot, b: Snapshot) -> Difference:
    wires: tuple[WireResult, WireResult] = (a.wires[link], b.wires[link])
    sources = [run.ports.get(link.source) for run in (a, b)]
    values = [None if port is None else port.value for port in sources]
    first, second = (None if value is None else value.shape for value in values)
    gradient = delta(wires[0].gradient, wires[1].gradient)
    return Difference(link, delta(*values), gradient, (first, second), (wires[0].status, wires[1].status))


def _rank(item: Difference) -> tuple[bool, float]:
    """Returns a sort key: unequal places first, then larger differences first."""
    sizes = [found.largest for found in (item.value, item.gradient) if found is not None]
    return item.is_equal, -max(sizes, default=math.inf)
