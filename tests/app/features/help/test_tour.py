"""Six cards on the stable softmax: each advances when the user does its task."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMessageBox, QWidget

from gradwire.app.features.help.tour import STEPS
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain

pytestmark = pytest.mark.long


@pytest.fixture
def touring(user: Driver) -> Driver:
    user.trigger("tour")
    return user


def card(user: Driver) -> QWidget:
    return user.child(QWidget, "tour_card")


def sentence(user: Driver) -> str:
    return user.child(QLabel, "tour_sentence").text()


def press(user: Driver, name: str) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, name), LEFT)
    user.settle()


def drag_slider(user: Driver) -> None:
    user.hand.drag(user.points.knob("x", 0, 0.3), user.points.knob("x", 0, 0.8))


def click_wire(user: Driver, target: str) -> None:
    user.hand.click(user.points.on_wire(user.wire(target)))


DEEDS: tuple[tuple[str, Callable[[Driver], object]], ...] = (
    ("slider", drag_slider),
    ("Blue is the value", lambda user: click_wire(user, "z.x")),
    ("Amber is the gradient", lambda user: user.key(Key.Key_G)),
    ("dashed", lambda user: click_wire(user, "stop.x")),
    ("Turn StopGradient off", lambda user: press(user, "stop_switch")),
    ("press Tab", lambda user: user.key(Key.Key_Tab)),
)


def test_it_opens_the_stable_softmax_and_has_six_cards(touring: Driver) -> None:
    assert touring.window.parts.document.title == "softmax_stable"
    assert len(STEPS) == len(DEEDS) == 6
    assert user_sees(touring, "1 of 6")


def user_sees(user: Driver, place: str) -> bool:
    return card(user).isVisible() and user.child(QLabel, "tour_place").text() == place


def test_doing_what_a_card_says_shows_the_next_one(touring: Driver) -> None:
    for number, (word, deed) in enumerate(DEEDS):
        assert user_sees(touring, f"{number + 1} of 6")
        assert word in sentence(touring)
        assert sentence(touring).count(".") == 1
        deed(touring)
        touring.settle()
    assert touring.window.parts.help.tour.number is None
    assert not card(touring).isVisible()
    touring.window.parts.editor.placer.popup.close()


def test_it_waits_while_the_hand_is_on_the_mouse(touring: Driver) -> None:
    at = touring.points.knob("x", 0, 0.3)
    touring.hand.enter(at)
    touring.hand.press(at)
    touring.hand.move(touring.points.knob("x", 0, 0.9))
    touring.settle()
    assert touring.window.parts.help.tour.number == 0
    touring.hand.release(touring.points.knob("x", 0, 0.9))
    assert touring.window.parts.help.tour.number == 1


def test_next_and_back(touring: Driver) -> None:
    press(touring, "tour_next")
    press(touring, "tour_next")
    assert user_sees(touring, "3 of 6")
    press(touring, "tour_back")
    assert user_sees(touring, "2 of 6")
    for _ in range(5):
        press(touring, "tour_next")
    assert not card(touring).isVisible()


@pytest.mark.parametrize("end", [lambda user: press(user, "tour_skip"), lambda user: user.key(Key.Key_Escape)])
def test_skip_and_escape_end_it(touring: Driver, end: Callable[[Driver], object]) -> None:
    graph = touring.graph
    end(touring)
    assert not card(touring).isVisible()
    assert not touring.child(QWidget, "tour_ring").isVisible()
    assert touring.graph is graph
    touring.hand.click(touring.points.title("e"))
    touring.key(Key.Key_Escape)
    assert not touring.selection


def test_escape_during_a_drag_cancels_only_the_drag(touring: Driver) -> None:
    graph, at = touring.graph, touring.points.knob("x", 0, 0.3)
    touring.hand.enter(at)
    touring.hand.press(at)
    touring.hand.move(touring.points.knob("x", 0, 0.9))
    touring.key(Key.Key_Escape)
    touring.hand.release(at)
    assert touring.graph.pages == graph.pages
    assert touring.window.parts.help.tour.number == 0


def test_the_card_stands_beside_its_target_and_inside_the_window_at_every_size(touring: Driver) -> None:
    for width, height in ((1600, 1000), (1024, 640), (1300, 700)):
        touring.window.resize(width, height)
        touring.settle()
        touring.canvas.viewport.fit_page()
        touring.settle()
        box, ring = card(touring).geometry(), touring.child(QWidget, "tour_ring").geometry()
        assert touring.window.rect().contains(box)
        shown = touring.canvas.camera.rect_to_view(touring.canvas.mirror.rect("x")).toAlignedRect()
        target = shown.translated(touring.canvas.mapTo(touring.window, QPoint()))
        assert ring.contains(target & QRect(QPoint(), touring.window.size()))
        assert not box.intersects(target)


def test_in_a_small_window_what_a_card_asks_can_be_done(user: Driver) -> None:
    user.window.resize(1024, 640)
    user.trigger("tour")
    for word, deed in DEEDS:
        assert word in sentence(user)
        deed(user)
        user.settle()
    assert user.window.parts.help.tour.number is None
    user.window.parts.editor.placer.popup.close()


def test_the_card_follows_the_page(touring: Driver) -> None:
    before = card(touring).pos()
    touring.canvas.viewport.pan(120, 0)
    touring.settle()
    assert card(touring).pos() - before == QPoint(120, 0)


def test_without_its_block_the_card_stands_in_the_middle(touring: Driver) -> None:
    touring.hand.click(touring.points.title("x"))
    press(touring, "tour_next")
    press(touring, "tour_back")
    touring.key(Key.Key_Delete)
    assert touring.window.rect().contains(card(touring).geometry())


def test_another_document_ends_it(touring: Driver) -> None:
    touring.session.document.mark_saved()
    touring.show(chain())
    assert touring.window.parts.help.tour.number is None
    assert not card(touring).isVisible()


def test_unsaved_changes_that_stay_keep_it_from_starting(user: Driver) -> None:
    user.show(chain())
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_M)
    graph = user.graph
    user.popups.answer("unsaved_dialog", QMessageBox.StandardButton.Cancel, lambda: user.trigger("tour"))
    assert user.graph is graph
    assert user.window.parts.help.tour.number is None


def test_no_start_offers_it(user: Driver) -> None:
    """The welcome page has its lessons, and stays as it is."""
    user.window.start()
    assert not card(user).isVisible()


def test_the_key_of_the_keyboard_map_works_on_the_welcome_page(user: Driver) -> None:
    user.window.activateWindow()
    user.settle()
    user.child(QAbstractButton, "learn_spirals").setFocus()
    QTest.keyClick(user.child(QAbstractButton, "learn_spirals"), Key.Key_Question)
    user.settle()
    assert user.child(QWidget, "keyboard_map").isVisible()
