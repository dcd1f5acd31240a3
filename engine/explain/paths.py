"""Paths from a port or a wire to the loss: their number, and the contribution of each to the gradient.

The gradient of a port is the sum over all its paths, and each path contributes the product of the local derivatives
along it. The own gradient of a page need be no product: a path ends there, with all that lies behind.

Source: Bauer, Computational Graphs and Rounding Error (1974). Cost: O(applications + edges) for counting; for each
listed path at most one VJP for each of its edges.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_gradients import OwnGradient
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.path_vjp import PullBack, Values

# Above this number, paths are grouped by consumer.
LISTED = 64
# Two contributions cancel if their sum is at most this many rounding errors.
ROUNDING_ERRORS = 64


class Step(NamedTuple):
    """Step from the tensor that an edge reads to one output of the application that reads it."""

    edge: Edge
    output: Expression

    @property
    def is_last(self) -> bool:
        """True if a path ends by the step, at the own gradient of a page."""
        return self.edge.application.type is OwnGradient


@dataclass(frozen=True)
class Branch:
    """One path, or all `count` paths with a common beginning, with their total contribution.

    `blocks` are on the way to the loss, `links` are the wires between them. `cuts` names the StopGradient blocks among
    them; nothing flows then, and `contribution` is the gradient without them. `choices` has the branch taken at each
    fork. A contribution is None if an error hides it. `own` is the use of a page by whose own gradient the path ends.
    """

    blocks: tuple[str, ...]
    links: tuple[Link, ...]
    count: int
    contribution: Array | None
    cuts: tuple[str, ...] = ()
    choices: tuple[int, ...] = ()
    own: str = ""


@dataclass(frozen=True)
class Paths:
    """Paths from one place: `total` are open, `cut` would be open, too, without StopGradient.

    `branches` has all of them, open ones first, if they are at most `LISTED`; else those of the first fork.
    """

    total: int
    cut: int
    branches: tuple[Branch, ...]

    @property
    def open_branches(self) -> list[Branch]:
        """Branches without a cut."""
        return [branch for branch in self.branches if not branch.cuts]


def paths_from(run: Evaluation, place: PortName | Link, unfolded: Collection[tuple[int, ...]] = ()) -> Paths:
    """Returns the paths from an output port, or along a wire, to the loss.

    `unfolded` names branches, by their choices, to expand at their next fork.
    """
    values = run.results.__getitem__
    forest = _Forest(run.lowered, values)
    start = forest.start(place)
    if start is None:
        return Paths(0, 0, ())
    total = forest.count(start)
    prefixes = forest.unfold(start, None if total <= LISTED else unfolded)
    branches = tuple(map(forest.branch, prefixes))
    cut, cut_branches = _cut_paths(run, place)
    return Paths(total, cut, (*branches, *cut_branches))


def count_paths(lowered: Lowered) -> dict[PortName, int]:
    """Counts the paths from every output port to the loss."""
    counted = PathCounts(lowered)
    return {name: counted.counts.get(expression, 0) for name, expression in lowered.ports.items()}


def cancelling_pairs(contributions: Sequence[Array | None]) -> list[tuple[int, int]]:
    """Returns pairs of nonzero contributions that cancel each other up to rounding."""
    waiting = [index for index, item in enumerate(contributions) if item is not None and np.any(item)]
    pairs = []
    while waiting:
        first = waiting.pop(0)
        partner = next((other for other in waiting if _cancel(contributions[first], contributions[other])), None)
        if partner is not None:
            waiting.remove(partner)
            pairs.append((first, partner))
    return pairs


def _cancel(a: Array | None, b: Array | None) -> bool:
    assert a is not None and b is not None
    allowed = ROUNDING_ERRORS * np.finfo(a.dtype).eps * (np.abs(a) + np.abs(b))
    return bool(np.isfinite(allowed).all() and (np.abs(a + b) <= allowed).all())


@dataclass(frozen=True)
class PathStep:
    """One step of a path, backwards: the gradient at a block and the one on the wire into it."""

    block: str
    link: Link | None
    arriving: Array | None
    back: Array | None


def steps_along(run: Evaluation, place: PortName | Link, choices: tuple[int, ...], is_cut: bool) -> list[PathStep]:
    """Returns the steps of one branch of `paths_from`, from the loss back; for a cut one, those without the cut.

    Empty if there is no such branch.
    """
    if is_cut:
        _, forest, start = _cut_forest(run, place)
    else:
        forest = _Forest(run.lowered, run.results.__getitem__)
        start = forest.start(place)
    if forest is None or start is None:
        return []
    for end in range(len(choices) + 1):
        start = forest.taken(start, choices[end - 1] if end else None)
        if start is None:
            return []
    return forest.steps(start)


class PathCounts:
    """Steps from every expression towards the loss, and path counts by dynamic programming, in linear time.

    `avoided` are applications that no path may pass.
    """

    def __init__(self, lowered: Lowered, avoided: Collection[Application] = ()) -> None:
        self._backward = lowered.backward
        self.steps: dict[Expression, list[Step]] = {}
        self.counts: dict[Expression, int] = dict.fromkeys(lowered.losses, 1)
        for application in reversed(lowered.backward.order):
            if application in avoided:
                continue
            for edge in lowered.backward.edges_into(application):
                steps = [Step(edge, output) for output in application.outputs]
                self._add(source_of(edge), [next(filter(self._is_reached, steps))] if steps[0].is_last else steps)

    def _is_reached(self, step: Step) -> bool:
        return step.output in self._backward.totals

    def _add(self, source: Expression, steps: list[Step]) -> None:
        open_steps = [step for step in steps if self.count_after(step)]
        if open_steps:
            self.steps.setdefault(source, []).extend(open_steps)
            self.counts[source] = self.counts.get(source, 0) + sum(map(self.count_after, open_steps))

    def count_after(self, step: Step) -> int:
        """Returns the number of paths that go on by a step."""
        return 1 if step.is_last else self.counts.get(step.output, 0)


@dataclass(frozen=True)
class _Prefix:
    """Common beginning of some paths: the steps taken so far, and the branch taken at each fork.

    `first` is the wire that the first step must take, until it is taken.
    """

    start: Expression
    first: Edge | None = None
    steps: tuple[Step, ...] = ()
    choices: tuple[int, ...] = ()
    is_ended: bool = False
    is_wanted: bool = False

    @property
    def end(self) -> Expression:
        """Expression at the end of the steps."""
        return self.steps[-1].output if self.steps else self.start

    @property
    def is_own(self) -> bool:
        """True if the paths end at the own gradient of a page."""
        return any(step.is_last for step in self.steps)


class _Forest:
    """Paths of one run; `wanted`, if given, restricts them to those through one of its applications."""

    def __init__(self, lowered: Lowered, values: Values, wanted: Collection[Application] | None = None) -> None:
        self._lowered, self._values = lowered, values
        self._wants_all, self._wanted = wanted is None, wanted or ()
        self._all = PathCounts(lowered)
        self._avoiding = PathCounts(lowered, self._wanted)
        self._ends = set(lowered.losses)
        self._links = links_of(lowered)
        self._back = PullBack(values)
        self._seeds = {loss: np.ones(loss.shape, loss.dtype) for loss in lowered.losses}

    def start(self, place: PortName | Link) -> _Prefix | None:
        """Returns the start of the paths from a place; None if nothing is known of it."""
        if isinstance(place, PortName):
            expression = self._lowered.ports.get(place)
            return None if expression is None else _Prefix(expression, is_wanted=self._wants_all)
        edge = self._lowered.edges.get(place.target)
        source = None if edge is None else edge.application.inputs[edge.slot]
        return None if source is None else _Prefix(source, edge, is_wanted=self._wants_all)

    def count(self, prefix: _Prefix) -> int:
        """Counts the paths with this beginning."""
        if prefix.is_ended:
            return int(prefix.is_wanted)
        if prefix.first is not None:
            return sum(map(self.count, self._children(prefix)))
        return self._count_from(prefix.end, prefix.is_wanted)

    def _leads_on(self, step: Step, is_wanted: bool) -> bool:
        """Returns whether any path goes on by a step."""
        return self._all.count_after(step) != (0 if is_wanted else self._avoiding.count_after(step))

    def _count_from(self, end: Expression, is_wanted: bool) -> int:
        every = self._all.counts.get(end, 0)
        return every if is_wanted else every - self._avoiding.counts.get(end, 0)

    def unfold(self, start: _Prefix, unfolded: Collection[tuple[int, ...]] | None) -> list[_Prefix]:
        """Expands paths: all forks if `unfolded` is None, else the first fork and the named ones."""
        found: list[_Prefix] = []
        waiting = [self._extended(start)] if self.count(start) else []
        while waiting:
            prefix = waiting.pop()
            is_asked = unfolded is None or prefix.choices == () or prefix.choices in unfolded
            if prefix.is_ended or not is_asked:
                found.append(prefix)
                continue
            children = self._forked(prefix)
            waiting.extend(self._extended(child) for child in reversed(children))
        return found

    def taken(self, prefix: _Prefix, choice: int | None) -> _Prefix | None:
        """Returns the beginning, extended up to the next fork, after a choice at its own fork."""
        children = [prefix] if choice is None else self._forked(prefix)
        place = choice or 0
        return self._extended(children[place]) if place < len(children) else None

    def branch(self, prefix: _Prefix) -> Branch:
        """Returns a beginning with block names instead of expressions, and its contribution."""
        owners, links = self._lowered.owners, []
        blocks: list[str] = []
        for step in prefix.steps:
            link = self._links.get(step.edge)
            links += [link] if link is not None else []
            owner = owners[step.edge.application]
            blocks += [owner] if blocks[-1:] != [owner] else []
        stops = (owners[step.edge.application] for step in prefix.steps if step.edge.application in self._wanted)
        own = blocks[-1] if prefix.is_own else ""
        amount = self.amounts(prefix)[-1]
        return Branch(tuple(blocks), tuple(links), self.count(prefix), amount, tuple(stops), prefix.choices, own)

    def _children(self, prefix: _Prefix) -> list[_Prefix]:
        return [self._longer(prefix, [step]) for step in self._steps_on(prefix)]

    def _steps_on(self, prefix: _Prefix) -> list[Step | None]:
        """Returns the possible next steps; None stands for the end at a loss."""
        if prefix.is_ended:
            return []
        return self._steps_from(prefix.end, prefix.first, prefix.is_wanted)

    def _steps_from(self, end: Expression, first: Edge | None, is_wanted: bool) -> list[Step | None]:
        found: list[Step | None] = [
            step
            for step in self._all.steps.get(end, ())
            if (first is None or step.edge == first) and self._leads_on(step, self._wants(step, is_wanted))
        ]
        return [*found, None] if end in self._ends and first is None and is_wanted else found

    def _wants(self, step: Step, is_wanted: bool) -> bool:
        return is_wanted or step.edge.application in self._wanted

    def _longer(self, prefix: _Prefix, steps: Sequence[Step | None]) -> _Prefix:
        """Returns a beginning with more steps, appended all at once: a path may have 100,000."""
        taken = [step for step in steps if step is not None]
        is_wanted = prefix.is_wanted or any(self._wants(step, False) for step in taken)
        is_ended = len(taken) < len(steps) or any(step.is_last for step in taken)
        all_steps = (*prefix.steps, *taken)
        return replace(prefix, first=None, steps=all_steps, is_wanted=is_wanted, is_ended=is_ended)

    def _forked(self, prefix: _Prefix) -> list[_Prefix]:
        return [replace(item, choices=(*item.choices, row)) for row, item in enumerate(self._children(prefix))]

    def _extended(self, prefix: _Prefix) -> _Prefix:
        """Extends a beginning up to the next fork."""
        steps: list[Step | None] = []
        is_wanted, following = prefix.is_wanted, self._steps_on(prefix)
        while len(following) == 1:
            step = following[0]
            steps.append(step)
            if step is None or step.is_last:
                break
            is_wanted = self._wants(step, is_wanted)
            following = self._steps_from(step.output, None, is_wanted)
        return self._longer(prefix, steps) if steps else prefix

    def amounts(self, prefix: _Prefix) -> list[Array | None]:
        """Returns the gradient at the end of a beginning, then the contributions along its steps, backwards."""
        backward = self._lowered.backward
        if prefix.is_ended and not prefix.is_own:
            g: Array | None = self._seeds[prefix.end]
        else:
            total = backward.totals.get(prefix.end)
            g = None if total is None else self._values(total)
        found = [g]
        for step in reversed(prefix.steps):
            if step.is_last:
                g = self._values(backward.edges[step.edge])
            else:
                g = None if g is None else self._back.along(step.edge, step.output, g)
            found.append(g)
        return found

    def steps(self, prefix: _Prefix) -> list[PathStep]:
        """Returns the steps of a beginning with their amounts, from its end back."""
        owners, amounts = self._lowered.owners, self.amounts(prefix)
        return [
            PathStep(owners[step.edge.application], self._links.get(step.edge), arriving, back)
            for step, arriving, back in zip(reversed(prefix.steps), amounts, amounts[1:], strict=False)
        ]


def links_of(lowered: Lowered) -> dict[Edge, Link]:
    """Maps each edge to its wire, if it has one."""
    by_target = {link.target: link for link in lowered.inferred.expanded.links}
    return {edge: by_target[target] for target, edge in lowered.edges.items() if target in by_target}


def stops_of(lowered: Lowered) -> list[Application]:
    """Returns the applications of StopGradient blocks, including ignored ones."""
    instances = lowered.inferred.expanded.instances
    return [item for item, owner in lowered.owners.items() if instances[owner].role is Role.STOP]


def _cut_paths(run_: Evaluation, place: PortName | Link) -> tuple[int, Sequence[Branch]]:
    """Counts the paths that StopGradients cut; returns the contribution of each if they are few."""
    count, forest, start = _cut_forest(run_, place)
    if forest is None or start is None:
        return count, ()
    return count, [forest.branch(prefix) for prefix in forest.unfold(start, None)]


def _cut_forest(run_: Evaluation, place: PortName | Link) -> tuple[int, _Forest | None, _Prefix | None]:
    """Lowers the graph without stops and keeps only paths through one; returns their number and, if few, a forest."""
    instances = run_.lowered.inferred.expanded.instances
    stops = {path for path, instance in instances.items() if instance.role is Role.STOP}
    if not stops:
        return 0, None, None
    lowered = lower(run_.lowered.inferred, stops)
    wanted = set(stops_of(lowered))
    counting = _Forest(lowered, lambda _: None, wanted)
    start = counting.start(place)
    count = 0 if start is None else counting.count(start)
    if start is None or not 0 < count <= LISTED:
        return count, None, None
    results = run(make_plan([*lowered.ports.values(), *lowered.backward.totals.values()]))
    return count, _Forest(lowered, results.__getitem__, wanted), start
