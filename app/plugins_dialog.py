"""The plug-ins: what is installed, where it comes from, and a switch for each; only here are they enabled by hand."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.appearance import Appearance
from app.panels.inspector_parts import plain_label
from app.panels.switch import Switch
from app.panels.welcome_cards import scrolling
from app.words import tr, tr_sentence
from blocks import plugins as loaded_plugins
from engine.errors import UsageError
from engine.plain_text import LONGEST_PARAGRAPH, plain
from engine.plugins import Plugin, enabled_names, installed_plugins, set_enabled

WIDTH, HEIGHT = 560, 420


class PluginsDialog(QDialog):
    """One part for each plug-in; what is switched holds from the next start on."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("plugins_dialog")
        self.setWindowTitle(tr("Plug-ins"))
        self.resize(WIDTH, HEIGHT)
        self._appearance = appearance
        self._message = plain_label("", "plugins_message", "error", self, wraps=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(10)
        warning = tr("Plug-ins are programs: they can do whatever you can. Enable only what you trust.")
        layout.addWidget(plain_label(warning, "plugins_warning", "", self, wraps=True))
        layout.addWidget(scrolling(self._list()), 1)
        layout.addWidget(self._message)
        self._message.hide()
        layout.addLayout(self._below())

    def _list(self) -> QWidget:
        content = QWidget()
        parts = QVBoxLayout(content)
        parts.setContentsMargins(0, 0, 8, 0)
        parts.setSpacing(18)
        found = installed_plugins(loaded_plugins)
        enabled = enabled_names()
        for plugin in found:
            parts.addWidget(self._part(plugin, plugin.name in enabled))
        if not found:
            parts.addWidget(plain_label(tr("No plug-ins are installed."), "plugins_none", "quiet", content))
        parts.addStretch(1)
        return content

    def _part(self, plugin: Plugin, is_enabled: bool) -> QWidget:
        part = QWidget()
        part.setObjectName(f"plugin_{plugin.name}")
        name = plain(plugin.name)
        switch = Switch(self._appearance, name, part)
        switch.setObjectName(f"enable_{plugin.name}")
        switch.setAccessibleName(tr("Enable the plug-in {name}", name=name))
        switch.setChecked(is_enabled)
        switch.toggled.connect(partial(self._set_enabled, plugin.name))
        lines = QVBoxLayout(part)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(3)
        lines.addWidget(switch, 0, Qt.AlignmentFlag.AlignLeft)
        lines.addWidget(self._line(plain(plugin.origin, LONGEST_PARAGRAPH), "plugin_origin"))
        lines.addWidget(self._line(plain(plugin.place, LONGEST_PARAGRAPH), "plugin_place"))
        lines.addWidget(self._line(state_text(plugin), "plugin_state", "error" if plugin.fault else ""))
        return part

    def _line(self, text: str, name: str, look: str = "quiet") -> QLabel:
        label = plain_label(text, name, look, wraps=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _below(self) -> QHBoxLayout:
        row = QHBoxLayout()
        note = plain_label(tr("Takes effect at the next start."), "plugins_note", "quiet", self)
        close = QPushButton(tr("Close"), self)
        close.setObjectName("plugins_close")
        close.clicked.connect(self.accept)
        row.addWidget(note, 1)
        row.addWidget(close)
        return row

    def _set_enabled(self, name: str, is_enabled: bool) -> None:
        try:
            set_enabled(name, is_enabled)
        except UsageError as error:
            self._message.setText(tr_sentence(str(error)))
            self._message.show()


def state_text(plugin: Plugin) -> str:
    """What has become of a plug-in at this start."""
    if plugin.fault:
        return tr("Left out: {fault}.", fault=tr_sentence(plugin.fault))
    if plugin.types:
        return tr("Loaded; it adds {types}.", types=", ".join(plugin.types))
    return tr("Not loaded.")


def failed_plugins() -> list[Plugin]:
    """The enabled plug-ins that were left out at this start."""
    return [plugin for plugin in loaded_plugins if plugin.fault]
