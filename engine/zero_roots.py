"""Where the zeros of gradients arise: every zero element is followed towards the loss to its root, in one pass."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.cause import Cause
from engine.expression import Application, Expression
from engine.gradients import Edge, steps_of
from engine.linear_steps import LinearStep, generic_numbers, run_application
from engine.loss_tail import LossTail
from engine.lower import Lowered
from engine.plan import Results
from engine.status import ROUNDING_ERRORS, Tolerances
from engine.tensor_spec import Array

FAINT = 1e-6
_RANKS = {cause: rank for rank, cause in enumerate(Cause, start=1)}
# A code is the rank of a cause above a number: the least code has precedence, and 0 stands for "not zero". All are
# below 2**53, so that steps that only move elements can move codes as float64.
_SHIFT = 40


@dataclass(frozen=True)
class Root:
    """Where a zero arises: at `edge`, in the step `step` of its gradient, or in the sum that comes back to `port`."""

    cause: Cause
    edge: Edge | None = None
    step: Application | None = None
    port: Expression | None = None

    @property
    def application(self) -> Application:
        """What the zero is put down to."""
        owner = self.port if self.edge is None else self.edge
        assert owner is not None
        return owner.application


class ZeroRoots:
    """The root of every zero element of every gradient of a run; where nothing is zero it costs one look.

    A zero in a result of a step is put down to what is zero before it, so that nothing ends in "zero arrives".
    """

    def __init__(self, lowered: Lowered, results: Results, tolerances: Tolerances) -> None:
        self._lowered, self._results, self._tolerances = lowered, results, tolerances
        self._backward = lowered.backward
        self._forward = dict.fromkeys(lowered.backward.order)
        self._roots: dict[int, Root] = {}
        self._numbers: dict[Root, int] = {}
        # Codes of all gradients so far, None for those without zeros; and arrays whose numerical zeros became zeros.
        self._codes: dict[Expression, Array | None] = {}
        self._cleaned: dict[Expression, Array] = {}
        self._faint: dict[Edge, Array] = {}
        self._arriving: dict[Expression, list[Edge]] = {}
        self._pass()

    def arriving(self, expression: Expression) -> list[Edge]:
        """The edges along which gradients come back to an expression."""
        return self._arriving.get(expression, [])

    def of_edge(self, edge: Edge) -> dict[Root, int]:
        """The roots of an edge's zeros, and those where it saturates, with the number of elements of each."""
        part = self._backward.edges[edge]
        codes = self._masked(part, self._tolerances.of_edge(edge))
        return self._counted(codes, self._faint.get(edge))

    def of_total(self, expression: Expression) -> dict[Root, int]:
        """The roots of the zeros in all that comes back to an expression, with the number of elements of each."""
        total, edges = self._backward.totals[expression], self.arriving(expression)
        codes = self._masked(total, self._tolerances.of_total(expression))
        return self._counted(codes, self._faint.get(edges[0]) if len(edges) == 1 else None)

    def _masked(self, gradient: Expression, tolerance: Array | float) -> Array | None:
        codes, array = self._codes.get(gradient), self._results[gradient]
        zeros = None if array is None else _zeros(array, tolerance)
        return None if codes is None or zeros is None else np.where(zeros, codes, 0)

    def _counted(self, codes: Array | None, faint: Array | None) -> dict[Root, int]:
        found: dict[Root, int] = {}
        for part in (codes, faint):
            for code, count in {} if part is None else _counts(part).items():
                found[self._roots[code]] = found.get(self._roots[code], 0) + count
        return found

    def _pass(self) -> None:
        backward, seeds = self._backward, set(self._lowered.losses)
        for application in reversed(backward.order):
            for output in application.outputs:
                if output in backward.totals:
                    self._sum_up(output, output in seeds)
            for slot, item in enumerate(application.inputs):
                edge = Edge(application, slot)
                if item is not None and edge in backward.edges:
                    self._come_back(edge)
                    self._arriving.setdefault(item, []).append(edge)

    def _sum_up(self, output: Expression, is_seed: bool) -> None:
        """The codes of a sum over edges: those of its parts where all of them are zero, else they cancel."""
        total = self._backward.totals[output]
        array = self._results[total]
        zeros = None if array is None else _zeros(array, self._tolerances.of_total(output))
        if array is None or zeros is None or total in self._codes:
            self._codes.setdefault(total, None)
            return
        parts = [self._codes.get(self._backward.edges[edge]) for edge in self.arriving(output)]
        if is_seed or any(part is None for part in parts):
            codes = np.zeros(array.shape, np.int64)
        else:
            codes = functools.reduce(_both_zero, [part for part in parts if part is not None])
        self._keep(total, array, np.where(zeros & (codes == 0), self._code(Root(Cause.CANCELLED, port=output)), codes))

    def _come_back(self, edge: Edge) -> None:
        part = self._backward.edges[edge]
        array = self._results[part]
        zeros = None if array is None else _zeros(array, self._tolerances.of_edge(edge))
        if array is not None and zeros is not None and part not in self._codes:
            self._trace(edge, part, array, zeros)
        self._codes.setdefault(part, None)
        if array is not None and edge.application.type.steepest is not None:
            self._saturate(edge, part, array, zeros)

    def _trace(self, edge: Edge, part: Expression, array: Array, zeros: Array) -> None:
        is_rounded = not _is_exact(self._tolerances.of_edge(edge))
        for application in steps_of(edge, self._backward, self._forward):
            if any(item in self._codes for item in application.inputs):
                self._step(edge, application, is_rounded)
        if part in self._codes:
            codes = self._codes[part]
            rest = Root(Cause.CANCELLED, edge, part.application)
        else:
            codes, rest = self._without_gradient(edge, array), Root(self._flat(edge), edge)
        known = np.zeros(array.shape, np.int64) if codes is None else codes
        self._keep(part, array, np.where(zeros, np.where(known == 0, self._code(rest), known), 0))

    def _without_gradient(self, edge: Edge, array: Array) -> Array | None:
        """A rule that does not look at what arrives: what arrives may be zero all the same, element by element."""
        totals = [self._backward.totals[item] for item in edge.application.outputs if item in self._backward.totals]
        arriving = [self._codes.get(total) for total in totals]
        fitting = [codes for codes in arriving if codes is not None and codes.shape == array.shape]
        return fitting[0] if len(fitting) == len(arriving) == 1 else None

    def _flat(self, edge: Edge) -> Cause:
        reached = [output in self._backward.totals for output in edge.application.outputs]
        return Cause.FLAT if all(reached) else Cause.NOT_SELECTED

    def _step(self, edge: Edge, application: Application, is_rounded: bool) -> None:
        """The codes of one application between what arrives at a block and what comes back along an edge."""
        if all(output in self._codes for output in application.outputs):
            return
        inputs = application.inputs
        carried = {
            slot: self._codes[item] for slot, item in enumerate(inputs) if item is not None and item in self._codes
        }
        step = LinearStep(application, [self._value(item) for item in inputs], list(carried))
        is_cleaned = any(item in self._cleaned for item in inputs)
        values = step.outcome() if is_cleaned else [self._results[output] for output in application.outputs]
        terms = step.terms() if is_rounded and application.type.adds_products else None
        for index, (output, value) in enumerate(zip(application.outputs, values, strict=True)):
            assert value is not None
            zeros = value == 0 if terms is None else np.abs(value) <= _rounding(terms[index])
            if is_cleaned:
                self._cleaned[output] = value
            if not zeros.any():
                self._codes[output] = None
            elif application.type.moves_elements and len(inputs) == 1 and (only := carried.get(0)) is not None:
                self._keep(output, value, self._moved(edge, application, only, zeros))
            else:
                self._keep(output, value, self._judged(edge, step, application, carried, index, zeros))

    def _moved(self, edge: Edge, application: Application, codes: Array, zeros: Array) -> Array:
        moved = np.abs(run_application(application, [codes.astype(np.float64)])[0]).astype(np.int64)
        filled = self._code(Root(_unfed(edge), edge, application))
        return np.where(zeros, np.where(moved == 0, filled, moved), 0)

    def _judged(
        self,
        edge: Edge,
        step: LinearStep,
        application: Application,
        carried: Mapping[int, Array | None],
        index: int,
        zeros: Array,
    ) -> Array:
        """Judges zeros of a step by what feeds them: elements that are not zero, those that are, or nothing."""
        alive = {slot: np.asarray(True) if codes is None else codes == 0 for slot, codes in carried.items()}
        fed = step.feeds(alive)[index]
        passing = step.passes(alive)[index] if step.has_zero_factor() else fed
        found = np.zeros(zeros.shape, np.int64)
        local = zeros & fed & ~passing
        if local.any():
            found[local] = self._code(Root(self._local(edge, application), edge, application))
        summed = zeros & fed & passing
        if summed.any():
            has_terms = step.terms()[index] != 0
            found[summed & has_terms] = self._code(Root(Cause.CANCELLED, edge, application))
            found[summed & ~has_terms] = self._code(Root(Cause.UNDERFLOW, edge, application))
        return self._inherited(edge, step, application, carried, index, (zeros & ~fed, found))

    def _inherited(
        self,
        edge: Edge,
        step: LinearStep,
        application: Application,
        carried: Mapping[int, Array | None],
        index: int,
        rest_and_found: tuple[Array, Array],
    ) -> Array:
        rest, found = rest_and_found
        known = {slot: codes for slot, codes in carried.items() if codes is not None}
        for code in sorted({code for codes in known.values() for code in _counts(codes)}):
            if not rest.any():
                return found
            hit = rest & step.feeds({slot: codes == code for slot, codes in known.items()})[index]
            found[hit] = code
            rest = rest & ~hit
        if rest.any():
            found[rest] = self._code(Root(_unfed(edge), edge, application))
        return found

    def _local(self, edge: Edge, step: Application) -> Cause:
        """What a local derivative of zero is called."""
        block_type = edge.application.type
        if block_type.steepest is not None:
            return Cause.SATURATED
        if block_type.vanishes is not None:
            return block_type.vanishes
        if block_type.is_penalty:
            return Cause.AT_OPTIMUM if self._tail.is_bottom(edge) else Cause.ZERO_FACTOR
        return Cause.NOT_SELECTED if self._is_selection(step) else Cause.ZERO_FACTOR

    def _is_selection(self, step: Application) -> bool:
        """Whether a factor of the step, as the rule makes it, comes from a comparison."""
        waiting = [item for item in step.inputs if item is not None and item not in self._codes]
        while waiting:
            item = waiting.pop()
            if item.application in self._forward:
                continue
            if item.dtype.kind == "b":
                return True
            waiting.extend(before for before in item.application.inputs if before is not None)
        return False

    @functools.cached_property
    def _tail(self) -> LossTail:
        return LossTail(self._backward, self._lowered.losses)

    def _saturate(self, edge: Edge, part: Expression, array: Array, zeros: Array | None) -> None:
        """Names what the slopes of a saturating block leave of a gradient: zeros made here, and faint elements."""
        totals = self._backward.totals
        arriving = [totals[item] for item in edge.application.outputs if item in totals]
        strongest = max(
            float(np.abs(value).max(initial=0)) for value in map(self._value, arriving) if value is not None
        )
        limit = FAINT * (edge.application.type.steepest or 0)
        if array.size == 0 or not np.abs(array).min() < limit * strongest:
            return
        is_small = np.abs(self._slopes(edge, part, arriving)) < limit
        code, codes = self._code(Root(Cause.SATURATED, edge)), self._codes[part]
        if codes is not None and part not in arriving:
            own = np.isin(codes, [item for item, root in self._roots.items() if root.edge == edge])
            self._codes[part] = np.where(is_small & own, code, codes)
        faint = is_small & np.isfinite(array) if zeros is None else is_small & ~zeros
        if faint.any():
            self._faint[edge] = np.where(faint, code, 0)

    def _slopes(self, edge: Edge, part: Expression, arriving: Iterable[Expression]) -> Array:
        """What comes back along an edge if numbers around 1 arrive wherever anything does."""
        values: dict[Expression, Array] = {}
        for total in arriving:
            value = self._value(total)
            assert value is not None
            values[total] = np.where(value == 0, 0, generic_numbers(value.shape)).astype(value.dtype)
        for application in steps_of(edge, self._backward, self._forward):
            if any(item in values for item in application.inputs):
                arrays = [values[item] if item in values else self._value(item) for item in application.inputs]
                values |= zip(application.outputs, run_application(application, arrays), strict=True)
        return values[part]

    def _value(self, item: Expression | None) -> Array | None:
        if item is None:
            return None
        return self._cleaned[item] if item in self._cleaned else self._results[item]

    def _keep(self, gradient: Expression, array: Array, codes: Array) -> None:
        self._codes[gradient] = codes
        if bool((array[codes != 0] != 0).any()):
            self._cleaned[gradient] = np.where(codes != 0, array.dtype.type(0), array)

    def _code(self, root: Root) -> int:
        if root not in self._numbers:
            code = _RANKS[root.cause] << _SHIFT | len(self._numbers)
            self._numbers[root], self._roots[code] = code, root
        return self._numbers[root]


