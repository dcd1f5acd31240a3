"""The blocks of a run at points where frameworks choose a gradient, and the choice of each framework."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.blocks.support.conventions import Convention, Gradients, conventions_of, gradients_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.evaluation.evaluate import Evaluation

PLACES_TOLD = 8

# The numbers of one framework at the places told; None where it gives no gradient.
Numbers = tuple[float, ...] | None


@dataclass(frozen=True)
class Standpoint:
    """An input of a block some of whose elements stand at such a point.

    `places` has the first of the `count` elements that do, `sentences` the rule of each of
    `conventions.FRAMEWORKS`. `local` are their numbers if 1 arrives at the block, `here` those for what does
    arrive, None where that is unknown.
    """

    port: PortName
    point: str
    places: tuple[tuple[int, ...], ...]
    count: int
    sentences: tuple[str, ...]
    local: tuple[Numbers, ...]
    here: tuple[Numbers, ...] | None
    is_everywhere: bool
    is_of_second_order: bool = False

    @property
    def differ(self) -> bool:
        """True if the frameworks send back different numbers, or some a number and others none, once or twice."""
        return self.is_of_second_order or any(_differ(self.local[0], other) for other in self.local[1:])


def standpoints_of(run: Evaluation) -> tuple[Standpoint, ...]:
    """Returns all such inputs of a run: where the values matter first, of these where frameworks differ first."""
    instances = run.lowered.inferred.expanded.instances.values()
    is_twice = any(item.role is Role.GRADIENTS for item in instances)
    all_found = [item for application in run.lowered.owners for item in _of_application(application, run)]
    found = [item for item in all_found if is_twice or not item.is_of_second_order]
    return tuple(sorted(found, key=lambda item: (item.is_everywhere, not item.differ)))


def _of_application(application: Application, run: Evaluation) -> Iterator[Standpoint]:
    path = run.lowered.owners[application]
    conventions = conventions_of(application.type.name)
    if not conventions or run.lowered.inferred.expanded.instances[path].role is Role.GRADIENTS:
        return
    inputs = [None if item is None else run.results[item] for item in application.inputs]
    outputs = [run.results[item] for item in application.outputs]
    xs, ys = ([item for item in group if item is not None] for group in (inputs, outputs))
    if len(xs) == len(inputs) and len(ys) == len(outputs):
        for convention in conventions:
            yield from _standpoints(convention, application, run, xs, ys)


def _standpoints(
    convention: Convention, application: Application, run: Evaluation, inputs: list[Array], outputs: list[Array]
) -> Iterator[Standpoint]:
    masks = convention.places(*inputs, *outputs, **application.parameters)
    if not any(_is_met(mask, item) for mask, item in zip(masks, inputs, strict=True)):
        return
    ones = [np.ones_like(output) for output in outputs]
    parts = [
        None if g is None else gradients_of(convention, application.type, g, inputs, outputs, application.parameters)
        for g in (ones, _arriving(application, run, outputs))
    ]
    path, names = run.lowered.owners[application], application.type.input_names(len(inputs))
    for slot, (mask, item) in enumerate(zip(masks, inputs, strict=True)):
        if mask is not None and _is_met(mask, item):
            places = tuple(tuple(place) for place in np.argwhere(mask)[:PLACES_TOLD].tolist())
            local, here = (None if part is None else _numbers(part, slot, places) for part in parts)
            assert local is not None
            yield Standpoint(
                PortName(path, names[slot]),
                convention.point,
                places,
                int(mask.sum()),
                tuple(rule.sentence for rule in convention.rules),
                local,
                here,
                convention.is_everywhere,
                convention.is_of_second_order,
            )


def _is_met(mask: Array | None, x: Array) -> bool:
    return mask is not None and x.dtype.kind == "f" and bool(mask.any())


def _arriving(application: Application, run: Evaluation, outputs: Sequence[Array]) -> list[Array] | None:
    """Returns the gradient of each output, zeros where there is none; None if that is unknown."""
    backward, found = run.lowered.backward, []
    for expression, output in zip(application.outputs, outputs, strict=True):
        total = backward.totals.get(expression)
        array = np.zeros_like(output) if total is None else run.results[total]
        if array is None or expression in backward.hidden:
            return None
        found.append(array)
    return found


def _numbers(parts: tuple[Gradients, ...], slot: int, places: tuple[tuple[int, ...], ...]) -> tuple[Numbers, ...]:
    arrays = [part[slot] for part in parts]
    return tuple(None if array is None else tuple(float(array[place]) for place in places) for array in arrays)


def _differ(a: Numbers, b: Numbers) -> bool:
    if a is None or b is None:
        return a is not b
    return not np.array_equal(a, b, equal_nan=True)
