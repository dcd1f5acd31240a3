"""The command `gradwire plugins`."""

from __future__ import annotations

import argparse

from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.graph_files import FINE, PROBLEMS
from gradwire.app.cli.plugin_notices import say_disabled
from gradwire.engine.base.text_columns import columns
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.plugins.plugin_trial import tried
from gradwire.engine.plugins.plugins import check_installed, disable_plugin, installed_plugins, set_enabled


def plugins(options: argparse.Namespace) -> int:
    """Lists the installed plug-ins, enables or disables one."""
    if options.enable:
        return _enable(options.enable)
    if options.disable:
        set_enabled(options.disable, False)
        return FINE
    installed = installed_plugins(library)
    if not installed:
        say("No plug-ins are installed.")
        return FINE
    rows = [(item.name, item.origin, item.place, _plugin_state(item)) for item in installed]
    say_text(columns([("plug-in", "from", "module", "state"), *rows]))
    return PROBLEMS if any(item.fault for item in installed) else FINE


def _enable(name: str) -> int:
    """Enables a plug-in if a trial import succeeds, in a process where it cannot harm the program."""
    check_installed(name)
    fault = tried(name).fault
    if fault:
        disable_plugin(name, fault)
        say_disabled(name, fault)
        return PROBLEMS
    set_enabled(name, True)
    return FINE


def _plugin_state(plugin: Plugin) -> str:
    if plugin.fault:
        return f"disabled: {plugin.fault}"
    return f"enabled, adds {', '.join(plugin.types)}" if plugin.is_enabled else "disabled"
