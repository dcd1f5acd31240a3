"""The last curved block before the loss, behind which only sums, means and weights of other sources follow."""

from __future__ import annotations

import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.causes.optimum import LossTail
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x


def start() -> Line:
    return x([1.0, 2.0], "Variable").source("w", [3.0, 4.0], "Constant")


# Graphs, the wire that is asked about, and whether it leads into the last curved block.
ENDS: dict[str, tuple[Graph, str, bool]] = {
    "a square": (start().then("s", "Square").loss(), "s.x", True),
    "a square, averaged": (start().then("s", "Square").then("m", "ReduceMean").loss(), "s.x", True),
    "a square, weighted": (start().then("s", "Square").then("m", "Multiply", "w.y").loss(), "s.x", True),
    "a square, weighted by the loss": (start().then("s", "Square").then("loss", "Loss", "w.y").graph(), "s.x", True),
    "a square of what another source shifts": (
        start().then("d", "SquaredDifference", "w.y").loss(), "d.x", True,
    ),
    "a square, before another curve": (start().then("s", "Square").then("e", "Exp").loss(), "s.x", False),
    "the other curve": (start().then("s", "Square").then("e", "Exp").loss(), "e.x", True),
    "a square, times its root": (start().then("s", "Square").then("m", "Multiply", "x.y").loss(), "s.x", False),
    "a square, added to its root": (start().then("s", "Square").then("a", "Add", "x.y").loss(), "s.x", True),
    "a line": (start().then("n", "Negative").loss(), "n.x", False),
    "a product with another source": (start().then("m", "Multiply", "w.y").loss(), "m.x", False),
    "a product with itself": (start().then("m", "Multiply", "x.y").loss(), "m.x", True),
    "one of two outputs": (start().then("m", "Moments", axes=[0]).on("m.variance").loss(), "m.x", True),
    "both outputs, one of which curves further on": (
        start().then("m", "Moments", axes=[0]).then("e", "Exp").then("a", "Add", "m.variance").loss(), "m.x", False,
    ),
    "a square, of which one part is used": (
        start().then("s", "Square").then("p", "Split", num_or_size_splits=2).loss(), "s.x", True,
    ),
    "a square of nothing that the first source feeds": (
        start().then("first", "Loss").on("w.y").then("s", "Square").loss(), "s.x", True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_the_last_curved_block_shares_no_source_with_what_follows(name: str) -> None:
    graph, target, is_bottom = ENDS[name]
    lowered = run_graph(graph).lowered
    edge = lowered.edges[PortName(f"main/{target[0]}", target[2:])]
    assert LossTail(lowered.backward, lowered.losses).is_bottom(edge) is is_bottom
