"""What a run shows that is no mistake but worth knowing: ties, NaN and infinity, stops that stop nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.block_type import Observation, Role, arrange_inputs
from engine.expression import Application
from engine.faults import Faults
from engine.lower import Lowered
from engine.origins import Origins
from engine.plan import Results
from engine.problems import Problem


def notices_of(lowered: Lowered, origins: Origins, seen: Mapping[Application, Observation]) -> list[Problem]:
    """The notices of a run, in the order of the blocks; `seen` is what `observations` found."""
    ties = [Problem("info", lowered.owners[item], found.code, found.message) for item, found in seen.items()]
    notices = [*ties, *_births(origins), *_unused_stops(lowered)]
    places = {path: index for index, path in enumerate(lowered.inferred.expanded.instances)}
    return sorted(notices, key=lambda notice: places[notice.at])


def observations(lowered: Lowered, results: Results, faults: Faults) -> dict[Application, Observation]:
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
        arguments = [*arrange_inputs(application.type, inputs), *outputs]
        seen = faults.attempt(application, application.type.observed, *arguments, **application.parameters)
        if seen is not None:
            found[application] = seen
    return found


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
