"""Origins of NaN and infinity, forward and backward: the block that makes one from finite numbers, and of a NaN."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of, steps_of
from gradwire.engine.autodiff.explanation_errors import Faults
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.causes.births import Birth, Origin
from gradwire.engine.causes.broken_elements import BrokenElements, Mask, Story
from gradwire.engine.causes.meant_infinities import MeantInfinities
from gradwire.engine.causes.nonfinite_reasons import (
    Index,
    derivative_reason,
    first_broken,
    mending_number,
    number_text,
    received_reason,
    step_reason,
)
from gradwire.engine.executors.magnitudes import NumberFacts

_NO_MORE, _UNEXPLAINED = "all of its inputs are finite", "why could not be worked out"


class Origins:
    """Origins of one run; `backward` lists the births of the backward pass in its order."""

    def __init__(self, lowered: Lowered, results: Results, facts: NumberFacts, faults: Faults) -> None:
        self._lowered, self._results, self._faults = lowered, results, faults
        self._roots = _roots(results, facts)
        self._elements = BrokenElements(results, facts)
        self._meant = MeantInfinities(lowered, results, self._elements)
        self._values: dict[tuple[Story, bool], Birth | None] = {}
        self._makers: dict[Application, Edge | Expression] | None = None
        self._edges: dict[Edge, tuple[int, Birth]] = {}
        self._totals: dict[Expression, tuple[int, Birth]] = {}
        self._received_from: dict[Birth, Story] = {}
        self.backward: list[Birth] = []
        if self._roots:
            self._walk_back()
        self._breaking = {birth.at for birth in self.backward}

    def of_port(self, expression: Expression) -> Origin | None:
        """Returns the origin that breaks an output port's value or gradient; None if all is finite."""
        return self._origin(expression, self._lowered.backward.totals.get(expression), self._totals.get(expression))

    def of_wire(self, source: Expression, edge: Edge | None) -> Origin | None:
        """Returns the origin that breaks the value of a wire's source or the wire's gradient; None if all is finite."""
        if edge is None:
            return self._origin(source, None, None)
        return self._origin(source, self._lowered.backward.edges.get(edge), self._edges.get(edge))

    def warnings(self) -> Iterator[tuple[str, str]]:
        """Yields blocks and sentences: where an infinity is made, or NaN from one that a source holds.

        At most one for each block and direction; none for an infinity that is meant.
        """
        stories = sorted(self._elements.all_stories, key=lambda story: story.made)
        yield from _first_of_each((birth.at, text) for birth, text in self._forward_warnings(stories))
        held = (self._born(story, True) for story in stories if self._elements.is_held(story) and story.nan is not None)
        births = [*(item for item in self.backward if not item.is_passed_on), *(item for item in held if item)]
        yield from _first_of_each((item.at, item.sentence) for item in births if item.is_gradient)

    def _forward_warnings(self, stories: list[Story]) -> Iterator[tuple[Birth, str]]:
        for story in stories:
            made, nan = self._born(story, False), self._born(story, True)
            if made is None or self._is_meant(story):
                continue
            if made.is_held:
                is_blamed = story.nan in (None, story.made) and not self._leads_to_nan(story, stories)
                birth = made if is_blamed else nan
                if birth is not None and not birth.is_gradient:
                    yield birth, birth.sentence
            else:
                # The first NaN that comes from it is named beside it.
                then = next((item for item in stories if item.made == story.made and item.nan is not None), story)
                yield made, Origin(made, None, self._born(then, True)).sentence

    def _leads_to_nan(self, story: Story, stories: list[Story]) -> bool:
        """Returns whether another block makes NaN of the infinity that a story begins with."""
        others = (item for item in stories if item.made == story.made and item.nan not in (None, item.made))
        return any(self._born(item, True) is not None for item in others)

    def _origin(self, value: Expression, gradient: Expression | None, back: tuple[int, Birth] | None) -> Origin | None:
        if not self._roots:
            return None
        first, second = self._story(value), None if gradient is None else self._story(gradient)
        if first is None and second is None and back is None:
            return None
        # What is meant explains no broken gradient.
        is_meant = first is not None and self._are_meant(value)
        received = None if back is None else self._received_from.get(back[1])
        order = (second, received, first) if is_meant else (first, second, received)
        told = [item for item in order if item is not None]
        forward = next((birth for birth in (self._born(item, False) for item in told) if birth is not None), None)
        nan = next((self._born(item, True) for item in told if item.nan is not None), None)
        return Origin(forward, None if back is None else back[1], nan, is_meant and second is None)

    def _story(self, expression: Expression) -> Story | None:
        return min(self._elements.stories(self._slot(expression)), key=self._elements.rank, default=None)

    def _are_meant(self, expression: Expression) -> bool:
        return all(map(self._is_meant, self._elements.stories(self._slot(expression))))

    def _is_meant(self, story: Story) -> bool:
        """Returns whether a story needs no warning; a block that makes an infinity must have a finite gradient too."""
        at = self._lowered.owners.get(self._results.plan.steps[story.made].application)
        return self._meant.is_meant(story) and at not in self._breaking

    def _born(self, story: Story, is_nan: bool) -> Birth | None:
        """Returns the birth of an infinity, or of a NaN; None without a NaN, or for what the backward pass makes."""
        key = (story, True) if is_nan else (Story(story.made), False)
        if key not in self._values:
            self._values[key] = self._find_birth(story, is_nan)
        return self._values[key]

    def _find_birth(self, story: Story, is_nan: bool) -> Birth | None:
        number = story.nan if is_nan else story.made
        if number is None:
            return None
        application = self._results.plan.steps[number].application
        at = self._lowered.owners.get(application)
        if at is not None:
            return self._value_birth(application, at, story, is_nan)
        return self._gradient_birth(application, story) if is_nan else None

    def _value_birth(self, application: Application, at: str, story: Story, is_nan: bool) -> Birth:
        stories = [story] if is_nan else [item for item in self._elements.all_stories if item.made == story.made]
        marks = [self._marks(output, stories) for output in application.outputs]
        place = next(place for place, mark in enumerate(marks) if mark is not None)
        output, mark = application.outputs[place], marks[place]
        assert mark is not None
        index, reason = _first(mark), ""
        if application.inputs:
            reason = self._reason(application, step_reason, application, output, index) or _NO_MORE
        port = application.type.output_names(len(application.outputs))[place]
        is_row = is_nan and not application.type.by_element and _is_row(mark, index)
        return Birth(
            at, self._title(at), port, index, number_text(self._array(output)[index]), reason,
            is_held=not application.inputs, is_row=is_row, mended_by=self._mending(application, index),
        )  # fmt: skip

    def _gradient_birth(self, application: Application, story: Story) -> Birth | None:
        """Returns the birth of a NaN in a step of the backward pass."""
        maker = self._made_by().get(application)
        if isinstance(maker, Edge):
            part = self._lowered.backward.edges[maker]
            if self._root(part) is None:
                return None  # The rule itself takes the NaN up.
            mark = self._marks(part, [story])
            return self._broken_at(maker, part, first_broken(self._array(part)) if mark is None else _first(mark))
        owner = None if maker is None else self._lowered.owners.get(maker.application)
        return None if maker is None or owner is None else self._broken_sum(maker, maker.application)

    def _made_by(self) -> dict[Application, Edge | Expression]:
        """Returns for each step of the backward pass the edge whose rule made it, or the output whose sum it is."""
        if self._makers is None:
            self._makers, back = {}, self._lowered.backward
            known = ChainMap[Application, Any](self._makers, self._lowered.owners)  # Any: only keys matter
            for application in reversed(back.order):
                for output in application.outputs:
                    if output in back.totals:
                        self._makers |= dict.fromkeys(topological_order([back.totals[output]], known=known), output)
                for edge in back.edges_into(application):
                    self._makers |= dict.fromkeys(topological_order([back.edges[edge]], known=known), edge)
        return self._makers

    def _marks(self, expression: Expression, stories: list[Story]) -> Mask | None:
        """Returns a mask of the elements with one of some stories, or None without any."""
        slot = self._slot(expression)
        known = self._elements.stories(slot)
        found = [self._elements.marks(slot, story) for story in stories if story in known]
        return np.logical_or.reduce(found) if found else None

    def _walk_back(self) -> None:
        """Walks back from the loss: broken incoming gradients are passed on, and finite ones that break give births."""
        back = self._lowered.backward
        arriving: dict[Expression, list[tuple[int, Birth]]] = {}
        for place, application in enumerate(reversed(back.order)):
            reached = [output for output in application.outputs if output in back.totals]
            for output in reached:
                if self._root(back.totals[output]) is not None:
                    self._totals[output] = min(arriving.get(output, []), key=_place, default=None) or (
                        place,
                        self._noted(self._broken_sum(output, application)),
                    )
            broken = [self._totals[output] for output in reached if output in self._totals]
            for edge in back.edges_into(application):
                part = back.edges[edge]
                if self._root(part) is not None:
                    self._edges[edge] = min(broken, key=_place, default=None) or (
                        place,
                        self._noted(self._broken_at(edge, part, first_broken(self._array(part)))),
                    )
                    arriving.setdefault(source_of(edge), []).append(self._edges[edge])

    def _broken_sum(self, output: Expression, application: Application) -> Birth:
        total = self._lowered.backward.totals[output]
        array = self._array(total)
        index = first_broken(array)
        reason = self._reason(application, step_reason, total.application, total, index)
        at, number = self._lowered.owners[application], number_text(array[index])
        return Birth(at, self._title(at), "", index, number, reason, True)

    def _broken_at(self, edge: Edge, part: Expression, index: Index) -> Birth:
        """Returns the birth at one input of an application."""
        application, root = edge.application, self._root(part)
        assert root is not None
        is_passed_on = any(item is not None and self._root(item) is not None for item in application.inputs)
        port = application.type.input_names(len(application.inputs))[edge.slot]
        at, number = self._lowered.owners[application], number_text(self._array(part)[index])
        reason = self._received(edge, part) if is_passed_on else self._derived(edge, part, root)
        mended_by = self._mending(application, index)
        birth = Birth(at, self._title(at), port, index, number, reason, True, is_passed_on, mended_by=mended_by)
        story = self._story(part)
        if is_passed_on and story is not None:
            self._received_from[birth] = story
        return birth

    def _derived(self, edge: Edge, part: Expression, root: int) -> str:
        """Returns why a rule breaks although all inputs are finite."""
        application = edge.application
        cause = self._results.plan.steps[root].application
        given = part.application.inputs[0] if part.application.type is SumTo and cause is not part.application else part
        assert given is not None
        return self._reason(application, derivative_reason, edge, given, self._arriving(application), cause)

    def _received(self, edge: Edge, part: Expression) -> str:
        """Returns why a rule breaks whose inputs hold NaN or infinity."""
        back = self._lowered.backward
        steps = steps_of(edge, back, dict.fromkeys(back.order))
        broken = [output for step in steps for output in step.outputs if self._root(output) is not None]
        # NaN has its reason where it first appears, and an infinity where it meets the incoming gradient.
        made = next((item for item in broken if np.isnan(self._array(item)).any()), (broken or [part])[-1])
        return self._reason(edge.application, received_reason, edge, made, self._arriving(edge.application))

    def _arriving(self, application: Application) -> Expression:
        totals = self._lowered.backward.totals
        return totals[next(item for item in application.outputs if item in totals)]

    def _mending(self, application: Application, index: Index) -> float | None:
        return self._faults.attempt(application, mending_number, application, index, self._results)

    # Any: each function explains something else.
    def _reason(self, application: Application, explain: Callable[..., str], *about: Any) -> str:
        reason = self._faults.attempt(application, explain, *about, self._results)
        return _UNEXPLAINED if reason is None else reason

    def _title(self, at: str) -> str:
        return self._lowered.inferred.expanded.instances[at].title

    def _noted(self, birth: Birth) -> Birth:
        self.backward.append(birth)
        return birth

    def _root(self, expression: Expression) -> int | None:
        return self._roots.get(self._slot(expression))

    def _slot(self, expression: Expression) -> int:
        return self._results.plan.slots[expression]

    def _array(self, expression: Expression) -> Array:
        array = self._results[expression]
        assert array is not None
        return array


def _roots(results: Results, facts: NumberFacts) -> dict[int, int]:
    """Maps each non-finite slot to the number of the first step that its NaN or infinity comes from."""
    broken = facts.broken_slots()
    roots: dict[int, int] = {}
    for number, step in enumerate(results.plan.steps if broken else ()):
        causes = [roots[slot] for slot in step.inputs if slot in roots]
        roots.update((slot, min(causes, default=number)) for slot in step.outputs if slot in broken)
    return roots


def _place(item: tuple[int, Birth]) -> int:
    return item[0]


def _first(mark: Mask) -> Index:
    return tuple(int(number) for number in np.unravel_index(int(np.argmax(mark)), mark.shape))


def _is_row(mark: Mask, index: Index) -> bool:
    """Returns whether the whole last axis is marked beside an element, and is longer than it."""
    return mark.ndim > 0 and mark.shape[-1] > 1 and bool(mark[index[:-1]].all())


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for at, text in pairs:
        if at not in seen:
            seen.add(at)
            yield at, text
