"""Sentences about plug-ins that have failed, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.terminal import say
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.library import library
from gradwire.engine.plugins.plugins import disable_plugin, fault_at, put_odd_lists_aside


def say_faults(is_listed: bool) -> None:
    """Names plug-ins that failed while they were loaded, unless they are listed anyway, and lists put aside."""
    for path in put_odd_lists_aside():
        say(f"gradwire: the list of plug-ins cannot be read; it is now {path}", sys.stderr)
    for plugin in () if is_listed else library.plugins.values():
        if plugin.is_enabled and plugin.fault:
            say_disabled(plugin.name, plugin.fault)


def disable_faulty(problems: Sequence[Problem]) -> None:
    """Disables the plug-ins whose code has failed, each once, and reports that."""
    faulty = {problem.plugin: problem for problem in reversed(problems) if problem.plugin}
    for name, problem in faulty.items():
        fault = fault_at(problem.at, problem.message)
        disable_plugin(name, fault)
        say_disabled(name, fault)


def say_disabled(name: str, fault: str) -> None:
    """Says that a plug-in is disabled, why, and what enables it."""
    sentence = f"gradwire: the plug-in {name} is disabled: {fault}. Once it is mended: gradwire plugins --enable {name}"
    say(sentence, sys.stderr)
