"""Reruns of graphs whose pages have gradients of their own: dragged values reach every copy of a rule."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.graph.graph import Graph, same_value
from tests.engine.own_gradients import cube, graph_of, of_cube, scaled
from tests.own_gradient_programs import program


def with_value(graph: Graph, page: str, block: str, value: object) -> Graph:
    whole = graph.page(page)
    parameters = {**whole.blocks[block].parameters, "value": np.asarray(value, float)}
    changed = dataclasses.replace(whole.blocks[block], parameters=parameters)
    return graph.with_page(dataclasses.replace(whole, blocks={**whole.blocks, block: changed}))


def rerun_equals_run(graph: Graph, changed: Graph) -> None:
    values = new_values(graph, changed)
    assert values
    found = Rerun(run_graph(graph)).run(changed, values)
    assert found is not None
    expected = run_graph(changed).snapshot
    for name, port in found.snapshot.ports.items():
        other = expected.ports[name]
        assert same_value(port.value, other.value), name
        assert same_value(port.gradient, other.gradient), name
        assert (port.status, port.by) == (other.status, other.by), name


def test_a_dragged_constant_of_the_giving_page_changes_the_gradient_at_once() -> None:
    graph = of_cube()
    changed = with_value(graph, "cube_gradient", "seven", -2)
    rerun_equals_run(graph, changed)
    assert run_graph(changed).snapshot.port("main/x.y").gradient.tolist() == [-2, 4]


@pytest.mark.parametrize("seed", [1, 6, 11, 24, 44, 118])
def test_dragged_inputs_and_constants_give_what_a_new_run_gives(seed: int) -> None:
    graph = graph_of(program(seed))
    rerun_equals_run(graph, with_value(graph, "main", "i0", [0.3, -0.7, 1.1]))
    for page in graph.pages[1:]:
        for block in page.blocks.values():
            if block.type == "Constant":
                rerun_equals_run(graph, with_value(graph, page.name, block.id, 0.3))


def test_a_changed_giving_page_is_no_change_of_values() -> None:
    graph = of_cube()
    assert new_values(graph, graph.with_page(cube(None))) is None
    assert new_values(graph, graph.with_page(cube("cube"))) is None


def test_an_edit_is_followed_by_a_whole_run() -> None:
    graph = of_cube()
    rerun = Rerun(run_graph(graph))
    assert rerun.update(graph.with_page(dataclasses.replace(scaled(), wires={}))) is None
