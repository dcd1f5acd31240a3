"""Commands that run a function of this program in a process of its own, also where the program is frozen.

A frozen program has no Python beside it. It starts itself, and a private first argument names the function.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import gradwire
from gradwire.engine.base.processes.blas_threads import use_one_blas_thread

# The folder that holds the package `gradwire`.
ROOT = Path(gradwire.__file__).resolve().parents[1]
# The private first arguments: a helper ignores the signals of a terminal, any other child does not.
CHILD, HELPER = "--child", "--helper"
_PACKAGE = "gradwire."
_OF_A_TERMINAL = ("SIGINT", "SIGHUP", "SIGTERM")
_DEAF = (
    f"[signal.signal(getattr(signal, name), signal.SIG_IGN) for name in {_OF_A_TERMINAL!r} if hasattr(signal, name)]"
)


def child_command(function: str, *arguments: str) -> list[str]:
    """Returns the command that calls a function of ours, named "module:function", with `arguments`."""
    return _command(CHILD, function, *arguments)


def helper_command(function: str, *arguments: str) -> list[str]:
    """Returns the command that calls a function as `child_command` does, in a process that outlives signals.

    A terminal signals all processes that were started from it. A helper ends when its window does, by its pipe.
    """
    return _command(HELPER, function, *arguments)


def python_command(code: str, *arguments: str) -> list[str]:
    """Returns the command that runs `code` in a new Python, with `arguments` in `sys.argv[1:]`; none is frozen."""
    # With -c Python searches the user's folder first, which may hold packages of any name; this entry replaces it.
    # Under PYTHONSAFEPATH there is no such entry.
    first = f"import sys; sys.path[: 1 - sys.flags.safe_path] = [{str(ROOT)!r}]"
    isolated = ["-I"] if sys.flags.isolated else []
    return [sys.executable, *isolated, "-c", f"{first}; {code}", *arguments]


def is_frozen() -> bool:
    """Returns whether the program runs without a Python beside it."""
    return bool(getattr(sys, "frozen", False))


def is_child(words: Sequence[str]) -> bool:
    """Returns whether the arguments of a process are for `run_child`."""
    return words[:1] in ([CHILD], [HELPER])


def run_child(words: Sequence[str]) -> int:
    """Calls the function that the arguments of a process name, with one BLAS thread; returns the exit code.

    Raises: ValueError for a function that is not ours.
    """
    use_one_blas_thread()
    kind, function, *arguments = words
    if kind == HELPER:
        _ignore_signals()
    module, _, name = function.partition(":")
    if not module.startswith(_PACKAGE):
        raise ValueError(f"{module} is no part of Gradwire")
    code = getattr(import_module(module), name)(*arguments)
    return code if isinstance(code, int) else 0


def _command(*words: str) -> list[str]:
    if is_frozen():
        return [sys.executable, *words]
    # A signal that arrives while this module is imported would show a traceback.
    deaf = f"import signal; {_DEAF}; " if words[0] == HELPER else ""
    return python_command(f"{deaf}from {__name__} import run_child; sys.exit(run_child(sys.argv[1:]))", *words)


def _ignore_signals() -> None:
    for name in _OF_A_TERMINAL:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
