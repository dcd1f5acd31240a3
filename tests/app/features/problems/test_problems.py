"""The list of problems updates with the session without flicker."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.features.problems.problem_list import ALL_WELL, ROW
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.base.errors import CodeError
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph, Port
from gradwire.interop.pt2.from_pt2 import read_pt2
from tests.interop.pt2.recorded import Recorded


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    yield made
    made.close()


@pytest.fixture
def panel(session: Session, qtbot: QtBot, tmp_path: Path) -> ProblemsPanel:
    made = ProblemsPanel(CurrentSession(session), Appearance("dark"), Settings(tmp_path / "s.ini"))
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    return made


def list_of(panel: ProblemsPanel) -> QListView:
    found = panel.findChild(QListView, "problems_list")
    assert isinstance(found, QListView)
    return found


def sentences(panel: ProblemsPanel) -> list[str]:
    model = list_of(panel).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def texts(panel: ProblemsPanel) -> list[str]:
    model = list_of(panel).model()
    return [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]


def test_what_an_own_gradient_leaves_out_is_no_wire_that_a_stop_blocks(qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(load(example_path("own_clip")).graph, InlineEvaluator)
    panel = ProblemsPanel(CurrentSession(session), Appearance("dark"), Settings(tmp_path / "s.ini"))
    qtbot.addWidget(panel)
    assert not any("StopGradient" in sentence for sentence in sentences(panel))
    session.close()


def test_a_tie_and_the_blocked_wires_are_listed(panel: ProblemsPanel) -> None:
    assert sentences(panel) == [
        "2 equal maxima share the gradient.",
        "2 wires receive 0 because StopGradient blocks them",
        "5 of 5 checks pass",
    ]
    assert "m → stop" in texts(panel)[1] and texts(panel)[1].endswith("main / stop")


def test_of_a_model_the_first_parameter_that_does_not_learn_is_said_first(qtbot: QtBot, tmp_path: Path) -> None:
    model = read_pt2(Recorded("broken").model("DetachedInTheMiddle"))
    notices = tuple(Problem("info", "", "import", sentence) for sentence in model.notices)
    session = Session(model.graph, InlineEvaluator, notices=notices)
    panel = ProblemsPanel(CurrentSession(session), Appearance("dark"), Settings(tmp_path / "s.ini"))
    qtbot.addWidget(panel)
    said = "fc1.bias and 1 more: blocked, no gradient arrives"

    def is_first() -> bool:
        row = panel.gravest
        return row is not None and (row.severity, row.sentence.rstrip("."), row.origin) == (
            "warning", said, "broken_models.py:81",
        )  # fmt: skip

    qtbot.waitUntil(is_first)
    assert any("cuts every path to the loss" in text for text in texts(panel)[:1])
    assert len(notices) == sum(sentence in model.notices for sentence in sentences(panel)) > 0
    session.close()


def test_a_click_and_enter_show_the_place(panel: ProblemsPanel, qtbot: QtBot) -> None:
    rows = list_of(panel)
    place = rows.visualRect(rows.model().index(0, 0)).center()
    with qtbot.waitSignal(panel.current.requests.place_chosen) as chosen:
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["main/m"]
    qtbot.keyClick(rows, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.current.requests.place_chosen) as chosen:
        qtbot.keyClick(rows, Qt.Key.Key_Return)
    assert chosen.args == ["main/stop"]


def test_errors_come_first_and_are_counted(panel: ProblemsPanel, session: Session, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.listed) as counted:
        session.apply("Change", edits.set_parameter, "main", "w", "value", np.ones(2))
    assert texts(panel)[0].startswith("Error")
    assert counted.args == [panel.places]


def test_the_current_row_stays_when_numbers_change(panel: ProblemsPanel, session: Session, qtbot: QtBot) -> None:
    rows = list_of(panel)
    rows.setCurrentIndex(rows.model().index(1, 0))
    with qtbot.waitSignal(session.results_changed):
        session.apply("Change", edits.set_parameter, "main", "x", "value", np.array([3.0, 3.0, 3.0]))
    assert sentences(panel)[0] == "3 equal maxima share the gradient."
    assert rows.currentIndex().row() == 1


def test_the_current_row_stays_when_a_row_before_it_goes(panel: ProblemsPanel, session: Session, qtbot: QtBot) -> None:
    rows = list_of(panel)
    rows.setCurrentIndex(rows.model().index(1, 0))
    with qtbot.waitSignal(session.results_changed):
        session.apply("Change", edits.set_parameter, "main", "x", "value", np.array([1.0, 2.0, 3.0]))
    assert sentences(panel)[0] == "2 wires receive 0 because StopGradient blocks them"
    assert rows.currentIndex().row() == 0


def test_equal_problems_change_nothing(panel: ProblemsPanel, session: Session, qtbot: QtBot) -> None:
    model = list_of(panel).model()
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.assertNotEmitted(model.dataChanged),
        qtbot.waitSignal(session.results_changed),
    ):
        session.apply("Change", edits.set_parameter, "main", "x", "value", np.array([2.0, 3.0, 3.0]))


def test_without_problems_it_says_so(panel: ProblemsPanel, qtbot: QtBot) -> None:
    graph, _ = edits.add_block(Graph(), "main", "Input", id="x", parameters={"value": 1.0})
    graph, _ = edits.add_block(graph, "main", "Loss", id="loss")
    graph = edits.connect(graph, "main", Port("x", "y"), Port("loss", "x"))
    other = Session(graph, InlineEvaluator)
    with qtbot.waitSignal(panel.listed) as counted:
        panel.current.show(other)
    assert counted.args == [()]
    assert list_of(panel).accessibleDescription() == ALL_WELL
    other.close()


def test_nan_names_the_block_that_made_it(panel: ProblemsPanel) -> None:
    other = Session(load(example_path("softmax_naive")).graph, InlineEvaluator)
    panel.current.show(other)
    assert sentences(panel)[0] == 'Exp "e" makes inf at element 0.'
    assert "exp(1000) = inf, since 1000 > 709.78" in texts(panel)[0]
    other.close()


def test_the_session_before_is_no_longer_followed(panel: ProblemsPanel, session: Session, qtbot: QtBot) -> None:
    other = Session(Graph(), InlineEvaluator)
    panel.current.show(other)
    before = sentences(panel)
    with qtbot.waitSignal(session.results_changed):
        session.apply("Change", edits.set_parameter, "main", "x", "value", np.array([3.0, 3.0, 3.0]))
    assert sentences(panel) == before
    other.close()


def test_a_block_whose_code_fails_is_a_red_strip_with_its_name(panel: ProblemsPanel, session: Session) -> None:
    message = "Its code fails, which is a mistake in the block type; the log names it."
    assert session.results is not None
    found = dataclasses.replace(session.results, problems=(Problem("error", "main/e", CodeError.code, message),))
    session.scheduler.arrived.emit(found)
    rows = panel.findChild(QListView, "problems_list")
    assert isinstance(rows, QListView)
    index = rows.model().index(0, 0)
    row, place = index.data(ROW), rows.visualRect(index)
    assert (row.sentence, row.detail, row.place) == ("e has failed", message, "main / e")
    image = rows.viewport().grab().toImage()
    assert image.pixelColor(place.left() + 1, place.center().y()) == theme("dark").color("error")
    assert image.pixelColor(place.center().x(), place.top() + 2) == theme("dark").color("error.bg")
