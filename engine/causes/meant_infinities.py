"""Infinities that are meant: masks of minus infinity, which a softmax, a maximum or a selection takes up."""

from __future__ import annotations

import functools

from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.broken_elements import BrokenElements, Story, absorbs_like_large_numbers


class MeantInfinities:
    """Judge of the broken elements of one run.

    An infinity is meant if no loss, no gradient and no NaN comes of it. One that a step makes must also end, and where
    the largest numbers would do the same: as 1 / inf = 0, an overflow only looks harmless.
    """

    def __init__(self, lowered: Lowered, results: Results, elements: BrokenElements) -> None:
        self._lowered, self._results, self._elements = lowered, results, elements
        self._meant: dict[int, bool] = {}

    def is_meant(self, story: Story) -> bool:
        """Returns whether elements with a story need no warning."""
        if story in self._reaching or story.nan not in (None, story.made):
            return False
        if self._elements.is_held(story):
            return True
        if story.made not in self._meant:
            self._meant[story.made] = self._is_absorbed(story.made)
        return self._meant[story.made]

    @functools.cached_property
    def _reaching(self) -> set[Story]:
        """Stories that reach a loss or a gradient."""
        back = self._lowered.backward
        ends = [*self._lowered.losses, *back.totals.values(), *back.edges.values()]
        slots = {self._results.plan.slots[item] for item in ends}
        return {story for slot in slots for story in self._elements.stories(slot)}

    def _is_absorbed(self, made: int) -> bool:
        stories = {story for story in self._elements.all_stories if story.made == made}
        if any(story.nan is not None or story in self._reaching for story in stories) or self._is_left(stories):
            return False
        return all(
            self._elements.stories(slot).isdisjoint(stories) or self._is_taken_up(number)
            for number, step in enumerate(self._results.plan.steps)
            if step.application in self._lowered.owners
            for slot in step.inputs
            if slot is not None
        )

    def _is_left(self, stories: set[Story]) -> bool:
        """Returns whether such elements stand where nothing reads them yet, as at the end of a graph being built."""
        return any(not self._elements.stories(slot).isdisjoint(stories) for slot in self._unread)

    @functools.cached_property
    def _unread(self) -> set[int]:
        """Slots of blocks that no step reads."""
        steps = self._results.plan.steps
        read = {slot for step in steps for slot in step.inputs}
        return {slot for step in steps if step.application in self._lowered.owners for slot in step.outputs} - read

    def _is_taken_up(self, number: int) -> bool:
        step, values = self._results.plan.steps[number], self._results.values
        arrays = [None if slot is None else values[slot] for slot in step.inputs]
        return absorbs_like_large_numbers(step.application, arrays, [values[slot] for slot in step.outputs])
