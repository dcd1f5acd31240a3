"""Commands that run this program's code in a Python process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import gradwire

# The folder that holds the package `gradwire`.
ROOT = Path(gradwire.__file__).resolve().parents[1]


# A terminal signals all processes that were started from it. A helper ends when its window does, by its pipe.
OUTLIVE_SIGNALS = (
    "import signal; [signal.signal(getattr(signal, name), signal.SIG_IGN) for name in ('SIGINT', 'SIGHUP', 'SIGTERM') "
    "if hasattr(signal, name)]"
)


def python_command(code: str, *arguments: str) -> list[str]:
    """Returns the command that runs `code` in a new process, with `arguments` in `sys.argv[1:]`."""
    # With -c Python searches the user's folder first, which may hold packages of any name; this entry replaces it.
    # Under PYTHONSAFEPATH there is no such entry.
    first = f"import sys; sys.path[: 1 - sys.flags.safe_path] = [{str(ROOT)!r}]"
    return [sys.executable, "-c", f"{first}; {code}", *arguments]
