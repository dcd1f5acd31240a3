"""Backward pass (reverse mode): builds the expressions of all gradients from the seeds back to the sources.

The gradient of an *edge* (one input of one application) is its cotangent along that edge alone; the gradient of an
expression is the sum over its edges. An expression that no gradient reaches has no entry: absence means "none".

Source: reverse accumulation over the list of operations; Linnainmaa (1970), Wengert (1964), Griewank and Walther,
Evaluating Derivatives (2008). Cost: one rule for each application that a gradient reaches, so O(applications + edges)
however many sources there are.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.rule_cache import cached_rules
from gradwire.engine.base.errors import BlockError, GradientError
from gradwire.engine.base.tensor_spec import Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import Role, arrange_inputs
from gradwire.engine.blocktypes.expression import Application, Expression, constant, topological_order
from gradwire.engine.blocktypes.primitives import Identity, SumTo
from gradwire.engine.blocktypes.progress import BlockWatch


class Edge(NamedTuple):
    """One input of one application."""

    application: Application
    slot: int


def source_of(edge: Edge) -> Expression:
    """Returns the expression at that input."""
    source = edge.application.inputs[edge.slot]
    assert source is not None
    return source


@dataclass
class Backward:
    """Result of one backward pass.

    `order` holds every application from which a seed can be reached, in topological order. `prevented` are those that
    forbid differentiation, `failed` those whose rule raised an exception, or said that there is no gradient. `hidden`
    are the expressions whose gradient these, or an error, make unknown; some of their edges may be known, but no total.
    `seeds` are the initial gradients.
    """

    order: list[Application]
    seeds: Mapping[Expression, Expression] = field(default_factory=dict)
    edges: dict[Edge, Expression] = field(default_factory=dict)
    totals: dict[Expression, Expression] = field(default_factory=dict)
    prevented: list[Application] = field(default_factory=list)
    hidden: set[Expression] = field(default_factory=set)
    hidden_edges: set[Edge] = field(default_factory=set)
    failed: dict[Application, BlockError] = field(default_factory=dict)
    watch: BlockWatch | None = None

    def edges_into(self, application: Application) -> list[Edge]:
        """Returns the inputs of an application that have a gradient, in their order."""
        edges = (Edge(application, slot) for slot in range(len(application.inputs)))
        return [edge for edge in edges if edge in self.edges]


def backward_pass(
    seeds: Mapping[Expression, Expression],
    stopped: Set[Expression] = frozenset(),
    hidden: Iterable[Expression] = (),
    watch: BlockWatch | None = None,
) -> Backward:
    """Differentiates expressions (vector-Jacobian product); `seeds` maps each of them to its incoming gradient.

    The pass stops at blocks of role STOP and at the applications behind expressions in `stopped`. `hidden` are
    expressions that an error separates from the loss: their gradient, and all gradients behind them, stay unknown.
    `watch` learns of rules of plug-ins.
    Cost: each application is visited once, in reverse topological order.
    """
    hidden = set(hidden)
    found = Backward(topological_order([*seeds, *hidden]), seeds, hidden=hidden, watch=watch)
    sums = _Sums()
    for target, seed in seeds.items():
        sums.add(target, _Part(-1, 0, seed))
    for place, application in enumerate(reversed(found.order)):
        for output in application.outputs:
            if output in sums.parts and output not in found.hidden:
                found.totals[output] = sums.total(output)
        if not stopped.isdisjoint(application.outputs):
            continue
        for slot, gradient in input_gradients(application, found):
            source = application.inputs[slot]
            assert source is not None
            found.edges[Edge(application, slot)] = gradient
            if application.type is Identity:
                sums.pass_on(application.outputs[0], source)
            else:
                sums.add(source, _Part(place, slot, gradient))
    return found


class _Part(NamedTuple):
    """Contribution to the gradient of an expression, with its origin, which fixes the order of sums."""

    place: int
    slot: int
    gradient: Expression


class _Sums:
    """Contributions to the gradient of each expression.

    An Identity forwards the contributions themselves, not their sum. The order of additions, and so every bit, does not
    depend on page borders or muted blocks in between.
    """

    def __init__(self) -> None:
        self.parts: dict[Expression, list[_Part]] = {}
        self._known: dict[tuple[Expression, ...], Expression] = {}

    def add(self, target: Expression, part: _Part) -> None:
        self.parts.setdefault(target, []).append(part)

    def pass_on(self, source: Expression, target: Expression) -> None:
        self.parts.setdefault(target, []).extend(self.parts[source])

    def total(self, target: Expression) -> Expression:
        terms = tuple(part.gradient for part in sorted(self.parts[target], key=lambda part: (part.place, part.slot)))
        if terms not in self._known:
            self._known[terms] = added_up(terms)
        return self._known[terms]


def added_up(terms: Sequence[Expression]) -> Expression:
    """Returns the sum of some gradients, in this order."""
    return functools.reduce(operator.add, terms)


def ones(spec: TensorSpec) -> Expression:
    """Returns a gradient of one for every element."""
    return filled(spec, 1)


def filled(spec: TensorSpec, number: float) -> Expression:
    """Returns one number broadcast to every element; it takes no memory, whatever the shape."""
    return constant(np.broadcast_to(np.asarray(number, spec.dtype), spec.shape))


def steps_of(edge: Edge, backward: Backward, forward: dict[Application, None]) -> list[Application]:
    """Returns the applications that compute an edge's gradient from the incoming ones, in topological order.

    `forward` has all applications of `backward.order` as keys.
    """
    arriving = [backward.totals.get(output) for output in edge.application.outputs]
    ends = {total.application: None for total in arriving if total is not None}
    return topological_order([backward.edges[edge]], known=ChainMap(ends, forward))


def lets_gradients_pass(application: Application) -> bool:
    """Returns whether an application passes gradients on or reports an error.

    It needs a rule, or forbids gradients, and needs a differentiable output.
    """
    has_rule = application.type.rule is not None or application.type.role is Role.PREVENT
    return has_rule and any(output.spec.is_differentiable for output in application.outputs)


def takes_gradients(application: Application) -> bool:
    """Returns whether any input has a dtype that can have a gradient."""
    return any(item is not None and item.spec.is_differentiable for item in application.inputs)


def input_gradients(application: Application, found: Backward) -> list[tuple[int, Expression]]:
    """Returns the gradients of an application's inputs, computed from the totals of its outputs.

    Notes in `found` which gradients stay unknown.
    """
    is_prevented = application.type.role is Role.PREVENT
    arriving = [found.totals.get(output) for output in application.outputs]
    has_gradient = any(item is not None for item in arriving)
    if is_prevented and has_gradient:
        found.prevented.append(application)
    elif not lets_gradients_pass(application) or not takes_gradients(application):
        return []
    if (is_prevented and has_gradient) or not found.hidden.isdisjoint(application.outputs):
        _hide(application, found)
        return []
    if not has_gradient:
        return []
    given = (*arriving, *application.inputs, *application.outputs)
    try:
        rule = functools.partial(_fitting_parts, application, arriving)
        with contextlib.nullcontext() if found.watch is None else found.watch.in_code(application):
            parts = cached_rules(application.type, given, application.parameters, rule)
    except Exception as error:  # Code of plug-ins may raise anything; the other gradients are known all the same.
        fault = error if isinstance(error, GradientError) else application.type.fault(error, "its gradient rule fails")
        found.failed[application] = fault
        _hide(application, found)
        return []
    return [(slot, part) for slot, part in enumerate(parts) if part is not None]


def _fitting_parts(application: Application, arriving: Sequence[Expression | None]) -> list[Expression | None]:
    """Returns the rule's gradients of the differentiable inputs, each summed to the shape of its input."""
    parts = zip(application.inputs, apply_rule(application, arriving), strict=True)
    return [None if item is None or part is None else _fitting(part, item) for item, part in parts]


