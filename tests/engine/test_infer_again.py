"""After any edit, what is inferred out of the graph before is what is inferred from the start."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given

from app.examples import example_names, example_path
from benchmarks.engine import random_graph
from engine import edits, wire_edits
from engine.errors import EditError
from engine.files import load
from engine.graph import Graph, Port, Wire, same_value
from engine.infer import Inferred, infer_specs
from engine.infer_again import Touched, infer_again
from engine.library import library
from tests.engine.edit_sequences import SEQUENCES, Step, rich_graph

Edit = Callable[[Graph, random.Random], Graph]


def facts(known: Inferred) -> tuple[object, ...]:
    """All that is known, less the order of what has none."""
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
    """Each instance comes after those it depends on, and each wire in the order of where it ends."""
    expanded = known.expanded
    rows = {path: row for row, path in enumerate(expanded.instances)}
    for path, item in expanded.instances.items():
        assert all(rows[source.path] < rows[path] for source in item.inputs.values() if source.path in rows)
    places = [expanded.places[path] for path in expanded.instances]
    assert places == sorted(set(places))
    ends = [rows[link.target.path] for link in expanded.links]
    assert ends == sorted(ends)


def assert_touched(before: Inferred, after: Inferred, touched: Touched) -> None:
    """What is said to be as it was is as it was."""
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
    """What is known of a graph, inferred both ways if that is possible, and whether it was."""
    whole, kept = infer_specs(graph), tuple(copy.copy(item) for item in facts(before))
    again = infer_again(before, graph)
    assert same_value(facts(before), kept)
    if again is None:
        return whole, False
    assert same_value(facts(again[0]), facts(whole))
    assert_sorted(again[0])
    assert_touched(before, *again)
    return again[0], True


SEEN = Counter[bool]()


@given(SEQUENCES)
def test_pages_derivatives_and_losses_are_inferred_again_as_from_the_start(steps: list[Step]) -> None:
    known = infer_specs(rich_graph())
    for step in steps:
        graph = step(known.graph)
        if graph is not known.graph:
            known, was_again = check(known, graph)
            SEEN[was_again] += 1


def _any(graph: Graph, choose: random.Random) -> str:
    return choose.choice(list(graph.pages[0].blocks))


def _any_wire(graph: Graph, choose: random.Random) -> Wire:
    return choose.choice(list(graph.pages[0].wires.values()) or [Wire(Port("nobody", "y"), Port("nobody", "x"))])


def _connect(graph: Graph, choose: random.Random) -> Graph:
    page, source = graph.pages[0], _any(graph, choose)
    kinds = {name: library.get(page.blocks[name].type) for name in (source, _any(graph, choose))}
    *_, target = kinds
    outputs, inputs = kinds[source], kinds[target]
    if outputs is None or inputs is None or not outputs.outputs or not inputs.inputs:
        return graph
    port = choose.choice(inputs.inputs)
    name = f"{port.name}_{choose.randrange(3)}" if port.variadic else port.name
    return edits.connect(graph, page.name, Port(source, outputs.output_names(1)[0]), Port(target, name))


def _insert(graph: Graph, choose: random.Random) -> Graph:
    kind = choose.choice(["Tanh", "Add", "ReduceSum", "StopGradient", "Reshape"])
    graph, name = edits.add_block(graph, graph.pages[0].name, kind)
    return wire_edits.insert_block(graph, graph.pages[0].name, name, _any_wire(graph, choose))


def _paste(graph: Graph, choose: random.Random) -> Graph:
    ids = set(choose.sample(list(graph.pages[0].blocks), min(6, len(graph.pages[0].blocks))))
    return edits.paste(graph, graph.pages[0].name, edits.copy_blocks(graph, graph.pages[0].name, ids), (8, 8))[0]


def _set_shape(graph: Graph, choose: random.Random) -> Graph:
    sources = [block.id for block in graph.pages[0].blocks.values() if block.type in ("Input", "Variable")]
    value = choose.choice([1.0, [1.0, 2.0], [[1.0], [2.0]]])
    return edits.set_parameter(graph, graph.pages[0].name, choose.choice(sources or ["nobody"]), "value", value)


def _several(graph: Graph, choose: random.Random) -> Graph:
    for _ in range(4):
        graph = EDITS[choose.choice([name for name in EDITS if name != "several"])](graph, choose)
    return graph


EDITS: dict[str, Edit] = {
    "connect": _connect,
    "insert": _insert,
    "paste": _paste,
    "set shape": _set_shape,
    "several": _several,
    "disconnect": lambda graph, choose: edits.disconnect(graph, graph.pages[0].name, _any_wire(graph, choose).target),
    "remove": lambda graph, choose: edits.remove_blocks(graph, graph.pages[0].name, _any(graph, choose)),
    "rename": lambda graph, choose: edits.rename_block(graph, graph.pages[0].name, _any(graph, choose), "other"),
    "mute": lambda graph, choose: edits.set_muted(
        graph, graph.pages[0].name, _any(graph, choose), bool(choose.randrange(4))
    ),
    "move": lambda graph, choose: edits.move_blocks(graph, graph.pages[0].name, {_any(graph, choose): (1, 2)}),
    "label": lambda graph, choose: edits.set_label(graph, graph.pages[0].name, _any(graph, choose), "A name"),
}


def random_edits(graph: Graph, seed: int, count: int) -> Counter[bool]:
    """Checks some random edits, one after the other; counts those inferred again, and those from the start."""
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


@pytest.mark.parametrize("name", example_names())
def test_examples_are_inferred_again_as_from_the_start(name: str) -> None:
    seen = random_edits(load(example_path(name)).graph, 1, 15)
    assert seen.total() > 3


@pytest.mark.parametrize("seed", range(4))
def test_most_edits_of_a_page_that_nobody_uses_are_inferred_again(seed: int) -> None:
    seen = random_edits(random_graph(60, seed), seed, 60)
    assert seen[True] > 25 and seen[True] > 9 * seen[False]
