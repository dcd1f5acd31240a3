"""Sums with factors: a tensor as the terms that it adds up, behind StopGradients and changes of shape."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.engine.advice.step_graph import SHAPING, Flow, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

# A sum of more terms, or a factor of more different numbers, is none of the sums that rules look for.
MOST_TERMS, MOST_NUMBERS = 64, 3
ADDING = ("Add", "AddN", "Subtract")
Numbers = frozenset[float]


class Term(NamedTuple):
    """Tensor that a sum adds up: its factor's different numbers, and the input where it enters the sum.

    `is_stopped` tells that a StopGradient lies between the tensor and the sum.
    """

    tensor: Expression
    factor: Numbers
    is_stopped: bool
    edge: Edge

    @property
    def number(self) -> float | None:
        """Factor, if it is one number."""
        return next(iter(self.factor)) if len(self.factor) == 1 else None


def terms_of(flow: Flow, step: Application) -> list[Term]:
    """Returns the terms that a step adds up, or subtracts if it compares two tensors; none if they are too many."""
    signs = [1.0] * len(step.inputs) if step.type.name in ("Add", "AddN") else [1.0, -1.0]
    waiting = [
        Term(item, frozenset((sign,)), False, Edge(step, slot))
        for slot, (item, sign) in enumerate(zip(step.inputs, signs, strict=False))
        if item is not None
    ]
    found: list[Term] = []
    for term in waiting:
        parts = _parts(flow, term)
        if parts is None:
            found.append(term._replace(tensor=root(term.tensor)))
        else:
            waiting += parts
        if len(waiting) > MOST_TERMS:
            return []
    return found


def _parts(flow: Flow, term: Term) -> list[Term] | None:
    """Returns the terms of which a term consists; None if it is no sum."""
    step = root(term.tensor).application
    name, (factor, is_stopped) = step.type.name, term[1:3]
    if step.type.role is Role.STOP:
        return _of(step, {0: factor}, is_stopped=True)
    if name in SHAPING or name == "Transpose":
        return _of(step, {0: factor}, is_stopped)
    if name in ("Add", "AddN"):
        return _of(step, dict.fromkeys(range(len(step.inputs)), factor), is_stopped)
    if name == "Subtract":
        return _of(step, {0: factor, 1: _times(factor, frozenset((-1.0,)))}, is_stopped)
    if name == "Negative":
        return _of(step, {0: _times(factor, frozenset((-1.0,)))}, is_stopped)
    if name == "Where":
        return _of(step, dict.fromkeys((1, 2), factor | {0.0}), is_stopped)
    if name == "Multiply":
        return _scaled(flow, step, factor, is_stopped)
    return None


def _scaled(flow: Flow, step: Application, factor: Numbers, is_stopped: bool) -> list[Term] | None:
    """Returns the term of a product with a factor of few numbers that no training moves."""
    for slot in (0, 1):
        numbers = _numbers(flow, step.inputs[opposite(slot)])
        product = None if numbers is None else _times(factor, numbers)
        if product is not None and len(product) <= MOST_NUMBERS:
            return _of(step, {slot: product}, is_stopped)
    return None


def _numbers(flow: Flow, expression: Expression | None) -> Numbers | None:
    if expression is None or flow.depends(expression):
        return None
    value = flow.value(root(expression))
    # The numbers of a large tensor need not be sorted to see that they are many.
    if value is None or len(np.unique(value.ravel()[:64])) > MOST_NUMBERS:
        return None
    found = np.unique(value)
    return frozenset(found.tolist()) if len(found) <= MOST_NUMBERS and np.isfinite(found).all() else None


def _times(first: Numbers, second: Numbers) -> Numbers:
    return frozenset(a * b for a in first for b in second)


def _of(step: Application, factors: dict[int, Numbers], is_stopped: bool) -> list[Term]:
    pairs = [(slot, step.inputs[slot], factor) for slot, factor in factors.items()]
    return [Term(item, factor, is_stopped, Edge(step, slot)) for slot, item, factor in pairs if item is not None]
