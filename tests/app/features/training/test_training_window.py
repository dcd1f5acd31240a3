"""Training in the whole window: the key, the button, the undo, and the question of a window that is closed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.engine.files.files import load, save
from tests.app.features.training.test_training_desk import headless, parabola
from tests.app.window.driver import Driver, Key, Mod


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(parabola(20))
    return user


def value(here: Driver) -> float:
    return float(np.asarray(here.session.graph.block("main/w").parameters["value"]))


def rest(here: Driver, rounds: int) -> None:
    training = here.session.part(TrainingDesk)
    here.qtbot.waitUntil(lambda: training.reached.round == rounds and not training.is_running, timeout=20_000)
    here.settle()


def test_f9_trains_as_the_plan_says_and_shows_the_numbers(here: Driver) -> None:
    start = here.session.graph
    QTest.keyClick(here.canvas, Key.Key_F9)
    rest(here, 20)
    assert value(here) == headless(start, 20)
    assert here.window.parts.panels.bottom.shown == "training"
    assert here.session.document.undo_text == "Train"


def test_the_menu_keeps_the_state_in_the_file_and_the_next_window_goes_on(user: Driver, tmp_path: Path) -> None:
    save(parabola(20), tmp_path / "a.graph")
    user.open(tmp_path / "a.graph")
    assert not user.window.parts.actions_by_id["save_training"].isEnabled()
    user.trigger("train_ten")
    rest(user, 10)
    user.trigger("save_training")
    assert load(tmp_path / "a.graph").graph.training["state"]["step"] == 10
    user.window.parts.panels.show_lens("problems")
    user.open(tmp_path / "a.graph")
    user.trigger("train")
    rest(user, 20)
    assert user.window.parts.panels.bottom.shown == "training"
    user.trigger("save")
    assert load(tmp_path / "a.graph").graph.training["state"]["step"] == 20
    user.trigger("train_reset")
    user.trigger("save")
    assert load(tmp_path / "a.graph").graph.training.keys() == parabola(20).training.keys()


def test_shift_f9_trains_one_round(here: Driver) -> None:
    QTest.keyClick(here.canvas, Key.Key_F9, Mod.ShiftModifier)
    rest(here, 1)
    assert value(here) == pytest.approx(1.4)


def test_f9_trains_and_pauses(live_user: Driver) -> None:
    user = live_user
    user.show(parabola(10**9))
    user.session.part(TrainingDesk).set_limit(50.0)
    QTest.keyClick(user.canvas, Key.Key_F9)
    user.qtbot.waitUntil(lambda: user.session.part(TrainingDesk).is_running, timeout=20_000)
    user.qtbot.waitUntil(lambda: user.child(QLabel, "status_state_text").text().startswith("Training"))
    QTest.keyClick(user.canvas, Key.Key_F9)
    user.qtbot.waitUntil(lambda: not user.session.part(TrainingDesk).is_running, timeout=20_000)
