"""Rules about gradients that should have been stopped, or are stopped twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.block_type import Role
from engine.expression import Application, Expression
from engine.gradients import Edge
from lint import fixes
from lint.finding import Finding
from lint.flow import SHAPING, Flow, root

_DIFFERENCES = ("Subtract", "SquaredDifference", "MeanSquaredError", "MeanAbsoluteError", "Huber")
_LOGARITHMS = ("Log", "LogSoftmax", "LogSigmoid")
_LOG_LOSSES = (
    "SigmoidCrossEntropyWithLogits",
    "SoftmaxCrossEntropyWithLogits",
    "SparseSoftmaxCrossEntropyWithLogits",
)
_SELECTING = (*SHAPING, "Negative", "Gather", "GatherNd", "ReduceSum", "ReduceMean")


def target_not_stopped(flow: Flow) -> Iterator[Finding]:
    """A target r + gamma V(s') that is compared with V(s) while both are trained."""
    for step in flow.of_type(*_DIFFERENCES):
        for slot in (0, 1):
            edge, other, target = Edge(step, slot), step.inputs[1 - slot], step.inputs[slot]
            back = flow.gradient(edge)
            if back is None or other is None or target is None:
                continue
            shared = flow.variables(_discounted(flow, target) & flow.trainable(other))
            if not shared:
                continue
            names = ", ".join(flow.title(variable) for variable in shared)
            message = (
                f"{flow.title(step)} compares a prediction with a target that depends on {names} too. "
                f"A gradient of up to {np.abs(back).max(initial=0):g} pulls the target towards the prediction."
            )
            yield Finding("target_not_stopped", "warning", flow.path(step), message, flow.stop(edge))


def baseline_not_stopped(flow: Flow) -> Iterator[Finding]:
    """A log-probability times an advantage that is trained itself."""
    for product in flow.of_type("Multiply"):
        for slot in (0, 1):
            edge, score, advantage = Edge(product, slot), product.inputs[1 - slot], product.inputs[slot]
            back = flow.gradient(edge)
            assert score is not None and advantage is not None
            if back is None or flow.maker(advantage, "Subtract") is None or not _is_log_probability(flow, score):
                continue
            # What the policy itself is made of may stand in its weight, as in the focal loss.
            own = flow.variables(flow.trainable(advantage) & ~flow.trainable(score))
            if own and flow.trainable(score):
                names = ", ".join(flow.title(variable) for variable in own)
                message = (
                    f"{flow.title(product)} weighs a log-probability by a difference that depends on {names}. "
                    f"The policy's loss trains it, with a gradient of up to {np.abs(back).max(initial=0):g}."
                )
                yield Finding("baseline_not_stopped", "warning", flow.path(product), message, flow.stop(edge))


def stop_redundant(flow: Flow) -> Iterator[Finding]:
    """A StopGradient that keeps nothing back: everything behind it is stopped already, or has nothing to train."""
    reached, unstopped = flow.sources(), flow.sources((Role.STOP,))
    for stop in flow.steps:
        x = stop.inputs[0] if stop.type.role is Role.STOP else None
        if x is None or not flow.users(stop.outputs[0]) or reached.get(x, 0):
            continue
        if unstopped.get(x, 0):
            message = f"{flow.title(stop)} is redundant: another StopGradient behind it already keeps everything back."
        else:
            message = f"{flow.title(stop)} is harmless and redundant: nothing behind it could take a gradient."
        fix = flow.fix("Remove the StopGradient", fixes.dissolve, stop, block_id=flow.block(stop))
        yield Finding("stop_redundant", "info", flow.path(stop), message, fix)


def _discounted(flow: Flow, target: Expression) -> int:
    """The variables behind V in a target r + gamma V, where nothing trains r and gamma; 0 if it has another form."""
    add = flow.maker(target, "Add")
    for slot, item in enumerate(add.inputs if add is not None else ()):
        reward = add.inputs[1 - slot] if add is not None else None
        later = flow.maker(item, "Multiply")
        if reward is None or later is None or flow.trainable(reward):
            continue
        for place, factor in enumerate(later.inputs):
            value, other = later.inputs[1 - place], factor
            if other is not None and value is not None and _is_discount(flow, other):
                return flow.trainable(value)
    return 0


def _is_discount(flow: Flow, expression: Expression) -> bool:
    value = flow.value(root(expression))
    return value is not None and not flow.trainable(expression) and bool(((value >= 0) & (value <= 1)).all())


def _is_log_probability(flow: Flow, expression: Expression) -> bool:
    """Whether a tensor is picked out of the logarithms of probabilities."""

    def passes(step: Application) -> bool:
        if step.type.name == "Multiply":
            return any(item is not None and not flow.trainable(item) for item in step.inputs)
        return step.type.name in _SELECTING

    def is_logarithm(step: Application) -> bool:
        return step.type.name in (*_LOGARITHMS, *_LOG_LOSSES)

    return next(flow.makers_behind(expression, is_logarithm, passes), None) is not None
