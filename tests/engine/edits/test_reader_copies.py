"""A constant for each reader: the numbers stay, and each constant has one reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits.reader_copies import copies_for_readers, is_constant, readers_of
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block
from tests.engine.edit_sequences import SEQUENCES, Step, after
from tests.recorded import make_graph

SHARED = Path(__file__).parent.parent.parent / "data" / "field" / "54_shared_constant_wires.graph"


def test_forty_readers_have_forty_constants_and_the_same_numbers() -> None:
    graph = load(SHARED).graph
    changed, own = copies_for_readers(graph, "main", "shared")
    page = changed.page("main")
    assert len(own) == len(set(own.values())) == 40
    assert all(readers_of(page, name) == [reader] for reader, name in own.items())
    before, later = evaluate(graph), evaluate(changed)
    assert before.loss is not None and later.loss is not None and before.loss.value == later.loss.value
    np.testing.assert_array_equal(before.port("main/x.y").gradient, later.port("main/x.y").gradient)
    parts = [later.port(f"main/{name}.y").gradient for name in own.values()]
    np.testing.assert_allclose(sum(parts), before.port("main/shared.y").gradient, rtol=1e-14)


@given(SEQUENCES)
def test_copies_change_no_number_of_any_graph(steps: list[Step]) -> None:
    graph = after(steps)
    page = graph.pages[0]
    for name in sorted(page.blocks):
        if is_constant(page.blocks[name]) and len(readers_of(page, name)) > 1:
            try:
                changed, own = copies_for_readers(graph, page.name, name)
            except EditError:
                continue  # A Gradients block reads it.
            before, later = evaluate(graph), evaluate(changed)
            assert len(set(own.values())) == len(readers_of(page, name))
            for port in before.ports.keys() - {item for item in before.ports if item.path == f"{page.name}/{name}"}:
                np.testing.assert_array_equal(before.ports[port].value, later.ports[port].value)
                np.testing.assert_array_equal(before.ports[port].gradient, later.ports[port].gradient)


@pytest.mark.parametrize(
    ("kind", "readers", "said"),
    [
        ("Variable", ["Exp", "Exp"], "no constant"),
        ("Input", ["Exp", "Exp"], "no constant"),
        ("RandomUniformInt", ["Identity", "Identity"], "no constant"),
        ("Constant", ["Exp"], "fewer than two readers"),
    ],
)
def test_a_block_that_cannot_have_copies_says_why(kind: str, readers: list[str], said: str) -> None:
    blocks = [Block("c", kind), *(Block(f"r{number}", name) for number, name in enumerate(readers))]
    graph = make_graph(blocks, [("c.y", f"r{number}.x") for number in range(len(readers))])
    with pytest.raises(EditError, match=said):
        copies_for_readers(graph, "main", "c")


def test_what_a_block_differentiates_by_stays_one() -> None:
    blocks = [
        Block("c", "Constant", parameters={"value": np.array(2.0)}),
        Block("s", "Square"),
        Block("g", "Gradients"),
    ]
    graph = make_graph(blocks, [("c.y", "s.x"), ("s.y", "g.y"), ("c.y", "g.xs_0")])
    with pytest.raises(EditError, match='Gradients "g" differentiates by Constant "c"'):
        copies_for_readers(graph, "main", "c")
