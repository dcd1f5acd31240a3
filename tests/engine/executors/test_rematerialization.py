"""Rematerialisation: results equal those of a run that keeps all arrays, bit for bit, within little memory."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import random
import tracemalloc
from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # fills the library
import gradwire.engine.executors.rematerialization
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.array_statistics import COLUMNS
from gradwire.engine.base.errors import BlockError, CodeError, EditError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, block
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Plan
from gradwire.engine.causes import zero_codes
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.rematerialization import Keeping, KeptResults, Rematerialization
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.engine.evaluation.test_rerun import SPECIAL, sources
from tests.engine.random_edits import EDITS
from tests.gallery import example, examples_of_each_wiring, run_of_example
from tests.recorded import make_graph
from tests.sweeps import a_third_of


def nothing(*_: object) -> None:
    """Ignores its arguments."""


LITTLE = Keeping(lambda array, _: array.shape, limit=3, budget=150)


@pytest.fixture(autouse=True)
def _codes_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zero_codes, "LARGE", 1)


def bits(array: Array | None) -> object:
    return None if array is None else (array.shape, array.dtype, array.tobytes())


def told(result: PortResult | WireResult) -> dict[str, object]:
    """Returns everything stated about a port or wire."""
    found: dict[str, object] = {}
    for field in dataclasses.fields(result):
        item = getattr(result, field.name)
        found[field.name] = bits(item) if isinstance(item, np.ndarray) else item
    found["inner"] = [(part.by, bits(part.gradient)) for part in getattr(result, "inner", ())]
    return found


def assert_same(found: Snapshot, expected: Snapshot) -> None:
    assert repr(found.loss) == repr(expected.loss) and found.problems == expected.problems
    assert list(found.ports) == list(expected.ports) and list(found.wires) == list(expected.wires)
    for name, port in expected.ports.items():
        assert told(found.ports[name]) == told(port), name
    for link, wire in expected.wires.items():
        assert told(found.wires[link]) == told(wire), link


def chain(steps: int, size: int, kinds: tuple[str, ...] = ("Sin", "Negative", "Exp", "Tanh")) -> Graph:
    """Returns a chain of elementwise steps."""
    numbers = np.random.default_rng(0).normal(size=size)
    names = ["x", *(f"s{step}" for step in range(steps)), "loss"]
    types = ["Input", *(kinds[step % len(kinds)] for step in range(steps)), "Loss"]
    made = [Block(*item) for item in zip(names, types, strict=True)]
    made[0] = dataclasses.replace(made[0], parameters={"value": numbers})
    return make_graph(made, [(f"{a}.y", f"{b}.x") for a, b in itertools.pairwise(names)])


def kept(run: Evaluation) -> Rematerialization:
    assert isinstance(run.results.values, Rematerialization)
    return run.results.values


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring(), 1))
def test_every_example_is_told_as_if_all_were_kept(name: str) -> None:
    expected = run_of_example(name)
    # Within fewer numbers than steps, a loop of many rounds is computed again from its beginning for each of them.
    keeping = dataclasses.replace(LITTLE, budget=max(LITTLE.budget, len(expected.structure.plan.steps)))
    run = run_graph(example(name), keeping=keeping)
    assert isinstance(run.results, KeptResults) or keeping.covers(run.structure.plan)
    assert_same(run.snapshot, expected.snapshot)


@pytest.mark.parametrize("name", a_third_of(["softmax_stable", "gan_stop", "rnn20_tbptt5"]))
def test_edits_at_random_are_told_as_if_all_were_kept(name: str) -> None:
    choose, graph = random.Random(5), example(name)
    for _ in range(15):
        with contextlib.suppress(EditError):
            graph = EDITS[choose.choice(list(EDITS))](graph, choose)
        assert_same(run_graph(graph, keeping=LITTLE).snapshot, evaluate(graph))


@functools.lru_cache(maxsize=1)
def arrays_after_edits(name: str, budget: int) -> list[tuple[Plan, list[Array | None]]]:
    """The arrays of runs of an example after random edits, each of which takes over from the one before."""
    choose, numbers, first = random.Random(3), np.random.default_rng(3), example(name)
    keeping = dataclasses.replace(LITTLE, budget=budget)
    graph, run, found = first, run_graph(first, keeping=keeping), []
    for step in range(10):
        with contextlib.suppress(EditError):
            if step % 3 == 2 and sources(graph):
                page, block_id, value = choose.choice(sources(graph))
                other = numbers.normal(size=value.shape).astype(value.dtype)
                graph = edits.set_parameter(graph, page, block_id, "value", other)
            else:
                graph = EDITS[choose.choice(sorted(EDITS))](graph, choose)
        run = run_graph(graph, keeping=keeping, before=run)
        assert_same(run.snapshot, evaluate(graph))
        if run.results.failures or run.lowered.failed:
            graph = first
        else:
            values = run.results.values
            found.append((run.results.plan, [values[slot] for slot in range(len(values))]))
    return found


# The executors come one after the other for each example.
@pytest.mark.long
@pytest.mark.parametrize("executor", ["compiled", "bound"], indirect=True)
@pytest.mark.parametrize("budget", [0, 150, 1500])
@pytest.mark.parametrize("name", ["softmax_stable", "gan_stop", "rnn20_tbptt5", "cnn_micro"])
def test_what_a_run_takes_over_from_the_one_before_has_the_bits_of_the_arena(
    name: str, budget: int, executor: str
) -> None:
    found = arrays_after_edits(name, budget)
    assert found
    for plan, arrays in found:
        for array, expected in zip(arrays, Arena(plan).results.values, strict=True):
            assert array is not None and expected is not None
            assert np.array_equal(array, expected, equal_nan=array.dtype.kind == "f")


def test_an_edit_runs_only_what_it_makes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, steps, run_step = chain(30, 100), [], gradwire.engine.executors.rematerialization.run_step
    keeping = Keeping(nothing, limit=100, budget=60 * 800)
    run = run_graph(graph, keeping=keeping)
    monkeypatch.setattr(
        gradwire.engine.executors.rematerialization,
        "run_step",
        lambda *given: (steps.append(given[0]), run_step(*given)),
    )
    more, name = edits.add_block(graph, "main", "Sin")
    run = run_graph(more, keeping=keeping, before=run)
    # It is a view of a source, which takes no time.
    assert {step.application.type.name for step in steps if step.inputs} == {"BroadcastTo"}
    steps.clear()
    wired = edits.connect(more, "main", Port("s9", "y"), Port(name, "x"))
    run_graph(wired, keeping=keeping, before=run)
    # The new block, and perhaps the steps from a checkpoint to its inputs.
    assert "Sin" in {step.application.type.name for step in steps}
    assert len([step for step in steps if step.inputs]) < 10


def test_a_run_of_a_graph_that_fits_gives_back_the_room_of_the_one_before() -> None:
    before = run_graph(chain(30, 100), keeping=LITTLE)
    run = run_graph(chain(3, 2), keeping=dataclasses.replace(LITTLE, limit=100), before=before)
    assert isinstance(run.results.values, list)
    assert kept(before).size == 0


@pytest.mark.long
@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_other_numbers_are_told_as_if_all_were_kept(name: str) -> None:
    choose, numbers = random.Random(7), np.random.default_rng(7)
    graph = example(name)
    first = run_graph(graph, keeping=LITTLE)
    places = sources(graph)
    if first.results.failures or not places or LITTLE.covers(first.structure.plan):
        return
    rerun = Rerun(first)
    for _ in range(2):
        page, name, value = choose.choice(places)
        other = numbers.normal(size=value.shape)
        other.reshape(-1)[: choose.randrange(2)] = choose.choice(SPECIAL)
        before, graph = graph, edits.set_parameter(graph, page, name, "value", other.astype(value.dtype))
        found = rerun.run(graph, new_values(before, graph) or {})
        assert found is None or isinstance(found.results, KeptResults)
        if found is not None:
            assert_same(found.snapshot, evaluate(graph))


def test_what_is_computed_again_has_the_bits_of_the_arena(executor: str) -> None:
    run = run_graph(example("cnn_micro"), keeping=LITTLE)
    found = Arena(run.results.plan).results.values
    slots = [slot for slot in range(len(found)) if found[slot] is not None]
    random.Random(1).shuffle(slots)
    for slot in slots:
        array, other = run.results.values[slot], found[slot]
        assert (
            array is not None and other is not None and np.array_equal(array, other, equal_nan=array.dtype.kind == "f")
        )


def test_the_arrays_of_a_run_can_be_listed() -> None:
    run = run_graph(example("softmax_stable"), keeping=LITTLE)
    values = run.results.values
    assert isinstance(values, Rematerialization)
    found = Arena(run.results.plan).results.values
    assert len(found) == len(values)
    for array, other in zip(values, found, strict=True):
        assert (array is None) == (other is None)
        assert array is None or np.array_equal(array, other)


def test_no_more_is_kept_than_the_budget_and_what_a_step_needs() -> None:
    size, budget = 160_000, 12 * 160_000
    plan = run_graph(chain(40, size // 8), keeping=Keeping(nothing, limit=1000, budget=budget)).structure.plan
    tracemalloc.start()
    values = Rematerialization(plan, Keeping(nothing, limit=1000, budget=budget))
    for slot in random.Random(1).sample(range(len(values)), 25):
        assert values[slot] is not None
        assert values.size <= budget
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The rest are facts about each slot, and two arrays that a step reads beside its result.
    assert budget / 2 < peak < budget + 5 * size + 1_000_000


def test_an_array_that_is_gone_is_a_few_steps_away(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_graph(chain(300, 100), keeping=Keeping(nothing, limit=100, budget=60 * 800))
    steps, run_step = [], gradwire.engine.executors.rematerialization.run_step
    monkeypatch.setattr(
        gradwire.engine.executors.rematerialization,
        "run_step",
        lambda *given: (steps.append(given[0]), run_step(*given)),
    )
    for name in run.lowered.ports:
        for is_gradient in (False, True):
            steps.clear()
            assert run.tensor(name, is_gradient) is not None
            assert len(steps) < 150, name


def test_telling_all_of_a_long_chain_takes_few_runs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, steps, run_step = chain(300, 100), [], gradwire.engine.executors.rematerialization.run_step
    monkeypatch.setattr(
        gradwire.engine.executors.rematerialization,
        "run_step",
        lambda *given: (steps.append(given[0]), run_step(*given)),
    )
    run = run_graph(graph, keeping=Keeping(nothing, limit=100, budget=60 * 800))
    assert len(steps) < 2 * len(run.structure.plan.steps)
    steps.clear()
    assert run.snapshot.ports
    assert len(steps) < 2 * len(run.structure.plan.steps)


def test_the_survey_and_what_was_seen_stay_when_arrays_go() -> None:
    graph = chain(30, 50)
    run, whole = run_graph(graph, keeping=LITTLE), run_graph(graph)
    for column in COLUMNS:
        np.testing.assert_array_equal(run.facts.survey[column], whole.facts.survey[column])
    values = kept(run)
    assert {values.seen[slot] for slot in values.seen} <= {(50,), ()}
    assert len(values.seen) >= 60


def test_what_a_source_holds_takes_no_room() -> None:
    graph = chain(5, 1000)
    run = run_graph(graph, keeping=LITTLE)
    found = run.tensor(PortName("main/x", "y"), is_gradient=False)
    assert found is not None and np.shares_memory(found, run.lowered.inferred.parameters["main/x"]["value"])
    assert kept(run).size <= 8000


def test_what_fits_into_the_budget_is_kept_as_before() -> None:
    run = run_graph(chain(5, 1000), keeping=Keeping(nothing, limit=100, budget=10**6))
    assert isinstance(run.results.values, list)
    assert Rerun(run).arena is not None


@pytest.fixture
def moody(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """List that makes a block type fail while it is not empty."""
    moods: list[bool] = []

    @block("Arithmetic")
    def Moody(x: Array) -> Array:
        """Twice the tensor."""
        if moods:
            raise ValueError("not today")
        return 2 * x

    @Moody.gradient
    def moody_gradient(g: Any, x: Any, y: Any) -> Any:
        return 2 * g

    types: dict[str, BlockType] = library._types
    monkeypatch.setitem(types, "Moody", Moody)
    return moods


def test_a_block_that_fails_is_told_as_if_all_were_kept(moody: list[bool]) -> None:
    graph = chain(8, 50, ("Sin", "Moody"))
    moody.append(True)
    run, whole = run_graph(graph, keeping=LITTLE), evaluate(graph)
    assert_same(run.snapshot, whole)
    assert CodeError.code in {problem.code for problem in whole.problems}
    with pytest.raises(CodeError):
        Rerun(run).run(graph, {})


def test_a_block_that_fails_later_is_a_failure_as_at_first(moody: list[bool]) -> None:
    run = run_graph(chain(8, 50, ("Sin", "Moody")), keeping=LITTLE)
    assert not run.results.failures
    moody.append(True)
    run.results.values.let_go()  # type: ignore[attr-defined]
    assert run.tensor(PortName("main/s7", "y"), is_gradient=False) is None
    assert all(isinstance(error, BlockError) for error in run.results.failures.values())
    assert len(run.results.failures) == 1
    moody.clear()
    assert run.tensor(PortName("main/s7", "y"), is_gradient=False) is not None


def test_outputs_of_one_step_and_parts_of_arrays_are_computed_again_too() -> None:
    value = np.arange(60.0).reshape(3, 20)
    made = [
        Block("x", "Input", parameters={"value": value}),
        Block("e", "Sin"),
        Block("parts", "Unstack", parameters={"num": 3}),
        Block("t", "Transpose"),
        Block("loss", "Loss"),
        Block("other", "Loss"),
    ]
    names = [*library["Unstack"].output_names(3)]
    wires = [
        ("x.y", "e.x"),
        ("e.y", "parts.x"),
        ("e.y", "t.x"),
        (f"parts.{names[1]}", "loss.x"),
        ("t.y", "other.x"),
    ]
    graph = make_graph(made, wires)
    for budget in (0, 200, 600):
        run = run_graph(graph, keeping=Keeping(nothing, limit=8, budget=budget))
        for _ in range(2):
            assert_same(run.snapshot, evaluate(graph))


@pytest.mark.long
def test_many_ways_to_an_array_do_not_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"b{number}" for number in range(40)]
    made = [Block(name, "Input", parameters={"value": np.arange(9.0)}) for name in names[:2]]
    made += [*(Block(name, "Add") for name in names[2:]), Block("loss", "Loss")]
    ends = [f"{name}.{'y' if place < 2 else 'z'}" for place, name in enumerate(names)]
    wires = [
        (ends[place - 1 - back], f"{names[place]}.{port}")
        for place in range(2, 40)
        for back, port in ((0, "x"), (1, "y"))
    ]
    graph, steps, run_step = (
        make_graph(made, [*wires, (ends[-1], "loss.x")]),
        [],
        gradwire.engine.executors.rematerialization.run_step,
    )
    run = run_graph(graph, keeping=Keeping(nothing, limit=3, budget=0))
    monkeypatch.setattr(
        gradwire.engine.executors.rematerialization,
        "run_step",
        lambda *given: (steps.append(given[0]), run_step(*given)),
    )
    run.results.values.let_go()  # type: ignore[attr-defined]
    found = run.tensor(PortName("main/b39", "z"), is_gradient=False)
    expected = evaluate(graph).port("main/b39.z").value
    assert found is not None and expected is not None and found.tobytes() == expected.tobytes()
    assert len(steps) < 2000


def test_both_passes_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock that goes on by one second each time it is asked: when a pass begins, and when the last one ends.
    ticks = itertools.count()
    monkeypatch.setattr(gradwire.engine.executors.rematerialization.time, "perf_counter", lambda: float(next(ticks)))
    run = run_graph(example("softmax_stable"), keeping=LITTLE)
    assert run.results.passes == (1.0, 1.0)
