"""The runs of a document, whose evaluator answers by hand: what is shown when, what is asked, what is old."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process import scheduler as scheduler_module
from gradwire.app.live.process.evaluator import Answer, Died, Explained, Values
from gradwire.app.live.questions.questions import CausesWanted, Question, Reply, TensorName
from gradwire.app.live.readings.comparison import Comparison, WithoutStops
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.app.live.runs import ANSWERS_LATE, LATE, Runs
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph
from tests.app.live.test_scheduler import Evaluator

W = TensorName(PortName("main/w", "y"))
L = TensorName(PortName("main/L", "y"), is_gradient=True)
OWN = Qt.FindChildOption.FindDirectChildrenOnly


@dataclass(frozen=True)
class OtherStops(WithoutStops):
    """A comparison of another kind."""


SPARE = OtherStops()


def square(number: float) -> Graph:
    """Returns the loss w * w."""
    return gw.graph(gw.Loss(gw.Square(gw.Variable(number, name="w")), name="L"))


class Scene:
    """Runs of a document, all that they say, and the evaluators that they have."""

    def __init__(self, is_understood: bool = True) -> None:
        self.parent, self.evaluators = QObject(), list[Evaluator]()
        self.document = Document(square(2.0))
        self.runs = Runs(self.document, self._make, is_understood, self.parent)
        self.shown: list[Results | None] = []
        self.arrived: list[int] = []
        self.replies: list[Reply] = []
        self.done: list[bool] = []
        self.modes = 0
        self.runs.results_changed.connect(self.shown.append)
        self.runs.arrived.connect(lambda found: self.arrived.append(found.revision))
        self.runs.replied.connect(self.replies.append)
        self.runs.mode_changed.connect(self._note_mode)

    def _make(self, answer: Callable[[Answer], None]) -> Evaluator:
        self.evaluators.append(Evaluator(answer))
        return self.evaluators[-1]

    def _note_mode(self) -> None:
        self.modes += 1

    @property
    def evaluator(self) -> Evaluator:
        return self.evaluators[-1]

    @property
    def asked(self) -> list[Question]:
        return self.evaluator.asked

    def results(self, revision: int) -> Results:
        graph = next(graph for number, graph, _ in self.evaluator.sent if number == revision)
        return results_of(evaluate(graph), revision)

    def say(self, revision: int) -> None:
        """Lets the evaluator send the results of a revision."""
        self.evaluator.answer(self.results(revision))

    def run(self) -> None:
        """Runs the document as it is, to its end."""
        self.runs.evaluate()
        self.say(self.runs.scheduler.revision)

    def edit(self, number: float) -> None:
        self.document.apply("", edits.set_parameter, "main", "w", "value", np.array(number))

    @property
    def w(self) -> float:
        """The value of w that is shown."""
        assert self.runs.results is not None
        reading = self.runs.results.port(W.place)  # type: ignore[arg-type]  # a port
        assert reading is not None and reading.value is not None
        return reading.value.first[0]

    @property
    def pauses(self) -> list[int]:
        """The pauses of the runs that now go by. Units: ms."""
        found = self.runs.findChildren(QTimer, options=OWN)
        return sorted(timer.interval() for timer in found if timer.isActive())


@pytest.fixture
def made(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Scene]]:
    monkeypatch.setattr(scheduler_module, "FRAME", 0.0)
    monkeypatch.setattr(scheduler_module, "PAUSES", (0.0, 0.0))
    scenes: list[Scene] = []

    def make(**given: bool) -> Scene:
        scenes.append(Scene(**given))
        return scenes[-1]

    yield make
    for item in scenes:
        item.runs.close()


@pytest.fixture
def scene(made: Callable[..., Scene]) -> Scene:
    return made()


def test_results_are_current_until_an_edit_and_old_only_where_no_others_are_on_their_way(scene: Scene) -> None:
    assert not scene.runs.are_current and scene.runs.are_stale
    scene.run()
    assert scene.runs.are_current and not scene.runs.are_stale
    scene.edit(3.0)
    assert not scene.runs.are_current and scene.runs.are_stale
    scene.runs.evaluate()
    assert not scene.runs.are_current and not scene.runs.are_stale
    scene.evaluator.answer(Died(-9))
    assert scene.runs.are_stale
    scene.say(2)
    assert scene.runs.are_current and not scene.runs.are_stale and (scene.w, scene.arrived) == (3.0, [1, 2])


def test_what_takes_longer_than_two_seconds_is_late_until_it_comes(scene: Scene) -> None:
    assert (LATE, ANSWERS_LATE) == (2000, 500)
    scene.runs.evaluate()
    assert scene.pauses == [2000]
    scene.edit(3.0)
    scene.runs.evaluate()
    (late,) = (timer for timer in scene.runs.findChildren(QTimer, options=OWN) if timer.isActive())
    late.timeout.emit()
    assert scene.runs.are_stale and scene.modes == 1
    scene.say(1)
    # The next run has begun, and nothing has delayed it.
    assert not scene.runs.are_stale and scene.pauses == [2000]
    scene.say(2)
    assert scene.pauses == [] and scene.runs.are_current


def test_what_is_not_understood_is_never_run(made: Callable[..., Scene]) -> None:
    scene = made(is_understood=False)
    scene.runs.evaluate()
    scene.runs.prepare(square(3.0), scene.done.append)
    assert (scene.evaluator.sent, scene.done, scene.runs.scheduler.revision) == ([], [True], 0)


def test_edits_are_run_while_live(scene: Scene) -> None:
    scene.runs.evaluate_edit()
    assert scene.evaluator.revisions == [1]
    scene.say(1)
    scene.runs.set_live(False)
    scene.runs.evaluate_edit()
    assert scene.evaluator.revisions == [1]
    scene.runs.evaluate()
    assert scene.evaluator.revisions == [1, 2]


def test_the_graph_that_is_run_may_be_filled_but_belongs_to_that_of_the_document(scene: Scene) -> None:
    scene.runs.filled = lambda graph: edits.set_parameter(graph, "main", "w", "value", np.array(7.0))
    scene.run()
    assert scene.w == 7.0 and scene.runs.are_current


@pytest.mark.parametrize(("running", "is_live"), [("", True), ("main/w", False)])
def test_live_ends_where_a_block_has_ended_the_evaluators(scene: Scene, running: str, is_live: bool) -> None:
    scene.run()
    scene.modes = 0
    scene.runs.give_up(Died(-9, running))
    assert (scene.runs.has_given_up, scene.runs.is_live, scene.modes) == (True, is_live, int(not is_live))
    assert scene.shown == [scene.runs.results] * 2
    # Nothing is prepared, and evaluation begins again where somebody asks for it.
    scene.runs.prepare(square(3.0), scene.done.append)
    assert (scene.done, scene.evaluator.revisions) == ([True], [1])
    scene.runs.evaluate()
    assert not scene.runs.has_given_up and scene.modes == 1 + (not is_live)
    scene.runs.evaluate()
    assert scene.modes == 1 + (not is_live)


def test_results_of_unknown_runs_are_not_shown_and_causes_come_once_more(scene: Scene) -> None:
    scene.runs.evaluate()
    values = scene.results(1)
    scene.evaluator.answer(Values(values))
    assert (scene.shown, scene.arrived) == ([values], [])
    scene.say(1)
    scene.evaluator.answer(Explained(values))
    assert scene.arrived == [1, 1] and len(scene.shown) == 3
    scene.runs.scheduler.schedule(square(9.0))
    scene.evaluator.answer(Values(scene.results(2)))
    scene.say(2)
    assert scene.arrived == [1, 1] and scene.w == 2.0


def test_closed_runs_hold_no_results(scene: Scene) -> None:
    scene.run()
    scene.runs.evaluate()
    scene.runs.close()
    assert scene.runs.results is scene.runs.true_results is None and scene.pauses == []
    assert scene.evaluator.is_closed


def test_a_prepared_run_waits_for_the_answers_that_are_asked_for_now(scene: Scene) -> None:
    scene.run()
    scene.runs.ask(W)
    scene.evaluator.answer(Reply(W, 1, 2.0))
    graph = square(5.0)
    scene.runs.prepare(graph, scene.done.append)
    scene.evaluator.answer(Values(scene.results(2)))
    scene.say(2)
    assert (scene.w, scene.done, scene.asked, scene.pauses) == (2.0, [], [W, W], [ANSWERS_LATE])
    # An answer about the run before is no answer about this one.
    scene.evaluator.answer(Reply(W, 1, 2.5))
    scene.runs.scheduler.ask(W)
    assert [reply.answer for reply in scene.replies] == [2.0, 2.5] and scene.done == []
    scene.evaluator.answer(Reply(W, 2, 5.0))
    assert scene.done == [True] and len(scene.replies) == 2

    def take_over() -> None:
        scene.document.apply("Train", lambda _: graph)
        # This edit has been run already.
        scene.runs.evaluate_edit()

    scene.runs.show_prepared(take_over)
    assert scene.evaluator.revisions == [1, 2]
    assert (scene.w, scene.arrived, scene.runs.are_current, scene.pauses) == (5.0, [1, 2], True, [])
    assert [reply.answer for reply in scene.replies] == [2.0, 2.5, 5.0]
    asked = len(scene.asked)
    assert scene.runs.knows_answer(W) and not scene.runs.knows_answer(L)
    scene.runs.ask(W)
    assert len(scene.asked) == asked and scene.replies[-1] == Reply(W, 2, 5.0)
    scene.runs.ask(W, is_once=True)
    assert len(scene.asked) == asked + 1
    # The causes of the same run change nothing of what is known.
    scene.evaluator.answer(Explained(scene.results(2)))
    assert scene.runs.knows_answer(W)
    scene.run()
    assert not scene.runs.knows_answer(W)


def test_an_answer_is_said_once_to_whoever_asks_when_the_results_come(scene: Scene) -> None:
    scene.run()
    scene.runs.ask(W)
    scene.evaluator.answer(Reply(W, 1, 2.0))
    scene.runs.prepare(square(5.0), scene.done.append)
    scene.say(2)
    scene.evaluator.answer(Reply(W, 2, 5.0))
    scene.runs.results_changed.connect(lambda _: scene.runs.ask(W))
    scene.runs.show_prepared(lambda: None)
    assert [reply.answer for reply in scene.replies] == [2.0, 5.0]


def test_causes_that_a_prepared_run_owes_are_waited_for(scene: Scene) -> None:
    scene.run()
    scene.runs.prepare(square(5.0), scene.done.append)
    owing = dataclasses.replace(scene.results(2), owes_causes=True)
    scene.evaluator.answer(owing)
    assert (scene.asked, scene.done) == ([CausesWanted()], [])
    scene.evaluator.answer(Explained(scene.results(2)))
    assert (scene.asked, scene.done) == ([CausesWanted()], [])
    scene.evaluator.answer(Reply(CausesWanted(), 2, None))
    assert scene.done == [True]
    scene.runs.show_prepared(lambda: None)
    assert scene.runs.results is not None and not scene.runs.results.owes_causes


def test_answers_that_are_late_are_waited_for_no_longer(scene: Scene) -> None:
    scene.run()
    scene.runs.ask(W)
    scene.evaluator.answer(Reply(W, 1, 2.0))
    scene.runs.prepare(square(5.0), scene.done.append)
    scene.say(2)
    (timer,) = (item for item in scene.runs.findChildren(QTimer, options=OWN) if item.isActive())
    timer.timeout.emit()
    assert scene.done == [True]
    scene.evaluator.answer(Reply(W, 2, 5.0))
    assert scene.done == [True]
    scene.runs.show_prepared(lambda: None)
    assert scene.w == 5.0


def test_a_prepared_run_without_questions_is_there_at_once(scene: Scene) -> None:
    scene.run()
    scene.runs.prepare(square(5.0), scene.done.append)
    scene.say(2)
    assert (scene.done, scene.w, scene.arrived) == ([True], 2.0, [1])


def test_another_question_of_a_topic_takes_the_place_of_the_one_that_is_waited_for(scene: Scene) -> None:
    scene.run()
    scene.runs.ask(W)
    scene.evaluator.answer(Reply(W, 1, 2.0))
    scene.runs.prepare(square(5.0), scene.done.append)
    # A question of another topic is none that is waited for.
    scene.runs.ask(L)
    scene.say(2)
    assert scene.asked == [W, L, W]
    scene.evaluator.answer(Reply(W, 2, 5.0))
    assert scene.done == [True]


def test_a_prepared_run_gives_way_to_another_and_to_an_edit(scene: Scene) -> None:
    scene.run()
    other: list[bool] = []
    scene.runs.prepare(square(5.0), scene.done.append)
    scene.runs.prepare(square(6.0), other.append)
    assert (scene.done, other) == ([False], [])
    scene.runs.evaluate()
    assert (scene.done, other) == ([False], [False])
    scene.say(2)
    taken: list[int] = []
    scene.runs.show_prepared(lambda: taken.append(1))
    assert (scene.w, taken, scene.arrived) == (2.0, [1], [1])


def test_a_prepared_run_that_was_stopped_is_ready_without_results(scene: Scene) -> None:
    scene.run()
    scene.runs.prepare(square(5.0), scene.done.append)
    scene.runs.stop()
    assert scene.done == [True]
    taken: list[int] = []
    scene.runs.show_prepared(lambda: taken.append(scene.runs.scheduler.revision))
    assert (scene.w, taken) == (2.0, [2])


def test_stops_are_ignored_or_previewed_and_each_run_knows(scene: Scene) -> None:
    def sent() -> list[Comparison | None]:
        while scene.runs.scheduler.is_busy:
            scene.say(scene.evaluator.revisions[-1])
        return [comparison for _, _, comparison in scene.evaluator.sent]

    scene.runs.set_ignores_stops(False)
    scene.runs.set_preview(None)
    assert (sent(), scene.modes, scene.runs.comparison) == ([], 0, None)
    scene.runs.set_ignores_stops(True)
    assert (sent(), scene.modes) == ([WithoutStops()], 1)
    scene.runs.set_preview(SPARE)
    scene.runs.set_preview(SPARE)
    assert (sent(), scene.modes, scene.runs.comparison) == ([WithoutStops(), SPARE], 2, SPARE)
    scene.runs.prepare(square(5.0), scene.done.append)
    assert sent()[2:] == [SPARE]
    scene.runs.set_ignores_stops(False)
    assert (sent()[3:], scene.runs.preview, scene.modes) == ([None], None, 3)


def test_a_mask_answers_none_in_place_of_the_evaluator(scene: Scene) -> None:
    scene.runs.mask_of_pause = GradientMask
    scene.runs.refresh_mask()
    assert scene.shown == []
    scene.runs.ask(L)
    assert (scene.replies, scene.asked) == ([Reply(L, 0, None)], [])
    scene.run()
    scene.run()
    scene.runs.ask(L)
    scene.runs.ask(W)
    assert (scene.replies[1:], scene.asked) == ([Reply(L, 2, None)], [W])
    masked, true = scene.runs.results, scene.runs.true_results
    assert masked is not None and true is not None and masked.hidden is not None and true.hidden is None
    scene.runs.mask_of_pause = lambda: None
    scene.runs.refresh_mask()
    assert scene.runs.results is true
    scene.runs.ask(L)
    assert scene.asked == [W, L]


def test_a_pause_hides_gradients(scene: Scene) -> None:
    scene.runs.refresh_mask()
    assert scene.shown == []
    scene.run()
    scene.runs.refresh_mask()
    assert len(scene.shown) == 1
    pause = GradientMask(ports=frozenset([PortName("main/w", "y")]))
    scene.runs.mask_of_pause = lambda: pause
    scene.runs.ask(L)
    assert scene.replies == [Reply(L, 1, None)]
    scene.runs.refresh_mask()
    scene.runs.refresh_mask()
    assert len(scene.shown) == 2
    results = scene.runs.results
    assert results is not None and results.hidden is pause.why
    shown = [shape is not None for shape in results.ports.gradients.shapes]
    assert shown == [name == W.place for name in results.ports.row_of]
    scene.runs.mask_of_pause = lambda: None
    scene.runs.refresh_mask()
    assert len(scene.shown) == 3 and scene.runs.results is scene.runs.true_results


def test_going_live_runs_only_what_is_old(scene: Scene) -> None:
    scene.run()
    scene.runs.set_live(True)
    assert (scene.evaluator.revisions, scene.modes) == ([1], 0)
    scene.runs.set_live(False)
    scene.runs.set_live(True)
    assert (scene.evaluator.revisions, scene.modes) == ([1], 2)
    scene.runs.set_live(False)
    scene.edit(3.0)
    assert scene.evaluator.revisions == [1]
    scene.runs.set_live(True)
    assert scene.evaluator.revisions == [1, 2]
