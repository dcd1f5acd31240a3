"""The button that stops a long run: when it is there, and how often it looks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.stops.stop_button import StopButton
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session


@pytest.fixture
def button(qtbot: QtBot) -> Iterator[StopButton]:
    session, parent = Session(gw.graph(gw.Loss(gw.Input(np.array(1.0)))), InlineEvaluator), QWidget()
    qtbot.addWidget(parent)
    yield StopButton(CurrentSession(session), parent)
    session.close()


@pytest.mark.parametrize(("seconds", "is_there"), [(0.0, False), (2.99, False), (3.0, True), (60.0, True)])
def test_it_is_there_from_three_seconds_on(
    button: StopButton, seconds: float, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[bool] = []
    button.looked.connect(lambda: looked.append(True))
    monkeypatch.setattr(type(button.session.scheduler), "seconds", seconds)
    for change in (lambda: button._take_busy(True), button._look):
        button.setVisible(not is_there)
        change()
        assert button.isHidden() is not is_there
    assert looked == [True]


def test_it_looks_every_half_second_while_a_run_lasts(button: StopButton) -> None:
    for is_busy in (True, False, True):
        button._take_busy(is_busy)
        assert (button._clock.isActive(), button._clock.interval()) == (is_busy, 500)
    button._begin_document()
    assert not button._clock.isActive()


def test_it_stops_the_run_of_its_document(button: StopButton, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[Session] = []
    monkeypatch.setattr(Session, "stop", lambda session: stopped.append(session))
    button.click()
    assert stopped == [button.session]
    assert (button.height(), button.font().pixelSize(), button.text()) == (20, 11, "Stop")