def _unfed(edge: Edge) -> Cause:
    """What a zero is called that nothing has a way to."""
    return edge.application.type.vanishes or Cause.NOT_SELECTED


def _zeros(array: Array, tolerance: Array | float) -> Array | None:
    """Which elements are numerically zero; None where none is."""
    if _is_exact(tolerance):
        return None if array.all() else np.asarray(array == 0)
    zeros: Array = np.abs(array) <= tolerance
    return zeros if zeros.any() else None


def _is_exact(tolerance: Array | float) -> bool:
    """Whether nothing may be rounded away; a NumPy scalar is a float too."""
    return not isinstance(tolerance, np.ndarray | np.generic)


def _both_zero(a: Array, b: Array) -> Array:
    both: Array = np.where((a == 0) | (b == 0), 0, np.minimum(a, b))
    return both


def _counts(codes: Array) -> dict[int, int]:
    """How often each code occurs."""
    first = codes.flat[0] if codes.size else 0
    if (codes == first).all():
        return {int(first): codes.size} if first else {}
    found, counts = np.unique(codes, return_counts=True)
    return {int(code): int(count) for code, count in zip(found, counts, strict=True) if code}


def _rounding(terms: Array) -> Array:
    rounded: Array = ROUNDING_ERRORS * np.finfo(terms.dtype).eps * terms
    return rounded
