"""Rules about gradients that should have been stopped, or are stopped twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linear_sums import ADDING, Term, terms_of
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, opposite, root
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
# Statistics by which a tensor is scaled; a variance by hand is a mean of squares.
_SPREADS = ("ReduceVariance", "ReduceStd", "ReduceMean")
_SELECTING = (*SHAPING, "Negative", "Gather", "GatherNd", "ReduceSum", "ReduceMean")


def target_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds targets r + gamma V(s') that are compared with V(s) while both are trained."""
    done: set[Edge] = set()
    for step in flow.of_type(*ADDING, *_COMPARING):
        terms = terms_of(flow, step)
        for later, now in _bootstrapped(flow, terms):
            back = flow.gradient(later.edge)
            moved = _moved_by_target(flow, later.tensor, now.tensor)
            if back is None or later.edge in done or not moved:
                continue
            done.add(later.edge)
            names = ", ".join(flow.title(variable) for variable in moved)
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
            edge, score, advantage = Edge(product, slot), product.inputs[opposite(slot)], product.inputs[slot]
            back = flow.gradient(edge)
            assert score is not None and advantage is not None
            if back is None or not _is_difference(flow, advantage) or not is_log_probability(flow, score):
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


def _is_difference(flow: Flow, advantage: Expression) -> bool:
    """Returns whether a tensor is a difference, perhaps scaled, clamped or normalised."""

    def passes(step: Application) -> bool:
        return step.type.name in (*SHAPING, "Divide", "DivNoNan", "ClipByValue", "Tanh", "Multiply")

    return next(flow.makers_behind(advantage, lambda step: step.type.name == "Subtract", passes), None) is not None


def statistics_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds normalisations whose mean and variance over the batch are both stopped."""
    for quotient in flow.of_type("Divide", "DivNoNan", "Multiply"):
        for centred in (flow.maker(item, "Subtract") for item in quotient.inputs):
            if centred is None or flow.gradient(Edge(centred, 0)) is None:
                continue
            mean = _stopped(flow, centred.inputs[1], ("ReduceMean",), centred.inputs[0])
            spread = [
                item for item in quotient.inputs if item is not None and flow.maker(item, "Subtract") is not centred
            ]
            scale = _stopped(flow, spread[0], _SPREADS, centred.inputs[0]) if spread else None
            if mean is None or scale is None:
                continue
            message = (
                f"{flow.title(quotient)} normalises by a mean and a variance that {flow.title(mean)} and "
                f"{flow.title(scale)} stop. The gradient moves the mean without end, which changes no output."
            )
            also = (flow.path(mean), flow.path(scale))
            yield Finding(
                "statistics_stopped", "warning", flow.path(quotient), message, _unstop(flow, mean, scale), also
            )


def _stopped(flow: Flow, item: Expression | None, kinds: tuple[str, ...], of: Expression | None) -> Application | None:
    """Returns the StopGradient between a tensor and a statistic of the trained tensor `of`; None if there is none."""
    if item is None or of is None or not flow.trainable(of) or not flow.is_of_data(of):
        return None
    stops = flow.makers_behind(item, lambda step: step.type.role is Role.STOP, lambda step: step.type.by_element)
    for stop in stops:
        found = flow.makers_behind(input_of(stop), lambda step: step.type.name in kinds, _is_plain)
        if any(root(of).application in flow.ancestors(input_of(statistic)) for statistic in found):
            return stop
    return None


def _is_plain(step: Application) -> bool:
    return step.type.by_element or step.type.name in SHAPING


def _unstop(flow: Flow, *stops: Application) -> Fix | None:
    ids = tuple(dict.fromkeys(flow.block(stop) for stop in stops))
    return flow.fix("Remove both StopGradients", fixes.dissolve_all, *stops, ids=ids)


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


def _moved_by_target(flow: Flow, later: Expression, now: Expression) -> list[Application]:
    """Returns the variables of a target that is made as the prediction is: by the same ones, or by copies of them."""
    if _are_of_one_function(flow, later, now):
        return flow.variables(flow.trainable(later) & flow.trainable(now))
    if flow.trainable(later) & flow.trainable(now) or not (flow.is_of_data(later) and flow.is_of_data(now)):
        return []
    own, others = flow.variables(flow.trainable(later)), flow.variables(flow.trainable(now))
    return own if Counter(_use(flow, item) for item in own) == Counter(_use(flow, item) for item in others) else []


def _use(flow: Flow, variable: Application) -> tuple[object, ...]:
    """Returns what a variable has in common with its copy in a network of the same shape."""
    return variable.outputs[0].shape, frozenset((edge.application.type, edge.slot) for edge in flow.readers(variable))


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
