"""Training in the window: runs, pauses, edits on the way, and what becomes of the document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.training.saved_training import save_document
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.process.evaluator import InlineEvaluator, ProcessEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits import edits
from gradwire.engine.edits.training_edits import add_step, remove_step, set_in_plan, set_in_step
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import kept_state
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.trainer import Trainer


def parabola(rounds: int | None = 20, **step: object) -> Graph:
    """Returns L = (w - 3)^2 from w = 1, with a plan of descent by 0.1."""
    w = gw.Variable(1.0, name="w")
    plan = {"steps": ({"name": "down", "rule": {"type": "descent", "rate": 0.1}, **step},)}
    until = {} if rounds is None else {"until": {"steps": rounds}}
    return dataclasses.replace(gw.graph(gw.Loss(gw.Square(w - 3.0), name="L")), training={**plan, **until})


def value(session: Session) -> float:
    return float(np.asarray(session.graph.block("main/w").parameters["value"]))


def headless(graph: Graph, rounds: int) -> float:
    """Returns the value that the command line would reach."""
    trainer = Trainer(graph)
    for _ in range(rounds):
        trainer.run_round()
    return float(trainer.variables["main/w"])


@pytest.fixture(params=["here", "in a process"])
def session(request: pytest.FixtureRequest, qtbot: QtBot, in_process: MakeEvaluator) -> Iterator[Session]:
    made = Session(parabola(), InlineEvaluator if request.param == "here" else in_process)
    yield made
    made.close()


@pytest.fixture
def away(qtbot: QtBot, in_process: MakeEvaluator) -> Iterator[Session]:
    """Yields a session whose training would take for ever, in a process of its own."""
    made = Session(parabola(10**9), in_process)
    yield made
    made.close()


@pytest.fixture
def begin(qtbot: QtBot) -> Iterator[Callable[..., Session]]:
    """Makes sessions that evaluate here, and closes them: one that is forgotten may be asked to run once more."""
    made: list[Session] = []

    def make(graph: Graph, path: Path | None = None) -> Session:
        made.append(Session(graph, InlineEvaluator, path))
        return made[-1]

    yield make
    for session in made:
        session.close()


def rest(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(
        lambda: session.part(TrainingDesk).can_reset and not session.part(TrainingDesk).is_running, timeout=20_000
    )


def train(qtbot: QtBot, session: Session, rounds: int) -> None:
    session.part(TrainingDesk).train(rounds)
    rest(qtbot, session)


def test_a_run_ends_where_its_plan_says_with_the_values_of_the_command_line(qtbot: QtBot, session: Session) -> None:
    start = session.graph
    session.part(TrainingDesk).train()
    rest(qtbot, session)
    assert session.part(TrainingDesk).reached.round == 20
    assert value(session) == headless(start, 20)
    losses = session.part(TrainingDesk).log.series("down")
    assert losses.rounds.tolist() == list(range(20))
    assert losses.numbers.tolist() == [done.losses["down"] for done in TrainingRun(start).rounds()]


def test_undo_takes_a_run_back_as_one_step(qtbot: QtBot, session: Session) -> None:
    start = session.graph
    session.part(TrainingDesk).train(5)
    rest(qtbot, session)
    session.undo()
    assert session.graph is start
    session.redo()
    assert value(session) == headless(start, 5)


def test_undo_takes_round_numbers_and_memory_back_too(begin: Callable[..., Session], qtbot: QtBot) -> None:
    session = begin(adam())
    training = session.part(TrainingDesk)
    for rounds in (3, 4):
        session.part(TrainingDesk).train(rounds)
        rest(qtbot, session)
    assert training.state is not None
    after = training.state.to_bytes()
    session.undo()
    qtbot.waitUntil(lambda: training.log.series("down").rounds.tolist() == [0, 1, 2])
    assert training.reached.round == training.shown_round == 3
    assert training.state.round == 3
    train(qtbot, session, 4)
    assert training.state.to_bytes() == after
    session.undo()
    session.undo()
    qtbot.waitUntil(lambda: training.reached.round == training.shown_round == 0 and training.log.names == [])
    session.redo()
    session.redo()
    qtbot.waitUntil(lambda: training.log.series("down").rounds.tolist() == [*range(7)])
    assert training.state.to_bytes() == after


def test_undo_of_a_reset_brings_back_what_had_been_reached(begin: Callable[..., Session], qtbot: QtBot) -> None:
    session = begin(adam())
    train(qtbot, session, 4)
    assert session.part(TrainingDesk).state is not None
    before = session.part(TrainingDesk).state.to_bytes()
    session.part(TrainingDesk).reset()
    assert (session.part(TrainingDesk).reached.round, session.part(TrainingDesk).state) == (0, None)
    session.undo()
    assert session.part(TrainingDesk).reached.round == 4
    assert session.part(TrainingDesk).state.to_bytes() == before


def test_an_edit_behind_a_run_leaves_what_had_been_reached(begin: Callable[..., Session], qtbot: QtBot) -> None:
    session = begin(adam())
    train(qtbot, session, 4)
    session.apply("Move", edits.move_blocks, "main", {"w": (10.0, 10.0)})
    session.undo()
    session.undo()
    assert session.part(TrainingDesk).reached.round == 0
    session.redo()
    session.redo()
    assert session.part(TrainingDesk).reached.round == 4
    train(qtbot, session, 2)
    assert value(session) == headless(adam(), 6)


def test_the_numbers_of_the_round_shown_are_those_of_its_values(begin: Callable[..., Session], qtbot: QtBot) -> None:
    session = begin(parabola())
    train(qtbot, session, 3)
    rounds, losses, _ = session.part(TrainingDesk).log.points("down")
    # The distance to 3 shrinks to 0.8 of itself each round.
    assert rounds.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(losses, [4 * 0.64**n for n in range(4)], rtol=1e-14)
    rounds, sizes, _ = session.part(TrainingDesk).log.points("|∂L| main/w")
    assert (rounds[-1], sizes[-1]) == (3, pytest.approx(4 * 0.8**3, rel=1e-14))
    assert session.part(TrainingDesk).log.series("down").rounds.tolist() == [0, 1, 2]


def test_reset_returns_to_the_values_before_the_first_round(qtbot: QtBot, session: Session) -> None:
    session.part(TrainingDesk).train(3)
    rest(qtbot, session)
    session.part(TrainingDesk).train(3)
    rest(qtbot, session)
    qtbot.waitUntil(lambda: session.part(TrainingDesk).reached.round == 6)
    session.part(TrainingDesk).reset()
    assert value(session) == 1.0
    assert session.part(TrainingDesk).log.names == []
    assert not session.part(TrainingDesk).can_reset


def test_single_rounds_go_on_with_the_memory_of_the_rule(begin: Callable[..., Session], qtbot: QtBot) -> None:
    graph = parabola(rule={"type": "adam", "rate": 0.1})
    session = begin(graph)
    for _ in range(4):
        session.part(TrainingDesk).train(1)
        rest(qtbot, session)
    assert value(session) == headless(graph, 4)


def test_an_overflow_stops_and_names_its_block(begin: Callable[..., Session], qtbot: QtBot) -> None:
    w = gw.Variable(1.0, name="w")
    plan = {"steps": ({"rule": {"type": "descent", "rate": 5e3}},)}
    session = begin(dataclasses.replace(gw.graph(gw.Loss(gw.Exp(w * w, name="e"), name="L")), training=plan))
    said: list[str] = []
    session.refused.connect(said.append)
    session.part(TrainingDesk).train()
    rest(qtbot, session)
    assert session.part(TrainingDesk).reached.overflow in said
    assert any("e" in sentence and "inf" in sentence for sentence in said)
    assert np.isfinite(value(session))


def test_a_wrong_plan_is_said_and_nothing_changes(qtbot: QtBot, session: Session) -> None:
    session.apply("break", set_in_step, 0, "rule", {"type": "adma"})
    before = session.graph
    session.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: bool(session.part(TrainingDesk).fault), timeout=20_000)
    assert "adma" in session.part(TrainingDesk).fault
    assert not session.part(TrainingDesk).is_running
    assert session.graph is before


def test_the_document_follows_a_run_and_pause_ends_it(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: abs(value(away) - 3) < 1e-3, timeout=20_000)
    assert away.part(TrainingDesk).is_running
    away.part(TrainingDesk).train()
    rest(qtbot, away)
    done = away.part(TrainingDesk).reached.round
    assert 0 < done < 10**9
    assert value(away) == headless(parabola(10**9), done)


def test_an_edit_on_the_way_is_taken_over(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: abs(value(away) - 3) < 1e-3, timeout=20_000)
    constant = next(name for name, block in away.graph.pages[0].blocks.items() if block.type == "Constant")
    away.apply("Set", edits.set_parameter, "main", constant, "value", np.array(-2.0))
    qtbot.waitUntil(lambda: abs(value(away) + 2) < 1e-3, timeout=20_000)
    assert away.part(TrainingDesk).is_running
    assert away.part(TrainingDesk).reached.round > 1


def test_a_value_that_the_user_changes_pauses_the_training(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: abs(value(away) - 3) < 1e-3, timeout=20_000)
    away.undo()
    rest(qtbot, away)
    assert value(away) == 1.0


def test_a_training_goes_on_after_its_process_has_ended(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: abs(value(away) - 3) < 1e-3, timeout=20_000)
    # The process is lost, but not the last state that it has sent.
    qtbot.waitUntil(lambda: (state := away.part(TrainingDesk).state) is not None and state.round > 60, timeout=20_000)
    process = away.part(TrainingDesk)._evaluator  # the only way to it: nobody else may end it
    assert isinstance(process, ProcessEvaluator)
    process._process.kill()
    qtbot.waitUntil(lambda: not away.part(TrainingDesk).is_running, timeout=20_000)
    reached = away.part(TrainingDesk).reached.round
    away.part(TrainingDesk).train(1)
    rest(qtbot, away)
    assert 0 < away.part(TrainingDesk).reached.round <= reached + 1
    assert abs(value(away) - 3) < 1e-3


def test_the_plan_says_who_is_trained(qtbot: QtBot, session: Session) -> None:
    session.part(TrainingDesk).look()
    qtbot.waitUntil(lambda: bool(session.part(TrainingDesk).plan.rows), timeout=20_000)
    assert [(row.step, row.trains) for row in session.part(TrainingDesk).plan.rows] == [("down", ("main/w",))]
    assert session.part(TrainingDesk).plan.until.steps == 20


def test_edits_of_a_plan_keep_what_they_do_not_name() -> None:
    graph = parabola()
    changed = set_in_plan(set_in_step(graph, 0, "times", 2), "seed", 7)
    assert changed.training["seed"] == 7
    assert changed.training["until"] == {"steps": 20}
    assert changed.training["steps"][0]["times"] == 2
    assert changed.training["steps"][0]["name"] == "down"
    assert remove_step(add_step(changed, "main/L"), 1).training == changed.training
    assert set_in_plan(changed, "seed", 7) is changed
    with pytest.raises(gw.GradwireError):
        remove_step(changed, 0)


def test_an_edit_on_the_way_leaves_the_number_of_rounds(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).set_limit(100.0)
    away.part(TrainingDesk).train(60)
    qtbot.waitUntil(lambda: away.part(TrainingDesk).reached.round > 5, timeout=20_000)
    constant = next(name for name, block in away.graph.pages[0].blocks.items() if block.type == "Constant")
    away.apply("Set", edits.set_parameter, "main", constant, "value", np.array(-2.0))
    rest(qtbot, away)
    assert away.part(TrainingDesk).reached.round == 60


def test_a_look_at_the_plan_does_not_make_a_lost_training_begin_anew(qtbot: QtBot, away: Session) -> None:
    away.part(TrainingDesk).train()
    qtbot.waitUntil(lambda: abs(value(away) - 3) < 1e-3, timeout=20_000)
    # The process is lost, but not the last state that it has sent.
    qtbot.waitUntil(lambda: (state := away.part(TrainingDesk).state) is not None and state.round > 60, timeout=20_000)
    process = away.part(TrainingDesk)._evaluator
    assert isinstance(process, ProcessEvaluator)
    process._process.kill()
    qtbot.waitUntil(lambda: not away.part(TrainingDesk).is_running, timeout=20_000)
    away.part(TrainingDesk).look()
    qtbot.waitUntil(lambda: bool(away.part(TrainingDesk).plan.rows), timeout=20_000)
    away.part(TrainingDesk).train(1)
    rest(qtbot, away)
    assert away.part(TrainingDesk).reached.round > 10


def adam() -> Graph:
    """Returns L = (w - 3)^2 with a plan whose rule remembers something."""
    return parabola(None, rule={"type": "adam", "rate": 0.1})


@pytest.mark.parametrize("most", [kept_state.MOST, 0])
def test_a_document_goes_on_from_its_file_as_if_it_had_never_been_closed(
    begin: Callable[..., Session], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(kept_state, "MOST", most)
    path, moved = tmp_path / "a.graph", tmp_path / "b.graph"
    first = begin(adam(), path)
    train(qtbot, first, 4)
    first.part(TrainingDesk).keeps_state = True
    save_document(first, path, None)
    train(qtbot, first, 3)
    # The file beside goes with a copy of the graph, also where nothing was trained in between.
    second = begin(load(path).graph, path)
    assert second.part(TrainingDesk).reached.round == 4
    save_document(second, moved, None)
    third = begin(load(moved).graph, moved)
    train(qtbot, third, 3)
    assert third.part(TrainingDesk).reached.round == 7
    assert third.part(TrainingDesk).state is not None
    assert first.part(TrainingDesk).state is not None
    assert third.part(TrainingDesk).state.to_bytes() == first.part(TrainingDesk).state.to_bytes()
    save_document(third, moved, None)
    assert load(moved).graph.training["state"]["step"] == 7


def test_reset_returns_to_the_first_values_after_reopening_too(
    begin: Callable[..., Session], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.graph"
    first = begin(adam(), path)
    train(qtbot, first, 4)
    save_document(first, path, None)
    again = begin(load(path).graph, path)
    assert "state" not in again.graph.training
    assert again.part(TrainingDesk).can_reset
    train(qtbot, again, 2)
    again.part(TrainingDesk).reset()
    assert dumps(again.graph) == dumps(adam())
    assert not again.part(TrainingDesk).can_reset


def test_a_state_of_other_values_is_told_and_the_training_begins_anew(
    begin: Callable[..., Session], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.graph"
    first = begin(adam(), path)
    train(qtbot, first, 4)
    first.part(TrainingDesk).keeps_state = True
    save_document(first, path, None)
    changed = edits.set_parameter(load(path).graph, "main", "w", "value", np.array(2.5))
    said: list[str] = []
    second = begin(changed, path)
    second.refused.connect(said.append)
    train(qtbot, second, 1)
    assert said == [
        "The training state in the file is damaged, or belongs to other values. "
        "The training begins anew from the trained values."
    ]
    assert second.part(TrainingDesk).reached.round == 1


def test_a_value_given_before_the_first_round_is_shown_ends_the_training(
    begin: Callable[..., Session], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(adam())
    monkeypatch.setattr(session.runs, "prepare", lambda *_: None)
    session.part(TrainingDesk).train(4)
    session.apply("", edits.set_parameter, "main", "w", "value", np.array(0.25))
    monkeypatch.undo()
    rest(qtbot, session)
    assert value(session) == 0.25


def test_values_given_while_it_pauses_are_those_that_are_saved(
    begin: Callable[..., Session], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.graph"
    first = begin(adam(), path)
    train(qtbot, first, 4)
    first.apply("", edits.set_parameter, "main", "w", "value", np.array(0.25))
    first.part(TrainingDesk).keeps_state = True
    save_document(first, path, None)
    assert value(begin(load(path).graph, path)) == 0.25
    train(qtbot, first, 2)
    second = begin(load(path).graph, path)
    train(qtbot, second, 2)
    assert value(second) == value(first)


def test_a_condition_of_the_plan_pauses_and_is_said(begin: Callable[..., Session], qtbot: QtBot) -> None:
    graph = parabola()
    session = begin(set_in_plan(graph, "until", {"steps": 20, "below": {"down": 0.5}}))
    said: list[str] = []
    session.refused.connect(said.append)
    session.part(TrainingDesk).train()
    rest(qtbot, session)
    # The loss of round n is 4 x 0.64^n.
    assert session.part(TrainingDesk).reached.round == 6
    assert said == ["Paused at round 5: down is below 0.5."]
    train(qtbot, session, 2)
    assert session.part(TrainingDesk).reached.round == 8


def test_a_tracked_wire_is_logged_beside_the_variables(begin: Callable[..., Session], qtbot: QtBot) -> None:
    session = begin(parabola())
    session.part(TrainingDesk).track("main/L.x", True)
    train(qtbot, session, 3)
    series = session.part(TrainingDesk).log.series("|∂L| main/L.x")
    assert (series.rounds[0], series.numbers.tolist()) == (0, [1.0] * series.rounds.size)
    session.part(TrainingDesk).track("main/L.x", False)
    assert session.part(TrainingDesk).tracked == ()


def test_what_is_saved_while_it_runs_is_of_one_moment(qtbot: QtBot, away: Session, tmp_path: Path) -> None:
    start = away.graph
    away.part(TrainingDesk).set_limit(500.0)
    away.part(TrainingDesk).train()
    qtbot.waitUntil(
        lambda: away.part(TrainingDesk).state is not None and away.part(TrainingDesk).state.round > 0, timeout=20_000
    )
    away.part(TrainingDesk).keeps_state = True
    save_document(away, tmp_path / "a.graph", None)
    assert away.part(TrainingDesk).is_running
    saved = load(tmp_path / "a.graph").graph
    state = kept_state.state_of(saved, None)
    assert float(saved.block("main/w").parameters["value"]) == headless(start, state.round)


def test_a_document_does_not_hold_the_state_of_other_values(
    begin: Callable[..., Session], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.graph"
    first = begin(adam(), path)
    train(qtbot, first, 4)
    first.part(TrainingDesk).keeps_state = True
    save_document(first, path, None)
    opened = load(path).graph
    second = begin(opened, path)
    train(qtbot, second, 1)
    assert "state" not in second.graph.training
    second.undo()
    assert second.graph is opened


def test_a_training_whose_rounds_are_over_runs_as_many_again(qtbot: QtBot, session: Session) -> None:
    start = session.graph
    for rounds, expected in ((None, 20), (None, 40), (3, 43), (None, 60)):
        session.part(TrainingDesk).train(rounds)
        rest(qtbot, session)
        assert session.part(TrainingDesk).reached.round == expected
    assert value(session) == headless(start, 60)
