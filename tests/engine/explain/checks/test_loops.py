"""The gradient check goes into every round of a loop."""

from __future__ import annotations

import pytest

from gradwire.engine.edits import edits
from gradwire.engine.explain.checks.check import check_gradients
from tests.engine.loop_graphs import random_loop, recurrence
from tests.sweeps import a_third_of


@pytest.mark.parametrize("seed", a_third_of(range(0, 30, 3)))
def test_the_check_of_a_loop_agrees_with_that_of_its_pages(seed: int) -> None:
    graph = random_loop(seed)
    found, wanted = check_gradients(graph), check_gradients(edits.unroll(graph, "main", "rec")[0])
    assert not found.mismatches and not wanted.mismatches


def test_the_check_compares_every_wire_of_every_round() -> None:
    found = check_gradients(recurrence())
    # Five wires of each of four rounds lead to the loss, three between rounds, three into the loop and one out of it.
    assert (found.wires, found.mismatches) == (4 * 5 + 3 + 3 + 1, ())
