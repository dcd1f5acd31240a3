"""The first start: a gradient that is NaN is seen, explained and mended; then the tour, and another example."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.help.first_steps import BEGUN, FirstStep
from gradwire.app.features.help.step_pill import StepPill
from gradwire.app.features.help.tour import STEPS
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.status import Status
from tests.app.window.driver import Driver, Key

BROKEN = "Pow.x"


@pytest.fixture
def newcomer(user: Driver) -> Driver:
    """A user at the first start of all."""
    user.window.start(None, is_first=True)
    user.settle()
    return user


def step(user: Driver) -> FirstStep | None:
    return user.window.parts.help.first_steps.step


def press(user: Driver, name: str) -> None:
    user.child(QPushButton, name).click()
    user.settle()


def said(user: Driver) -> str:
    """The sentence of the bubble, "" without one."""
    bubble = user.child(QWidget, "first_card")
    return user.child(QLabel, "first_sentence").text() if bubble.isVisible() else ""


def broken(user: Driver) -> set[str]:
    """The inputs of the page whose wires have a gradient that is not finite."""
    readings = {str(wire.target): user.session.wire(wire) for wire in user.page.wires.values()}
    return {target for target, found in readings.items() if found is not None and found.status is Status.NONFINITE}


def numbers_are_finite(user: Driver) -> bool:
    return user.session.results is not None and not broken(user)


def test_the_pill_of_steps_is_round_from_the_first_moment(qtbot: QtBot) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(700, 100)
    pill = StepPill(["See it", "Mend it"], Appearance("dark"), ground)
    pill.show_step(0)
    pill.fit(700)
    ground.show()
    image = ground.grab().toImage()
    corners = [image.pixelColor(x, y) for x in (0, pill.width() - 1) for y in (0, pill.height() - 1)]
    assert all(color == image.pixelColor(ground.width() - 1, ground.height() - 1) for color in corners)


def test_a_newcomer_sees_understands_and_mends_it_and_looks_around(newcomer: Driver) -> None:
    user = newcomer
    assert user.window.parts.document.title == "Welcome: one broken gradient"
    assert broken(user) == {BROKEN}
    assert (step(user), said(user)) == (FirstStep.SEE, "This gradient is NaN.")

    press(user, "first_why")
    assert (step(user), said(user)) == (FirstStep.UNDERSTAND, "")
    assert user.selection == Selection(wires=frozenset((user.wire(BROKEN),)))

    press(user, "why_fix_0")
    assert numbers_are_finite(user)
    assert (step(user), said(user)) == (FirstStep.MEND, "Mended: every gradient is finite.")
    gradient = user.session.wire(user.wire("Where_1.x"))
    assert gradient is not None and gradient.gradient is not None
    np.testing.assert_allclose(gradient.gradient.first, [0, 0.5, 0.25])
    # Nobody is asked to save a graph of the program's own.
    assert not user.window.has_changes

    press(user, "first_look")
    assert step(user) is FirstStep.LOOK
    assert user.window.parts.help.tour.number == 0
    for _ in STEPS:
        press(user, "tour_next")
    assert step(user) is None
    assert not user.child(QWidget, "step_pill").isVisible()

    press(user, "next_open")
    assert user.window.parts.document.title == "causes"


def test_one_undo_takes_back_the_fix_and_its_places(newcomer: Driver) -> None:
    before = newcomer.graph
    press(newcomer, "first_why")
    press(newcomer, "why_fix_0")
    added = next(block for block in newcomer.page.blocks.values() if block.id == "Where_1")
    # The new block stands where Pow was; what comes after it gives way to the right.
    old = before.page("main").blocks
    assert added.at == old["Pow"].at
    for name in ("Pow", "Where", "Loss"):
        place, now = old[name].at, newcomer.block(name).at
        assert place is not None and now is not None and now[0] > place[0]
    newcomer.trigger("undo")
    newcomer.settle()
    assert newcomer.graph is before
    assert step(newcomer) is FirstStep.UNDERSTAND


def strike(user: Driver, key: Key) -> None:
    """Presses a key where the keyboard is."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)
    user.settle()


def test_it_can_be_done_by_keys_alone(newcomer: Driver) -> None:
    assert newcomer.child(QPushButton, "first_why").hasFocus()
    strike(newcomer, Key.Key_Space)
    assert step(newcomer) is FirstStep.UNDERSTAND
    for _ in range(4):
        if newcomer.child(QPushButton, "why_fix_0").hasFocus():
            break
        strike(newcomer, Key.Key_Tab)
    strike(newcomer, Key.Key_Space)
    assert step(newcomer) is FirstStep.MEND
    assert newcomer.child(QPushButton, "first_look").hasFocus()


def test_not_now_returns_to_the_bubble(newcomer: Driver) -> None:
    press(newcomer, "first_why")
    press(newcomer, "why_later_0")
    assert (step(newcomer), said(newcomer)) == (FirstStep.UNDERSTAND, "This gradient is NaN.")


@pytest.mark.parametrize("presses", [(), ("first_why",)])
def test_skipping_what_is_broken_leaves_the_welcome_page(newcomer: Driver, presses: tuple[str, ...]) -> None:
    for name in presses:
        press(newcomer, name)
    press(newcomer, "step_skip")
    assert step(newcomer) is None
    assert newcomer.window.parts.layout.shows_welcome
    assert not said(newcomer)


def test_skipping_after_the_fix_keeps_the_mended_graph(newcomer: Driver) -> None:
    press(newcomer, "first_why")
    press(newcomer, "why_fix_0")
    press(newcomer, "step_skip")
    assert step(newcomer) is None
    assert not newcomer.window.parts.layout.shows_welcome
    assert numbers_are_finite(newcomer)


def test_another_document_ends_it(newcomer: Driver) -> None:
    newcomer.window.parts.documents.opening.open_example("softmax_stable")
    newcomer.settle()
    assert step(newcomer) is None
    assert not said(newcomer)
    assert not newcomer.child(QWidget, "step_pill").isVisible()


def test_a_screen_reader_hears_the_step(newcomer: Driver) -> None:
    assert newcomer.child(QWidget, "step_pill").accessibleName() == "Step 1 of 4: See it"


def test_the_tour_leaves_no_stop_switched_off(user: Driver) -> None:
    user.trigger("tour")
    user.session.runs.set_ignores_stops(True)
    user.window.parts.help.tour.stop()
    assert not user.session.runs.ignores_stops


def test_the_second_start_is_no_first_one(newcomer: Driver) -> None:
    assert newcomer.window.settings.flag(BEGUN)
