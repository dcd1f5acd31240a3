"""Rule about a discriminator's loss that trains the generator too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.linear_sums import ADDING, terms_of
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.norms import exponent_of, scaled
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression

# Input with the score, and input with the labels, of losses that compare the two.
_LABELLED = {
    "SigmoidCrossEntropyWithLogits": (1, 0),
    "WeightedCrossEntropyWithLogits": (1, 0),
    "MeanSquaredError": (1, 0),
    "SquaredDifference": (0, 1),
    "Subtract": (0, 1),
}
_LAYERS = ("MatMul", "MatVec", "Multiply", "Einsum", "Tensordot", "Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2D")
# Labels that differ by less are those of one kind, with noise or smoothing.
_LABEL_RANGE = 0.35
# Share of a gradient that must point in one direction.
_ONE_WAY = 0.9
_READERS = 50


class _Use(NamedTuple):
    """Application of a discriminator's first layer, and its input that is not a weight."""

    step: Application
    slot: int


def fake_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds discriminators that judge data and generated samples, and whose loss trains the generator."""
    told: set[_Use] = set()
    for variable in flow.variables(-1):
        real, fakes = _uses(flow, variable)
        for fake in fakes if real is not None else ():
            assert real is not None
            if fake in told or _is_turned(flow, input_of(fake.step, fake.slot)):
                continue
            # Both losses may read one score, so readers count at each step on the way to the loss.
            alone = list(_readers_apart(flow, real.step, fake.step))
            against = [edge for score, edge in alone if _is_against(flow, score, edge)]
            if against:
                told.add(fake)
                yield _trains_generator(flow, Edge(*fake), len(against) == len(alone))
    yield from _joined(flow)


def _uses(flow: Flow, variable: Application) -> tuple[_Use | None, list[_Use]]:
    """Returns a use of a variable on data alone, and its uses on what other variables have made."""
    real, fakes = None, []
    own = flow.trainable(variable.outputs[0])
    for edge in flow.readers(variable):
        if edge.application.type.name not in _LAYERS or len(edge.application.inputs) != 2:
            continue
        use = _Use(edge.application, opposite(edge.slot))
        other = edge.application.inputs[use.slot]
        if other is None:
            continue
        if not flow.depends(other) and flow.is_of_data(other, may_be_single=True):
            real = real or use
        elif flow.trainable(other) and not flow.trainable(other) & own and flow.gradient(Edge(*use)) is not None:
            fakes.append(use)
    return real, fakes


def _readers_apart(flow: Flow, real: Application, fake: Application) -> Iterator[tuple[Expression, Edge]]:
    """Yields the readers of a generated sample's score that have no twin behind the data, with the data's score."""
    while True:
        readers = flow.users(fake.outputs[0])[:_READERS]
        twins = [(edge, other) for other in readers if (edge := _twin(flow, real, other)) is not None]
        matched = {other for _, other in twins}
        yield from ((real.outputs[0], other) for other in readers if other not in matched)
        if not twins:
            return
        real, fake = twins[0][0].application, twins[0][1].application


def _twin(flow: Flow, real: Application, other: Edge) -> Edge | None:
    """Returns the input behind the data that is used as another is behind a generated sample."""
    twin = other.application
    for edge in flow.users(real.outputs[0])[:_READERS]:
        step = edge.application
        are_alike = step is not twin and step.type is twin.type and step.parameters == twin.parameters
        if are_alike and edge.slot == other.slot and step not in flow.losses and _same_others(flow, edge, other):
            return edge
    return None


def _same_others(flow: Flow, edge: Edge, other: Edge) -> bool:
    """Returns whether two steps read the same tensors beside the ones compared, or equal constants."""
    for slot, item in enumerate(edge.application.inputs):
        twin = other.application.inputs[slot]
        if item is None or twin is None or slot == edge.slot:
            continue
        if not flow.is_same(item, twin) and not _are_equal(flow, item, twin):
            return False
    return True


def _are_equal(flow: Flow, first: Expression, second: Expression) -> bool:
    if flow.depends(first) or flow.depends(second):
        return False
    one, two = flow.value(root(first)), flow.value(root(second))
    return one is not None and two is not None and np.array_equal(one, two)


def _is_against(flow: Flow, score: Expression, edge: Edge) -> bool:
    """Returns whether the loss wants from a score the contrary of what it wants from that of the data."""
    readers = flow.users(score)
    wanted, other = [_wanted(flow, reader) for reader in readers], _wanted(flow, edge)
    known = [number for number in wanted if number is not None]
    if known and other is not None:
        return all(abs(number - other) > _LABEL_RANGE for number in known)
    if any(_is_regression(flow, reader) for reader in readers):
        return False
    pushes = [push_of(flow.gradient(reader)) for reader in readers]
    return -push_of(flow.gradient(edge)) in (push for push in pushes if push)


def _wanted(flow: Flow, edge: Edge) -> float | None:
    """Returns the label with which a score is compared, if all labels are alike."""
    name = edge.application.type.name
    if name in ("Square", "L2Loss"):
        return 0.0
    labels = _labels(flow, edge)
    if labels is None or labels.size == 0 or np.ptp(labels) > _LABEL_RANGE:
        return None
    return float(labels.mean())


def _labels(flow: Flow, edge: Edge) -> Array | None:
    slots = _LABELLED.get(edge.application.type.name)
    if slots is None:
        return None
    other = input_of(edge.application, opposite(edge.slot))
    is_comparing = edge.slot == slots[0] or edge.application.type.name in ("SquaredDifference", "MeanSquaredError")
    value = flow.value(root(other))
    return value if is_comparing and not flow.depends(other) and value is not None else None


def _is_regression(flow: Flow, edge: Edge) -> bool:
    """Returns whether a score is compared with numbers that differ, or that variables predict."""
    if edge.application.type.name not in _LABELLED:
        return False
    other = input_of(edge.application, opposite(edge.slot))
    return edge.application.inputs[0] is not edge.application.inputs[1] and (
        (bool(flow.depends(other)) and not flow.trainable(other)) or _differ(flow.value(root(other)))
    )


def _differ(value: Array | None) -> bool:
    return value is not None and value.size > 0 and bool(np.ptp(value) > _LABEL_RANGE)


def push_of(gradient: Array | None) -> int:
    """Returns the direction in which a gradient moves all scores: 1, -1, or 0 if they differ."""
    if gradient is None or not np.isfinite(gradient).all() or not gradient.any():
        return 0
    pushes = scaled(gradient, exponent_of(gradient))
    size, total = float(np.abs(pushes).sum()), float(pushes.sum())
    return int(np.sign(total)) if abs(total) > _ONE_WAY * size else 0


def _is_turned(flow: Flow, expression: Expression) -> bool:
    """Returns whether a StopGradient takes part in a sum here: the gradient is scaled or reversed on purpose."""
    step = root(expression).application
    while step.type.name in SHAPING:
        step = root(input_of(step)).application
    return step.type.name in ADDING and any(term.is_stopped for term in terms_of(flow, step))


def _trains_generator(flow: Flow, edge: Edge, is_all: bool) -> Finding:
    back = flow.gradient(edge)
    variables = flow.variables(flow.trainable(input_of(edge.application, edge.slot)))
    names = ", ".join(flow.title(item) for item in variables[:4]) + (", ..." if len(variables) > 4 else "")
    size = 0.0 if back is None else float(np.abs(back).max(initial=0))
    message = (
        f"{flow.title(edge.application)} judges generated samples that are not stopped. The discriminator's loss "
        f"trains {names} too, with a gradient of up to {size:g} there."
    )
    # Where the generator's own loss reads the same score, a StopGradient would take its gradient away as well.
    fix = flow.stop(edge) if is_all else None
    return Finding("fake_not_stopped", "warning", flow.path(edge.application), message, fix)


# One batch of data and generated samples


def _joined(flow: Flow) -> Iterator[Finding]:
    """Yields findings where data and generated samples are joined to one batch, with a label of its own for each."""
    for join in flow.of_type("Concat"):
        if join.parameters["axis"] not in (0, -join.outputs[0].ndim):
            continue
        rows = np.cumsum([0, *(input_of(join, slot).shape[0] for slot in range(len(join.inputs)))])
        parts = [input_of(join, slot) for slot in range(len(join.inputs))]
        real = [slot for slot, part in enumerate(parts) if not flow.depends(part) and flow.is_of_data(part)]
        made = [slot for slot, part in enumerate(parts) if flow.trainable(part)]
        for fake in made if real else ():
            edge = Edge(join, fake)
            first, second = slice(rows[real[0]], rows[real[0] + 1]), slice(rows[fake], rows[fake + 1])
            is_judged = any(_tells_apart(flow, labels, first, second) for labels in _labels_ahead(flow, join, fake))
            if flow.gradient(edge) is not None and is_judged:
                yield _trains_generator(flow, edge, is_all=True)


def _labels_ahead(flow: Flow, join: Application, fake: int) -> Iterator[Array]:
    """Yields the labels with which a discriminator's scores of a joined batch are compared."""
    makers = flow.trainable(input_of(join, fake))
    waiting, seen = [join], {join}
    for step in waiting:
        for edge in flow.users(step.outputs[0]):
            labels = _labels(flow, edge)
            score = input_of(edge.application, edge.slot)
            if labels is not None and flow.trainable(score) & ~makers and labels.shape[:1] == join.outputs[0].shape[:1]:
                yield labels
            elif edge.application not in seen:
                seen.add(edge.application)
                waiting.append(edge.application)


def _tells_apart(flow: Flow, labels: Array, real: slice, fake: slice) -> bool:
    """Returns whether the rows of data have one label, and the generated ones another."""
    first, second = labels[real], labels[fake]
    if not first.size or not second.size or _differ(first) or _differ(second):
        return False
    return bool(abs(first.mean() - second.mean()) > _LABEL_RANGE)
