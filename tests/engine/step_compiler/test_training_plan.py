"""Plan for training: it equals the editor's plan, needs little memory, and gives reproducible bits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Results, make_plan, run
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.executors import numpy_program
from gradwire.engine.executors.chosen import EXECUTOR, OWN_LOOPS
from gradwire.engine.executors.ufunc_loops import Call
from gradwire.engine.step_compiler import call_list, fusion, gather_matmul, sharing, tiled_arena
from gradwire.engine.step_compiler.call_list import CallList
from gradwire.engine.step_compiler.common_subexpressions import drop_duplicates
from gradwire.engine.step_compiler.gather_matmul import FORMS, PRODUCTS
from gradwire.engine.step_compiler.training_plan import TrainingPlan
from tests.recorded import graphs_of_each_wiring, recorded_types, recordings, run_of_recording, runs_of_cases
from tests.sweeps import a_third_of, long

TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2}


EXECUTORS = ["tiles", "small tiles", "bound"]


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Executor: compiled; compiled with tiny tiles, so that small graphs have regions, too; or NumPy."""
    if request.param == "bound":
        monkeypatch.setattr(tiled_arena, "Program", numpy_program.Program)
    elif EXECUTOR != "compiled":
        pytest.skip("no compiler was there when the program was installed")
    elif request.param == "small tiles":
        use_small_tiles(monkeypatch)
    return str(request.param)


def use_small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in {"SMALLEST": 2, "TILE": 2, "LEAST_TILES": 1, "MOST_CHUNKS": 3}.items():
        monkeypatch.setattr(fusion, name, number)
    monkeypatch.setattr(tiled_arena, "SHARED", 0)
    monkeypatch.setattr(gather_matmul, "DIVISIBLE", 1)


@pytest.fixture(autouse=True)
def _threads_share_from_the_first_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that several threads share, however fast it is alone."""
    monkeypatch.setattr(sharing, "TRIED", 0)


def faults_of(keep: Iterable[Expression], expected: Results | Mapping[Expression, Any], threads: int) -> list[str]:
    """Returns the expressions whose second run differs from the blocks' own functions."""
    plan = TrainingPlan(keep, threads=threads)
    plan.run()
    plan.run()
    return [repr(item) for item in keep if not is_close(plan[item], expected[item])]


def is_close(found: Any, expected: Any) -> bool:
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if found.tobytes() == expected.tobytes():
        return True
    if (is_equal := np.array_equal(found, expected)) or expected.dtype.kind != "f":
        return is_equal
    tolerance = TOLERANCES[expected.dtype.name]
    with np.errstate(invalid="ignore"):
        # Cancellation leaves rounding errors of the terms, which are about 1 here.
        largest = float(np.max(np.abs(expected), where=np.isfinite(expected), initial=1.0))
        return np.allclose(found, expected, rtol=tolerance, atol=tolerance * largest, equal_nan=True)


def wanted_of(evaluation: Evaluation) -> list[Expression]:
    """Returns the losses and gradients of an evaluation; everything if it has none."""
    lowered = evaluation.lowered
    return [*lowered.losses, *lowered.backward.totals.values()] or list(evaluation.results.plan.slots)


def faults_of_evaluation(evaluation: Evaluation, threads: int) -> list[str]:
    """Returns the faults of a plan for losses and gradients, and of one that keeps all."""
    results = evaluation.results
    if results.failures:
        return []
    # Where there is no loss, both are the same.
    plans = dict.fromkeys([tuple(wanted_of(evaluation)), tuple(results.plan.slots)])
    return [fault for keep in plans for fault in faults_of(keep, results, threads)]


def all_of(evaluation: Evaluation) -> list[Expression]:
    return list(evaluation.results.plan.slots)


def faults_of_one_plan(
    runs: Iterable[Evaluation], keep: Callable[[Evaluation], Iterable[Expression]] = wanted_of
) -> list[str]:
    """Returns the faults of one plan for all evaluations without a failure: for their losses and gradients, or all."""
    expected = {item: run.results[item] for run in runs if not run.results.failures for item in keep(run)}
    return faults_of(expected, expected, 1)


