"""The scheduler's choice of graphs to send and answers to emit; the tests give the answers by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.live.process import scheduler as scheduler_module
from gradwire.app.live.process.evaluator import Answer, Died, Values
from gradwire.app.live.process.scheduler import Scheduler
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.readings.comparison import Comparison, WithoutStops
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph

NAME = TensorName(PortName("main/x", "y"))
SLICES = [SliceName(PortName("main/x", "y"), (place,), 1.0) for place in range(3)]


def results(revision: int) -> Results:
    """Returns the results of an empty graph."""
    return results_of(evaluate(Graph()), revision)


class Evaluator:
    """An evaluator that records requests and never answers by itself."""

    running = "main/x"

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self.answer = answer
        self.sent: list[tuple[int, Graph, Comparison | None]] = []
        self.asked: list[Question] = []
        self.is_closed = False

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        self.sent.append((revision, graph, comparison))

    def ask(self, question: Question) -> None:
        self.asked.append(question)

    def kill(self) -> None:
        self.is_closed = True

    def close(self) -> None:
        self.is_closed = True

    @property
    def revisions(self) -> list[int]:
        return [revision for revision, _, _ in self.sent]


class Scene:
    """A scheduler, the evaluators that it has made, and all its signals."""

    def __init__(self) -> None:
        self.evaluators: list[Evaluator] = []
        self.scheduler = Scheduler(self._make)
        self.shown: list[int] = []
        self.busy: list[bool] = []
        self.given_up: list[Died] = []
        self.replies: list[Reply] = []
        self.scheduler.arrived.connect(lambda found: self.shown.append(found.revision))
        self.scheduler.busy_changed.connect(self.busy.append)
        self.scheduler.gave_up.connect(self.given_up.append)
        self.scheduler.replied.connect(self.replies.append)

    def _make(self, answer: Callable[[Answer], None]) -> Evaluator:
        self.evaluators.append(Evaluator(answer))
        return self.evaluators[-1]

    @property
    def evaluator(self) -> Evaluator:
        """The current evaluator."""
        return self.evaluators[-1]

    def schedule(self, count: int = 1) -> None:
        for _ in range(count):
            self.scheduler.schedule(Graph())


@pytest.fixture
def scene(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A scene without pauses between runs and evaluators, so that no test has to wait."""
    monkeypatch.setattr(scheduler_module, "FRAME", 0.0)
    monkeypatch.setattr(scheduler_module, "PAUSES", (0.0, 0.0))
    made = Scene()
    yield made
    made.scheduler.close()


def test_an_idle_evaluator_gets_the_graph_at_once(scene: Scene) -> None:
    graph = Graph()
    scene.scheduler.schedule(graph, WithoutStops())
    assert scene.scheduler.revision == 1
    assert scene.evaluator.sent == [(1, graph, WithoutStops())]
    assert scene.evaluator.sent[0][1] is graph


def test_at_most_one_graph_runs_and_the_newest_waits(scene: Scene) -> None:
    scene.schedule(5)
    assert scene.evaluator.revisions == [1]
    scene.evaluator.answer(results(1))
    assert scene.evaluator.revisions == [1, 5]
    scene.evaluator.answer(results(5))
    assert scene.evaluator.revisions == [1, 5]


def test_newer_results_are_shown_although_newer_graphs_wait(scene: Scene) -> None:
    """Simulates the drag of a slider, which must show results before it rests."""
    scene.schedule(2)
    for revision in range(1, 5):
        scene.schedule()
        scene.evaluator.answer(results(scene.evaluator.revisions[-1]))
        assert len(scene.shown) == revision
    assert scene.shown == sorted(scene.shown)
    assert scene.scheduler.is_busy


@pytest.mark.parametrize("revision", [1, 2, 3])
def test_results_that_are_not_newer_are_never_shown(scene: Scene, revision: int) -> None:
    scene.schedule(3)
    scene.evaluator.answer(results(3))
    scene.evaluator.answer(results(revision))
    assert scene.shown == [3]


