"""The product behind a NaN: its boxes, its rows and the words of its fix, with their places and colours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire import HOME
from gradwire.app.kit.why.slope_view import SlopeView
from gradwire.app.kit.why.why_slope import SlopeText, slope_text
from gradwire.app.live.questions.product_question import SlopeWanted
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from tests.app.kit.why.test_why import facts_of

SLOPE = SlopeText(
    "wire x → p.x",
    (("0", "from Where"), ("inf", "slope of p"), ("NaN", "gradient of x")),
    ("x", "∂L/∂y", "slope", "∂L/∂x"),
    (("4", "1", "0.25", "0.25"), ("0", "0", "inf", "NaN")),
    frozenset([1]),
    "2 of 9 elements are NaN.",
    "Fix: keep 0 away",
    "Because.",
)


@pytest.fixture
def view(qtbot: QtBot) -> SlopeView:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = SlopeView(Appearance("dark"), "slope", holder)
    made.resize(400, 400)
    holder.show()
    assert made.isHidden()
    made.show_slope(SLOPE, "It is NaN.", has_fix=True)
    QCoreApplication.processEvents()
    return made


def label(view: SlopeView, name: str) -> QLabel:
    return next(item for item in view.findChildren(QLabel, f"slope_{name}") if not item.isHidden())


def test_two_factors_and_their_product_stand_in_boxes_with_signs_between(view: SlopeView) -> None:
    css = Appearance("dark").theme.css
    sunken, alarm = (css("bg.sunken"), css("border.default")), (css("alarm.bg"), css("alarm"))
    for place, (text, token, (ground, border), origin) in enumerate(
        (
            ("0", "grad.text", sunken, "from Where"),
            ("∞", "alarm", sunken, "slope of p"),
            ("NaN", "alarm", alarm, "gradient of x"),
        )
    ):
        box, caption = label(view, f"box_{place}"), label(view, f"origin_{place}")
        assert (box.text(), box.font(), box.minimumHeight()) == (text, font("mono", 15, 600), 40)
        assert box.styleSheet() == (
            f"color: {css(token)}; background: {ground}; border: 1px solid {border}; border-radius: 6px;"
        )
        assert box.alignment() == Qt.AlignmentFlag.AlignCenter
        assert (caption.text(), caption.wordWrap(), caption.font()) == (origin, True, font("ui", 10.5))
        assert caption.styleSheet() == f"color: {css('text.secondary')};"
        assert caption.geometry().top() == box.geometry().bottom() + 1 + 4
        assert (caption.x(), caption.width()) == (box.x(), box.width())
    signs = [label(view, f"sign_{place}") for place in (1, 2)]
    assert [(sign.text(), sign.font()) for sign in signs] == [(text, font("ui", 14, 600)) for text in "×="]
    lefts = [label(view, name).x() for name in ("box_0", "sign_1", "box_1", "sign_2", "box_2")]
    assert lefts == sorted(lefts)
    boxes = [label(view, f"box_{place}") for place in range(3)]
    assert max(box.width() for box in boxes) - min(box.width() for box in boxes) <= 1
    assert boxes[0].x() == 0 and boxes[2].geometry().right() == 399
    assert signs[0].x() == boxes[0].width() + 6


def test_the_other_elements_are_counted() -> None:
    graph = load(HOME / "assets" / "first_run.graph").graph
    facts, wire = facts_of(graph), Link(PortName("main/x", "y"), PortName("main/Pow", "x"))
    found = SlopeWanted(wire).answer(run_graph(graph))
    assert found is not None
    told = [slope_text(facts, replace(found, product=replace(found.product, size=size))).rest for size in (3, 9, 3000)]
    assert told == ["", "1 of 9 elements are NaN.", "1 of 3,000 elements are NaN."]


def test_each_element_has_a_row_and_broken_ones_the_colour_of_alarm(view: SlopeView) -> None:
    css = Appearance("dark").theme.css
    padding, ground = "padding: 1px 6px;", f"background: {css('alarm.bg')};"
    tokens = [
        ["text.tertiary"] * 4,
        ["value", "grad.text", "text.primary", "grad.text"],
        ["value", "grad.text", "alarm", "alarm"],
    ]
    for row, texts in enumerate((SLOPE.headings, *SLOPE.rows)):
        for column, text in enumerate(texts):
            cell, back = label(view, f"{row}_{column}"), {0: "", 1: " "}.get(row, f" {ground}")
            style = f"color: {css(tokens[row][column])};{back} {padding}"
            assert (cell.text(), cell.styleSheet(), cell.minimumHeight()) == (text, style, 22)
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            assert cell.alignment() == side | Qt.AlignmentFlag.AlignVCenter
            assert (cell.font(), cell.minimumWidth()) == (font("mono", 10.5), 1)
            assert (cell.x(), cell.width()) == (100 * column, 100)


def test_texts_stand_around_the_product_and_empty_ones_are_hidden(view: SlopeView) -> None:
    texts = ["place", "sentence", "rest", "fix", "detail"]
    assert [label(view, name).text() for name in texts] == [
        SLOPE.place, "It is NaN.", SLOPE.rest, SLOPE.fix_title, SLOPE.fix_detail,
    ]  # fmt: skip
    assert view.accessibleName() == "0 (from Where) × inf (slope of p) is NaN, the gradient of x."
    view.show_slope(replace(SLOPE, place="", rest=""), "It is NaN.")
    hidden = [view.findChild(QLabel, f"slope_{name}").isHidden() for name in ("place", "rest", "detail")]  # type: ignore[union-attr]
    assert hidden == [True] * 3
    assert [line.isHidden() for line in view.findChildren(QFrame) if line.property("look") == "line"] == [True]
    view.show_slope(None)
    assert view.isHidden()


def test_the_fix_has_a_bolt(view: SlopeView) -> None:
    mark = next(item for item in view.findChildren(QLabel) if not item.pixmap().isNull())
    title = label(view, "fix")
    assert mark.pixmap().deviceIndependentSize().toTuple() == (16.0, 16.0)
    assert title.x() - mark.x() == 16 + 8


def test_the_same_product_again_keeps_its_labels(view: SlopeView) -> None:
    before = label(view, "box_0")
    view.show_slope(replace(SLOPE), "It is NaN.", has_fix=True)
    assert label(view, "box_0") is before
    view.show_slope(replace(SLOPE, rest="Else."), "It is NaN.", has_fix=True)
    assert before.isHidden() and label(view, "rest").text() == "Else."
