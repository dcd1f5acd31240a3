"""Statuses in bulk equal those of single ports and wires."""

from __future__ import annotations

import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.expression import Expression
from tests.gallery import example_names, run_of_example


@pytest.mark.parametrize("name", example_names())
def test_a_look_at_whole_sums_finds_the_statuses_of_all_tolerances(name: str) -> None:
    run = run_of_example(name)
    whole, sizes, backward = run.tolerances, run.facts, run.lowered.backward
    gradients = {**backward.edges, **backward.totals}

    def by_numbers(gradient: Expression) -> Status:
        found = sizes.of(gradient)
        is_zero = found.largest == 0 and gradient.spec.size > 0
        return Status.NONFINITE if not found.is_finite else Status.ZERO if is_zero else Status.FLOW

    for arrival, gradient in gradients.items():
        expected = whole.status_of_edge(arrival) if isinstance(arrival, Edge) else whole.status_of_total(arrival)
        if expected is not Status.UNKNOWN:
            assert run.rounded.get(arrival, by_numbers(gradient)) is expected