def test_values_of_the_run_under_way_are_shown_before_its_results(scene: Scene) -> None:
    values: list[int] = []
    scene.scheduler.values_arrived.connect(lambda found: values.append(found.revision))
    scene.scheduler.schedule(Graph())
    (evaluator,) = scene.evaluators
    evaluator.answer(Values(results(1)))
    assert values == [1] and scene.shown == [] and scene.scheduler.is_busy
    evaluator.answer(results(1))
    evaluator.answer(Values(results(1)))
    assert values == [1] and scene.shown == [1] and not scene.scheduler.is_busy


def test_busy_is_said_once_at_each_end(scene: Scene) -> None:
    scene.schedule(2)
    assert scene.busy == [True]
    scene.evaluator.answer(results(1))
    assert (scene.busy, scene.scheduler.is_busy) == ([True], True)
    scene.evaluator.answer(results(2))
    assert (scene.busy, scene.scheduler.is_busy) == ([True, False], False)


def pauses(scene: Scene) -> list[int]:
    """The pauses that now go by. Units: ms."""
    return [timer.interval() for timer in scene.scheduler.findChildren(QTimer) if timer.isActive()]


def test_there_is_at_most_one_run_a_frame(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: now[0])
    scene = Scene()
    scene.schedule()
    scene.evaluator.answer(results(1))
    scene.schedule()
    assert scene.evaluator.revisions == [1]
    # A third of a frame of 60 Hz.
    assert pauses(scene) == [6]
    now[0] += 1.0
    scene.schedule()
    qtbot.waitUntil(lambda: scene.evaluator.revisions == [1, 3])
    scene.scheduler.close()


def test_questions_and_their_answers_pass_through(scene: Scene) -> None:
    scene.scheduler.ask(NAME)
    answer = Reply(NAME, 1, None)
    scene.evaluator.answer(answer)
    assert scene.evaluator.asked == [NAME]
    assert scene.replies == [answer]


def test_after_a_death_a_new_evaluator_runs_what_was_lost(scene: Scene) -> None:
    scene.schedule()
    first = scene.evaluator
    first.answer(Died(-9))
    assert first.is_closed
    assert len(scene.evaluators) == 2
    assert scene.evaluator.revisions == [1]


def test_after_a_death_the_newest_graph_comes_before_the_lost_one(scene: Scene) -> None:
    scene.schedule(3)
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.revisions == [3]


def test_three_deaths_in_a_row_give_up(scene: Scene) -> None:
    scene.schedule()
    for _ in range(3):
        assert scene.given_up == []
        scene.evaluator.answer(Died(-9))
    assert scene.given_up == [Died(-9)]
    assert (scene.busy, scene.scheduler.is_busy, len(scene.evaluators)) == ([True, False], False, 3)


def test_after_giving_up_the_next_graph_is_tried_again(scene: Scene) -> None:
    scene.schedule()
    for _ in range(3):
        scene.evaluator.answer(Died(-9))
    scene.schedule()
    scene.evaluator.answer(results(2))
    assert scene.shown == [2]


def test_after_the_second_death_in_a_row_the_next_evaluator_waits(
    scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_module, "PAUSES", (0.0, 0.05))
    scene.schedule()
    scene.evaluator.answer(Died(-9))
    scene.evaluator.answer(Died(-9))
    scene.schedule()
    assert (len(scene.evaluators), scene.scheduler.is_busy) == (2, True)
    assert pauses(scene) == [50]
    qtbot.waitUntil(lambda: len(scene.evaluators) == 3)
    assert scene.evaluator.revisions == [2]


