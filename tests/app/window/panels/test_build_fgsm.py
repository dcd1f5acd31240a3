"""An adversarial step built by mouse and keys with a Gradients block, from an empty canvas."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.window.driver import Driver, Key
from tests.app.window.panels.test_build_softmax import name_block, type_value

# golden/gallery.json, adv_sign_stop.
LOSS, WEIGHTS = 0.8543552444685271, [-0.2297770067246636, -0.20105488088408066]


def add(user: Driver, search: str, name: str, column: int, row: int) -> None:
    corner = user.canvas.camera.to_scene(QPointF(90, 30))
    name_block(user, user.add(search, corner + QPointF(230 * column, 150 * row)), name)


def logistic_loss(user: Driver, suffix: str, x: str, row: int) -> str:
    """Builds softplus(-w . x) and returns the name of its output."""
    for column, kind in enumerate(("Multiply", "ReduceSum", "Negative", "Softplus"), start=1):
        add(user, kind, f"{kind.lower()}{suffix}", column, row)
    user.hand.connect(user.points.output("w.y"), user.points.port(f"multiply{suffix}.x"))
    user.hand.connect(user.points.output(x), user.points.port(f"multiply{suffix}.y"))
    user.hand.connect(user.points.output(f"multiply{suffix}.z"), user.points.port(f"reducesum{suffix}.x"))
    user.hand.connect(user.points.output(f"reducesum{suffix}.y"), user.points.port(f"negative{suffix}.x"))
    user.hand.connect(user.points.output(f"negative{suffix}.y"), user.points.port(f"softplus{suffix}.x"))
    return f"softplus{suffix}.y"


def build(user: Driver) -> None:
    user.trigger("new")
    user.canvas.viewport.zoom_to(0.5)
    user.settle()
    add(user, "Variable", "w", 0, 0)
    add(user, "Input", "x", 0, 1)
    type_value(user, "w", "1, -2")
    type_value(user, "x", "0.5, 0.25")
    clean = logistic_loss(user, "", "x.y", 0)
    add(user, "tf.gradients", "g", 1, 2)
    user.hand.connect(user.points.output(clean), user.points.port("g.y"))
    user.hand.connect(user.points.output("x.y"), user.points.port("g.xs_0"))
    for column, (kind, name) in enumerate([("Sign", "sign"), ("Multiply", "step"), ("Add", "moved")], start=2):
        add(user, kind, name, column, 2)
    add(user, "0.1", "eps", 2, 3)
    add(user, "StopGradient", "stop", 0, 4)
    user.hand.connect(user.points.output("g.g_0"), user.points.port("sign.x"))
    user.hand.connect(user.points.output("sign.y"), user.points.port("step.x"))
    user.hand.connect(user.points.output("eps.y"), user.points.port("step.y"))
    user.hand.connect(user.points.output("step.z"), user.points.port("moved.x"))
    user.hand.connect(user.points.output("x.y"), user.points.port("moved.y"))
    user.hand.connect(user.points.output("moved.z"), user.points.port("stop.x"))
    attacked = logistic_loss(user, "2", "stop.y", 4)
    add(user, "Loss", "loss", 4, 3)
    user.hand.connect(user.points.output(attacked), user.points.port("loss.x"))


@pytest.fixture(scope="module")
def builder(one_window: MainWindow, request: pytest.FixtureRequest) -> Driver:
    """A user in front of the window in which all tests of this file build."""
    return Driver(one_window, QtBot(request))


@pytest.mark.long
def test_an_adversarial_step_built_by_hand_has_the_recorded_loss_and_gradient(builder: Driver) -> None:
    user = builder
    build(user)
    assert user.session.results is not None and user.session.results.loss is not None
    assert float(user.session.results.loss.value) == pytest.approx(LOSS, rel=1e-12)
    reading = user.session.port(Port("w", "y"))
    assert reading is not None and reading.gradient is not None
    np.testing.assert_allclose(reading.gradient.first, WEIGHTS, rtol=1e-12)


def square_of_product(user: Driver) -> None:
    """Builds c = a b and g = Gradients of c by a, with a = 3, b = 5."""
    user.trigger("new")
    user.canvas.viewport.zoom_to(0.6)
    user.settle()
    for row, (name, value) in enumerate({"a": "3", "b": "5"}.items()):
        add(user, "Input", name, 0, row)
        type_value(user, name, value)
    add(user, "Multiply", "c", 1, 0)
    add(user, "Gradients", "g", 2, 0)
    for source, target in (("a.y", "c.x"), ("b.y", "c.y"), ("a.y", "g.xs_0")):
        user.hand.connect(user.points.output(source), user.points.port(target))
    user.hand.connect(user.points.output("c.z"), user.points.port("g.y"))


@pytest.fixture(scope="module")
def product(builder: Driver) -> Graph:
    """The square of a product, built by hand in the window."""
    # The window must not ask about unsaved changes.
    builder.session.document.mark_saved()
    square_of_product(builder)
    return builder.graph


@pytest.fixture
def user(builder: Driver, product: Graph) -> Driver:
    """A user who has built the square of a product, and taken everything back that came after it."""
    builder.session.select(Selection())
    while builder.graph is not product:
        builder.session.undo()
    builder.settle()
    return builder


def number(user: Driver, block: str, port: str) -> float:
    reading = user.session.port(Port(block, port))
    assert reading is not None and reading.value is not None
    return float(reading.value.first[0])


@pytest.mark.long
def test_a_wired_input_makes_room_for_the_next_and_gives_one_more_gradient(user: Driver) -> None:
    assert number(user, "g", "g_0") == 5
    user.hand.connect(user.points.output("b.y"), user.points.port("g.xs_1"))
    assert (number(user, "g", "g_0"), number(user, "g", "g_1")) == (5, 3)
    user.hand.connect(user.points.output("g.g_1"), user.points.port("c.y"))
    assert "g.g_1 > c.y" not in user.wires()
    user.session.apply("Cut", edits.disconnect, "main", Port("g", "xs_0"))
    user.settle()
    assert "b.y > g.xs_0" in user.wires() and number(user, "g", "g_0") == 3


@pytest.mark.long
def test_stop_gradients_are_typed_in_the_inspector_and_a_port_that_is_not_there_is_a_problem(user: Driver) -> None:
    add(user, "Multiply", "d", 1, 2)
    for source, target in (("c.z", "d.x"), ("a.y", "d.y"), ("d.z", "g.y")):
        user.hand.connect(user.points.output(source), user.points.port(target))
    assert number(user, "g", "g_0") == 30
    user.hand.click(user.points.title("g"))
    field = user.child(QLineEdit, "parameter_stop_gradients")
    for text, found in (("c.z", 15.0), ("", 30.0)):
        field.selectAll()
        QTest.keyClicks(field, text) if text else QTest.keyClick(field, Key.Key_Delete)
        QTest.keyClick(field, Key.Key_Return)
        user.settle()
        assert number(user, "g", "g_0") == found
        field = user.child(QLineEdit, "parameter_stop_gradients")
    QTest.keyClicks(field, "nobody.y")
    QTest.keyClick(field, Key.Key_Return)
    user.settle()
    assert any("nobody.y" in problem.message for problem in user.session.problems)


@pytest.mark.long
def test_a_gradient_penalty_reaches_what_the_derivative_reads_without_a_wire(user: Driver) -> None:
    """Expects the gradient 2 b by b of the loss (d(a b)/da)^2 = b^2, though no wire leads there."""
    add(user, "Square", "penalty", 3, 1)
    user.hand.connect(user.points.output("g.g_0"), user.points.port("penalty.x"))
    add(user, "Loss", "loss", 4, 1)
    user.hand.connect(user.points.output("penalty.y"), user.points.port("loss.x"))
    reading = user.session.port(Port("b", "y"))
    assert reading is not None and reading.gradient is not None and reading.gradient.first == (10.0,)


@pytest.mark.long
def test_the_help_of_gradients_says_what_it_gives_and_what_its_stops_are(user: Driver) -> None:
    user.hand.click(user.points.title("g"))
    user.trigger("help")
    shown = " ".join(label.text() for label in user.window.parts.help.blocks.findChildren(QLabel) if label.isVisible())
    assert "The derivative of the sum of y by each of the tensors" in shown and "stop_gradients" in shown
