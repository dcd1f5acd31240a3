"""Makes everything that stands in a window: canvas, panels, menus, commands. All of it is imported with this module."""

from __future__ import annotations

from gradwire.app.canvas.access.accessible import install
from gradwire.app.features.plugins.plugin_desk import PluginDesk
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.shell.commands.commands import bindables
from gradwire.app.shell.commands.window_bars import WindowBars
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.documents.window_list import OpenWindow


def fill(frame: OpenWindow, make_evaluator: MakeEvaluator) -> tuple[WindowParts, WindowBars]:
    """Makes all parts of a window, and places and connects them."""
    windows = frame.windows
    if not hasattr(windows, "plugins"):
        windows.plugins = PluginDesk(make_evaluator, lambda: windows.sessions, windows.learn_blocks)
    install()
    parts = WindowParts(frame, make_evaluator, bindables())
    windows.plugins.failed.connect(parts.layout.sayings.say)
    return parts, WindowBars(parts)
