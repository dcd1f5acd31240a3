"""Precision of a run's gradients: cancellation in sums, deviations in another dtype, and underflows.

Source: the condition number of a sum; Higham, Accuracy and Stability of Numerical Algorithms (2002), section 4.2. Cost:
one or two more runs of the graph, and O(elements) of its sums.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import backward_pass, filled, steps_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.status import Status, number_status
from gradwire.engine.base.norms import change_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results, make_plan
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.executors.rematerialization import Keeping, run_within
from gradwire.engine.explain.checks.check import in_double, in_single
from gradwire.engine.graph.graph import Graph

# Gradients are linear in the loss's own gradient; this many more binary places there change nothing else.
PLACES = 900
# Parts of gradient rules have no names for users.
_PART = "a gradient rule"
_Found = TypeVar("_Found")
# A slot of a run, and a function that examines its array and returns a finding.
_Look = tuple[int, Callable[[], _Found | None]]


@dataclass(frozen=True)
class _Gradients:
    """Gradients of the ports of a run; each array is loaded on access."""

    totals: Mapping[PortName, Expression]
    results: Results

    @staticmethod
    def of(
        ports: Mapping[PortName, Expression], totals: Mapping[Expression, Expression], results: Results
    ) -> _Gradients:
        """Returns the gradients that were computed and have elements."""
        found = {name: totals[port] for name, port in ports.items() if port in totals}
        known = {name: item for name, item in found.items() if results.has(item) and item.spec.size}
        return _Gradients(known, results)

    def slot(self, name: PortName) -> int:
        """Returns the slot of a gradient in the run."""
        return self.results.plan.slots[self.totals[name]]

    def __contains__(self, name: PortName) -> bool:
        return name in self.totals

    def __getitem__(self, name: PortName) -> Array:
        array = self.results[self.totals[name]]
        if array is None:
            # The array existed before, so its rematerialisation has failed.
            raise next(iter(self.results.failures.values()))
        return array


@dataclass(frozen=True)
class Accumulation:
    """Sum at its worst element: the gradient of a wire or a port, or the value of a port.

    `rest` is the sum of terms whose sizes add up to `absolute`; `what` is the type of the step that adds, "" for the
    wires of a port. `digits` is the number of decimal digits of the dtype.
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
        """Condition number κ of the sum: the factor by which it amplifies the rounding errors of its terms."""
        return self.absolute / abs(self.rest) if self.rest else math.inf

    @property
    def digits_left(self) -> float:
        """Number of correct decimal digits of the sum."""
        return max(0.0, self.digits - math.log10(self.condition)) if self.rest else 0.0


@dataclass(frozen=True)
class Deviation:
    """Difference of a port's gradient in the other dtype, relative to the larger of both norms."""

    place: PortName
    difference: float


@dataclass(frozen=True)
class Underflow:
    """Underflow: zeros in a port's gradient that are too small for its dtype, the largest 10 to `exponent`."""

    place: PortName
    index: tuple[int, ...]
    count: int
    exponent: float


@dataclass(frozen=True)
class Precision:
    """Findings, the worst first. `shadow` is the dtype of the second run.

    Gradients that are zero within rounding are no findings: they have no digits to lose.
    """

    accumulations: tuple[Accumulation, ...]
    shadow: str
    deviations: tuple[Deviation, ...]
    underflows: tuple[Underflow, ...]


def precision_of(found: Evaluation) -> Precision:
    """Returns how precise the gradients of a run are.

    Runs its graph again in float32, or in float64 if it holds any shorter numbers. If there are zeros, runs it once
    more in float64 with an enlarged gradient of the loss, so that underflows become visible.
    """
    own = _Gradients.of(found.lowered.ports, found.lowered.backward.totals, found.results)
    is_short = any(total.dtype.itemsize < 8 for total in own.totals.values())
    accumulations = _looked_at([*_fan_outs(found), *_sums_on_wires(found), *_sums_of_values(found)])
    shadow = _rerun(in_double(found.graph) if is_short else in_single(found.graph), 0, found.keeping)
    return Precision(
        tuple(sorted(accumulations, key=lambda item: (item.digits_left, -item.condition))),
        "float64" if is_short else "float32",
        tuple(sorted(_deviations(own, found, shadow), key=lambda item: -item.difference)),
        tuple(_underflows(own, found, shadow if is_short else own)),
    )


def _looked_at(looks: Sequence[_Look[_Found]]) -> list[_Found]:
    """Returns the findings in the order of `looks`, but examines arrays in the order of the run.

    Any other order would rematerialise many arrays repeatedly.
    """
    places = sorted(range(len(looks)), key=lambda place: looks[place][0])
    found = {place: looks[place][1]() for place in places}
    known = (found[place] for place in range(len(looks)))
    return [item for item in known if item is not None]


def _deviations(own: _Gradients, found: Evaluation, shadow: _Gradients) -> list[Deviation]:
    """Returns the deviations of gradients above their own rounding; below it any relative difference is meaningless."""

    def look(name: PortName) -> Deviation | None:
        port = found.lowered.ports[name]
        if number_status(own[name], found.tolerances.of_total(port)) is not Status.FLOW:
            return None
        difference = _difference(own[name], shadow[name])
        return None if math.isnan(difference) else Deviation(name, difference)

    return _looked_at([(own.slot(name), functools.partial(look, name)) for name in own.totals if name in shadow])


def _rerun(graph: Graph, places: int, keeping: Keeping | None) -> _Gradients:
    """Returns the gradients of all ports for an incoming gradient of 2 to the power of `places`."""
    lowered = lower(infer_and_measure(graph))
    backward = backward_pass({loss: filled(loss.spec, 2.0**places) for loss in lowered.losses})
    totals = [backward.totals[port] for port in lowered.ports.values() if port in backward.totals]
    results = run_within(make_plan(lowered.losses, then=totals), keeping)
    return _Gradients.of(lowered.ports, backward.totals, results)


