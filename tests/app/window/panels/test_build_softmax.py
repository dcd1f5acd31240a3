"""The stable softmax, built from an empty canvas by mouse and keys, shows the recorded gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.painting.labels.label_texts import label_of
from gradwire.app.live.readings.stop_changes import differs
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Port
from tests.app.window.driver import LEFT, Driver, Key

# Recorded from TensorFlow 2.21 for x = [1, 3, 3], w = [1, 2, 3].
LOSS = 2.4049315925
GRADIENT = [-0.0890430728, -0.189633729, 0.2786768018]
WIRES = {
    "x.y > m.x",
    "m.y > stop.x",
    "x.y > z.x",
    "stop.y > z.y",
    "z.z > e.x",
    "e.y > s.x",
    "e.y > p.x",
    "s.y > p.y",
    "p.z > loss.x",
    "w.y > loss.weights",
}


def name_block(user: Driver, block_id: str, name: str) -> None:
    """Names a block in the field that a double click on its title opens."""
    user.hand.double_click(user.points.title(block_id))
    user.popups.type_inline(name)


def move_to(user: Driver, block_id: str, corner: QPointF) -> None:
    grip = user.points.title(block_id)
    user.hand.drag(grip, grip + corner - user.canvas.mirror.rect(block_id).topLeft())


def add_by_bar(user: Driver, text: str) -> str:
    """Adds a block by the field of the bar."""
    before = set(user.page.blocks)
    user.session.select(Selection())
    user.qtbot.mouseClick(user.child(QAbstractButton, "search_button"), LEFT)
    user.popups.search(text)
    # A screen gives the keys back when the list closes.
    user.window.activateWindow()
    user.canvas.setFocus()
    (made,) = set(user.page.blocks) - before
    return made


def add_by_double_click(user: Driver, name: str, at: QPointF) -> str:
    before = set(user.page.blocks)
    user.hand.put_block(name, at)
    (made,) = set(user.page.blocks) - before
    return made


def type_value(user: Driver, block_id: str, text: str) -> None:
    """Selects the block and types into the inspector's field for its value."""
    user.hand.click(user.points.title(block_id))
    field = user.child(QLineEdit, "parameter_value")
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Key.Key_Return)
    user.settle()


def build(user: Driver) -> None:
    """Builds the whole graph; every block comes onto the canvas in another way."""
    user.trigger("new")
    user.canvas.viewport.zoom_to(0.8)
    user.settle()
    corner = user.canvas.camera.to_scene(QPointF(20, 20))

    def at(right: int, down: int) -> QPointF:
        return corner + QPointF(right, down)

    name_block(user, add_by_bar(user, "Input"), "x")
    move_to(user, "x", at(0, 0))
    name_block(user, user.add("reduce_max", at(340, 130)), "m")
    name_block(user, user.add("tf.stop_gradient", at(640, 130)), "stop")
    name_block(user, add_by_bar(user, "subtract"), "z")
    move_to(user, "z", at(900, 0))
    name_block(user, add_by_double_click(user, "Exp", at(80, 330)), "e")
    name_block(user, user.add("tf.reduce_sum", at(340, 430)), "s")
    name_block(user, user.add("/", at(640, 330)), "p")
    name_block(user, user.add("[1,2,3]", at(640, 530)), "w")
    # From output to input, and from input to output.
    user.hand.connect(user.points.output("x.y"), user.points.port("m.x"))
    user.hand.connect(user.points.port("stop.x"), user.points.output("m.y"))
    user.hand.connect(user.points.output("x.y"), user.points.port("z.x"))
    user.hand.connect(user.points.port("z.y"), user.points.output("stop.y"))
    user.hand.connect(user.points.output("z.z"), user.points.port("e.x"))
    user.hand.connect(user.points.port("s.x"), user.points.output("e.y"))
    user.hand.connect(user.points.output("e.y"), user.points.port("p.x"))
    user.hand.connect(user.points.port("p.y"), user.points.output("s.y"))
    # From an output into nothing: the search offers what fits.
    user.hand.connect(user.points.output("p.z"), at(900, 330))
    user.popups.search("Loss")
    name_block(user, user.only("Loss"), "loss")
    user.hand.connect(user.points.output("w.y"), user.points.port("loss.weights"))
    type_value(user, "x", "1, 3, 4")
    user.hand.double_click(user.points.number("x", 2))
    user.popups.type_inline("3")


@pytest.fixture(scope="module")
def user(one_window: MainWindow, request: pytest.FixtureRequest) -> Driver:
    """A user who has built the softmax; each test leaves it as it was built."""
    builder = Driver(one_window, QtBot(request))
    build(builder)
    return builder


def test_a_softmax_built_by_hand_has_the_recorded_loss_and_gradient(user: Driver) -> None:
    assert user.wires() == WIRES
    results = user.session.results
    assert results is not None
    assert results.loss is not None
    # The recorded numbers have ten digits.
    assert float(results.loss.value) == pytest.approx(LOSS, abs=5e-11)
    reading = user.session.port(Port("x", "y"))
    assert reading is not None
    assert reading.gradient is not None
    np.testing.assert_allclose(reading.gradient.first, GRADIENT, rtol=0, atol=5e-11)


@pytest.mark.long
def test_undo_leads_back_to_the_very_empty_graph_and_redo_to_the_very_last(user: Driver) -> None:
    last = user.graph
    steps = 0
    while user.undo_text() is not None:
        user.undo()
        steps += 1
        assert steps < 100
    assert not user.page.blocks
    assert user.session.document.is_saved
    for _ in range(steps):
        user.redo()
    assert user.graph is last
    assert user.session.document.redo_text is None


def labels(user: Driver) -> dict[str, str]:
    """Returns the gradient texts beside the wires, as the canvas shows them at 100 %."""
    results = user.session.results
    assert results is not None
    others = results.compared
    found = {}
    for wire in user.page.wires.values():
        link = user.session.link(wire)
        reading = results.wire(link)
        label = label_of(reading, True, False, None if others is None else others.wire(link))
        found[f"{wire.source} > {wire.target}"] = "" if label.gradient is None else label.gradient.text
    return found


def test_without_stopgradient_labels_show_both_only_where_they_differ(user: Driver) -> None:
    before = labels(user)
    assert before["x.y > m.x"] == before["m.y > stop.x"] == "0 blocked"
    user.qtbot.mouseClick(user.child(QAbstractButton, "stop_switch"), LEFT)
    user.settle()
    assert user.session.runs.ignores_stops
    results = user.session.results
    assert results is not None
    assert results.compared is not None
    after = labels(user)
    for wire in user.page.wires.values():
        name, link = f"{wire.source} > {wire.target}", user.session.link(wire)
        one, other = results.wire(link), results.compared.wire(link)
        assert one is not None
        assert other is not None
        assert ("→" in after[name]) is differs(one, other)
        assert after[name] == before[name] or after[name].startswith(f"{before[name]} → ")
    # The four terms behind the maximum cancel: only the blocked wires change, from a rule to a number.
    assert {name for name in after if after[name] != before[name]} == {"x.y > m.x", "m.y > stop.x"}
    assert user.child(QAction, "ignore_stops").isChecked()
    user.qtbot.mouseClick(user.child(QAbstractButton, "stop_switch"), LEFT)
    user.settle()
    assert labels(user) == before


def test_a_saved_softmax_is_read_back_equal(user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "softmax.graph"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    user.ctrl(Key.Key_S)
    assert user.session.document.is_saved
    assert load(target).graph == user.graph
    built = user.graph
    user.open(target)
    assert user.graph is not built
    assert user.graph == built
