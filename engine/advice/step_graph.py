"""View of a finished run for rules: blocks as steps, without dots, muted blocks and borders of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np

from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.fixes import stop_wires
from gradwire.engine.autodiff.backward import Edge, lets_gradients_pass
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status, number_status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.graph.paths import is_in_loop, name_in_rounds, whole_path
from gradwire.engine.graph.ports import pages_along

SHAPING = ("BroadcastTo", "ExpandDims", "Reshape", "Squeeze")


class Flow:
    """Steps of a run: the application of every block that does its own work, in topological order."""

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
        self._everything = topological_order(run.lowered.ports.values())
        # A variable on a page that is used twice is one variable with two applications.
        variables: dict[int, list[Application]] = {}
        for step in filter(is_trainable, self.steps):
            variables.setdefault(id(instances[run.lowered.owners[step]].block), []).append(step)
        self._variables = list(variables.values())
        self._bits = {item: 1 << number for number, uses in enumerate(self._variables) for item in uses}
        self._trainable = self._reach(lambda item: self._bits.get(item, 0))

    # Steps

    def has(self, application: Application) -> bool:
        """Returns whether an application is a step of its own."""
        return application in self._own

    def of_type(self, *names: str) -> Iterator[Application]:
        """Yields the steps of some block types."""
        return (step for step in self.steps if step.type.name in names)

    def maker(self, expression: Expression | None, *names: str) -> Application | None:
        """Returns the step that makes a tensor, if it has one of these types."""
        if expression is None:
            return None
        step = root(expression).application
        return step if step in self._own and step.type.name in names else None

    def users(self, expression: Expression) -> list[Edge]:
        """Returns the inputs of steps that read a tensor."""
        return self._users.get(root(expression), [])

    def leads_to(self, expression: Expression, names: Container[str], through: Container[str]) -> Iterator[Edge]:
        """Yields the inputs of steps of some types that a tensor reaches through steps of other types alone."""
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
        """Yields the steps of a kind from which a tensor is made, through steps of another kind alone."""
        waiting, seen = [root(expression).application], set[Application]()
        for step in waiting:
            if step in seen or step not in self._own:
                continue
            seen.add(step)
            if wanted(step):
                yield step
            elif passes(step):
                waiting += makers(step)

    def ancestors(self, expression: Expression) -> set[Application]:
        """Returns all steps from which a tensor is computed."""
        waiting, seen = [root(expression).application], set[Application]()
        while waiting:
            step = waiting.pop()
            if step not in seen and step in self._own:
                seen.add(step)
                waiting += makers(step)
        return seen

    @cached_property
    def losses(self) -> list[Application]:
        """Loss blocks that are differentiated."""
        chosen = {item.application for item in self._lowered.losses}
        return [step for step in self.steps if step in chosen]

    # Numbers

    def value(self, expression: Expression) -> Array | None:
        """Returns the value of a tensor; None if it could not be computed."""
        return self.run.results[expression]

    def gradient(self, edge: Edge) -> Array | None:
        """Returns the gradient of an input; None if it has none."""
        found = self._lowered.backward.edges.get(edge)
        return None if found is None else self.run.results[found]

    def total(self, expression: Expression) -> Array | None:
        """Returns the whole gradient of a tensor; None if it has none."""
        found = self._lowered.backward.totals.get(expression)
        return None if found is None else self.run.results[found]

    def is_zero(self, edge: Edge) -> bool:
        """Returns whether the gradient of an input is zero up to rounding."""
        found = self.gradient(edge)
        return found is not None and number_status(found, self.run.tolerances.of_edge(edge)) is Status.ZERO

    def is_zero_in_all(self, expression: Expression) -> bool:
        """Returns whether the total gradient of a tensor is zero up to rounding."""
        total = self.total(expression)
        return total is None or number_status(total, self.run.tolerances.of_total(expression)) is Status.ZERO

    # Upstream

    def trainable(self, expression: Expression) -> int:
        """Returns the trainable variables that a tensor's gradient could reach, as bits."""
        return self._trainable.get(root(expression), 0)

    def variables(self, bits: int) -> list[Application]:
        """Returns the variables for some bits, each by its first application."""
        return [uses[0] for number, uses in enumerate(self._variables) if bits >> number & 1]

    def readers(self, variable: Application) -> list[Edge]:
        """Returns the inputs of steps that read a variable, on all uses of its page."""
        number = self._bits[variable].bit_length() - 1
        return [edge for use in self._variables[number] for edge in self.users(use.outputs[0])]

    def is_same(self, first: Expression, second: Expression) -> bool:
        """Returns whether two tensors are one, or one variable."""
        first, second = root(first), root(second)
        bits = self._bits.get(first.application, 0)
        return first is second or (bits != 0 and bits == self._bits.get(second.application, 0))

    def depends(self, expression: Expression) -> int:
        """Returns the trainable variables on which the value of a tensor depends, as bits."""
        return self._influence.get(root(expression), 0)

    def is_of_data(self, expression: Expression, may_be_single: bool = False) -> bool:
        """Returns whether the value of a tensor depends on data: an Input or Constant of several elements.

        `may_be_single` counts an Input of one element too.
        """
        return bool(self._data.get(root(expression), 0) & (3 if may_be_single else 1))

    def blocked(self, expression: Expression) -> int:
        """Returns the trainable variables whose gradient only StopGradients keep back, as bits."""
        return self._unstopped.get(root(expression), 0) & ~self.trainable(expression)

    @cached_property
    def _influence(self) -> dict[Expression, int]:
        return self._flood(lambda item: self._bits.get(item, 0))

    @cached_property
    def _data(self) -> dict[Expression, int]:
        def data(item: Application) -> int:
            if item.type.name not in ("Input", "Constant"):
                return 0
            return 1 if np.prod(item.outputs[0].shape) > 1 else 2 * (item.type.name == "Input")

        return self._flood(data)

    @cached_property
    def _unstopped(self) -> dict[Expression, int]:
        return self._reach(lambda item: self._bits.get(item, 0), (Role.STOP,))

    def _flood(self, bits_of: Callable[[Application], int]) -> dict[Expression, int]:
        """Returns the bits of everything on which the value of each tensor depends."""
        found: dict[Expression, int] = {}
        for item in self._everything:
            bits = bits_of(item)
            for source in item.inputs:
                bits |= found.get(source, 0) if source is not None else 0
            found.update((output, bits) for output in item.outputs)
        return found

    def sources(self, passes: Iterable[Role] = ()) -> dict[Expression, int]:
        """Returns nonzero bits for tensors whose gradient could reach an Input, a Variable or a target of Gradients.

        `passes` are roles that let gradients through.
        """
        return self._reach(lambda item: int(item.type.name in ("Input", "Variable") or item in self.targets), passes)

    @cached_property
    def targets(self) -> set[Application]:
        """Applications with respect to whose outputs a Gradients block differentiates."""
        inferred, ports = self._lowered.inferred, self._lowered.ports
        paths = (path for path, block in inferred.expanded.instances.items() if block.role is Role.GRADIENTS)
        sources = (arrival.source for path in paths for arrival in inferred.inputs.get(path, ())[1:])
        asked = (ports.get(source) for source in sources if source is not None)
        return {item for found in asked if found is not None for item in (found.application, root(found).application)}

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
        """Returns the path of the step's block."""
        return self._lowered.owners[step]

    def title(self, step: Application) -> str:
        """Returns the name of the step's block for a sentence."""
        return f'{step.type.name} "{name_in_rounds(self.path(step))}"'

    def page(self, *steps: Application) -> str | None:
        """Returns the name of the page with the blocks of all steps; None if they are on several."""
        if any(whole_path(self.path(step)) != self.path(step) for step in steps):  # a part of a loop, on no page
            return None
        prefixes = {self.path(step).rpartition("/")[0] for step in steps}
        pages = pages_along(self.run.graph, prefixes.pop()) if len(prefixes) == 1 else []
        return pages[-1].name if pages else None

    # Any: the arguments of an edit besides the graph and the page differ.
    def fix(
        self, text: str, edit: Callable[..., Graph], *steps: Application, changes_loss: bool = False, **arguments: Any
    ) -> Fix | None:
        """Returns an edit as a fix; None where its blocks are on several pages."""
        page = self.page(*steps)
        return None if page is None else Fix(text, partial(edit, page=page, **arguments), changes_loss)

    def stop(self, *edges: Edge) -> Fix | None:
        """Returns the fix that puts a StopGradient before inputs; None where they are on several pages.

        It comes before a page that is used several times, whose other uses stay as they are.
        """
        found = [self._entrance(edge) for edge in edges]
        pages = {entrance[0] for entrance in found if entrance is not None}
        if len(pages) != 1 or None in found:
            return None
        targets = tuple(entrance[1] for entrance in found if entrance is not None)
        return Fix("Insert StopGradient", partial(stop_wires, page=pages.pop(), targets=targets))

    def _entrance(self, edge: Edge) -> tuple[str, Port] | None:
        """Returns the input of a step, or of the page around it while that is used several times."""
        path, port = self.path(edge.application), self.target(edge).name
        if is_in_loop(path):  # A stop before the loop would not be one before the step in each round.
            return None
        instances = self._lowered.inferred.expanded.instances
        while self._uses[self._page_at(path)] > 1:
            source = instances[path].inputs.get(port)
            while source is not None and instances[source.path].role is Role.REROUTE:
                source = instances[source.path].inputs.get("x")
            if source is None or instances[source.path].role is not Role.PAGE_INPUT:
                return None
            path, port = path.rpartition("/")[0], str(instances[source.path].block.parameters.get("name"))
        return self._page_at(path), Port(path.rpartition("/")[2], port)

    @cached_property
    def _uses(self) -> Counter[str]:
        """Number of uses of each page."""
        prefixes = {path.rpartition("/")[0] for path in self._lowered.inferred.expanded.instances}
        return Counter(pages_along(self.run.graph, prefix)[-1].name for prefix in prefixes)

    def _page_at(self, path: str) -> str:
        return pages_along(self.run.graph, path.rpartition("/")[0])[-1].name

    def block(self, step: Application) -> str:
        """Returns the id of the step's block on its page."""
        return self.path(step).rpartition("/")[2]

    def target(self, edge: Edge) -> Port:
        """Returns the port on its page for an input of a step."""
        name: PortName = self._lowered.inferred.inputs[self.path(edge.application)][edge.slot].target
        return Port(self.block(edge.application), name.port)


