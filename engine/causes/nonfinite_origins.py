"""Origins of NaN and infinity: the first block that makes one from finite numbers, forward and backward."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.explanation_errors import Faults
from gradwire.engine.autodiff.lower import Lowered
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.blocktypes.primitives import SumTo
from gradwire.engine.causes.nonfinite_reasons import Index, derivative_reason, first_broken, number_text, step_reason
from gradwire.engine.executors.magnitudes import NumberFacts
from gradwire.engine.graph.lookup import title_of

_NO_MORE, _PASSED_ON = "all of its inputs are finite", "one of its inputs is already infinite or NaN"
_UNEXPLAINED = "why could not be worked out"


@dataclass(frozen=True)
class Birth:
    """Origin of a non-finite number: the block `at`, which a sentence calls `title`, makes it from finite ones.

    Forward, `port` is an output of the block and `index` an element of it. With `is_gradient`, `port` is the input
    whose gradient breaks, or "" for the sum over the wires of an output. `is_passed_on` marks gradients that break
    because of an earlier broken value. `reason` is a clause, empty for a block that holds such a number.
    """

    at: str
    title: str
    port: str
    index: Index
    number: str
    reason: str
    is_gradient: bool = False
    is_passed_on: bool = False

    @property
    def sentence(self) -> str:
        """Sentence about the event, its place and its reason."""
        title, number, reason = self.title, self.number, self.reason
        element = str(self.index[0] if len(self.index) == 1 else list(self.index))
        if self.is_gradient and not self.port:
            message = f"The gradients of {title} sum to {number}: {reason}."
        elif self.is_gradient and self.index:
            message = f"{title} makes the gradient of {self.port} {number} at element {element}: {reason}."
        elif self.is_gradient:
            message = f"{title} makes the gradient of {self.port} {number}: {reason}."
        elif not reason:
            message = f"{title} holds {number} at element {element}." if self.index else f"{title} holds {number}."
        elif self.index:
            message = f"{title} makes {number} at element {element}: {reason}."
        else:
            message = f"{title} makes {number}: {reason}."
        return message


@dataclass(frozen=True)
class Origin:
    """Origins of a tensor's NaN and infinity: a value, a gradient, or both."""

    forward: Birth | None
    backward: Birth | None

    @property
    def first(self) -> Birth | None:
        """More fundamental of both origins: a broken value causes broken gradients."""
        return self.forward or self.backward


class Origins:
    """Origins of one run; `forward` and `backward` list all births in the order of the run."""

    def __init__(self, lowered: Lowered, results: Results, facts: NumberFacts, faults: Faults) -> None:
        self._lowered, self._results, self._faults = lowered, results, faults
        self._roots = _roots(results, facts)
        self._forward: dict[int, Birth] = {}
        self._edges: dict[Edge, tuple[int, Birth]] = {}
        self._totals: dict[Expression, tuple[int, Birth]] = {}
        self.backward: list[Birth] = []
        if self._roots:
            self._find_forward()
            self._walk_back()
        self.forward = list(self._forward.values())

    def of_port(self, expression: Expression) -> Origin | None:
        """Returns the origin that breaks an output port's value or gradient; None if all is finite."""
        return self._origin(expression, self._lowered.backward.totals.get(expression), self._totals.get(expression))

    def of_wire(self, source: Expression, edge: Edge | None) -> Origin | None:
        """Returns the origin that breaks the value of a wire's source or the wire's gradient; None if all is finite."""
        if edge is None:
            return self._origin(source, None, None)
        return self._origin(source, self._lowered.backward.edges.get(edge), self._edges.get(edge))

    def _origin(self, value: Expression, gradient: Expression | None, back: tuple[int, Birth] | None) -> Origin | None:
        if not self._roots:
            return None
        roots = [self._root(item) for item in (value, gradient) if item is not None]
        forward = next((self._forward[root] for root in roots if root in self._forward), None)
        return None if forward is None and back is None else Origin(forward, None if back is None else back[1])

    def _root(self, expression: Expression) -> int | None:
        return self._roots.get(self._results.plan.slots[expression])

    def _find_forward(self) -> None:
        for number in sorted(set(self._roots.values())):
            application = self._results.plan.steps[number].application
            at = self._lowered.owners.get(application)
            if at is not None:
                self._forward[number] = self._born(application, at)

    def _born(self, application: Application, at: str) -> Birth:
        place = next(place for place, item in enumerate(application.outputs) if self._root(item) is not None)
        output = application.outputs[place]
        array = self._array(output)
        index = first_broken(array)
        reason = ""
        if application.inputs:
            reason = self._reason(application, step_reason, application, output, index) or _NO_MORE
        port = application.type.output_names(len(application.outputs))[place]
        return Birth(at, self._title(at), port, index, number_text(array[index]), reason)

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
                        self._sum_breaks(output, application),
                    )
            broken = [self._totals[output] for output in reached if output in self._totals]
            for edge, part in _parts(application, back.edges):
                if self._root(part) is not None:
                    self._edges[edge] = min(broken, key=_place, default=None) or (place, self._breaks(edge, part))
                    arriving.setdefault(_source(edge), []).append(self._edges[edge])

    def _sum_breaks(self, output: Expression, application: Application) -> Birth:
        total = self._lowered.backward.totals[output]
        array = self._array(total)
        index = first_broken(array)
        reason = self._reason(application, step_reason, total.application, total, index)
        at, number = self._lowered.owners[application], number_text(array[index])
        return self._noted(Birth(at, self._title(at), "", index, number, reason, True))

    def _breaks(self, edge: Edge, part: Expression) -> Birth:
        """Returns the birth at one input of an application whose incoming gradients are finite."""
        application, array = edge.application, self._array(part)
        index, root = first_broken(array), self._root(part)
        assert root is not None
        cause = self._results.plan.steps[root].application
        given = part.application.inputs[0] if part.application.type is SumTo and cause is not part.application else part
        arriving = next(item for item in application.outputs if item in self._lowered.backward.totals)
        is_passed_on = any(item is not None and self._root(item) is not None for item in application.inputs)
        total = self._lowered.backward.totals[arriving]
        assert given is not None
        reason = _PASSED_ON
        if not is_passed_on:
            reason = self._reason(application, derivative_reason, edge, given, total, cause)
        port = application.type.input_names(len(application.inputs))[edge.slot]
        at, number = self._lowered.owners[application], number_text(array[index])
        return self._noted(Birth(at, self._title(at), port, index, number, reason, True, is_passed_on))

    # Any: each function explains something else.
    def _reason(self, application: Application, explain: Callable[..., str], *about: Any) -> str:
        reason = self._faults.attempt(application, explain, *about, self._results)
        return _UNEXPLAINED if reason is None else reason

    def _title(self, at: str) -> str:
        return title_of(self._lowered.inferred.expanded.instances[at].block)

    def _noted(self, birth: Birth) -> Birth:
        self.backward.append(birth)
        return birth

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


def _parts(application: Application, edges: Mapping[Edge, Expression]) -> Iterator[tuple[Edge, Expression]]:
    for slot in range(len(application.inputs)):
        edge = Edge(application, slot)
        if edge in edges:
            yield edge, edges[edge]


def _source(edge: Edge) -> Expression:
    source = edge.application.inputs[edge.slot]
    assert source is not None
    return source


def _place(item: tuple[int, Birth]) -> int:
    return item[0]