def _difference(own: Array, other: Array) -> float:
    """Returns the difference relative to the larger norm; NaN for non-finite gradients or different shapes."""
    if own.shape != other.shape or not np.isfinite(own).all():
        return math.nan
    if not np.isfinite(other).all():
        return math.inf
    return min(change_of(own, other), change_of(other, own))


def _underflows(own: _Gradients, found: Evaluation, double: _Gradients) -> list[Underflow]:
    def is_suspect(name: PortName) -> PortName | None:
        return None if own[name].all() else name

    known = [name for name in own.totals if name in double]
    suspects = _looked_at([(own.slot(name), functools.partial(is_suspect, name)) for name in known])
    if not suspects:
        return []
    enlarged = _rerun(in_double(found.graph), PLACES, found.keeping)

    def look(name: PortName) -> Underflow | None:
        return _underflow(name, own[name], double[name], enlarged[name])

    fitting = [name for name in suspects if name in enlarged and enlarged.totals[name].shape == own.totals[name].shape]
    return _looked_at([(own.slot(name), functools.partial(look, name)) for name in fitting])


def _underflow(name: PortName, gradient: Array, double: Array, enlarged: Array) -> Underflow | None:
    exponents = _exponents(double, enlarged)
    least = math.log10(float(np.finfo(gradient.dtype).smallest_subnormal))
    hidden = (gradient == 0) & np.isfinite(exponents) & (exponents < least)
    if not hidden.any():
        return None
    place = int(np.argmax(np.where(hidden, exponents, -np.inf)))
    index = tuple(int(item) for item in np.unravel_index(place, gradient.shape))
    return Underflow(name, index, int(hidden.sum()), float(exponents.flat[place]))


def _exponents(double: Array, enlarged: Array) -> Array:
    """Returns the decimal logarithms of sizes, from the enlarged gradients where the others are zero."""
    with np.errstate(divide="ignore"):
        near, far = np.log10(np.abs(double)), np.log10(np.abs(enlarged)) - PLACES * math.log10(2)
    return np.where(double == 0, far, near)


def _fan_outs(found: Evaluation) -> Iterator[_Look[Accumulation]]:
    backward = found.lowered.backward
    for name, port in found.lowered.ports.items():
        parts = [backward.edges[edge] for edge in found.zeros.arriving(port)]
        if len(parts) > 1 and port in backward.totals and found.tolerances.status_of_total(port) is not Status.ZERO:
            total = backward.totals[port]
            yield found.results.plan.slots[total], functools.partial(_of_fan_out, found, name, total, parts)


def _of_fan_out(
    found: Evaluation, place: PortName, total: Expression, parts: Sequence[Expression]
) -> Accumulation | None:
    sizes: Array | None = None
    for part in parts:
        array = found.results[part]
        if array is None:
            return None
        # One array at a time: a port may have many wires.
        sizes = np.abs(array) if sizes is None else sizes + np.abs(array)
    return _worst(place, True, "", found.results[total], sizes)


def _sums_on_wires(found: Evaluation) -> Iterator[_Look[Accumulation]]:
    lowered, backward = found.lowered, found.lowered.backward
    forward = dict.fromkeys(backward.order)
    for link in lowered.inferred.expanded.links:
        edge = lowered.edges.get(link.target)
        if edge is None or edge not in backward.edges:
            continue
        if found.tolerances.status_of_edge(edge) is not Status.ZERO:
            for step in steps_of(edge, backward, forward):
                yield from _sum_of(found, link, True, step)


def _sums_of_values(found: Evaluation) -> Iterator[_Look[Accumulation]]:
    for name, port in found.lowered.ports.items():
        if port.index == 0 and found.lowered.owners.get(port.application) == name.path:
            yield from _sum_of(found, name, False, port.application)


def _sum_of(
    found: Evaluation, place: Link | PortName, is_gradient: bool, step: Application
) -> Iterator[_Look[Accumulation]]:
    if step.type.sums_products and step.inputs and step.outputs[0].dtype.kind == "f":
        look = functools.partial(_of_step, found.results, place, is_gradient, step)
        yield found.results.plan.slots[step.outputs[0]], look


def _of_step(results: Results, place: Link | PortName, is_gradient: bool, step: Application) -> Accumulation | None:
    """Returns the accumulation of a step that adds products; a run on absolute inputs gives its terms."""
    arrays, total = [None if item is None else results[item] for item in step.inputs], results[step.outputs[0]]
    if total is None:
        return None
    sizes = [np.abs(item) if item is not None and item.dtype.kind == "f" else item for item in arrays]
    name = _PART if step.type.is_part else step.type.name
    return _worst(place, is_gradient, name, total, run_application(step, sizes)[0])


def _worst(
    place: Link | PortName, is_gradient: bool, what: str, total: Array | None, absolute: Array | None
) -> Accumulation | None:
    """Returns the element of a sum that cancels most.

    None if all terms are zero, or any is not finite or unknown.
    """
    if total is None or absolute is None:
        return None
    if not np.isfinite(absolute).all() or not absolute.any():
        return None
    with np.errstate(all="ignore"):
        conditions = np.where(absolute == 0, 0, absolute / np.abs(total))
    index = tuple(int(item) for item in np.unravel_index(int(np.argmax(conditions)), total.shape))
    digits = -math.log10(float(np.finfo(total.dtype).eps))
    return Accumulation(place, is_gradient, what, index, float(total[index]), float(absolute[index]), digits)