def root(expression: Expression) -> Expression:
    """Returns the original of a tensor that only dots, muted blocks and borders of pages pass on."""
    while _is_passing(expression.application) and expression.application.inputs[0] is not None:
        expression = expression.application.inputs[0]
    return expression


def peel(expression: Expression) -> tuple[Expression, bool]:
    """Returns the tensor before StopGradients and steps that only change the shape, and whether one of them stops."""
    is_stopped, expression = False, root(expression)
    while expression.application.type.role is Role.STOP or expression.application.type.name in SHAPING:
        is_stopped = is_stopped or expression.application.type.role is Role.STOP
        source = expression.application.inputs[0]
        if source is None:
            break
        expression = root(source)
    return expression, is_stopped


def makers(step: Application) -> list[Application]:
    """Returns the applications that make the inputs of a step."""
    return [root(item).application for item in step.inputs if item is not None]


def input_of(step: Application, slot: int = 0) -> Expression:
    """Returns the tensor at an input that has a wire."""
    item = step.inputs[slot]
    assert item is not None
    return item


def opposite(slot: int) -> int:
    """Returns the other one of two inputs."""
    return slot ^ 1


def is_trainable(step: Application) -> bool:
    """Returns whether a step is a variable that training changes."""
    return step.type.name == "Variable" and bool(step.parameters["trainable"])


def count_of(chosen: Array) -> str:
    """Returns how many elements are chosen, in words: `2 of 4 elements`."""
    return f"{int(np.count_nonzero(chosen))} of {chosen.size} elements"


def _is_passing(step: Application) -> bool:
    return step.type is Identity or step.type.role is Role.REROUTE
