"""The reason of a zero gradient, shown after at most two actions, with a link to its cause."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QScrollArea, QWidget

from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.kit.inspection import View
from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Graph
from tests.app.kit.parts import unfold
from tests.app.kit.why.test_why import running_product
from tests.app.kit.why.test_why_zero import SENTENCES
from tests.app.window.driver import LEFT, RIGHT, Driver, Key
from tests.engine.cause_graphs import NAMED, OTHER_STATUSES, sigmoids, x, xor
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")

ZERO_NETWORK = xor(np.zeros((2, 2)), np.zeros((2, 1)))


def show(user: Driver, graph: Graph) -> None:
    """Shows a graph whose blocks are spread out, all of it in view."""
    user.window.parts.document.show(with_places(graph))
    user.trigger("fit")


def first_wire(user: Driver) -> str:
    """Returns the port where the first wire of the output `x.y` ends."""
    return next(str(wire.target) for wire in user.page.wires.values() if str(wire.source) == "x.y")


def ask(user: Driver, target: str) -> None:
    """Asks with two actions: a right click on a wire, a click on the first entry."""
    user.hand.click(user.points.on_wire(user.wire(target)), RIGHT)
    menu = user.popups.menu()
    (entry,) = [item for item in menu.actions() if item.objectName() == "why"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry).center())
    user.settle()


def is_in_view(user: Driver, widget: QWidget) -> bool:
    """Returns whether the top line of a widget in the inspector is visible."""
    port = user.child(QScrollArea, "inspector_scroll").viewport()
    seen = QRect(widget.mapTo(port, QPoint()), widget.size()).intersected(port.rect())
    return widget.isVisible() and seen.height() >= min(widget.height(), 16)


def sentence(user: Driver, place: int = 0) -> str:
    label = user.child(QLabel, f"why_sentence_{place}")
    assert is_in_view(user, label)
    return label.text()


def way(user: Driver, place: int = 0) -> QListWidget:
    return user.child(QListWidget, f"why_way_{place}")


@pytest.mark.parametrize(
    "name",
    a_third_of(
        [
            "cancelled, over a broadcast",
            "not_selected, smaller than the maximum",
            "flat, before the sign",
            "saturated, a hyperbolic tangent",
            "zero_factor, the other operand",
            "underflow, a product of small factors",
            "at_optimum, behind a network",
        ]
    ),
)
def test_two_actions_bring_the_cause_to_the_screen(user: Driver, name: str) -> None:
    show(user, NAMED[name][0])
    ask(user, first_wire(user))
    assert sentence(user).endswith(SENTENCES[name])


@pytest.mark.parametrize(
    ("name", "said"),
    a_third_of(
        [
            ("blocked", "Its rule is 0"),
            ("non_differentiable", "which has no derivative"),
            ("no_path", "There is no loss"),
        ]
    ),
)
def test_two_actions_bring_what_structure_decides_to_the_screen(user: Driver, name: str, said: str) -> None:
    show(user, OTHER_STATUSES[name])
    ask(user, first_wire(user))
    assert said in sentence(user)


def test_the_question_is_put_as_the_gradient_is(user: Driver) -> None:
    show(user, x([0.0, 1.0]).then("e", "Exp").then("s", "Sign").loss())
    action = user.window.parts.actions_by_id["why"]
    for target, text in (("e.x", "Why is this gradient zero?"), ("loss.x", "Why this gradient?")):
        user.session.select(Selection(wires=frozenset([user.wire(target)])))
        user.settle()
        assert action.text() == text


def test_a_key_asks_of_the_selected_block_and_moves_the_keyboard_there(user: Driver) -> None:
    show(user, ZERO_NETWORK)
    user.session.select(Selection(frozenset(["w1"])))
    user.settle()
    user.key(Key.Key_W)
    assert sentence(user) == '0 because MatMul "m2" multiplies by w2, which is 0 everywhere.'
    assert user.window.focusWidget() is user.child(QWidget, "inspector_why")
    assert user.child(QWidget, "inspector_why").accessibleDescription().startswith("∂L/∂y: 0. 0 because MatMul")


def test_a_rule_that_is_not_the_derivative_is_said_without_a_question(user: Driver) -> None:
    show(user, running_product())
    user.session.select(Selection(wires=frozenset([user.wire("f.x")])))
    user.settle()
    assert "the derivative is 34. PyTorch and JAX give the derivative." in user.child(QLabel, "why_sentence_0").text()


def test_without_a_wire_or_block_there_is_nothing_to_ask(user: Driver) -> None:
    show(user, ZERO_NETWORK)
    user.session.select(Selection())
    user.settle()
    assert not user.window.parts.actions_by_id["why"].isEnabled()


def test_a_click_on_the_way_goes_to_the_block(user: Driver) -> None:
    show(user, ZERO_NETWORK)
    user.session.select(Selection(frozenset(["w1"])))
    user.settle()
    user.key(Key.Key_W)
    found = way(user)
    assert [found.item(row).text() for row in range(found.count())][::3] == [
        '1  MatMul "m1" receives 0', '4  MatMul "m2" multiplies the gradient by 0',
    ]  # fmt: skip
    QTest.mouseClick(found.viewport(), LEFT, pos=found.visualItemRect(found.item(3)).center())
    user.settle()
    assert user.selection == Selection(frozenset(["m2"]))
    middle = user.points.view(user.points.body("m2"))
    assert abs(middle.x() - user.canvas.width() / 2) < user.canvas.width() / 4


def test_the_way_can_be_gone_by_keyboard(user: Driver) -> None:
    show(user, ZERO_NETWORK)
    user.session.select(Selection(frozenset(["w1"])))
    user.settle()
    user.key(Key.Key_W)
    QTest.keyClick(user.child(QWidget, "inspector_why"), Key.Key_Tab)
    assert user.window.focusWidget() is way(user)
    QTest.keyClick(way(user), Key.Key_Down)
    QTest.keyClick(way(user), Key.Key_Return)
    user.settle()
    assert user.selection == Selection(frozenset(["a1"]))


@pytest.mark.parametrize(
    ("graph", "target", "text"),
    a_third_of(
        [
            (OTHER_STATUSES["blocked"], "s.x", 'Mute StopGradient "s"'),
            (OTHER_STATUSES["non_differentiable"], "f.x", "Pass the gradient straight through"),
            (NAMED["flat, the sign"][0], "s.x", "Pass the gradient straight through"),
            (ZERO_NETWORK, "m2.a", "Fill w2 with small random numbers"),
            (sigmoids(80, "float32"), "s0.x", "Use float64"),
        ]
    ),
)
def test_a_fix_is_one_edit_that_lets_the_gradient_flow(user: Driver, graph: Graph, target: str, text: str) -> None:
    show(user, graph)
    before = user.graph
    source = user.wire(target).source
    user.session.select(Selection(wires=frozenset([user.wire(target)])))
    user.settle()
    user.key(Key.Key_W)
    button = user.child(QPushButton, "why_fix_0")
    assert button.accessibleName() == text
    QTest.mouseClick(button, LEFT)
    user.settle()
    reading = user.session.port(source)
    assert reading is not None
    assert reading.status == "flow"
    assert user.undo_text() == text
    user.undo()
    assert user.graph == before


def test_an_answer_from_the_evaluators_process_arrives(live_user: Driver) -> None:
    live_user.window.parts.document.show(ZERO_NETWORK)
    live_user.session.select(Selection(frozenset(["b1"])))
    label = live_user.child(QLabel, "why_sentence_0")
    expected = '0 because MatMul "m2" multiplies by w2, which is 0 everywhere.'
    live_user.qtbot.waitUntil(lambda: label.text() == expected, timeout=10_000)


def test_a_long_way_scrolls_in_its_own_list(user: Driver) -> None:
    show(user, sigmoids(80, "float32"))
    user.session.select(Selection(frozenset(["x"])))
    user.settle()
    user.key(Key.Key_W)
    assert way(user).count() == 11
    assert way(user).height() < 11 * 24
    assert is_in_view(user, user.child(QPushButton, "why_fix_0"))


def test_the_section_unfolds_with_the_inspector(user: Driver) -> None:
    show(user, ZERO_NETWORK)
    user.window.parts.panels.overlay.close_by_user()
    user.session.select(Selection(frozenset(["w1"])))
    user.settle()
    user.key(Key.Key_W)
    assert sentence(user).startswith("0 because")


@pytest.mark.parametrize("port", ["x.y", "m.x"])
def test_a_port_can_be_asked_too(user: Driver, port: str) -> None:
    show(user, NAMED["zero_factor, the other operand"][0])
    user.hand.click(user.points.port(port), RIGHT)
    menu = user.popups.menu()
    (entry,) = [item for item in menu.actions() if item.objectName() == "why"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry).center())
    user.settle()
    texts = [label.text() for label in user.window.parts.panels.inspector.findChildren(QLabel) if label.isVisible()]
    assert any(text.endswith('Multiply "m" multiplies by w, which is 0 at element 0.') for text in texts)


def test_nothing_in_the_card_is_wider_than_it(user: Driver) -> None:
    show(user, OTHER_STATUSES["blocked"])
    card = user.child(QWidget, "inspector_overlay")
    for chosen in (Selection(frozenset(["s"])), Selection(wires=frozenset([user.wire("s.x")]))):
        user.session.select(chosen)
        user.settle()
        unfold(card)
        user.settle()
        view = user.window.parts.panels.inspector.findChild(QWidget, "inspector_title")
        while view is not None and not isinstance(view, View):
            view = view.parentWidget()
        assert view is not None and view.minimumSizeHint().width() <= card.width() - 2