# The executors come one after the other for each type. NumPy's calls are tried on graphs: here they would be those
# of its arena, as without regions each call is by itself.
@pytest.mark.parametrize("executor", [long("tiles"), "small tiles"], indirect=True)
@pytest.mark.parametrize("op", a_third_of(recorded_types(), 2))
def test_recorded_cases_are_as_in_the_editor(op: str, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_list, "Recordings", recordings)
    cases = runs_of_cases(op)
    assert cases
    # A plan that keeps all and has no regions has the calls of an arena, whose bits test_recorded_cases.py
    # of the executors compares for the same cases with either program.
    for keep in (wanted_of, all_of) if executor == "small tiles" else (wanted_of,):
        faults = faults_of_one_plan(cases.values(), keep)
        assert not faults, {case: faults_of_one_plan([item], keep) for case, item in cases.items()}


@pytest.mark.parametrize("executor", EXECUTORS, indirect=True)
@pytest.mark.parametrize("name", a_third_of(graphs_of_each_wiring(), 2))
def test_recorded_graphs_are_as_in_the_editor(name: str, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_list, "Recordings", recordings)
    evaluation = run_of_recording(name)
    if executor == "small tiles":
        assert not faults_of_evaluation(evaluation, 2)
    elif not evaluation.results.failures:
        # As for cases: without regions the plan that keeps all is the arena of test_recorded_cases.py.
        assert not faults_of(wanted_of(evaluation), evaluation.results, 2)


@cache
def random_expressions(seed: int, rows: int, count: int = 60) -> Sequence[Expression]:
    """Returns random elementwise steps, sums, products and views over earlier ones; three sources first."""
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    shapes = ((rows, 4), (rows, 1), (4,))
    made = [constant(numbers.normal(size=shape)) for shape in shapes]
    steps: list[Callable[[Expression, Expression], Expression]] = [
        lambda a, b: a + b,
        lambda a, b: a * b,
        lambda a, b: a - b,
        lambda a, _: gw.Tanh(a),
        lambda a, _: gw.ReduceSum(a, axis=-1, keepdims=True),
        lambda a, _: gw.ReduceSum(a, axis=0) if a.ndim == 2 else a * 0.5,
        lambda a, b: gw.Softmax(a + b, axis=-1),
        lambda a, b: gw.Where(a > b, a, b),
        lambda a, _: gw.MatMul(a, gw.Transpose(a)) @ made[0] if a.shape == shapes[0] else a,
        lambda a, _: gw.Reshape(gw.Sin(a), shape=a.shape[::-1]) if rows == 4 else gw.Sin(a),
        lambda a, b: gw.Transpose(gw.Transpose(a) * 2.0) + b,
        lambda a, b: gw.Transpose(a) * b if rows == 4 else a * b,
        lambda a, _: gw.Reshape(a, shape=(4, 1)) * 0.5 if rows == 4 and a.shape == (4,) else a,
    ]
    while len(made) < count:
        a, b = choose.choice(made[-12:]), choose.choice(made)
        if {a.shape, b.shape} <= set(shapes):
            made.append(gw.Tanh(choose.choice(steps)(a, b)))
        else:
            made.append(gw.Tanh(gw.ReduceSum(a)) * choose.choice(made[:3]))
    return made


# Without regions all graphs are laid out by the same few rules, so a third of them shows a mistake.
MOST_SEEDS = {"tiles": 10, "small tiles": 30, "bound": 10}
of_random_expressions = pytest.mark.parametrize(
    ("seed", "rows", "executor"),
    a_third_of((seed, rows, name) for name in EXECUTORS for seed in range(MOST_SEEDS[name]) for rows in (4, 6)),
    indirect=["executor"],
)


@of_random_expressions
def test_no_room_is_given_away_that_is_still_read(seed: int, rows: int, executor: str) -> None:
    made = random_expressions(seed, rows)
    expected = run(make_plan(made))
    assert not faults_of(random.Random(seed).sample(made, 5), expected, 2)
    assert not faults_of(made[-1:], expected, 1)


@of_random_expressions
def test_updates_are_made_when_everything_has_been_read(seed: int, rows: int, executor: str) -> None:
    made = random_expressions(seed, rows)
    updates, sources = {}, made[:3]
    for source in sources:
        fitting = [item for item in made[3:] if item.shape == source.shape]
        updates[source] = random.Random(seed).choice([gw.Tanh(source), *fitting])
    reference = make_plan([*made, *updates.values()])
    lean, now = TrainingPlan([made[-1]], updates, threads=2), dict[int, Any]()
    for _ in range(3):
        lean.run()
        expected = run(reference, now)
        assert is_close(lean[made[-1]], expected[made[-1]])
        now = {reference.slots[source]: np.asarray(expected[new]) for source, new in updates.items()}
        assert all(is_close(lean.source(source), expected[new]) for source, new in updates.items())


