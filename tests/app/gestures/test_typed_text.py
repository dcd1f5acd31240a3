"""A formula that is typed on an empty page, over the canvas, or pasted: one undo, and errors in a sentence."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from gradwire.engine.graph.graph import Graph, Page
from tests.app.window.driver import Driver, Key
from tests.app.window.graphs import chain

pytestmark = pytest.mark.usefixtures("one_window")

SOFTMAX = "p = softmax(x - stop(max(x)))"
BLOCKS = {
    "x": "Input",
    "ReduceMax": "ReduceMax",
    "StopGradient": "StopGradient",
    "Subtract": "Subtract",
    "p": "Softmax",
}


@pytest.fixture
def empty(user: Driver) -> Driver:
    user.show(Graph((Page("main"),)))
    user.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    return user


def types(here: Driver) -> dict[str, str]:
    return {block.id: block.type for block in here.page.blocks.values()}


def test_a_text_on_an_empty_page_is_typed_into_its_field(empty: Driver) -> None:
    empty.key(Key.Key_P)
    field = empty.child(QLineEdit, "search_field")
    assert field.isVisible() and field.text() == "p"
    QTest.keyClicks(field, SOFTMAX[1:])
    QTest.keyClick(field, Key.Key_Return)
    empty.settle()
    assert types(empty) == BLOCKS
    assert all(block.at is not None for block in empty.page.blocks.values())
    empty.undo()
    assert types(empty) == {}


def test_pasted_lines_are_one_undo_and_a_refusal_names_its_line(empty: Driver) -> None:
    said, clipboard = empty.listen(), QGuiApplication.clipboard()
    clipboard.setText(f"{SOFTMAX}\nq = foo(p)")
    empty.ctrl(Key.Key_V)
    assert types(empty) == {}
    assert said[-1].startswith("Line 2, column 5: foo is not known here")
    empty.ctrl(Key.Key_V)
    assert types(empty) == BLOCKS
    empty.undo()
    assert types(empty) == {}


def test_a_formula_beside_other_blocks_is_selected(user: Driver) -> None:
    user.show(chain())
    before = set(user.page.blocks)
    QGuiApplication.clipboard().setText("h = tanh(v * 2)")
    user.ctrl(Key.Key_V)
    made = set(user.page.blocks) - before
    assert {"h", "v"} <= made
    assert user.session.selection.blocks == made


def test_a_pasted_gradient_of_ones_own_brings_its_pages_with_places(empty: Driver) -> None:
    text = "@tf.custom_gradient\ndef f(x):\n    return tf.exp(x), lambda dy: 2 * dy\ny = f(tf.Variable([1.0, 2.0]))"
    QGuiApplication.clipboard().setText(text)
    empty.ctrl(Key.Key_V)
    assert [(page.name, page.gradient) for page in empty.graph.pages[1:]] == [("f_gradient", None), ("f", "f_gradient")]
    assert all(block.at is not None for page in empty.graph.pages for block in page.blocks.values())
    empty.undo()
    assert len(empty.graph.pages) == 1
