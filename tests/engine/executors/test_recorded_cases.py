"""Executors: arenas, compiled or not, give the bits of the blocks' own functions for all recorded cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from gradwire.engine.base.array_statistics import COLUMNS, Survey, survey_of
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Plan, Results, make_plan, run
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.traced_array import CASTS, COPIES, INCREMENTS, TAKES
from gradwire.engine.executors.traced_functions import EXTREMES, GREATEST, PUTS
from gradwire.engine.step_compiler.gather_matmul import PRODUCTS
from gradwire.engine.step_compiler.tiled_arena import SUMMED
from tests.recorded import graphs_of_each_wiring, recorded_types, recordings, run_of_recording, runs_of_cases
from tests.sweeps import a_third_of, long


class Expected(NamedTuple):
    """One plan with the steps of several runs, its arrays, and the statistics of those at `floats`."""

    plan: Plan
    values: list[Any]
    floats: list[int]
    survey: Survey


def expected_of(results: Iterable[Results]) -> Expected:
    """Returns what any arena has to give for all runs without a failure."""
    runs = [item for item in results if not item.failures]
    plan = plan_of(runs)
    values = values_of(runs, plan)
    floats = [slot for slot, array in enumerate(values) if array is not None and array.dtype.kind == "f"]
    return Expected(plan, values, floats, survey_of(values)[floats])


def faults_of(expected: Expected) -> list[str]:
    """Returns the blocks whose arrays or statistics differ in one arena."""
    found = Arena(expected.plan, recordings=recordings())
    names = {slot: expression.application.type.name for expression, slot in expected.plan.slots.items()}
    faults = [names[slot] for slot in differing(found.results.values, expected.values)]
    survey = found.survey()[expected.floats]
    for column in COLUMNS:
        far = np.flatnonzero(~are_close(survey, expected.survey, column))
        faults += [f"the {column} of {names[expected.floats[place]]}" for place in far]
    return faults


def plan_of(runs: Sequence[Results]) -> Plan:
    """Returns one plan with the steps of all these runs: arenas lay out each step by itself."""
    forward = [step for item in runs for step in item.plan.steps[: item.plan.forward]]
    roots = [output for step in forward for output in step.application.outputs]
    return make_plan(roots, then=[expression for item in runs for expression in item.plan.slots])


def values_of(runs: Sequence[Results], plan: Plan) -> list[Any]:
    """Returns the arrays of these runs in the order of a plan's slots."""
    known = {expression: item[expression] for item in runs for expression in item.plan.slots}
    return [known[expression] for expression in plan.slots]


def are_close(found: Any, expected: Any, column: str) -> Any:
    """Returns which rows agree up to rounding, since sums are added in another order."""
    allowed = 1e-12 * np.maximum(np.abs(expected["low"]), np.abs(expected["high"]))
    return np.isclose(found[column], expected[column], rtol=1e-12, atol=allowed, equal_nan=True)


def results_of(op: str) -> dict[str, Results]:
    """The results of the blocks' own functions for all recorded cases of a type, which all executors have to give."""
    return {case: run.results for case, run in runs_of_cases(op).items()}


@lru_cache(maxsize=1)
def expected_of_cases(op: str) -> Expected:
    """The results of all recorded cases of a type in one plan."""
    return expected_of(results_of(op).values())


def differing(found: Sequence[Any], expected: Sequence[Any]) -> list[int]:
    pairs = enumerate(zip(found, expected, strict=True))
    return [slot for slot, (array, other) in pairs if not is_same(array, other)]


def is_same(a: Any, b: Any) -> bool:
    """Returns whether arrays agree to the last bit; NaN equals NaN, whatever its sign."""
    has_numbers = a.dtype == b.dtype and a.shape == b.shape
    return has_numbers and (a.tobytes() == b.tobytes() or np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))


def test_the_compiled_loops_are_those_that_are_recorded() -> None:
    compiled = pytest.importorskip(
        "gradwire.engine.executors._arena", reason="no compiler was there when the program was installed"
    )
    chosen = {f"choose_{name.removeprefix('copy_')}" for name in COPIES}
    sums = {f"sum_{name}" for name in SUMMED}
    assert (
        set(compiled.OWN_LOOPS) - PRODUCTS
        == CASTS | COPIES | EXTREMES | GREATEST | INCREMENTS | PUTS | TAKES | chosen | sums
    )


