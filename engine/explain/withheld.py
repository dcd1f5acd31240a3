"""The gradient that a StopGradient withholds, as a sum with its terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.norms import norm_of
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.causes.term_sums import before_moves
from gradwire.engine.evaluation.evaluate import Evaluation

# So many terms are told, the largest first.
TERMS = 5


@dataclass(frozen=True)
class Term:
    """Term of a sum, from the element `index` of the block `at`, or from the whole block with ()."""

    at: str
    index: tuple[int, ...]
    amount: float


@dataclass(frozen=True)
class Withheld:
    """Gradient that a StopGradient withholds: its norm, its number if it is one, and the largest of `count` terms.

    `is_rounding` says that it is 0 but for rounding errors.
    """

    norm: float
    number: float | None
    is_rounding: bool
    terms: tuple[Term, ...]
    count: int


def withheld_by(run: Evaluation, link: Link) -> Withheld | None:
    """Returns what the StopGradient at the end of a wire withholds; None if there is none.

    A sum of one number has terms: the gradients of several wires, or those of the elements of the only reader.
    """
    entry = run.structure.port_index.wires.get(link)
    output = None if entry is None else entry.withheld
    total = None if output is None else run.lowered.backward.totals.get(output)
    value = None if total is None else run.results[total]
    if output is None or value is None:
        return None
    norm, terms = norm_of(value), []
    if value.size == 1:
        edges = run.zeros.arriving(output)
        if len(edges) > 1:
            parts = [(edge, run.results[run.lowered.backward.edges[edge]]) for edge in edges]
            terms = [
                Term(run.lowered.owners[edge.application], (), float(part.reshape(())))
                for edge, part in parts
                if part is not None
            ]
        elif edges and edges[0].application.type.by_element:
            part, _ = before_moves(run.lowered.backward.edges[edges[0]])
            given = part.application.inputs[0] if part.application.type is SumTo else None
            summed = None if given is None else run.results[given]
            at = run.lowered.owners[edges[0].application]
            terms = [] if summed is None else [Term(at, index, float(item)) for index, item in np.ndenumerate(summed)]
    largest = sorted(terms, key=lambda term: -abs(term.amount))[:TERMS]
    is_rounding = norm > 0 and run.tolerances.status_of_total(output) is Status.ZERO
    number = float(value.reshape(())) if value.size == 1 else None
    return Withheld(norm, number, is_rounding, tuple(term for term in terms if term in largest), len(terms))
