"""A plug-in of pytest that hides what Windows lacks: `pytest -p tests.systems.windows --collect-only`."""

from __future__ import annotations

import asyncio  # noqa: F401  # this and all that says so below sees the real system, as it has branches for others
import os
import signal
import socket
import sys

import mypy.build  # noqa: F401  # the same
import pytest

import gradwire.blocks  # noqa: F401  # the same
from gradwire.app.start import main_window  # noqa: F401  # the same

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
MISSING = {
    os: ("chown", "fork", "getegid", "geteuid", "getgid", "getuid", "killpg", "mkfifo", "setsid", "sysconf", "uname"),
    signal: ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGUSR1", "SIGXFSZ"),
    socket: ("AF_UNIX",),
}


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Hides modules and names once pytest and the program are loaded, before any module of tests is."""
    sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]  # None: an import fails as if it were not there
    for module, names in MISSING.items():
        for name in names:
            delattr(module, name)
    sys.platform = "win32"


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Keeps the first test of each table: each table is made, but without its thousands of tests."""
    if metafunc.config.option.collectonly:
        del metafunc._calls[1:]
