"""Questions about a run with rematerialisation: equal answers within the same memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.causes import zero_codes
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate, run_graph
from gradwire.engine.evaluation.rerun import Rerun
from gradwire.engine.executors.rematerialization import Keeping, Rematerialization
from gradwire.engine.explain.checks.element_check import check_place
from gradwire.engine.explain.loss_matrix import loss_matrix
from gradwire.engine.explain.precision import precision_of
from gradwire.engine.explain.slices import slice_around
from gradwire.engine.graph.graph import Graph, Port
from tests.engine.executors.test_rematerialization import LITTLE, assert_same, bits, chain, nothing
from tests.gallery import example, examples_of_each_wiring, run_of_example

X = PortName("main/x", "y")
Question = Callable[[Evaluation], object]


def slice_at_first(run: Evaluation) -> object:
    """Returns the curve along the first element of a source."""
    port = next(name for name in run.lowered.ports if name.path in run.lowered.inferred.parameters)
    shape = run.lowered.ports[port].shape
    return slice_around(run, port, (0,) * len(shape), 1.0, 0.0)


QUESTIONS: dict[str, Question] = {
    "matrix": lambda run: loss_matrix(run.graph, run.keeping),
    "precision": precision_of,
    "slice": slice_at_first,
    "check": lambda run: [check_place(run.graph, name, run.keeping) for name in list(run.lowered.ports)[-3:-1]],
    "other": lambda run: run.of_other(run.graph, None).loss,
}


def answer(question: Question, run: Evaluation) -> str:
    try:
        return repr(question(run))
    except GradwireError as error:
        return str(error)


@pytest.mark.long
@pytest.mark.parametrize("name", examples_of_each_wiring())
def test_answers_are_those_of_a_run_that_keeps_all(name: str) -> None:
    little, whole = run_graph(example(name), keeping=LITTLE), run_of_example(name)
    for question in QUESTIONS.values():
        assert answer(question, little) == answer(question, whole)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_answers_are_those_of_either_executor(question: Question, executor: str) -> None:
    graph = example("softmax_stable")
    other = edits.set_parameter(graph, "main", "x", "value", np.array([0.5, -2.0, 0.5]))
    arena = Rerun(run_graph(graph)).run(other, {("main", "x"): np.array([0.5, -2.0, 0.5])})
    assert arena is not None
    assert answer(question, run_graph(other, keeping=LITTLE)) == answer(question, arena)


def peak_of(action: Callable[[], object]) -> int:
    """Returns the peak memory. Units: bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


STEPS = 20


def room(size: int) -> Keeping:
    """Returns a policy that keeps twelve arrays of this size."""
    return Keeping(nothing, limit=1000, budget=12 * size)


def most_memory(size: int) -> int:
    """Returns the budget, and the memory of a step or a comparison beside it, and of the facts about each slot."""
    return room(size).budget + 11 * size + 1_500_000


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_answer_needs_no_room_beside_that_of_the_run(question: Question) -> None:
    size = 200_000
    graph = chain(STEPS, size // 8, ("Sin", "Relu", "Exp", "Tanh"))

    def asked() -> None:
        question(run_graph(graph, keeping=room(size)))

    # All arrays of the run alone would take 40.
    assert peak_of(asked) < most_memory(size)


def test_what_was_made_for_an_answer_goes_with_it() -> None:
    run = run_graph(chain(STEPS, 1000), keeping=Keeping(nothing, limit=100, budget=12 * 8000))
    values = run.results.values
    assert isinstance(values, Rematerialization)
    other = run.of_other(run.graph, None)
    assert other.results.values.size == values.size > 0  # type: ignore[attr-defined]
    assert other.tensor(X, is_gradient=True) is not None
    values.let_go()
    before = values.size
    assert before > 0
    del other
    assert values.size == 0


def noisy(steps: int, size: int, kinds: tuple[str, ...] = ("Sin", "Exp")) -> Graph:
    """Returns a chain that the loss counts as 0.1, 0.2 and -0.3: its gradients are rounding errors only."""
    graph = chain(steps, size, kinds)
    last = graph.page("main").wires[Port("loss", "x")]
    graph, _ = edits.add_block(edits.disconnect(graph, "main", last), "main", "AddN", id="sum")
    for number, factor in enumerate((0.1, 0.2, -0.3)):
        part, tenths = f"part{number}", f"tenths{number}"
        graph, _ = edits.add_block(graph, "main", "Input", id=tenths, parameters={"value": np.array(factor)})
        graph, _ = edits.add_block(graph, "main", "Multiply", id=part)
        graph = edits.connect(graph, "main", last.source, Port(part, "x"))
        graph = edits.connect(graph, "main", Port(tenths, "y"), Port(part, "y"))
        graph = edits.connect(graph, "main", Port(part, "z"), Port("sum", f"values_{number}"))
    return edits.connect(graph, "main", Port("sum", "z"), last.target)


@pytest.mark.long
def test_why_gradients_are_zero_needs_no_room_beside_that_of_the_run() -> None:
    # Only codes of large arrays are packed.
    size = 800_000
    graph = noisy(STEPS, size // 8)
    assert peak_of(lambda: run_graph(graph, keeping=room(size)).zeros) < most_memory(size)


def test_zeros_of_rounding_errors_are_told_as_if_all_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zero_codes, "LARGE", 1)
    graph = noisy(6, 50, ("Sin", "LogSoftmax", "Softmax", "Relu"))
    run, whole = run_graph(graph, keeping=LITTLE), run_graph(graph)
    assert_same(run.snapshot, evaluate(graph))
    for slot, (found, expected) in enumerate(zip(gradients(run), gradients(whole), strict=True)):
        assert bits(run.zeros.value(found)) == bits(whole.zeros.value(expected)), slot


def gradients(run: Evaluation) -> list[Expression]:
    """Returns all gradients and the steps of their rules, in the order of the plan."""
    return [item for item in run.structure.plan.slots if run.zeros.is_gradient(item)]
