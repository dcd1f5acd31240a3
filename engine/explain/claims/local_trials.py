"""Trials at one block: its outputs and the gradient of one input, for other numbers than those of the run."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge, steps_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.causes.linear_steps import generic_numbers, run_application
from gradwire.engine.evaluation.evaluate import Evaluation

Arrays = Sequence[Array | None]


class LocalTrial:
    """Block of a run with other inputs: the steps of its rule run again, for the same incoming gradient.

    If no gradient arrives at all, ordinary numbers stand for it. Cost: the block and one of its gradients, each time.
    """

    def __init__(self, run: Evaluation, edge: Edge) -> None:
        self._run, self._edge = run, edge
        self.inputs: list[Array | None] = [
            None if item is None else run.results[item] for item in edge.application.inputs
        ]
        order = dict.fromkeys(run.lowered.backward.order)
        self._steps = steps_of(edge, run.lowered.backward, order)

    def outputs(self, inputs: Arrays) -> tuple[Array, ...]:
        """Returns the outputs of the block for other inputs."""
        return run_application(self._edge.application, inputs)

    def gradient(self, inputs: Arrays, outputs: Sequence[Array] | None = None) -> Array | None:
        """Returns the gradient of the input for other inputs, and outputs if these do not follow from them."""
        application = self._edge.application
        made = self.outputs(inputs) if outputs is None else outputs
        values: dict[Expression, Array] = dict(zip(application.outputs, made, strict=True))
        values |= {
            item: array
            for item, array in zip(application.inputs, inputs, strict=True)
            if item is not None and array is not None
        }
        values |= self._arriving
        for step in self._steps:
            arrays = [None if item is None else self._value(item, values) for item in step.inputs]
            values |= zip(step.outputs, run_application(step, arrays), strict=True)
        return values.get(self._run.lowered.backward.edges[self._edge])

    def in_dtype(self, dtype: type[np.floating]) -> Array | None:
        """Returns the gradient of the input as a wider dtype finds it."""
        wide = [array if array is None or array.dtype.kind != "f" else array.astype(dtype) for array in self.inputs]
        return self.gradient(wide)

    @functools.cached_property
    def _arriving(self) -> dict[Expression, Array]:
        totals = self._run.lowered.backward.totals
        given = [totals[output] for output in self._edge.application.outputs if output in totals]
        arrays = {item: array for item in given if (array := self._run.zeros.value(item)) is not None}
        if any(array.any() for array in arrays.values()):
            return arrays
        return {item: generic_numbers(array.shape, dtype=array.dtype) for item, array in arrays.items()}

    def _value(self, item: Expression, values: Mapping[Expression, Array]) -> Array | None:
        return values[item] if item in values else self._run.results[item]


def element(array: Array | None, index: tuple[int, ...]) -> float:
    """Returns an element of a gradient; 0 if there is none, or it is not finite."""
    if array is None or array.ndim != len(index) or not all(map(int.__lt__, index, array.shape)):
        return 0.0
    return float(array[index]) if np.isfinite(array[index]) else 0.0
