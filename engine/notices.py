"""What a run shows that is no mistake but worth knowing: ties, NaN and infinity, stops that stop nothing."""

from __future__ import annotations

from collections.abc import Iterator

from engine.block_type import Role, arrange_inputs
from engine.lower import Lowered
from engine.origins import Origins
from engine.plan import Results
from engine.problems import Problem


def notices_of(lowered: Lowered, results: Results, origins: Origins) -> list[Problem]:
    """The notices of a run, in the order of the blocks."""
    notices = [*_ties(lowered, results), *_births(origins), *_unused_stops(lowered)]
    places = {path: index for index, path in enumerate(lowered.inferred.expanded.instances)}
    return sorted(notices, key=lambda notice: places[notice.at])


def _ties(lowered: Lowered, results: Results) -> Iterator[Problem]:
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
            yield Problem("info", path, seen.code, seen.message)


def _births(origins: Origins) -> Iterator[Problem]:
    """Blocks that make NaN or infinity out of finite numbers; at most one notice a block and direction."""
    for births in (origins.forward, origins.backward):
        seen: set[str] = set()
        for birth in births:
            if birth.at not in seen and not birth.is_passed_on:
                seen.add(birth.at)
                yield Problem("warning", birth.at, "nonfinite", birth.sentence)


def _unused_stops(lowered: Lowered) -> Iterator[Problem]:
    expanded = lowered.inferred.expanded
    used = {link.source.path for link in expanded.links}
    for path, instance in expanded.instances.items():
        if instance.role is Role.STOP and path not in used:
            yield Problem("warning", path, "stop_unused", "Nothing uses this StopGradient: it stops nothing.")
