"""The lens of precision, as users see and navigate it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from gradwire.app.features.precision.precision_lens import PrecisionLens
from gradwire.app.features.precision.precision_rows import summary
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.explain.precision import Accumulation, Precision
from gradwire.engine.graph.graph import Graph
from tests.engine.explain.test_flow import chain
from tests.engine.explain.test_precision import fan, softmax


def lens_of(qtbot: QtBot, graph: Graph) -> PrecisionLens:
    lens = PrecisionLens(CurrentSession(Session(graph, InlineEvaluator)), Appearance("light"))
    qtbot.addWidget(lens)
    lens.resize(700, 240)
    lens.show()
    qtbot.waitUntil(lambda: bool(said(lens) or table(lens).accessibleDescription()))
    return lens


def said(lens: PrecisionLens) -> str:
    found = lens.findChild(QLabel, "precision_summary")
    assert isinstance(found, QLabel)
    return found.text()


def table(lens: PrecisionLens) -> QTableView:
    found = lens.findChild(QTableView, "precision_rows")
    assert isinstance(found, QTableView)
    return found


def rows(lens: PrecisionLens) -> list[list[str]]:
    model = table(lens).model()
    return [[str(model.index(row, column).data()) for column in range(4)] for row in range(model.rowCount())]


def test_a_zero_that_is_an_underflow_is_told_with_its_true_size(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, chain("Sigmoid", 80, 0.5, "float32"))
    told = {row[0]: row[3] for row in rows(lens) if row[3].startswith("underflow")}
    assert told["x"] == "underflow: the true value is about 10^−51.8"
    assert said(lens).startswith("The 0 at x is an underflow: the true gradient is about 10^−51.8.")


def test_a_sum_is_told_with_its_condition_and_the_digits_left(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, fan(3.0, -2.0))
    sums = [row for row in rows(lens) if row[3].startswith("Sum over wires")]
    assert sums == [["x", "15.0", "κ 5", "Sum over wires: terms of size 5 cancel to 1"]]
    assert said(lens).startswith("Strongest cancellation: x; 15.0 reliable digits remain (κ = 5).")


def test_a_gradient_that_is_zero_is_no_alarm(qtbot: QtBot) -> None:
    lens = lens_of(qtbot, softmax())
    assert "mx → z" not in {row[0] for row in rows(lens)}
    assert not said(lens).startswith("The worst sum is at mx → z")


@pytest.mark.parametrize("by_mouse", [True, False])
def test_a_row_leads_to_its_place(qtbot: QtBot, by_mouse: bool) -> None:
    lens = lens_of(qtbot, softmax())
    chosen: list[str] = []
    lens.wire_chosen.connect(lambda link: chosen.append(str(link.target)))
    lens.place_chosen.connect(chosen.append)
    view = table(lens)
    index = view.model().index([row[0] for row in rows(lens)].index("s → p"), 0)
    if by_mouse:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    else:
        view.setFocus()
        view.setCurrentIndex(index)
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == ["main/p.y"]


def test_it_says_what_is_missing(qtbot: QtBot) -> None:
    assert "Add a Loss block" in table(lens_of(qtbot, Graph())).accessibleDescription()


def test_below_one_digit_none_is_called_reliable() -> None:
    place = PortName("main/x", "y")
    worst, better = (Accumulation(place, True, "", (), rest, 1.0, 15.0) for rest in (3e-15, 1e-13))
    assert summary(Precision((worst,), "float32", (), ())).startswith(
        "Strongest cancellation: x; no reliable digits remain (κ ≈ "
    )
    assert summary(Precision((better,), "float32", (), ())).startswith(
        "Strongest cancellation: x; 2.0 reliable digits remain (κ = "
    )
