"""The explanation of a NaN in the inspector: boxes, rows, sentence, fix, and two buttons."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gradwire import HOME
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.kit.why.product_view import ProductView
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Port


@pytest.fixture
def inspector(qtbot: QtBot) -> Iterator[Inspector]:
    """The inspector of the only wire with a NaN."""
    session = Session(load(HOME / "assets" / "first_run.graph").graph, InlineEvaluator)
    made = Inspector(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: session.results is not None)
    session.select(Selection(wires=frozenset((session.page.wires[Port("Pow", "x")],))))
    qtbot.waitUntil(lambda: made.findChild(ProductView, "why_product_0") is not None)
    yield made
    session.close()


def text(inspector: Inspector, name: str) -> str:
    # The grids are filled anew when an answer comes, and their old labels go a moment later.
    return next(label.text() for label in inspector.findChildren(QLabel, name) if label.isVisible())


def button(inspector: Inspector, name: str) -> QPushButton:
    found = inspector.findChild(QPushButton, name)
    assert found is not None and found.isVisible()
    return found


def test_the_product_stands_in_three_boxes(inspector: Inspector) -> None:
    boxes = [text(inspector, f"why_product_0_box_{place}") for place in range(3)]
    assert boxes == ["0", "∞", "NaN"]
    origins = [text(inspector, f"why_product_0_origin_{place}") for place in range(3)]
    assert origins == ["from Where: not selected", "slope of Pow at x = 0", "gradient of x[0]"]
    assert text(inspector, "inspector_title") == "Why NaN?"
    assert text(inspector, "inspector_kind") == "wire x → Pow.x, element 0"


def test_each_element_has_a_row(inspector: Inspector) -> None:
    rows = [[text(inspector, f"why_product_0_{row}_{column}") for column in range(4)] for row in range(4)]
    assert rows == [
        ["x", "∂L/∂y", "slope", "∂L/∂x"],
        ["0", "0", "inf", "NaN"],
        ["1", "1", "0.5", "0.5"],
        ["4", "1", "0.25", "0.25"],
    ]


def test_a_screen_reader_hears_the_product(inspector: Inspector) -> None:
    view = inspector.findChild(ProductView, "why_product_0")
    assert view is not None
    assert "0 (from Where: not selected) × inf (slope of Pow at x = 0) is NaN" in view.accessibleName()


def test_the_fix_is_explained_tried_and_applied(inspector: Inspector, qtbot: QtBot) -> None:
    assert text(inspector, "why_title_0") == "Fix: keep 0 away from Pow"
    assert "second Where before Pow" in text(inspector, "why_detail_0")
    assert (text(inspector, "why_trial_0_2_1"), text(inspector, "why_trial_0_2_2")) == ("NaN .5 .25", "0 .5 .25")
    with qtbot.waitSignal(inspector.current.requests.fix_chosen) as chosen:
        button(inspector, "why_fix_0").click()
    assert chosen.args is not None and chosen.args[0].text == "Insert Where before it"


def test_the_fix_may_wait(inspector: Inspector, qtbot: QtBot) -> None:
    with qtbot.waitSignal(inspector.current.requests.fix_refused):
        button(inspector, "why_later_0").click()


def test_a_finite_gradient_has_no_product(inspector: Inspector, qtbot: QtBot) -> None:
    session = inspector.session
    session.select(Selection(wires=frozenset((session.page.wires[Port("Where", "x")],))))
    view = inspector.findChild(ProductView, "why_product_0")
    assert view is not None and not view.isVisible()
    assert text(inspector, "inspector_title") == "Why this gradient?"
