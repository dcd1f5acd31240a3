"""The process answers like an evaluator in this process; it ends on request, and reports its death."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.live.process.evaluator import (
    Answer,
    Died,
    InlineEvaluator,
    ProcessEvaluator,
    Spare,
)
from gradwire.app.live.process.process import Starter
from gradwire.app.live.process.updates import update_between
from gradwire.app.live.process.worker import Request, Text, Worker
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.readings.comparison import Comparison, WithoutStops
from gradwire.app.live.readings.readings import Results, Table
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.errors import FileError
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps, loads, save
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.engine.edit_sequences import rich_graph, source
from tests.recorded import make_graph

PATIENCE = 30.0
X = PortName("main/x", "y")


def stopped_product() -> Graph:
    """Returns loss = x * stop(x) at x = 2."""
    kinds = [("stop", "StopGradient"), ("m", "Multiply"), ("loss", "Loss")]
    wires = [("x.y", "stop.x"), ("x.y", "m.x"), ("stop.y", "m.y"), ("m.z", "loss.x")]
    return make_graph([source("x"), *(Block(*kind) for kind in kinds)], wires)


class Asked:
    """An evaluator with the queue of its answers."""

    def __init__(self, make: Callable[[Callable[[Answer], None]], ProcessEvaluator | InlineEvaluator]) -> None:
        self.answers: queue.Queue[Answer] = queue.Queue()
        self.evaluator = make(self.answers.put)

    def run(self, graph: Graph, revision: int = 1, comparison: Comparison | None = None) -> Results:
        self.evaluator.evaluate(revision, graph, comparison)
        answer = self.answers.get(timeout=PATIENCE)
        assert isinstance(answer, Results)
        return answer

    def ask(self, question: Question) -> Reply:
        self.evaluator.ask(question)
        reply = self.answers.get(timeout=PATIENCE)
        assert isinstance(reply, Reply)
        return reply


@pytest.fixture(scope="module")
def starter() -> Starter:
    return Starter()


@pytest.fixture(scope="module")
def process(starter: Starter) -> Iterator[Asked]:
    """A process that several tests ask; none of them ends it."""
    asked = Asked(lambda answer: ProcessEvaluator(answer, starter.start()))
    yield asked
    asked.evaluator.close()


@pytest.fixture
def own_process(starter: Starter) -> Iterator[Asked]:
    """A process of one test, which may end it."""
    asked = Asked(lambda answer: ProcessEvaluator(answer, starter.start()))
    yield asked
    asked.evaluator.close()


@pytest.fixture(scope="module", params=[InlineEvaluator, ProcessEvaluator])
def anywhere(request: pytest.FixtureRequest) -> Iterator[Asked]:
    """An evaluator in this process, and one in another process that it has started by itself."""
    asked = Asked(request.param)
    yield asked
    asked.evaluator.close()


def process_of(asked: Asked) -> ProcessEvaluator:
    assert isinstance(asked.evaluator, ProcessEvaluator)
    return asked.evaluator


def is_running(pid: int | None) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def facts_of(table: Table) -> object:
    thumbnails = {row: thumbnail.tobytes() for row, thumbnail in table.thumbnails.items()}
    return table.rows.tobytes(), table.shapes, table.dtypes, thumbnails


def facts(results: Results | None) -> object:
    """Returns everything in results in a comparable form, except durations."""
    if results is None:
        return None
    loss = results.loss
    return (
        results.revision,
        (list(results.ports.row_of.items()), list(results.wires.row_of.items())),
        [facts_of(table) for table in results.tables],
        (results.ports.statuses.tobytes(), results.wires.statuses.tobytes()),
        (results.ports.by, results.wires.by, results.withheld, results.problems),
        loss and (loss.name, None if loss.value is None else loss.value.tobytes()),
        facts(results.compared),
    )


def some_edits() -> list[Graph]:
    """Returns graphs, some with the same port names as the previous one and some with others."""
    graphs = [stopped_product()]
    graphs.append(edits.set_parameter(graphs[-1], "main", "x", "value", np.arange(3.0)))
    graphs.append(edits.remove_blocks(graphs[-1], "main", "stop"))
    return [*graphs, rich_graph(), Graph(), rich_graph(), graphs[0]]


@pytest.mark.parametrize("comparison", [None, WithoutStops()])
def test_the_process_answers_what_evaluating_here_answers(process: Asked, comparison: Comparison | None) -> None:
    here = Asked(InlineEvaluator)
    for revision, graph in enumerate(some_edits()):
        there, expected = (asked.run(graph, revision, comparison) for asked in (process, here))
        assert facts(there) == facts(expected)
        assert (there.compared is not None) == (comparison is not None)
        assert there.seconds > 0


@pytest.mark.parametrize(
    "edit", [lambda graph: graph, lambda graph: edits.set_parameter(graph, "main", "x", "value", np.array(5.0))]
)
def test_a_file_that_the_process_read_itself_is_answered_like_any_graph(
    process: Asked, tmp_path: Path, edit: Callable[[Graph], Graph]
) -> None:
    path = tmp_path / "read.graph"
    save(stopped_product(), path)
    process.run(rich_graph())
    graph = edit(process_of(process).load(path).graph)
    for revision, item in enumerate((graph, rich_graph()), 2):
        assert facts(process.run(item, revision)) == facts(Asked(InlineEvaluator).run(item, revision))


def test_of_a_file_that_was_read_there_nothing_is_sent() -> None:
    text = dumps(rich_graph()).encode()
    graph, worker = loads(text).graph, Worker(is_quick=True)
    worker.read(Text(text, "rich.graph"))
    request = Request(1, update_between(graph, graph), is_of_text=True)
    assert len(pickle.dumps(request)) < 1000 < len(text)
    assert facts(worker.run(request)) == facts(Asked(InlineEvaluator).run(graph))


def test_large_weights_of_a_file_that_was_read_there_are_not_sent(process: Asked, tmp_path: Path) -> None:
    path, value = tmp_path / "w.graph", np.linspace(-1, 1, 200_000)
    blocks = {"w": Block("w", "Variable", parameters={"value": value}), "loss": Block("loss", "Loss")}
    wire = Wire(Port("w", "y"), Port("loss", "x"))
    save(Graph((Page("main", blocks, {wire.target: wire}),)), path)
    assert (tmp_path / "w.weights").exists()
    graph = process_of(process).load(path).graph
    assert facts(process.run(graph)) == facts(Asked(InlineEvaluator).run(graph))


def test_after_a_file_that_cannot_be_read_the_process_answers_as_ever(process: Asked, tmp_path: Path) -> None:
    path = tmp_path / "broken.graph"
    path.write_text('{"format": ')
    with pytest.raises(FileError):
        process_of(process).load(path)
    assert facts(process.run(rich_graph())) == facts(Asked(InlineEvaluator).run(rich_graph()))


def test_both_states_of_the_stops_are_told(anywhere: Asked) -> None:
    """Expects the gradient of x * stop(x), 2 at x = 2, and that of x * x, 4."""
    results = anywhere.run(stopped_product(), comparison=WithoutStops())
    assert results.compared is not None
    found = [each.port(X) for each in (results, results.compared)]
    assert [port.gradient.first for port in found if port and port.gradient] == [(2.0,), (4.0,)]


def test_whole_tensors_come_on_request(process: Asked) -> None:
    value = np.arange(40.0)
    process.run(edits.set_parameter(stopped_product(), "main", "x", "value", value), revision=5)
    answer = process.ask(TensorName(X))
    assert (answer.question, answer.revision) == (TensorName(X), 5)
    np.testing.assert_array_equal(answer.answer, value)
    np.testing.assert_array_equal(process.ask(TensorName(X, is_gradient=True)).answer, value)
    blocked = Link(X, PortName("main/stop", "x"))
    np.testing.assert_array_equal(process.ask(TensorName(blocked)).answer, np.zeros(40))


@pytest.mark.parametrize("place", [PortName("main/nobody", "y"), Link(X, PortName("main/nobody", "x"))])
def test_a_tensor_that_is_not_there_is_none(process: Asked, place: PortName | Link) -> None:
    process.run(stopped_product())
    assert process.ask(TensorName(place)).answer is None


def test_before_the_first_run_there_is_no_tensor() -> None:
    assert Asked(InlineEvaluator).ask(TensorName(X)).answer is None


def test_a_slice_is_that_of_the_newest_graph(anywhere: Asked) -> None:
    """Expects the square as curve of x * stop(x) at x = 3; its slope is 6, the gradient 3."""
    name = SliceName(X, (), 2.0)
    for revision, value in enumerate((2.0, 3.0)):
        anywhere.run(edits.set_parameter(stopped_product(), "main", "x", "value", np.array(value)), revision)
    answer = anywhere.ask(name)
    assert (answer.question, answer.revision) == (name, 1)
    found = answer.answer
    assert found is not None
    assert (found.at, found.loss, found.slope) == (3.0, 9.0, 3.0)
    assert found.losses.tolist() == [place**2 for place in found.places]
    assert found.left == pytest.approx(6.0) and not found.is_tangent


@pytest.mark.long
def test_before_the_first_run_and_for_what_is_not_there_is_no_slice() -> None:
    asked = Asked(InlineEvaluator)
    assert asked.ask(SliceName(X, (), 1.0)).answer is None
    asked.run(stopped_product())
    assert asked.ask(SliceName(X, (0,), 1.0)).answer is None


def test_closing_ends_the_process_and_its_threads(own_process: Asked) -> None:
    own_process.run(stopped_product())
    evaluator = process_of(own_process)
    evaluator.close()
    assert not is_running(evaluator.pid)
    assert not any(thread.is_alive() for thread in evaluator._threads)
    assert own_process.answers.empty()


@pytest.mark.skipif(sys.platform == "win32", reason="stops the process by a signal")
def test_closing_ends_a_process_that_is_in_the_middle_of_something(own_process: Asked) -> None:
    own_process.run(stopped_product())
    evaluator = process_of(own_process)
    os.kill(evaluator.pid, signal.SIGSTOP)
    evaluator.evaluate(2, rich_graph(), None)
    start = time.monotonic()
    evaluator.close()
    assert time.monotonic() - start < 5
    assert not is_running(evaluator.pid)
    assert own_process.answers.empty()


@pytest.mark.skipif(sys.platform == "win32", reason="the exit code is that of a signal")
def test_a_killed_process_is_said_to_have_died(own_process: Asked) -> None:
    own_process.run(stopped_product())
    os.kill(process_of(own_process).pid, signal.SIGKILL)
    assert own_process.answers.get(timeout=PATIENCE) == Died(-signal.SIGKILL)
    own_process.evaluator.evaluate(2, rich_graph(), None)
    own_process.evaluator.close()
    assert own_process.answers.empty()


def test_a_spare_process_is_the_next_evaluator(starter: Starter) -> None:
    spare, answers = Spare(starter), queue.Queue[Answer]()
    spare.prepare()
    ready = spare._ready
    evaluator = spare(answers.put)
    evaluator.evaluate(3, stopped_product(), None)
    answer = answers.get(timeout=PATIENCE)
    evaluator.close()
    assert evaluator is ready
    assert isinstance(answer, Results) and answer.revision == 3


def test_a_spare_process_that_nobody_takes_ends(starter: Starter) -> None:
    spare = Spare(starter)
    spare.prepare()
    ready = spare._ready
    assert ready is not None
    spare.close()
    assert ready._process.poll() is not None


def test_a_spare_process_that_died_is_replaced(starter: Starter) -> None:
    spare, answers = Spare(starter), queue.Queue[Answer]()
    spare.prepare()
    ready = spare._ready
    assert ready is not None
    ready._process.kill()
    for thread in ready._threads:
        thread.join(PATIENCE)
    evaluator = spare(answers.put)
    evaluator.evaluate(1, stopped_product(), None)
    try:
        assert answers.get(timeout=PATIENCE)
    except queue.Empty:
        pytest.fail("no answer")
    finally:
        evaluator.close()


def test_a_process_says_its_end_to_the_function_it_was_redirected_to_or_is_known_to_have_ended(
    starter: Starter,
) -> None:
    for pause in np.linspace(0, 0.004, 20):
        before, after = queue.Queue[Answer](), queue.Queue[Answer]()
        evaluator = ProcessEvaluator(before.put, starter.start())
        evaluator._process.kill()
        time.sleep(pause)
        answers = after if evaluator.redirect(after.put) else before
        assert isinstance(answers.get(timeout=PATIENCE), Died)
        for thread in evaluator._threads:
            thread.join(PATIENCE)
        assert before.empty() and after.empty()


def test_a_question_that_fails_is_answered_and_the_next_one_as_ever(anywhere: Asked) -> None:
    anywhere.run(stopped_product(), 7)
    # A list cannot be looked up, because it has no hash.
    reply = anywhere.ask(TensorName([]))  # type: ignore[arg-type]
    assert (reply.revision, reply.answer) == (7, None)
    assert reply.is_failed and not anywhere.ask(TensorName(X)).is_failed
    assert anywhere.run(stopped_product(), 8).revision == 8


def test_an_evaluator_whose_window_has_gone_ends_whatever_it_is_at(starter: Starter) -> None:
    process, _, _ = starter.start()
    assert process.stdin is not None and process.stdout is not None
    pickle.dump(ConsoleLine(1, "while True: pass"), process.stdin)
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()
