"""A finished run as rules look at it: blocks as steps, with dots, muted blocks and borders of pages looked through."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from engine.block_type import Role
from engine.evaluate import Evaluation
from engine.expand import PortName
from engine.expression import Application, Expression, applications_before
from engine.gradients import Edge, lets_gradients_pass
from engine.graph import Graph, Port
from engine.ports import pages_along
from engine.primitives import Identity
from engine.status import Status, number_status
from engine.tensor_spec import Array
from lint.finding import Fix
from lint.fixes import stop_wires

SHAPING = ("BroadcastTo", "ExpandDims", "Reshape", "Squeeze")


class Flow:
    """The steps of a run: the application of every block that does its own work, in an order of computation."""

    def __init__(self, run: Evaluation) -> None:
        self.run, self._lowered = run, run.lowered
        instances = run.lowered.inferred.expanded.instances
        owned = [item for item, path in run.lowered.owners.items() if instances[path].type is item.type]
        self.steps = [item for item in owned if not _is_passing(item)]
        self._own = set(self.steps)
        self._users: dict[Expression, list[Edge]] = {}
        for step in self.steps:
            for slot, item in enumerate(step.inputs):
                if item is not None:
                    self._users.setdefault(root(item), []).append(Edge(step, slot))
        self._everything = applications_before(run.lowered.ports.values())
        self._variables = [item for item in self.steps if is_trainable(item)]
        bits = {item: 1 << number for number, item in enumerate(self._variables)}
        self._trainable = self._reach(lambda item: bits.get(item, 0))

    # Steps

    def of_type(self, *names: str) -> Iterator[Application]:
        """The steps of some block types."""
        return (step for step in self.steps if step.type.name in names)

    def maker(self, expression: Expression | None, *names: str) -> Application | None:
        """The step that makes a tensor, if it is of one of these types."""
        if expression is None:
            return None
        step = root(expression).application
        return step if step in self._own and step.type.name in names else None

    def users(self, expression: Expression) -> list[Edge]:
        """The inputs of steps that take a tensor."""
        return self._users.get(root(expression), [])

    def leads_to(self, expression: Expression, names: Container[str], through: Container[str]) -> Iterator[Edge]:
        """The inputs of steps of some types that a tensor reaches, by way of steps of other types alone."""
        waiting, seen = [expression], set[Edge]()
        for item in waiting:
            for edge in self.users(item):
                if edge in seen:
                    continue
                seen.add(edge)
                if edge.application.type.name in names:
                    yield edge
                elif edge.application.type.name in through:
                    waiting += edge.application.outputs

    def makers_behind(
        self, expression: Expression, wanted: Callable[[Application], bool], passes: Callable[[Application], bool]
    ) -> Iterator[Application]:
        """The steps of a kind that a tensor is made from, by way of steps of another kind alone."""
        waiting, seen = [root(expression).application], set[Application]()
        for step in waiting:
            if step in seen or step not in self._own:
                continue
            seen.add(step)
            if wanted(step):
                yield step
            elif passes(step):
                waiting += [root(item).application for item in step.inputs if item is not None]

    # Numbers

    def value(self, expression: Expression) -> Array | None:
        """The value of a tensor; None if it could not be computed."""
        return self.run.results[expression]

    def gradient(self, edge: Edge) -> Array | None:
        """What comes back along an input; None if nothing does."""
        found = self._lowered.backward.edges.get(edge)
        return None if found is None else self.run.results[found]

    def is_zero(self, edge: Edge) -> bool:
        """Whether what comes back along an input is zero but for rounding."""
        found = self.gradient(edge)
        return found is not None and number_status(found, self.run.tolerances.of_edge(edge)) is Status.ZERO

    def is_zero_in_all(self, expression: Expression) -> bool:
        """Whether all that comes back to a tensor adds up to zero but for rounding."""
        found = self._lowered.backward.totals.get(expression)
        total = None if found is None else self.run.results[found]
        return total is None or number_status(total, self.run.tolerances.of_total(expression)) is Status.ZERO

    # What lies before

    def trainable(self, expression: Expression) -> int:
        """The trainable variables to which a gradient could go back from a tensor, one bit each."""
        return self._trainable.get(root(expression), 0)

    def variables(self, bits: int) -> list[Application]:
        """The variables that the bits stand for."""
        return [item for number, item in enumerate(self._variables) if bits >> number & 1]

    def sources(self, passes: Iterable[Role] = ()) -> dict[Expression, int]:
        """Not 0 for tensors whose gradient could go back to an Input or Variable; `passes` are roles let through."""
        return self._reach(lambda item: int(item.type.name in ("Input", "Variable")), passes)

    def _reach(self, bits_of: Callable[[Application], int], passes: Iterable[Role] = ()) -> dict[Expression, int]:
        found: dict[Expression, int] = {}
        for item in self._everything:
            bits = bits_of(item)
            if lets_gradients_pass(item) or item.type.role in passes:
                for source in item.inputs:
                    bits |= found.get(source, 0) if source is not None else 0
            found.update((output, bits) for output in item.outputs if output.spec.is_differentiable)
        return found

    # Names

    def path(self, step: Application) -> str:
        """The path of the step's block."""
        return self._lowered.owners[step]

    def title(self, step: Application) -> str:
        """How a sentence names the step's block."""
        return f'{step.type.name} "{self.path(step).rpartition("/")[2]}"'

    def page(self, *steps: Application) -> str | None:
        """The name of the page on which the blocks of some steps stand; None if they stand on several."""
        prefixes = {self.path(step).rpartition("/")[0] for step in steps}
        pages = pages_along(self.run.graph, prefixes.pop()) if len(prefixes) == 1 else []
        return pages[-1].name if pages else None

    # Any: the edit decides what it takes besides the graph and the page.
    def fix(self, text: str, edit: Callable[..., Graph], *steps: Application, **arguments: Any) -> Fix | None:
        """The fix that an edit is; None where the blocks it is about stand on several pages."""
        page = self.page(*steps)
        return None if page is None else Fix(text, partial(edit, page=page, **arguments))

    def stop(self, *edges: Edge) -> Fix | None:
        """The fix that puts a StopGradient in front of inputs."""
        targets = tuple(self.target(edge) for edge in edges)
        return self.fix("Insert StopGradient", stop_wires, *(edge.application for edge in edges), targets=targets)

    def block(self, step: Application) -> str:
        """The id of the step's block on its page."""
        return self.path(step).rpartition("/")[2]

    def target(self, edge: Edge) -> Port:
        """The port on its page that an input of a step is."""
        name: PortName = self._lowered.inferred.inputs[self.path(edge.application)][edge.slot].target
        return Port(self.block(edge.application), name.port)


def root(expression: Expression) -> Expression:
    """The tensor that one stands for: dots, muted blocks and borders of pages only pass it on."""
    while _is_passing(expression.application) and expression.application.inputs[0] is not None:
        expression = expression.application.inputs[0]
    return expression


def peel(expression: Expression) -> tuple[Expression, bool]:
    """The tensor behind StopGradient and steps that only change the shape, and whether one of them stops."""
    is_stopped, expression = False, root(expression)
    while expression.application.type.role is Role.STOP or expression.application.type.name in SHAPING:
        is_stopped = is_stopped or expression.application.type.role is Role.STOP
        source = expression.application.inputs[0]
        if source is None:
            break
        expression = root(source)
    return expression, is_stopped


def is_trainable(step: Application) -> bool:
    """Whether a step is a variable that training changes."""
    return step.type.name == "Variable" and bool(step.parameters["trainable"])


def count_of(chosen: Array) -> str:
    """How many elements are chosen, in words: `2 of 4 elements`."""
    return f"{int(np.count_nonzero(chosen))} of {chosen.size} elements"


def _is_passing(step: Application) -> bool:
    return step.type is Identity or step.type.role is Role.REROUTE
