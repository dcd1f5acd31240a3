"""Settings take effect at once and are stored."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QSlider

from gradwire.app.base.translation import LANGUAGES
from gradwire.app.kit.controls.switch import Switch
from tests.app.window.driver import LEFT, Driver, Key
from tests.sweeps import a_third_of


@pytest.fixture
def dialog(user: Driver) -> QDialog:
    user.trigger("settings")
    return user.child(QDialog, "settings_dialog")


def choose(user: Driver, name: str, value: str) -> None:
    """Chooses by the keyboard, because only then Qt emits `activated`."""
    box = user.child(QComboBox, f"setting_{name}")
    wanted = box.findData(value)
    assert wanted >= 0
    box.setFocus()
    while box.currentIndex() != wanted:
        QTest.keyClick(box, Key.Key_Down if box.currentIndex() < wanted else Key.Key_Up)
    user.settle()


@pytest.mark.long
def test_the_theme_changes_at_once(user: Driver, dialog: QDialog) -> None:
    choose(user, "theme", "light")
    assert user.window.appearance.theme.name == "light"
    assert user.window.settings.text("theme") == "light"
    choose(user, "theme", "dark")
    assert user.window.appearance.theme.name == "dark"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_remembered_and_it_says_when_it_holds(user: Driver, dialog: QDialog, language: str) -> None:
    choose(user, "language", language)
    assert user.window.settings.text("language") == language
    assert user.child(QLabel, "language_note").text() == "Takes effect at the next start."


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "value"),
    a_third_of([("motion", "reduced"), ("motion", "full"), ("wheel_pans", "true"), ("contrast", "on")]),
)
def test_choices_are_remembered(user: Driver, dialog: QDialog, name: str, value: str) -> None:
    with user.qtbot.waitSignal(user.window.settings.changed) as heard:
        choose(user, name, value)
    assert heard.args == [name]
    assert user.window.settings.text(name) == value


@pytest.mark.long
def test_the_text_size_goes_from_90_to_200_percent(user: Driver, dialog: QDialog) -> None:
    slider = user.child(QSlider, "setting_text_scale")
    QTest.keyClick(slider, Key.Key_End)
    assert user.window.settings.number("text_scale", 100) == 200
    QTest.keyClick(slider, Key.Key_Home)
    assert user.window.settings.number("text_scale", 100) == 90


@pytest.mark.long
@pytest.mark.parametrize("name", ["tips", "show_welcome"])
def test_switches_are_on_until_somebody_turns_them_off(user: Driver, dialog: QDialog, name: str) -> None:
    switch = user.child(Switch, f"setting_{name}")
    assert switch.isChecked()
    user.qtbot.mouseClick(switch, LEFT)
    assert not user.window.settings.flag(name, True)


@pytest.mark.parametrize(("name", "there"), [("shortcuts", "shortcut_dialog"), ("plugins", "plugins_dialog")])
def test_it_leads_to_shortcuts_and_plug_ins(user: Driver, dialog: QDialog, name: str, there: str) -> None:
    user.qtbot.mouseClick(user.child(QAbstractButton, f"settings_{name}"), LEFT)
    user.settle()
    assert user.child(QDialog, there).isVisible()
