"""The switch of all StopGradients, shape by shape. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.stops.stop_switch import StopSwitch
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import drawn


@pytest.fixture
def switch(qtbot: QtBot) -> StopSwitch:
    parent = QWidget()
    qtbot.addWidget(parent)
    return StopSwitch(Appearance("dark"), parent)


def shapes(switch: StopSwitch) -> list[str]:
    return drawn(switch, *switch.sizeHint().toTuple())


def test_a_switch_has_its_glyph_its_name_and_its_track(switch: StopSwitch) -> None:
    switch.setChecked(True)
    assert (switch.sizeHint().toTuple(), switch.name_width) == ((153, 28), 87)
    assert shapes(switch) == [
        "rect 0.75 0.75 151.5 26.5 round 6 1px border.default on bg.app",
        "icon 10 7 14 14 text.primary stopgrad",
        "text 30 0 123 28 left 12px text.primary “StopGradient”",
        "rect 117.5 7 25 14 round 7.5 1px accent on accent",
        "ellipse 130 8.5 11 11 on text.on-accent",
    ]


def test_it_alarms_while_stops_are_ignored_but_not_where_there_are_none(switch: StopSwitch) -> None:
    assert shapes(switch)[:3] == [
        "rect 0.75 0.75 151.5 26.5 round 6 1.5px warn on warn.bg",
        "icon 10 7 14 14 warn stopgrad",
        "text 30 0 123 28 left 12px text.primary “StopGradient”",
    ]
    switch.setEnabled(False)
    assert shapes(switch)[:3] == [
        "rect 0.75 0.75 151.5 26.5 round 6 1px border.default on bg.app",
        "icon 10 7 14 14 text.disabled stopgrad",
        "text 30 0 123 28 left 12px text.disabled “StopGradient”",
    ]


def test_a_brief_switch_has_no_name(switch: StopSwitch) -> None:
    switch.set_brief(True)
    assert switch.sizeHint().toTuple() == (66, 28)
    assert shapes(switch) == [
        "rect 0.75 0.75 64.5 26.5 round 6 1.5px warn on warn.bg",
        "icon 10 7 14 14 warn stopgrad",
        "rect 30.5 7 25 14 round 7.5 1px border.strong on bg.sunken",
        "ellipse 32 8.5 11 11 on border.strong",
    ]
    switch.set_brief(False)
    assert switch.sizeHint().width() == 153


def test_the_keyboard_has_a_ring(switch: StopSwitch, monkeypatch: pytest.MonkeyPatch) -> None:
    switch.setChecked(True)
    monkeypatch.setattr(StopSwitch, "hasFocus", lambda _: True)
    assert shapes(switch)[0] == "rect 0.75 0.75 151.5 26.5 round 6 1.5px focus on bg.app"
