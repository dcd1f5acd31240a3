"""The sentences about how much of a gradient each block passes on, and the bars beside them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.flow.bars import BarColumn
from gradwire.app.kit.lens import flow_text
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import recorded

EACH = "each of 2 blocks multiplies it by"


@pytest.mark.parametrize(("path", "name"), [("main/e", "e"), ("main/cell/e", "cell / e"), ("main", "")])
def test_a_block_is_named_without_its_page(path: str, name: str) -> None:
    assert flow_text.name_of(path) == name


@pytest.mark.parametrize(
    ("typical", "sent", "is_unusual", "unusual", "text"),
    [
        (None, 1.0, False, 0, "No block passes anything on."),
        (0.5, 0.0, True, -3.0, "No gradient passes here; 0.5 is typical of this graph."),
        (0.5, 0.4, False, -0.1, "Similar to the other blocks of this graph, which pass on 0.5."),
        (0.5, 0.01, True, -3.0, "Far less than 0.5, which is typical of this graph."),
        (0.5, 9.0, True, 3.0, "Far more than 0.5, which is typical of this graph."),
    ],
)
def test_a_step_is_compared_with_the_others(
    typical: float | None, sent: float, is_unusual: bool, unusual: float, text: str
) -> None:
    step: Any = SimpleNamespace(sent=sent, is_unusual=is_unusual, unusual=unusual)
    flow: Any = SimpleNamespace(typical=typical)
    assert flow_text.tip_of(step, flow) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (None, "No block passes anything on."),
        (1.0, "A typical block passes the whole incoming gradient on."),
        (0.5, "A typical block passes on 0.5 of the incoming gradient."),
    ],
)
def test_a_typical_block_passes_a_share_on(ratio: float | None, text: str) -> None:
    assert flow_text._typical(ratio) == text


@pytest.mark.parametrize(("is_rounded", "text"), [(True, "≈ 0"), (False, "0.25")])
def test_the_rest_of_a_cancelled_sum_is_about_0(is_rounded: bool, text: str) -> None:
    step: Any = SimpleNamespace(is_rounded=is_rounded)
    assert flow_text.sent_text(step, 0.25) == text


@pytest.mark.parametrize(
    ("left", "steps", "per_step", "text"),
    [
        (0.0, 1, 0.0, "The gradient is 0 at x, one block from the loss."),
        (0.0, 2, 0.0, "The gradient is 0 at x, 2 blocks from the loss."),
        (0.5, 1, 0.5, "One block separates x from the loss: 0.5 of the gradient remains."),
        (1.0, 2, 1.0, "The gradient keeps its size over 2 blocks: 1 of it remains at x."),
        (0.25, 2, 0.5, f"The gradient shrinks: {EACH} 0.5 on average; 0.25 of it remains at x."),
        (4.0, 2, 2.0, f"The gradient grows: {EACH} 2 on average; at x it is 4 times as large."),
    ],
)  # fmt: skip
def test_the_course_of_a_gradient_is_told_by_what_is_left_of_it(
    left: float, steps: int, per_step: float, text: str
) -> None:
    end: Any = SimpleNamespace(left=left, steps=steps, per_step=per_step, path="main/x")
    assert flow_text._course(end) == text


@pytest.mark.parametrize(
    ("bar", "shape"),
    [
        (None, None),
        ((1.0, False), "fill 60 104 44 10"),
        ((-0.5, False), "fill 38 104 22 10"),
        ((0.5, True), "rect 60 104 22 10 1px dashed"),
    ],
)
def test_a_bar_begins_in_the_middle_and_a_cut_path_has_an_outline(
    qtbot: QtBot, bar: tuple[float, bool] | None, shape: str | None
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made, look = BarColumn(Appearance("dark"), parent), Appearance("dark")
    index: Any = SimpleNamespace(data=lambda _: bar)
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    with recorded() as lines, QPainter(image) as painter:
        made.draw(painter, look.theme, QRect(10, 100, 100, 18), index)
    assert lines[0] == "line 60 103 60 115 1px border.strong"
    assert len(lines) == (1 if shape is None else 2) and (shape is None or lines[1].startswith(shape))
    assert made.sizeHint(QStyleOptionViewItem(), index).toTuple() == (104, 18)  # type: ignore[attr-defined]
