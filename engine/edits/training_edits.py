"""Edits of what training changes: the values of Variables, and the plan of training."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from gradwire.engine.base.errors import EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.block_parameters import value_of, with_value
from gradwire.engine.graph.graph import Block, Graph, same_value

# The plan that a graph without one is trained by, written out where it is changed.
USUAL_PLAN: Mapping[str, object] = {"steps": ({"rule": {"type": "adam", "rate": 0.01}},)}


def set_values(graph: Graph, values: Mapping[str, Array]) -> Graph:
    """Returns the graph with other values in some blocks, by `page/id`; names without a block are passed over."""
    changed: dict[str, dict[str, Block]] = {}
    for name, array in values.items():
        page_name, _, block_id = name.partition("/")
        block = graph.page(page_name).blocks.get(block_id) if graph.has_page(page_name) else None
        if block is not None and not same_value(value_of(block), array):
            changed.setdefault(page_name, {})[block_id] = with_value(block, array)
    pages = tuple(
        dataclasses.replace(page, blocks={**page.blocks, **changed[page.name]}) if page.name in changed else page
        for page in graph.pages
    )
    return dataclasses.replace(graph, pages=pages) if changed else graph


def set_plan(graph: Graph, plan: Mapping[str, object] | None) -> Graph:
    """Returns the graph with another plan of training; None removes it."""
    return graph if same_value(plan, graph.training) else dataclasses.replace(graph, training=plan)


def set_in_plan(graph: Graph, key: str, value: object) -> Graph:
    """Returns the graph with one key of its plan changed; None removes the key."""
    return set_plan(graph, _with(graph.training or USUAL_PLAN, key, value))


def set_rounds(graph: Graph, count: int) -> Graph:
    """Returns the graph whose plan ends after so many rounds, besides its conditions."""
    until = (graph.training or USUAL_PLAN).get("until")
    return set_in_plan(graph, "until", {**(until if isinstance(until, Mapping) else {}), "steps": count})


def set_in_step(graph: Graph, number: int, key: str, value: object) -> Graph:
    """Returns the graph with one key of a step of its plan changed; None removes the key.

    Raises: EditError if there is no such step.
    """
    plan = graph.training or USUAL_PLAN
    steps = _steps(plan)
    if not 0 <= number < len(steps):
        raise EditError(f"The plan of training has no step {number + 1}.")
    steps[number] = _with(steps[number], key, value)
    return set_plan(graph, {**plan, "steps": tuple(steps)})


def add_step(graph: Graph, loss: str | None) -> Graph:
    """Returns the graph with a further step, for a loss, at the end of its plan."""
    plan = graph.training or USUAL_PLAN
    step = {"loss": loss, "rule": {"type": "adam", "rate": 0.01}}
    return set_plan(graph, {**plan, "steps": (*_steps(plan), step)})


def remove_step(graph: Graph, number: int) -> Graph:
    """Returns the graph without a step of its plan.

    Raises: EditError if it is the only one, or there is no such step.
    """
    plan = graph.training or USUAL_PLAN
    steps = _steps(plan)
    if not 0 <= number < len(steps) or len(steps) == 1:
        raise EditError("A plan of training has at least one step.")
    return set_plan(graph, {**plan, "steps": tuple(step for place, step in enumerate(steps) if place != number)})


def _steps(plan: Mapping[str, object]) -> list[Mapping[str, object]]:
    steps = plan.get("steps", USUAL_PLAN["steps"])
    return [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list | tuple) else []


def _with(record: Mapping[str, object], key: str, value: object) -> dict[str, object]:
    rest = {name: item for name, item in record.items() if name != key}
    return rest if value is None else {**record, key: value}
