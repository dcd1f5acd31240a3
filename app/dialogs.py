"""The dialogs of a window that belong to no document: keys, settings, and what explains the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gradwire
from app.about import AboutDialog, open_dialog
from app.keyboard_map import KeyboardMap
from app.plugins_dialog import PluginsDialog
from app.settings_dialog import SettingsDialog
from app.shortcut_dialog import ShortcutDialog
from app.versions_dialog import VersionsDialog
from app.wire_help import WireHelp
from engine.library import library

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Dialogs:
    """Opens each of them; none makes the program wait."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def show_shortcuts(self) -> None:
        """Shows the keys of all commands, to be changed."""
        open_dialog(ShortcutDialog(self._window.keys, self._window.appearance, self._window))

    def show_settings(self) -> None:
        """Shows what can be set."""
        dialog = SettingsDialog(self._window)
        dialog.shortcuts_wanted.connect(self.show_shortcuts)
        open_dialog(dialog)

    def show_versions(self, path: Path | None = None) -> None:
        """Shows what was saved last in a file, by default the document's."""
        open_dialog(VersionsDialog(self._window, path))

    def show_plugins(self) -> None:
        """Shows which plug-ins are installed."""
        open_dialog(PluginsDialog(self._window.windows.plugins, self._window.appearance, self._window))

    def report_plugins(self) -> None:
        """Shows the plug-ins where one of those that were enabled has failed since."""
        if any(plugin.is_enabled and plugin.fault for plugin in library.plugins.values()):
            self.show_plugins()

    def show_keyboard_map(self) -> None:
        """Shows all keys and gestures on one sheet."""
        sheet = KeyboardMap(self._window.keys, self._window.appearance, self._window)
        sheet.change_wanted.connect(self.show_shortcuts)
        open_dialog(sheet)

    def show_wire_help(self) -> None:
        """Shows what the patterns of the wires mean."""
        open_dialog(WireHelp(self._window.appearance, self._window))

    def show_about(self) -> None:
        """Shows versions and licences."""
        open_dialog(AboutDialog(gradwire.__version__, self._window.appearance, self._window))
