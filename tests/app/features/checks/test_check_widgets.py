"""The lens of checks and the check of a gradient without a window: rows, buttons, tables, and where a check stands."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.checks.check_lens import WIDTHS, CheckLens, _place
from gradwire.app.features.checks.check_questions import CheckName
from gradwire.app.features.checks.check_view import CheckView
from gradwire.app.features.checks.checks import Checks
from gradwire.app.features.checks.expecting import EXPECTATIONS
from gradwire.app.features.checks.norm_dialog import NormDialog
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits import edits
from gradwire.engine.explain.checks.element_check import PlaceCheck

X, Q = PortName("main/x", "y"), PortName("main/q", "y")
HOLDS, FAILS = {"at": "main/q.y", "finite": True}, {"at": "main/x.y", "norm": [0.0, 1e-9]}


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    x = gw.Input(np.arange(1.0, 11.0), name="x")
    made = Session(gw.graph(gw.Loss(gw.ReduceSum(gw.Square(x, name="q"), name="s"), name="loss")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("check", "place"),
    [
        ({"at": "main/x.y"}, X),
        ({"at": "main/a.b/x.y"}, PortName("main/a.b/x", "y")),
        ({"at": "main/x"}, None),
        ({"at": 3}, None),
        ({}, None),
        ({"wire": ["main/x.y", "main/q.x"]}, Link(X, PortName("main/q", "x"))),
        ({"wire": ("main/x.y", "main/q.x")}, Link(X, PortName("main/q", "x"))),
        ({"wire": ["main/x.y"]}, X),
        ({"wire": "main/x.y"}, None),
        ({"wire": []}, None),
    ],
)
def test_a_check_stands_at_a_port_or_a_wire(check: dict[str, object], place: object) -> None:
    assert _place(check) == place


@pytest.fixture
def lens(session: Session, qtbot: QtBot) -> CheckLens:
    made = CheckLens(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    qtbot.addWidget(made.controls)
    made.resize(1000, 300)
    made.show()
    made.refresh()
    return made


def tried(lens: CheckLens, qtbot: QtBot, *checks: dict[str, object]) -> None:
    lens.session.apply("", edits.add_checks, checks)
    qtbot.waitUntil(lambda: lens.session.part(Checks).is_known)
    lens.refresh()


def keys(lens: CheckLens) -> list[object]:
    return [row.key for row in lens._table.rows.rows]


def test_failed_checks_come_first_and_delete_removes_one(lens: CheckLens, qtbot: QtBot) -> None:
    assert keys(lens) == [] and not lens._remove.isEnabled()
    tried(lens, qtbot, HOLDS, HOLDS | {"at": "main/x.y"}, FAILS)
    assert keys(lens) == [2, 0, 1]
    summary = lens.controls.findChild(QLabel, "checks_summary")  # type: ignore[union-attr]
    assert isinstance(summary, QLabel) and summary.text() == "2 of 3 checks pass"
    lens._table.set_current(2)
    assert lens._remove.isEnabled()
    QTest.keyClick(lens._table, Qt.Key.Key_A)
    assert len(lens.session.graph.checks) == 3
    for key, left in ((Qt.Key.Key_Delete, 2), (Qt.Key.Key_Backspace, 1)):
        lens.refresh()
        lens._table.set_current(0)
        QTest.keyClick(lens._table, key)
        assert len(lens.session.graph.checks) == left
    assert dict(lens.session.graph.checks[0]) == HOLDS | {"at": "main/x.y"} or left == 1


def test_a_check_that_is_gone_is_not_removed_again(lens: CheckLens, qtbot: QtBot) -> None:
    tried(lens, qtbot, HOLDS)
    lens._table.set_current(0)
    lens.session.apply("", edits.remove_check, 0)
    graph = lens.session.graph
    lens._remove_current()
    assert lens.session.graph is graph


def test_a_click_goes_to_the_place_of_a_check(lens: CheckLens, qtbot: QtBot) -> None:
    heard: list[object] = []
    lens.place_chosen.connect(heard.append)
    tried(lens, qtbot, HOLDS, {"loss": [0.0, 1e9]})
    lens._go_to(0)
    assert heard == ["main/q"]
    lens._go_to(1)
    assert heard == ["main/q"]


def test_a_check_is_added_to_what_is_selected(lens: CheckLens) -> None:
    assert not lens._add.isEnabled()
    lens.session.select(Selection(blocks=frozenset(("q",))))
    lens.refresh()
    assert lens._add.isEnabled()
    menu = lens._add.menu()
    assert [action.text() for action in menu.actions()] == [kind.title for kind in EXPECTATIONS]
    assert [action.toolTip() for action in menu.actions()] == [kind.tip for kind in EXPECTATIONS]
    menu.actions()[0].trigger()
    assert len(lens.session.graph.checks) == 1
    assert WIDTHS == (360, 380, 260)


# The check of one gradient


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


@pytest.mark.parametrize(
    ("norms", "low", "high"),
    [([2.0], 1, 4), ([2.0, 5.0, 3.0], 1, 10), ([], 0, 1), ([4.0, math.nan, math.inf], 2, 8), ([math.nan], 0, 1)],
)
def test_a_range_of_norms_goes_from_half_the_least_to_twice_the_greatest(
    qtbot: QtBot, norms: list[float], low: float, high: float
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = NormDialog(norms, parent)
    assert [float(item.text()) for item in (dialog._low, dialog._high)] == pytest.approx([low, high])
    said = [label.text() for label in dialog.findChildren(QLabel) if "size of the gradient" in label.text()]
    known = [norm for norm in norms if math.isfinite(norm)]
    assert said == ([f"The size of the gradient is {max(known):g} now."] if known else [])


@pytest.mark.parametrize(
    ("low", "high", "chosen"),
    [
        ("2", "2", [(2.0, 2.0)]),
        ("0", "1", [(0.0, 1.0)]),
        ("3", "2", []),
        ("-1", "2", []),
        ("x", "2", []),
        ("1", "", []),
        ("1", "inf", []),
    ],
)
def test_a_range_begins_at_zero_or_above_and_ends_no_lower(
    qtbot: QtBot, low: str, high: str, chosen: list[tuple[float, float]]
) -> None:
    parent, found = QWidget(), list[tuple[float, float]]()
    qtbot.addWidget(parent)
    dialog = NormDialog([7.0], parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.chosen.connect(lambda *ends: found.append(ends))
    dialog._low.setText(low)
    dialog._high.setText(high)
    assert dialog._buttons.button(dialog._buttons.StandardButton.Ok).isEnabled() is bool(chosen)
    dialog.accept()
    assert found == chosen
