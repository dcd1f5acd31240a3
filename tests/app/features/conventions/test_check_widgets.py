"""The check of a gradient without a window: its buttons and its table."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.conventions.check_view import CheckView
from gradwire.app.features.conventions.convention_questions import CheckName
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.explain.checks.element_check import PlaceCheck

X, Q = PortName("main/x", "y"), PortName("main/q", "y")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    x = gw.Input(np.arange(1.0, 11.0), name="x")
    made = Session(gw.graph(gw.Loss(gw.ReduceSum(gw.Square(x, name="q"), name="s"), name="loss")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


class Asked:
    """A view whose question is kept."""

    def __init__(self, session: Session, parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Question] = []
        monkeypatch.setattr(session, "ask", lambda question, **_: self.asked.append(question))
        self.view = CheckView(CurrentSession(session), Appearance("dark"), parent)
        self.button = self.view.findChild(QPushButton, "check_gradient")
        self.table = self.view.findChild(QTableWidget, "check_rows")
        self.outcome = self.view.findChild(QLabel, "check_outcome")

    def shown(self) -> tuple[bool, ...]:
        """Whether the button, the mark, the outcome, what is withheld, and the table are there."""
        view = self.view
        parts = (self.button, view._mark, self.outcome, view._withheld, self.table)
        return tuple(not part.isHidden() for part in parts)  # type: ignore[union-attr]


@pytest.fixture
def asked(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Asked:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(400, 600)
    made = Asked(session, parent, monkeypatch)
    parent.show()
    return made


def checked(session: Session, count: int = 10) -> PlaceCheck:
    """The true check of the gradient of x, cut to so many elements."""
    found: list[PlaceCheck] = []
    other = Session(session.graph, InlineEvaluator)
    other.replied.connect(lambda reply: found.append(reply.answer) if isinstance(reply.question, CheckName) else None)
    other.ask(CheckName(X), is_once=True)
    other.close()
    assert found and isinstance(found[0], PlaceCheck)
    return dataclasses.replace(found[0], elements=found[0].elements[:count])


BUTTON = (True, False, False, False, False)


def test_a_gradient_is_checked_by_a_button(asked: Asked, session: Session) -> None:
    view, results = asked.view, session.results
    assert results is not None
    view.run()
    view.show_place(None)
    assert asked.asked == [] and view.isHidden()
    view.show_place(X)
    assert (asked.shown(), view.isHidden()) == (BUTTON, False)
    asked.button.click()  # type: ignore[union-attr]
    assert asked.asked == [CheckName(X)]
    check = checked(session)
    for reply in (
        Reply(TensorName(X), results.revision, check),
        Reply(CheckName(X), results.revision, None),
        Reply(CheckName(X), results.revision - 1, check),
    ):
        view._take_reply(reply)
        assert asked.shown() == BUTTON
    view._take_reply(Reply(CheckName(X), results.revision, check))
    assert asked.shown() == (False, True, True, False, True)
    assert view._mark.pixmap().deviceIndependentSize().toTuple() == (14, 14)
    # Another place has its own; the outcome stays until the next run.
    view.show_place(Q)
    assert asked.shown() == BUTTON
    view.show_place(X)
    assert asked.shown()[4]
    view._known_of = None
    view.show_place(X)
    assert asked.shown() == BUTTON


def test_a_check_that_is_impossible_says_why(asked: Asked, session: Session) -> None:
    asked.view.show_place(X)
    asked.view._take_reply(Reply(CheckName(X), session.results.revision, "It has no loss."))  # type: ignore[union-attr]
    assert asked.shown() == (False, True, True, False, False)
    assert asked.outcome is not None and asked.outcome.text() == "It has no loss."
    asked.view.begin_document()
    asked.view._take_reply(Reply(CheckName(X), session.results.revision, "It has no loss."))  # type: ignore[union-attr]
    assert asked.view._known == {}


@pytest.mark.parametrize(("count", "rows"), [(0, 0), (1, 1), (7, 7), (8, 8), (9, 8)])
def test_up_to_eight_elements_are_seen(asked: Asked, session: Session, count: int, rows: int) -> None:
    table, check = asked.table, checked(session, count)
    assert table is not None
    asked.view._show(check)
    assert (table.rowCount(), table.isHidden()) == (count, count == 0)
    head = table.horizontalHeader().sizeHint().height()
    assert table.height() == rows * 22 + head + 4 and {table.rowHeight(row) for row in range(count)} <= {22}


def test_numbers_end_at_the_right_and_verdicts_have_their_colour(asked: Asked, session: Session) -> None:
    table, check = asked.table, checked(session)
    assert table is not None and table.columnCount() == 5
    asked.view._show(check)
    texts = [table.item(2, column).text() for column in range(5)]
    # ∂L/∂x is 2x.
    assert (texts[0], texts[1], texts[3]) == ("[2]", "6", "6") and float(texts[2]) == pytest.approx(6)
    assert [table.isColumnHidden(column) for column in range(5)] == [False, False, False, True, False]
    right = Qt.AlignmentFlag.AlignRight
    sides = [bool(table.item(0, column).textAlignment() & right.value) for column in range(5)]
    assert sides == [False, True, True, True, False]
    fonts = [table.item(0, column).font() for column in range(5)]
    assert {found.pixelSize() for found in fonts} == {11}
    assert [found.family() == fonts[0].family() for found in fonts] == [True, True, True, True, False]
    theme = Appearance("dark").theme
    assert table.item(0, 4).foreground().color() == theme.color("ok")
    assert table.item(0, 1).foreground().style() is Qt.BrushStyle.NoBrush
    assert table.horizontalHeaderItem(2).toolTip() and not table.horizontalHeaderItem(1).toolTip()


def test_the_gradient_found_can_be_kept_as_a_check(asked: Asked) -> None:
    heard: list[str] = []
    asked.view.current.requests.command_chosen.connect(heard.append)
    asked.view.show_place(X)
    asked.view.findChild(QPushButton, "keep_result").click()  # type: ignore[union-attr]
    assert heard == ["expect_gradient"]