def _fitting(part: Expression, item: Expression) -> Expression | None:
    if not item.spec.is_differentiable:
        return None
    if part.dtype != item.dtype:
        raise TypeError(f"the gradient of a {item.dtype.name} tensor is {part.dtype.name}")
    return summed_to(part, item.shape)


def _hide(application: Application, found: Backward) -> None:
    for slot, item in enumerate(application.inputs):
        if item is not None and item.spec.is_differentiable:
            found.hidden.add(item)
            found.hidden_edges.add(Edge(application, slot))


def apply_rule(application: Application, arriving: Sequence[Expression | None]) -> list[Expression | None]:
    """Returns the rule's gradient for each input, flat.

    `arriving` has one entry per output, None without a gradient.
    """
    block_type = application.type
    assert block_type.rule is not None
    outputs = application.outputs
    variadic = any(port.variadic for port in block_type.outputs)
    filled_in = tuple(
        filled(output.spec, 0) if item is None else item for item, output in zip(arriving, outputs, strict=True)
    )
    g = filled_in if variadic or len(outputs) > 1 else filled_in[0]
    ys = [outputs] if variadic else outputs
    result = block_type.rule(g, *arrange_inputs(block_type, application.inputs), *ys, **application.parameters)
    flat: list[Expression | None] = []
    for part in result if isinstance(result, tuple) else (result,):
        flat.extend(part) if isinstance(part, list) else flat.append(part)
    return flat


def summed_to(part: Expression, shape: Shape) -> Expression:
    """Returns a gradient summed down to the shape that broadcasting enlarged."""
    if part.shape == shape:
        return part
    summed: Expression = SumTo(part, shape=shape)
    return summed