# The executors come one after the other for each type.
@pytest.mark.parametrize("executor", ["compiled", long("bound")], indirect=True)
@pytest.mark.parametrize("op", a_third_of(recorded_types()))
def test_recorded_cases_have_the_same_bits(op: str, executor: str) -> None:
    cases = results_of(op)
    assert cases
    for results in cases.values():
        if results.failures:
            with pytest.raises(BlockError):
                Arena(results.plan)
    # An arena for each case takes much longer, so only a type with faults asks which cases have them.
    faults = faults_of(expected_of_cases(op))
    assert not faults, {case: faults_of(expected_of([results])) for case, results in cases.items()}


@lru_cache(maxsize=1)
def expected_of_graph(name: str) -> Expected:
    """The results of the blocks' own functions for a recorded graph."""
    return expected_of([run_of_recording(name).results])


@pytest.mark.parametrize("executor", ["compiled", "bound"], indirect=True)
@pytest.mark.parametrize("name", a_third_of(graphs_of_each_wiring()))
def test_recorded_graphs_have_the_same_bits(name: str, executor: str) -> None:
    assert not faults_of(expected_of_graph(name))


PLAIN = ("Add", "Subtract", "Multiply", "Divide", "Greater", "GreaterEqual", "Less", "LessEqual", "Equal", "NotEqual")
LARGER_OR_SMALLER = ("Maximum", "Minimum")
SIZES = (1, 7, 8, 16, 128, 129, 300)


def numbers_of(size: int, dtype: str, seed: int) -> Expression:
    """Returns numbers of all magnitudes, including special ones."""
    choose = np.random.default_rng(seed)
    found = choose.normal(size=size) * 10.0 ** choose.integers(-30, 30, size)
    special = choose.choice([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan], size)
    return constant(np.where(choose.random(size) < 0.3, special, found).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_few_elements_have_the_same_bits(dtype: str, executor: str) -> None:
    one, roots = constant(np.array(-0.7, dtype)), []
    for seed, size in enumerate(SIZES):
        x, y = numbers_of(size, dtype, seed), numbers_of(size, dtype, seed + 99)
        pairs = [(x, y), (x, one), (one, y), (x, library["Reverse"](y, axis=[0]))]
        roots += [library[kind](a, b) for kind in (*PLAIN, *LARGER_OR_SMALLER) for a, b in pairs]
        roots += [library[kind](x) for kind in ("Negative", "Square", "Relu")]
        roots += [library["ReduceSum"](library["Stack"](x, y, x, axis=0), axis=[0])]
    plan = make_plan(roots)
    found, expected = Arena(plan).results.values, run(plan).values
    # If both operands are NaN, both executors pass on the same one.
    assert [None if item is None else item.tobytes() for item in found] == [
        None if item is None else item.tobytes() for item in expected
    ]


@pytest.mark.parametrize("channels", [3, 16, 40])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_gradient_of_pooling_has_the_same_bits(dtype: str, channels: int, executor: str) -> None:
    size = 2 * 6 * 6 * channels
    image, g = (library["Reshape"](numbers_of(size, dtype, seed), shape=(2, 6, 6, channels)) for seed in (1, 2))
    roots = []
    for ksize, strides, padding in (((2, 2), (2, 2), "VALID"), ((2, 3), (3, 3), "VALID"), ((3, 3), (1, 2), "SAME")):
        how = {"ksize": ksize, "strides": strides, "padding": padding, "dilations": (1, 1)}
        places = library["PlacesOfMaxima"](image, **how)
        start = library["Slice"](g, begin=(0, 0, 0, 0), size=places.shape)
        roots += [places, library["SpreadToPlaces"](start, places, shape=image.shape, **how)]
    plan = make_plan(roots)
    assert not differing(Arena(plan).results.values, run(plan).values)


def test_shapes_that_depend_on_numbers_may_differ_between_equal_steps(executor: str) -> None:
    marks = [constant(np.array(item)) for item in ([True, True, False], [False, True, False])]
    plan = make_plan(library["WhereIndices"](item) for item in marks)
    assert not differing(Arena(plan).results.values, run(plan).values)


def test_statistics_of_half_precision_alone_are_those_of_numpy(executor: str) -> None:
    plan = make_plan([library["Negative"](constant(np.array([1.5, -2.0], np.float16)))])
    found, expected = Arena(plan).survey(), survey_of(run(plan).values)
    assert all(are_close(found, expected, column).all() for column in COLUMNS)