def test_an_evaluator_that_the_system_cannot_start_counts_as_a_death(
    scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> Evaluator:
        raise PermissionError(13, "Permission denied", "/bin/python")

    monkeypatch.setattr(scene.scheduler, "_make", refuse)
    scene.schedule()
    scene.evaluator.answer(Died(-9))
    qtbot.waitUntil(lambda: bool(scene.given_up))
    assert scene.given_up == [Died(None, reason="you have no permission")]


def test_an_evaluator_that_has_ended_before_it_is_there_counts_as_a_death(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ShortLived(Evaluator):
        def __init__(self, answer: Callable[[Answer], None]) -> None:
            super().__init__(answer)
            reader = threading.Thread(target=answer, args=(Died(-9),))
            reader.start()
            reader.join()

    monkeypatch.setattr(scheduler_module, "PAUSES", (0.0, 0.0))
    scheduler, given_up = Scheduler(ShortLived), list[Died]()
    scheduler.gave_up.connect(given_up.append)
    scheduler.schedule(Graph())
    qtbot.waitUntil(lambda: bool(given_up))
    assert (given_up, scheduler.is_busy) == ([Died(-9)], False)
    scheduler.close()


def test_a_result_in_between_starts_the_count_again(scene: Scene) -> None:
    for revision in range(1, 5):
        scene.schedule()
        scene.evaluator.answer(Died(-9))
        scene.evaluator.answer(Died(-9))
        scene.evaluator.answer(results(revision))
    assert (scene.given_up, scene.shown) == ([], [1, 2, 3, 4])


def test_what_an_evaluator_says_after_it_was_replaced_is_not_heard(scene: Scene) -> None:
    scene.schedule()
    first = scene.evaluator
    first.answer(Died(-9))
    first.answer(results(1))
    first.answer(Died(-9))
    assert scene.shown == []
    assert len(scene.evaluators) == 2


def test_nothing_comes_after_closing(scene: Scene) -> None:
    scene.schedule(2)
    said = list(scene.busy)
    scene.scheduler.close()
    for answer in (results(1), Reply(NAME, 1, None), Died(-9), Died(-9), Died(-9)):
        scene.evaluator.answer(answer)
    assert scene.evaluator.is_closed
    assert (scene.shown, scene.replies, scene.given_up, scene.busy) == ([], [], [], said)
    assert (len(scene.evaluators), scene.evaluator.revisions) == (1, [1])


def test_a_graph_that_comes_after_closing_is_not_taken(scene: Scene) -> None:
    scene.scheduler.close()
    scene.schedule()
    assert (scene.busy, scene.scheduler.is_busy, scene.evaluator.sent) == ([], False, [])


def test_a_question_that_died_with_its_evaluator_is_asked_again(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(NAME)
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.asked == [NAME]


def slice_reply(name: SliceName, revision: int = 1) -> Reply:
    return Reply(name, revision, None)


def test_one_slice_is_computed_at_a_time_and_the_newest_waits(scene: Scene) -> None:
    for name in SLICES:
        scene.scheduler.ask(name)
    assert scene.evaluator.asked == SLICES[:1]
    scene.evaluator.answer(slice_reply(SLICES[0]))
    assert scene.evaluator.asked == [SLICES[0], SLICES[2]]


def test_a_slice_that_nobody_wants_any_more_is_not_shown(scene: Scene) -> None:
    for name in SLICES[:2]:
        scene.scheduler.ask(name)
    for name in SLICES[:2]:
        scene.evaluator.answer(slice_reply(name))
    assert scene.replies == [slice_reply(SLICES[1])]


def test_a_slice_that_is_asked_for_again_is_shown_meanwhile(scene: Scene) -> None:
    """Simulates the drag of a slider, which must show results before it rests."""
    for revision in (1, 2, 3):
        scene.scheduler.ask(SLICES[0])
        scene.scheduler.ask(SLICES[0])
        scene.evaluator.answer(slice_reply(SLICES[0], revision))
    assert [answer.revision for answer in scene.replies] == [1, 2, 3]


def test_a_slice_that_died_with_its_evaluator_is_asked_for_again(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(SLICES[0])
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.asked == SLICES[:1]


def test_after_giving_up_slices_are_asked_for_anew(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(SLICES[0])
    for _ in range(3):
        scene.evaluator.answer(Died(-9))
    scene.scheduler.ask(SLICES[1])
    scene.schedule()
    assert scene.evaluator.asked == SLICES[1:2]


def test_no_slice_comes_after_closing(scene: Scene) -> None:
    scene.scheduler.ask(SLICES[0])
    scene.scheduler.close()
    scene.evaluator.answer(slice_reply(SLICES[0]))
    scene.scheduler.ask(SLICES[1])
    assert (scene.replies, scene.evaluator.asked) == ([], SLICES[:1])


def test_an_end_is_told_before_the_next_evaluator_is_asked(scene: Scene) -> None:
    ends: list[tuple[Died, int]] = []
    scene.scheduler.ended.connect(lambda died: ends.append((died, len(scene.evaluators))))
    scene.schedule()
    scene.evaluator.answer(Died(-9))
    assert ends == [(Died(-9), 1)]


def test_a_question_that_was_given_up_is_not_asked_again(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(NAME)
    scene.scheduler.ask(SLICES[0])
    scene.scheduler.forget(NAME)
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.asked == SLICES[:1]


def test_a_restart_runs_the_newest_graph_in_a_new_evaluator(scene: Scene) -> None:
    scene.schedule()
    first = scene.evaluator
    first.answer(results(1))
    scene.scheduler.restart()
    assert first.is_closed and scene.evaluator is not first
    assert (scene.evaluator.revisions, scene.scheduler.is_busy) == ([1], True)
    scene.evaluator.answer(results(1))
    assert (scene.shown, scene.busy, scene.scheduler.is_busy) == ([1], [True, False, True, False], False)


def test_restarts_are_no_deaths(scene: Scene) -> None:
    scene.schedule()
    for _ in range(5):
        scene.scheduler.restart()
    assert scene.given_up == []
    assert (len(scene.evaluators), scene.evaluator.revisions) == (6, [1])


def test_a_new_evaluator_is_asked_nothing_before_its_first_run(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: now[0])
    scene = Scene()
    scene.schedule()
    scene.scheduler.restart()
    scene.scheduler.ask(NAME)
    assert (scene.evaluator.revisions, scene.evaluator.asked) == ([], [])
    qtbot.waitUntil(lambda: scene.evaluator.revisions == [1])
    assert scene.evaluator.asked == [NAME]
    scene.scheduler.close()


def test_nothing_is_restarted_after_closing(scene: Scene) -> None:
    scene.scheduler.close()
    scene.scheduler.restart()
    assert len(scene.evaluators) == 1


def test_three_deaths_at_one_graph_give_up_though_there_are_results_in_between(scene: Scene) -> None:
    """Simulates a question that kills one evaluator after the other."""
    scene.schedule()
    for _ in range(3):
        scene.evaluator.answer(results(1))
        scene.evaluator.answer(Died(-11, "main/x"))
    assert scene.given_up == [Died(-11, "main/x")]
    assert len(scene.evaluators) == 3


def test_what_was_stopped_is_not_run_before_it_is_asked_for(scene: Scene) -> None:
    ends: list[Died] = []
    scene.scheduler.ended.connect(ends.append)
    scene.schedule(2)
    first = scene.evaluator
    scene.scheduler.stop()
    assert first.is_closed and ends == [Died(None, "main/x")]
    assert (scene.evaluator.sent, scene.busy, scene.scheduler.is_busy) == ([], [True, False], False)
    assert scene.scheduler.has_lost_run and scene.given_up == []
    scene.schedule()
    scene.evaluator.answer(results(3))
    assert scene.shown == [3] and not scene.scheduler.has_lost_run


def test_stopping_ends_nothing_where_nothing_is_run(scene: Scene) -> None:
    scene.schedule()
    scene.evaluator.answer(results(1))
    scene.scheduler.stop()
    assert len(scene.evaluators) == 1 and not scene.scheduler.has_lost_run


def test_a_question_that_waited_when_a_run_was_stopped_is_asked_with_the_next_one(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(NAME)
    scene.scheduler.stop()
    assert scene.evaluator.asked == []
    scene.schedule()
    assert scene.evaluator.asked == [NAME]


def test_a_run_is_lost_from_a_death_until_results_come(scene: Scene) -> None:
    scene.schedule()
    assert not scene.scheduler.has_lost_run
    scene.evaluator.answer(Died(-9))
    assert scene.scheduler.has_lost_run and scene.scheduler.is_busy
    scene.evaluator.answer(results(1))
    assert not scene.scheduler.has_lost_run


def test_how_long_a_run_takes_is_counted_from_when_it_was_sent(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: now[0])
    assert scene.scheduler.seconds == 0
    scene.schedule()
    now[0] += 4.0
    assert scene.scheduler.seconds == 4.0
    scene.evaluator.answer(results(1))
    assert scene.scheduler.seconds == 0
