"""Training: runs a graph repeatedly with other inputs and updates its variables after each run."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lower import Lowered, infer_and_measure, lower
from gradwire.engine.base.errors import GradwireError, NameUnknownError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.update_rule import UpdateRule
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.training_plan import TrainingPlan

VALUE, OUTPUT = "value", "y"
# Uses of each source; a page that is used twice has each of its blocks twice.
Uses = Mapping[str, Sequence[Expression]]


class Training:
    """Graph compiled for training, step by step.

    Each step computes the loss and the gradients, then updates every trainable variable that a gradient reaches, all
    simultaneously. A blocked or unconnected variable stays; a gradient of zero counts. Without a `rule` nothing moves.
    Only ports in `watch` keep their values and gradients. Sums over large tensors may differ from the editor's by
    rounding; they are the same in every run, with one thread or several.
    Raises: GradwireError if the graph has an error or no Loss, NameUnknownError if a watched port does not exist.
    """

    @collection_paused()
    def __init__(
        self, graph: Graph, rule: UpdateRule | None = None, *, watch: Iterable[str] = (), threads: int = 1
    ) -> None:
        self._graph, self._lowered = graph, _faultless(graph)
        self._sources = _uses_of_sources(self._lowered)
        self._loss = functools.reduce(operator.add, self._lowered.losses)
        updates = {} if rule is None else self._updates(rule)
        watched = [self._port(name) for name in watch]
        totals = self._lowered.backward.totals
        keep = [self._loss, *watched, *(totals[item] for item in watched if item in totals)]
        self._plan = TrainingPlan(keep, updates, threads)
        self.trained = tuple(name for name, uses in self._sources.items() if uses[0] in updates)

    @property
    def bytes(self) -> int:
        """Total memory of all tensors. Units: bytes."""
        return self._plan.bytes

    @property
    def graph(self) -> Graph:
        """Graph with the current values of its variables."""
        found = self._graph
        for name in self.trained:
            found = _with_value(found, name, np.array(self._plan.source(self._sources[name][0])))
        return found

    def step(self, feeds: Mapping[str, Array] | None = None) -> Array:
        """Runs one step and returns the loss; `feeds` sets sources by name, from now on.

        Raises: NameUnknownError if there is no such source, BlockError if a value does not fit or a block fails.
        """
        for name, array in (feeds or {}).items():
            for use in self._uses(name):
                self._plan.put(use, array)
        self._plan.run()
        return np.array(self._plan[self._loss])

    def value(self, port: str) -> Array:
        """Returns the value of a watched port in the newest step."""
        return np.array(self._plan[self._port(port)])

    def gradient(self, port: str) -> Array:
        """Returns the gradient of a watched port in the newest step; zeros if no path from the loss reaches it."""
        expression = self._port(port)
        total = self._lowered.backward.totals.get(expression)
        return np.zeros(expression.shape, expression.dtype) if total is None else np.array(self._plan[total])

    def _updates(self, rule: UpdateRule) -> dict[Expression, Expression]:
        """Returns the update expressions of all trained variables and of their optimiser states."""
        found: dict[Expression, Expression] = {}
        totals = self._lowered.backward.totals
        for uses in self._sources.values():
            gradients = [totals[use] for use in uses if use in totals]
            if not uses[0].application.parameters.get("trainable") or not gradients:
                continue
            memory = [constant(array) for array in rule.start(uses[0].spec)]
            new, *remembered = rule.update(uses[0], functools.reduce(operator.add, gradients), *memory)
            found |= dict.fromkeys(uses, new) | dict(zip(memory, remembered, strict=True))
        return found

    def _uses(self, name: str) -> Sequence[Expression]:
        full = self._full(name)
        if full not in self._sources:
            raise NameUnknownError(f"There is no source {full}.")
        return self._sources[full]

    def _port(self, name: str) -> Expression:
        path, _, port = self._full(name).rpartition(".")
        found = self._lowered.ports.get(PortName(path, port))
        if found is None:
            raise NameUnknownError(f"There is no port {name}.")
        return found

    def _full(self, name: str) -> str:
        return name if "/" in name else f"{self._graph.pages[0].name}/{name}"


def _faultless(graph: Graph) -> Lowered:
    """Returns the graph as expressions, or raises the first obstacle to training."""
    inferred = infer_and_measure(graph)
    for problem in inferred.problems:
        if problem.severity == "error":
            raise GradwireError(f"{problem.at}: {problem.message}")
    lowered = lower(inferred)
    if not lowered.losses:
        raise GradwireError("There is no Loss, so there is nothing to train for.")
    for application, error in lowered.failed.items():
        raise GradwireError(f"{lowered.owners[application]}: {error.sentence}")
    for application in lowered.prevented:
        raise GradwireError(f"{lowered.owners[application]}: This block forbids a gradient here.")
    return lowered


def _uses_of_sources(lowered: Lowered) -> Uses:
    """Returns the uses of the blocks whose values may change, by page and id."""
    pages = lowered.inferred.graph.pages
    names = {id(block): f"{page.name}/{name}" for page in pages for name, block in page.blocks.items()}
    found: dict[str, list[Expression]] = {}
    for path, instance in lowered.inferred.expanded.instances.items():
        expression = lowered.ports.get(PortName(path, OUTPUT))
        if expression is not None and (expression.application.type.is_variable or expression.application.type.is_input):
            found.setdefault(names[id(instance.block)], []).append(expression)
    return found


def _with_value(graph: Graph, name: str, array: Array) -> Graph:
    page_name, _, block_id = name.partition("/")
    page = graph.page(page_name)
    block = page.blocks[block_id]
    changed = replace(block, parameters={**block.parameters, VALUE: array})
    pages = [replace(item, blocks={**item.blocks, block_id: changed}) if item is page else item for item in graph.pages]
    return replace(graph, pages=tuple(pages))
