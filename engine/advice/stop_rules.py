"""Rules about gradients that should have been stopped, or are stopped twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.linear_sums import ADDING, Term, terms_of
from gradwire.engine.advice.step_graph import SHAPING, Flow
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

_COMPARING = ("SquaredDifference", "MeanSquaredError", "MeanAbsoluteError", "Huber", "LogCosh")
_LOGARITHMS = ("Log", "LogSoftmax", "LogSigmoid")
_LOG_LOSSES = (
    "SigmoidCrossEntropyWithLogits",
    "SoftmaxCrossEntropyWithLogits",
    "SparseSoftmaxCrossEntropyWithLogits",
)
_SELECTING = (*SHAPING, "Negative", "Gather", "GatherNd", "ReduceSum", "ReduceMean")


def target_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds targets r + gamma V(s') that are compared with V(s) while both are trained."""
    done: set[Edge] = set()
    for step in flow.of_type(*ADDING, *_COMPARING):
        terms = terms_of(flow, step)
        for later, now in _bootstrapped(flow, terms):
            back = flow.gradient(later.edge)
            if back is None or later.edge in done or not _are_of_one_function(flow, later.tensor, now.tensor):
                continue
            done.add(later.edge)
            shared = flow.variables(flow.trainable(later.tensor) & flow.trainable(now.tensor))
            names = ", ".join(flow.title(variable) for variable in shared)
            message = (
                f"{flow.title(step)} compares a prediction with a target that depends on {names} too. "
                f"A gradient of up to {np.abs(back).max(initial=0):g} pulls the target towards the prediction."
            )
            also = (flow.path(later.edge.application),)
            yield Finding("target_not_stopped", "warning", flow.path(step), message, flow.stop(later.edge), also)


def baseline_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds log-probabilities multiplied by an advantage that is itself trained."""
    for product in flow.of_type("Multiply"):
        for slot in (0, 1):
            edge, score, advantage = Edge(product, slot), product.inputs[1 - slot], product.inputs[slot]
            back = flow.gradient(edge)
            assert score is not None and advantage is not None
            if back is None or flow.maker(advantage, "Subtract") is None or not is_log_probability(flow, score):
                continue
            # Variables of the policy itself may occur in its weight, as in the focal loss.
            own = flow.variables(flow.trainable(advantage) & ~flow.trainable(score))
            if own and flow.trainable(score):
                names = ", ".join(flow.title(variable) for variable in own)
                message = (
                    f"{flow.title(product)} weighs a log-probability by a difference that depends on {names}. "
                    f"The policy's loss trains it, with a gradient of up to {np.abs(back).max(initial=0):g}."
                )
                yield Finding("baseline_not_stopped", "warning", flow.path(product), message, flow.stop(edge))


def stop_redundant(flow: Flow) -> Iterator[Finding]:
    """Finds StopGradients without effect: everything before them is stopped already, or cannot be trained."""
    reached, unstopped = flow.sources(), flow.sources((Role.STOP,))
    for stop in flow.steps:
        x = stop.inputs[0] if stop.type.role is Role.STOP else None
        if x is None or not flow.users(stop.outputs[0]) or reached.get(x, 0) or stop in flow.targets:
            continue
        if unstopped.get(x, 0):
            message = f"{flow.title(stop)} is redundant: another StopGradient behind it already blocks every path."
        else:
            message = f"{flow.title(stop)} is redundant: it depends on no Variable and no Input."
        fix = flow.fix("Remove the StopGradient", fixes.dissolve, stop, block_id=flow.block(stop))
        yield Finding("stop_redundant", "info", flow.path(stop), message, fix)


def _bootstrapped(flow: Flow, terms: list[Term]) -> Iterator[tuple[Term, Term]]:
    """Yields the values gamma V(s') and V(s) of a sum r + gamma V(s') - V(s), if both are trained."""
    trained = [term for term in terms if not term.is_stopped and flow.trainable(term.tensor)]
    given = [term for term in terms if not flow.depends(term.tensor) and _is_not_zero(flow, term)]
    for later in trained:
        sign = _sign_of_discount(later)
        if not sign or not any(sign in term.factor for term in given):
            continue
        yield from ((later, now) for now in trained if now.number == -sign and now.tensor is not later.tensor)


def _sign_of_discount(term: Term) -> float:
    """Returns the sign of a discount factor between 0 and 1, also of one masked at the end; else 0."""
    nonzero = term.factor - {0.0}
    if len(nonzero) != 1:
        return 0.0
    (gamma,) = nonzero
    is_discount = abs(gamma) < 1 or (abs(gamma) == 1 and len(term.factor) > 1)
    return float(np.sign(gamma)) if is_discount else 0.0


def _is_not_zero(flow: Flow, term: Term) -> bool:
    value = flow.value(term.tensor)
    return value is not None and bool(value.any())


def _are_of_one_function(flow: Flow, first: Expression, second: Expression) -> bool:
    """Returns whether two tensors come from the same variables in the same way, each by steps of its own."""
    variables = flow.variables(flow.trainable(first) & flow.trainable(second))
    if not variables:
        return False
    behind, other = flow.ancestors(first), flow.ancestors(second)
    for variable in variables:
        users = flow.readers(variable)
        kinds = {(edge.application.type, edge.slot) for edge in users if edge.application in behind - other}
        if any((edge.application.type, edge.slot) in kinds for edge in users if edge.application in other - behind):
            return True
    return False


def is_log_probability(flow: Flow, expression: Expression) -> bool:
    """Returns whether a tensor is selected from logarithms of probabilities."""

    def passes(step: Application) -> bool:
        if step.type.name == "Multiply":
            return any(item is not None and not flow.trainable(item) for item in step.inputs)
        return step.type.name in _SELECTING

    def is_logarithm(step: Application) -> bool:
        return step.type.name in (*_LOGARITHMS, *_LOG_LOSSES)

    return next(flow.makers_behind(expression, is_logarithm, passes), None) is not None
