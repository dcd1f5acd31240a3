"""What inference finds out of a graph, what follows from all of it together, and which blocks lead to a loss."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.block_type import Role
from engine.expand import Expanded, Instance, PortName
from engine.graph import Graph
from engine.problems import Problem, Severity
from engine.tensor_spec import TensorSpec
from engine.watching import Watch, unwatched


class Arrival(NamedTuple):
    """An input port and the output port that its wire comes from; None where an optional one has no wire."""

    target: PortName
    source: PortName | None


@dataclass(frozen=True)
class MutedPages:
    """What muted pages would give, remembered by page and by what arrives; `above` are those being worked out."""

    outputs: dict[Any, dict[str, TensorSpec | None]] = field(default_factory=dict)  # Any: a page and specs
    above: frozenset[str] = frozenset()


# Gives the specs of the outputs of the block at a path, or None where something before it cannot be computed.
Measure = Callable[[str, list[Arrival], "Inferred"], tuple[TensorSpec, ...] | None]


@dataclass
class Inferred:
    """What is known of a graph before it runs.

    `specs` has every output port that can be computed. For each computable block, `inputs` lists what arrives in
    port order, `outputs` the names of its output ports, and `passing`, if it is muted, which input each passes on.
    `found` has the problems of the blocks by themselves, `problems` all; `losses` are those that take part, and
    `leading` the blocks that these depend on. `watch` is told of blocks at work.
    """

    graph: Graph
    expanded: Expanded
    specs: dict[PortName, TensorSpec] = field(default_factory=dict)
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)  # Any: the kinds decide
    inputs: dict[str, list[Arrival]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    passing: dict[str, dict[str, str]] = field(default_factory=dict)
    found: dict[str, list[Problem]] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)
    leading: AbstractSet[str] = frozenset()
    problems: list[Problem] = field(default_factory=list)
    muted: MutedPages = field(default_factory=MutedPages)
    measure: Measure | None = None
    watch: Watch = unwatched

    def is_computable(self, path: str) -> bool:
        """Whether the block at `path` and all before it are free of errors."""
        return path in self.inputs

    @functools.cached_property
    def awaiting(self) -> AbstractSet[str]:
        """The blocks whose specs only a run can tell: something before them goes by values, and nothing is wrong."""
        instances = self.expanded.instances
        measured = [path for path in self.expanded.special if is_measured(instances[path])]
        if not measured:
            return frozenset()
        wrong = [problem.at for problem in self.problems if problem.severity != "info"]
        behind, spoilt = blocks_behind(self.expanded, measured), blocks_behind(self.expanded, wrong)
        return {path for path in behind if path not in spoilt and not self.is_computable(path)}

    def report(self, severity: Severity, path: str, code: str, message: str, plugin: str = "") -> None:
        """Notes a problem of one block; `plugin` names the plug-in whose code is to blame, if one is."""
        self.found.setdefault(path, []).append(Problem(severity, path, code, message, plugin=plugin))


def blocks_before(expanded: Expanded, paths: Iterable[str]) -> set[str]:
    """The given instances and all that they depend on through wires, muted or broken ones included."""
    return _reached(expanded, paths, lambda path: (item.path for item in expanded.instances[path].inputs.values()))


def blocks_behind(expanded: Expanded, paths: Iterable[str]) -> set[str]:
    """The given instances and all that depend on them."""
    return _reached(expanded, paths, lambda path: expanded.consumers.get(path, ()))


def _reached(expanded: Expanded, paths: Iterable[str], further: Callable[[str], Iterable[str]]) -> set[str]:
    found: set[str] = set()
    stack = list(paths)
    while stack:
        path = stack.pop()
        if path not in found and path in expanded.instances:
            found.add(path)
            stack.extend(further(path))
    return found


def is_measured(instance: Instance) -> bool:
    """Whether only values tell the output shapes of a block."""
    return instance.type is not None and instance.type.infer is None


def connected(losses: Sequence[str], expanded: Expanded) -> list[str]:
    """Those of some Loss blocks that take part, which one without `x` does not."""
    return [path for path in losses if "x" in expanded.instances[path].inputs]


def chosen_losses(graph: Graph, expanded: Expanded) -> list[str]:
    """The Loss blocks asked for, whether or not they are connected."""
    usable = usable_losses(expanded)
    # By name: the order of the expanded graph changes when blocks become a page, and sums must not.
    return sorted(usable) if graph.loss is None else [path for path in usable if path == graph.loss]


def usable_losses(expanded: Expanded) -> list[str]:
    """The Loss blocks on pages that no block uses."""
    return [path for path in _loss_blocks(expanded) if not expanded.instances[path].is_used]


def all_problems(result: Inferred) -> list[Problem]:
    """The problems of the wires, of the blocks by themselves, and of the losses."""
    expanded, found = result.expanded, result.found
    chosen = chosen_losses(result.graph, expanded)
    # A Loss without `x` takes no part, and yet what it lacks is an error.
    leading = result.leading | blocks_before(expanded, [path for path in chosen if path not in result.losses])
    in_order = filter(found.__contains__, expanded.instances) if found else ()
    of_blocks = itertools.chain.from_iterable(map(found.__getitem__, in_order))
    problems = (_weighed(problem, leading) for problem in itertools.chain(expanded.problems, of_blocks))
    return [*problems, *_of_losses(result, chosen)]


def _weighed(problem: Problem, leading: AbstractSet[str]) -> Problem:
    """A missing input is an error only where a Loss depends on it."""
    if problem.code != "missing_input" or problem.at in leading:
        return problem
    return Problem("warning", problem.at, problem.code, problem.message, problem.port)


def _loss_blocks(expanded: Expanded) -> Iterator[str]:
    return (path for path in expanded.special if expanded.instances[path].role is Role.LOSS)


def _of_losses(result: Inferred, chosen: list[str]) -> Iterator[Problem]:
    instances, named = result.expanded.instances, result.graph.loss
    for path in _loss_blocks(result.expanded):
        if instances[path].is_used:
            message = "A Loss on a page used as a block takes no part; put it where the page is used."
            yield Problem("warning", path, "loss_in_page", message)
    if named is not None and not chosen:
        message = f'There is no Loss block "{named}": nothing is differentiated. Choose another loss.'
        yield Problem("error", named, "no_loss", message)
    elif instances and not result.losses:
        yield Problem("info", "", "no_loss", "There is no connected Loss block: every gradient is zero.")
