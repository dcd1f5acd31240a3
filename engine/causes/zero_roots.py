"""Roots of zeros in gradients: one pass follows every zero element towards the loss.

Source: backward data-flow analysis, made for this program. Cost: one look at the statistics of each gradient;
O(elements), and a few reruns of the steps of its rule, for each gradient that has zeros.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of, steps_of
from gradwire.engine.autodiff.explanation_errors import Faults
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import is_exact
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression, place_of
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.derivative_causes import LocalCauses
from gradwire.engine.causes.linear_steps import LinearStep, adds_gradients, generic_numbers, run_application
from gradwire.engine.causes.tolerances import Tolerances
from gradwire.engine.causes.zero_codes import UNEXPLAINED, Code, CodeArrays, Root, RootCodes, completed, counts, marked
from gradwire.engine.causes.zero_steps import ZeroStep
from gradwire.engine.executors.magnitudes import NumberFacts

FAINT = 1e-6


class ZeroRoots:
    """Root of every zero element of every gradient of a run.

    Without any zeros the pass costs one look at each array. A zero in a result of a step is attributed to an earlier
    zero, so that no explanation ends with an incoming zero.
    """

    def __init__(
        self, lowered: Lowered, results: Results, facts: NumberFacts, tolerances: Tolerances, faults: Faults
    ) -> None:
        self._lowered, self._results, self._facts = lowered, results, facts
        self._tolerances, self._faults = tolerances, faults
        self._backward = lowered.backward
        self._forward = dict.fromkeys(lowered.backward.order)
        self._causes = LocalCauses(lowered)
        self._registry = RootCodes()
        # Expressions that the rules of two blocks may share; they keep their computed values, whatever path led there.
        self._ends = {*lowered.backward.totals.values(), *lowered.backward.edges.values()}
        # Codes of all gradients so far, None for those without zeros; and arrays whose numerical zeros became exact
        # zeros, None for those that do not fit in memory and are computed again on demand.
        self._codes = CodeArrays[Expression]()
        self._cleaned: dict[Expression, Array | None] = {}
        self._faint = CodeArrays[Edge]()
        self._known: dict[Edge | Expression, dict[Root, int]] = {}
        self._arriving: dict[Expression, list[Edge]] = {}
        with np.errstate(all="ignore"):
            self._pass()

    def arriving(self, expression: Expression) -> list[Edge]:
        """Returns the edges that contribute to the gradient of an expression."""
        return self._arriving.get(expression, [])

    def of_edge(self, edge: Edge) -> dict[Root, int]:
        """Returns the roots of an edge's zeros, and those where it saturates, with their numbers of elements."""
        return self._roots_of(edge, self._backward.edges[edge], edge)

    def of_total(self, expression: Expression) -> dict[Root, int]:
        """Returns the roots of the zeros in an expression's total gradient, with their numbers of elements."""
        edges = self.arriving(expression)
        return self._roots_of(expression, self._backward.totals[expression], edges[0] if len(edges) == 1 else None)

    def is_zero(self, output: Expression) -> bool:
        """Returns whether the total gradient of an output is numerically zero everywhere."""
        total = self._backward.totals[output]
        zeros = self._zeros(total, self._tolerances.of(output)) if self._codes.holds(total) else None
        return zeros is not None and bool(zeros.all())

    def holding(self, gradient: Expression, root: Root) -> Array:
        """Returns a mask of the elements of a gradient's expression that have a root."""
        codes = self._codes.get(gradient)
        return np.zeros(gradient.shape, bool) if codes is None else codes == self._code(root)

    def marks(self, at: Edge | Expression, root: Root) -> Array:
        """Returns a mask of the elements of an edge's or expression's gradient with a root, faint ones included."""
        backward, edges = self._backward, [at] if isinstance(at, Edge) else self.arriving(at)
        held = self.holding(backward.edges[at] if isinstance(at, Edge) else backward.totals[at], root)
        faint = self._faint.get(edges[0]) if len(edges) == 1 else None
        return held if faint is None else held | (faint == self._code(root))

    def is_gradient(self, expression: Expression) -> bool:
        """Returns whether an expression is a gradient or an intermediate step of one, and no factor."""
        return expression in self._codes

    def value(self, item: Expression | None) -> Array | None:
        """Returns the array of an expression, with numerical zeros replaced by exact ones."""
        if item is None:
            return None
        if item not in self._cleaned:
            return self._results[item]
        found = self._cleaned[item]
        return self._made_again(item) if found is None else found

    def step(self, application: Application) -> LinearStep:
        """Returns an application of a traced gradient, to be rerun on other arrays."""
        arriving = [slot for slot, item in enumerate(application.inputs) if item in self._codes]
        return LinearStep(application, [self.value(item) for item in application.inputs], arriving)

    def _code(self, root: Root) -> Code:
        return self._registry.code(root)

    def _roots_of(self, at: Edge | Expression, gradient: Expression, only: Edge | None) -> dict[Root, int]:
        """Returns the roots of zeros, and those of the faint elements of the `only` edge."""
        has_faint = only is not None and self._faint.holds(only)
        if not has_faint and not self._codes.holds(gradient):
            return {}
        # The only wire of a port has the port's gradient.
        key = at if has_faint or self._tolerances.is_rounded(at) else gradient
        if key not in self._known:
            zeros = self._zeros(gradient, self._tolerances.of(at)) if self._codes.holds(gradient) else None
            codes, faint = self._codes.get(gradient), None if only is None else self._faint.get(only)
            found = Counter({} if zeros is None or codes is None else counts(codes * zeros))
            found.update({} if faint is None else counts(faint))
            roots = {self._registry.root(code): found[code] for code in self._registry.by_precedence(found)}
            self._known[key] = {root: count for root, count in roots.items() if root is not None}
        return self._known[key]

    def _zeros(self, gradient: Expression, tolerance: Array | float) -> Array | None:
        """Returns a mask of the numerically zero elements; None without any, or if nothing is known."""
        sizes = self._facts.of(gradient)
        has_none = is_exact(tolerance) and sizes.is_finite and not sizes.has_zero
        # Avoids access to large arrays, which may have to be rematerialised.
        array = None if has_none else self._results[gradient]
        if array is None:
            return None
        if is_exact(tolerance) and sizes.is_finite:
            return np.asarray(array == 0)
        zeros: Array = np.abs(array) <= tolerance
        return zeros if zeros.any() else None

    def _pass(self) -> None:
        backward, seeds = self._backward, set(self._lowered.losses)
        for application in reversed(backward.order):
            for output in application.outputs:
                if output in backward.totals:
                    self._sum_up(output, output in seeds)
            for edge in backward.edges_into(application):
                self._come_back(edge)
                self._arriving.setdefault(source_of(edge), []).append(edge)

    def _sum_up(self, output: Expression, is_seed: bool) -> None:
        """Writes the codes of a sum over edges: those of its parts if all are zero, else a cancellation."""
        total = self._backward.totals[output]
        zeros = self._zeros(total, self._tolerances.of(output))
        array = None if zeros is None else self._results[total]
        if array is None or zeros is None or total in self._codes:
            self._codes.setdefault(total, None)
            return
        parts = [self._codes.get(self._backward.edges[edge]) for edge in self.arriving(output)]
        codes = self._registry.all_zero([*parts, None] if is_seed else parts, array.shape)
        self._codes[total] = completed(codes, zeros, lambda: self._code(Root(Cause.CANCELLED, port=output)))
        self._clean(total, array)

    def _come_back(self, edge: Edge) -> None:
        part = self._backward.edges[edge]
        zeros = self._zeros(part, self._tolerances.of(edge))
        if zeros is not None and part not in self._codes:
            self._faults.attempt(edge.application, self._trace, edge, part, zeros)
            if part not in self._codes:
                self._codes[part] = completed(None, zeros, lambda: UNEXPLAINED)
            self._let_go(edge)
        self._codes.setdefault(part, None)
        steepest = edge.application.type.max_slope
        if steepest is not None and (array := self._results[part]) is not None:
            self._faults.attempt(edge.application, self._saturate, edge, array, zeros, FAINT * steepest)

    def _trace(self, edge: Edge, part: Expression, zeros: Array) -> None:
        """Follows the zeros of an edge through the steps of its gradient."""
        is_rounded = self._tolerances.is_rounded(edge)
        for application in steps_of(edge, self._backward, self._forward):
            if any(item in self._codes for item in application.inputs):
                self._take_step(edge, application, is_rounded)
        if part in self._codes:
            codes, rest = self._codes[part], Root(Cause.CANCELLED, edge, part.application)
        else:
            codes, rest = self._beside(edge, zeros.shape), Root(self._causes.without_gradient(edge), edge)
        self._codes[part] = completed(codes, zeros, lambda: self._code(rest))
        self._clean(part, self._results[part])

    def _beside(self, edge: Edge, shape: Shape) -> Array | None:
        """Returns the codes of the incoming gradient for a rule that ignores it, if the shapes agree."""
        arriving = [self._codes.get(total) for total in self._totals(edge)]
        fitting = [codes for codes in arriving if codes is not None and codes.shape == shape]
        return fitting[0] if len(fitting) == len(arriving) == 1 else None

    def _take_step(self, edge: Edge, application: Application, is_rounded: bool) -> None:
        if all(output in self._codes for output in application.outputs):
            return
        step, is_cleaned = self.step(application), any(item in self._cleaned for item in application.inputs)
        moved = functools.cache(lambda: self._moved(application))
        values = step.outcome() if is_cleaned else [self._results[output] for output in application.outputs]
        is_sum = is_rounded and (application.type.sums_products or adds_gradients(application, self._codes))
        for index, (output, value) in enumerate(zip(application.outputs, values, strict=True)):
            assert value is not None
            zeros = np.abs(value) <= self._tolerances.rounding_of(output) if is_sum else value == 0
            self._codes[output] = self._judged(edge, step, moved, index, zeros) if zeros.any() else None
            cleaned = _without_noise(value, self._codes[output])
            if output in self._ends:
                self._clean(output, self._results[output])
            elif is_cleaned or cleaned is not value:
                self._cleaned[output] = cleaned

    def _judged(
        self, edge: Edge, step: LinearStep, moved: Callable[[], Sequence[Array] | None], index: int, zeros: Array
    ) -> Array:
        application = step.application
        codes = moved()
        if codes is not None:
            filled = Root(self._causes.unfed(edge), edge, application)
            return completed(codes[index], zeros, lambda: self._code(filled))

        def code(cause: Cause) -> Code:
            return self._code(Root(cause, edge, application))

        local = functools.partial(self._causes.of_step, edge, application, self._codes)
        carried = {slot: self._codes[item] for slot, item in self._arriving_at(application)}
        order = self._registry.by_precedence
        return ZeroStep(step, carried, code, order, local, self._causes.unfed(edge)).codes(index, zeros)

    def _arriving_at(self, application: Application) -> list[tuple[int, Expression]]:
        """Returns the slots of a step at which gradients arrive."""
        return [
            (slot, item) for slot, item in enumerate(application.inputs) if item is not None and item in self._codes
        ]

    def _moved(self, application: Application) -> Sequence[Array] | None:
        """Returns the codes behind a step that only moves elements, 0 where it fills in; None for other steps."""
        is_choice = application.type is Expression.operators["where"]
        if not is_choice and not application.type.only_moves_data:
            return None
        arriving = dict(self._arriving_at(application))
        arrays = [
            None
            if item is None
            else self._codes_of(item)
            if slot in arriving
            else np.zeros(item.shape, np.float32)
            if item.spec.is_differentiable
            else self.value(item)
            for slot, item in enumerate(application.inputs)
        ]
        return [self._registry.of_numbers(item) for item in run_application(application, arrays)]

    def _codes_of(self, gradient: Expression) -> Array:
        codes = self._codes[gradient]
        return np.zeros(gradient.shape, np.float32) if codes is None else codes.astype(np.float32)

    def _saturate(self, edge: Edge, array: Array, zeros: Array | None, limit: float) -> None:
        """Attributes zeros and faint elements of a gradient to the small slopes of a saturating block."""
        part, arriving = self._backward.edges[edge], self._totals(edge)
        values = [value for value in map(self.value, arriving) if value is not None]
        strongest = max(float(np.abs(value).max(initial=0)) for value in values)
        if array.size == 0 or not np.abs(array).min() < limit * strongest:
            return
        is_small = np.abs(self._slopes(edge, arriving)) < limit
        code, codes = self._code(Root(Cause.SATURATED, edge)), self._codes[part]
        if codes is not None and place_of(part, arriving) is None:
            roots = {item: self._registry.root(item) for item in counts(codes)}
            own = [item for item, root in roots.items() if root is not None and root.edge == edge]
            self._codes[part] = marked(codes, is_small & np.isin(codes, own), code)
        faint = is_small & np.isfinite(array) if zeros is None else is_small & ~zeros
        if faint.any():
            self._faint[edge] = completed(None, faint, lambda: code)

    def _slopes(self, edge: Edge, arriving: Sequence[Expression]) -> Array:
        """Returns the gradient of an edge for incoming numbers around 1 wherever the true ones are nonzero."""
        values: dict[Expression, Array] = {}
        for total in arriving:
            value = self.value(total)
            assert value is not None
            values[total] = generic_numbers(value.shape, dtype=value.dtype) * (value != 0)
        for application in steps_of(edge, self._backward, self._forward):
            if any(item in values for item in application.inputs):
                arrays = [values[item] if item in values else self.value(item) for item in application.inputs]
                values |= zip(application.outputs, run_application(application, arrays), strict=True)
        return values.get(self._backward.edges[edge], np.ones(()))

    def _totals(self, edge: Edge) -> list[Expression]:
        """Returns the incoming gradients of an edge's application."""
        totals = self._backward.totals
        return [totals[output] for output in edge.application.outputs if output in totals]

    def _clean(self, end: Expression, array: Array | None) -> None:
        """Stores the array of a gradient with exact zeros in place of its numerical zeros."""
        self._cleaned.pop(end, None)
        if array is not None and (found := _without_noise(array, self._codes[end])) is not array:
            self._cleaned[end] = found if self._results.stays(end) else None

    def _let_go(self, edge: Edge) -> None:
        """Drops large cleaned arrays along an edge; they are computed again on demand."""
        steps = steps_of(edge, self._backward, self._forward) if self._cleaned else []
        for output in (output for application in steps for output in application.outputs):
            if output in self._cleaned and not self._results.stays(output):
                self._cleaned[output] = None

    def _made_again(self, gradient: Expression) -> Array | None:
        application = gradient.application
        is_rerun = gradient not in self._ends and any(item in self._cleaned for item in application.inputs)
        array = self.step(application).outcome()[gradient.index] if is_rerun else self._results[gradient]
        return None if array is None else _without_noise(array, self._codes[gradient])


def _without_noise(array: Array, codes: Array | None) -> Array:
    """Returns an array with zeros wherever there are codes; the same array if it has them already."""
    if codes is None or not ((array != 0) & (codes != 0)).any():
        return array
    return np.where(codes != 0, array.dtype.type(0), array)
