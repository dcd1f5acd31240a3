"""Numbers of a step that change with the round: batches of data and noise, each a function of seed and round."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from gradwire.engine.autodiff.expand import PortName, expand
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.draw import Draw, Moment, Parameters, Recipe, Writer
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph
from gradwire.engine.step_compiler.training_plan import TrainingPlan


class Draws:
    """Blocks of a graph that draw numbers anew, with the constants that stand for these numbers.

    `numbers` has the constants by the path of the block, `facts` the counts of rows and batches.
    """

    def __init__(self, inferred: Inferred, seed: int, step: str) -> None:
        self._moment = Moment(seed, step)
        self.numbers: dict[str, tuple[Expression, ...]] = {}
        self.facts: dict[str, Mapping[str, int]] = {}
        self._given: dict[str, tuple[Draw, Parameters]] = {}
        self._writers: dict[str, Writer] = {}
        self._often: list[Callable[[Moment], None]] = []
        self._seldom: list[Callable[[Moment], None]] = []
        self._of_round: set[str] = set()
        self._drawn: int | None = None
        for path, instance in inferred.expanded.instances.items():
            draw = None if instance.type is None or instance.is_muted else instance.type.draw
            if draw is None or not inferred.is_computable(path) or not draw.changes(inferred.parameters[path]):
                continue
            parameters = inferred.parameters[path]
            outputs = [inferred.specs[PortName(path, name)] for name in inferred.outputs[path]]
            specs = draw.specs(outputs, parameters)
            self.numbers[path] = tuple(constant(np.zeros(spec.shape, spec.dtype)) for spec in specs)
            self._given[path] = draw, parameters
            self._writers[path] = draw.writer(parameters, path)
            self.facts |= {path: draw.facts(parameters)} if draw.facts is not None else {}
            self._of_round |= {path} if draw.is_of_round else set()

    @property
    def recipes(self) -> dict[str, Recipe | None]:
        """What each block draws, in words; None where only NumPy can draw it."""
        return {path: draw.recipe(parameters) for path, (draw, parameters) in self._given.items()}

    @property
    def sources(self) -> list[Expression]:
        """Constants that change."""
        return [item for items in self.numbers.values() for item in items]

    def attach(self, plan: TrainingPlan) -> None:
        """Lets the numbers go to the memory of a plan; those that it does not need are not drawn."""
        for path, items in self.numbers.items():
            if any(map(plan.has_source, items)):
                targets = [
                    plan.source(item) if plan.has_source(item) else np.empty(item.shape, item.dtype) for item in items
                ]
                waiting = self._seldom if path in self._of_round else self._often
                waiting.append(_into(self._writers[path], targets))

    def draw(self, number: int, repetition: int) -> None:
        """Draws the numbers of a repetition in a round; those of the round only once."""
        if not self._often and (not self._seldom or self._drawn == number):
            return
        moment = Moment(self._moment.seed, self._moment.step, repetition, number)
        if self._drawn != number:
            for write in self._seldom:
                write(moment)
            self._drawn = number
        for write in self._often:
            write(moment)


def batches_of(graph: Graph) -> Iterator[Mapping[str, int]]:
    """Yields the counts of rows and batches of the data blocks whose batch changes with the round."""
    for instance in expand(graph).instances.values():
        draw = None if instance.type is None or instance.is_muted else instance.type.draw
        if instance.type is None or draw is None or draw.facts is None:
            continue
        with contextlib.suppress(BlockError):
            given = instance.type.normalize(instance.block.parameters)
            if draw.changes(given):
                yield draw.facts(given)


def shown_at(graph: Graph, moment: Moment) -> Graph:
    """Returns a graph whose blocks show, outside of training, the numbers that they draw at a moment of it.

    A page that is used twice shows in both places the numbers of the first.
    """
    names = {id(block): f"{page.name}/{name}" for page in graph.pages for name, block in page.blocks.items()}
    for path, instance in expand(graph).instances.items():
        name = names.pop(id(instance.block), None)
        if name is None or instance.type is None or instance.type.draw is None:
            continue
        try:
            given = instance.type.normalize(instance.block.parameters)
            changed = instance.type.draw.at(given, moment, path)
        except BlockError:
            continue
        graph = with_parameters(graph, name, changed) if changed else graph
    return graph


def _into(writer: Writer, targets: Sequence[Array]) -> Callable[[Moment], None]:
    return lambda moment: writer(moment, targets)