def chain(length: int, size: int, dtype: str = "float32") -> tuple[Expression, Expression, Expression]:
    """Returns a source, the sum of a long chain from it, and the gradient."""
    numbers = np.random.default_rng(0).normal(size=size).astype(dtype)
    x = y = gw.Variable(numbers, name="x")
    for index in range(length):
        y = (lambda y: y * x, gw.Tanh, gw.Sin, lambda y: y + 0.5)[index % 4](y)
    graph = gw.graph(library["Loss"](y))
    lowered = run_graph(graph).lowered
    source = next(item for item in lowered.ports.values() if not item.application.inputs)
    return source, lowered.losses[0], lowered.backward.totals[source]


@pytest.mark.skipif(EXECUTOR != "compiled", reason="no compiler was there when the program was installed")
def test_a_long_chain_takes_the_room_of_its_ends() -> None:
    _, loss, gradient = chain(200, 100_000)
    whole = 100_000 * 4
    # The source and the gradient, and a tile of a thousand elements for each step.
    assert TrainingPlan([loss, gradient]).bytes < 2 * whole + 500 * 4 * 1024 + 100_000


def test_without_regions_room_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiled_arena, "Program", numpy_program.Program)
    x = y = gw.Constant(np.ones(10_000))
    for _ in range(50):
        y = gw.Tanh(y)
    assert TrainingPlan([y]).bytes < 5 * x.spec.size * 8


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_threads_and_repetition_leave_every_bit_as_it_is(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiled_arena, "SHARED", 0)
    _, loss, gradient = chain(12, 70_001, dtype)
    found = set()
    for threads in (1, 2, 3, 2):
        plan = TrainingPlan([loss, gradient], threads=threads)
        for _ in range(3):
            plan.run()
            found.add((plan[loss].tobytes(), plan[gradient].tobytes()))
    assert len(found) == 1


def test_elements_have_the_bits_of_numpy(executor: str) -> None:
    numbers = np.random.default_rng(1).normal(size=(40, 1000)).astype(np.float32)
    y = gw.Exp(gw.Tanh(gw.Constant(numbers) * 3.0) + gw.Constant(numbers[0]))
    plan = TrainingPlan([y])
    plan.run()
    expected = np.exp(np.tanh(numbers * np.float32(3)) + numbers[0])
    assert plan[y].tobytes() == expected.tobytes()


def test_nan_and_infinity_come_through_sums_and_maxima(executor: str) -> None:
    numbers = np.random.default_rng(2).normal(size=40_000)
    for where, special in ((5, np.nan), (39_999, np.inf), (20_000, -np.inf)):
        given = numbers.copy()
        given[where] = special
        x = gw.Constant(given)
        wanted = [gw.ReduceSum(x * 1.5), gw.Softmax(x), gw.ReduceSum(gw.Exp(x))]
        assert not faults_of(wanted, run(make_plan(wanted)), 2)


def test_one_number_repeated_can_be_summed(executor: str) -> None:
    repeated = gw.BroadcastTo(gw.Constant(0.5), shape=(40_000,))
    wanted = [gw.ReduceSum(repeated), gw.Constant(np.arange(40_000.0)) * gw.ReduceSum(repeated)]
    assert not faults_of(wanted, run(make_plan(wanted)), 2)


def test_a_maximum_of_nothing_but_minus_infinity_stays_so(executor: str) -> None:
    x = gw.Constant(np.full(40_000, -np.inf))
    wanted = [gw.ReduceLogSumExp(x), gw.Softmax(x)]
    assert not faults_of(wanted, run(make_plan(wanted)), 1)


def test_sums_over_large_tensors_are_as_good_as_those_of_numpy() -> None:
    numbers = np.full(2_000_000, 0.1, np.float32)
    total = gw.ReduceSum(gw.Constant(numbers) * 1.0)
    plan = TrainingPlan([total])
    plan.run()
    assert abs(float(plan[total]) - 200_000.003) < 0.1


