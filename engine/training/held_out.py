"""Losses and metrics of the rows that training holds back, by the same graph with these rows in its data blocks."""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.draw import Draw
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.training.compiled_step import CompiledStep
from gradwire.engine.training.plan import Plan, Step


class HeldOut:
    """Graph of a plan with the test part in its data blocks, compiled once for that shape.

    Raises: GradwireError if no block holds back rows, or the graph does not fit their number.
    """

    def __init__(self, graph: Graph, plan: Plan, threads: int = 1, ignored_stops: Set[str] = frozenset()) -> None:
        if not has_rows(graph):
            raise GradwireError("The plan has test_every, but no Data block holds back rows.")
        graph = with_test_part(graph)
        losses = dict.fromkeys(step.loss for step in plan.steps if step.rule is not None) or {None: None}
        self._steps: dict[str | None, CompiledStep] = {}
        self._ports: dict[str, CompiledStep] = {}
        for number, loss in enumerate(losses):
            # One of them measures the ports too.
            ports = plan.metrics if number == 0 else ()
            try:
                step = CompiledStep(graph, Step("test", loss=loss), ports, threads, ignored_stops, plan.seed)
            except GradwireError as error:
                raise GradwireError(f"With the test part: {error}") from error
            self._steps[loss] = step
            self._ports |= dict.fromkeys(ports, step)
        self._names = {step.name: step.loss for step in plan.steps if step.rule is not None}

    def measured(self, number: int, values: Mapping[str, Array]) -> dict[str, float]:
        """Returns the losses by step and the metrics by port, in a round, with these values of the sources."""
        for step in self._steps.values():
            for name, value in values.items():
                for view in step.views(name):
                    np.copyto(view, value)
            step.draw(number, 0)
            step.compute(0.0)
        losses = {name: self._steps[loss].loss for name, loss in self._names.items()}
        found = {name: float(loss) for name, loss in losses.items() if loss is not None}
        return found | {port: float(step.value(port)) for port, step in self._ports.items()}


def has_rows(graph: Graph) -> bool:
    """Returns whether a block gives rows, some of which may be held back."""
    blocks = (block for page in graph.pages for block in page.blocks.values())
    return any(draw.is_of_rows for draw in map(_draw_of, blocks) if draw is not None)


def with_test_part(graph: Graph) -> Graph:
    """Returns the graph as it is tested: with the rows held back in its data blocks, and without noise of training."""
    for page in graph.pages:
        for name, block in page.blocks.items():
            draw = _draw_of(block)
            if draw is not None and draw.in_test:
                graph = with_parameters(graph, f"{page.name}/{name}", draw.in_test)
    return graph


def _draw_of(block: Block) -> Draw | None:
    block_type = library.get(block.type)
    return None if block_type is None else block_type.draw
