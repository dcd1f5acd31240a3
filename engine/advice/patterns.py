"""Patterns that rules look for: softmax and sigmoid, as one block or written out."""

from __future__ import annotations

from typing import NamedTuple

from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.expression import Application, Expression

# Steps that change neither the probabilities nor their order along the classes.
_CARRYING = (*SHAPING, "Transpose", "Cast", "CheckNumerics")

# Steps that pick some of the probabilities: all of them in the same way for each.
_CHOOSING = ("Gather", "GatherNd", "Slice", "StridedSlice", "BooleanMask")


class Squashed(NamedTuple):
    """Softmax or sigmoid: its last step, the input of its logits, the first input that reads it, and its axis.

    `logits` is None where no single port has them; `axis` is None where it is not known.
    """

    step: Application
    logits: Edge | None
    reader: Edge
    axis: int | None = None


def softmax_at(flow: Flow, reader: Edge) -> Squashed | None:
    """Returns the softmax at an input, through steps that only carry it on."""
    reader = _carried(flow, reader)
    item = input_of(reader.application, reader.slot)
    softmax = flow.maker(item, "Softmax")
    if softmax is not None:
        axis = int(softmax.parameters["axis"])
        return Squashed(softmax, Edge(softmax, 0), reader, axis % max(1, len(softmax.outputs[0].shape)))
    exp = flow.maker(item, "Exp")
    if exp is not None and (log := flow.maker(exp.inputs[0], "LogSoftmax")) is not None:
        return Squashed(exp, Edge(log, 0), reader, int(log.parameters["axis"]) % max(1, len(exp.outputs[0].shape)))
    quotient = flow.maker(item, "Divide")
    return None if quotient is None else _softmax_written_out(flow, quotient, reader)


def softmax_behind_choice(flow: Flow, reader: Edge) -> Squashed | None:
    """Returns the softmax at an input, through steps that carry or choose its probabilities."""
    while (found := softmax_at(flow, reader)) is None:
        carried = _carried(flow, reader)
        step = flow.maker(input_of(carried.application, carried.slot), *_CHOOSING)
        if step is None:
            return None
        reader = Edge(step, 0)
    return found


def unscaled(flow: Flow, reader: Edge) -> tuple[Edge, float]:
    """Returns the input before products with numbers that nothing trains, and the product of these numbers' sizes."""
    factor = 1.0
    while True:
        carried = _carried(flow, reader)
        step = flow.maker(input_of(carried.application, carried.slot), "Multiply", "Divide")
        number = None if step is None else _number_beside(flow, step)
        if step is None or number is None:
            return reader, factor
        slot, size = number
        reader, factor = Edge(step, slot), factor * size


def _number_beside(flow: Flow, step: Application) -> tuple[int, float] | None:
    """Returns the input that a product or quotient scales, and the factor."""
    for slot in (0, 1) if step.type.name == "Multiply" else (0,):
        other = input_of(step, opposite(slot))
        value = flow.value(other)
        if value is not None and value.size == 1 and not flow.depends(other) and not flow.is_of_data(other, True):
            size = abs(float(value.reshape(())))
            if size > 0:
                return slot, size if step.type.name == "Multiply" else 1 / size
    return None


def _softmax_written_out(flow: Flow, quotient: Application, reader: Edge) -> Squashed | None:
    """Returns the softmax if a quotient divides an Exp by its own sum."""
    exp = flow.maker(quotient.inputs[0], "Exp")
    total = flow.maker(_uncarried(flow, input_of(quotient, 1)), "ReduceSum")
    if exp is None or total is None or root(input_of(total)) is not exp.outputs[0]:
        return None
    axes = axes_of(total)
    return Squashed(quotient, Edge(exp, 0), reader, axes.pop() + exp.outputs[0].ndim if len(axes) == 1 else None)


def axes_of(step: Application) -> set[int]:
    """Returns the axes along which a step reduces, counted from the end."""
    axis, rank = step.parameters["axis"], input_of(step).ndim
    if axis is None:
        return set(range(-rank, 0))
    return {item if item < 0 else item - rank for item in (axis if isinstance(axis, list | tuple) else [axis])}


def sigmoid_at(flow: Flow, reader: Edge) -> Squashed | None:
    """Returns the sigmoid at an input, through steps that only carry it on."""
    reader = _carried(flow, reader)
    item = input_of(reader.application, reader.slot)
    sigmoid = flow.maker(item, "Sigmoid")
    if sigmoid is not None:
        return Squashed(sigmoid, Edge(sigmoid, 0), reader)
    exp = flow.maker(item, "Exp")
    if exp is not None and (log := flow.maker(exp.inputs[0], "LogSigmoid")) is not None:
        return Squashed(exp, Edge(log, 0), reader)
    return _sigmoid_written_out(flow, reader)


def _sigmoid_written_out(flow: Flow, reader: Edge) -> Squashed | None:
    """Returns 1 / (1 + exp(-z)) at an input."""
    item = input_of(reader.application, reader.slot)
    quotient = flow.maker(item, "Divide", "Reciprocal")
    if quotient is None or (add := flow.maker(quotient.inputs[-1], "Add")) is None:
        return None
    if quotient.type.name == "Divide" and not is_all(flow, quotient.inputs[0], 1):
        return None
    for slot in (0, 1):
        exp = flow.maker(add.inputs[slot], "Exp")
        if exp is not None and is_all(flow, add.inputs[opposite(slot)], 1):
            negative = flow.maker(exp.inputs[0], "Negative")
            return Squashed(quotient, None if negative is None else Edge(negative, 0), reader)
    return None


def is_all(flow: Flow, expression: Expression | None, number: float) -> bool:
    """Returns whether a tensor holds only one number and cannot be trained."""
    if expression is None or flow.trainable(expression):
        return False
    value = flow.value(root(expression))
    return value is not None and bool((value == number).all())


def _carried(flow: Flow, reader: Edge) -> Edge:
    """Returns the first of the inputs along which a tensor is only carried on to this one."""
    while True:
        step = flow.maker(input_of(reader.application, reader.slot), *_CARRYING)
        if step is None:
            return reader
        reader = Edge(step, 0)


def _uncarried(flow: Flow, expression: Expression) -> Expression:
    while (step := flow.maker(expression, *_CARRYING)) is not None:
        expression = input_of(step)
    return expression
