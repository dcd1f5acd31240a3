"""Second runs: near the exact numbers in float32, and by other roundings apart in float64."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.causes.second_runs import SecondRun
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.check import in_double, in_single
from tests.gallery import example


@pytest.mark.parametrize("name", ["attention", "rnn20", "xor_221_good"])
def test_a_second_run_of_float32_has_the_numbers_of_float64(name: str) -> None:
    graph = in_single(example(name))
    single, double = run_graph(graph), run_graph(in_double(graph))
    run = SecondRun(single.results, 0)
    for item, other in zip(single.results.plan.slots, double.results.plan.slots, strict=True):
        found, exact = run.of(item), double.results[other]
        assert found is not None and exact is not None
        np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-12)
    assert run.is_exact


def test_second_runs_of_float64_differ_by_roundings() -> None:
    result = run_graph(example("attention"))
    runs = [SecondRun(result.results, series) for series in range(2)]
    (loss,) = result.lowered.losses
    exact = result.results[loss]
    first, second = (run.of(loss) for run in runs)
    assert first is not None and second is not None and exact is not None
    assert first != second
    np.testing.assert_allclose([first, second], [exact, exact], rtol=1e-12)
    assert not runs[0].is_exact
