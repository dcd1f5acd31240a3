"""The paths from a port or a wire to the loss: how many there are, and what comes back along each of them.

The gradient of a port is the sum over all its paths, and each path contributes the product of the steps along it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.block_type import Role
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.lower import Lowered, lower
from engine.plan import make_plan, run
from engine.pull_back import PullBack, Values
from engine.tensor_spec import Array

# More paths than these are shown consumer by consumer.
LISTED = 64
# Two contributions cancel if no more is left of them than this many rounding errors.
ROUNDING_ERRORS = 64


class Step(NamedTuple):
    """From the tensor that an edge reads to one output of the application that reads it."""

    edge: Edge
    output: Expression


@dataclass(frozen=True)
class Branch:
    """One path, or all `count` paths that begin alike, with what comes back along them together.

    `blocks` are passed on the way to the loss, `links` are the wires between them. `cuts` names the StopGradient
    blocks among them: then nothing comes back, and `contribution` is what would. `choices` says at each fork which
    way is taken. None stands for a contribution that an error hides.
    """

    blocks: tuple[str, ...]
    links: tuple[Link, ...]
    count: int
    contribution: Array | None
    cuts: tuple[str, ...] = ()
    choices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Paths:
    """The paths from one place: `total` are open, `cut` would be open too without StopGradient.

    `branches` has all of them, open ones first, where they are at most `LISTED`; else those of the first fork.
    """

    total: int
    cut: int
    branches: tuple[Branch, ...]

    @property
    def open_branches(self) -> list[Branch]:
        """The branches that are not cut."""
        return [branch for branch in self.branches if not branch.cuts]


def paths_from(run: Evaluation, place: PortName | Link, unfolded: Collection[tuple[int, ...]] = ()) -> Paths:
    """The paths from an output port, or on along a wire, to the loss.

    `unfolded` names branches, by their choices, that are to be taken apart at their next fork.
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
    """The number of paths from every output port to the loss."""
    ways = Ways(lowered)
    return {name: ways.counts.get(expression, 0) for name, expression in lowered.ports.items()}


def cancelling_pairs(contributions: Sequence[Array | None]) -> list[tuple[int, int]]:
    """Which contributions cancel each other, in pairs: they are not zero, but all that is left is rounding."""
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
    """One step of a path, seen from the loss: what arrives at a block and what goes back along the wire into it."""

    block: str
    link: Link | None
    arriving: Array | None
    back: Array | None


