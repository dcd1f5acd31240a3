"""Memory limit: a result that does not fit is a problem of its block, and all others are computed."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base import memory
from gradwire.engine.base.errors import OutOfMemoryError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.executors.memory_layout import memory_for
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph

MIB = 2**20
MILLION = 10**6


def source(name: str, value: object) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, np.float64)})


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit of 12 MiB for a run."""
    monkeypatch.setattr(memory, "free_memory", lambda: 24 * MIB)


def errors_of(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(problem.at, problem.code) for problem in snapshot.problems if problem.severity == "error"]


def chain(*types: str) -> Graph:
    """Returns x of 4 MiB through blocks of these types; and s, small, through an Exp."""
    blocks = [source("x", np.ones(MIB // 2)), source("s", 2.0), Block("e", "Exp")]
    blocks += [Block(f"b{number}", kind) for number, kind in enumerate(types)]
    ends = ["x.y", *(f"b{number}.y" for number in range(len(types)))]
    return make_graph(blocks, [("s.y", "e.x"), *((end, f"b{n}.x") for n, end in enumerate(ends[:-1]))])


@pytest.mark.usefixtures("free")
def test_the_first_block_whose_result_does_not_fit_has_the_problem_and_the_rest_is_computed() -> None:
    snapshot = evaluate(chain("Exp", "Exp", "Exp", "Exp"))
    assert errors_of(snapshot) == [("main/b2", "memory")]
    found = snapshot.ports[PortName("main/e", "y")].value
    assert found == np.exp(2.0)
    assert snapshot.ports[PortName("main/b0", "y")].value is not None
    (problem,) = (problem for problem in snapshot.problems if problem.severity == "error")
    assert problem.message.startswith("Its result float64[524288] needs 4 MiB, but of the 12 MiB that a run may use")


@pytest.mark.usefixtures("free")
def test_what_shows_the_elements_of_another_takes_nothing() -> None:
    assert errors_of(evaluate(chain(*["StopGradient"] * 20))) == []


@pytest.mark.usefixtures("free")
def test_a_gradient_that_does_not_fit_is_a_problem_of_the_block_that_it_belongs_to() -> None:
    graph = chain("Square", "ReduceSum")
    blocks = dict(graph.page("main").blocks) | {"loss": Block("loss", "Loss")}
    wires = [(str(w.source), str(w.target)) for w in graph.page("main").wires.values()]
    snapshot = evaluate(make_graph(list(blocks.values()), [*wires, ("b1.y", "loss.x")]))
    assert errors_of(snapshot) == [("main/b0", "memory")]
    assert snapshot.loss is not None and snapshot.loss.value == MIB // 2


@pytest.mark.usefixtures("free")
def test_what_is_dropped_makes_room() -> None:
    end = constant(np.ones(MIB // 2))
    for _ in range(20):
        end = library["Exp"](end)
    plan = make_plan([end], keep=[end])
    assert not run(plan).failures
    assert run(make_plan([end])).failures


@pytest.mark.usefixtures("free")
def test_an_arena_that_does_not_fit_is_not_made() -> None:
    with pytest.raises(OutOfMemoryError):
        memory_for(20 * MIB)


def test_small_runs_do_not_ask_how_much_memory_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(memory, "free_memory", lambda: asked.append(1) or 2**30)
    evaluate(make_graph([source("x", [1.0, 2.0]), Block("e", "Exp")], [("x.y", "e.x")]))
    assert asked == []


def test_some_memory_is_free() -> None:
    assert 2**24 < memory.limit() < memory.free_memory() < 2**50


BOMBS = {
    "Multiply": ([source("x", np.ones((MILLION, 1))), source("y", np.ones((1, MILLION)))], {"x": "x", "y": "y"}, {}),
    "Fill": ([source("x", 1.0)], {"value": "x"}, {"dims": [2**62, 2**62]}),
    "Tile": ([source("x", [1.0, 2.0])], {"x": "x"}, {"multiples": [10**12]}),
    "Repeat": ([source("x", [1.0, 2.0])], {"x": "x"}, {"repeats": 10**12}),
    "Pad": ([source("x", [1.0, 2.0])], {"x": "x"}, {"paddings": [[10**12, 10**12]]}),
    "BroadcastTo": ([source("x", 1.0)], {"x": "x"}, {"shape": [MILLION, MILLION]}),
    "Eye": ([], {}, {"num_rows": 10**7}),
    "Zeros": ([], {}, {"shape": [MILLION, MILLION]}),
    "Range": ([], {}, {"start": 0, "limit": 1e13, "delta": 1}),
    "RandomNormal": ([], {}, {"shape": [MILLION, MILLION]}),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_by_its_shape(kind: str) -> None:
    """The check allocates neither the result nor anything else."""
    sources, inputs, parameters = BOMBS[kind]
    wires = [(f"{name}.y", f"b.{port}") for port, name in inputs.items()]
    inferred = infer_specs(make_graph([*sources, Block("b", kind, parameters=parameters)], wires))
    assert [(problem.at, problem.code) for problem in inferred.problems if problem.severity == "error"] == [
        ("main/b", "memory")
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the file that it is compared with is Linux's")
def test_free_memory_is_what_linux_calls_available() -> None:
    lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text("ascii").splitlines())
    available = int(lines["MemAvailable"].split()[0]) * 1024
    assert memory.free_memory() == pytest.approx(available, rel=0.2)


def test_a_system_that_does_not_say_has_four_gibibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise OSError

    monkeypatch.setattr("builtins.open", refuse)
    assert memory.free_memory() == 4 * 2**30


def test_the_state_of_the_memory_has_the_size_that_windows_expects() -> None:
    # Two numbers of four bytes and seven of eight: Windows refuses any other length.
    assert ctypes.sizeof(memory.MemoryStatus) == 64
    assert memory.MemoryStatus.available.offset == 16


def test_memory_is_given_back_with_the_last_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "limit", lambda: 1000)
    budget, whole = memory.Budget(), np.zeros(100)
    too_much = [TensorSpec((30,), np.dtype("float64"))]
    budget.take(0, whole)
    budget.take(1, whole[::2])
    budget.give_back(0)
    with pytest.raises(OutOfMemoryError):
        budget.check(too_much, may_take_nothing=False)
    budget.give_back(1)
    budget.check(too_much, may_take_nothing=False)


def test_memory_that_several_show_is_counted_once_and_given_back_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "limit", lambda: 1000)
    budget, whole, other = memory.Budget(), np.zeros(100), np.zeros(10)

    def left() -> int:
        """Returns how many bytes still fit, in steps of 10."""
        fitting = 0
        for size in range(0, 1010, 10):
            try:
                budget.check([TensorSpec((size // 2,), np.dtype("int8"))] * 2, may_take_nothing=False)
            except OutOfMemoryError:
                break
            fitting = size
        return fitting

    found = [left()]
    for slot, array in enumerate((whole, whole[::2], whole[3:], other, None)):
        budget.take(slot, array)
        found.append(left())
    assert found == [1000, 200, 200, 200, 120, 120]
    for slot in (1, 4, 0, 0, 3, 2):
        budget.give_back(slot)
        found.append(left())
    assert found[6:] == [120, 120, 120, 120, 200, 1000]


def test_what_may_be_a_view_fits_while_memory_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "limit", lambda: 1000)
    budget, large = memory.Budget(), [TensorSpec((1001,), np.dtype("int8"))]
    budget.check(large, may_take_nothing=True)
    arrays = np.zeros(125), np.zeros(1)
    budget.take(0, arrays[0])
    budget.check(large, may_take_nothing=True)
    budget.take(1, arrays[1])
    with pytest.raises(OutOfMemoryError):
        budget.check(large, may_take_nothing=True)
