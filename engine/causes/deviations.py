"""Blocks of a run whose gradient rule, TensorFlow's, is not the derivative at these numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.operation import Observation, arrange_inputs
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.causes.nonfinite_reasons import true_texts

# Two roundings of the same sum differ by less, relative to the largest element of a gradient.
_RTOL = 1e-6

Read = Callable[[Expression], Array | None]


@dataclass(frozen=True)
class Deviating:
    """An input of a block whose rule deviates: its gradient, the derivative, and where they differ.

    `reason` is a sentence without subject about the block, `elsewhere` what PyTorch and JAX give.

    Shapes: all three arrays have that of the input.
    """

    application: Application
    path: str
    port: str
    gradient: Array
    derivative: Array
    differs: Array
    reason: str
    elsewhere: str

    @property
    def example(self) -> tuple[tuple[int, ...], float, float]:
        """The element that differs most, with its gradient and its derivative."""
        gaps = np.where(self.differs, np.abs(self.gradient - self.derivative), -1)
        index = tuple(int(item) for item in np.unravel_index(int(np.argmax(gaps)), gaps.shape))
        return index, float(self.gradient[index]), float(self.derivative[index])

    def remark(self, title: str) -> Observation:
        """Returns a remark on the rule of the block of this title, with numbers, and on PyTorch and JAX."""
        index, *numbers = self.example
        gradient, derivative = true_texts(numbers, lambda told: bool(told[0] != told[1]))
        place = f"{self.port}{list(index) if index else ''}"
        return Observation(
            "not_the_derivative",
            f"{title} {self.reason}. {place} receives {gradient}; the derivative is {derivative}. {self.elsewhere}",
            int(self.differs.sum()),
        )


def deviations_of(lowered: Lowered, read: Read) -> Iterator[Deviating]:
    """Yields the inputs of blocks on which a rule and the derivative differ, for the gradients that arrive.

    `read` gives values and gradients of the run. Cost: one more rule for each block whose type deviates somewhere.
    """
    for application, path in lowered.owners.items():
        yield from _at(application, path, lowered, read)


def deviations_at(lowered: Lowered, read: Read, edges: Iterable[Edge]) -> Iterator[Deviating]:
    """Yields the inputs among some edges on which a rule and the derivative differ."""
    for edge in edges:
        name = edge.application.type.input_names(len(edge.application.inputs))[edge.slot]
        found = _at(edge.application, lowered.owners[edge.application], lowered, read)
        yield from (item for item in found if item.port == name)


def _at(application: Application, path: str, lowered: Lowered, read: Read) -> Iterator[Deviating]:
    deviation = application.type.deviation
    if deviation is None:
        return
    g = _arrays([lowered.backward.totals.get(item) for item in application.outputs], read)
    known = _arrays([*application.inputs, *application.outputs], read)
    if g is None or known is None:
        return
    assert application.type.rule is not None
    inputs, outputs = known[: len(application.inputs)], known[len(application.inputs) :]
    arguments = (*arrange_inputs(application.type, inputs), *outputs)
    with np.errstate(all="ignore"):
        own, true = (
            rule(g[0] if len(g) == 1 else tuple(g), *arguments, **application.parameters)
            for rule in (application.type.rule, deviation.derivative)
        )
    parts = zip(application.type.input_names(len(inputs)), inputs, _as_list(own), _as_list(true), strict=True)
    for name, array, own_part, true_part in parts:
        if own_part is not None and true_part is not None:
            gradient, derivative = (SumTo(np.asarray(part), shape=array.shape) for part in (own_part, true_part))
            differs = _differs(gradient, derivative)
            if differs.any():
                reason = deviation.reason(*arguments, **application.parameters).message
                yield Deviating(application, path, name, gradient, derivative, differs, reason, deviation.elsewhere)


def _arrays(expressions: Sequence[Expression | None], read: Read) -> list[Array] | None:
    found = [None if item is None else read(item) for item in expressions]
    arrays = [item for item in found if item is not None]
    return arrays if len(arrays) == len(found) else None


def _as_list(found: Any) -> list[Array | None]:  # Any: what a rule returns
    return list(found) if isinstance(found, tuple | list) else [found]


def _differs(own: Array, true: Array) -> Array:
    scale = np.max(np.abs(np.where(np.isfinite(true), true, 0)), initial=0)
    is_known = np.isfinite(own) & np.isfinite(true)
    differs: Array = is_known & (np.abs(own - true) > _RTOL * scale)
    return differs
