"""Panels follow a drag less often than it changes numbers, and show the last ones when it rests."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from gradwire.app.base import pace
from gradwire.app.base.pace import Pace

BEAT, MOVES, MOVE = 100, 40, 8


@pytest.fixture
def numbers(qapp: QObject, monkeypatch: pytest.MonkeyPatch) -> tuple[Pace, list[int], list[int]]:
    """A pace, the numbers that have come, and those that were the newest at each beat."""
    monkeypatch.setattr(pace, "BEAT", BEAT)
    made, come, shown = Pace(qapp), list[int](), list[int]()
    made.due.connect(lambda: shown.append(come[-1]))
    return made, come, shown


def test_a_drag_is_followed_from_its_first_number_to_its_last(
    numbers: tuple[Pace, list[int], list[int]], qtbot: QtBot
) -> None:
    made, come, shown = numbers
    for number in range(MOVES):
        come.append(number)
        made.soon()
        qtbot.wait(MOVE)
    assert shown[0] < MOVES / 2
    qtbot.waitUntil(lambda: shown[-1] == MOVES - 1)
    # However slowly the moves come: between any two beats lies the time of one.
    assert len(shown) < MOVES / 2


def test_what_the_user_waits_for_comes_without_delay(numbers: tuple[Pace, list[int], list[int]], qtbot: QtBot) -> None:
    made, come, shown = numbers
    come.append(1)
    made.now()
    come.append(2)
    made.soon()
    qtbot.wait(0)
    assert shown == [1]
    made.next()
    qtbot.wait(1)
    assert shown == [1, 2]


def test_changes_that_come_together_are_told_once(numbers: tuple[Pace, list[int], list[int]], qtbot: QtBot) -> None:
    made, come, shown = numbers
    for number in range(3):
        come.append(number)
        made.soon()
        made.next()
    qtbot.wait(1)
    assert shown == [2]
    qtbot.wait(2 * BEAT)
    assert shown == [2]


def test_the_first_change_waits_a_quarter_of_a_beat_and_later_ones_the_rest_of_theirs(
    numbers: tuple[Pace, list[int], list[int]], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(pace, "BEAT", 4000)
    made, come, shown = numbers
    (timer,) = made.findChildren(QTimer)
    come.append(1)
    made.flush()
    assert shown == []
    made.soon()
    assert (timer.interval(), timer.isActive()) == (1000, True)
    made.flush()
    assert shown == [1] and not timer.isActive()
    made.soon()
    assert 3000 < timer.interval() <= 4000
    first = timer.interval()
    qtbot.wait(3)
    made.soon()
    assert timer.interval() == first
    timer.stop()
    monkeypatch.setattr(pace, "BEAT", 2)
    qtbot.wait(5)
    made.soon()
    assert timer.interval() == 0
