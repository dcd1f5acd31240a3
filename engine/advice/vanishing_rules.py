"""Rules about gradients that shrink or grow along a chain of steps, or of layers that repeat."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.fixes import scaled
from gradwire.engine.advice.linear_sums import ADDING
from gradwire.engine.advice.step_graph import Flow, input_of, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Page
from gradwire.engine.layout.folds import MANY, Fold, folds_of

_SQUASHING = ("Sigmoid", "Tanh", "Softsign", "Erf", "Atan")
_PRODUCTS = ("Multiply", "MatMul", "MatVec", "Einsum", "Tensordot")
# A gradient has vanished if this share of it is left, after at least so many steps that shrink it.
_LEFT, _LEAST_STEPS = 1e-3, 3
# It explodes if it becomes this many times as large.
_GROWN = 1e10
# From so many powers of ten on, all layers together make a gradient too small or too large, and one alone stands out.
_FAR, _STEEP = 2.0, 1.0
# Weights of one layer whose spread differs by this factor from that of the others are to blame.
_UNLIKE = 3.0
# A remedy takes its scale from the usual layer, and where that is not enough, one that is so much farther from 1.
_MORE = (0.0, 0.2, 0.1, 0.4)


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
    yield from fading(flow)
    sources, worst = flow.sources(), dict[Edge, _Chain]()
    for chain in _chains_outside(flow):
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
    yield from exploding(flow)
    worst: dict[Edge, _Chain] = {}
    for chain in _chains_outside(flow):
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


def _chains_outside(flow: Flow) -> Iterator[_Chain]:
    """Yields the chains that neither begin nor end in layers that repeat: of these all is said together."""
    layered = {f"{depth.page}/{name}" for depth in depths(flow) for layer in depth.layers for name in layer}
    for chain in _chains(flow):
        if layered.isdisjoint(flow.path(edge.application) for edge in (chain.start, chain.end)):
            yield chain


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


# Layers that repeat


class Depth(NamedTuple):
    """Layers that repeat on a page, with the norms of the gradients of their outputs, and their weights by layer.

    Shapes: `norms` (layers,).
    """

    page: str
    layers: tuple[tuple[str, ...], ...]
    norms: Array
    weights: tuple[tuple[str, ...], ...]

    @property
    def steps(self) -> Array:
        """The powers of ten by which each layer but the first changes a gradient on its way back."""
        steps: Array = np.diff(np.log10(self.norms)) * -1
        return steps

    @property
    def odd(self) -> int | None:
        """The place of the layer that changes a gradient more than all others together; None if there is none."""
        steps = self.steps
        apart = steps - np.median(steps)
        place = int(np.abs(apart).argmax())
        is_odd = abs(apart[place]) >= max(_STEEP, abs(steps.sum() - apart[place]))
        return place + 1 if is_odd else None


def depths(flow: Flow) -> list[Depth]:
    """Returns the layers that repeat on the first page of a run, where the gradients of all are known."""
    page = flow.run.graph.pages[0]
    if len(page.blocks) <= MANY:
        return []
    folds = folds_of(page, {name: _kind(flow, page, name) for name in page.blocks})
    return [depth for fold in folds if (depth := _depth(flow, page, fold)) is not None]


def fading(flow: Flow) -> Iterator[Finding]:
    """Finds layers through which the gradient becomes smaller by two powers of ten or more."""
    for depth in depths(flow):
        if depth.odd is None and depth.steps.sum() <= -_FAR:
            count, last, first, factor = _told(depth)
            message = (
                f"|∂L| falls from {last} at layer {count} to {first} at layer 1. Each layer multiplies it by {factor}."
            )
            yield _finding(depth, "vanishing_chain", 0, message, _scalings(depth, 1))


def exploding(flow: Flow) -> Iterator[Finding]:
    """Finds layers through which the gradient becomes larger by two powers of ten or more."""
    for depth in depths(flow):
        if depth.odd is None and depth.steps.sum() >= _FAR:
            count, last, first, factor = _told(depth)
            message = (
                f"|∂L| grows from {last} at layer {count} to {first} at layer 1. Each layer multiplies it by {factor}."
            )
            yield _finding(depth, "exploding_chain", 0, message, _scalings(depth, -1))


def odd_layer(flow: Flow) -> Iterator[Finding]:
    """Finds the one layer that changes the gradient more than all others together."""
    for depth in depths(flow):
        place = depth.odd
        if place is None:
            continue
        step, number = float(depth.steps[place - 1]), place + 1
        times = _short(10 ** abs(step))
        message = (
            f"Layer {number} divides the gradient by {times}."
            if step < 0
            else f"Layer {number} multiplies the gradient by {times}."
        )
        spreads = np.array([[_spread(flow, depth, name) for name in names] for names in depth.weights])
        unlike = np.log(np.median(spreads, axis=0) / spreads[place])
        fixes = [
            _scaling(depth, (name,), float(np.exp(share)))
            for name, share in zip(depth.weights[place], unlike.tolist(), strict=True)
            if abs(share) > np.log(_UNLIKE)
        ]
        yield _finding(depth, "odd_layer", place, message, fixes)


def _told(depth: Depth) -> tuple[int, str, str, str]:
    """Returns how many layers there are, the gradients at the last and the first, and the usual factor of a layer."""
    numbers = depth.norms[-1], depth.norms[0], 10 ** depth.steps.mean()
    last, first, factor = map(_short, numbers)
    return len(depth.layers), last, first, factor


def _short(number: float) -> str:
    """Returns a number in two digits as the page writes it: `3.6e-4`, not `0.00036` or `3.6e-04`."""
    mantissa, _, exponent = f"{number:.1e}".partition("e")
    return f"{float(f'{number:.2g}'):g}" if 0.001 <= number < 10_000 else f"{mantissa}e{int(exponent)}"


def _finding(depth: Depth, rule: str, place: int, message: str, fixes: list[Fix]) -> Finding:
    path = f"{depth.page}/{depth.layers[place][-1]}"
    return Finding(rule, "warning", path, message, fixes[0] if fixes else None, others=tuple(fixes[1:]))


def _scalings(depth: Depth, sign: int) -> list[Fix]:
    """Returns other scales for the first weights of all layers, the inverse of the usual factor of a layer first."""
    weights = tuple(names[0] for names in depth.weights if names)
    begin = 10 ** -float(np.median(depth.steps))
    scales = dict.fromkeys(round(begin * (1 + sign * more), 2) for more in _MORE)
    return [_scaling(depth, weights, scale) for scale in scales if weights and scale not in (0, 1)]


def _scaling(depth: Depth, weights: tuple[str, ...], scale: float) -> Fix:
    middle = len(depth.layers) // 2
    shown = {1: depth.layers[0], middle: depth.layers[middle - 1], len(depth.layers): depth.layers[-1]}
    layers = tuple((number, f"{depth.page}/{layer[-1]}") for number, layer in shown.items())
    first, times = weights[0], f"{scale:.3g}"
    stem = first.rstrip("_0123456789") or first
    message = f"Multiply {first} by {times}" if len(weights) == 1 else f"Multiply every {stem} by {times}"
    edit = partial(scaled, page=depth.page, variables=weights, factor=scale)
    return Fix(message, edit, changes_loss=True, layers=layers)


def _depth(flow: Flow, page: Page, fold: Fold) -> Depth | None:
    found = np.array([_norm(_gradient_at(flow, f"{page.name}/{layer[-1]}")) for layer in fold.layers])
    number_of = {name: number for number, layer in enumerate(fold.layers) for name in layer}
    joins = {(number_of.get(source.block), number_of.get(target.block)) for source, target in page.wires.values()}
    follow_each_other = joins.issuperset(pairwise(range(len(fold.layers))))
    if not follow_each_other or not (np.isfinite(found) & (found > 0)).all():
        return None
    weights = tuple(tuple(name for name in layer if _is_weight(page, name)) for layer in fold.layers)
    return Depth(page.name, fold.layers, found, weights)


def _gradient_at(flow: Flow, path: str) -> Array | None:
    outputs = flow.run.lowered.inferred.outputs.get(path, ())
    return flow.run.tensor(PortName(path, outputs[0]), is_gradient=True) if outputs else None


def _is_weight(page: Page, name: str) -> bool:
    block = page.blocks[name]
    value = value_of(block) if block.type == "Variable" else None
    return value is not None and value.ndim >= 2 and bool(np.std(value))


def _spread(flow: Flow, depth: Depth, name: str) -> float:
    value = value_of(flow.run.graph.page(depth.page).blocks[name])
    return float("nan") if value is None else float(np.std(value))


def _kind(flow: Flow, page: Page, name: str) -> object:
    inferred, path = flow.run.lowered.inferred, f"{page.name}/{name}"
    ports = [PortName(path, output) for output in inferred.outputs.get(path, ())]
    block = page.blocks[name]
    return block.type, block.is_muted, tuple(map(inferred.specs.get, ports))
