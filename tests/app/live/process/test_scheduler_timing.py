"""The scheduler's moments: the frame between two runs, slow runs, and answers that come for other runs."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.process import scheduler as scheduler_module
from gradwire.app.live.process.evaluator import Answer, Died, Explained, Values
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.engine.graph.graph import Graph
from tests.app.live.test_scheduler import NAME, SLICES, Evaluator, Scene, pauses, results, scene, slice_reply

__all__ = ["scene"]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which only the test moves. Units: seconds."""
    time = [100.0]
    monkeypatch.setattr(scheduler_module.time, "monotonic", lambda: time[0])
    return time


@pytest.mark.parametrize(
    ("waited", "interval"), [(0.0, 1000), (0.25, 750), (0.998, 2), (0.9999, 1), (1.0, None), (2.0, None)]
)
def test_a_run_waits_for_the_rest_of_a_third_of_a_frame_and_no_longer(
    qtbot: QtBot, now: list[float], monkeypatch: pytest.MonkeyPatch, waited: float, interval: int | None
) -> None:
    monkeypatch.setattr(scheduler_module, "FRAME", 3.0)
    made = Scene()
    made.schedule()
    made.evaluator.answer(results(1))
    now[0] += waited
    made.schedule()
    if interval is None:
        assert (made.evaluator.revisions, pauses(made)) == ([1, 2], [])
    else:
        assert (made.evaluator.revisions, pauses(made)) == ([1], [interval])
        # The pause that goes by is not begun anew.
        now[0] += 0.00005
        made.schedule()
        assert pauses(made) == [interval]
    made.scheduler.close()
    assert pauses(made) == []


@pytest.mark.parametrize(("seconds", "is_told"), [(4.5, False), (5.0, False), (5.5, True), (46.0, True)])
def test_a_run_of_more_than_five_seconds_is_noted(
    scene: Scene, now: list[float], caplog: pytest.LogCaptureFixture, seconds: float, is_told: bool
) -> None:
    scene.schedule()
    now[0] += seconds
    with caplog.at_level(logging.INFO):
        scene.evaluator.answer(results(1))
    assert [record.getMessage() for record in caplog.records] == [f"A run took {seconds:.1f} seconds"] * is_told


def test_values_are_shown_of_the_run_under_way_alone(scene: Scene) -> None:
    values: list[int] = []
    scene.scheduler.values_arrived.connect(lambda found: values.append(found.revision))
    scene.evaluator.answer(Values(results(0)))
    scene.schedule(2)
    for revision in (0, 2, 1):
        scene.evaluator.answer(Values(results(revision)))
    assert values == [1]
    scene.evaluator.answer(results(1))
    for revision in (1, 2):
        scene.evaluator.answer(Values(results(revision)))
    assert values == [1, 2]


def test_causes_are_shown_with_the_results_that_they_belong_to(scene: Scene) -> None:
    scene.schedule(2)
    scene.evaluator.answer(Explained(results(1)))
    assert scene.shown == []
    scene.evaluator.answer(results(1))
    for revision in (0, 1, 2):
        scene.evaluator.answer(Explained(results(revision)))
    assert scene.shown == [1, 1]
    scene.evaluator.answer(results(2))
    scene.evaluator.answer(Explained(results(1)))
    assert scene.shown == [1, 1, 2]


