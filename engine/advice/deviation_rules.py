"""A rule about blocks whose gradient in TensorFlow is not the derivative at the numbers of the run."""

from __future__ import annotations

from collections.abc import Iterator

from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.causes.deviations import deviations_of


def not_the_derivative(flow: Flow) -> Iterator[Finding]:
    """Finds inputs that lead to variables and get another gradient than the derivative of the block's output."""
    for found in deviations_of(flow.run.lowered, flow.run.results.__getitem__):
        step = found.application
        expression = step.inputs[step.type.input_names(len(step.inputs)).index(found.port)]
        if expression is not None and flow.has(step) and flow.trainable(expression):
            yield Finding("not_the_derivative", "warning", found.path, found.remark(flow.title(step)).message)
