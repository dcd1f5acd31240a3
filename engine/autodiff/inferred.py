"""Results of inference: specs, problems, and the blocks on which the losses depend."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gradwire.engine.autodiff.expand import Expanded, Instance, PortName, sources_of
from gradwire.engine.autodiff.own_rules import problems_of_specs
from gradwire.engine.base.problems import Problem, Severity
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.progress import Watch, unwatched
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import first_rounds, is_in_loop, use_of_gradient
from gradwire.engine.graph.ports import pages_along


class Arrival(NamedTuple):
    """Input port and the output port that feeds it; None for an optional port without a wire."""

    target: PortName
    source: PortName | None


@dataclass(frozen=True)
class MutedPages:
    """Cache of the outputs of muted pages, by page and input specs; `above` are the pages being inferred."""

    outputs: dict[Any, dict[str, TensorSpec | None]] = field(default_factory=dict)  # Any: a page and specs
    above: frozenset[str] = frozenset()


# Returns the specs of the outputs of the block at a path, or None if an earlier block cannot be computed.
Measure = Callable[[str, list[Arrival], "Inferred"], tuple[TensorSpec, ...] | None]


@dataclass
class Inferred:
    """Static information about a graph.

    `specs` has every computable output port. For each computable block, `inputs` lists its producers in port order and
    `outputs` the names of its output ports; for a muted one, `passing` maps each output to the input that it forwards.
    `found` has the problems of single blocks, `problems` all problems. `losses` are the participating losses, `leading`
    the blocks on which they depend. `watch` learns of running blocks. `shared` has what uses of one block have in
    common, during one inference.
    """

    graph: Graph
    expanded: Expanded
    specs: dict[PortName, TensorSpec] = field(default_factory=dict)
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)  # Any: the kinds of parameters decide
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
    shared: dict[Any, Any] = field(default_factory=dict)  # Any: a block, perhaps with specs; parameters, or specs

    def is_computable(self, path: str) -> bool:
        """Returns whether the block at `path` and all its producers are free of errors."""
        return path in self.inputs

    @functools.cached_property
    def awaiting(self) -> AbstractSet[str]:
        """Blocks whose specs only a run can reveal: an earlier block depends on values, and no error is to blame."""
        instances = self.expanded.instances
        measured = [path for path in self.expanded.special if is_measured(instances[path])]
        if not measured:
            return frozenset()
        wrong = [problem.at for problem in self.problems if problem.severity != "info"]
        behind, spoilt = blocks_behind(self.expanded, measured), blocks_behind(self.expanded, wrong)
        return {path for path in behind if path not in spoilt and not self.is_computable(path)}

    def spec_of_port(self, path: str) -> TensorSpec | None:
        """Returns the spec of the tensor at a block that is a port of a page; None if it is unknown."""
        return self.specs.get(PortName(path, "y"))

    def report(self, severity: Severity, path: str, code: str, message: str, plugin: str = "") -> None:
        """Adds a problem of one block; `plugin` names the plug-in whose code is to blame, if any."""
        self.found.setdefault(path, []).append(Problem(severity, path, code, message, plugin=plugin))


def blocks_before(expanded: Expanded, paths: Iterable[str]) -> set[str]:
    """Returns the given instances and all that they depend on through wires, including muted or broken ones."""
    return _reached(expanded, paths, lambda path: sources_of(expanded.instances[path], expanded.instances))


def blocks_behind(expanded: Expanded, paths: Iterable[str]) -> set[str]:
    """Returns the given instances and all that depend on them."""
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
    """Returns whether the output shapes of a block depend on values."""
    return instance.type is not None and instance.type.infer is None


def connected(losses: Sequence[str], expanded: Expanded) -> list[str]:
    """Returns the participating Loss blocks; one without `x` does not participate."""
    return [path for path in losses if "x" in expanded.instances[path].inputs]


def chosen_losses(graph: Graph, expanded: Expanded) -> list[str]:
    """Returns the chosen Loss blocks, connected or not."""
    usable = usable_losses(expanded)
    # Sorted by name: grouping changes the order of the expanded graph but must not change sums.
    return sorted(usable) if graph.loss is None else [path for path in usable if path == graph.loss]


def usable_losses(expanded: Expanded) -> list[str]:
    """Returns the Loss blocks on pages that no block uses."""
    return [path for path in _loss_blocks(expanded) if not expanded.instances[path].is_used]


def all_problems(result: Inferred) -> list[Problem]:
    """Returns the problems of wires, of single blocks and of losses."""
    expanded, found = result.expanded, result.found
    chosen = chosen_losses(result.graph, expanded)
    # A Loss without `x` does not participate, yet its missing input is an error.
    leading = result.leading | blocks_before(expanded, [path for path in chosen if path not in result.losses])
    in_order = filter(found.__contains__, expanded.instances) if found else ()
    of_blocks = itertools.chain.from_iterable(map(found.__getitem__, in_order))
    of_specs = problems_of_specs(expanded.rules.values(), result.spec_of_port)
    problems = (_weighed(problem, leading) for problem in itertools.chain(expanded.problems, of_blocks, of_specs))
    return [*_told_once(problems), *_of_losses(result, chosen)]


def _told_once(problems: Iterable[Problem]) -> list[Problem]:
    """Returns the problems without those of later rounds of a loop that the first round has as well."""
    found = list(problems)
    if not any(is_in_loop(problem.at) for problem in found):
        return found
    known = {problem for problem in found if problem.at == first_rounds(problem.at)}

    def is_repeated(problem: Problem) -> bool:
        first = first_rounds(problem.at)
        return first != problem.at and replace(problem, at=first) in known

    return [problem for problem in found if not is_repeated(problem)]


def _weighed(problem: Problem, leading: AbstractSet[str]) -> Problem:
    """Returns the problem with its severity: a missing input is an error only if a Loss depends on it.

    What gives the gradient of a block counts like that block.
    """
    if problem.code != "missing_input" or use_of_gradient(problem.at) in leading:
        return problem
    return Problem("warning", problem.at, problem.code, problem.message, problem.port)


def _loss_blocks(expanded: Expanded) -> Iterator[str]:
    return (path for path in expanded.special if expanded.instances[path].role is Role.LOSS)


def _of_losses(result: Inferred, chosen: list[str]) -> Iterator[Problem]:
    instances, named = result.expanded.instances, result.graph.loss
    for path in _loss_blocks(result.expanded):
        if instances[path].is_used and path == first_rounds(path):
            page = pages_along(result.graph, path.rpartition("/")[0])[-1].name
            message = "A Loss on a page used as a block takes no part; put it where the page is used."
            if page in result.graph.gradients.values():
                message = "A Loss on a page that gives the gradient of another one takes no part; put it elsewhere."
            yield Problem("warning", path, "loss_in_page", message)
    if named is not None and not chosen:
        message = f'There is no Loss block "{named}": nothing is differentiated. Choose another loss.'
        yield Problem("error", named, "no_loss", message)
    elif instances and not result.losses:
        yield Problem("info", "", "no_loss", "There is no connected Loss block: every gradient is zero.")
