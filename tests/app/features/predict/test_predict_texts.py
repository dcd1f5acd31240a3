"""The sentences and the list of predictions: by hand, and in a lens of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHeaderView, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gradwire.app.features.predict.predict_lens import PredictLens
from gradwire.app.features.predict.predict_texts import gradient_text, hint_text, question_text, verdict_text
from gradwire.app.kit.lens.rows import RowsTable
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.readings.readings import Reading, reading_of
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.predictions import Grade, Task
from gradwire.engine.graph.graph import Graph
from tests.app.features.predict.test_predict_lens import cubes

WIRE = Link(PortName("main/x", "y"), PortName("main/e", "x"))


def reading(*numbers: float) -> Reading:
    return reading_of(np.array(numbers))


@pytest.mark.parametrize(
    ("task", "question"),
    [
        (Task.NUMBER, "x → e.x: which gradient flows back?"),
        (Task.SIGNS, "x → e.x, shape [2]: which signs does the gradient have?"),
        (Task.MAGNITUDE, "x → e.x, shape [2]: how large is |∂L|? The power of ten is enough."),
    ],
)
def test_a_question_says_what_is_asked(task: Task, question: str) -> None:
    assert question_text(WIRE, task, reading(1, 2)) == question
    assert len({hint_text(each) for each in Task}) == 3


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((3.0,), "3"), ((1.0, -2.0, 3.0, 4.0), "1  −2  3  4"), ((2.0, 2.0, 2.0, 2.0, 3.0), "|∂L| 5")],
)
def test_a_gradient_of_four_elements_is_shown_whole(numbers: tuple[float, ...], text: str) -> None:
    assert gradient_text(reading(*numbers)) == text


@pytest.mark.parametrize(
    ("task", "grade", "verdict"),
    [
        (Task.NUMBER, Grade(2, 2), "Right: x → e.x has 3."),
        (Task.NUMBER, Grade(1, 2), "The sign is right: x → e.x has 3."),
        (Task.NUMBER, Grade(0, 2), "Not right: x → e.x has 3."),
        (Task.SIGNS, Grade(1, 2), "Partly right: x → e.x has 3."),
        (Task.SIGNS, Grade(0, 2), "Not right: x → e.x has 3."),
        (Task.MAGNITUDE, Grade(1, 1), "Right: x → e.x has 3."),
    ],
)
def test_a_grade_is_told_with_the_truth(task: Task, grade: Grade, verdict: str) -> None:
    assert verdict_text(WIRE, task, grade, reading(3)) == verdict


# The lens alone


@pytest.fixture
def lens(qtbot: QtBot) -> Iterator[PredictLens]:
    session = Session(cubes(), InlineEvaluator)
    made = PredictLens(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    qtbot.waitUntil(lambda: session.results is not None)
    yield made
    session.close()


def label(lens: PredictLens, name: str) -> QLabel:
    found = lens.findChild(QLabel, f"predict_{name}")
    found = found if isinstance(found, QLabel) else lens.controls
    assert isinstance(found, QLabel)
    return found


def say(lens: PredictLens, text: str) -> None:
    entry = lens.findChild(QLineEdit, "predict_entry")
    assert isinstance(entry, QLineEdit)
    entry.setText(text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def seen(lens: PredictLens) -> set[str]:
    parts = [part for kind in (QPushButton, QLineEdit, QLabel) for part in lens.findChildren(kind)]
    return {part.objectName().removeprefix("predict_") for part in parts if not part.isHidden() and part.objectName()}


def rows(lens: PredictLens) -> list[tuple[str, ...]]:
    found = lens.findChild(RowsTable, "predict_list")
    assert isinstance(found, RowsTable)
    return [(*row.texts, row.icon) for row in found.rows.rows]


def test_only_what_helps_now_is_seen(lens: PredictLens) -> None:
    assert seen(lens) == {"start", "question"}
    assert label(lens, "question").text().startswith("Start hides all gradients.")
    assert label(lens, "score").isHidden()
    lens.start()
    asking = {"question", "entry", "check", "show", "end"}
    assert seen(lens) == asking
    say(lens, "?")
    assert seen(lens) == asking | {"verdict"} and label(lens, "score").isHidden()
    say(lens, "5")
    assert seen(lens) == asking | {"verdict"} and not label(lens, "score").isHidden()
    for _ in range(4):
        lens.findChild(QPushButton, "predict_show").click()  # type: ignore[attr-defined]  # it is there
    assert seen(lens) == {"question", "end"}
    assert label(lens, "question").text() == "All gradients are shown. Press Escape to end."
    lens.leave()
    assert seen(lens) == {"start", "question"} and label(lens, "score").text() == "Score: 1 of 2"
    lens.start()
    assert rows(lens) == [] and seen(lens) == asking and label(lens, "score").isHidden()


def test_each_answer_has_its_mark_the_newest_above(lens: PredictLens) -> None:
    lens.start()
    say(lens, "1.04")
    say(lens, "+-")
    lens.findChild(QPushButton, "predict_show").click()  # type: ignore[attr-defined]  # it is there
    assert label(lens, "score").text() == "Score: 3 of 4"
    assert [(row[1], *row[3:]) for row in rows(lens)] == [
        ("not predicted", "", "eye"), ("+-", "1 / 2", "close"), ("1.04", "2 / 2", "check"),
    ]  # fmt: skip
    assert [row[0] for row in rows(lens)][1:] == ["m → sum.x", "sum → loss.x"]


def test_a_wire_that_is_answered_or_one_of_two_is_not_asked(lens: PredictLens) -> None:
    session = lens.session
    wires = {str(wire.target): wire for wire in session.page.wires.values()}
    lens.start()
    asked: list[str] = []
    for chosen in (["s.x"], ["s.x", "m.y"], ["m.y"]):
        session.select(Selection(wires=frozenset(wires[name] for name in chosen)))
        lens.refresh()
        asked.append(label(lens, "question").text().partition(".")[0])
    assert asked == ["x → s", "x → s", "c → m"]
    say(lens, "+")
    session.select(Selection(wires=frozenset([wires["m.y"]])))
    lens.refresh()
    assert label(lens, "question").text().startswith("sum → loss.x")


def test_another_graph_or_none_has_nothing_to_predict(qtbot: QtBot, lens: PredictLens) -> None:
    lens.start()
    say(lens, "5")
    lens.begin_document()
    lens.refresh()
    assert rows(lens) == [] and seen(lens) == {"start", "question"} and label(lens, "score").isHidden()
    other = PredictLens(CurrentSession(Session(Graph(), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(other)
    other.show()
    other.start()
    assert seen(other) == {"question", "end"}
    assert label(other, "question").text() == "There is no gradient to predict here."
    say(other, "1")
    assert rows(other) == []


def test_escape_ends_it_only_while_it_asks(lens: PredictLens) -> None:
    lens.start()
    QTest.keyClick(lens, Qt.Key.Key_A)
    assert "end" in seen(lens)
    QTest.keyClick(lens, Qt.Key.Key_Escape)
    assert seen(lens) == {"start", "question"}
    runs = lens.session.runs
    results = runs.results
    assert results is not None and all(results.wire(link).gradient is not None for link in results.wires.row_of)  # type: ignore[union-attr]  # they are there


def test_columns_and_margins_are_those_of_a_list(lens: PredictLens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QHeaderView, "sectionSizeHint", lambda *_: 0)
    lens.resize(701, 300)
    table = lens.findChild(RowsTable, "predict_list")
    assert isinstance(table, RowsTable)
    widths = [table.columnWidth(column) for column in range(4)]
    assert [*widths[:2], widths[3]] == [140, 110, 60] and widths[2] >= 130
    assert [table.rows.headerData(at, Qt.Orientation.Horizontal) for at in range(4)] == [
        "Wire", "Your prediction", "Gradient", "Points",
    ]  # fmt: skip
    lefts = [Qt.AlignmentFlag(table.rows._alignment(at)) & Qt.AlignmentFlag.AlignRight for at in range(4)]
    assert [bool(left) for left in lefts] == [False, False, False, True]
    # The list takes the width of the lens, and all the height below the question.
    assert (table.x(), table.width(), table.geometry().bottom()) == (0, 701, 299)
    start = lens.findChild(QPushButton, "predict_start")
    assert isinstance(start, QPushButton) and start.width() < 200
    lens.start()
    entry = lens.findChild(QLineEdit, "predict_entry")
    assert isinstance(entry, QLineEdit) and entry.x() == 14 and entry.width() > 300
