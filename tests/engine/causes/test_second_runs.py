"""Second runs: near the exact numbers in float32, and by other roundings apart in float64."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.causes.second_runs import SecondRun
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.check import in_double, in_single
from tests.engine.cause_graphs import Line, x
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


EPS = float(np.finfo(np.float64).eps)


def moved(line: Line, port: str, series: int = 0) -> Array:
    """Returns by how many units of the last place a second run moves the numbers of a port."""
    run = run_graph(line.graph())
    item = run.lowered.ports[PortName(*f"main/{port}".split("."))]
    first, second = run.results[item], SecondRun(run.results, series).of(item)
    assert first is not None and second is not None
    return np.asarray((second / first - 1) / EPS)


def test_each_number_of_float64_is_moved_by_up_to_two_units_either_way() -> None:
    numbers = x(np.linspace(1, 2, 999)).source("w", np.linspace(0, 1, 999)).then("a", "Add", "w.y")
    for series in range(2):
        found = moved(numbers, "a.z", series)
        # The product and the quotient are rounded, too.
        assert np.abs(found).max() <= 2 + 2 and (found < -1.5).any() and (found > 1.5).any()
        assert abs(found.mean()) < 0.2
    assert not np.array_equal(moved(numbers, "a.z", 0), moved(numbers, "a.z", 1))


def test_sources_and_what_only_moves_or_chooses_numbers_stay_as_they_are() -> None:
    line = x([[1.5, -2.5], [0.5, 3.5]]).source("w", [1.0, 0.5]).then("t", "Transpose").on("x.y").then("m", "ReduceMax")
    line.on("x.y").then("s", "Sort").on("x.y").then("i", "ArgMax", axis=0)
    for port in ("x.y", "t.y", "m.y", "s.y", "i.y"):
        run = run_graph(line.graph())
        item = run.lowered.ports[PortName(*f"main/{port}".split("."))]
        np.testing.assert_array_equal(SecondRun(run.results, 0).of(item), run.results[item])


def test_a_stable_algorithm_gets_inputs_that_are_moved_as_well() -> None:
    found = moved(x(np.linspace(-3, 3, 50)).then("p", "Softmax"), "p.y")
    # Inputs of up to 3 move by 2 units, and the results once more.
    assert 2 < np.abs(found).max() <= 2 * 3 * 2 + 2 + 3


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_number_behind_one_that_fails_is_unknown(dtype: str) -> None:
    line = x(np.zeros((2, 2), dtype)).then("i", "MatrixInverse").then("e", "Exp").on("x.y").then("c", "Cos")
    run = run_graph(line.graph())
    ports = {str(name): item for name, item in run.lowered.ports.items()}
    second = SecondRun(run.results, 0)
    assert second.of(ports["main/i.y"]) is None and second.of(ports["main/e.y"]) is None
    assert second.of(ports["main/c.y"]) is not None


def test_casts_to_narrow_numbers_round_nothing() -> None:
    run = run_graph(x(np.array([1.0, 3.0], np.float32)).source("n", np.array([3.0, 7.0], np.float32))
                    .then("d", "Divide", "n.y").then("c", "Cast", dtype="float16").graph())  # fmt: skip
    (found,) = (SecondRun(run.results, 0).of(run.lowered.ports[PortName("main/c", "y")]),)
    np.testing.assert_array_equal(found, np.array([1 / 3, 3 / 7]))
