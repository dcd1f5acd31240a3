"""How exact the gradients of a run are: where sums cancel, what another dtype gives, and which zeros are none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.check import in_double, in_single
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.expression import Application
from engine.gradients import filled, steps_of, walk_back
from engine.graph import Graph
from engine.linear_steps import run_application
from engine.lower import infer_and_measure, lower
from engine.norms import norm_of
from engine.plan import make_plan, run
from engine.status import Status, number_status
from engine.tensor_spec import Array

# A gradient is linear in the loss's own: with that many binary places more there, nothing else of it changes.
PLACES = 900
Gradients = dict[PortName, Array]


@dataclass(frozen=True)
class Accumulation:
    """A sum at its worst element: the gradient of a wire or a port, or the value of a port.

    `rest` is what is left of terms whose sizes add up to `absolute`; `what` is the type of the step that adds, ""
    for the wires of a port. `digits` is how many decimal digits the dtype has.
    """

    place: Link | PortName
    is_gradient: bool
    what: str
    index: tuple[int, ...]
    rest: float
    absolute: float
    digits: float

    @property
    def condition(self) -> float:
        """κ: how many times the rounding errors of the terms weigh more in the sum."""
        return self.absolute / abs(self.rest) if self.rest else math.inf

    @property
    def digits_left(self) -> float:
        """How many decimal digits of the sum are right."""
        return max(0.0, self.digits - math.log10(self.condition)) if self.rest else 0.0


@dataclass(frozen=True)
class Deviation:
    """How much the gradient of a port differs in the other dtype, relative to the larger of both norms."""

    place: PortName
    difference: float


@dataclass(frozen=True)
class Underflow:
    """Zeros in the gradient of a port that are too small for its dtype; the largest of them is 10 to `exponent`."""

    place: PortName
    index: tuple[int, ...]
    count: int
    exponent: float


@dataclass(frozen=True)
class Precision:
    """What was found, the worst first. `shadow` is the dtype in which the graph was run a second time."""

    accumulations: tuple[Accumulation, ...]
    shadow: str
    deviations: tuple[Deviation, ...]
    underflows: tuple[Underflow, ...]


def precision_of(found: Evaluation) -> Precision:
    """How exact the gradients of a run are.

    Its graph is run again in float32, or in float64 if it holds any shorter numbers; and where there are zeros once
    more in float64 with the gradient of the loss enlarged, so that what is too small to be seen can be.
    """
    own = _gradients(found)
    is_short = any(array.dtype.itemsize < 8 for array in own.values())
    accumulations = sorted(_accumulations(found), key=lambda item: (item.digits_left, -item.condition))
    shadow = _rerun(in_double(found.graph) if is_short else in_single(found.graph), 0)
    deviations = [Deviation(name, _difference(own[name], shadow[name])) for name in _arriving(found) if name in shadow]
    deviations = [item for item in deviations if not math.isnan(item.difference)]
    return Precision(
        tuple(accumulations),
        "float64" if is_short else "float32",
        tuple(sorted(deviations, key=lambda item: -item.difference)),
        tuple(_underflows(own, found.graph, shadow if is_short else own)),
    )


def _gradients(found: Evaluation) -> Gradients:
    totals = found.lowered.backward.totals
    arrays = {name: found.results[totals[port]] for name, port in found.lowered.ports.items() if port in totals}
    return {name: array for name, array in arrays.items() if array is not None and array.size}


def _arriving(found: Evaluation) -> Iterator[PortName]:
    """The ports whose gradient is more than its own rounding: of nothing any share may differ."""
    for name, port in found.lowered.ports.items():
        total = found.lowered.backward.totals.get(port)
        array = None if total is None else found.results[total]
        if array is not None and number_status(array, found.tolerances.of_total(port)) is Status.FLOW and array.size:
            yield name


def _rerun(graph: Graph, places: int) -> Gradients:
    """The gradients of all ports if that of the loss were 2 to the power of `places`."""
    lowered = lower(infer_and_measure(graph))
    backward = walk_back({loss: filled(loss.spec, 2.0**places) for loss in lowered.losses})
    totals = {name: backward.totals[port] for name, port in lowered.ports.items() if port in backward.totals}
    results = run(make_plan(totals.values()))
    found = {name: results[total] for name, total in totals.items()}
    return {name: array for name, array in found.items() if array is not None}


def _difference(own: Array, other: Array) -> float:
    """Relative to the larger norm; NaN where the gradient itself is not finite, or the shapes differ."""
    if own.shape != other.shape or not np.isfinite(own).all():
        return math.nan
    if not np.isfinite(other).all():
        return math.inf
    scale = max(norm_of(own), norm_of(other))
    return norm_of(own.astype(np.float64) - other) / scale if scale else 0.0


def _underflows(own: Gradients, graph: Graph, double: Gradients) -> Iterator[Underflow]:
    suspects = {name: array for name, array in own.items() if name in double and not array.all()}
    enlarged = _rerun(in_double(graph), PLACES) if suspects else {}
    for name, gradient in suspects.items():
        if name not in enlarged or enlarged[name].shape != gradient.shape:
            continue
        exponents = _exponents(double[name], enlarged[name])
        least = math.log10(float(np.finfo(gradient.dtype).smallest_subnormal))
        hidden = (gradient == 0) & np.isfinite(exponents) & (exponents < least)
        if hidden.any():
            place = int(np.argmax(np.where(hidden, exponents, -np.inf)))
            index = tuple(int(item) for item in np.unravel_index(place, gradient.shape))
            yield Underflow(name, index, int(hidden.sum()), float(exponents.flat[place]))


def _exponents(double: Array, enlarged: Array) -> Array:
    """The decimal logarithms of sizes, from the enlarged gradients where the others are zero."""
    with np.errstate(divide="ignore"):
        near, far = np.log10(np.abs(double)), np.log10(np.abs(enlarged)) - PLACES * math.log10(2)
    return np.where(double == 0, far, near)


def _accumulations(found: Evaluation) -> Iterator[Accumulation]:
    yield from _fan_outs(found)
    yield from _sums_on_wires(found)
    yield from _sums_of_values(found)


def _fan_outs(found: Evaluation) -> Iterator[Accumulation]:
    backward = found.lowered.backward
    for name, port in found.lowered.ports.items():
        edges = found.zeros.arriving(port)
        parts = [found.results[backward.edges[edge]] for edge in edges]
        known = [np.abs(part) for part in parts if part is not None]
        total = found.results[backward.totals[port]] if port in backward.totals else None
        if len(edges) > 1 and len(known) == len(edges) and total is not None:
            yield from _worst(name, True, "", total, np.sum(known, axis=0))


def _sums_on_wires(found: Evaluation) -> Iterator[Accumulation]:
    lowered, backward = found.lowered, found.lowered.backward
    forward = dict.fromkeys(backward.order)
    for link in lowered.inferred.expanded.links:
        edge = lowered.edges.get(link.target)
        if edge is not None and edge in backward.edges:
            for step in steps_of(edge, backward, forward):
                yield from _of_step(found, link, True, step)


def _sums_of_values(found: Evaluation) -> Iterator[Accumulation]:
    for name, port in found.lowered.ports.items():
        if port.index == 0 and found.lowered.owners.get(port.application) == name.path:
            yield from _of_step(found, name, False, port.application)


def _of_step(found: Evaluation, place: Link | PortName, is_gradient: bool, step: Application) -> Iterator[Accumulation]:
    """The sum that a step is, if it is one: its terms are those of a run on the sizes of its inputs."""
    arrays = [None if item is None else found.results[item] for item in step.inputs]
    total = found.results[step.outputs[0]]
    if step.type.adds_products and step.inputs and total is not None and total.dtype.kind == "f":
        sizes = [np.abs(item) if item is not None and item.dtype.kind == "f" else item for item in arrays]
        yield from _worst(place, is_gradient, step.type.name, total, run_application(step, sizes)[0])


def _worst(
    place: Link | PortName, is_gradient: bool, what: str, total: Array, absolute: Array
) -> Iterator[Accumulation]:
    """The element of a sum that cancels most; nothing where all terms are zero or any is not finite."""
    if total.shape != absolute.shape or not total.size or not np.isfinite(absolute).all() or not absolute.any():
        return
    with np.errstate(all="ignore"):
        conditions = np.where(absolute == 0, 0, absolute / np.abs(total))
    index = tuple(int(item) for item in np.unravel_index(int(np.argmax(conditions)), total.shape))
    digits = -math.log10(float(np.finfo(total.dtype).eps))
    yield Accumulation(place, is_gradient, what, index, float(total[index]), float(absolute[index]), digits)