def test_only_the_question_itself_is_forgotten(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(SLICES[0])
    scene.scheduler.forget(SLICES[1])
    scene.scheduler.forget(NAME)
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.asked == SLICES[:1]


def test_a_forgotten_question_makes_room_for_the_next_of_its_topic(scene: Scene) -> None:
    scene.scheduler.ask(SLICES[0])
    scene.scheduler.forget(SLICES[0])
    scene.scheduler.ask(SLICES[1])
    assert scene.evaluator.asked == SLICES[:2]


def test_a_reply_that_nobody_waits_for_is_passed_on(scene: Scene) -> None:
    scene.evaluator.answer(slice_reply(SLICES[0], 7))
    assert [reply.revision for reply in scene.replies] == [7]


def test_a_restart_runs_what_waits_before_what_was_run(scene: Scene) -> None:
    scene.schedule(3)
    scene.scheduler.restart()
    assert scene.evaluator.revisions == [3]


def test_a_restart_before_any_run_runs_nothing_and_answers_at_once(scene: Scene) -> None:
    scene.scheduler.restart()
    scene.scheduler.ask(NAME)
    assert (scene.evaluator.revisions, scene.evaluator.asked, scene.busy) == ([], [NAME], [])
    assert not scene.scheduler.is_busy and scene.scheduler.revision == 0


def test_the_comparison_goes_along_with_a_run_that_is_repeated(scene: Scene) -> None:
    graph = Graph()
    scene.scheduler.schedule(graph, WithoutStops())
    scene.evaluator.answer(Died(-9))
    assert scene.evaluator.sent == [(1, graph, WithoutStops())]


def test_a_question_is_asked_once_after_an_end_and_not_with_each_run(scene: Scene) -> None:
    scene.schedule()
    scene.scheduler.ask(NAME)
    scene.evaluator.answer(Died(-9))
    for revision in (1, 2):
        scene.evaluator.answer(results(revision))
        scene.schedule()
    assert scene.evaluator.revisions == [1, 2, 3] and scene.evaluator.asked == [NAME]


def test_after_giving_up_nothing_is_computed_by_anybody(scene: Scene) -> None:
    scene.schedule()
    assert scene.scheduler.running == "main/x"
    last = scene.evaluator
    for _ in range(3):
        last = scene.evaluator
        last.answer(Died(-9))
    assert last.is_closed and scene.scheduler.running == ""
    assert scene.scheduler.has_lost_run and scene.scheduler.seconds == 0
    scene.scheduler.ask(NAME)
    assert last.asked == [] and len(scene.evaluators) == 3
    scene.schedule()
    assert scene.scheduler.running == "main/x" and scene.evaluator.asked == [NAME]


def test_three_more_deaths_after_giving_up_give_up_again(scene: Scene) -> None:
    for count in (1, 2):
        scene.schedule()
        for _ in range(3):
            assert len(scene.given_up) == count - 1
            scene.evaluator.answer(Died(-9))
    assert len(scene.given_up) == 2 and len(scene.evaluators) == 6


@pytest.mark.parametrize(("waits", "how"), [(True, "close"), (False, "kill")])
def test_closing_waits_for_the_evaluator_or_kills_it(qtbot: QtBot, waits: bool, how: str) -> None:
    ends: list[str] = []

    class Noting(Evaluator):
        def kill(self) -> None:
            ends.append("kill")

        def close(self) -> None:
            ends.append("close")

    def made(answer: Callable[[Answer], None]) -> Evaluator:
        return Noting(answer)

    scheduler = scheduler_module.Scheduler(made)
    assert scheduler.running == "main/x"
    scheduler.schedule(Graph())
    scheduler.close(waits)
    assert (ends, scheduler.running, scheduler.is_busy) == ([how], "", False)
    scheduler.close()
    scheduler.stop()
    scheduler.schedule(Graph())
    assert ends == [how] and scheduler.revision == 1


def test_a_stop_while_a_pause_goes_by_ends_the_wait(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(scheduler_module, "PAUSES", (0.0, 5.0))
    scene.schedule()
    scene.evaluator.answer(Died(-9))
    scene.evaluator.answer(Died(-9))
    assert pauses(scene) == [5000] and scene.busy == [True]
    scene.scheduler.stop()
    assert pauses(scene) == [] and scene.busy == [True, False]
    assert scene.evaluator.sent == [] and len(scene.evaluators) == 3
    scene.evaluator.answer(Reply(NAME, 0, None))
    assert scene.replies == [Reply(NAME, 0, None)]
