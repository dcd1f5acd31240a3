"""Rule about variables that no training moves: their gradient is withheld, 0 for ever, or next to nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.adversary_rules import push_of
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.gradient_edits import widen
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, root
from gradwire.engine.advice.stop_rules import is_log_probability
from gradwire.engine.advice.vanishing_rules import exploding_chain, vanishing_chain
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import row_text
from gradwire.engine.base.tensor_spec import normalize_axis
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.evaluation.snapshot import PortResult

# A variable whose gradient is below this share of what arrives at a saturated step cannot learn.
_NOTHING = 1e-10
# Steps that add a trained tensor and compare nothing with it.
_BIASING = ("Add", "AddN", "BiasAdd", "Concat")
# A smaller incoming gradient is that of a loss near its minimum. Units: those of the loss.
_AT_REST = 1e-6


def never_learns(flow: Flow) -> Iterator[Finding]:
    """Finds trainable variables that no step of training moves, with the block that is to blame."""
    cut: dict[Application, list[Application]] = {}
    faint: dict[tuple[Application, Cause], list[Application]] = {}
    steps = {flow.path(step): step for step in flow.steps}
    for variable in flow.variables(-1):
        result = flow.run.snapshot.ports.get(PortName(flow.path(variable), "y"))
        if result is None or not _is_to_be_trained(flow, variable):
            continue
        for stop in _blocking(flow, variable, result, steps):
            cut.setdefault(stop, []).append(variable)
        zero = result.zero if result.status is Status.ZERO else None
        if zero is not None and zero.cause in (Cause.FLAT, Cause.UNDERFLOW) and zero.at in steps:
            faint.setdefault((steps[zero.at], zero.cause), []).append(variable)
    yield from (_cut_off(flow, stop, variables) for stop, variables in cut.items())
    yield from (_without_slope(flow, *place, variables) for place, variables in faint.items())
    yield from _saturated(flow)
    yield from _apart(flow)


def _is_to_be_trained(flow: Flow, variable: Application) -> bool:
    """Returns whether no other Loss trains a variable, and no plan leaves it out."""
    bit = flow.trainable(variable.outputs[0])
    others = (step for step in flow.steps if step.type.role is Role.LOSS and step not in flow.losses)
    if any(flow.trainable(input_of(loss)) & bit for loss in others if loss.inputs[0] is not None):
        return False
    steps = (flow.run.graph.training or {}).get("steps", ())
    plan = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    if any(flow.path(variable) in step.get("assign", ()) for step in plan):
        return False
    named = {name for step in plan if "rule" in step for name in step.get("variables", ("*",))}
    return not named or "*" in named or flow.path(variable) in named


# Blocked


def _blocking(
    flow: Flow, variable: Application, result: PortResult, steps: dict[str, Application]
) -> Iterator[Application]:
    """Yields the StopGradients before trained layers that block every path of a variable.

    A variable that makes a target, a weight or a label for others is blocked on purpose.
    """
    stops = [steps[path] for path in result.by if path in steps] if result.status is Status.BLOCKED else []
    if stops and all(stop.type.role is Role.STOP for stop in stops):
        # A StopGradient right behind a variable freezes it in so many words.
        behind = (stop for stop in stops if flow.is_of_data(input_of(stop)))
        yield from (stop for stop in behind if _feeds_a_layer(flow, stop) or _is_score(flow, stop))


def _is_score(flow: Flow, stop: Application) -> bool:
    """Returns whether a log-probability is stopped where an advantage weighs it; the advantage should be."""
    if not is_log_probability(flow, input_of(stop)):
        return False
    products = flow.leads_to(stop.outputs[0], ("Multiply",), (*SHAPING, "Negative"))
    return any(flow.is_of_data(other, may_be_single=True) for edge in products for other in _others(edge))


def _feeds_a_layer(flow: Flow, stop: Application) -> bool:
    """Returns whether a stopped tensor is the input of a layer that is trained, and no target, weight or label.

    A discriminator's own loss stops the samples on purpose; its layers read data elsewhere, or data beside the samples.
    """
    waiting, seen = [stop.outputs[0]], set[Edge]()
    for item in waiting:
        for edge in (edge for edge in flow.users(item) if edge not in seen):
            seen.add(edge)
            others, kind = _others(edge), edge.application.type
            trained = [other for other in others if flow.trainable(other)]
            if kind.name == "Concat" and any(_is_data(flow, other) for other in others):
                continue
            if not trained or kind.name in _BIASING:
                waiting += edge.application.outputs
            elif _is_product(kind) and any(_is_of_a_layer(flow, edge, other) for other in trained):
                return True
    return False


def _is_product(kind: Operation) -> bool:
    return kind.sums_products or kind.name == "Multiply"


def _is_of_a_layer(flow: Flow, edge: Edge, weights: Expression) -> bool:
    """Returns whether a tensor is made of variables alone: weights, but no factor of one number or discriminator."""
    if flow.is_of_data(weights, may_be_single=True) or root(weights).application.type.role is Role.STOP:
        return False
    variables, kind = flow.variables(flow.trainable(weights)), edge.application.type
    uses = [use for variable in variables for use in flow.readers(variable) if use.application.type is kind]
    if any(_is_data(flow, other) for use in uses for other in _others(use)):
        return _is_told_both(flow, edge, uses)
    return any(np.prod(variable.outputs[0].shape) > 1 for variable in variables)


def _is_told_both(flow: Flow, edge: Edge, uses: Sequence[Edge]) -> bool:
    """Returns whether a discriminator judges a stopped sample for two losses: its own and that of the generator."""
    sample = root(input_of(edge.application, edge.slot))
    if sum(any(root(other) is sample for other in _others(use)) for use in uses) > 1:
        return True
    readers = flow.users(edge.application.outputs[0])
    while len(readers) == 1:
        readers = flow.users(readers[0].application.outputs[0])
    pushes = {push_of(flow.gradient(reader)) for reader in readers}
    return {1, -1} <= pushes


def _others(use: Edge) -> list[Expression]:
    return [other for slot, other in enumerate(use.application.inputs) if slot != use.slot and other is not None]


def _is_data(flow: Flow, expression: Expression) -> bool:
    return flow.is_of_data(expression, may_be_single=True) and not flow.depends(expression)


def _cut_off(flow: Flow, stop: Application, variables: Sequence[Application]) -> Finding:
    names = row_text((flow.title(variable) for variable in variables), ", ")
    message = (
        f"{flow.title(stop)} blocks every path from {names} to the loss, so no step of training moves them. If that is "
        "meant, make them not trainable."
    )
    also = tuple(flow.path(variable) for variable in variables)
    fix = flow.fix("Remove the StopGradient", fixes.dissolve, stop, block_id=flow.block(stop))
    return Finding("never_learns", "warning", flow.path(stop), message, fix, also)


# Zero, or next to it


def _without_slope(flow: Flow, step: Application, cause: Cause, variables: Sequence[Application]) -> Finding:
    names = row_text((flow.title(variable) for variable in variables), ", ")
    also = tuple(flow.path(variable) for variable in variables)
    dtype = step.outputs[0].dtype.name
    if cause is Cause.FLAT:
        message = f"{flow.title(step)} is flat, its slope is 0 everywhere. No step of training moves {names}."
        fix = _past(flow, step)
    else:
        message = (
            f"The gradient that {flow.title(step)} returns is too small for {dtype} and becomes 0. No step of training "
            f"moves {names}: multiply the loss by a large number, or use a wider dtype."
        )
        fix = Fix("Use float64", widen) if dtype != "float64" else None
    return Finding("never_learns", "warning", flow.path(step), message, fix, also)


def _past(flow: Flow, step: Application) -> Fix | None:
    """Returns the straight-through fix of a step that makes one number of each."""
    if not step.type.by_element or [port.name for port in step.type.inputs] != ["x"]:
        return None
    return flow.fix("Pass the gradient straight through", fixes.straight_through, step, block_id=flow.block(step))


def _saturated(flow: Flow) -> Iterator[Finding]:
    """Yields steps that return next to nothing of a gradient that is not small, at all elements."""
    for step in flow.steps:
        if step.type.max_slope is None or not flow.trainable(input_of(step)):
            continue
        back, arriving = flow.gradient(Edge(step, 0)), flow.total(step.outputs[0])
        if back is None or arriving is None or not np.isfinite(arriving).all() or not np.isfinite(back).all():
            continue
        if not _is_flat_everywhere(flow, Edge(step, 0), back.size):
            continue
        strength = float(np.abs(arriving).max(initial=0))
        starved = [item for item in flow.variables(flow.trainable(input_of(step))) if _starves(flow, item, strength)]
        if strength < _AT_REST or np.abs(back).max(initial=0) > _NOTHING * strength or not starved:
            continue
        names = row_text((flow.title(variable) for variable in starved), ", ")
        fix = None
        if _is_of_one(step):
            fix = _as_sigmoid(flow, step)
            message = (
                f"{flow.title(step)} has one element along its axis, so its output never changes. No step of training "
                f"moves {names}: use Sigmoid for one output."
            )
        else:
            share = np.abs(back).max(initial=0) / strength
            message = (
                f"{flow.title(step)} is saturated at all {back.size} elements: it returns {share:.2g} of the gradient. "
                f"No step of training moves {names}."
            )
        also = tuple(flow.path(variable) for variable in starved)
        yield Finding("never_learns", "warning", flow.path(step), message, fix, also)


def _as_sigmoid(flow: Flow, step: Application) -> Fix | None:
    if step.type.name != "Softmax":
        return None
    block_id = flow.block(step)
    return flow.fix("Use Sigmoid", fixes.as_sigmoid, step, changes_loss=True, softmax=block_id)


def _is_flat_everywhere(flow: Flow, edge: Edge, size: int) -> bool:
    """Returns whether a step saturates at all elements; terms that cancel are no sign of it."""
    roots = flow.run.zeros.of_edge(edge)
    found = sum(count for root, count in roots.items() if root.cause is Cause.SATURATED and root.edge == edge)
    return found == size or _is_of_one(edge.application)


def _apart(flow: Flow) -> Iterator[Finding]:
    """Yields variables whose gradient is of quite another size than those of the others, along no chain."""
    sizes = {item: size for item in flow.variables(-1) if (size := _size(flow, item.outputs[0])) > 0}
    for variable, size in sizes.items() if all(map(np.isfinite, sizes.values())) else ():
        others = [other for item, other in sizes.items() if item is not variable]
        share = size / float(np.median(others)) if others else 1.0
        is_tiny = share < _NOTHING and _arrival(flow, variable) < _NOTHING * max(_arrival(flow, item) for item in sizes)
        is_huge = share > 1 / _NOTHING and len(others) > 1
        if not (is_tiny or is_huge) or any(True for rule in (vanishing_chain, exploding_chain) for _ in rule(flow)):
            continue
        name, times = flow.title(variable), f"{share:.2g}"
        if is_tiny:
            message = (
                f"The gradient of {name} is only {times} times that of the other variables: training hardly moves it."
            )
        else:
            message = (
                f"The gradient of {name} is {times} times that of the other variables: one step throws it far off."
            )
        yield Finding("never_learns", "warning", flow.path(variable), message)


def _size(flow: Flow, expression: Expression) -> float:
    total = flow.total(expression)
    return 0.0 if total is None else float(np.abs(total).max(initial=0))


def _arrival(flow: Flow, variable: Application) -> float:
    """Returns the largest gradient that arrives at the readers of a variable; terms that cancel are behind it."""
    outputs = [output for edge in flow.readers(variable) for output in edge.application.outputs]
    return max((_size(flow, output) for output in outputs), default=0.0)


def _starves(flow: Flow, variable: Application, strength: float) -> bool:
    total = flow.total(variable.outputs[0])
    return total is not None and bool(np.abs(total).max(initial=0) <= _NOTHING * strength)


def _is_of_one(step: Application) -> bool:
    """Returns whether a softmax has a single element."""
    axis, shape = step.parameters.get("axis"), step.outputs[0].shape
    if step.type.name not in ("Softmax", "LogSoftmax") or not isinstance(axis, int) or not shape:
        return False
    return shape[normalize_axis(axis, len(shape))] == 1
