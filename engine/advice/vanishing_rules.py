"""Rules about gradients that shrink or grow along a chain of saturating activations and products."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

import numpy as np

from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.linear_sums import ADDING
from gradwire.engine.advice.step_graph import Flow, input_of, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

_SQUASHING = ("Sigmoid", "Tanh", "Softsign", "Erf", "Atan")
_PRODUCTS = ("Multiply", "MatMul", "MatVec", "Einsum", "Tensordot")
# A gradient has vanished if this share of it is left, after at least so many steps that shrink it.
_LEFT, _LEAST_STEPS = 1e-3, 3
# It explodes if it becomes this many times as large.
_GROWN = 1e10


class _Chain(NamedTuple):
    """Chain from an input of a step towards the loss: the share of the gradient left, and its ends.

    `steps` counts the steps that shrink the gradient, `growing` those that enlarge it.
    """

    left: float
    steps: int
    growing: int
    start: Edge
    end: Edge


class _Norms(dict[Edge | Expression, float]):
    """Norms of the gradients of edges and outputs, each computed once."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow

    def __missing__(self, place: Edge | Expression) -> float:
        gradient = self.flow.gradient(place) if isinstance(place, Edge) else self.flow.total(root(place))
        found = self[place] = _norm(gradient)
        return found


def vanishing_chain(flow: Flow) -> Iterator[Finding]:
    """Finds the longest chains in which a gradient shrinks step by step until hardly anything is left."""
    sources, worst = flow.sources(), dict[Edge, _Chain]()
    for chain in _chains(flow):
        start = input_of(chain.start.application, chain.start.slot)
        if chain.left > _LEFT or chain.steps < _LEAST_STEPS or not sources.get(start, 0):
            continue
        if chain.end not in worst or chain.left < worst[chain.end].left:
            worst[chain.end] = chain
    for chain in worst.values():
        first, last = chain.start.application, chain.end.application
        message = (
            f"The gradient fades between {flow.title(last)} and {flow.title(first)}. "
            f"After {chain.steps} steps {chain.left:.2g} of it remains, so blocks before "
            f"{flow.title(first)} hardly learn."
        )
        yield Finding("vanishing_chain", "warning", flow.path(first), message, also=(flow.path(last),))


def exploding_chain(flow: Flow) -> Iterator[Finding]:
    """Finds the chains in which the gradient of a trainable variable grows out of all proportion."""
    worst: dict[Edge, _Chain] = {}
    for chain in _chains(flow):
        is_steep = chain.left >= _GROWN and chain.growing >= _LEAST_STEPS
        is_trained = flow.trainable(input_of(chain.start.application, chain.start.slot))
        if is_steep and is_trained and (chain.end not in worst or chain.left > worst[chain.end].left):
            worst[chain.end] = chain
    for chain in worst.values():
        first, last = chain.start.application, chain.end.application
        message = (
            f"The gradient explodes between {flow.title(last)} and {flow.title(first)}. After {chain.growing} steps it "
            f"is {chain.left:.2g} times as large, so one step of training ruins what {flow.title(first)} reads."
        )
        yield Finding("exploding_chain", "warning", flow.path(first), message, also=(flow.path(last),))


def _chains(flow: Flow) -> Iterator[_Chain]:
    """Yields the chain from each input of a saturating step or product, along the largest gradient.

    Cost: O(steps + inputs), since each step continues the chain behind it.
    """
    onward: dict[Application, _Chain | None] = {}
    norms = _Norms(flow)
    # Part of their gradient is kept back on purpose.
    stopped = {step for step in flow.steps if step.type.name in ADDING and any(map(_is_stopped, step.inputs))}
    for step in reversed(flow.steps):
        ahead = _strongest(norms, step, onward, stopped)
        onward[step] = ahead
        if step.type.name not in _SQUASHING and step.type.name not in _PRODUCTS:
            continue
        arriving = norms[step.outputs[0]]
        for slot in range(len(step.inputs)):
            chain = _longer(norms, Edge(step, slot), arriving, ahead)
            if chain is not None:
                yield chain


def _strongest(
    norms: _Norms, step: Application, onward: dict[Application, _Chain | None], stopped: Set[Application]
) -> _Chain | None:
    """Returns the chain behind the reader of a step that sends back the largest gradient; none behind `stopped`."""
    readers = [edge for output in step.outputs for edge in norms.flow.users(output)]
    if len(readers) > 1:
        readers = [max(readers, key=lambda edge: norms[edge])]
    for edge in readers:
        name = edge.application.type.name
        if edge.application in stopped:
            return None
        if name not in _SQUASHING and name not in _PRODUCTS:
            return _grown(norms, edge, onward.get(edge.application))
        return _longer(norms, edge, norms[edge.application.outputs[0]], onward.get(edge.application))
    return None


def _grown(norms: _Norms, edge: Edge, ahead: _Chain | None) -> _Chain | None:
    """Returns the chain behind a step that enlarges its gradient, as a normalization of small numbers does."""
    arriving = max(norms[output] for output in edge.application.outputs)
    if ahead is None or arriving == 0:
        return ahead
    return ahead._replace(left=ahead.left * max(1.0, norms[edge] / arriving))


def _longer(norms: _Norms, edge: Edge, arriving: float, ahead: _Chain | None) -> _Chain | None:
    """Returns a chain with one more step in front; None where the gradient ends for another reason."""
    step, leaving = edge.application, norms[edge]
    is_product = step.type.name in _PRODUCTS
    if arriving == 0 or not np.isfinite([arriving, leaving]).all() or (is_product and norms.flow.is_zero(edge)):
        return None
    if is_product and ahead is None and _is_scaled(norms.flow, edge):
        # The weight of a term of the loss makes the whole gradient small, and no part of it in comparison.
        return None
    share = leaving / arriving
    left, steps, growing, end = (1.0, 0, 0, edge) if ahead is None else (*ahead[:3], ahead.end)
    return _Chain(left * share, steps + (share < 1), growing + (share > 1), edge, end)


def _is_scaled(flow: Flow, edge: Edge) -> bool:
    others = [item for slot, item in enumerate(edge.application.inputs) if slot != edge.slot and item is not None]
    return not any(flow.depends(item) for item in others)


def _is_stopped(expression: Expression | None) -> bool:
    return expression is not None and root(expression).application.type.role is Role.STOP


def _norm(gradient: Array | None) -> float:
    """Returns the Euclidean norm, without underflow; 0 if there is no gradient."""
    largest = 0.0 if gradient is None else float(np.abs(gradient).max(initial=0))
    if gradient is None or largest == 0 or not np.isfinite(largest):
        return largest
    return largest * float(np.linalg.norm((gradient / largest).ravel()))
