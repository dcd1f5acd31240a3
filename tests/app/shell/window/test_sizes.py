"""The sizes of the window's own widgets and dialogs, and the room in and around them, at texts of 100 %. Units: px."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.app.shell.documents.exports.pictures import PictureDialog
from gradwire.app.shell.window.grip import Grip
from gradwire.app.shell.window.settings_dialog import SettingsDialog
from tests.app.measured import lacking, measures
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

Make = Callable[[Appearance, QWidget, Path], QWidget]

WIDGETS: dict[str, Make] = {
    "code": lambda _, parent, __: CodeDialog(chain(), "chain", parent),
    "picture": lambda _, parent, __: PictureDialog(True, "dark", parent),
    "settings": lambda look, parent, path: SettingsDialog(Settings(path / "s.ini"), look, parent),
    "grip": lambda look, parent, _: Grip(look, parent),
}


SIZES: dict[str, dict[str, str]] = {
    "code": {"code_dialog": "[11 · 6 1:1], [0 · 4 4:1], [0 · 6 0:1]", "code": "12px/400"},
    "picture": {"picture_dialog": "[16 · 16], [0 · 16 10], [0 · 16 2:1], [0 · 16 3:1]"},
    "settings": {"settings_dialog": "[20 18 20 16 · -1], [0 · 8 0:1]"},
    "grip": {"strip_grip": "w60, h24"},
}
WINDOW: dict[str, dict[str, str]] = {
    "status_bar": {
        "status_bar": "h24, 11px/400, inside 8 0 8 0, [0 · 6 3 2], [0 · 6 2 1:1 22]",
        "status_state": "[4 0 4 0 · 5]",
        "status_state_text": "12px/600",
        "stop_button": "h≥18, h≤20, 11px/400",
        "status_sentence": "h22, icon 17",  # The icon and what parts it from the words.
        "status_action": "h22, 12px/600",
        "status_zoom": "h22, 12px/400",
    },
    "bottom": {
        "bottom": "[0 · 0 1:1 2:1]",
        "panel_head": "[12 0 6 0 · 6 2:1]",
        "leave_panel": "w24, h24, icon 16",
        "lens_hidden": "inside 14 8 14 8",
    },
}
DIALOGS: dict[str, dict[str, str]] = {
    "shortcuts": {
        "shortcut_dialog": "w≥324, h≥230, [11 · 10 1:1], [0 · 10 0:1], [0 · 10 1:1]",
        "shortcut_search": "h≤28, text 19 0",
        "_Editor": "[0 · 6 0:1], [0 · 6]",
        "shortcut_title": "12px/600",
        "shortcut_message": "h≥30",
    },
    "keyboard_map": {
        "keyboard_map": "w≥216, h≥118, [11 · 10 2:1], [0 · 10 0:1]",
        "map_search": "h≤28, text 19 0",
        "_Area": "[0 · 0 4]",
        "_LineWidget": "h24",
    },
}


@pytest.mark.parametrize("name", WIDGETS)
def test_dialogs_have_their_sizes(name: str, tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = measures(WIDGETS[name](Appearance("dark"), parent, tmp_path))
    assert lacking(found, SIZES[name]) == {}


@pytest.mark.parametrize("name", WINDOW)
def test_the_window_has_its_sizes(name: str, user: Driver) -> None:
    user.show(chain())
    found = measures(user.child(QWidget, name))
    assert lacking(found, WINDOW[name]) == {}


@pytest.mark.parametrize(
    ("command", "name", "size"),
    [("shortcuts", "shortcut_dialog", (680, 600)), ("keyboard_map", "keyboard_map", (1120, 760))],
)
def test_sheets_of_keys_have_their_sizes(command: str, name: str, size: tuple[int, int], user: Driver) -> None:
    user.trigger(command)
    dialog = user.child(QDialog, name)
    found = measures(dialog)
    assert dialog.size().toTuple() == size
    assert lacking(found, DIALOGS[command]) == {}
    dialog.reject()