def steps_along(run: Evaluation, place: PortName | Link, choices: tuple[int, ...], is_cut: bool) -> list[PathStep]:
    """The steps of one branch of `paths_from`, from the loss back; for one that is cut what they would be.

    Nothing if there is no such branch.
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


class Ways:
    """The steps from every expression on towards the loss, and the number of paths, without walking any of them.

    `avoided` are applications that no path may pass.
    """

    def __init__(self, lowered: Lowered, avoided: Collection[Application] = ()) -> None:
        self.steps: dict[Expression, list[Step]] = {}
        self.counts: dict[Expression, int] = dict.fromkeys(lowered.losses, 1)
        for application in reversed(lowered.backward.order):
            if application in avoided:
                continue
            for slot, source in enumerate(application.inputs):
                edge = Edge(application, slot)
                if source is not None and edge in lowered.backward.edges:
                    self._add(source, [Step(edge, output) for output in application.outputs])

    def _add(self, source: Expression, steps: list[Step]) -> None:
        open_steps = [step for step in steps if self.counts.get(step.output)]
        if open_steps:
            self.steps.setdefault(source, []).extend(open_steps)
            self.counts[source] = self.counts.get(source, 0) + sum(self.counts[step.output] for step in open_steps)


@dataclass(frozen=True)
class _Prefix:
    """The beginning of some paths: the steps taken so far, and at each fork which way."""

    start: Expression
    first: Edge | None = None
    steps: tuple[Step, ...] = ()
    choices: tuple[int, ...] = ()
    is_ended: bool = False
    is_wanted: bool = False

    @property
    def end(self) -> Expression:
        """Where the steps have led to."""
        return self.steps[-1].output if self.steps else self.start


class _Forest:
    """The paths of one run. Only those that pass an application in `wanted` are looked at, if it is given."""

    def __init__(self, lowered: Lowered, values: Values, wanted: Collection[Application] | None = None) -> None:
        self._lowered, self._values = lowered, values
        self._wants_all, self._wanted = wanted is None, wanted or ()
        self._ways = Ways(lowered)
        self._avoiding = Ways(lowered, self._wanted)
        self._ends = set(lowered.losses)
        self._links = links_of(lowered)
        self._back = PullBack(values)
        self._seeds = {loss: np.ones(loss.shape, loss.dtype) for loss in lowered.losses}

    def start(self, place: PortName | Link) -> _Prefix | None:
        """Where paths from a place begin; None if nothing is known of it."""
        if isinstance(place, PortName):
            expression = self._lowered.ports.get(place)
            return None if expression is None else _Prefix(expression, is_wanted=self._wants_all)
        edge = self._lowered.edges.get(place.target)
        source = None if edge is None else edge.application.inputs[edge.slot]
        return None if source is None else _Prefix(source, edge, is_wanted=self._wants_all)

    def count(self, prefix: _Prefix) -> int:
        """How many paths begin like this."""
        if prefix.is_ended:
            return int(prefix.is_wanted)
        if prefix.first is not None and not prefix.steps:
            return sum(map(self.count, self._children(prefix)))
        return self._count_from(prefix.end, prefix.is_wanted)

    def _count_from(self, end: Expression, is_wanted: bool) -> int:
        every = self._ways.counts.get(end, 0)
        return every if is_wanted else every - self._avoiding.counts.get(end, 0)

    def unfold(self, start: _Prefix, unfolded: Collection[tuple[int, ...]] | None) -> list[_Prefix]:
        """The paths taken apart: wholly for None, else at the first fork and where it is asked for."""
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
        """As far as there is one way, after a choice at the fork where the beginning ends."""
        children = [prefix] if choice is None else self._forked(prefix)
        place = choice or 0
        return self._extended(children[place]) if place < len(children) else None

    def branch(self, prefix: _Prefix) -> Branch:
        """A beginning of paths with names instead of expressions, and what comes back along it."""
        owners, links = self._lowered.owners, []
        blocks: list[str] = []
        for step in prefix.steps:
            link = self._links.get(step.edge)
            links += [link] if link is not None else []
            owner = owners[step.edge.application]
            blocks += [owner] if blocks[-1:] != [owner] else []
        stops = (owners[step.edge.application] for step in prefix.steps if step.edge.application in self._wanted)
        return Branch(
            tuple(blocks), tuple(links), self.count(prefix), self.amounts(prefix)[-1], tuple(stops), prefix.choices
        )

    def _children(self, prefix: _Prefix) -> list[_Prefix]:
        return [self._longer(prefix, [step]) for step in self._ways_on(prefix)]

    def _ways_on(self, prefix: _Prefix) -> list[Step | None]:
        """The steps that can come next; None stands for the end at a loss."""
        if prefix.is_ended:
            return []
        return self._steps_from(prefix.end, None if prefix.steps else prefix.first, prefix.is_wanted)

    def _steps_from(self, end: Expression, first: Edge | None, is_wanted: bool) -> list[Step | None]:
        found: list[Step | None] = [
            step
            for step in self._ways.steps.get(end, ())
            if (first is None or step.edge == first) and self._count_from(step.output, self._wants(step, is_wanted))
        ]
        return [*found, None] if end in self._ends and first is None and is_wanted else found

    def _wants(self, step: Step, is_wanted: bool) -> bool:
        return is_wanted or step.edge.application in self._wanted

    def _longer(self, prefix: _Prefix, steps: Sequence[Step | None]) -> _Prefix:
        """A beginning with some more steps, all at once: a path may have 100,000."""
        taken = [step for step in steps if step is not None]
        is_wanted = prefix.is_wanted or any(self._wants(step, False) for step in taken)
        is_ended = prefix.is_ended or len(taken) < len(steps)
        return replace(prefix, steps=(*prefix.steps, *taken), is_wanted=is_wanted, is_ended=is_ended)

    def _forked(self, prefix: _Prefix) -> list[_Prefix]:
        return [replace(item, choices=(*item.choices, row)) for row, item in enumerate(self._children(prefix))]

    def _extended(self, prefix: _Prefix) -> _Prefix:
        """As far as there is only one way on."""
        steps: list[Step | None] = []
        is_wanted, following = prefix.is_wanted, self._ways_on(prefix)
        while len(following) == 1:
            step = following[0]
            steps.append(step)
            if step is None:
                break
            is_wanted = self._wants(step, is_wanted)
            following = self._steps_from(step.output, None, is_wanted)
        return self._longer(prefix, steps) if steps else prefix

    def amounts(self, prefix: _Prefix) -> list[Array | None]:
        """What arrives at the end of a beginning, then what comes back from there along each of its steps."""
        if prefix.is_ended:
            g: Array | None = self._seeds[prefix.end]
        else:
            total = self._lowered.backward.totals.get(prefix.end)
            g = None if total is None else self._values(total)
        found = [g]
        for step in reversed(prefix.steps):
            g = None if g is None else self._back.along(step.edge, step.output, g)
            found.append(g)
        return found

    def steps(self, prefix: _Prefix) -> list[PathStep]:
        """The steps of a beginning with their amounts, from its end back."""
        owners, amounts = self._lowered.owners, self.amounts(prefix)
        return [
            PathStep(owners[step.edge.application], self._links.get(step.edge), arriving, back)
            for step, arriving, back in zip(reversed(prefix.steps), amounts, amounts[1:], strict=False)
        ]


def links_of(lowered: Lowered) -> dict[Edge, Link]:
    """The wire of every edge that has one."""
    by_target = {link.target: link for link in lowered.inferred.expanded.links}
    return {edge: by_target[target] for target, edge in lowered.edges.items() if target in by_target}


def stops_of(lowered: Lowered) -> list[Application]:
    """The applications that stand for StopGradient blocks, those that are ignored included."""
    instances = lowered.inferred.expanded.instances
    return [item for item, owner in lowered.owners.items() if instances[owner].role is Role.STOP]


def _cut_paths(run_: Evaluation, place: PortName | Link) -> tuple[int, Sequence[Branch]]:
    """How many paths StopGradient cuts, and, if they are few, what each of them would carry."""
    count, forest, start = _cut_forest(run_, place)
    if forest is None or start is None:
        return count, ()
    return count, [forest.branch(prefix) for prefix in forest.unfold(start, None)]


def _cut_forest(run_: Evaluation, place: PortName | Link) -> tuple[int, _Forest | None, _Prefix | None]:
    """The graph without any stop, its paths narrowed down to those through one: how many, and, if few, to be walked."""
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
