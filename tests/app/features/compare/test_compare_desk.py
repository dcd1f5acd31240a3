"""A and B of a document: what B may be, both rounds on the page, and the strip that tells of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.compare import compare_desk
from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.compare.compare_strip import CompareStrip
from gradwire.app.features.compare.variants import choices, of_graph
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.edits.training_edits import set_in_plan, set_in_step, set_rounds
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.training.lockstep import Variant
from gradwire.engine.training.trainer import Trainer
from tests.engine.training.test_lockstep import DESCENT, residual

W = PortName("main/w", "y")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(residual(), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


@pytest.fixture
def desk(session: Session) -> CompareDesk:
    found = session.part(CompareDesk)
    found.choose(choices(session)[0])
    return found


def numbers(session: Session) -> tuple[float, float]:
    """Returns w of A and of B as the page shows them."""
    results = session.results
    assert results is not None and results.compared is not None
    readings = [found.port(W) for found in (results, results.compared)]
    a, b = (reading.value.first[0] for reading in readings if reading is not None and reading.value is not None)
    return a, b


def trained(n: int, ignored: frozenset[str] = frozenset()) -> float:
    trainer = Trainer(residual(), ignored_stops=ignored)
    for _ in range(n):
        trainer.run_round()
    return float(trainer.variables["main/w"])


# What B may be


def test_one_stop_comes_first_then_rates_rules_and_a_seed(session: Session) -> None:
    assert [(item.id, item.text) for item in choices(session)] == [
        ("stop main/stop", "StopGradient lets pass"),
        ("rate up", "learning rate 1"),
        ("rate down", "learning rate 0.01"),
        ("rule momentum", "rule momentum"),
        ("rule adam", "rule adam"),
        ("seed", "seed 1"),
    ]
    graphs = [item.variant.graph(session.graph) for item in choices(session)]
    rules = [(graph.training or {})["steps"][0]["rule"] for graph in graphs]
    assert rules == [
        DESCENT, {**DESCENT, "rate": 1.0}, {**DESCENT, "rate": pytest.approx(0.01)},
        {"type": "momentum", "rate": 0.1}, {"type": "adam", "rate": 0.1}, DESCENT,
    ]  # fmt: skip
    assert (graphs[-1].training or {})["seed"] == 1


@pytest.mark.parametrize(
    ("count", "ids"), [(0, []), (1, ["stop"]), (2, ["stops", "stop", "stop"]), (9, ["stops", *["stop"] * 8])]
)
def test_each_stop_and_all_together_may_let_pass(qtbot: QtBot, count: int, ids: list[str]) -> None:
    x = gw.Input(np.array(2.0), name="x")
    graph = gw.graph(gw.Loss(gw.AddN(*[gw.StopGradient(x, name=f"s{place}") for place in range(count)], x)))
    session = Session(graph, InlineEvaluator)
    offered = choices(session)
    assert [item.id.split()[0] for item in offered] == ids
    assert count < 2 or offered[0].variant.ignored == {f"main/s{place}" for place in range(count)}
    session.close()


@pytest.mark.parametrize(
    ("graph", "ids"),
    [
        # A schedule is no number to multiply.
        (set_in_step(residual(), 0, "rule", {"type": "adam", "rate": {"type": "cosine"}}), ["rule", "rule", "seed"]),
        (set_in_step(residual(), 0, "rule", None), []),
        (set_in_plan(residual(), "seed", 4), ["rate", "rate", "rule", "rule", "seed"]),
    ],
)
def test_what_a_plan_lacks_is_not_offered(graph: Graph, ids: list[str]) -> None:
    session = Session(graph, InlineEvaluator)
    offered = choices(session)
    assert [item.id.split()[0] for item in offered][1:] == ids
    assert not ids or offered[-1].text == f"seed {5 if len(ids) > 3 else 1}"
    session.close()


def test_the_stop_that_makes_the_selected_wire_zero_comes_first(qtbot: QtBot) -> None:
    x = gw.Variable(np.array(2.0), name="x")
    first, second = gw.Exp(x, name="a"), gw.Square(x, name="b")
    loss = gw.AddN(gw.StopGradient(first, name="s"), gw.StopGradient(second, name="t"), x)
    session = Session(gw.graph(gw.Loss(loss)), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    assert [item.id for item in choices(session)][:3] == ["stops", "stop main/s", "stop main/t"]
    session.select(Selection(wires=frozenset([session.page.wires[Port("b", "x")]])))
    assert [item.id for item in choices(session)][:4] == ["stop main/t", "stops", "wire", "stop main/s"]
    session.close()


def test_a_stop_may_come_onto_the_selected_wire_unless_one_is_there(session: Session, qtbot: QtBot) -> None:
    here = session.page.wires[Port("here", "x")]
    for wire, is_offered in ((here, True), (session.page.wires[Port("stop", "x")], False)):
        session.select(Selection(wires=frozenset([wire])))
        assert ("wire" in [item.id for item in choices(session)]) is is_offered
    session.select(Selection(wires=frozenset([here])))
    desk = session.part(CompareDesk)
    desk.choose(next(item for item in choices(session) if item.id == "wire"))
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    results, link = session.results, session.link(here)
    assert results is not None and results.compared is not None
    # In B the wire keeps its name, and nothing flows back on it; in A the slope is that of the error, 4, times 3.
    readings = [found.at(link) for found in (results, results.compared)]
    assert [(item.status, item.gradient.norm) for item in readings if item and item.gradient] == [
        ("flow", 12.0), ("blocked", 0.0),
    ]  # fmt: skip
    assert desk.effect is None


def test_the_effect_of_the_only_stop_is_told(session: Session, strip: CompareStrip, qtbot: QtBot) -> None:
    desk = session.part(CompareDesk)
    qtbot.waitUntil(lambda: desk.effect is not None)
    # Those of w, b and `there`, and of the wires between them and the stop; most that of b, by w times the error.
    assert text(strip, "effect") == (
        "Changes 6 gradients, by at most 8. Variables among them: w. It blocks 2 of 3 paths to the loss."
    )
    desk.choose(choices(session)[1])
    assert desk.effect is None and text(strip, "effect") == ""


# Both in one round


@pytest.mark.parametrize("n", [0, 1, 6, 40])
def test_the_page_shows_both_in_the_round_that_is_asked_for(
    session: Session, desk: CompareDesk, qtbot: QtBot, n: int
) -> None:
    desk.go_to(n)
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    assert desk.reached is not None and desk.reached.round == n
    assert numbers(session) == pytest.approx((trained(n), trained(n, frozenset(["main/stop"]))))
    # The document itself stays as it is.
    assert session.graph == residual()
    desk.go_to(0)
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    assert numbers(session) == (2.0, 2.0)


def test_it_runs_to_the_end_in_10_s_and_each_round_is_seen(
    session: Session, desk: CompareDesk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(compare_desk, "monotonic", lambda: now[0])
    monkeypatch.setattr(compare_desk, "LONGEST", 60.0)
    desk.run()
    assert desk.is_running and desk._clock.isActive() and desk._clock.interval() == 33
    rounds = []
    # Of 40 rounds, 4 last a second.
    for seconds in (0.0, 0.2, 0.3, 1.0, 10.0, 11.0):
        now[0] = 100.0 + seconds
        desk._go_on()
        qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
        rounds.append(-1 if desk.reached is None else desk.reached.round)
    assert rounds == [0, 0, 1, 4, 40, 40] and not desk.is_running
    desk.run()
    assert not desk.is_running
    desk.go_to(39)
    desk.run()
    assert desk.is_running
    desk.pause()
    assert not desk.is_running and not desk._clock.isActive()


def test_an_edit_begins_anew_and_the_end_shows_the_document_alone(
    session: Session, desk: CompareDesk, qtbot: QtBot
) -> None:
    desk.go_to(3)
    session.apply("Change", edits.set_parameter, "main", "w", "value", np.array(1.0))
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    assert desk.reached is not None and desk.reached.round == 0 and numbers(session) == (1.0, 1.0)
    desk.go_to(2)
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    desk.end()
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison is None)
    reading = session.results.port(W) if session.results is not None else None
    assert reading is not None and reading.value is not None and reading.value.first == (1.0,)
    assert desk.choice is None and desk.reached is None and desk.against is None
    desk.end()


def _never(graph: Graph) -> Graph:
    raise EditError("There is nothing of that kind.")


def test_what_cannot_be_is_said(session: Session, desk: CompareDesk) -> None:
    desk.choose(choices(session)[0]._replace(variant=Variant(edit=_never)))
    assert desk.fault == "There is nothing of that kind." and desk.reached is None
    desk.run()
    assert not desk.is_running


# The strip


@pytest.fixture
def strip(session: Session, desk: CompareDesk, qtbot: QtBot) -> CompareStrip:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = CompareStrip(CurrentSession(session), Appearance("dark"), holder)
    made.resize(1366, 104)
    holder.show()
    return made


def text(strip: CompareStrip, name: str) -> str:
    found = strip.findChild(QLabel, f"compare_{name}")
    assert found is not None
    return found.text()


def button(strip: CompareStrip, name: str) -> QToolButton:
    found = strip.findChild(QToolButton, f"compare_{name}")
    assert found is not None
    return found


def test_the_strip_names_round_losses_and_the_first_difference(
    strip: CompareStrip, session: Session, desk: CompareDesk, qtbot: QtBot
) -> None:
    assert (text(strip, "a"), text(strip, "b"), text(strip, "round")) == ("A  8", "B  8", "Round 0 of 40")
    assert text(strip, "first") == "First difference: round 0, wire Multiply there → StopGradient"
    assert text(strip, "detail") == "There A has now 0 blocked, and B −4."
    assert text(strip, "values") == "w   A 2   B 2"
    qtbot.mouseClick(button(strip, "one"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.results is not None and session.results.comparison == desk.against)
    strip.refresh()
    # w is 0.8 in A and 1 in B, and the error 2.5 w − 1 is 1 and 1.5.
    assert (text(strip, "a"), text(strip, "b"), text(strip, "round")) == ("A  0.5", "B  1.125", "Round 1 of 40")
    assert text(strip, "values") == "w   A .8   B 1"
    assert button(strip, "back").isEnabled() and button(strip, "run").isEnabled()
    qtbot.mouseClick(button(strip, "back"), Qt.MouseButton.LeftButton)
    assert text(strip, "round") == "Round 0 of 40" and not button(strip, "back").isEnabled()
    desk.go_to(40)
    strip.refresh()
    assert not button(strip, "run").isEnabled() and not button(strip, "one").isEnabled()


def test_what_b_is_is_chosen_in_the_strip_or_asked_for(
    strip: CompareStrip, session: Session, desk: CompareDesk
) -> None:
    box = strip.findChild(ChoiceBox, "compare_choice")
    assert box is not None and box.currentText() == "StopGradient lets pass"
    assert [box.itemText(place) for place in (1, box.count() - 1)] == ["learning rate 1", "Another graph …"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert desk.choice is not None and desk.choice.id == "rate up"
    lesson = strip.findChild(QPushButton, "compare_lesson")
    assert lesson is not None and not lesson.isVisibleTo(strip)
    heard: list[str] = []
    strip.current.requests.command_chosen.connect(heard.append)
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    assert heard == ["compare_with"] and box.currentText() == "learning rate 1"
    desk.choose(of_graph("five", set_rounds(residual(), 5)))
    strip.refresh()
    assert box.currentText() == "five"
    assert text(strip, "first") == "A and B do not differ up to round 0"
