"""Incremental inference: after any edit it equals a full inference."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.autodiff.infer_update import Touched, known_after, retold, update_inference
from gradwire.engine.autodiff.lower import infer_and_measure
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire, changes, same_value
from tests.engine.edit_sequences import SEQUENCES, Step, after, rich_graph
from tests.engine.random_edits import EDITS
from tests.gallery import example, examples_of_each_wiring
from tests.random_graphs import random_graph
from tests.recorded import make_graph
from tests.sweeps import a_third_of


def facts(known: Inferred) -> tuple[object, ...]:
    """Returns everything known, sorted where order has no meaning."""
    expanded = known.expanded
    return (
        known.specs, known.parameters, known.inputs, known.outputs, known.passing, known.losses, set(known.leading),
        {path: (item.block, item.type, item.inputs, item.is_muted, item.is_used, item.is_entered)
         for path, item in expanded.instances.items()},
        set(expanded.links), len(expanded.links), expanded.broken, expanded.unused, expanded.special,
        {path: sorted(paths) for path, paths in expanded.consumers.items() if paths},
        Counter(known.problems),
    )  # fmt: skip


def assert_sorted(known: Inferred) -> None:
    """Asserts that instances follow their producers, and wires the order of their ends."""
    expanded = known.expanded
    rows = {path: row for row, path in enumerate(expanded.instances)}
    for path, item in expanded.instances.items():
        assert all(rows[source.path] < rows[path] for source in item.inputs.values() if source.path in rows)
    places = [expanded.places[path] for path in expanded.instances]
    assert places == sorted(set(places))
    ends = [rows[link.target.path] for link in expanded.links]
    assert ends == sorted(ends)


def assert_touched(before: Inferred, after: Inferred, touched: Touched) -> None:
    """Asserts that everything outside `touched` is unchanged."""
    old, new = before.expanded.instances, after.expanded.instances
    assert touched.removed == old.keys() - new.keys()
    assert new.keys() - old.keys() <= touched.paths <= new.keys()
    for path in new.keys() - touched.paths:
        assert old[path].type is new[path].type and old[path].is_muted == new[path].is_muted
        assert before.parameters.get(path) is after.parameters.get(path)
        assert before.inputs.get(path) is after.inputs.get(path)
        assert before.outputs.get(path) is after.outputs.get(path)
        for arrival in after.inputs.get(path, ()):
            assert arrival.source is None or before.specs.get(arrival.source) == after.specs.get(arrival.source)


def check(before: Inferred, graph: Graph) -> tuple[Inferred, bool]:
    """Infers a graph both ways if possible; returns the result, and whether the incremental way worked."""
    whole, kept = infer_specs(graph), tuple(copy.copy(item) for item in facts(before))
    again = update_inference(before, graph)
    assert same_value(facts(before), kept)
    if again is None:
        return whole, False
    assert same_value(facts(again[0]), facts(whole))
    assert_sorted(again[0])
    assert_touched(before, *again)
    return again[0], True


@given(SEQUENCES)
def test_pages_derivatives_and_losses_are_inferred_again_as_from_the_start(steps: list[Step]) -> None:
    known = infer_specs(rich_graph())
    for step in steps:
        graph = step(known.graph)
        if graph is not known.graph:
            known, _ = check(known, graph)


def random_edits(graph: Graph, seed: int, count: int) -> Counter[bool]:
    """Checks some random edits in sequence; counts incremental and full inferences."""
    choose, known, seen = random.Random(seed), infer_specs(graph), Counter[bool]()
    for _ in range(count):
        try:
            edited = EDITS[choose.choice(list(EDITS))](known.graph, choose)
        except EditError:
            continue
        if edited is not known.graph and edited.pages[0].blocks:
            known, was_again = check(known, edited)
            seen[was_again] += 1
    return seen


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring()))
def test_examples_are_inferred_again_as_from_the_start(name: str) -> None:
    seen = random_edits(example(name), 1, 15)
    assert seen[True] > seen[False]


@pytest.mark.parametrize("seed", a_third_of(range(4)))
def test_most_edits_of_a_page_that_nobody_uses_are_inferred_again(seed: int) -> None:
    seen = random_edits(random_graph(60, seed), seed, 60)
    assert seen[True] > 25 and seen[True] > 9 * seen[False]


def test_what_is_the_same_instance_is_known_as_before() -> None:
    before = infer_specs(random_graph(40))
    after = known_after(before, edits.set_parameter(before.graph, "main", "b3", "value", [1.0, 2.0]))
    told = retold(before, after)
    assert told == update_inference(before, after.graph)[1].paths  # type: ignore[index]
    for path in after.expanded.instances.keys() - told:
        for name in after.outputs[path]:
            assert after.specs[PortName(path, name)] == before.specs[PortName(path, name)]


def test_a_wire_against_the_order_is_drawn_and_a_circle_is_not() -> None:
    blocks = [Block(name, "Add") for name in "abcd"]
    graph = make_graph(blocks, [("a.z", "b.x"), ("c.z", "d.x")])
    joined = edits.connect(graph, "main", Port("d", "z"), Port("a", "x"))
    known, was_again = check(infer_specs(graph), joined)
    assert was_again
    page = joined.page("main")
    circle = Wire(Port("b", "z"), Port("c", "y"))
    assert (
        update_inference(
            known, joined.with_page(dataclasses.replace(page, wires={**page.wires, circle.target: circle}))
        )
        is None
    )


def masked() -> Graph:
    """Returns a mask that determines a tensor's length, beside an independent chain."""
    blocks = [
        Block("x", "Input", parameters={"value": np.arange(4.0)}),
        Block("m", "Greater"),
        Block("zero", "Input", parameters={"value": np.array(1.0)}),
        Block("some", "BooleanMask"),
        Block("half", "Tanh"),
        Block("loss", "Loss"),
        Block("y", "Input", parameters={"value": np.arange(3.0)}),
        Block("beside", "Tanh"),
    ]
    wires = [("x.y", "m.x"), ("zero.y", "m.y"), ("x.y", "some.tensor"), ("m.z", "some.mask"), ("some.y", "half.x")]
    return make_graph(blocks, [*wires, ("half.y", "loss.x"), ("y.y", "beside.x")])


