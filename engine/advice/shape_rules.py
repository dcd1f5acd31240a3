"""Rule about shapes that broadcast against each other where they should be equal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Shape
from gradwire.engine.blocktypes.expression import Application, Expression

_PENALTIES = ("Square", "Abs", "Pow", "Sqrt", "L2Loss", "Norm", "ReduceEuclideanNorm")
_COMPARING = ("SquaredDifference", "MeanSquaredError", "MeanAbsoluteError", "Huber", "LogCosh")
_SUMMING = ("ReduceSum", "ReduceMean")
_CARRYING = (*SHAPING, "Negative", "Add", "AddN", "Multiply", "Divide", "Where", "Minimum", "Cast")
_SELECTING = ("Slice", "StridedSlice", "Gather", "Unstack", "Split")
_LOGARITHMS = ("Log", "LogSoftmax", "LogSigmoid")


def crossed_shapes(flow: Flow) -> Iterator[Finding]:
    """Finds errors and weighed logarithms of (N, 1) against (N,), which broadcast to (N, N)."""
    steps = [step for step in flow.of_type("Subtract", "Multiply", *_COMPARING) if _column(step) is not None]
    pairwise = any(_is_of_one(flow, step) for step in steps)
    for step in steps:
        slot = _column(step)
        assert slot is not None
        is_trained = any(flow.gradient(Edge(step, side)) is not None for side in (0, 1))
        if pairwise or not is_trained or not _is_error(flow, step):
            continue
        column, row = _unrepeated(step, slot).shape, _unrepeated(step, opposite(slot)).shape
        whole = _broadcast(column, row)
        message = (
            f"{flow.title(step)} broadcasts {_text(column)} with {_text(row)} to {_text(whole)}. Each row meets every "
            f"other: {math.prod(whole)} pairs instead of {math.prod(row)}, and the mean pulls all predictions together."
        )
        arguments = {"target": flow.target(Edge(step, slot)), "shape": row}
        is_direct = _unrepeated(step, slot) is input_of(step, slot)
        fix = flow.fix("Reshape to the same shape", fixes.with_shape, step, changes_loss=True, **arguments)
        yield Finding("crossed_shapes", "warning", flow.path(step), message, fix if is_direct else None)


def _column(step: Application) -> int | None:
    """Returns the input with one more last axis of length 1 than the other, if both grow."""
    first, second = _unrepeated(step, 0).shape, _unrepeated(step, 1).shape
    for slot, (column, row) in enumerate(((first, second), (second, first))):
        grows = column == (*row, 1) and len(row) > 0 and row[-1] > 1 and (len(row) == 1 or row[-1] == row[-2])
        if grows:
            return slot
    return None


def _unrepeated(step: Application, slot: int) -> Expression:
    """Returns the input as it was before a BroadcastTo, which losses of PyTorch put before the difference."""
    expression = found = input_of(step, slot)
    while (found := root(found)).application.type.name == "BroadcastTo":
        expression = found = input_of(found.application)
    return expression


def _is_of_one(flow: Flow, step: Application) -> bool:
    """Returns whether both inputs are the same tensor in two shapes: a distance of all pairs is meant."""
    return _bare(_unrepeated(step, 0)) is _bare(_unrepeated(step, 1))


def _bare(expression: Expression) -> Expression:
    expression = root(expression)
    while (source := expression.application.inputs[0] if expression.application.inputs else None) is not None:
        name = expression.application.type.name
        is_whole = name in _SELECTING and math.prod(source.shape) == math.prod(expression.shape)
        if name not in SHAPING and not is_whole:
            break
        expression = root(source)
    return expression


def _is_error(flow: Flow, step: Application) -> bool:
    """Returns whether a step leads to the loss as an error or a weighed logarithm, and in no other way."""
    is_product = step.type.name == "Multiply"
    if is_product and not any(_is_logarithm(flow, input_of(step, slot)) for slot in (0, 1)):
        return False
    has_target = any(not flow.depends(input_of(step, slot)) for slot in (0, 1))
    penalties = (*_PENALTIES, "Softplus") if has_target else _PENALTIES
    waiting, seen = [(step, is_product or step.type.name in _COMPARING)], set[tuple[Application, bool]]()
    reaches = is_plain = False
    for item in waiting:
        if item in seen:
            continue
        seen.add(item)
        current, is_penalised = item
        for edge in flow.users(current.outputs[0]):
            user, name = edge.application, edge.application.type.name
            is_square = name == "Multiply" and user.inputs[0] is user.inputs[1]
            if user in flow.losses:
                reaches, is_plain = reaches or is_penalised, is_plain or not is_penalised
            elif name in penalties or is_square:
                waiting.append((user, True))
            elif name in (*_SUMMING, *_CARRYING) or (name == "Subtract" and is_penalised):
                waiting.append((user, is_penalised))
            elif flow.gradient(edge) is not None:
                return False
    # The logarithm of cosh, written out, has the error itself as a term beside the penalty.
    return reaches and (has_target or not is_plain)


def _is_logarithm(flow: Flow, expression: Expression) -> bool:
    found = flow.makers_behind(
        expression,
        lambda step: step.type.name in _LOGARITHMS,
        lambda step: step.type.name in (*SHAPING, "Negative", "Gather", "GatherNd"),
    )
    return next(found, None) is not None


def _broadcast(column: Shape, row: Shape) -> Shape:
    padded = (1, *row)
    return tuple(max(a, b) for a, b in zip(column, padded, strict=True))


def _text(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"
