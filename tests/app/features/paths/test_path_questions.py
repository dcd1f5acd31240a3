"""The order, the partners and the sum of paths, from branches made by hand."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.features.paths.path_questions import PathsName, _amount, _rows
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.paths import Branch


def branch(name: str, *numbers: float, cuts: tuple[str, ...] = (), is_known: bool = True) -> Branch:
    return Branch((name,), (), 1, np.array(numbers) if is_known else None, cuts)


def test_open_paths_come_first_and_each_kind_by_its_size() -> None:
    branches = [
        branch("cut small", 1.0, cuts=("s",)),
        branch("small", 2.0),
        branch("cut large", -9.0, cuts=("s",)),
        branch("unknown", is_known=False),
        branch("large", -5.0),
    ]
    rows = _rows(branches, [_amount(item, 0) for item in branches])
    assert [row.blocks[0] for row in rows] == ["large", "small", "unknown", "cut large", "cut small"]
    assert [row.amount for row in rows] == [-5.0, 2.0, None, -9.0, 1.0]
    assert [row.partner for row in rows] == [None] * 5


def test_open_paths_that_cancel_are_partners() -> None:
    branches = [branch("a", 3.0), branch("b", -3.0), branch("c", 4.0), branch("d", -4.0, cuts=("s",))]
    rows = _rows(branches, [_amount(item, 0) for item in branches])
    assert [(row.blocks[0], row.partner) for row in rows] == [("c", None), ("a", 2), ("b", 1), ("d", None)]


def test_an_amount_is_that_of_one_element() -> None:
    found = branch("a", 3.0, 5.0)
    assert [_amount(found, element) for element in (0, 1)] == [3.0, 5.0]
    assert _amount(branch("a", is_known=False), 0) is None and _amount(branch("a"), 0) is None


@pytest.mark.parametrize(
    ("element", "size", "found"),
    [(None, 3, 1), (0, 3, 0), (2, 3, 2), (3, 3, 2), (9, 3, 2), (5, 0, 0), (None, 0, 0)],
)
def test_the_element_is_the_chosen_one_or_that_of_the_largest_amounts(
    element: int | None, size: int, found: int
) -> None:
    """NaN counts as nothing: |1| + |−1|, |−4| + |4|, and |9| beside NaN in another order."""
    branches = [branch("a", 1.0, -4.0, 7.0), branch("b", -1.0, 4.0, np.nan), branch("c", is_known=False)]
    assert PathsName(PortName("main/x", "y"), element)._element(branches, size) == found
    assert PathsName(PortName("main/x", "y"))._element(branches[2:], 3) == 0


def test_the_sum_of_open_paths_is_the_gradient() -> None:
    """d/dx of x² + 3x at 2 is 7; through the StopGradient nothing flows."""
    x = gw.Variable(2.0, name="x")
    graph = gw.graph(gw.Loss(gw.Square(x, name="sq") + x * 3.0 + gw.StopGradient(x, name="stop"), name="loss"))
    run = run_graph(graph)
    found = PathsName(PortName("main/x", "y")).answer(run)
    assert found is not None
    assert (found.total, found.cut, found.gradient, found.shape) == (2, 1, 7.0, ())
    assert [bool(row.cuts) for row in found.rows] == [False, False, True]
    assert PathsName(PortName("main/gone", "y")).answer(run) is None
    assert PathsName(Link(PortName("main/x", "y"), PortName("main/loss", "x"))).answer(run) is None
    link = Link(PortName("main/x", "y"), PortName("main/sq", "x"))
    through = PathsName(link).answer(run)
    assert through is not None and (through.total, through.gradient) == (1, 4.0)
