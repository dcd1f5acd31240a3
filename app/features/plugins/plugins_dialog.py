"""The dialog of installed plug-ins, their origins, and a switch for each; only here does the user enable them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.plugins.plugin_desk import PluginDesk
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, Dialog, add_items, make_button, make_column, make_row, named, scrolling
from gradwire.engine.base.errors import UsageError
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.plugins.plugins import installed_plugins

WIDTH, HEIGHT = 560, 420


class PluginsDialog(Dialog):
    """One part for each plug-in; a switch takes effect at once, for all windows."""

    def __init__(self, desk: PluginDesk, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "plugins_dialog", tr("Plug-ins"), QSize(WIDTH, HEIGHT))
        self._desk = desk
        # Failed plug-ins come first, so that the user sees them at once.
        found = sorted(installed_plugins(library), key=lambda item: not item.fault)
        self._parts = {item.name: _Part(item, appearance, self) for item in found}
        self._message = plain_label("", "plugins_message", "error", self, wraps=True)
        warning = tr("Plug-ins are programs: they can do whatever you can. Enable only what you trust.")
        self._message.hide()
        said = plain_label(warning, "plugins_warning", "", self, wraps=True)
        layout = make_column(said, (scrolling(self._list()), 1), inside=self, margins=(20, 18, 20, 16), spacing=12)
        # The switches of the list come before the button, also for the Tab key.
        close = make_button(tr("Close"), self.accept, self, name="plugins_close")
        add_items(layout, self._message, make_row(STRETCH, close))
        desk.changed.connect(self._refresh)
        self._refresh()

    def _list(self) -> QWidget:
        content = QWidget()
        parts = make_column(inside=content, margins=(0, 0, 12, 0), spacing=0)
        for name, part in self._parts.items():
            part.switch.clicked.connect(partial(self._switch, name))
            add_items(parts, named(QFrame(content), look="line"), part)
        if not self._parts:
            parts.addWidget(plain_label(tr("No plug-ins are installed."), "plugins_none", "quiet", content))
        parts.addStretch(1)
        return content

    def _switch(self, name: str) -> None:
        self._message.hide()
        if self._parts[name].switch.isChecked():
            self._desk.enable(name)
        else:
            self._disable(name)

    def _disable(self, name: str) -> None:
        try:
            self._desk.disable(name)
        except UsageError as error:
            self._message.setText(tr_sentence(str(error)))
            self._message.show()
            self._refresh()

    def _refresh(self) -> None:
        for plugin in installed_plugins(library):
            if plugin.name in self._parts:
                self._parts[plugin.name].show_state(plugin, self._desk.is_tried(plugin.name))


class _Part(QWidget):
    """One plug-in: its switch, origin, path, and state."""

    def __init__(self, plugin: Plugin, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        name = plain(plugin.name)
        self.setObjectName(f"plugin_{plugin.name}")
        says = tr("Enable the plug-in {name}", name=name)
        self.switch = named(Switch(appearance, parent=self), f"enable_{plugin.name}", says=says)
        title = plain_label(name, "plugin_name", "strong", wraps=True)
        origin = _line(plain(plugin.origin, LONGEST_PARAGRAPH), "plugin_origin")
        place = _line(plain(plugin.place, LONGEST_PARAGRAPH), "plugin_place")
        self._state = _line("", "plugin_state")
        lines = make_column(title, origin, place, 3, self._state, spacing=3)
        switch = (self.switch, 0, Qt.AlignmentFlag.AlignTop)
        make_row((lines, 1), switch, inside=self, margins=(0, 12, 0, 14), spacing=16)

    def show_state(self, plugin: Plugin, is_tried: bool) -> None:
        """Shows the state of the plug-in."""
        self.switch.setChecked(is_tried or plugin.is_enabled)
        self._state.setText(tr("Being tried …") if is_tried else state_text(plugin))
        look = "quiet" if is_tried or not (plugin.fault or plugin.types) else "error" if plugin.fault else ""
        if self._state.property("look") != look:
            self._state.setProperty("look", look)
            self._state.style().polish(self._state)


def _line(text: str, name: str) -> QLabel:
    label = plain_label(text, name, "quiet", wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def state_text(plugin: Plugin) -> str:
    """Returns the state of a plug-in as a sentence."""
    if plugin.fault:
        return tr("Disabled: {fault}.", fault=plain(tr_sentence(plugin.fault), LONGEST_PARAGRAPH))
    if plugin.types:
        return tr("Loaded; it adds {types}.", types=", ".join(plugin.types))
    return tr("Not loaded.")
