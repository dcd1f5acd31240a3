"""The window on a graph that a script shows: it is not among the files opened last, since it goes with the script."""

from __future__ import annotations

import contextlib
from pathlib import Path

from gradwire.app.__main__ import main


def show_graph(file: str) -> int:
    """Shows a graph as `gradwire FILE` does, and forgets its file; returns the exit code."""
    code = main(file)
    with contextlib.suppress(ImportError):  # without Qt the graph was printed, and there is no list
        from gradwire.app.base.settings import Settings

        settings = Settings()
        settings.forget_recent(Path(file).absolute())
        settings.sync()
    return code
