"""Where the gradients of a page may be rounding errors: sums whose terms may cancel, and what is behind.

A page has no running error bounds. It takes a sum for a rounding error that is some roundings of its terms in size;
what a rule makes of rounding errors alone is one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.causes.term_sums import inputs_of
from gradwire.engine.evaluation.evaluate import Evaluation

# The kinds of sums: terms of the shape of the sum, factors whose products are added, and a sum inside of a rule.
TERMS, PRODUCTS, INSIDE = range(3)
Arrival = Edge | Expression
# A sum: its kind, its view, and those of its terms.
SumRow = list[object]


class Roundings:
    """The gradients of a run that may be rounding errors, each after those that arrive at it.

    `rows` has the view of each, its sums, and the rows of the gradients that arrive there; `places` the row of each.
    """

    def __init__(self, run: Evaluation, view: Callable[[Expression], int]) -> None:
        self.rows: list[list[object]] = []
        self.places: dict[Arrival, int] = {}
        self._run, self._view, self._backward = run, view, run.lowered.backward
        self._sums = run.structure.sums
        self._edges, self._totals, inner = self._sums.rows()
        self._inner: dict[Edge, list[Application]] = {}
        for step in inner:
            if all(map(self._sums.carries_gradient, inputs_of(step))):
                for edge in self._sums.edges_by_inner_sum[step]:
                    self._inner.setdefault(edge, []).append(step)
        for application in self._sums.order:
            self._walk(application)

    def _walk(self, application: Application) -> None:
        reached = [output for output in application.outputs if output in self._backward.totals]
        for output in reached:
            arriving = [] if output in self._sums.seeds else self._sums.arriving.get(output, [])
            row = self._totals.get(output)
            own = [] if row is None else [self._sum(TERMS, row.total, row.operands)]
            self._add(output, self._backward.totals[output], own, arriving)
        for slot in range(len(application.inputs)):
            edge = Edge(application, slot)
            if edge in self._backward.edges:
                self._add(edge, self._backward.edges[edge], self._sums_of(edge), reached)

    def _sums_of(self, edge: Edge) -> list[SumRow]:
        row = self._edges.get(edge)
        own = [] if row is None else [self._sum(PRODUCTS, row.total, row.operands)]
        return own + [self._sum(INSIDE, step.outputs[0], inputs_of(step)) for step in self._inner.get(edge, ())]

    def _sum(self, kind: int, total: Expression, terms: Sequence[Expression]) -> SumRow:
        return [kind, self._view(total), [self._view(term) for term in terms]]

    def _add(self, at: Arrival, gradient: Expression, own: list[SumRow], before: Sequence[Arrival]) -> None:
        known = [self.places.get(item) for item in before]
        if own or any(place is not None for place in known):
            self.places[at] = len(self.rows)
            self.rows.append([self._view(gradient), own, [-1 if place is None else place for place in known]])
