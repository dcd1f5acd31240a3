"""Rules about probabilities that are taken for logits, and about logarithms of probabilities with a floor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.patterns import Squashed, sigmoid_at, softmax_at, softmax_behind_choice, unscaled
from gradwire.engine.advice.step_graph import Flow, count_of, input_of
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.norms import exponent_of, scaled
from gradwire.engine.base.problems import Severity
from gradwire.engine.blocktypes.expression import Application

# Input that takes logits, by the type of the block.
_SOFTMAX_INSIDE = {
    "SoftmaxCrossEntropyWithLogits": 1,
    "SparseSoftmaxCrossEntropyWithLogits": 1,
    "LogSoftmax": 0,
    "Softmax": 0,
}
_SIGMOID_INSIDE = {"SigmoidCrossEntropyWithLogits": 1, "WeightedCrossEntropyWithLogits": 1, "LogSigmoid": 0}
# A floor above this is no guard against the logarithm of 0 any more.
_LARGEST_FLOOR = 1e-2


def softmax_twice(flow: Flow) -> Iterator[Finding]:
    """Finds softmaxes whose probabilities a second softmax takes for logits."""
    for step in flow.of_type(*_SOFTMAX_INSIDE):
        reader, factor = unscaled(flow, Edge(step, _SOFTMAX_INSIDE[step.type.name]))
        inner = softmax_at(flow, reader)
        if inner is not None and flow.trainable(inner.step.outputs[0]) and _is_along_one_axis(flow, step, inner):
            message = (
                f"{flow.title(step)} takes the probabilities of {flow.title(inner.step)} for logits. They differ by at "
                f"most {factor:g}, so the loss cannot come near 0 and the gradient stays small."
            )
            yield _taken_twice(flow, "softmax_twice", step, inner, message)


def sigmoid_twice(flow: Flow) -> Iterator[Finding]:
    """Finds sigmoids whose probabilities a second sigmoid takes for logits."""
    for step in flow.of_type(*_SIGMOID_INSIDE):
        inner = sigmoid_at(flow, Edge(step, _SIGMOID_INSIDE[step.type.name]))
        if inner is not None and flow.trainable(inner.step.outputs[0]):
            message = (
                f"{flow.title(step)} takes the probabilities of {flow.title(inner.step)} for logits. From numbers "
                "between 0 and 1 it makes probabilities between 0.5 and 0.73 only."
            )
            yield _taken_twice(flow, "sigmoid_twice", step, inner, message)


def padded_log(flow: Flow) -> Iterator[Finding]:
    """Finds logarithms of a softmax with a small number added, or clamped at one."""
    for log in flow.of_type("Log"):
        for guard, slot, floor in _floors(flow, log):
            softmax = softmax_behind_choice(flow, Edge(guard, slot))
            if softmax is None or not flow.trainable(softmax.step.outputs[0]):
                continue
            value = flow.value(softmax.step.outputs[0])
            small = np.zeros(0, bool) if value is None else value < floor
            log_name, softmax_name = flow.title(log), flow.title(softmax.step)
            if small.any():
                message = (
                    f"{log_name} is taken of {softmax_name} with a floor of {floor:g}. {count_of(small)} lie below it "
                    "and lose their gradient; LogSoftmax is exact."
                )
            else:
                message = (
                    f"{log_name} is taken of {softmax_name} with a floor of {floor:g}. Probabilities below it would "
                    "lose their gradient; LogSoftmax is exact."
                )
            also = (flow.path(softmax.step), flow.path(guard))
            changes_loss = guard.type.name == "Add" or bool(small.any())
            fix = _log_softmax(flow, log, Edge(guard, slot), softmax, changes_loss)
            severity: Severity = "warning" if small.any() else "info"
            yield Finding("padded_log", severity, flow.path(log), message, fix, also)


def _is_along_one_axis(flow: Flow, step: Application, inner: Squashed) -> bool:
    """Returns whether the numbers that the second softmax compares add up to 1, or to a factor that scales them."""
    slot = _SOFTMAX_INSIDE[step.type.name]
    value, axis = flow.value(input_of(step, slot)), int(step.parameters.get("axis", -1))
    if value is None or not np.isfinite(value).all():
        return inner.axis is not None and inner.axis == axis % max(1, len(input_of(step, slot).shape))
    sums = scaled(value, exponent_of(value)).sum(axis=axis)
    return bool(np.allclose(sums, sums.flat[0] if sums.size else 1, rtol=1e-3))


def _taken_twice(flow: Flow, rule: str, step: Application, inner: Squashed, message: str) -> Finding:
    fix = None
    if inner.logits is not None:
        fix = flow.fix(
            "Connect the logits directly",
            fixes.bypass,
            inner.reader.application,
            inner.logits.application,
            inner.step,
            changes_loss=True,
            target=flow.target(inner.reader),
            logits=flow.target(inner.logits),
            idle=(flow.block(inner.step), flow.block(inner.logits.application)),
        )
    return Finding(rule, "warning", flow.path(step), message, fix, (flow.path(inner.step),))


def _floors(flow: Flow, log: Application) -> Iterator[tuple[Application, int, float]]:
    """Yields the step that adds a small number under a logarithm or clamps there, its input, and the number."""
    guard = flow.maker(log.inputs[0], "Add", "Maximum", "ClipByValue")
    if guard is None:
        return
    pairs = ((0, 1),) if guard.type.name == "ClipByValue" else ((0, 1), (1, 0))
    for slot, other in pairs:
        floor = flow.value(input_of(guard, other))
        if floor is None or flow.trainable(input_of(guard, other)) or floor.size == 0:
            continue
        if floor.min() > 0 and floor.max() <= _LARGEST_FLOOR:
            yield guard, slot, float(floor.max())


def _log_softmax(flow: Flow, log: Application, guarded: Edge, softmax: Squashed, changes_loss: bool) -> Fix | None:
    """Returns the fix that puts LogSoftmax in place of the softmax; None where others read it, or without an axis."""
    guard, reader = guarded.application, softmax.reader
    if softmax.axis is None or softmax.logits is None or not _is_read_alone(flow, reader.application, guard):
        return None
    return flow.fix(
        "Use LogSoftmax",
        fixes.as_floorless_log,
        log,
        guard,
        reader.application,
        softmax.step,
        softmax.logits.application,
        changes_loss=changes_loss,
        log=flow.block(log),
        guarded=flow.target(guarded),
        reader=flow.target(reader),
        logits=flow.target(softmax.logits),
        idle=(flow.block(guard), flow.block(softmax.step), flow.block(softmax.logits.application)),
        axis=softmax.axis,
    )


def _is_read_alone(flow: Flow, step: Application, end: Application) -> bool:
    """Returns whether a step leads to another one, and nothing else reads it on the way."""
    while step is not end:
        users = flow.users(step.outputs[0])
        if len(users) != 1:
            return False
        step = users[0].application
    return True
