"""Notices of a run: ties, NaN and infinity, and StopGradients without an effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gradwire.engine.autodiff.explanation_errors import Faults
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.block_type import Observation, Role, arrange_inputs
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.nonfinite_origins import Origins


def notices_of(lowered: Lowered, origins: Origins, seen: Mapping[Application, Observation]) -> list[Problem]:
    """Returns the notices of a run, in the order of the blocks; `seen` is the result of `observations`."""
    ties = [Problem("info", lowered.owners[item], found.code, found.message) for item, found in seen.items()]
    notices = [
        *ties,
        *(Problem("warning", at, "nonfinite", text) for at, text in origins.warnings()),
        *_unused_stops(lowered),
    ]
    places = {path: index for index, path in enumerate(lowered.inferred.expanded.instances)}
    return sorted(notices, key=lambda notice: places[notice.at])


def observations(lowered: Lowered, results: Results, faults: Faults) -> dict[Application, Observation]:
    """Returns the observations of blocks about a successful run: ties, but for those where nothing arrives by rule."""
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
        if seen is not None and not (seen.code == "tie" and _is_replaced(application, path, lowered)):
            found[application] = seen
    return found


def _is_replaced(application: Application, path: str, lowered: Lowered) -> bool:
    """Returns whether no gradient is shared or chosen at a block, because its page has a gradient of its own."""
    rules, parts = lowered.inferred.expanded.rules, path.split("/")
    # The pages around a block are few, while a loop may use a page with a gradient of its own in each round.
    is_inside = any("/".join(parts[:count]) in rules for count in range(len(parts)))
    return is_inside and not any(output in lowered.backward.totals for output in application.outputs)


def _unused_stops(lowered: Lowered) -> Iterator[Problem]:
    expanded = lowered.inferred.expanded
    used = {link.source.path for link in expanded.links}
    # A new block has no wire at all: it is still to be wired.
    fed = {link.target.path for link in expanded.links}
    for path, instance in expanded.instances.items():
        if instance.role is Role.STOP and path in fed - used:
            yield Problem("warning", path, "stop_unused", "Nothing uses this StopGradient, so it has no effect.")
