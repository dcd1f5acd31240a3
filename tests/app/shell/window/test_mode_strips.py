"""The modes of a window and their strips at its foot. Units: px."""

from __future__ import annotations

import pytest

from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.shell.status.sentences import Wish
from gradwire.app.shell.window.modes import Mode, Modes
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, decay


@pytest.fixture
def modes(user: Driver) -> Modes:
    user.show(decay(3))
    return user.window.parts.modes


@pytest.mark.parametrize(
    ("mode", "lens"), [(Mode.BUILD, ""), (Mode.STEP, "steps"), (Mode.TRAIN, "training"), (Mode.COMPARE, "compare")]
)
def test_each_mode_has_its_lens_and_the_same_again_leads_back(
    user: Driver, modes: Modes, mode: Mode, lens: str
) -> None:
    bottom, steps = user.window.parts.panels.bottom, user.session.part(StepMode)
    modes.choose(mode)
    assert (modes.current, bottom.mode, bottom.panel, steps.is_on) == (mode, lens, "", mode is Mode.STEP)
    modes.choose(mode)
    assert (modes.current, bottom.mode, steps.is_on) == (Mode.BUILD, "", False)


def test_without_a_variable_there_is_nothing_to_train(user: Driver, modes: Modes) -> None:
    modes.choose(Mode.TRAIN)
    user.show(chain())
    modes.choose(Mode.TRAIN)
    assert modes.current is Mode.BUILD and user.session.part(Wish).mode == Mode.TRAIN
    modes.choose(Mode.STEP)
    assert modes.current is Mode.STEP and user.session.part(Wish).mode == ""


def test_the_mode_follows_the_steps_and_a_panel_over_it_stays(user: Driver, modes: Modes) -> None:
    bottom, steps = user.window.parts.panels.bottom, user.session.part(StepMode)
    modes.choose(Mode.TRAIN)
    modes.follow_steps(False)
    assert modes.current is Mode.TRAIN
    modes.follow_steps(True)
    assert modes.current is Mode.STEP and steps.is_on
    bottom.open("console")
    modes.follow_steps(True)
    assert (modes.current, bottom.panel) == (Mode.STEP, "console")
    modes.follow_steps(False)
    assert (modes.current, bottom.panel, steps.is_on) == (Mode.BUILD, "console", False)


def test_a_strip_is_84_px_high_and_its_grip_raises_the_panel(user: Driver, modes: Modes) -> None:
    bottom = user.window.parts.panels.bottom
    modes.choose(Mode.TRAIN)
    user.settle()
    grip, head = bottom._grip, bottom._head
    assert bottom.height() == 84 and not grip.isHidden() and head.isHidden()
    assert grip.x() == (bottom.width() - 60) // 2 and grip.y() == 0
    grip.click()
    assert bottom.height() > 84 + 40 - 1 and bottom.content is not None and bottom.content.isVisible()
    grip.pulled.emit(False)
    assert bottom.height() == 84 and not bottom.content.isVisible()
    bottom.open("console")
    assert grip.isHidden() and not head.isHidden() and head.height() == 32
    bottom.close_panel()
    modes.choose(Mode.BUILD)
    assert bottom.isHidden()
