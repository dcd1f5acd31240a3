"""Orders that a training gives to its process, and what it takes of the news: with a process that a test plays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.training.orders import Begin, Go, Halt, Look, News, Planned
from gradwire.app.features.training.reached import Reached
from gradwire.app.features.training.training_commands import TRAINING
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import Died, InlineEvaluator
from gradwire.app.live.readings.series import Chunk
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.training.state import State
from tests.app.features.training.test_training_desk import parabola, value


class Process:
    """A process that notes its orders, and answers only what a test says."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.orders, self.is_closed = answer, list[Any](), False

    def order(self, order: Any) -> None:
        self.orders.append(order)

    def close(self) -> None:
        self.is_closed = True


class Scene:
    """A session whose training runs in processes that a test plays."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot, self.processes = qtbot, list[Process]()
        self.session = Session(parabola(40), InlineEvaluator)
        qtbot.waitUntil(lambda: self.session.results is not None)
        self.session.make_evaluator = self._make  # type: ignore[assignment]  # of an evaluator it needs no more
        self.desk = self.session.part(TrainingDesk)
        self.said: list[str] = []
        self.session.refused.connect(self.said.append)

    def _make(self, answer: Any) -> Process:
        self.processes.append(Process(answer))
        return self.processes[-1]

    @property
    def orders(self) -> list[Any]:
        """The orders since the last look."""
        found = list(self.processes[-1].orders) if self.processes else []
        if self.processes:
            self.processes[-1].orders.clear()
        return found

    def tell(self, n: int, w: float | None = None, **others: Any) -> None:
        variables = {} if w is None else {"main/w": np.array(w)}
        self.processes[-1].answer(News(n, variables=variables, **others))

    def end(self, n: int, w: float, **others: Any) -> None:
        """Ends a run, and waits until its values are shown."""
        self.tell(n, w, state=State(n, {"main/w": np.array(w)}, {}, {"down": n}), **others)
        self.rest(n)

    def rest(self, n: int) -> None:
        self.qtbot.waitUntil(lambda: self.desk.reached.round == n and not self.desk.is_running)


@pytest.fixture
def scene(qtbot: QtBot) -> Iterator[Scene]:
    made = Scene(qtbot)
    yield made
    made.session.close()


def test_a_run_begins_with_the_graph_and_goes_on_when_it_is_ready(scene: Scene) -> None:
    scene.desk.train(5)
    (begin,) = scene.orders
    assert isinstance(begin, Begin)
    assert (begin.goes_on, begin.given, begin.state, begin.ignores_stops, begin.path, begin.tracked) == (
        False, frozenset(), None, False, None, (),
    )  # fmt: skip
    assert (scene.desk.is_running, scene.desk.reached.is_begun) == (True, False)
    scene.tell(0, 1.0, is_ready=True)
    assert scene.orders == [Go(5, None, True)] and scene.desk.reached.is_begun
    scene.end(5, 2.5)
    assert (scene.desk.is_running, scene.desk.reached.round, value(scene.session)) == (False, 5, 2.5)
    # The process holds the training now.
    scene.desk.train()
    (begin,) = scene.orders
    assert (begin.goes_on, begin.given, begin.state) == (True, frozenset(), None)
    scene.tell(5, 2.5, is_ready=True)
    assert scene.orders == [Go(None, None, True)]


def test_an_edit_on_the_way_leaves_the_goal_of_a_run(scene: Scene) -> None:
    scene.desk.set_limit(50.0)
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    assert scene.orders[-1] == Go(5, 50.0, True)
    for n, left in ((2, 3), (4, 1), (9, 0)):
        scene.session.apply("Move", edits.move_blocks, "main", {"w": (10.0 * n, 0.0)})
        (begin,) = scene.orders
        assert isinstance(begin, Begin)
        scene.tell(n, 1.0, is_ready=True)
        assert scene.orders == [Go(left, 50.0, False)]


def test_a_limit_or_a_tracked_wire_reaches_a_run_that_is_under_way(scene: Scene) -> None:
    scene.desk.set_limit(10.0)
    scene.desk.track("main/L.x", True)
    assert scene.orders == [] and scene.desk.tracked == ("main/L.x",)
    scene.desk.train(5)
    assert [order.tracked for order in scene.orders] == [("main/L.x",)]
    # It begins only, and takes the limit over by itself.
    scene.desk.set_limit(20.0)
    assert scene.orders == []
    scene.tell(0, 1.0, is_ready=True)
    assert scene.orders == [Go(5, 20.0, True)]
    scene.desk.set_limit(30.0)
    assert [type(order) for order in scene.orders] == [Begin]
    scene.tell(1, 1.0, is_ready=True)
    assert scene.orders == [Go(4, 30.0, False)]
    for name, is_tracked, tracked in (
        ("a", True, ("main/L.x", "a")),
        ("a", True, ("main/L.x", "a")),
        ("main/L.x", False, ("a",)),
    ):
        scene.desk.track(name, is_tracked)
        assert scene.desk.tracked == tracked and [order.tracked for order in scene.orders] == [tracked]


def test_a_pause_halts_and_a_look_waits_until_then(scene: Scene) -> None:
    scene.desk.pause()
    assert not scene.processes
    scene.desk.look()
    assert [type(order) for order in scene.orders] == [Look]
    scene.desk.train()
    scene.tell(0, 1.0, is_ready=True)
    scene.orders.clear()
    scene.desk.look()
    assert scene.orders == []
    # Training what is under way without a number of rounds pauses it, with one it does nothing.
    scene.desk.train(3)
    assert scene.orders == []
    scene.desk.train()
    assert scene.orders == [Halt()] and scene.desk.is_running
    scene.end(7, 2.0)
    assert not scene.desk.is_running
    scene.desk.look()
    assert [type(order) for order in scene.orders] == [Look]


def test_news_of_a_process_that_has_ended_are_not_taken(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.desk.reset()
    assert scene.processes[0].is_closed and len(scene.processes) == 1
    scene.tell(5, 2.5)
    assert (scene.desk.reached.round, value(scene.session), scene.desk.is_running, scene.desk.reached.is_begun) == (
        0,
        1.0,
        False,
        False,
    )
    scene.processes[0].answer(Planned(fault="late"))
    assert scene.desk.plan.fault == ""


@pytest.mark.parametrize("begun", [False, True])
def test_a_fault_is_said_and_ends_the_run(scene: Scene, begun: bool) -> None:
    scene.desk.train(5)
    if begun:
        scene.tell(0, 1.0, is_ready=True)
    scene.tell(0, fault="It is wrong.")
    assert (scene.desk.fault, scene.said) == ("It is wrong.", ["It is wrong."])
    assert (scene.desk.is_running, scene.desk.reached.is_begun) == (False, begun)
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    assert scene.desk.fault == ""


def test_a_note_is_said_with_what_follows_from_it(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True, note="The state is damaged.")
    assert scene.said == ["The state is damaged. The training begins anew from the trained values."]


def test_an_overflow_and_an_end_are_said_when_they_are_shown(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.end(3, 2.0, overflow="It overflows.")
    assert scene.said == ["It overflows."] and scene.desk.reached.overflow
    # The next run forgets it.
    scene.desk.train(5)
    assert scene.desk.reached.overflow == scene.desk.end_text == ""


@pytest.mark.parametrize("has_state", [True, False])
def test_a_lost_process_leaves_the_newest_state_and_says_so(scene: Scene, has_state: bool) -> None:
    scene.desk.train(50)
    scene.tell(0, 1.0, is_ready=True)
    if has_state:
        scene.tell(7, 2.0, is_running=True, state=State(7, {"main/w": np.array(2.0)}, {}, {"down": 7}))
    scene.processes[-1].answer(Died(9, reason=""))
    n, w = (7, 2.0) if has_state else (0, 1.0)
    assert (scene.desk.is_running, scene.desk.reached.round, value(scene.session)) == (False, n, w)
    assert scene.said == [f"The training ended (9); Train goes on from round {n}."]
    scene.desk.train(1)
    (begin,) = scene.orders
    assert begin.goes_on is has_state and (begin.state is not None) is has_state
    assert len(scene.processes) == 2


def test_a_process_that_is_lost_while_nothing_runs_is_not_missed(scene: Scene) -> None:
    scene.desk.look()
    scene.processes[-1].answer(Died(None, reason="killed"))
    assert scene.said == [] and not scene.desk.is_running and not scene.desk.reached.is_begun
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.processes[-1].answer(Died(None, reason="killed"))
    assert scene.said == ["The training ended (killed); Train goes on from round 0."]


def test_where_no_state_was_kept_the_variables_go_on(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.tell(5, 2.5)
    scene.rest(5)
    scene.desk._end_process()
    scene.desk.train(5)
    (begin,) = scene.orders
    assert begin.goes_on and begin.state.round == 5 and begin.state.memory == {}
    assert {name: float(array) for name, array in begin.state.variables.items()} == {"main/w": 2.5}


def test_values_that_the_user_gives_are_told_as_given(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.end(5, 2.5)
    scene.orders.clear()
    scene.session.apply("", edits.set_parameter, "main", "w", "value", np.array(9.0))
    assert scene.desk.state is not None and float(scene.desk.state.variables["main/w"]) == 9.0
    scene.desk.train(5)
    assert [order.given for order in scene.orders] == [frozenset(["main/w"])]


def test_a_value_that_is_given_while_it_runs_ends_the_run(scene: Scene) -> None:
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.tell(2, 2.0, is_running=True, state=State(2, {"main/w": np.array(2.0)}, {}, {"down": 2}))
    scene.session.apply("", edits.set_parameter, "main", "w", "value", np.array(9.0))
    assert scene.processes[-1].is_closed and not scene.desk.is_running and value(scene.session) == 9.0


def test_a_file_that_is_read_only_is_not_trained(scene: Scene) -> None:
    scene.session.file.read_only = "This file is read only."
    scene.desk.train(5)
    assert (scene.said, scene.processes, scene.desk.is_running) == (["This file is read only."], [], False)


def test_a_process_that_cannot_start_is_a_fault(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> Process:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(scene.session, "make_evaluator", fails)
    scene.desk.train(5)
    assert scene.desk.fault.startswith("The process that trains cannot start: ") and not scene.desk.is_running


def test_reset_forgets_all_and_a_graph_of_before_knows_it_again(scene: Scene) -> None:
    assert not scene.desk.can_reset and not scene.desk.can_keep
    scene.desk.keeps_state = True
    scene.desk.train(5)
    scene.tell(0, 1.0, is_ready=True)
    scene.end(5, 2.5, numbers={"down": 0.25}, chunk=Chunk({"down": [0, 4]}, {"down": [4.0, 1.0]}))
    assert scene.desk.can_reset and scene.desk.can_keep
    assert {name: float(array) for name, array in scene.desk.initial.items()} == {"main/w": 1.0}
    rounds, numbers, _ = scene.desk.log.points("down")
    assert (rounds.tolist(), numbers.tolist()) == ([0, 4, 5], [4.0, 1.0, 0.25])
    scene.desk.reset()
    assert (scene.desk.reached.round, value(scene.session), scene.desk.keeps_state) == (0, 1.0, False)
    assert not scene.desk.can_reset and scene.desk.log.names == [] and scene.desk.state is None
    scene.session.undo()
    assert (scene.desk.reached.round, scene.desk.is_running, scene.desk.keeps_state) == (5, False, True)


# Commands


def command(name: str) -> Any:
    return next(item for item in TRAINING if item.id == name)


@pytest.mark.parametrize(
    ("is_running", "batches", "possible"),
    [
        (False, None, {"train", "train_step", "train_ten"}),
        (False, 4, {"train", "train_step", "train_ten", "train_epoch"}),
        (True, 4, {"train"}),
    ],
)
def test_what_runs_rounds_is_possible_while_none_are_run(
    scene: Scene, is_running: bool, batches: int | None, possible: set[str]
) -> None:
    scene.desk.is_running = is_running
    scene.desk.plan = dataclasses.replace(scene.desk.plan, batches=batches)
    window = SimpleNamespace(session=scene.session, has_document=True)
    assert {item.id for item in TRAINING if item.can_run(window)} == possible  # type: ignore[arg-type]
    assert command("train").is_checked(window) is is_running
    scene.desk.reached = Reached(is_begun=True)
    assert command("train_reset").can_run(window)


def test_commands_train_so_many_rounds_and_the_first_shows_the_panel(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, opened = list[tuple[object, ...]](), list[str]()
    monkeypatch.setattr(TrainingDesk, "train", lambda _, *rounds: asked.append(rounds))
    scene.desk.plan = dataclasses.replace(scene.desk.plan, batches=4)
    window = SimpleNamespace(session=scene.session, panels=SimpleNamespace(open_lens=opened.append))
    for name in ("train", "train_step", "train_ten", "train_epoch"):
        command(name).call(window)
    assert asked == [(), (1,), (10,), (4,)] and opened == ["training"]
    scene.desk.reached = Reached(is_begun=True)
    command("train").call(window)
    assert opened == ["training"]


def test_only_one_selected_wire_is_tracked_or_not(scene: Scene) -> None:
    window = SimpleNamespace(session=scene.session, has_document=True)
    track, wires = command("track"), [*scene.session.page.wires.values()]
    for chosen in ([], wires[:2]):
        scene.session.select(Selection(wires=frozenset(chosen)))
        assert not track.can_run(window)
        track.call(window)
        assert scene.desk.tracked == ()
    scene.session.select(Selection(wires=frozenset(wires[:1])))
    name = str(scene.session.port_name(wires[0].target))
    assert track.can_run(window) and not track.is_checked(window)
    track.call(window)
    assert scene.desk.tracked == (name,) and track.is_checked(window)
    track.call(window)
    assert scene.desk.tracked == () and not track.is_checked(window)