def test_what_depends_on_values_is_not_told_from_specs() -> None:
    before = infer_and_measure(masked())
    assert before.specs[PortName("main/half", "y")].shape == (2,)
    beside = edits.set_muted(before.graph, "main", "beside", True)
    again = update_inference(before, beside)
    assert again is not None
    assert again[0].specs == infer_and_measure(beside).specs
    assert update_inference(before, edits.set_parameter(before.graph, "main", "zero", "value", 2.0)) is None
    window = infer_specs(masked())
    assert window.awaiting == {"main/some", "main/half", "main/loss"}
    check(window, edits.set_parameter(before.graph, "main", "zero", "value", 2.0))


def test_a_hint_is_to_blame_for_nothing_that_a_run_will_tell() -> None:
    hinted = infer_specs(edits.set_muted(masked(), "main", "x", True))
    assert [(problem.severity, problem.at) for problem in hinted.problems] == [("info", "main/x")]
    assert hinted.awaiting == {"main/some", "main/half", "main/loss"}


@given(SEQUENCES)
def test_changes_are_what_differs_by_identity(steps: list[Step]) -> None:
    old = rich_graph()
    new = after(steps)
    for name, change in changes(old, new).items():
        pages = [graph.page(name) if graph.has_page(name) else Page(name) for graph in (old, new)]
        before, now = (page.blocks for page in pages)
        assert change.added == now.keys() - before.keys()
        assert change.removed == before.keys() - now.keys()
        assert change.changed == {name for name in now.keys() & before.keys() if now[name] is not before[name]}
        gone, come = ({*page.wires.values(), *page.surplus} for page in pages)
        assert (change.wires_removed, change.wires_added) == (gone - come, come - gone)
