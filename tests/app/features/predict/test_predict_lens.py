"""The prediction lens in a real window: its hidden gradients, its questions, and their return."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton

from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.engine.cause_graphs import x
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


def cubes() -> Graph:
    """Returns L = sum of 3 x^2 over [1, -2]: from the loss back 1, [1 1], [3 -6 ...]."""
    line = x([1.0, -2.0]).source("c", 3.0, "Constant").then("s", "Square").then("m", "Multiply", "c.y")
    return line.then("sum", "ReduceSum").loss()


@pytest.fixture
def student(user: Driver) -> Driver:
    user.show(cubes())
    user.window.parts.panels.show_lens("predict")
    user.settle()
    QTest.mouseClick(user.child(QPushButton, "predict_start"), LEFT)
    user.settle()
    return user


def say(user: Driver, text: str) -> None:
    entry = user.child(QLineEdit, "predict_entry")
    entry.setFocus()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Key.Key_Return)
    user.settle()


def words(user: Driver, name: str) -> str:
    return user.child(QLabel, f"predict_{name}").text()


def hidden(user: Driver) -> set[str]:
    results = user.session.results
    assert results is not None
    found = {str(link.target): results.wire(link) for link in results.wires.row_of}
    return {name for name, wire in found.items() if wire is not None and wire.gradient is None}


ALL = {"main/s.x", "main/m.x", "main/m.y", "main/sum.x", "main/loss.x"}


def test_the_start_hides_every_gradient_and_keeps_every_value(student: Driver) -> None:
    assert hidden(student) == ALL
    results = student.session.results
    assert (
        results is not None
        and not results.wires.gradients.rows["norm"].any()
        and not results.ports.gradients.rows["norm"].any()
    )
    for name in results.ports.row_of:
        port = results.port(name)
        assert port is not None and port.value is not None and port.gradient is None and port.status is Status.UNKNOWN


def test_the_wire_nearest_to_the_loss_is_asked_first_and_selected(student: Driver) -> None:
    assert words(student, "question") == "sum → loss.x: which gradient flows back?"
    assert {str(wire.target) for wire in student.selection.wires} == {"loss.x"}
    assert student.child(QLineEdit, "predict_entry").hasFocus()


def test_an_answer_is_graded_and_its_wire_alone_revealed(student: Driver) -> None:
    say(student, "1")
    assert words(student, "verdict") == "Right: sum → loss.x has 1."
    assert hidden(student) == ALL - {"main/loss.x"}
    say(student, "+ -")
    assert words(student, "verdict") == "Partly right: m → sum.x has 1  1."
    assert words(student, "score") == "Score: 3 of 4"
    rows = [row.texts for row in student.child(RowsTable, "predict_list").rows.rows]
    assert rows == [("m → sum.x", "+ -", "1  1", "1 / 2"), ("sum → loss.x", "1", "1", "2 / 2")]


def test_the_selected_wire_is_the_one_that_is_asked(student: Driver) -> None:
    student.session.select(Selection(wires=frozenset([student.wire("s.x")])))
    student.qtbot.waitUntil(lambda: words(student, "question").startswith("x → s.x, shape [2]"))
    say(student, "+-")
    assert words(student, "verdict") == "Right: x → s.x has 6  −12."
    assert words(student, "question").startswith("sum → loss.x")


def test_what_cannot_be_read_costs_nothing(student: Driver) -> None:
    say(student, "one")
    assert words(student, "verdict") == "A number, or only its sign: + or −"
    assert hidden(student) == ALL and not student.child(RowsTable, "predict_list").rows.rows


def test_a_gradient_can_be_shown_without_points(student: Driver) -> None:
    QTest.mouseClick(student.child(QPushButton, "predict_show"), LEFT)
    student.settle()
    (row,) = student.child(RowsTable, "predict_list").rows.rows
    assert row.texts == ("sum → loss.x", "not predicted", "1", "")
    assert words(student, "score") == "Score: 0 of 0"


def test_the_inspector_says_that_it_is_hidden(student: Driver) -> None:
    shown = [label.text() for label in student.window.findChildren(QLabel) if label.isVisible()]
    assert "It is hidden until you have guessed it." in shown


def test_a_change_of_the_graph_reveals_nothing(student: Driver) -> None:
    student.session.apply("Change", edits.set_parameter, "main", "x", "value", np.array([2.0, 5.0]))
    student.settle()
    assert hidden(student) == ALL


def test_no_question_about_gradients_is_answered_meanwhile(student: Driver) -> None:
    heard: list[Reply] = []
    student.session.replied.connect(heard.append)
    for is_gradient in (True, False):
        student.session.ask(TensorName(PortName("main/x", "y"), is_gradient))
    student.session.replied.disconnect(heard.append)
    assert [reply.answer is None for reply in heard] == [True, False]


@pytest.mark.parametrize("way", a_third_of(["escape", "close", "other panel", "another document"]))
def test_all_gradients_come_back(student: Driver, way: str) -> None:
    if way == "escape":
        QTest.keyClick(student.child(QLineEdit, "predict_entry"), Key.Key_Escape)
    elif way == "close":
        QTest.mouseClick(student.child(QToolButton, "leave_panel"), LEFT)
    elif way == "other panel":
        student.window.parts.panels.show_lens("checks")
    else:
        old = student.session
        student.window.session.document.mark_saved()
        student.show(cubes())
        assert old is not student.session
    student.settle()
    assert not hidden(student)


@pytest.mark.long
def test_everything_can_be_predicted_by_keyboard_alone(student: Driver) -> None:
    for _ in ALL:
        say(student, "+-" if "signs" in words(student, "question") else "+")
    assert words(student, "question") == "All gradients are shown. Press Escape to end."
    assert not hidden(student)
    assert words(student, "score").startswith("Score: ")
    # Escape closes the panel, too.
    QTest.keyClick(student.child(RowsTable, "predict_list"), Key.Key_Escape)
    student.settle()
    assert student.window.parts.panels.bottom.shown == "" and student.session.results is not None
    assert student.session.results is student.session.runs.true_results
