"""Stories of NaN and infinity, element by element: the step that made a number infinite, and the one that made it NaN.

A step is asked which of its inputs reach an element: it runs again with NaN in the inputs in question and ordinary
numbers everywhere else, and the NaN shows the way. Source: dynamic taint analysis (Schwartz, Avgerinos and Brumley, All
You Ever Wanted to Know About Dynamic Taint Analysis, 2010), with NaN as the taint. Cost: for each step with broken
inputs one pass over its elements if it works element by element, else a run for each story that arrives, and one more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.blocktypes.plan import Results, Step
from gradwire.engine.causes.linear_steps import generic_numbers, run_application
from gradwire.engine.executors.magnitudes import NumberFacts

# Larger tensors have one story for all elements.
LARGEST = 2**20
# So many stories are told apart at one step; the others take part together.
_ALONE = 11
_FINITE, _INFINITE, _NEGATIVE, _NAN = range(4)

Codes = np.ndarray[Any, np.dtype[np.int32]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


class Story(NamedTuple):
    """Steps behind an element that is not finite, by their numbers in the plan.

    `made` is the first step that made it infinite or NaN from finite numbers, or the source that holds it. `nan` is the
    first step that made it NaN while none of its operands was; None for an infinity.
    """

    made: int
    nan: int | None = None


class _Group(NamedTuple):
    """Inputs of one step with one story and one kind of number, as a mask for each input slot."""

    story: Story
    kind: int
    marks: Mapping[int, Mask]


class BrokenElements:
    """Stories of all elements of a run that are not finite."""

    def __init__(self, results: Results, facts: NumberFacts) -> None:
        self._results, self._broken = results, facts.broken_slots()
        self._stories: list[Story] = []
        self._numbers: dict[Story, int] = {}
        self._codes: dict[int, Codes] = {}
        self._found: dict[int, frozenset[Story]] = {}
        # A memoryview yields Python numbers, and converts each only on access.
        self._nans, self._infinities = facts.survey["nan"].data, facts.survey["infinite"].data
        for number, step in enumerate(results.plan.steps if self._broken else ()):
            if not self._broken.isdisjoint(step.outputs):
                self._tell(number, step)

    @property
    def all_stories(self) -> Sequence[Story]:
        """Stories of all elements, also of those that later steps take up."""
        return self._stories

    def stories(self, slot: int) -> frozenset[Story]:
        """Returns the stories in an array; none if all of it is finite."""
        return self._found.get(slot, frozenset())

    def marks(self, slot: int, story: Story) -> Mask:
        """Returns a mask of the elements with a story."""
        found: Mask = self._codes[slot] == self._numbers[story]
        return found

    def is_held(self, story: Story) -> bool:
        """Returns whether a source holds the infinity or NaN, so that somebody may mean it."""
        return not self._results.plan.steps[story.made].application.inputs

    def rank(self, story: Story) -> tuple[float, bool, int]:
        """Returns the key that sorts stories: NaN before infinity, made before held, early before late."""
        return math.inf if story.nan is None else story.nan, self.is_held(story), story.made

    def _tell(self, number: int, step: Step) -> None:
        arriving = [place for place, slot in enumerate(step.inputs) if slot in self._codes]
        for place, slot in enumerate(step.outputs):
            if slot not in self._broken:
                continue
            same = self._passed_on(step, place, arriving)
            if same is not None:
                self._codes[slot], self._found[slot] = self._codes[same], self._found[same]
                continue
            kinds = _kinds(self._array(slot))
            codes = np.full(kinds.shape, -1, np.int32)
            if not arriving:
                self._fill(codes, kinds == _NAN, Story(number, number))
                self._fill(codes, kinds != _FINITE, Story(number))
            elif kinds.size > LARGEST:
                self._fill(codes, kinds != _FINITE, self._of_all(step, arriving))
            else:
                self._follow(number, step, place, arriving, kinds, codes)
            codes.setflags(write=False)
            self._codes[slot] = codes
            self._found[slot] = frozenset(self._stories[code] for code in np.unique(codes).tolist() if code >= 0)

    def _passed_on(self, step: Step, place: int, arriving: Sequence[int]) -> int | None:
        """Returns the input whose NaN a step passes on element by element, if the numbers of them already say so.

        Most steps behind a NaN do only this, so no array is looked at.
        """
        application, output = step.application, step.outputs[place]
        slots = [slot for at in arriving if (slot := step.inputs[at]) is not None]
        if not slots or not application.type.by_element or any(map(self._infinities.__getitem__, [output, *slots])):
            return None
        most = max(slots, key=self._nans.__getitem__)
        items = [item for item in application.inputs if item is not None]
        is_plain = all(item.dtype.kind == "f" for item in items)
        are_alike = all(items and item.shape == application.outputs[place].shape for item in items)
        are_one = len({story for slot in slots for story in self._found[slot]}) == 1
        return most if is_plain and are_alike and are_one and self._nans[most] == self._nans[output] else None

    def _of_all(self, step: Step, arriving: Sequence[int]) -> Story:
        slots = [step.inputs[place] for place in arriving]
        return min((story for slot in slots if slot is not None for story in self.stories(slot)), key=self.rank)

    def _follow(self, number: int, step: Step, place: int, arriving: Sequence[int], kinds: Codes, codes: Codes) -> None:
        """Fills in the stories of one output: first from inputs of the same kind, then from others, else a new one."""
        groups = [(group, self._reached(step, place, group)) for group in self._groups(step, arriving)]
        for group, reached in groups:
            self._fill(codes, reached & (kinds == group.kind), group.story)
        if not step.application.type.by_element and ((kinds != _FINITE) & (codes < 0)).any():
            self._take_moved(step, place, [group for group, _ in groups], kinds, codes)
        for group, reached in groups:
            self._fill(codes, reached & (kinds == _NAN), Story(group.story.made, number))
            self._fill(codes, reached & (kinds != _FINITE), Story(group.story.made))
        self._fill(codes, kinds == _NAN, Story(number, number))
        self._fill(codes, kinds != _FINITE, Story(number))

    def _take_moved(self, step: Step, place: int, groups: Sequence[_Group], kinds: Codes, codes: Codes) -> None:
        """Fills in elements that change with an input, although NaN would not reach them: NaN sorts as the largest."""
        arrays = [None if slot is None else self._results.values[slot] for slot in step.inputs]
        for group in groups:
            without = [_replaced(array, group.marks.get(slot), slot) for slot, array in enumerate(arrays)]
            again = run_application(step.application, without)[place]
            if again.shape == kinds.shape:
                self._fill(codes, (kinds == group.kind) & (_kinds(again) != kinds), group.story)

    def _groups(self, step: Step, arriving: Sequence[int]) -> list[_Group]:
        """Returns the broken inputs by story and kind, in the order in which stories go on."""
        found: dict[tuple[Story, int], dict[int, Mask]] = {}
        for place in arriving:
            slot = step.inputs[place]
            assert slot is not None
            kinds = _kinds(self._array(slot))
            for story in self.stories(slot):
                of_story = self.marks(slot, story)
                for kind in np.unique(kinds[of_story]).tolist():
                    found.setdefault((story, kind), {})[place] = of_story & (kinds == kind)
        order = sorted(found, key=lambda key: (self.is_held(key[0]), key[0].made, self.rank(key[0]), key[1]))
        groups = [_Group(*key, found[key]) for key in order]
        rest = groups[_ALONE:]
        return [*groups[:_ALONE], _merged(rest)] if rest else groups

    def _reached(self, step: Step, place: int, group: _Group) -> Mask:
        """Returns a mask of the elements of an output that marked inputs reach."""
        shape = step.application.outputs[place].shape
        if step.application.type.by_element and sum(slot in self._codes for slot in step.inputs) == 1:
            (mark,) = group.marks.values()
            return np.broadcast_to(mark, shape)
        arrays = [None if slot is None else self._results.values[slot] for slot in step.inputs]
        return reached(step.application, arrays, group.marks)[place]

    def _array(self, slot: int) -> Array:
        array = self._results.values[slot]
        assert array is not None
        return array

    def _fill(self, codes: Codes, mask: Mask, story: Story) -> None:
        """Gives a story to the marked elements that have none yet."""
        mask = mask & (codes < 0)
        if mask.any():
            if story not in self._numbers:
                self._numbers[story] = len(self._stories)
                self._stories.append(story)
            codes[mask] = self._numbers[story]


def reached(application: Application, arrays: Sequence[Array | None], marks: Mapping[int, Mask]) -> list[Mask]:
    """Returns for each output a mask of the elements that marked elements of the inputs reach.

    Conditions, indices and other integers stay as they are. Where a step cannot say, they reach everything.
    """
    plain = [_ordinary(array, slot) for slot, array in enumerate(arrays)]
    marked = [_marked(array, marks[slot]) if slot in marks else array for slot, array in enumerate(plain)]
    found: list[Mask] = []
    for output, with_marks, without in zip(
        application.outputs, run_application(application, marked), run_application(application, plain), strict=True
    ):
        is_known = with_marks.shape == output.shape == without.shape and with_marks.dtype.kind == "f"
        is_certain = is_known and not np.isnan(without).any()
        found.append(np.isnan(with_marks) if is_certain else np.ones(output.shape, bool))
    return found


def absorbs_like_large_numbers(
    application: Application, arrays: Sequence[Array | None], outputs: Sequence[Array | None]
) -> bool:
    """Returns whether the finite results stay the same with the largest numbers in place of the infinities.

    So it is where an infinity stands for a choice: in a maximum, a softmax, the exponential of minus infinity.
    """
    large = [_large(array) for array in arrays]
    for output, again in zip(outputs, run_application(application, large), strict=True):
        if output is not None and not np.array_equal(output[_known(output)], again[_known(output)], equal_nan=True):
            return False
    return True


def _known(array: Array) -> Mask:
    found: Mask = np.isfinite(array) if array.dtype.kind == "f" else np.ones(array.shape, bool)
    return found


def _large(array: Array | None) -> Array | None:
    if array is None or array.dtype.kind != "f":
        return array
    largest = np.finfo(array.dtype).max
    return np.clip(array, -largest, largest)


def _ordinary(array: Array | None, slot: int) -> Array | None:
    """Returns numbers between 1 and 2 in place of floating-point numbers."""
    if array is None or array.dtype.kind != "f":
        return array
    return generic_numbers(array.shape, slot, array.dtype)


def _marked(array: Array | None, mark: Mask) -> Array | None:
    return None if array is None else np.where(mark, array.dtype.type(np.nan), array)


def _replaced(array: Array | None, mark: Mask | None, slot: int) -> Array | None:
    ordinary = _ordinary(array, slot)
    return array if array is None or mark is None or ordinary is None else np.where(mark, ordinary, array)


def _merged(groups: Sequence[_Group]) -> _Group:
    marks: dict[int, Mask] = {}
    for group in groups:
        for slot, mark in group.marks.items():
            marks[slot] = marks[slot] | mark if slot in marks else mark
    return _Group(groups[0].story, groups[0].kind, marks)


def _kinds(array: Array) -> Codes:
    """Returns for each element whether it is finite, infinite, negative infinite or NaN."""
    kinds = np.where(np.isinf(array), np.where(array > 0, _INFINITE, _NEGATIVE), _FINITE)
    found: Codes = np.where(np.isnan(array), _NAN, kinds).astype(np.int32)
    return found
