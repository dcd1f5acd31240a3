"""Where the gradients of a page may be rounding errors: sums whose terms may cancel, and what is behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.causes.term_sums import inputs_of
from gradwire.engine.evaluation.evaluate import Evaluation

Arrival = Edge | Expression


class Roundings:
    """The gradients of a run that may be rounding errors, each after those that arrive at it.

    `rows` has the slot of each, the slots of its terms if several gradients are added there, else those of sums inside
    the rule, and the rows of the gradients that arrive; one that has no row stands there as `~slot`. `places` has the
    row of each.
    """

    def __init__(self, run: Evaluation) -> None:
        self.rows: list[list[object]] = []
        self.places: dict[Arrival, int] = {}
        self._slots: Mapping[Expression, int] = run.structure.plan.slots
        self._backward, self._sums = run.lowered.backward, run.structure.sums
        self._edges, self._totals, inner = self._sums.rows()
        self._inner: dict[Edge, list[Expression]] = {}
        for step in inner:
            if all(map(self._sums.carries_gradient, inputs_of(step))):
                for edge in self._sums.edges_by_inner_sum[step]:
                    self._inner.setdefault(edge, []).append(step.outputs[0])
        for application in self._sums.order:
            self._walk(application)

    def _walk(self, application: Application) -> None:
        reached = [output for output in application.outputs if output in self._backward.totals]
        for output in reached:
            arriving = [] if output in self._sums.seeds else self._sums.arriving.get(output, [])
            row = self._totals.get(output)
            self._add(output, () if row is None else row.operands, row is not None, arriving)
        for edge in self._backward.edges_into(application):
            inner = self._inner.get(edge, ())
            self._add(edge, inner, edge in self._edges or len(inner) > 0, reached)

    def _gradient(self, at: Arrival) -> int:
        return self._slots[self._backward.edges[at] if isinstance(at, Edge) else self._backward.totals[at]]

    def _add(self, at: Arrival, sums: Iterable[Expression], is_sum: bool, before: Sequence[Arrival]) -> None:
        if is_sum or any(item in self.places for item in before):
            places = [self.places.get(item) for item in before]
            rows = [
                ~self._gradient(item) if place is None else place for item, place in zip(before, places, strict=True)
            ]
            self.places[at] = len(self.rows)
            is_total = int(not isinstance(at, Edge))
            self.rows.append([self._gradient(at), is_total, [self._slots[item] for item in sums], rows])
