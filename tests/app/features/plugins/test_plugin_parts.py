"""The dialog of plug-ins with plug-ins made by hand: their states, their order, and what a switch does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.plugins import plugins_dialog as module
from gradwire.app.features.plugins.plugins_dialog import PluginsDialog, _Part, state_text
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.errors import UsageError
from gradwire.engine.blocktypes.library import Plugin
from tests.app.arranged import arranged

GOOD = Plugin("good", is_enabled=True)._replace(types=("One", "Two"))
BAD = Plugin("bad")._replace(fault="it fails")
IDLE = Plugin("idle")


class Desk(QObject):
    """A desk that notes what it is asked for, and refuses to disable some."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.tried: set[str] = set()
        self.refused: set[str] = set()

    def is_tried(self, name: str) -> bool:
        return name in self.tried

    def enable(self, name: str) -> None:
        self.asked.append(f"enable {name}")

    def disable(self, name: str) -> None:
        if name in self.refused:
            raise UsageError("The list cannot be written.")
        self.asked.append(f"disable {name}")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def dialog(parent: QWidget, monkeypatch: pytest.MonkeyPatch, *plugins: Plugin) -> tuple[PluginsDialog, Desk]:
    desk = Desk()
    monkeypatch.setattr(module, "installed_plugins", lambda _: list(plugins))
    return PluginsDialog(desk, Appearance("dark"), parent), desk  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plugin", "text"),
    [(GOOD, "Loaded; it adds One, Two."), (BAD, "Disabled: it fails."), (IDLE, "Not loaded."),
     (GOOD._replace(fault="it fails"), "Disabled: it fails.")],
)  # fmt: skip
def test_a_plug_in_has_a_state_in_words(plugin: Plugin, text: str) -> None:
    assert state_text(plugin) == text


@pytest.mark.parametrize(
    ("plugin", "is_tried", "look", "is_on"),
    [
        (GOOD, False, "", True),
        (BAD, False, "error", False),
        (IDLE, False, "quiet", False),
        (GOOD, True, "quiet", True),
        (BAD, True, "quiet", True),
    ],
)
def test_a_state_has_its_look(parent: QWidget, plugin: Plugin, is_tried: bool, look: str, is_on: bool) -> None:
    part = _Part(plugin, Appearance("dark"), parent)
    for _ in range(2):
        part.show_state(plugin, is_tried)
        text = "Being tried …" if is_tried else state_text(plugin)
        assert (part._state.text(), part._state.property("look"), part.switch.isChecked()) == (text, look, is_on)


def test_plug_ins_that_failed_come_first(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, _ = dialog(parent, monkeypatch, GOOD, BAD, IDLE)
    assert list(shown._parts) == ["bad", "good", "idle"] and shown.findChild(QLabel, "plugins_none") is None
    assert shown.size().toTuple() == (560, 420) and shown._message.isHidden()
    found = arranged(shown)
    rows = "plugins_warning QScrollArea:1 plugins_message ([0 · 12] 0:1 plugins_close)"
    assert found["plugins_dialog"] == f"[20 18 20 16 · 12] {rows}"
    assert found["plugin_good"] == (
        "[0 12 0 14 · 16] ([0 · 3] plugin_name plugin_origin plugin_place 3 plugin_state):1 enable_good^top"
    )
    lists = [text for name, text in found.items() if "plugin_bad" in text and name != "plugin_bad"]
    assert lists == ["[0 0 12 0 · 0] QFrame plugin_bad QFrame plugin_good QFrame plugin_idle 0:1"]


def test_without_plug_ins_it_says_so(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, _ = dialog(parent, monkeypatch)
    nothing = shown.findChild(QLabel, "plugins_none")
    assert isinstance(nothing, QLabel) and nothing.text() == "No plug-ins are installed."


def test_a_switch_enables_and_disables(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, desk = dialog(parent, monkeypatch, GOOD, IDLE)
    switches = {name: shown.findChild(Switch, f"enable_{name}") for name in ("good", "idle")}
    for switch in switches.values():
        assert isinstance(switch, Switch)
        switch.click()
    assert desk.asked == ["disable good", "enable idle"]
    desk.refused.add("idle")
    switches["idle"].click()  # type: ignore[union-attr]
    assert (shown._message.text(), shown._message.isHidden()) == ("The list cannot be written.", False)
    switches["good"].click()  # type: ignore[union-attr]
    assert shown._message.isHidden()


def test_it_follows_the_desk(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, desk = dialog(parent, monkeypatch, GOOD, IDLE)
    desk.tried.add("idle")
    monkeypatch.setattr(module, "installed_plugins", lambda _: [GOOD, IDLE, Plugin("new")])
    desk.changed.emit()
    assert [part._state.text() for part in shown._parts.values()] == ["Loaded; it adds One, Two.", "Being tried …"]
