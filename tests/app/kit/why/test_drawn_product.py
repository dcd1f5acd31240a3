"""The product behind a NaN: its boxes, its rows and the words of its fix, with their places and colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire import HOME
from gradwire.app.kit.why.product_view import ProductView
from gradwire.app.kit.why.why_product import Factor, ProductText, broken_text, zero_text
from gradwire.app.live.questions.product_question import ProductWanted
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from tests.app.kit.why.test_why import facts_of

SLOPE = ProductText(
    "wire x → p.x",
    (
        Factor("0", "from Where", "grad.text"),
        Factor("inf", "slope of p", "alarm"),
        Factor("NaN", "gradient of x", "alarm", is_ringed=True),
    ),
    ("x", "∂L/∂y", "slope", "∂L/∂x"),
    (("4", "1", "0.25", "0.25"), ("0", "0", "inf", "NaN")),
    frozenset([1]),
    "2 of 9 elements are NaN.",
)


@pytest.fixture
def view(qtbot: QtBot) -> ProductView:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = ProductView(Appearance("dark"), "slope", holder)
    made.resize(400, 400)
    holder.show()
    assert made.isHidden()
    made.show_product(SLOPE)
    QCoreApplication.processEvents()
    return made


def label(view: ProductView, name: str) -> QLabel:
    return next(item for item in view.findChildren(QLabel, f"slope_{name}") if not item.isHidden())


def test_two_factors_and_their_product_stand_in_boxes_with_signs_between(view: ProductView) -> None:
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
            f"color: {css(token)}; background: {ground}; border: 1px solid {border}; border-radius: 8px;"
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
    assert signs[0].x() == boxes[0].width() + 8


def test_the_other_elements_are_counted() -> None:
    graph = load(HOME / "assets" / "first_run.graph").graph
    facts, wire = facts_of(graph), Link(PortName("main/x", "y"), PortName("main/Pow", "x"))
    found = ProductWanted(wire).answer(run_graph(graph))
    assert found is not None
    assert found.product is not None
    told = [broken_text(facts, replace(found.product, size=size)).rest for size in (3, 9, 3000)]
    assert told == ["", "1 of 9 elements are NaN.", "1 of 3,000 elements are NaN."]


def test_each_element_has_a_row_and_broken_ones_the_colour_of_alarm(view: ProductView) -> None:
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


def test_a_ring_in_the_colour_of_its_number_marks_the_factor_that_decides(view: ProductView) -> None:
    css, (first, _, last) = Appearance("dark").theme.css, SLOPE.boxes
    zero = Factor("0", "rule", "text.primary", is_ringed=True)
    view.show_product(replace(SLOPE, boxes=(first, zero, replace(last, token="text.primary", is_ringed=False))))
    QCoreApplication.processEvents()
    styles = [label(view, f"box_{place}").styleSheet() for place in range(3)]
    borders = [re.search(r"solid ([^;]+);", style) for style in styles]
    assert [found and found[1] for found in borders] == [
        css("border.default"), css("text.primary"), css("border.default"),
    ]  # fmt: skip
    assert all(f"background: {css('bg.sunken')};" in style for style in styles)


def test_the_product_is_spoken_and_without_other_elements_there_is_no_rest(view: ProductView) -> None:
    assert view.accessibleName() == "0 (from Where) × inf (slope of p) is NaN, the gradient of x."
    assert label(view, "rest").text() == SLOPE.rest
    view.show_product(replace(SLOPE, rest=""))
    rest = view.findChild(QLabel, "slope_rest")
    assert rest is not None and rest.isHidden()
    view.show_product(None)
    assert view.isHidden()


def test_the_same_product_again_keeps_its_labels(view: ProductView) -> None:
    before = label(view, "box_0")
    view.show_product(replace(SLOPE))
    assert label(view, "box_0") is before
    view.show_product(replace(SLOPE, rest="Else."))
    assert before.isHidden() and label(view, "rest").text() == "Else."


@pytest.mark.parametrize(
    ("loss", "wire", "boxes"),
    [
        # Both numbers are negative: the slope of Relu is 0 where 2 arrives, as the loss doubles it.
        (
            lambda x: gw.Multiply(gw.Relu(x, name="r"), gw.Constant(2.0)), "r.x",
            [("2", "from Multiply"), ("0", "slope of r at x = −2"), ("0", "flows on to Variable x")],
        ),
        (
            lambda x: gw.Multiply(gw.StopGradient(x, name="s"), gw.Constant(5.0)), "s.x",
            [("5", "from Multiply"), ("0", "rule of StopGradient"), ("0", "flows on to Variable x")],
        ),
        # What arrives is 0, as the other factor is.
        (
            lambda x: gw.Multiply(gw.Exp(x, name="e"), gw.Constant(0.0), name="m"), "e.x",
            [("0", "from m: zero factor"), ("0.135", "slope of e at x = −2"), ("0", "flows on to Variable x")],
        ),
        # Two wires leave the block, so nothing is said of one.
        (
            lambda x: (lambda r: gw.Add(gw.Exp(r), r))(gw.Relu(x, name="r")), "r.x",
            [("2", "incoming gradient"), ("0", "slope of r at x = −2"), ("0", "flows on to Variable x")],
        ),
    ],
)  # fmt: skip
def test_a_zero_is_a_product_of_what_arrives_and_the_rule(
    loss: Callable[[gw.Expression], gw.Expression], wire: str, boxes: list[tuple[str, str]]
) -> None:
    graph = gw.graph(gw.Loss(loss(gw.Variable(np.array([-2.0, -3.0]), name="x"))))
    target = PortName(*f"main/{wire}".rsplit(".", 1))
    run, facts = run_graph(graph), facts_of(graph)
    link = next(link for link in run.snapshot.wires if link.target == target)
    found = ProductWanted(link).answer(run)
    assert found is not None and found.product is not None and found.fix is None
    told = zero_text(facts, found.product).boxes
    assert [(item.number, item.origin) for item in told] == boxes
    assert [item.is_ringed for item in told] == [boxes[1][0] != "0", boxes[1][0] == "0", False]


def test_zeros_that_cancel_are_near_zero_and_a_block_alone_of_its_type_needs_no_name() -> None:
    graph = load(HOME / "assets" / "examples" / "softmax_stable.graph").graph
    run, facts = run_graph(graph), facts_of(graph)
    link = Link(PortName("main/m", "y"), PortName("main/stop", "x"))
    found = ProductWanted(link).answer(run)
    assert found is not None and found.product is not None
    told = [(item.number, item.origin) for item in zero_text(facts, found.product).boxes]
    assert told == [("≈ 0", "from Subtract"), ("0", "rule of StopGradient"), ("0", "flows on to ReduceMax")]
    assert [facts.label(f"main/{name}") for name in ("x", "w", "stop")] == ["Input x", "Constant w", "StopGradient"]
