"""What a run shows that is no mistake but worth knowing: ties, NaN and infinity, stops that stop nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from engine.block_type import BlockType, Observation, Role, arrange_inputs
from engine.expression import Application, Expression
from engine.lower import Lowered
from engine.plan import Results
from engine.problems import Problem
from engine.tensor_spec import Array


def notices_of(lowered: Lowered, results: Results, seen: Mapping[Application, Observation]) -> list[Problem]:
    """The notices of a run, in the order of the blocks; `seen` is what `observations` found."""
    ties = [Problem("info", lowered.owners[item], found.code, found.message) for item, found in seen.items()]
    notices = [*ties, *_forward_origins(lowered, results)]
    notices += [*_backward_origins(lowered, results), *_unused_stops(lowered)]
    places = {path: index for index, path in enumerate(lowered.inferred.expanded.instances)}
    return sorted(notices, key=lambda notice: places[notice.at])


def observations(lowered: Lowered, results: Results) -> dict[Application, Observation]:
    """What the blocks themselves say about a run that went well: their ties."""
    found = {}
    for application, path in lowered.owners.items():
        is_derivative = lowered.inferred.expanded.instances[path].role is Role.GRADIENTS
        if application.type.observer is None or is_derivative:
            continue
        inputs = [None if item is None else results[item] for item in application.inputs]
        outputs = [results[item] for item in application.outputs]
        if any(array is None for array in outputs):
            continue
        arguments = arrange_inputs(application.type, inputs)
        seen = application.type.observer(*arguments, *outputs, **application.parameters)
        if seen is not None:
            found[application] = seen
    return found


def _forward_origins(lowered: Lowered, results: Results) -> Iterator[Problem]:
    """Blocks whose output is not finite although everything that arrives is; at most one notice a block."""
    seen: set[str] = set()
    for application, path in lowered.owners.items():
        outputs = [array for item in application.outputs if (array := _float_array(item, results)) is not None]
        if path in seen or all(map(_is_finite, outputs)) or not _all_finite(application.inputs, results):
            continue
        seen.add(path)
        broken = next(array for array in outputs if not _is_finite(array))
        yield Problem("warning", path, "nonfinite", f"Its value {_described(broken)}.")


def _backward_origins(lowered: Lowered, results: Results) -> Iterator[Problem]:
    """Blocks that make a gradient NaN or infinite out of a finite one; at most one notice a block."""
    backward = lowered.backward
    seen: set[str] = set()
    for edge, part in backward.edges.items():
        gradient, path = results[part], lowered.owners[edge.application]
        if gradient is None or path in seen or _is_finite(gradient):
            continue
        totals = [backward.totals.get(output) for output in edge.application.outputs]
        if _all_finite(totals, results):
            seen.add(path)
            name = _input_name(edge.application.type, edge.slot, len(edge.application.inputs))
            message = f"The gradient of {name} {_described(gradient)}, although a finite one arrives."
            yield Problem("warning", path, "nonfinite", message)


def _unused_stops(lowered: Lowered) -> Iterator[Problem]:
    expanded = lowered.inferred.expanded
    used = {link.source.path for link in expanded.links}
    for path, instance in expanded.instances.items():
        if instance.role is Role.STOP and path not in used:
            yield Problem("warning", path, "stop_unused", "Nothing uses this StopGradient: it stops nothing.")


def _input_name(block_type: BlockType, slot: int, count: int) -> str:
    return block_type.input_names(count)[slot]


def _all_finite(items: Iterable[Expression | None], results: Results) -> bool:
    arrays = [None if item is None else _float_array(item, results) for item in items]
    return all(_is_finite(array) for array in arrays if array is not None)


def _float_array(expression: Expression, results: Results) -> Array | None:
    return results[expression] if expression.spec.is_differentiable else None


def _is_finite(array: Array) -> bool:
    return bool(np.isfinite(array).all())


def _described(array: Array) -> str:
    """How many elements are not finite, and which is the first: `has 2 NaN of 6 elements, first at [0, 1]`."""
    counts = {"NaN": int(np.isnan(array).sum()), "infinite": int(np.isinf(array).sum())}
    found = " and ".join(f"{count} {word}" for word, count in counts.items() if count)
    if array.ndim == 0:
        return "is NaN" if counts["NaN"] else "is infinite"
    first = [int(index) for index in np.argwhere(~np.isfinite(array))[0]]
    return f"has {found} of {array.size} elements, the first at {first}"