@pytest.mark.parametrize(("rows", "channels", "out"), [(5, 1, 16), (6, 16, 32), (9, 3, 48), (20, 40, 16)])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_windows_are_as_in_the_editor(
    dtype: str, padding: str, rows: int, channels: int, out: int, executor: str
) -> None:
    numbers = np.random.default_rng(rows)
    image = constant(numbers.normal(size=(3, rows, rows, channels)).astype(dtype))
    filters = constant(numbers.normal(size=(3, 3, channels, out)).astype(dtype))
    made = gw.Conv2D(image, filters, strides=1, padding=padding)
    g = gw.Tanh(made)
    how = {"strides": (1, 1), "padding": padding, "dilations": (1, 1)}
    to_image = library["ConvInputGradient"](g, filters, shape=image.shape, **how)
    keep = [made, to_image, library["ConvFilterGradient"](image, g, shape=filters.shape, **how)]
    assert not faults_of(keep, run(make_plan(keep)), 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_all_forms_of_the_product_give_the_same_bits(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forms = [form for form in FORMS if f"product_{form}_{dtype}" in OWN_LOOPS]
    numbers = np.random.default_rng(7)
    # Windows of 3 * 3 * 40 numbers: more than are multiplied for a tile at once. Rows of three registers.
    image, filters = (constant(numbers.normal(size=size).astype(dtype)) for size in ((2, 9, 9, 40), (3, 3, 40, 48)))
    made = gw.Conv2D(image, filters, strides=1, padding="VALID")
    found = []
    for form in forms:
        monkeypatch.setattr(gather_matmul, "FORMS", (form,))
        plan = TrainingPlan([made])
        plan.run()
        found.append(plan[made].copy())
        # Each sum adds 360 products, each of which is off by half a unit of the last place at most.
        np.testing.assert_allclose(found[-1], run(make_plan([made]))[made], rtol=0, atol=400 * np.finfo(dtype).eps * 40)
    assert all(np.array_equal(one, found[0]) for one in found)


def test_the_matrix_of_all_windows_is_not_made() -> None:
    # Its matrix would be nine times as large as the image.
    if not PRODUCTS.intersection(OWN_LOOPS):
        pytest.skip("the processor has no registers for products of windows")
    image, filters = constant(np.ones((8, 40, 40, 16))), constant(np.ones((3, 3, 16, 16)))
    plan = TrainingPlan([gw.Conv2D(image, filters, strides=1, padding="VALID")])
    assert plan.bytes < 3 * 8 * image.spec.size


def test_sources_can_trade_places_all_at_once(executor: str) -> None:
    first, second = constant(np.arange(20_000.0)), constant(np.ones(20_000))
    plan = TrainingPlan([first], {first: second, second: first})
    plan.run()
    assert np.array_equal(plan.source(first), np.ones(20_000))
    assert np.array_equal(plan.source(second), np.arange(20_000.0))
    assert np.array_equal(plan[first], np.arange(20_000.0))


def test_one_number_repeated_is_stored_once_unless_others_may_take_its_place(executor: str) -> None:
    x, two = gw.Variable(np.broadcast_to(3.0, 40_000)), gw.Constant(np.broadcast_to(2.0, 40_000))
    product = x * two
    assert sorted(array.nbytes for array in CallList(make_plan([product])).contents.values()) == [8, 320_000]
    plan = TrainingPlan([product])
    plan.run()
    assert np.array_equal(plan[product], np.full(40_000, 6.0))
    plan.put(x, np.arange(40_000.0))
    plan.run()
    assert np.array_equal(plan[product], 2 * np.arange(40_000.0))


def test_the_same_work_is_done_once() -> None:
    x, y = gw.Constant(np.ones(20_000)), gw.Constant(np.full(20_000, 2.0))
    twice, once = TrainingPlan([gw.ReduceSum(x * y) + gw.ReduceSum(y * x)]), TrainingPlan([gw.ReduceSum(x * y) * 2.0])
    twice.run()
    once.run()
    assert twice.bytes <= once.bytes + 256


def test_a_factor_that_is_one_only_now_is_not_left_out(executor: str) -> None:
    x, one = constant(np.arange(20_000.0)), gw.Variable(1.0)
    product = x * one
    plan = TrainingPlan([product])
    plan.put(one, np.array(2.0))
    plan.run()
    assert np.array_equal(plan[product], 2 * np.arange(20_000.0))
    growing = TrainingPlan([product], {one: one + 1.0})
    growing.run()
    growing.run()
    assert np.array_equal(growing[product], 2 * np.arange(20_000.0))


def test_a_product_that_is_there_with_the_other_sign_is_not_computed_again() -> None:
    x, y = gw.Variable(np.array([1.5, -2.0, 0.0])), gw.Variable(np.array([3.0, 0.7, -4.0]))
    wanted = [x / y, (-x) / y, x * y, (-y) * x]
    calls = CallList(make_plan(wanted))
    drop_duplicates(calls, set(calls.contents))
    names = [work.loop[0].__name__ for work in calls.works if isinstance(work, Call) and isinstance(work.loop, tuple)]
    assert (names.count("divide"), names.count("multiply")) == (1, 1)
    plan = TrainingPlan(wanted)
    plan.run()
    assert plan[wanted[1]].tobytes() == (np.array([-1.5, 2.0, -0.0]) / [3.0, 0.7, -4.0]).tobytes()


@pytest.mark.skipif(EXECUTOR != "compiled", reason="no compiler was there when the program was installed")
def test_what_is_cheap_is_made_again_rather_than_kept_for_a_later_region() -> None:
    x = gw.Variable(np.arange(1e5))
    halves = x * 0.5
    wanted = halves * gw.ReduceSum(halves)
    plan = TrainingPlan([wanted])
    plan.run()
    assert np.array_equal(plan[wanted], np.arange(1e5) / 2 * np.arange(1e5).sum() / 2)
    # The source and the result; the product that both regions need takes only a tile.
    assert plan.bytes < 2.5 * 100_000 * 8


@pytest.mark.parametrize("seed", range(10))
def test_what_is_updated_is_not_taken_for_what_it_was(seed: int, executor: str) -> None:
    numbers = np.random.default_rng(seed)
    x, y = gw.Variable(numbers.normal(size=40_000)), gw.Variable(numbers.normal(size=40_000))
    product = x * y
    total = gw.ReduceSum(product) * 1e-3
    wanted, updates = product * total, {x: x + product, y: y + total * product}
    plan = TrainingPlan([wanted], updates)
    now = [np.array(plan.source(item)) for item in (x, y)]
    for _ in range(3):
        plan.run()
        both = now[0] * now[1]
        scale = both.sum() * 1e-3
        assert np.allclose(plan[wanted], both * scale, rtol=1e-9)
        now = [now[0] + both, now[1] + scale * both]


def test_only_sources_that_may_change_are_sources_of_a_plan() -> None:
    x, fixed, given = gw.Variable(np.arange(3.0)), constant(np.ones(3)), constant(np.full(3, 2.0))
    plan = TrainingPlan([x * fixed * given], given=[given])
    assert [plan.has_source(item) for item in (x, fixed, given)] == [True, False, True]


@pytest.mark.skipif(EXECUTOR != "compiled", reason="no compiler was there when the program was installed")
@pytest.mark.parametrize(
    ("threads", "elements", "least", "is_shared"),
    [(1, 40_000, 0, False), (2, 40_000, 0, True), (2, 16_384, 0, False), (2, 40_000, 40_000, True),
     (2, 40_000, 40_001, False)],
)  # fmt: skip
def test_threads_share_regions_of_several_chunks_with_much_work(
    threads: int, elements: int, least: int, is_shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiled_arena, "SHARED", least)
    shared: list[object] = []
    monkeypatch.setattr(sharing.Sharing, "run", lambda _, work: (shared.append(work), work(0)))
    y = gw.Tanh(gw.Variable(np.linspace(-1, 1, elements)))
    plan = TrainingPlan([y], threads=threads)
    plan.run()
    np.testing.assert_array_equal(plan[y], np.tanh(np.linspace(-1, 1, elements)))
    assert bool(shared) is is_shared


@pytest.mark.skipif(EXECUTOR != "compiled", reason="no compiler was there when the program was installed")
@pytest.mark.parametrize(("threads", "is_shared"), [(1, False), (2, True)])
def test_one_thread_computes_products_whole(threads: int, is_shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not PRODUCTS.intersection(OWN_LOOPS):
        pytest.skip("the processor has no registers for products of windows")
    monkeypatch.setattr(gather_matmul, "DIVISIBLE", 1)
    shared: list[object] = []
    monkeypatch.setattr(sharing.Sharing, "run", lambda _, work: (shared.append(work), work(0)))
    a, b = np.arange(100.0).reshape(20, 5), np.arange(40.0).reshape(5, 8)
    product = gw.MatMul(gw.Variable(a), gw.Variable(b))
    plan = TrainingPlan([product], threads=threads)
    plan.run()
    np.testing.assert_array_equal(plan[product], a @ b)
    assert bool(shared) is is_shared
