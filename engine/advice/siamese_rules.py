"""Rule about two trained outputs that are pulled together while nothing holds them apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.linear_sums import terms_of
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, makers, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.norms import dot_of, norm_of
from gradwire.engine.blocktypes.expression import Application, Expression

_DIFFERENCES = ("Subtract", "SquaredDifference", "MeanSquaredError", "MeanAbsoluteError", "Huber", "LogCosh")
_SIMILARITIES = ("CosineSimilarity", "Multiply")
_CROSS_ENTROPIES = ("SoftmaxCrossEntropyWithLogits", "KLDivergence")
_PENALTIES = ("Square", "Abs", "Pow", "Sqrt", "L2Loss", "Norm", "ReduceEuclideanNorm")
_LINEAR = (*SHAPING, "Add", "AddN", "Subtract", "Negative", "ReduceSum", "ReduceMean", "Cast")


def siamese_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds comparisons of two outputs of trained encoders, if the loss rewards nothing but their likeness."""
    found = {step: ahead for step in _comparisons(flow) if (ahead := _to_loss(flow, step)) and _attracts(flow, step)}
    if not found or _is_held_apart(flow, set(found), set().union(*found.values())):
        return
    first, *others = found
    edges = [Edge(step, _target(flow, step)) for step in found]
    back = max(
        float(np.abs(gradient).max(initial=0)) for edge in edges if (gradient := flow.gradient(edge)) is not None
    )
    message = (
        f"{flow.title(first)} pulls two trained outputs together, and nothing holds them apart. A gradient of up to "
        f"{back:g} flows into the target as well: both may become one constant."
    )
    also = tuple(flow.path(step) for step in others)
    yield Finding("siamese_not_stopped", "warning", flow.path(first), message, flow.stop(*edges), also)


def _comparisons(flow: Flow) -> Iterator[Application]:
    """Yields the comparisons of two tensors that are both trained and both depend on data."""
    for step in flow.of_type(*_DIFFERENCES, *_SIMILARITIES, *_CROSS_ENTROPIES):
        sides = [input_of(step, slot) for slot in (0, 1)]
        if sides[0].shape != sides[1].shape or root(sides[0]) is root(sides[1]):
            continue
        are_trained = all(flow.gradient(Edge(step, slot)) is not None for slot in (0, 1))
        is_of_both = are_trained and all(flow.trainable(side) and flow.is_of_data(side) for side in sides)
        if is_of_both and (step.type.name not in _DIFFERENCES or not _is_anchored(flow, step)):
            yield step


def _is_anchored(flow: Flow, step: Application) -> bool:
    """Returns whether a difference also adds up data, which keeps two constants from being equal."""
    return any(not flow.depends(term.tensor) for term in terms_of(flow, step))


def _to_loss(flow: Flow, start: Application) -> set[Application]:
    """Returns the steps from a comparison to the loss; none unless all of them are penalties and sums."""
    waiting, seen, reaches = [(start, start.type.name != "Subtract")], set[tuple[Application, bool]](), False
    for item in waiting:
        if item in seen:
            continue
        seen.add(item)
        step, is_penalised = item
        for edge in flow.users(step.outputs[0]):
            if edge.application in flow.losses:
                if not is_penalised:
                    return set()
                reaches = True
            elif _is_plain(flow, edge):
                waiting.append((edge.application, is_penalised or _is_penalty(edge.application)))
            elif flow.gradient(edge) is not None:
                return set()
    return {step for step, _ in seen} if reaches else set()


def _is_penalty(step: Application) -> bool:
    is_square = step.type.name == "Multiply" and step.inputs[0] is step.inputs[1]
    return is_square or step.type.name in _PENALTIES


def _is_plain(flow: Flow, edge: Edge) -> bool:
    step, name = edge.application, edge.application.type.name
    if name in ("Multiply", "Divide"):
        other = input_of(step, opposite(edge.slot))
        return (name == "Multiply" or edge.slot == 0) and (
            not flow.trainable(other) or step.inputs[0] is step.inputs[1]
        )
    return name in _LINEAR or name in _PENALTIES


def _attracts(flow: Flow, step: Application) -> bool:
    """Returns whether the loss falls if the first input moves towards the second."""
    first, second = flow.value(input_of(step, 0)), flow.value(input_of(step, 1))
    back = flow.gradient(Edge(step, 0))
    if first is None or second is None or back is None or not np.isfinite(back).all():
        return False
    if step.type.name in _CROSS_ENTROPIES:
        return True
    if step.type.name == "Multiply" and not all(_is_of_length_one(value) for value in (first, second)):
        return False
    return dot_of(back, second) < dot_of(back, first)


def _is_of_length_one(value: np.ndarray) -> bool:
    return value.ndim > 0 and bool(
        np.allclose([norm_of(row) for row in value.reshape(-1, value.shape[-1])], 1, atol=1e-3)
    )


def _is_held_apart(flow: Flow, compared: set[Application], ahead: set[Application]) -> bool:
    """Returns whether the loss depends on outputs of the same encoders in another way than by these comparisons."""
    encoders = 0
    for step in compared:
        encoders |= flow.trainable(input_of(step, 0)) | flow.trainable(input_of(step, 1))
    waiting, seen = list(flow.losses), set[Application]()
    while waiting:
        step = waiting.pop()
        if step in seen or step in compared:
            continue
        seen.add(step)
        is_between = step in ahead or step in flow.losses
        if not is_between and any(_is_trained_on_data(flow, output, encoders) for output in step.outputs):
            return True
        waiting += makers(step)
    return False


def _is_trained_on_data(flow: Flow, expression: Expression, encoders: int) -> bool:
    return bool(flow.trainable(expression) & encoders) and flow.is_of_data(expression)


def _target(flow: Flow, step: Application) -> int:
    """Returns the input that is the target: the one behind fewer variables, else the second; labels come first."""
    counts = [flow.trainable(input_of(step, slot)).bit_count() for slot in (0, 1)]
    if step.type.name in _CROSS_ENTROPIES or counts[0] < counts[1]:
        return 0
    return 1
