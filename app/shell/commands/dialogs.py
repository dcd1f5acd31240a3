"""The dialogs of a window: keys, settings, help, and the table of wires."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path

import gradwire
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.help.about import AboutDialog, open_dialog
from gradwire.app.features.help.report_dialog import ReportDialog
from gradwire.app.features.help.report_text import report_text
from gradwire.app.features.help.wire_help import WireHelp
from gradwire.app.features.plugins.plugins_dialog import PluginsDialog
from gradwire.app.features.wires.wires_table import WiresTable
from gradwire.app.live.keys import Keys
from gradwire.app.shell.commands.keyboard_map import KeyboardMap
from gradwire.app.shell.commands.shortcut_dialog import ShortcutDialog
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.versions_dialog import VersionsDialog
from gradwire.app.shell.window.settings_dialog import SettingsDialog
from gradwire.engine.blocktypes.library import library


class Dialogs:
    """The dialogs; none of them blocks the program. `open_search` opens the search, with one part of it first.

    `open_name` opens what belongs to the name of the graph, `open_menu` the menu of the program.
    """

    open_search: Callable[[str], None]
    open_name: Callable[[], None]
    open_menu: Callable[[], None]

    def __init__(self, context: DocumentContext, canvas: Canvas, keys: Keys, comparing: Comparing) -> None:
        self._context, self._canvas, self._keys, self._comparing = context, canvas, keys, comparing
        self._frame, self._appearance = context.frame, context.frame.appearance

    @cached_property
    def wires(self) -> WiresTable:
        """The table of all wires. It is made when it is first needed, and keeps its filter and order."""
        return WiresTable(self._canvas, self._appearance, self._frame)

    def show_shortcuts(self) -> None:
        """Shows the keys of all commands, which the user can change."""
        open_dialog(ShortcutDialog(self._keys, self._appearance, self._frame))

    def show_settings(self) -> None:
        """Shows the settings."""
        leads = (
            (tr("Keyboard shortcuts …"), "settings_shortcuts", self.show_shortcuts),
            (tr("Plug-ins …"), "settings_plugins", self.show_plugins),
        )
        open_dialog(SettingsDialog(self._context.frame.settings, self._appearance, self._frame, leads))

    def show_versions(self, path: Path | None = None, opens_last: bool = False) -> None:
        """Shows the last saved versions of a file, by default the document's; or opens the last one, if it can."""
        dialog = VersionsDialog(self._context, self._comparing, path)
        open_dialog(dialog)
        if opens_last:
            dialog.open_row(0)

    def show_plugins(self) -> None:
        """Shows the installed plug-ins."""
        open_dialog(PluginsDialog(self._context.frame.windows.plugins, self._appearance, self._frame))

    def report_plugins(self) -> None:
        """Shows the plug-ins if an enabled one has failed."""
        if any(plugin.is_enabled and plugin.fault for plugin in library.plugins.values()):
            self.show_plugins()

    def show_keyboard_map(self) -> None:
        """Shows all keys and gestures on one sheet."""
        sheet = KeyboardMap(self._keys, self._appearance, self._frame)
        sheet.change_wanted.connect(self.show_shortcuts)
        open_dialog(sheet)

    def show_wire_help(self) -> None:
        """Shows the meaning of the patterns of wires."""
        open_dialog(WireHelp(self._appearance, self._frame))

    def show_report(self) -> None:
        """Shows the text for a report about a problem."""
        document = self._context.document
        made_text = partial(report_text, document.session.graph, document.path, self._appearance)
        open_dialog(ReportDialog(made_text, self._appearance, self._frame))

    def show_about(self) -> None:
        """Shows versions and licences."""
        open_dialog(AboutDialog(gradwire.__version__, self._appearance, self._frame))
