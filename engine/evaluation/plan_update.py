"""Incremental update of a plan after an edit: unused steps leave it, and new ones find their places.

Keys of steps maintain an order under insertions: a new step gets a key halfway between those of its neighbours. Source:
Dietz and Sleator, Two Algorithms for Maintaining Order in a List (1987); gaps of 2**256 take the place of their
relabelling. An update costs O(n log m) for n of m steps, those that change and those that have to make room, beside
copies of the list of steps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import NamedTuple

from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan, Step, step_of
from gradwire.engine.evaluation.lowered_diff import LoweredDiff

# First distance of two keys; it can be halved 256 times.
SPACE, HALF = 2**256, 2**255


class Splice(NamedTuple):
    """Difference of two plans: the places of removed steps in the old one, and of new steps in the new one."""

    plan: Plan
    gone: tuple[int, ...]
    added: tuple[int, ...]


class IncrementalPlan:
    """Plan of all expressions of a lowered graph, which follows the edits of that graph.

    Keys grow along the plan, so a step finds its place between its producers and its consumers. `slots` of the plan is
    changed in place; slots are never reused.
    """

    def __init__(self, plan: Plan, roots: Iterable[Expression]) -> None:
        self.plan = plan
        # For each application whose step the last update added or removed: true if the plan has it now.
        self.steps: Mapping[Application, bool] = {}
        self._slots = plan.slots
        self._free_slots = count(len(self._slots))
        self._roots = Counter(roots)
        self._users: dict[Expression, dict[Application, None]] = {}
        self._steps = {step.application: step for step in plan.steps}
        for application in self._steps:
            self._use(application)
        self._keys: dict[Application, int] = {}
        self._number(plan.steps, plan.forward)

    def update(self, diff: LoweredDiff, forward: Container[Application]) -> Splice:
        """Updates the plan after an edit; `forward` has the applications of its first pass.

        Raises: CannotUpdate where too much would come between two steps.
        """
        self._forward = forward
        self._come: dict[Application, None] = {}
        self._removed: list[Application] = []
        self._fresh: set[int] = set()
        self._before, self._gone = list(self._sorted), set[int]()
        self._roots.update(diff.claimed)
        for application in self._needed(diff):
            self._add(application)
        self._roots.subtract(diff.released)
        for application in [*diff.left, *(item.application for item in diff.released)]:
            self._remove(application)
        for application in self._come:
            self._find_place(application)
        added = sorted(bisect_left(self._sorted, key) for key in self._fresh)
        self.plan = Plan(tuple(self._ordered), self._slots, bisect_left(self._sorted, self._border))
        self.steps = dict.fromkeys(self._removed, False) | dict.fromkeys(self._come, True)
        return Splice(self.plan, tuple(sorted(self._gone)), tuple(added))

    def _needed(self, diff: LoweredDiff) -> Iterator[Application]:
        for item in diff.claimed:
            yield item.application
        for before in diff.left:
            for output in before.outputs:
                if output.application is not before and self._is_needed(output):
                    yield output.application

    def _is_needed(self, item: Expression) -> bool:
        return self._roots[item] > 0 or bool(self._users.get(item))

    def _use(self, application: Application) -> None:
        for item in application.inputs:
            if item is not None:
                self._users.setdefault(item, {})[application] = None

    def _add(self, root: Application) -> None:
        """Adds an application after its new producers."""
        stack = [(root, False)]
        while stack:
            application, is_done = stack.pop()
            if application in self._steps:
                continue
            if is_done:
                self._steps[application] = self._step(application)
                self._come[application] = None
                self._use(application)
            else:
                stack.append((application, True))
                stack.extend((item.application, False) for item in reversed(application.inputs) if item is not None)

    def _step(self, application: Application) -> Step:
        for output in application.outputs:
            if output not in self._slots:
                self._slots[output] = next(self._free_slots)
        return step_of(application, self._slots)

    def _remove(self, root: Application) -> None:
        """Removes an unused application, and the producers that only it uses."""
        stack = [root]
        while stack:
            application = stack.pop()
            own = [output for output in application.outputs if output.application is application]
            if application not in self._steps or any(self._is_needed(output) for output in own):
                continue
            del self._steps[application]
            if application in self._come:
                del self._come[application]
            else:
                self._removed.append(application)
                self._take(application)
            for output in own:
                del self._slots[output]
            for item in application.inputs:
                if item is not None:
                    self._users[item].pop(application, None)
                    stack.append(item.application)

    # Places

    def _number(self, steps: Iterable[Step], forward: int) -> None:
        self._ordered = list(steps)
        self._sorted = [place * SPACE for place in range(len(self._ordered))]
        self._keys = {step.application: key for step, key in zip(self._ordered, self._sorted, strict=True)}
        # Key between the two passes.
        self._border = forward * SPACE - HALF

    def _find_place(self, application: Application) -> None:
        """Puts an application behind its producers, and moves its consumers behind it."""
        is_forward = application in self._forward
        keys = [self._keys[item.application] for item in application.inputs if item is not None]
        after = max([*keys, -SPACE if is_forward else self._border])
        # The last step may be one of the first pass, far before the border.
        end = self._border if is_forward else max(after, next(reversed(self._sorted), after)) + SPACE
        while (following := self._next_to(after, end)) in self._fresh:
            after = following
        users = self._users_up_to(application, after)
        for user in users:
            self._take(user)
        room = self._next_to(after, end) - after
        for number, item in enumerate([application, *users], 1):
            self._put(item, after + room * number // (len(users) + 2))

    def _next_to(self, key: int, end: int) -> int:
        place = bisect_right(self._sorted, key)
        return min(self._sorted[place], end) if place < len(self._sorted) else end

    def _users_up_to(self, application: Application, key: int) -> list[Application]:
        """Returns the dependants of an application up to a key of the plan, in order."""
        found: set[Application] = set()
        stack = [application]
        while stack:
            users = chain.from_iterable(self._users.get(output, ()) for output in stack.pop().outputs)
            further = {user for user in users if user in self._keys and self._keys[user] <= key} - found
            found |= further
            stack.extend(further)
        return sorted(found, key=self._keys.__getitem__)

    def _take(self, application: Application) -> None:
        key = self._keys.pop(application)
        place = bisect_left(self._sorted, key)
        del self._sorted[place], self._ordered[place]
        if key in self._fresh:
            self._fresh.remove(key)
        else:
            self._gone.add(bisect_left(self._before, key))

    def _put(self, application: Application, key: int) -> None:
        place = bisect_left(self._sorted, key)
        if self._sorted[place : place + 1] == [key] or key == self._border:
            raise CannotUpdate
        self._sorted.insert(place, key)
        self._ordered.insert(place, self._steps[application])
        self._keys[application] = key
        self._fresh.add(key)
